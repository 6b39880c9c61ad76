// A tool slides over a table with friction: it presses as hard as told while it draws a circle.
// docs/hybrid-force-position.md has the equations; the tests run this program and compare what it prints with that page.
//
//     hybrid_force_position ARM.urdf FRAME
#include <Eigen/Dense>
#include <cstdio>
#include <sweepdyn/closed/grasp.hpp>
#include <sweepdyn/control/motion_and_force.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Numbers = std::vector<double>;
using Vec = Vec3<double>;
using Eigen::VectorXd;

namespace {

constexpr double mu = 0.3;

std::string shown(double error) // round-off differs from machine to machine
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", error);
    return error < 1e-7 ? "< 1e-7" : text;
}

struct Circle { // of 6 cm, once in two seconds
    Vec p{}, v{}, a{};
    explicit Circle(double t)
    {
        const double r = 0.06, w = 3.14159265358979, c = std::cos(w * t), s = std::sin(w * t);
        p = {r * (c - 1), r * s, 0};
        v = {-r * w * s, r * w * c, 0};
        a = {-r * w * w * c, -r * w * w * s, 0};
    }
};
double pressing(double t) { return t < 1.0 ? 15.0 : 30.0; }

struct Wiping {
    Model model;
    std::string tool;
    Grasp grasp{model, {{.kind = ContactKind::sliding, .hand = tool, .object = "table", .mu = mu}}};
    MotionAndForce control{model, {model.frame(tool)}};
    Vec start{};
    Mat3<double> attitude{};
    Numbers T = Numbers(static_cast<std::size_t>(model.num_dofs())), a0 = T, v_dot = T;
    Existence existence = Existence::unique;

    const Numbers& accelerations(double t, const VectorXd& q, const VectorXd& v)
    {
        grasp.set_state({q.data(), T.size()}, {v.data(), T.size()});
        const Kinematics<double>& kin = grasp.kinematics();
        const Pose<double> X = frame_pose(kin, model.frame(tool));
        const Motion<double> V = frame_velocity(kin, model.frame(tool));
        const Circle d(t);
        const double kp = 400.0, kd = 40.0;
        // along the table: the circle; across it: nothing moves, and the force is f_n and its friction
        Vec a = d.a + kp * (start + d.p - X.p) + kd * (d.v - V.v);
        a.z = 0.0;
        const Vec turn = X.R * log_rotation(transpose(X.R) * attitude);
        control.x_dd[0] = {kp * turn - kd * V.w, a};
        const Vec slip{V.v.x, V.v.y, 0.0};
        control.w[0] = {{}, Vec{0, 0, pressing(t)} - (mu * pressing(t) / norm(slip)) * slip};
        for (std::size_t j = 0; j < a0.size(); ++j)
            a0[j] = -5.0 * v[static_cast<Eigen::Index>(j)]; // the elbow comes to rest
        motion_and_force(kin, grasp.articulation(), a0, control, T);
        existence = grasp.forward_dynamics(T, v_dot);
        return v_dot;
    }
    VectorXd rate(double t, const VectorXd& q, const VectorXd& v)
    {
        return VectorXd::Map(accelerations(t, q, v).data(), v.size());
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return std::fprintf(stderr, "usage: hybrid_force_position ARM.urdf FRAME\n"), 2;
    Robot robot(argv[1]);
    const int n = robot.model().num_dofs();
    VectorXd q(n), v(n);
    const double bent[4] = {0.7, -1.4, 0.6, 0.5}; // shoulder, elbow, wrist: far from singular
    for (int j = 0; j < n; ++j)
        q[j] = j % 2 ? bent[j / 2 % 4] : 0.2;
    robot.set_state(q);
    // the table passes through the tool, z of its frame down into it
    const Eigen::Vector3d p = robot.position(argv[2]);
    ModelBuilder builder(robot.model());
    builder.add_frame({"table", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, vec3(p)}});
    Wiping arm{builder.build(), argv[2]};
    arm.start = vec3(p) + Vec{0.01, -0.01, 0.0}; // the circle begins elsewhere
    arm.attitude = mat3(robot.rotation(argv[2]));
    arm.grasp.attach(0);
    // it begins at the circle's speed: friction has a direction
    VectorXd twist = VectorXd::Zero(6);
    twist.tail<3>() = dense(Circle(0.0).v);
    v = robot.jacobian(argv[2]).completeOrthogonalDecomposition().solve(twist);

    std::printf("   t     tool off by   above table   presses   friction   motions that obey\n");
    const double h = 2e-3;
    for (int step = 0; step <= 1000; ++step) {
        const double t = step * h;
        const VectorXd k1 = arm.rate(t, q, v);
        if (step % 125 == 0) {
            const Vec at = frame_pose(arm.grasp.kinematics(), arm.model.frame(arm.tool)).p;
            const ContactState state = arm.grasp.state(0);
            std::printf("%5.2f s   %8s m   %8s m   %5.1f N   %5.1f N   %s\n", t,
                        shown(norm(at - arm.start - Circle(t).p)).c_str(),
                        shown(std::abs(at.z - arm.start.z)).c_str(), state.normal, state.tangential,
                        arm.existence == Existence::unique ? "one" : "not one");
        }
        const VectorXd v2 = v + h / 2 * k1, k2 = arm.rate(t + h / 2, q + h / 2 * v, v2);
        const VectorXd v3 = v + h / 2 * k2, k3 = arm.rate(t + h / 2, q + h / 2 * v2, v3);
        const VectorXd v4 = v + h * k3, k4 = arm.rate(t + h, q + h * v3, v4);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return 0;
}
