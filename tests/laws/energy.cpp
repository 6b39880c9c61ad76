// Laws of energy: gravity forces are the gradient of the potential, the power of T is the rate of the energy, dM/dt - 2C is
// skew, and nothing is gained or lost when nobody pushes.
#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }
double power(const Numbers& T, const Numbers& v) { return v.empty() ? 0.0 : eigen(T).dot(eigen(v)); }

// -sum m g . c over what can move: what is welded to the ground does not count.
TEST(Energy, PotentialIsTheSumOverWhatCanMove)
{
    int fixed = 0;
    for_every_case([&](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        double expected = 0.0, terms = 0.0;
        for (int k = 0; k < c.model.num_bodies(); ++k) {
            const Body& body = c.model.bodies()[k];
            fixed += c.model.is_fixed(k);
            const Vector3d com = (truth[k].X_WB * Vector3d(dense(body.com)).homogeneous()).head<3>();
            const double own = c.model.is_fixed(k) ? 0.0 : -body.mass * com.dot(dense(c.model.gravity()));
            expected += own;
            terms = std::max(terms, std::abs(own));
        }
        for (const ReferenceChoice& choice : reference_choices) {
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q);
            expect_equal("potential energy", at(c, choice), potential_energy(kin), expected,
                         {.terms = terms});
        }
    });
    EXPECT_GT(fixed, 10);
}

TEST(Energy, GravityForcesAreTheGradientOfThePotential)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, Numbers(c.v.size(), 0.0));
            const Numbers T = stages.gravity();
            VectorXd gradient(c.model.num_dofs());
            for (int j = 0; j < c.model.num_dofs(); ++j) {
                Kinematics<Time> moved = make_kinematics<Time>(c.model, choice);
                update<Time>(moved, moving(c.model, c.q, plain(VectorXd::Unit(c.model.num_dofs(), j))));
                gradient[j] = potential_energy(moved).tangent;
            }
            expect_equal("grad V", at(c, choice), T, gradient);
            expect_equal("T at rest", at(c, choice), stages.inverse(Numbers(c.v.size(), 0.0)), T);
        }
    });
}

// T . v = d/dt (kinetic + potential) for any acceleration; with external wrenches their power comes off.
TEST(Energy, PowerIsTheRateOfEnergy)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            const auto w = external_of(stages.kin, c);
            double external = 0.0, terms = 0.0;
            for (int k = 0; k < c.model.num_bodies(); ++k)
                external += dot(stages.kin.body[k].V, w[k]);
            const double kinetic = kinetic_energy(moved.kin).tangent,
                         potential = potential_energy(moved.kin).tangent;
            terms = std::abs(kinetic) + std::abs(potential) + std::abs(external);
            const Numbers T = stages.inverse(c.a, w);
            if (!T.empty()) // the parts of T . v cancel
                terms = std::max(terms, eigen(T).cwiseProduct(eigen(c.v)).cwiseAbs().maxCoeff());
            expect_equal("power", at(c, choice), power(T, c.v), kinetic + potential - external,
                         {.terms = terms});
        }
    });
}

// v' (dM/dt v - 2 C v) = 0, with C v = bias - gravity: the Coriolis forces do no work but what dM/dt asks for.
TEST(Energy, MassMatrixRateMinusTwiceCoriolisIsSkew)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const VectorXd v = eigen(c.v),
                           Cv = eigen(stages.inverse(Numbers(c.v.size(), 0.0))) - eigen(stages.gravity());
            Stages<Time> moved = moving_stages(c, choice, c.a);
            const MatrixXd rate = square(tangent(moved.mass()));
            const VectorXd change = rate * v;
            expect_equal(
                "v'(M_dot v)/2 = v'Cv", at(c, choice), 0.5 * v.dot(change), v.dot(Cv),
                {.terms = std::max(largest(change), largest(eigen(stages.gravity())) + largest(Cv))});
        }
    });
}

// Classical RK4 in the coordinates themselves: quaternions move in R^4, where the order is exactly four.
struct Simulation {
    Stages<double> stages;
    Numbers q, v;

    VectorXd rate(const VectorXd& state)
    {
        const auto n = static_cast<Eigen::Index>(q.size());
        const Numbers at = plain(state.head(n)), speed = plain(state.tail(state.size() - n));
        stages.set(at, speed);
        VectorXd out(state.size());
        out << eigen(tangent(moving(stages.kin.model, at, speed))),
            eigen(stages.forward(Numbers(v.size(), 0.0)));
        return out;
    }
    void step(double h)
    {
        VectorXd x(q.size() + v.size());
        x << eigen(q), eigen(v);
        const VectorXd k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2),
                       k4 = rate(x + h * k3);
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        q = plain(x.head(static_cast<Eigen::Index>(q.size())));
        v = plain(x.tail(static_cast<Eigen::Index>(v.size())));
    }
    double energy()
    {
        stages.set(q, v);
        return kinetic_energy(stages.kin) + potential_energy(stages.kin);
    }
};

double drift(const Case& c, int steps, double duration, double& scale)
{
    Simulation simulation{Stages<double>(c.model), c.q, c.v};
    const double before = simulation.energy();
    scale = kinetic_energy(simulation.stages.kin);
    for (int i = 0; i < steps; ++i)
        simulation.step(duration / steps);
    const double after = simulation.energy();
    scale = std::max(scale, kinetic_energy(simulation.stages.kin));
    return after - before;
}

TEST(Energy, IsConserved)
{
    for (const HingeCase& which : hinge_kinds())
        for (bool armature : {false, true}) {
            if (which.kind == HingeKind::weld)
                continue;
            const Model model = hinge_model(which, false, armature);
            const Case c = make_case(model, model.name(), Place::random, 5);
            double scale = 0.0;
            const double fine = drift(c, 400, 0.1, scale);
            // The integrator's own error at h = 0.25 ms, h^4 times rates of some 10 to 100 1/s, stands for the rule's 1e-12.
            expect_equal("E(0.1 s) - E(0)", c.where, fine, 0.0, {.terms = scale, .tolerance = 1e-9});
            // And it must vanish as h^4: a wrong force would leave a remainder that does not.
            const double coarse = drift(c, 25, 0.1, scale), half = drift(c, 50, 0.1, scale);
            if (std::abs(half) > 1e-11 * scale) {
                EXPECT_GT(std::abs(coarse / half), 8.0) << c.where;
            }
        }
}

} // namespace
} // namespace sweepdyn::test
