#include "sweepdyn/kinematics/loop_gap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sweepdyn {
namespace {

// What is no number is open.
double measured(double gap)
{
    return std::isnan(gap) ? std::numeric_limits<double>::infinity() : std::abs(gap);
}

} // namespace

double loop_size(const Kinematics<double>& kin, const LoopOnTree<double>& on)
{
    const auto square = [&](const Vec3<double>& p) { return dot(p - on.o, p - on.o); };
    double largest = dot(on.X_ab.p, on.X_ab.p);
    for (const auto* up : {&on.up_a, &on.up_b})
        for (int k : *up)
            largest = std::max(largest, square(kin.body[k].X_WI.p));
    // below a thousandth of a micrometre there is no lever to speak of
    return largest > 1e-18 ? std::sqrt(largest) : 1.0;
}

LoopGap gap_of(const Kinematics<double>& kin, const Loops<double>& loops, const LoopOnTree<double>& on)
{
    LoopGap out;
    const auto first = static_cast<std::size_t>(on.first_row);
    if (on.loop.kind == LoopKind::coupling) {
        double slope = 0.0;
        loop_jacobian<double>(kin, loops, on,
                              [&](int, int, double x) { slope = std::max(slope, std::abs(x)); });
        out.part = out.coordinate = measured(loops.gap[first] / (slope > 0.0 ? slope : 1.0));
        return out;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(on.holonomic); ++i) {
        const Force<double>& A = loops.A[first + i];
        double& worst = dot(A.f, A.f) > 0.0 ? out.distance : out.angle;
        worst = std::max(worst, measured(loops.gap[first + i]));
    }
    out.part = std::max(out.distance / loop_size(kin, on), out.angle);
    return out;
}

std::string words(const LoopGap& gap)
{
    const auto brief = [](double x) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3g", x);
        return std::string(text);
    };
    if (!std::isfinite(gap.part))
        return "without a gap to measure: its numbers are too large, or a disc lies flat on its plane and "
               "touches it everywhere";
    if (gap.coordinate > 0.0)
        return "off by " + brief(gap.coordinate);
    if (gap.distance > 0.0 && gap.angle > 1e-9)
        return "open by " + brief(gap.distance) + " m and " + brief(gap.angle) + " rad";
    return gap.angle > gap.distance ? "open by " + brief(gap.angle) + " rad"
                                    : "open by " + brief(gap.distance) + " m";
}

} // namespace sweepdyn
