// Poses, velocities, accelerations and Jacobians of frames.
//
//     velocity       V(F) = phi'(k,F) V(k) = J(F) v
//     acceleration   phi'(k,F) A(k), A(k) = sum over the path to the ground of phi' (a + H* v_dot); true, without gravity
//     Jacobian       column of dof j: phi' H*(j) for the dofs between the frame and the ground, else 0
//
// Three ways to write the six numbers [angular; linear] of a frame's motion, the same for J, J v and Jdot v:
//     world_aligned  world axes, about the frame's origin; linear acceleration is the classical one of that point
//     body           the frame's own axes, about its origin: the body twist, its rate component by component
//     spatial        world axes, about the world origin: the spatial twist and its rate
// Before: update(kin, q) for poses and Jacobians, update(kin, q, v) for the rest. Cost: O(depth).
// Specified by tests/laws/frames.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

enum class FrameAxes { world_aligned, body, spatial };

template <class S> Pose<S> frame_pose(const Kinematics<S>& kin, FrameId frame)
{
    detail::require_poses(kin, "frame_pose");
    const Pose<S> X_BF = cast<S>(kin.model.frame_at(frame).X_BF);
    return kin.X_WB(kin.model.frame_body(frame)) * X_BF;
}

namespace detail {
// From world axes about the frame's origin to the wanted form.
template <class S> Motion<S> in_axes(const Pose<S>& X_WF, const Motion<S>& V, FrameAxes axes)
{
    switch (axes) {
    case FrameAxes::body: return rotate_back(X_WF.R, V);
    case FrameAxes::spatial: return PhiAdjoint<S>{-X_WF.p} * V;
    case FrameAxes::world_aligned: break;
    }
    return V;
}
} // namespace detail

template <class S> Motion<S> frame_velocity(const Kinematics<S>& kin, FrameId frame,
                                            FrameAxes axes = FrameAxes::world_aligned)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "frame_velocity",
                          "update(kin, q, v)");
    const Index k = kin.model.frame_body(frame);
    const Pose<S> X_WF = frame_pose(kin, frame);
    return detail::in_axes(X_WF, PhiAdjoint<S>{X_WF.p - kin.r(k)} * kin.body[k].V, axes);
}

// v_dot empty means zero: then this is Jdot v.
template <class S>
Motion<S> frame_acceleration(const Kinematics<S>& kin, FrameId frame, std::span<const S> v_dot,
                             FrameAxes axes = FrameAxes::world_aligned)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "frame_acceleration",
                          "update(kin, q, v)");
    if (!v_dot.empty())
        require_size("frame_acceleration", "v_dot", v_dot.size(), kin.H.size());
    const Pose<S> X_WF = frame_pose(kin, frame);
    Motion<S> A{};
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> own = b.a; // a + H* v_dot
        if (!v_dot.empty())
            for (Index j : b.dofs())
                own += v_dot[j] * kin.H[j];
        A += PhiAdjoint<S>{X_WF.p - kin.r(k)} * own;
    }
    if (axes == FrameAxes::world_aligned) { // classical = spatial + [0; w x v]
        const Motion<S> V = frame_velocity(kin, frame);
        A.v = add_cross(A.v, V.w, V.v);
    }
    return detail::in_axes(X_WF, A, axes);
}

// J is 6 x dofs, column by column.
template <class S>
void frame_jacobian(const Kinematics<S>& kin, FrameId frame, std::span<S> J,
                    FrameAxes axes = FrameAxes::world_aligned)
{
    require_size("frame_jacobian", "J", J.size(), 6 * kin.H.size());
    const Pose<S> X_WF = frame_pose(kin, frame);
    for (S& entry : J)
        entry = S(0);
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent)
        for (Index j : kin.body[k].dofs()) {
            const Motion<S> column = detail::in_axes(X_WF, PhiAdjoint<S>{X_WF.p - kin.r(k)} * kin.H[j], axes);
            S* out = J.data() + 6 * j;
            out[0] = column.w.x, out[1] = column.w.y, out[2] = column.w.z;
            out[3] = column.v.x, out[4] = column.v.y, out[5] = column.v.z;
        }
}

} // namespace sweepdyn
