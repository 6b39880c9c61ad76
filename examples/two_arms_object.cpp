// Two arms carry a box along a path, squeeze it, and share its weight as told: motion and internal force together.
// docs/two-arms-object.md has the equations; the tests run this program and compare what it prints with that page.
//
//     two_arms_object ARM.urdf
#include <cstdio>
#include <sweepdyn/closed/grasp.hpp>
#include <sweepdyn/control/held_object_forces.hpp>
#include <sweepdyn/model/edit.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Numbers = std::vector<double>;
using Vec = Vec3<double>;

namespace {

// Round-off differs from machine to machine.
std::string shown(double error)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", error);
    return error < 1e-7 ? "< 1e-7" : text;
}

const Numbers bent{0.0, 0.7, 0.0, -1.4, 0.0, 0.6, 0.0}; // of one arm

// A box of 4 kg between two arms that face each other.
Model carried(const Model& arm)
{
    Robot alone(arm);
    alone.set_state(Eigen::VectorXd::Map(bent.data(), 7));
    const Eigen::Vector3d reach = alone.position("tool");
    ModelBuilder builder("two arms");
    builder.add_body(
        {.name = "box", .mass = 4.0, .com = {0.01, 0.0, 0.02}, .inertia_com = {0.03, 0, 0, 0.04, 0, 0.05}});
    builder.add_hinge({.name = "box", .kind = HingeKind::free, .child = "box"});
    const double half = 0.15, x = reach.x() + half;
    builder.add_frame({"left base", "", {Mat3<double>::identity(), {-x, 0, -reach.z()}}});
    builder.add_frame({"right base", "", {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, {x, 0, -reach.z()}}});
    builder.add_frame(
        {"left side", "box", {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {-half, 0, 0}}}); // z points into the box
    builder.add_frame({"right side", "box", {{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}, {half, 0, 0}}});
    return attach(attach(builder.build(), "left base", arm, "left "), "right base", arm, "right ");
}

// Up by 12 cm and around, within two seconds.
struct Path {
    Vec p{}, v{}, a{};
    explicit Path(double t)
    {
        const double w = 3.14159265358979, c = std::cos(w * t), s = std::sin(w * t);
        p = {0.0, 0.05 * s, 0.06 * (1 - c)};
        v = {0.0, 0.05 * w * c, 0.06 * w * s};
        a = {0.0, -0.05 * w * w * s, 0.06 * w * w * c};
    }
};

struct Carrying {
    Model model;
    int box = model.body("box").index;
    Grasp grasp{
        model,
        {{.name = "left", .kind = ContactKind::rigid, .hand = "left tool", .object = "left side"},
         {.name = "right", .kind = ContactKind::rigid, .hand = "right tool", .object = "right side"}}};
    MotionAndForce control{model, {model.frame("left tool"), model.frame("right tool")}};
    Numbers posture{}, T = Numbers(static_cast<std::size_t>(model.num_dofs())), a0 = T;
    Force<double> wanted{}; // by the left hand on the box, about it

    static double squeeze(double) { return 25.0; }
    static double left_share(double t) { return t < 1.0 ? 0.5 : 0.8; }

    void steer(double t, const Numbers& q, const Numbers& v)
    {
        const Kinematics<double>& kin = grasp.kinematics();
        const HeldObject<double> object = held_object(kin, box);
        const Path d(t);
        const double kp = 100.0, kd = 20.0;
        // the turn that is left, world axes; upright is the identity
        const Vec turn = -log_rotation(object.R);
        const Motion<double> alpha{kp * (object.R * turn) - kd * object.V.w,
                                   d.a + kp * (d.p - object.C) + kd * (d.v - object.V.v)};
        const double f = squeeze(t), share[2] = {left_share(t), 1.0 - left_share(t)};
        const Force<double> internal[2] = {{{}, f * object.R.x}, {{}, -f * object.R.x}};
        held_object_forces(kin, object, alpha, share, internal, control);
        for (std::size_t j = 0; j < v.size();
             ++j) // spare motion of the elbows: towards the posture they began with
            a0[j] = j < 6 ? 0.0 : 20.0 * (posture[j + 1] - q[j + 1]) - 10.0 * v[j];
        motion_and_force(kin, grasp.articulation(), a0, control, T);
        for (int j = 0; j < 6; ++j)
            T[static_cast<std::size_t>(j)] = 0.0; // nobody drives the box itself
        wanted = -control.w[0];
    }
    Numbers accelerations(double t, const Numbers& q, const Numbers& v)
    {
        Numbers v_dot(v.size());
        grasp.set_state(q, v);
        steer(t, q, v);
        grasp.forward_dynamics(T, v_dot);
        return v_dot;
    }
};

Numbers sum(const Numbers& a, double h, const Numbers& b)
{
    Numbers out = a;
    for (std::size_t j = 0; j < a.size(); ++j)
        out[j] += h * b[j];
    return out;
}
Numbers moved(const Model& model, const Numbers& q, double h, const Numbers& v)
{
    Numbers out(q.size()), step = sum(Numbers(v.size(), 0.0), h, v);
    integrate<double>(model, q, step, out);
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return std::fprintf(stderr, "usage: two_arms_object ARM.urdf\n"), 2;
    Carrying two{carried(load_model(argv[1]))};
    Numbers q(static_cast<std::size_t>(two.model.num_coordinates())), v(two.T.size(), 0.0);
    neutral(two.model, q);
    for (std::size_t j = 0; j < 7; ++j)
        q[7 + j] = q[14 + j] = bent[j];
    two.posture = q;
    two.grasp.set_state(q, v);
    two.grasp.attach_here(0);
    two.grasp.attach_here(1);
    const Grasp::WellPosedness report = two.grasp.well_posedness();
    std::printf("Omega: rank %d of %d rows\n", report.rank, report.rows);
    std::printf("   t     box off by   hands apart   squeeze   left carries   forces off by\n");
    const double h = 2e-3;
    for (int step = 0; step <= 1000; ++step) {
        const double t = step * h;
        const Numbers k1 = two.accelerations(t, q, v);
        if (step % 125 ==
            0) { // what the contact carries against what was asked for, about the hand in world axes
            const Kinematics<double>& kin = two.grasp.kinematics();
            const Mat3<double> R =
                kin.X_WB(two.box).R * two.model.frame_at(two.model.frame("left side")).X_BF.R;
            const Force<double> left = rotate(R, two.grasp.wrench(0));
            const Force<double> off = left - two.wanted;
            const Force<double> right =
                rotate(kin.X_WB(two.box).R * two.model.frame_at(two.model.frame("right side")).X_BF.R,
                       two.grasp.wrench(1));
            double gap = 0.0;
            for (double x : two.grasp.loops().gap)
                gap = std::max(gap, std::abs(x));
            std::printf("%5.2f s   %8s m   %8s m   %5.1f N   %8.0f %%   %10s N\n", t,
                        shown(norm(kin.X_WB(two.box).p - Path(t).p)).c_str(), shown(gap).c_str(),
                        0.5 * dot(left.f - right.f, kin.X_WB(two.box).R.x),
                        100.0 * left.f.z / (left.f.z + right.f.z), shown(norm(off.f) + norm(off.n)).c_str());
        }
        // Runge and Kutta on the manifold, to second order in turns; then back onto the contacts
        const Numbers v2 = sum(v, h / 2, k1),
                      k2 = two.accelerations(t + h / 2, moved(two.model, q, h / 2, v), v2);
        const Numbers v3 = sum(v, h / 2, k2),
                      k3 = two.accelerations(t + h / 2, moved(two.model, q, h / 2, v2), v3);
        const Numbers v4 = sum(v, h, k3), k4 = two.accelerations(t + h, moved(two.model, q, h, v3), v4);
        Numbers mean(v.size());
        for (std::size_t j = 0; j < v.size(); ++j) {
            mean[j] = (v[j] + 2 * v2[j] + 2 * v3[j] + v4[j]) / 6;
            v[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
        }
        q = moved(two.model, q, h, mean);
        two.grasp.project(q, v);
    }
    return 0;
}
