#include "sweepdyn/kinematics/loop_slip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace sweepdyn {

namespace {

// Those that move with the bodies of the loop, and those that carry them.
std::vector<int> bodies_near(const Kinematics<double>& kin, const LoopOnTree<double>& on)
{
    const Topology& topology = kin.model.topology();
    std::vector<int> own = on.up_a, out;
    own.insert(own.end(), on.up_b.begin(), on.up_b.end());
    for (int j : on.dofs)
        own.push_back(kin.tree().body_of_dof[static_cast<std::size_t>(j)]);
    int last = -1; // most share one
    for (int k : own) {
        const int c = topology.cluster_of[static_cast<std::size_t>(k)];
        if (c == std::exchange(last, c))
            continue;
        const Cluster& cluster = topology.clusters[static_cast<std::size_t>(c)];
        out.insert(out.end(), cluster.bodies.begin(), cluster.bodies.end());
        if (cluster.base != ground)
            out.push_back(cluster.base);
    }
    return out;
}

// A coupling has the size of what is near.
double size_near(const Kinematics<double>& kin, const LoopOnTree<double>& on, const std::vector<int>& near)
{
    if (on.loop.kind != LoopKind::coupling)
        return loop_size(kin, on);
    double size = 0.0;
    for (int k : near)
        size = std::max(size, norm(kin.body[k].X_WI.p - kin.body[near.front()].X_WI.p));
    return size > 1e-9 ? size : 1.0;
}

// Of body origins, in m/s; turns at this size likewise. Of all bodies: velocities that somebody has found as a whole, by a null space of all
// loops, are off by the rounding of the whole.
double fastest(const Kinematics<double>& kin, double size)
{
    double out = 0.0;
    for (int k : kin.tree().base_to_tip()) {
        const Motion<double> V = detail::velocity_about(kin, k, kin.body[k].X_WI.p);
        out = std::max({out, norm(V.v), size * norm(V.w)});
    }
    return out;
}

} // namespace

LoopSlip slip_of(const Kinematics<double>& kin, const Loops<double>& loops, const LoopOnTree<double>& on)
{
    const bool couples = on.loop.kind == LoopKind::coupling;
    const std::vector<int> near = bodies_near(kin, on);
    const double at_size = size_near(kin, on, near), motion = fastest(kin, at_size);
    std::array<double, most_rows> rate{}, terms{};
    double moves = couples ? 0.0 : motion; // the motion, as the rows count it
    loop_jacobian<double>(kin, loops, on, [&](int i, int dof, double x) {
        const double term = x * kin.v[static_cast<std::size_t>(dof)];
        rate[static_cast<std::size_t>(i)] += term;
        terms[static_cast<std::size_t>(i)] += std::abs(term);
        if (couples) {
            const Vec3<double>& w = kin.H[dof].w;
            moves = std::max(moves, std::abs(x) * (dot(w, w) > 0.0 ? motion / at_size : motion));
        }
    });
    LoopSlip out;
    double largest = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(on.rows); ++i) {
        const double size = std::abs(rate[i]);
        double length = 1.0;
        if (couples)
            out.coordinate = size;
        else {
            const Force<double>& A = loops.A[static_cast<std::size_t>(on.first_row) + i];
            const bool slides = dot(A.f, A.f) > 0.0;
            length = slides ? 1.0 : at_size;
            double& worst = slides ? out.slide : out.turn;
            worst = std::max(worst, size);
        }
        largest = std::max(largest, length * size);
        scale = std::max(scale, length * terms[i]);
    }
    out.part = largest > rounding_of_motion * moves ? largest / scale : 0.0;
    return out;
}

std::string words(const LoopSlip& slip)
{
    const auto brief = [](double x) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3g", x);
        return std::string(text);
    };
    if (slip.coordinate > 0.0)
        return "off by " + brief(slip.coordinate) + " per second";
    if (slip.slide > 0.0 && slip.turn > 0.0)
        return "open with " + brief(slip.slide) + " m/s and " + brief(slip.turn) + " rad/s";
    return slip.slide > 0.0 ? "open with " + brief(slip.slide) + " m/s"
                            : "open with " + brief(slip.turn) + " rad/s";
}

std::string open_loops(const Kinematics<double>& kin, const Loops<double>& loops)
{
    std::string out;
    for (const LoopOnTree<double>& on : loops.loops) {
        const LoopGap gap = gap_of(kin, loops, on);
        const LoopSlip slip = slip_of(kin, loops, on);
        if (!(gap.part <= widest_contradiction))
            out += "\n  loop '" + on.loop.name + "' " + words(gap);
        else if (!(slip.part <= widest_contradiction))
            out += "\n  loop '" + on.loop.name + "' " + words(slip);
    }
    return out;
}

} // namespace sweepdyn
