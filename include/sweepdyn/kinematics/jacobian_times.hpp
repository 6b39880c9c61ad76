// The Jacobian of any set of frames, applied without being formed, and its adjoint.
//
//     V(F) = J v = B* phi* H* v      base to tip:  V = phi* V(p) + H* v;   V(F) = phi*(k,F) V(k)
//     T = J* f   = H phi B f         tip to base:  f(k) = sum over its frames phi(k,F) f(F) + sum over children phi f;   T = H f
//
// Motions and forces of frames are in world axes about the frame's origin (FrameAxes::world_aligned). The rates v need not be
// those of kin. The Jacobian of one frame in any axes, formed, and Jdot v are in kinematics/frames.hpp; here the rows of
// several frames one below the other.
// Cost: O(bodies + dofs + frames). Allocates nothing. Before: update(kin, q). Specified by tests/laws/jacobian_family.cpp.
#pragma once

#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

// One motion and one force per body and for the ground: room for the sweeps of this file.
template <class S>
struct JacobianScratch {
    explicit JacobianScratch(const Model& model)
        : V(model.num_bodies(), {detail::poison3<S>(), detail::poison3<S>()}),
          f(model.num_bodies(), {detail::poison3<S>(), detail::poison3<S>()})
    {
    }
    PerBody<Motion<S>> V;
    PerBody<Force<S>> f;
};

namespace detail {
// From the reference point of the frame's body to the frame's origin, l(k,F); the ground's reference is the world origin.
template <class S> Vec3<S> to_frame(const Kinematics<S>& kin, FrameId frame)
{
    return frame_pose(kin, frame).p - kin.r(kin.model.frame_body(frame));
}
} // namespace detail

// J v, one motion per frame.
template <class S>
void jacobian_times(const Kinematics<S>& kin, std::span<const FrameId> frames, std::span<const S> v,
                    std::span<Motion<S>> V, JacobianScratch<S>& scratch)
{
    detail::require_poses(kin, "jacobian_times");
    require_size("jacobian_times", "v", v.size(), kin.H.size());
    require_size("jacobian_times", "V", V.size(), frames.size());
    require_size("jacobian_times", "scratch", scratch.V.num_bodies(), kin.body.num_bodies());
    scratch.V[ground] = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> V_k = scratch.V[b.parent];
        if (b.shifts)
            V_k = PhiAdjoint<S>{b.l} * V_k;
        for (Index j : b.dofs())
            V_k += v[j] * kin.H[j]; // V = phi* V(p) + H* v
        scratch.V[k] = V_k;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) // V(F) = phi*(k,F) V(k)
        V[i] = PhiAdjoint<S>{detail::to_frame(kin, frames[i])} * scratch.V[kin.model.frame_body(frames[i])];
}

// J* f, one force per frame in, one number per dof out.
template <class S>
void jacobian_adjoint_times(const Kinematics<S>& kin, std::span<const FrameId> frames,
                            std::span<const Force<S>> f, std::span<S> T, JacobianScratch<S>& scratch)
{
    detail::require_poses(kin, "jacobian_adjoint_times");
    require_size("jacobian_adjoint_times", "f", f.size(), frames.size());
    require_size("jacobian_adjoint_times", "T", T.size(), kin.H.size());
    require_size("jacobian_adjoint_times", "scratch", scratch.f.num_bodies(), kin.body.num_bodies());
    for (Index k : kin.tree().base_to_tip())
        scratch.f[k] = {};
    for (std::size_t i = 0; i < frames.size(); ++i) // f(k) = phi(k,F) f(F)
        scratch.f[kin.model.frame_body(frames[i])] += Phi<S>{detail::to_frame(kin, frames[i])} * f[i];
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        for (Index j : b.dofs())
            T[j] = dot(kin.H[j], scratch.f[k]); // T = H f
        scratch.f[b.parent] += b.shifts ? Phi<S>{b.l} * scratch.f[k] : scratch.f[k]; // phi f
    }
}

// J itself, 6 frames x dofs, column by column.
template <class S>
void jacobian(const Kinematics<S>& kin, std::span<const FrameId> frames, std::span<S> J)
{
    detail::require_poses(kin, "jacobian");
    const std::size_t rows = 6 * frames.size();
    require_size("jacobian", "J", J.size(), rows * kin.H.size());
    for (S& entry : J)
        entry = S(0);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Vec3<S> p = frame_pose(kin, frames[i]).p;
        for (Index k = kin.model.frame_body(frames[i]); k != ground; k = kin.body[k].parent)
            for (Index j : kin.body[k].dofs()) {
                const auto [w, v] = PhiAdjoint<S>{p - kin.r(k)} * kin.H[j];
                S* out = J.data() + static_cast<std::size_t>(j) * rows + 6 * i;
                out[0] = w.x, out[1] = w.y, out[2] = w.z, out[3] = v.x, out[4] = v.y, out[5] = v.z;
            }
    }
}

} // namespace sweepdyn
