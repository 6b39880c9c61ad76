#include "sweepdyn/kinematics/loop_slip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sweepdyn {

LoopSlip slip_of(const Kinematics<double>& kin, const Loops<double>& loops, const LoopOnTree<double>& on)
{
    std::array<double, most_rows> rate{}, terms{};
    loop_jacobian<double>(kin, loops, on, [&](int i, int dof, double x) {
        const double term = x * kin.v[static_cast<std::size_t>(dof)];
        rate[static_cast<std::size_t>(i)] += term;
        terms[static_cast<std::size_t>(i)] += std::abs(term);
    });
    LoopSlip out;
    double largest = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(on.rows); ++i) {
        const double size = std::abs(rate[i]);
        double length = 1.0;
        if (on.loop.kind == LoopKind::coupling)
            out.coordinate = size;
        else {
            const Force<double>& A = loops.A[static_cast<std::size_t>(on.first_row) + i];
            const bool slides = dot(A.f, A.f) > 0.0;
            length = slides ? 1.0 : loop_size(kin, on);
            double& worst = slides ? out.slide : out.turn;
            worst = std::max(worst, size);
        }
        largest = std::max(largest, length * size);
        scale = std::max(scale, length * terms[i]);
    }
    out.part = scale > 0.0 ? largest / scale : 0.0;
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
