// The least that a user's program can be, and every way in which Eigen values and the compiled library meet:
// built with another instruction set than the library, it must still take and give memory rightly.
#include <cstdio>

#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;

int main()
{
    ModelBuilder builder("pendulum");
    for (const char* name : {"upper", "lower"}) {
        builder.add_body(
            {.name = name, .mass = 1.0, .com = {0, 0, -0.5}, .inertia_com = {0.1, 0, 0, 0.1, 0, 0.01}});
        builder.add_hinge({.name = std::string(name) + "_hinge",
                           .kind = HingeKind::spherical,
                           .parent = name[0] == 'u' ? "" : "upper",
                           .child = name,
                           .X_PF = {Mat3<double>::identity(), {0, 0, name[0] == 'u' ? 0.0 : -1.0}}});
    }
    Robot robot(builder.build());

    const Eigen::VectorXd q = random_configuration(robot.model(), 1);
    const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(6, -1.0, 1.0);
    robot.set_state(integrate(robot.model(), q, 0.1 * v), v);
    const Eigen::VectorXd v_dot = Eigen::VectorXd::Ones(6);
    const Eigen::VectorXd back = robot.forward_dynamics(robot.inverse_dynamics(v_dot));
    const Eigen::MatrixXd M = robot.mass_matrix();
    const double error = (back - v_dot).norm() + (M - M.transpose()).norm() +
                         (robot.jacobian("lower") * v - robot.velocity("lower")).norm();
    std::printf("round trip error %.1e\n", error);
    return error < 1e-12 ? 0 : 1;
}
