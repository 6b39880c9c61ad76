// J J* of a set of frames, 6 frames x 6 frames: how far unit hinge rates can move them (the manipulability ellipsoid of one
// frame, the coupling of two).
//
//     base to tip:  Y(k) = phi* Y(p) phi + H* H                                        the diagonal blocks of phi* H* H phi
//     block (F,E) = phi*(a,F) Y(a) phi(a,E),  a the last body that both hang on; zero where there is none       [I15]
//
// The same recursion as the operational-space compliance J M^-1 J*, with psi = phi and D = 1: no mass, no elimination.
// World axes, about the origins of the frames. Cost: O(bodies + dofs + frames^2 depth). Allocates nothing after construction.
// Before: update(kin, q). Specified by tests/laws/jacobian_family.cpp.
#pragma once

#include <array>

#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

// Y of each body, about its reference point. It takes forces to motions, so its blocks stand the other way round than an
// inertia's: I is linear-linear, M angular-angular, and phi*(l) Y phi(l) is the inertia's shift by -l.
template <class S>
struct JacobianCompliance {
    explicit JacobianCompliance(const Model& model) : Y(model.num_bodies(), ArticulatedInertia<S>{}) {}
    PerBody<ArticulatedInertia<S>> Y;
};

// `out` holds (6 frames)^2 numbers; symmetric, so its storage order does not matter.
template <class S>
void jacobian_jacobian_adjoint(const Kinematics<S>& kin, std::span<const FrameId> frames, std::span<S> out,
                               JacobianCompliance<S>& scratch)
{
    detail::require_poses(kin, "jacobian_jacobian_adjoint");
    const std::size_t rows = 6 * frames.size();
    require_size("jacobian_jacobian_adjoint", "out", out.size(), rows * rows);
    require_size("jacobian_jacobian_adjoint", "scratch", scratch.Y.num_bodies(), kin.body.num_bodies());
    const Tree& tree = kin.tree();

    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        ArticulatedInertia<S> Y = scratch.Y[b.parent]; // the ground's is zero
        if (b.shifts)
            Y = shift(Y, -b.l); // phi* Y(p) phi
        for (Index j : b.dofs()) {
            const auto& [w, v] = kin.H[j];
            Y.rank_one_downdate({-v, -w}, {v, w}); // + H* H
        }
        scratch.Y[k] = Y;
    }

    for (std::size_t i = 0; i < frames.size(); ++i)
        for (std::size_t e = 0; e <= i; ++e) {
            // The last body that both frames hang on: the deeper of the two steps down until they meet.
            Index a = kin.model.frame_body(frames[i]);
            for (Index c = kin.model.frame_body(frames[e]); a != c;)
                (a > c ? a : c) = kin.body[a > c ? a : c].parent;
            const PhiAdjoint<S> to_i{frame_pose(kin, frames[i]).p - kin.r(a)};
            const Phi<S> from_e{frame_pose(kin, frames[e]).p - kin.r(a)};
            for (int column = 0; column < 6; ++column) {
                Force<S> unit{};
                (column < 3 ? unit.n : unit.f)[column % 3] = S(1);
                const auto [n, f] = from_e * unit;
                const auto [v, w] = scratch.Y[a] * Motion<S>{f, n}; // Y's blocks stand the other way round
                const auto [w_i, v_i] = to_i * Motion<S>{w, v};
                const std::array<S, 6> x{w_i.x, w_i.y, w_i.z, v_i.x, v_i.y, v_i.z};
                for (std::size_t row = 0; row < 6; ++row) {
                    const std::size_t r = 6 * i + row, c = 6 * e + static_cast<std::size_t>(column);
                    out[c * rows + r] = out[r * rows + c] = x[row];
                }
            }
        }
}

} // namespace sweepdyn
