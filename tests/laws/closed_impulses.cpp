// Laws of impulses on mechanisms with loops, and of their operational space, against dense algebra:
//     M (v+ - v-) = P + J' lambda,   J v+ = -e J v-,        Omega = J_f (M^-1 - M^-1 J'(J M^-1 J')^+ J M^-1) J_f'
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "support/compare.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const std::vector<std::string> mechanisms{
    "four_bar",     "four_bar_3d_5dof_closure", "stewart_6ups", "two_arms_box",
    "leg_floating", "planetary_redundant",      "rolling_disc", "three_fingers"};

struct Dense {
    MatrixXd M, J, X; // X = M^-1 with the loops kept
};
Dense dense_of(const ClosedGolden& golden, ClosedMechanism& mechanism)
{
    Robot robot(golden.model);
    robot.set_state(VectorXd::Map(golden.q.data(), static_cast<Eigen::Index>(golden.q.size())));
    Dense out{robot.mass_matrix(), {}, {}};
    out.J = MatrixXd::Zero(mechanism.loops().num_rows, out.M.rows());
    for (const LoopOnTree<double>& on : mechanism.loops().loops)
        loop_jacobian<double>(mechanism.kinematics(), mechanism.loops(), on,
                              [&](int i, int dof, double x) { out.J(on.first_row + i, dof) += x; });
    Eigen::FullPivLU<MatrixXd> lu(out.J);
    lu.setThreshold(1e-9);
    const MatrixXd N = lu.kernel();
    out.X = N * (N.transpose() * out.M * N).ldlt().solve(N.transpose());
    return out;
}

TEST(ClosedImpulses, MomentumChangesByWhatIsPassed)
{
    Random random(11);
    for (const std::string& name : mechanisms)
        for (double e : {0.0, 0.4, 1.0}) {
            const ClosedGolden golden = closed_golden(name);
            ClosedMechanism mechanism(golden.model);
            std::vector<double> before(golden.v.size()), P(golden.v.size()), after(golden.v.size());
            for (std::size_t j = 0; j < before.size(); ++j) // they need not keep the loops closed
                before[j] = random.uniform(-1, 1), P[j] = random.uniform(-1, 1);
            mechanism.set(golden.q, before);
            const Dense d = dense_of(golden, mechanism);
            const VectorXd v0 = VectorXd::Map(before.data(), d.M.rows()),
                           p = VectorXd::Map(P.data(), d.M.rows());
            mechanism.impulse(P, after, {}, e);
            const VectorXd v1 = VectorXd::Map(after.data(), d.M.rows());
            const VectorXd truth = (1.0 + e) * (d.X * (d.M * v0)) - e * v0 + d.X * p;
            EXPECT_LE((v1 - truth).cwiseAbs().maxCoeff(), 1e-10 * truth.cwiseAbs().maxCoeff())
                << name << ' ' << e;
            const VectorXd left = d.J * v1 + e * (d.J * v0);
            EXPECT_LE(left.cwiseAbs().maxCoeff(), 1e-11 * d.J.cwiseAbs().maxCoeff() * v0.cwiseAbs().sum())
                << name;
            if (e == 0.0) { // to take hold costs energy: what v- and P would have without the loops is more
                const double free = (v0 + d.M.ldlt().solve(p)).dot(d.M * v0 + p);
                EXPECT_LE(v1.dot(d.M * v1), free * (1 + 1e-12)) << name;
            }
        }
}

TEST(ClosedImpulses, LoopsPassTheRest)
{
    // A crank struck at rest: what the pin passes on turns the coupler and the rocker, J' lambda = M v+ - P.
    const ClosedGolden golden = closed_golden("four_bar");
    ClosedMechanism mechanism(golden.model);
    const std::vector<double> P{2.0, 0.0, 0.0};
    std::vector<double> after(3);
    mechanism.set(golden.q, std::vector<double>(3, 0.0));
    const Dense d = dense_of(golden, mechanism);
    const std::vector<LoopForce> passed = mechanism.impulse(P, after);
    ASSERT_EQ(passed.size(), 1u);
    VectorXd lambda(2); // rows x, y of frame a
    lambda << passed[0].wrench[3], passed[0].wrench[4];
    const VectorXd left =
        d.M * VectorXd::Map(after.data(), 3) - VectorXd::Map(P.data(), 3) - d.J.transpose() * lambda;
    EXPECT_LE(left.cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_GT(lambda.norm(), 0.1);
}

TEST(ClosedImpulses, WrongUseIsToldInWords)
{
    const ClosedGolden golden = closed_golden("four_bar");
    ClosedMechanism mechanism(golden.model);
    mechanism.set(golden.q, golden.v);
    std::vector<double> after(3);
    EXPECT_THROW(mechanism.impulse({}, after, {}, 1.5), UsageError);
    EXPECT_THROW(mechanism.impulse(std::vector<double>(2), after), UsageError);
}

TEST(ClosedOperationalSpace, OmegaAndLambdaAreTheDenseOnes)
{
    for (const std::string& name : mechanisms) {
        const ClosedGolden golden = closed_golden(name);
        ClosedMechanism mechanism(golden.model);
        mechanism.set(golden.q, golden.v);
        const Dense d = dense_of(golden, mechanism);
        const int last = golden.model.num_bodies() - 1;
        const std::vector<FrameId> frames{
            golden.model.frame(golden.model.bodies()[0].name),
            golden.model.frame(golden.model.bodies()[static_cast<std::size_t>(last)].name)};
        MatrixXd J(12, d.M.rows());
        for (int f = 0; f < 2; ++f) {
            std::vector<double> columns(static_cast<std::size_t>(6 * d.M.rows()));
            frame_jacobian<double>(mechanism.kinematics(), frames[static_cast<std::size_t>(f)], columns,
                                   FrameAxes::world_aligned);
            J.middleRows(6 * f, 6) = MatrixXd::Map(columns.data(), 6, d.M.rows());
        }
        const MatrixXd truth = J * d.X * J.transpose();
        const std::vector<double> Omega = mechanism.compliance(frames);
        EXPECT_LE((MatrixXd::Map(Omega.data(), 12, 12) - truth).cwiseAbs().maxCoeff(),
                  1e-11 * truth.cwiseAbs().maxCoeff())
            << name;
        EXPECT_THROW(mechanism.operational_inertia(frames), RefusedError)
            << name; // twelve directions are too many
    }
    // six of a platform on six legs
    const ClosedGolden golden = closed_golden("stewart_6ups");
    ClosedMechanism mechanism(golden.model);
    mechanism.set(golden.q, golden.v);
    const std::vector<FrameId> platform{golden.model.frame("platform")};
    const std::vector<double> Omega = mechanism.compliance(platform),
                              Lambda = mechanism.operational_inertia(platform);
    EXPECT_TRUE(mechanism.operational_inertia({}).empty());
    const MatrixXd product = MatrixXd::Map(Omega.data(), 6, 6) * MatrixXd::Map(Lambda.data(), 6, 6);
    EXPECT_LE((product - MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-11);
    Robot robot(golden.model);
    robot.set_state(VectorXd::Map(golden.q.data(), static_cast<Eigen::Index>(golden.q.size())));
    EXPECT_LE((robot.operational_compliance({"platform"}) - MatrixXd::Map(Omega.data(), 6, 6))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-12 * MatrixXd::Map(Omega.data(), 6, 6).cwiseAbs().maxCoeff());
}

TEST(ClosedRobot, StatesThatOpenALoopAreRefusedByName)
{
    const ClosedGolden golden = closed_golden("four_bar");
    Robot robot(golden.model);
    try {
        robot.forward_dynamics(VectorXd::Zero(3)); // at the neutral configuration
        FAIL();
    } catch (const RefusedError& error) {
        EXPECT_NE(std::string(error.what()).find("loop 'loop0' open by"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("assembled(model, q)"), std::string::npos) << error.what();
    }
    const VectorXd q = VectorXd::Map(golden.q.data(), 3);
    robot.set_state(q, VectorXd::Unit(3, 0));
    EXPECT_THROW(robot.forward_dynamics(VectorXd::Zero(3)), RefusedError); // velocities that open it
    robot.set_state(q, VectorXd::Map(golden.v.data(), 3));
    EXPECT_NO_THROW(robot.forward_dynamics(VectorXd::Zero(3)));
}

} // namespace
} // namespace sweepdyn::test
