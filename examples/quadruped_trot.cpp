// A quadruped stands, trots and stands again: point contacts of its feet made and broken on one model, with their friction margins.
// docs/quadruped-trot.md has the equations; the tests run this program and compare what it prints with that page.
//
//     quadruped_trot QUADRUPED.urdf [MARGINS.svg]
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sweepdyn/closed/grasp.hpp>
#include <sweepdyn/io/results/plot.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;
using Vec = Vec3<double>;
using Numbers = std::vector<double>;

namespace {

const char* const legs[4] = {"lf", "rf", "lh", "rh"};
constexpr double mu = 0.6, height = 0.30, swing_time = 0.18, step_height = 0.05;
constexpr double trot_from = 0.4, trot_to = 2.2, end = 2.8;

double forward_speed(double t) // wanted: 0.3 m/s while it trots, reached and left gently
{
    const auto ramp = [](double x) { return std::clamp(x, 0.0, 1.0); };
    return 0.3 * ramp((t - trot_from) / 0.4) * ramp((trot_to - t) / 0.4);
}

Model on_a_floor(const Model& robot)
{
    ModelBuilder builder(robot);
    for (const char* leg : legs) // z points down into the floor
        builder.add_frame({std::string(leg) + "_floor", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    return builder.build();
}
std::vector<Contact> feet()
{
    std::vector<Contact> out;
    for (const std::string leg : legs)
        out.push_back({.name = leg,
                       .kind = ContactKind::point,
                       .hand = leg + "_foot",
                       .object = leg + "_floor",
                       .mu = mu});
    return out;
}

struct Leg {
    FrameId foot;
    int first_dof = 0;
    double t0 = 0.0; // when it began to swing
    Vec from{}; // where
    Vec hip{}; // its foot's place under the trunk, trunk axes
};

struct Quadruped {
    Model model;
    Grasp grasp{model, feet()};
    std::array<Leg, 4> leg{};
    Numbers q = Numbers(static_cast<std::size_t>(model.num_coordinates())),
            v = Numbers(static_cast<std::size_t>(model.num_dofs()), 0.0), v_dot = v, T = v, tau = v;
    BodyForces<double> forces{model};
    int base = *model.floating_base();
    double wanted_x = 0.0;

    // Desired accelerations of trunk and feet give all of v_dot; inverse dynamics then says what the floor must do for the trunk.
    void steer(double t)
    {
        const Kinematics<double>& kin = grasp.kinematics();
        const Pose<double> X = kin.X_WB(base);
        const Vec w{v[0], v[1], v[2]}, v_b{v[3], v[4], v[5]}; // body axes
        const Vec velocity = X.R * v_b, speed{forward_speed(t), 0, 0};
        const Vec a = 60.0 * (Vec{wanted_x, 0, height} - X.p) + 14.0 * (speed - velocity);
        const Vec turning = 150.0 * -log_rotation(X.R) - 22.0 * w; // body axes
        const Vec linear = transpose_times(X.R, a) - cross(w, v_b);
        std::fill(v_dot.begin(), v_dot.end(), 0.0);
        for (int k = 0; k < 3; ++k) {
            v_dot[static_cast<std::size_t>(k)] = turning[k];
            v_dot[static_cast<std::size_t>(3 + k)] = linear[k];
        }
        const Numbers trunk_only = v_dot;
        MatrixXd J(6, model.num_dofs());
        std::array<MatrixXd, 4> Jv;
        int standing = 0;
        for (int i = 0; i < 4; ++i) {
            frame_jacobian<double>(kin, leg[i].foot, {J.data(), static_cast<std::size_t>(J.size())});
            Jv[i] = J.bottomRows(3);
            const Vector3d rest = dense(swing_acceleration(t, i, velocity, speed)) -
                                  dense(frame_acceleration<double>(kin, leg[i].foot, trunk_only).v);
            const Vector3d joints = Jv[i].middleCols(leg[i].first_dof, 3).partialPivLu().solve(rest);
            for (int k = 0; k < 3; ++k)
                v_dot[static_cast<std::size_t>(leg[i].first_dof + k)] = joints[k];
            standing += carries(i);
        }
        inverse_dynamics<double>(kin, v_dot, tau, forces);
        // forces on the standing feet: least squares of the trunk's six equations; attitude counts more than drift
        const Vector3d touch(0, 0, 8.0); // a foot whose partner is still in the air is pressed down lightly
        VectorXd wanted = VectorXd::Map(tau.data(), 6);
        MatrixXd A(6, 3 * standing);
        VectorXd weight(6);
        weight << 6, 6, 6, 0.4, 0.4, 1.0;
        int column = 0;
        for (int i = 0; i < 4; ++i)
            if (carries(i))
                A.middleCols(3 * column++, 3) = Jv[i].leftCols(6).transpose();
            else if (grasp.attached(i))
                wanted -= Jv[i].leftCols(6).transpose() * touch;
        const MatrixXd WA = weight.asDiagonal() * A;
        VectorXd small = VectorXd::Constant(3 * standing,
                                            0.02); // forces across the floor are dearer than those against it
        for (int i = 2; i < small.size(); i += 3)
            small[i] = 1e-4;
        VectorXd f = (WA.transpose() * WA + MatrixXd(small.asDiagonal()))
                         .ldlt()
                         .solve(WA.transpose() * (weight.asDiagonal() * wanted));
        // Where that leaves a cone although four feet could share the load otherwise, the forces with the largest common margin.
        double margin = 1e300;
        for (int i = 0; i < standing; ++i)
            margin = std::min(margin, mu * f[3 * i + 2] - f.segment(3 * i, 2).norm());
        if (standing == 4 && margin < 1.0) {
            const std::array trunk{0, 1, 2, 3, 4, 5};
            const Grasp::Feasibility best = grasp.can_exert(trunk, {wanted.data(), 6}, 200.0);
            if (best.feasible)
                for (
                    int i = 0; i < 4;
                    ++i) // on the foot, world axes: opposite to that on the floor, whose y and z point the other way
                    f.segment(3 * i, 3) << -best.wrench[i].f.x, best.wrench[i].f.y, best.wrench[i].f.z;
        }
        T = tau;
        column = 0;
        for (int i = 0; i < 4; ++i) {
            if (!grasp.attached(i))
                continue;
            const Vector3d on_foot = carries(i) ? Vector3d(f.segment(3 * column++, 3)) : touch;
            const Vector3d by_floor = Jv[i].middleCols(leg[i].first_dof, 3).transpose() * on_foot;
            for (int k = 0; k < 3; ++k)
                T[static_cast<std::size_t>(leg[i].first_dof + k)] -= by_floor[k];
        }
        for (int k = 0; k < 6; ++k)
            T[static_cast<std::size_t>(k)] = 0.0;
    }
    // Load is put on a foot when its partner across the diagonal is down too.
    bool carries(int i) const { return grasp.attached(i) && grasp.attached(3 - i); }
    // A standing foot stays; a swinging one follows a bow to where the trunk will want it (Raibert's rule).
    Vec swing_acceleration(double t, int i, const Vec& velocity, const Vec& speed) const
    {
        if (grasp.attached(i))
            return {};
        const Kinematics<double>& kin = grasp.kinematics();
        const Pose<double> X = kin.X_WB(base);
        const Vec p = frame_pose(kin, leg[i].foot).p, u = frame_velocity(kin, leg[i].foot).v;
        Vec to = X.p + X.R * leg[i].hip + (0.5 * swing_time) * velocity + 0.08 * (velocity - speed);
        to.z = -0.01; // beyond the floor, so that it is met with some speed
        const double s = std::min((t - leg[i].t0) / swing_time, 1.15), pi = 3.14159265358979;
        const double blend = s < 1.0 ? 0.5 * (1 - std::cos(pi * s)) : 1.0;
        Vec d = leg[i].from + blend * (to - leg[i].from);
        d.z += s < 1.0 ? step_height * 0.5 * (1 - std::cos(2 * pi * s)) : -0.1 * (s - 1.0);
        return 1600.0 * (d - p) - 80.0 * u;
    }
    void lift(int i, double t)
    {
        leg[i].t0 = t;
        leg[i].from = frame_pose(grasp.kinematics(), leg[i].foot).p;
        grasp.detach(i);
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3)
        return std::fprintf(stderr, "usage: quadruped_trot QUADRUPED.urdf [MARGINS.svg]\n"), 2;
    Quadruped robot{on_a_floor(load_model(argv[1]))};
    Grasp& grasp = robot.grasp;
    neutral(robot.model, robot.q);
    for (int i = 0; i < 4; ++i) {
        robot.leg[i].foot = robot.model.frame(std::string(legs[i]) + "_foot");
        robot.leg[i].first_dof = robot.model.dof(std::string(legs[i]) + "_hip_abduction");
        const int first =
            robot.model.tree().first_coordinate[robot.model.tree().body_of_dof[robot.leg[i].first_dof]];
        robot.q[first + 1] = -0.75; // thigh forward, shank back
        robot.q[first + 2] = 1.5;
    }
    grasp.set_state(robot.q, robot.v);
    const int z = robot.model.tree().first_coordinate[robot.base] + 6;
    robot.q[z] -= frame_pose(grasp.kinematics(), robot.leg[0].foot).p.z; // feet to the floor
    grasp.set_state(robot.q, robot.v);
    for (int i = 0; i < 4; ++i) {
        const Pose<double> X = grasp.kinematics().X_WB(robot.base);
        robot.leg[i].hip = frame_pose(grasp.kinematics(), robot.leg[i].foot).p - X.p;
        robot.leg[i].hip.z = 0.0;
        grasp.attach_here(i);
    }
    robot.wanted_x = grasp.kinematics().X_WB(robot.base).p.x;

    Plot plot{"quadruped: stand, trot, stand", "time [s]", false, {}, {}};
    plot.panels = {{"margin mu f_n - |f_t| [N]", false, {}}, {"normal force [N]", false, {}}};
    plot.panels[0].gaps = true; // of a foot in the air
    for (PlotPanel& panel : plot.panels)
        for (const char* leg : legs)
            panel.curves.push_back({leg, {}});

    plot.panels[0].curves.push_back({"slips below", {}});

    const double h = 1e-3;
    int landings = 0, swinging = 0, lifts_off = 0, slips = 0; // swinging: 0 none, 1 and 2 the diagonals
    int outside =
        0; // impulses of feet that stand or land, beyond their cones: the feet are taken to hold all the same
    double least = 1e300, hardest = 0.0, farthest = 0.0, worst_slip = 0.0;
    std::printf("   t     feet down      trunk at      speed   tilt      least margin\n");
    for (int step = 0; step <= static_cast<int>(end / h + 0.5); ++step) {
        const double t = step * h;
        grasp.set_state(robot.q, robot.v);
        // gait: a diagonal pair swings; when both of its feet have landed, the other pair goes
        const bool all_down =
            grasp.attached(0) && grasp.attached(1) && grasp.attached(2) && grasp.attached(3);
        if (all_down && t >= trot_from && t < trot_to) {
            swinging = swinging == 1 ? 2 : 1;
            for (int i : swinging == 1 ? std::array{0, 3} : std::array{1, 2})
                robot.lift(i, t);
        }
        for (int i = 0; i < 4; ++i)
            if (!grasp.attached(i) && t - robot.leg[i].t0 > 0.5 * swing_time && grasp.depth(i) >= 0.0) {
                grasp.attach_here(i); // it lands, and stays
                grasp.impulse(robot.v);
                hardest = std::max(hardest, grasp.state(i).normal);
                for (int k = 0; k < 4; ++k)
                    if (const ContactState state = grasp.state(k);
                        grasp.attached(k) && state.margin < -1e-9) {
                        ++outside;
                        farthest = std::max(farthest, -state.margin);
                    }
                ++landings;
                grasp.set_state(robot.q, robot.v);
            }
        robot.wanted_x += h * forward_speed(t);
        robot.steer(t);
        grasp.forward_dynamics(robot.T, robot.v_dot);
        for (int i = 0; i < 4; ++i)
            if (grasp.attached(i) && grasp.state(i).lifts) { // the floor does not pull: the foot lets go
                grasp.detach(i);
                grasp.forward_dynamics(robot.T, robot.v_dot);
                ++lifts_off;
            }
        double now = 1e300;
        std::string down;
        for (int i = 0; i < 4; ++i) {
            const ContactState state = grasp.state(i);
            down += grasp.attached(i) ? std::string(legs[i]) + " " : "-- ";
            if (grasp.attached(i)) {
                now = std::min(now, state.margin);
                slips += state.slips;
            }
            if (step % 5 == 0) {
                plot.panels[0].curves[i].y.push_back(grasp.attached(i) ? state.margin : std::nan(""));
                plot.panels[1].curves[i].y.push_back(grasp.attached(i) ? state.normal : 0.0);
            }
        }
        if (step % 5 == 0) {
            plot.x.push_back(t);
            plot.panels[0].curves.back().y.push_back(0.0);
        }
        least = std::min(least, now);
        const Pose<double> X = grasp.kinematics().X_WB(robot.base);
        if (step % 200 == 0)
            std::printf("%4.1f s   %s   %5.3f m   %5.2f m/s   %4.1f deg   %5.1f N\n", t, down.c_str(), X.p.z,
                        dot(X.R * Vec{robot.v[3], robot.v[4], robot.v[5]}, Vec{1, 0, 0}),
                        norm(log_rotation(X.R)) * 57.29577951308232, now);
        // semi-implicit step; then back onto the contacts, positions and velocities
        Numbers d(robot.v.size());
        for (std::size_t j = 0; j < d.size(); ++j) {
            robot.v[j] += h * robot.v_dot[j];
            d[j] = h * robot.v[j];
        }
        integrate<double>(robot.model, robot.q, d, robot.q);
        grasp.project(robot.q, robot.v);
        grasp.set_state(robot.q, robot.v);
        worst_slip = std::max(worst_slip, grasp.largest_slip());
    }
    std::printf("%d landings, the hardest %.2f N s; least margin of all %.1f N, %d steps that would slip, %d "
                "feet that let go\n",
                landings, hardest, least, slips, lifts_off);
    std::printf("at landings %d impulses of feet lie outside their cones, by %.3f N s at most\n", outside,
                farthest);
    std::printf("standing feet move at less than %s m/s\n", worst_slip < 1e-10 ? "1e-10" : "more");
    if (argc == 3)
        std::ofstream(argv[2]) << write_svg(plot);
    return 0;
}
