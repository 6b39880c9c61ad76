// Controllers on the mechanism itself: computed torque gives the acceleration it asks for, on every hinge kind; PD over gravity takes energy.
#include <Eigen/SVD>

#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/control/computed_torque.hpp"
#include "sweepdyn/control/pd_gravity.hpp"
#include "sweepdyn/dynamics/energy.hpp"

namespace sweepdyn::test {
namespace {

struct Target {
    Numbers q, v, a, kp, kd;
    TrackingTarget target() const { return {q, v, a}; }
    TrackingGains gains() const { return {kp, kd}; }
};
Target random_target(const Model& model, std::uint64_t seed)
{
    Target out;
    Random random(seed);
    out.q.resize(static_cast<std::size_t>(model.num_coordinates()));
    random_configuration(model, seed, out.q);
    for (int j = 0; j < model.num_dofs(); ++j) {
        out.v.push_back(random.uniform(-1, 1)), out.a.push_back(random.uniform(-1, 1));
        out.kp.push_back(random.uniform(1, 100)), out.kd.push_back(random.uniform(1, 20));
    }
    return out;
}

TEST(ComputedTorque, GivesTheAccelerationItAsksFor)
{
    for_every_case([](const Case& c) {
        const Target t = random_target(c.model, 5);
        Stages<double> stages(c.model, automatic, c.q, c.v);
        TrackingScratch scratch(c.model);
        Numbers T(c.v.size()), e(c.v.size()), wanted(c.v.size());
        computed_torque(stages.kin, t.target(), t.gains(), T, scratch);
        difference<double>(c.model, c.q, t.q, e);
        for (std::size_t j = 0; j < T.size(); ++j)
            wanted[j] = t.a[j] + t.kd[j] * (t.v[j] - c.v[j]) + t.kp[j] * e[j];
        const MatrixXd M = mass_of(stages);
        const double condition =
            c.v.empty() ? 1.0
                        : M.jacobiSvd().singularValues()(0) / M.jacobiSvd().singularValues()(M.rows() - 1);
        expect_equal("v_dot = a_d + kd e_d + kp e", c.where, stages.forward(T), wanted,
                     {.condition = condition});
    });
}

TEST(ComputedTorque, WithNoErrorItIsInverseDynamics)
{
    for_every_case([](const Case& c) {
        Target t = random_target(c.model, 6);
        t.q = c.q, t.v = c.v;
        Stages<double> stages(c.model, automatic, c.q, c.v);
        TrackingScratch scratch(c.model);
        Numbers T(c.v.size());
        computed_torque(stages.kin, t.target(), t.gains(), T, scratch);
        const Numbers exact = stages.inverse(t.a);
        // difference(q, q) of a quaternion is round-off
        expect_equal("T", c.where, T, exact, {.terms = largest(square(stages.mass())), .tolerance = 1e-10});
    });
}

TEST(PdGravity, RestsAtTheTargetAndTakesEnergy)
{
    for_every_case([](const Case& c) {
        Target t = random_target(c.model, 7);
        Stages<double> stages(c.model);
        TrackingScratch scratch(c.model);
        Numbers T(c.v.size()), still(c.v.size());
        t.q = c.q, t.v = still;
        stages.set(c.q, still); // at the target, at rest: gravity's forces and no motion
        pd_gravity(stages.kin, t.target(), t.gains(), T, scratch);
        expect_equal("T = g", c.where, T, stages.gravity(), {.terms = 1.0, .tolerance = 1e-10});
        // In motion at the target the power beyond gravity's is -v' kd v.
        stages.set(c.q, c.v);
        pd_gravity(stages.kin, t.target(), t.gains(), T, scratch);
        const Numbers g = stages.gravity();
        double power = 0.0, taken = 0.0;
        for (std::size_t j = 0; j < T.size(); ++j)
            power += (T[j] - g[j]) * c.v[j], taken -= t.kd[j] * c.v[j] * c.v[j];
        expect_equal("power", c.where, power, taken, {.terms = 1.0 + largest(eigen(T)), .tolerance = 1e-10});
    });
}

// A chain under PD over gravity, integrated: kinetic energy + e' kp e / 2 never grows, and it comes to rest at the target.
TEST(PdGravity, AChainComesToRestAtItsTarget)
{
    const Model model = *generate_model("chain:4");
    Target t = random_target(model, 8);
    std::fill(t.v.begin(), t.v.end(), 0.0);
    std::fill(t.kp.begin(), t.kp.end(), 60.0);
    std::fill(t.kd.begin(), t.kd.end(), 30.0);
    Stages<double> stages(model);
    TrackingScratch scratch(model);
    Numbers q(t.q), v(4, 1.0), T(4), step(4), e(4);
    q[0] += 0.5, q[2] -= 0.7;
    const double h = 2e-4;
    double before = INFINITY;
    for (int i = 0; i < 100000; ++i) {
        stages.set(q, v);
        difference<double>(model, q, t.q, e);
        double energy = kinetic_energy(stages.kin);
        for (std::size_t j = 0; j < 4; ++j)
            energy += 0.5 * t.kp[j] * e[j] * e[j];
        if (i % 100 == 0) {
            EXPECT_LT(energy, before + 1e-9);
            before = energy;
        }
        pd_gravity(stages.kin, t.target(), t.gains(), T, scratch);
        const Numbers v_dot = stages.forward(T);
        for (std::size_t j = 0; j < 4; ++j)
            v[j] += h * v_dot[j], step[j] = h * v[j];
        integrate<double>(model, q, step, q);
    }
    EXPECT_LT(before, 1e-6);
}

TEST(ComputedTorque, Refused)
{
    const Model model = *generate_model("chain:2");
    Target t = random_target(model, 9);
    Stages<double> stages(model);
    TrackingScratch scratch(model);
    Numbers T(2);
    EXPECT_THROW(computed_torque(stages.kin, t.target(), t.gains(), T, scratch), UsageError); // no state yet
    EXPECT_THROW(pd_gravity(stages.kin, t.target(), t.gains(), T, scratch), UsageError);
    t.kp.pop_back();
    stages.set(Numbers{0, 0}, Numbers{0, 0});
    EXPECT_THROW(computed_torque(stages.kin, t.target(), t.gains(), T, scratch), UsageError);
}

} // namespace
} // namespace sweepdyn::test
