// The hinge columns H* at neutral, in the axes and about the origin of M: for checks that need no state.
#pragma once

#include "sweepdyn/model/hinge.hpp"
#include "sweepdyn/model/user_hinge.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

inline std::vector<Motion<double>> neutral_columns(const Hinge& hinge)
{
    const Vec3<double> zero{}, a = hinge.axis, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    switch (hinge.kind) {
    case HingeKind::weld: return {};
    case HingeKind::revolute:
    case HingeKind::continuous: return {{a, zero}};
    case HingeKind::prismatic: return {{zero, a}};
    case HingeKind::helical: return {{a, hinge.pitch * a}};
    case HingeKind::cylindrical: return {{a, zero}, {zero, a}};
    case HingeKind::universal: return {{a, zero}, {hinge.axis2, zero}};
    case HingeKind::planar: {
        const Mat3<double> F = frame_with_z(a);
        return {{a, zero}, {zero, F.x}, {zero, F.y}};
    }
    case HingeKind::spherical: return {{x, zero}, {y, zero}, {z, zero}};
    case HingeKind::free: return {{x, zero}, {y, zero}, {z, zero}, {zero, x}, {zero, y}, {zero, z}};
    case HingeKind::user: break;
    }
    std::vector<Motion<double>> H(static_cast<std::size_t>(num_dofs(hinge)));
    if (hinge.user) {
        hinge.user->functions<double>().columns(std::vector<double>(H.size(), 0.0), H);
        return H;
    }
    // Step i moves about its axis at its own origin; carry it through the placements of the later steps.
    for (std::size_t i = 0; i < H.size(); ++i) {
        const HingeStep& step = hinge.steps[i];
        const Vec3<double> w = step.motion == HingeStep::Motion::slide ? zero : step.axis;
        const double slide = step.motion == HingeStep::Motion::slide   ? 1.0
                             : step.motion == HingeStep::Motion::screw ? step.pitch
                                                                       : 0.0;
        H[i] = {w, slide * step.axis};
        for (std::size_t later = i + 1; later < H.size(); ++later) {
            const Pose<double>& X = hinge.steps[later].placement;
            H[i] = rotate_back(X.R, PhiAdjoint<double>{X.p} * H[i]);
        }
    }
    return H;
}

} // namespace sweepdyn
