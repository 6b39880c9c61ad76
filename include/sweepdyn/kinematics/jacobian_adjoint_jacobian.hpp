// J* W J of a set of frames, dofs x dofs: the mass matrix of a mechanism without mass whose frames carry weights.
//
// A frame that weighs a rad^-2 in turning and b m^-2 in moving is a rigid body of inertia a 1 and mass b at its origin, so
// that J* W J has the recursion of the mass matrix, with B W B* in the place of the body inertias:
//
//     W(k) = sum over the frames of body k of phi(k,F) W(F) phi*(k,F)
//     R(k) = W(k) + sum over children phi R phi*                                                               tip to base
//     (J* W J)(j,k) = H(j) phi(j,k) R(k) H*(k) for every ancestor j of k                              [001; I12 with M = B W B*]
//
// Pairs of hinges on different branches are exactly zero. O(dofs * depth), no allocation. Before: update(kin, q).
// Specified by tests/laws/jacobian_family.cpp.
#pragma once

#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

template <class S>
struct FrameWeights {
    explicit FrameWeights(const Model& model)
        : W(model.num_bodies(), ArticulatedInertia<S>{}),
          R(model.num_bodies(), ArticulatedInertia<S>{})
    {
    }
    PerBody<ArticulatedInertia<S>>
        W; // about the body's reference point, world axes; by set_weights or by hand
    PerBody<ArticulatedInertia<S>> R; // and of all that it carries; by composite_weights
};

// A frame and what its motion counts: weight per rad^2 and per m^2.
template <class S>
struct WeightedFrame {
    FrameId frame;
    S angular = S(1), linear = S(1);
};

template <class S>
void set_weights(const Kinematics<S>& kin, std::span<const WeightedFrame<S>> frames, FrameWeights<S>& weights)
{
    detail::require_poses(kin, "set_weights");
    require_size("set_weights", "weights", weights.W.num_bodies(), kin.body.num_bodies());
    for (Index k : kin.tree().base_to_tip())
        weights.W[k] = {};
    for (const auto& [frame, angular, linear] : frames) { // phi(k,F) W(F) phi*(k,F)
        const Index k = kin.model.frame_body(frame);
        const Vec3<S> l = frame_pose(kin, frame).p - kin.r(k);
        weights.W[k] += Inertia<S>::about_point(linear, l, Sym3<S>::diagonal(angular, angular, angular));
    }
}

// Before: W. After: R.
template <class S> void composite_weights(const Kinematics<S>& kin, FrameWeights<S>& weights)
{
    const Tree& tree = kin.tree();
    for (Index k : tree.base_to_tip())
        weights.R[k] = weights.W[k];
    for (Index k : tree.tip_to_base())
        if (const BodyKinematics<S>& b = kin.body[k]; b.parent != ground)
            weights.R[b.parent] += b.shifts ? shift(weights.R[k], b.l) : weights.R[k]; // phi R phi*
}

// `out` holds dofs x dofs numbers; symmetric, so its storage order does not matter.
template <class S>
void jacobian_adjoint_jacobian(const Kinematics<S>& kin, std::span<const WeightedFrame<S>> frames,
                               std::span<S> out, FrameWeights<S>& weights)
{
    const Tree& tree = kin.tree();
    const auto n = static_cast<std::size_t>(tree.num_dofs());
    require_size("jacobian_adjoint_jacobian", "out", out.size(), n * n);
    set_weights(kin, frames, weights);
    composite_weights(kin, weights);

    for (S& entry : out)
        entry = S(0);
    for (Index k : tree.base_to_tip())
        for (Index j : tree.dofs(k)) {
            Force<S> X = weights.R[k] * kin.H[j]; // R H*
            for (Index i = tree.first_dof[k]; i <= j; ++i)
                out[j * n + i] = out[i * n + j] = dot(kin.H[i], X);
            for (Index child = k, body = tree.parent[k]; body != ground;
                 child = body, body = tree.parent[body]) {
                if (kin.body[child].shifts)
                    X = Phi<S>{kin.body[child].l} * X; // phi X
                for (Index i : tree.dofs(body))
                    out[j * n + i] = out[i * n + j] = dot(kin.H[i], X);
            }
        }
}

} // namespace sweepdyn
