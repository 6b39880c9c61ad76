// A tool that follows a circle at a fixed attitude while the arm's spare motion seeks a posture: control in operational space.
// docs/operational-space-control.md has the equations; the tests run this program and compare what it prints with that page.
//
//     operational_space_control MODEL.urdf FRAME
#include <cstdio>
#include <sweepdyn/dynamics/operational_dynamics.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

namespace {

// A circle of 5 cm in the plane y, z, once every two seconds, with its rates.
struct Circle {
    Vector3d p, v, a;
    explicit Circle(double t)
    {
        const double r = 0.05, w = 3.14159265358979, c = std::cos(w * t), s = std::sin(w * t);
        p = r * Vector3d(0.0, c - 1.0, s);
        v = r * w * Vector3d(0.0, -s, c);
        a = r * w * w * Vector3d(0.0, -c, -s);
    }
};

// The turn that takes R to R_d, world axes; small angles are all that a controller sees.
Vector3d turn(const Matrix3d& R, const Matrix3d& R_d)
{
    const Eigen::AngleAxisd angle(R_d * R.transpose());
    return angle.angle() * angle.axis();
}

// Round-off differs from machine to machine.
std::string shown(double error)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", error);
    return error < 1e-8 ? "< 1e-8" : text;
}

struct Controlled {
    Robot robot;
    std::string tool;
    OperationalDynamics task{robot.model(), std::vector{tool}};
    Vector3d centre{};
    Matrix3d attitude{};
    VectorXd posture{};

    VectorXd control(double t, const VectorXd& q, const VectorXd& v)
    {
        const double kp = 400.0, kd = 40.0;
        const Circle d(t);
        const VectorXd V = robot.velocity(tool);
        VectorXd x_dd(6);
        x_dd << kp * turn(robot.rotation(tool), attitude) - kd * V.head<3>(),
            d.a + kp * (centre + d.p - robot.position(tool)) + kd * (d.v - V.tail<3>());

        // T = J* (Lambda x_dd + mu + p) + N T_posture
        const Kinematics<double>& kin = robot.kinematics();
        const Articulation<double>& art = robot.articulation();
        task.set(kin, art);
        const VectorXd f = task.Lambda() * x_dd + task.coriolis(kin, art) + task.gravity(kin, art);
        const VectorXd pull = robot.inverse_dynamics(100.0 * (posture - q) - 20.0 * v);
        return task.hinge_forces(kin, f) + task.null_space_part(kin, art, pull);
    }
    // d/dt (q, v)
    std::pair<VectorXd, VectorXd> rate(double t, const VectorXd& q, const VectorXd& v)
    {
        robot.set_state(q, v);
        return {v, robot.forward_dynamics(control(t, q, v))};
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return std::fprintf(stderr, "usage: operational_space_control MODEL.urdf FRAME\n"), 2;
    Controlled arm{Robot(argv[1]), argv[2]};
    const int n = arm.robot.model().num_dofs();
    VectorXd q = VectorXd::Zero(n), v = VectorXd::Zero(n);
    for (int j = 0; j < n; ++j) // elbow and wrist bent: far from singular
        q[j] = j % 2 ? 1.2 : 0.3;
    arm.robot.set_state(q, v);
    arm.centre = arm.robot.position(arm.tool) + Vector3d(0.0, 0.02, -0.02); // the circle begins elsewhere
    arm.attitude = arm.robot.rotation(arm.tool);
    arm.posture = q;

    std::printf("   t     tool off by    turned by\n");
    const double h = 1e-3;
    for (int step = 0; step <= 4000; ++step) {
        const double t = step * h;
        if (step % 500 == 0) {
            arm.robot.set_state(q, v);
            std::printf("%4.1f s   %8s m   %8s rad\n", t,
                        shown((arm.centre + Circle(t).p - arm.robot.position(arm.tool)).norm()).c_str(),
                        shown(turn(arm.robot.rotation(arm.tool), arm.attitude).norm()).c_str());
        }
        const auto [q1, v1] = arm.rate(t, q, v);
        const auto [q2, v2] = arm.rate(t + h / 2, q + h / 2 * q1, v + h / 2 * v1);
        const auto [q3, v3] = arm.rate(t + h / 2, q + h / 2 * q2, v + h / 2 * v2);
        const auto [q4, v4] = arm.rate(t + h, q + h * q3, v + h * v3);
        q += h / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
        v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    const double spare = (q - arm.posture).norm();
    std::printf("the posture is %.2f rad from where it should be, as far as the tool allows\n", spare);
    return 0;
}
