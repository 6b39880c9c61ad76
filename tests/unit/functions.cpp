// Robot, the functions and the stages answer alike: three ways to ask, one algorithm each.
#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "sweepdyn/functions.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

class Functions : public testing::Test {
protected:
    Model model = load_model(SWEEPDYN_MODELS "/quadruped.urdf");
    VectorXd q = random_configuration(model, 1), v = VectorXd::LinSpaced(model.num_dofs(), -1, 1),
             a = VectorXd::LinSpaced(model.num_dofs(), 2, -1);
    Robot robot{model};
    Eigen::Matrix<double, 6, 1> wanted{1, 2, 3, 4, 5, 6};
    std::string foot = model.bodies().back().name, knee = model.hinges().back().name;

    Functions() { robot.set_state(q, v); }
};

TEST_F(Functions, AnswerAsRobotDoes)
{
    EXPECT_EQ(frame_rotation(model, q, foot), robot.rotation(foot));
    EXPECT_EQ(frame_position(model, q, foot), robot.position(foot));
    EXPECT_EQ(frame_velocity(model, q, v, foot), robot.velocity(foot));
    EXPECT_EQ(frame_acceleration(model, q, v, a, foot), robot.acceleration(foot, a));
    EXPECT_EQ(frame_jacobian(model, q, foot), robot.jacobian(foot));
    EXPECT_EQ(inverse_dynamics(model, q, v, a), robot.inverse_dynamics(a));
    EXPECT_EQ(composite_inverse_dynamics(model, q, v, a), robot.composite_inverse_dynamics(a));
    EXPECT_EQ(inertial_inverse_dynamics(model, q, v, a), robot.inertial_inverse_dynamics(a));
    EXPECT_EQ(bias_forces(model, q, v), robot.bias_forces());
    EXPECT_EQ(gravity_forces(model, q), robot.gravity_forces());
    EXPECT_EQ(passive_forces(model, v, 0.1), robot.passive_forces(0.1));
    EXPECT_EQ(hinge_reaction(model, q, v, a, knee), robot.reaction(knee, a));
    EXPECT_EQ(passivity_inverse_dynamics(model, q, v, a, v), robot.passivity_inverse_dynamics(a, v));
    EXPECT_EQ(regressor(model, q, v, a), robot.regressor(a));
    EXPECT_EQ(passivity_regressor(model, q, v, a, v), robot.passivity_regressor(a, v));
    EXPECT_EQ(mass_matrix(model, q), robot.mass_matrix());
    EXPECT_EQ(mass_matrix_inverse(model, q), robot.mass_matrix_inverse());
    EXPECT_EQ(log_det_mass_matrix(model, q), robot.log_det_mass_matrix());
    EXPECT_EQ(operational_compliance(model, q, {foot}), robot.operational_compliance({foot}));
    EXPECT_EQ(mass_matrix_rate(model, q, v), robot.mass_matrix_rate());
    EXPECT_EQ(coriolis_matrix(model, q, v), robot.coriolis_matrix());
    EXPECT_EQ(mass_matrix_trace(model, q), robot.mass_matrix_trace());
    EXPECT_EQ(forward_dynamics(model, q, v, a), robot.forward_dynamics(a));
    EXPECT_EQ(kinetic_energy(model, q, v), robot.kinetic_energy());
    EXPECT_EQ(potential_energy(model, q), robot.potential_energy());
    EXPECT_EQ(center_of_mass(model, q), robot.center_of_mass());
    EXPECT_EQ(com_velocity(model, q, v), robot.com_velocity());
    EXPECT_EQ(momentum(model, q, v), robot.momentum());
    EXPECT_EQ(momentum_about_com(model, q, v), robot.momentum_about_com());
    EXPECT_EQ(velocity_without_momentum(model, q, v), robot.velocity_without_momentum());
    EXPECT_EQ(velocity_with_momentum(model, q, v, wanted), robot.velocity_with_momentum(wanted));
    EXPECT_EQ(centroidal_momentum_matrix(model, q), robot.centroidal_momentum_matrix());
    EXPECT_EQ(centroidal_bias(model, q, v), robot.centroidal_bias());
    EXPECT_EQ(generalized_jacobian(model, q, foot), robot.generalized_jacobian(foot));
    const std::string trunk = model.bodies()[0].name;
    EXPECT_EQ(base_velocity(model, q, v, trunk), robot.base_velocity(trunk));
    EXPECT_EQ(diagonal_velocity(model, q, v), robot.diagonal_velocity());
    EXPECT_EQ(velocity_of_diagonal(model, q, a), robot.velocity_of_diagonal(a));
    EXPECT_EQ(diagonal_forces(model, q, a), robot.diagonal_forces(a));
    EXPECT_EQ(forces_of_diagonal(model, q, a), robot.forces_of_diagonal(a));
    EXPECT_EQ(diagonal_coriolis(model, q, v), robot.diagonal_coriolis());
}

TEST_F(Functions, RoadsToOneAnswerMeet)
{
    const VectorXd T = inverse_dynamics(model, q, v, a);
    test::expect_equal("T by composite inertias", "quadruped", composite_inverse_dynamics(model, q, v, a), T);
    test::expect_equal("T about a point", "quadruped", inertial_inverse_dynamics(model, q, v, a, {1, 2, 3}),
                       T);
    test::expect_equal("T = M a + bias", "quadruped",
                       VectorXd(mass_matrix(model, q) * a + bias_forces(model, q, v)), T);
    const MatrixXd C = coriolis_matrix(model, q, v);
    test::expect_equal("T = M a + C v + g", "quadruped",
                       VectorXd(mass_matrix(model, q) * a + C * v + gravity_forces(model, q)), T);
    test::expect_equal("M_dot", "quadruped", MatrixXd(C + C.transpose()), mass_matrix_rate(model, q, v));
    const std::vector<double> parameters = inertial_parameters(model);
    const Eigen::Map<const VectorXd> pi(parameters.data(), 10 * model.num_bodies());
    test::expect_equal("T = Y pi", "quadruped", VectorXd(regressor(model, q, v, a) * pi), T);
    const MatrixXd M = mass_matrix(model, q), M_inv = mass_matrix_inverse(model, q),
                   J = frame_jacobian(model, q, foot);
    const test::Rule rule{.condition = test::condition_of(M)};
    test::expect_equal("M M^-1", "quadruped", MatrixXd(M * M_inv),
                       MatrixXd(MatrixXd::Identity(M.rows(), M.rows())), rule);
    test::expect_equal("Omega", "quadruped", operational_compliance(model, q, {foot}),
                       MatrixXd(J * M_inv * J.transpose()), rule);
    test::expect_equal("M", "quadruped", mass_matrix_by_inverse_dynamics(model, q), mass_matrix(model, q));
    test::expect_equal("momentum", "quadruped", momentum(model, q, velocity_without_momentum(model, q, v)),
                       VectorXd(VectorXd::Zero(6)), {.terms = test::largest(momentum(model, q, v))});
    test::expect_equal("centroidal momentum", "quadruped", VectorXd(centroidal_momentum_matrix(model, q) * v),
                       momentum_about_com(model, q, v));
    test::expect_equal("wanted momentum", "quadruped",
                       momentum_about_com(model, q, velocity_with_momentum(model, q, v, wanted)), wanted,
                       {.condition = 100.0});
    const VectorXd nu = diagonal_velocity(model, q, v);
    test::expect_equal("v of nu", "quadruped", velocity_of_diagonal(model, q, nu), v, {.condition = 1e3});
    test::expect_equal("kinetic energy", "quadruped", 0.5 * nu.dot(nu), kinetic_energy(model, q, v));
    test::expect_equal("base acceleration is the frame's", "quadruped",
                       robot.base_acceleration(model.bodies()[0].name, a),
                       robot.acceleration(model.bodies()[0].name, a));
}

// The trunk in world axes: its velocity as asked for, and what a wrench at its origin does is what it does from outside.
TEST_F(Functions, MobileBase)
{
    const std::string trunk = model.bodies()[0].name;
    robot.set_mobile_state(q, trunk, wanted, v);
    test::expect_equal("velocity", "quadruped", robot.velocity(trunk), wanted);
    test::expect_equal("base velocity", "quadruped", robot.base_velocity(trunk), wanted);
    VectorXd T = a;
    const VectorXd v_dot = robot.mobile_forward_dynamics(trunk, wanted, T);
    T.head(6).setZero();
    robot.add_external(trunk, wanted);
    test::expect_equal("v_dot", "quadruped", v_dot, robot.forward_dynamics(T), {.condition = 1e3});
}

// Each state is computed once: the answers follow the state.
TEST_F(Functions, RobotFollowsItsState)
{
    const VectorXd before = robot.inverse_dynamics(a);
    robot.set_state(q, 2 * v);
    EXPECT_NE(robot.inverse_dynamics(a), before);
    robot.set_state(q, v);
    EXPECT_EQ(robot.inverse_dynamics(a), before);
    robot.set_gravity({0, 0, 0});
    EXPECT_EQ(robot.gravity_forces(), VectorXd::Zero(model.num_dofs()));
    Eigen::Matrix<double, 6, 1> push;
    push << 0, 0, 0, 0, 0, 10;
    const VectorXd free = robot.inverse_dynamics(a);
    robot.add_external(foot, push);
    test::expect_equal("J' w", "quadruped", VectorXd(free - robot.inverse_dynamics(a)),
                       VectorXd(robot.jacobian(foot).transpose() * push));
    robot.clear_external();
    EXPECT_EQ(robot.inverse_dynamics(a), free);
}

TEST_F(Functions, WrongSizesAndNamesAreRefused)
{
    const VectorXd few = VectorXd::Zero(2);
    EXPECT_THROW(inverse_dynamics(model, few, v, a), UsageError);
    EXPECT_THROW(inverse_dynamics(model, q, few, a), UsageError);
    EXPECT_THROW(inverse_dynamics(model, q, v, few), UsageError);
    EXPECT_THROW(composite_inverse_dynamics(model, q, v, few), UsageError);
    EXPECT_THROW(inertial_inverse_dynamics(model, q, v, few), UsageError);
    EXPECT_THROW(forward_dynamics(model, q, v, few), UsageError);
    EXPECT_THROW(regressor(model, q, v, few), UsageError);
    EXPECT_THROW(passivity_regressor(model, q, v, few, a), UsageError);
    EXPECT_THROW(passivity_inverse_dynamics(model, q, v, v, few), UsageError);
    EXPECT_THROW(passive_forces(model, few), UsageError);
    EXPECT_THROW(frame_acceleration(model, q, v, few, foot), UsageError);
    EXPECT_THROW(frame_position(model, q, "no such frame"), UsageError);
    EXPECT_THROW(hinge_reaction(model, q, v, a, "no such hinge"), UsageError);
}

} // namespace
} // namespace sweepdyn
