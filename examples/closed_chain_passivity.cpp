// A four-bar is drawn to a crank angle by its crank alone: energy and spring together fall, whatever the loop does.
// docs/closed-chain-passivity.md has the equations; the tests run this program and compare what it prints with that page.
//
//     closed_chain_passivity ANGLE       of the crank, rad
#include <Eigen/Dense>
#include <cstdio>
#include <sweepdyn/control/closed_pd_gravity.hpp>
#include <sweepdyn/dynamics/closed_forward_dynamics.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::VectorXd;
using Numbers = std::vector<double>;

namespace {

// Crank 1 m, coupler 2.5 m, rocker 2 m, ground 3 m; uniform rods of 1, 2 and 1.5 kg in the vertical plane.
Model four_bar()
{
    ModelBuilder builder("four-bar");
    builder.set_gravity({0, -9.81, 0});
    const auto rod = [](const char* name, double m, double l) {
        return Body{.name = name,
                    .mass = m,
                    .com = {l / 2, 0, 0},
                    .inertia_com = {1e-3, 0, 0, m * l * l / 12, 0, m * l * l / 12}};
    };
    builder.add_body(rod("crank", 1.0, 1.0))
        .add_body(rod("coupler", 2.0, 2.5))
        .add_body(rod("rocker", 1.5, 2.0));
    const auto pin = [](const char* name, const char* parent, double x) {
        return Hinge{.name = name,
                     .kind = HingeKind::revolute,
                     .parent = parent,
                     .child = name,
                     .X_PF = {Mat3<double>::identity(), {x, 0, 0}}};
    };
    builder.add_hinge(pin("crank", "", 0))
        .add_hinge(pin("coupler", "crank", 1.0))
        .add_hinge(pin("rocker", "coupler", 2.5));
    builder.add_loop({.name = "ground pin",
                      .kind = LoopKind::planar_pin,
                      .body_b = "rocker",
                      .X_Aa = {Mat3<double>::identity(), {3, 0, 0}},
                      .X_Bb = {Mat3<double>::identity(), {2, 0, 0}}});
    return builder.build();
}

struct Linkage {
    Model model = four_bar();
    Kinematics<double> kin{model};
    Closure<double> closure{model};
    ClusterArticulation<double> art{model, closure, Elimination::basis};
    BodyForces<double> forces{model};
    TrackingScratch scratch{model};
    Numbers target = Numbers(3, 0.0), zeros = Numbers(3, 0.0), kp = Numbers(3, 40.0), kd = Numbers(3, 12.0),
            T = zeros, v_dot = zeros;

    Linkage()
    {
        const int crank[1] = {0};
        closure.prefer(crank);
    }
    void set(const VectorXd& q, const VectorXd& v)
    {
        update<double>(kin, {q.data(), 3}, {v.data(), 3});
        update_inertias(kin);
        update_closure(kin, closure);
    }
    VectorXd rate(const VectorXd& q, const VectorXd& v)
    {
        set(q, v);
        articulate(kin, closure, art);
        closed_pd_gravity(kin, closure, {target, zeros, {}}, {kp, kd}, T, scratch);
        forward_dynamics<double>(kin, closure, art, T, v_dot, forces);
        return VectorXd::Map(v_dot.data(), 3);
    }
    // Onto the loop: J dq = gap, J v = 0.
    double close(VectorXd& q, VectorXd& v)
    {
        for (int round = 0; round < 4; ++round) {
            set(q, v);
            const ClusterClosure<double>& c = closure.clusters.front();
            const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> J(
                c.J.data(), c.rows, 3);
            const auto solver = J.completeOrthogonalDecomposition();
            q += solver.solve(VectorXd::Map(c.gap.data(), c.rows));
            v -= solver.solve(J * v);
        }
        set(q, v);
        double gap = 0.0;
        for (double x : closure.clusters.front().gap)
            gap = std::max(gap, std::abs(x));
        return gap;
    }
    double W() const // kinetic energy + kp e^2 / 2
    {
        const double e = target[0] - kin.q[0];
        return kinetic_energy(kin) + 0.5 * kp[0] * e * e;
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return std::fprintf(stderr, "usage: closed_chain_passivity ANGLE\n"), 2;
    Linkage linkage;
    linkage.target[0] = std::strtod(argv[1], nullptr);
    VectorXd q(3), v(3);
    q << 1.0, -0.52, -1.93; // near a closed pose
    v << 1.3, 0.0, 0.0;
    linkage.close(q, v);
    std::printf("   t      crank      speed           W     crank torque\n");
    const double h = 1e-3;
    double last = linkage.W(), worst_rate = 0.0, worst_gap = 0.0;
    int rises = 0;
    for (int step = 0; step <= 4000; ++step) {
        const VectorXd k1 = linkage.rate(q, v);
        const double W = linkage.W();
        if (step % 500 == 0)
            std::printf("%4.1f s   %6.3f   %6.3f rad/s   %8.4f J   %7.3f N m\n", step * h, q[0], v[0], W,
                        linkage.T[0]);
        rises += W > last * (1 + 1e-12);
        last = W;
        const VectorXd v2 = v + h / 2 * k1, k2 = linkage.rate(q + h / 2 * v, v2);
        const VectorXd v3 = v + h / 2 * k2, k3 = linkage.rate(q + h / 2 * v2, v3);
        const VectorXd v4 = v + h * k3, k4 = linkage.rate(q + h * v3, v4);
        const double friction =
            linkage.kd[0] / 6 * (v[0] * v[0] + 2 * v2[0] * v2[0] + 2 * v3[0] * v3[0] + v4[0] * v4[0]);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        worst_gap = std::max(worst_gap, linkage.close(q, v));
        worst_rate = std::max(worst_rate, std::abs((linkage.W() - W) / h + friction)); // W_dot = -kd v^2
    }
    std::printf(
        "W rose in %d of 4000 steps; W_dot + kd v^2 stays below %s W; the loop open by less than %s m\n",
        rises, worst_rate < 1e-6 ? "1e-6" : "more", worst_gap < 1e-12 ? "1e-12" : "more");
    return 0;
}
