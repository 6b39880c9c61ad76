// Laws of inverse dynamics: d'Alembert's principle with momenta differentiated in time by dual numbers, the reactions,
// the other two roads to the same T, and linearity.
#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

// What must be supplied to each body besides weight and external forces: d/dt (M V) - weight - w, about the world origin.
std::vector<VectorXd> forces_needed(const Case& c, const ReferenceChoice& choice, const Numbers& v_dot,
                                    bool external)
{
    const Stages<Time> moved = moving_stages(c, choice, v_dot);
    const auto truth = dense_bodies(c.model, c.q);
    std::vector<VectorXd> out;
    for (int k = 0; k < c.model.num_bodies(); ++k) {
        const Force<Time> h = moved.kin.M[k] * moved.kin.body[k].V;
        VectorXd f = dense(tangent(at_origin(moved.kin, k, h)));
        const Body& body = c.model.bodies()[k];
        const Vector3d com = (truth[k].X_WB * Vector3d(dense(body.com)).homogeneous()).head<3>();
        const Vector3d origin = truth[k].X_WB.topRightCorner<3, 1>(),
                       weight = body.mass * dense(c.model.gravity());
        f.head(3) -= com.cross(weight);
        f.tail(3) -= weight;
        if (external) {
            const Vector3d push = dense(c.wrench[k].f);
            f.head(3) -= dense(c.wrench[k].n) + origin.cross(push);
            f.tail(3) -= push;
        }
        out.push_back(f);
    }
    return out;
}

// T_j = sum over bodies of J(k)_j . f(k) + Ja v_dot; and f on body k by its parent is the sum over all that it carries.
TEST(InverseDynamics, DAlembertsPrincipleAndReactions)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            std::vector<VectorXd> f = forces_needed(c, choice, c.a, true);
            VectorXd expected = VectorXd::Zero(c.model.num_dofs());
            int j = 0;
            for (const Hinge& hinge : c.model.hinges())
                for (double armature : hinge.armature)
                    expected[j] = armature * c.a[j], ++j;
            for (int k = 0; k < c.model.num_bodies(); ++k)
                expected += truth[k].J.transpose() * f[k];

            Stages<double> stages(c.model, choice, c.q, c.v);
            const Numbers T = stages.inverse(c.a, external_of(stages.kin, c));
            // Terms: a dof without gravity or motion across it may need next to nothing.
            double terms = 0.0;
            for (const VectorXd& each : f)
                terms = std::max(terms, largest(each));
            expect_equal("T", at(c, choice), T, expected, {.terms = terms});

            VectorXd on_ground = VectorXd::Zero(6);
            for (int k = c.model.num_bodies() - 1; k >= 0; --k) {
                expect_equal("reaction", at(c, choice), at_origin(stages.kin, k, stages.forces[k].f), f[k],
                             {.terms = terms});
                const int parent = c.model.tree().parent[k];
                (parent == ground ? on_ground : f[parent]) += f[k];
            }
            expect_equal("reaction of the ground", at(c, choice), stages.forces[ground].f, on_ground,
                         {.terms = terms});
        }
    });
}

TEST(InverseDynamics, TwoOtherRoads)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const auto w = external_of(stages.kin, c);
            const Numbers T = stages.inverse(c.a, w);
            Numbers other(T.size());
            composite_inverse_dynamics<double>(stages.kin, stages.composite, c.a, other, stages.forces, w);
            expect_equal("by composite inertias", at(c, choice), other, T);
            const Vec3<double> near = stages.kin.r(0), far = near + Vec3<double>{1.0, -2.0, 2.0}; // 3 m
            for (const Vec3<double>& point : {near, far}) {
                inertial_inverse_dynamics<double>(stages.kin, point, c.a, other, stages.forces, w);
                expect_equal(point == near ? "inertially referenced" : "inertially referenced, 3 m off",
                             at(c, choice), other, T);
            }
        }
    });
}

TEST(InverseDynamics, LinearInAcceleration)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Numbers zero(c.a.size(), 0.0);
            const VectorXd T = eigen(stages.inverse(c.a)), bias = eigen(stages.inverse(zero));
            expect_equal("T(a) - T(0) = M a", at(c, choice), VectorXd(T - bias),
                         VectorXd(mass_of(stages) * eigen(c.a)), {.terms = largest(T)});
        }
    });
}

// The same state with all speeds reversed needs the same forces.
TEST(InverseDynamics, EvenInVelocity)
{
    for_every_case([](const Case& c) {
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const Numbers forth = stages.inverse(c.a);
        stages.set(c.q, plain(-eigen(c.v)));
        expect_equal("T(-v) = T(v)", c.where, stages.inverse(c.a), forth);
    });
}

} // namespace
} // namespace sweepdyn::test
