// External wrenches on frames, gathered into one force per body: w(k) of the sweeps, in world axes about the body's
// reference point. Before: update(kin, q). Specified by tests/laws/external_forces.cpp.
#pragma once

#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

enum class WrenchAxes { world, frame };

struct ExternalWrench {
    FrameId frame;
    Force<double> wrench{};
    WrenchAxes axes = WrenchAxes::world;
};

// external(k) += phi(k,F) wrench; the wrench acts about the frame's origin. What pushes on the ground moves nothing.
template <class S>
void add_external_wrench(const Kinematics<S>& kin, FrameId frame, Force<S> wrench, WrenchAxes axes,
                         std::span<Force<S>> external)
{
    require_size("add_external_wrench", "external", external.size(), kin.M.size());
    const Index k = kin.model.frame_body(frame);
    if (k == ground)
        return;
    const Pose<S> X_WF = frame_pose(kin, frame);
    if (axes == WrenchAxes::frame)
        wrench = rotate(X_WF.R, wrench);
    external[k] += Phi<S>{X_WF.p - kin.r(k)} * wrench;
}

} // namespace sweepdyn
