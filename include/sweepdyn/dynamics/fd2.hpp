// Forward dynamics FD2: FD1, and the accelerations of the bodies with it.
//
//     zeta = phi* (a + a_g),   lambda = psi* H* D^-1 (I - H psi K) (T - C),   alpha = lambda + zeta            [003]
//
// zeta is made by the first sweep of C and lambda by the last of M^-1, so alpha costs one addition per body.
// O(bodies + dofs), no allocation. Before: as FD1. Specified by tests/laws/forward_dynamics_by_name.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"
#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

// alpha: one per body, true spatial accelerations without gravity, about the body's reference point.
template <class S>
void forward_dynamics_fd2(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                          std::span<S> v_dot, std::span<S> C, std::span<Motion<S>> alpha,
                          BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    require_size("forward_dynamics_fd2", "T", T.size(), kin.v.size());
    require_size("forward_dynamics_fd2", "v_dot", v_dot.size(), kin.v.size());
    require_size("forward_dynamics_fd2", "alpha", alpha.size(), kin.M.size());
    for (S& x : v_dot)
        x = S(0);
    inverse_dynamics<S>(kin, v_dot, C, scratch, external);
    for (Index k : kin.tree().base_to_tip())
        alpha[k] = scratch[k].A - kin.A0; // zeta
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] = T[j] - C[j];
    solve_mass_matrix<S>(kin, art, v_dot, v_dot, scratch);
    for (Index k : kin.tree().base_to_tip())
        alpha[k] += scratch[k].A; // lambda
}

// The classical acceleration of a frame (a tip), world axes, from those of the bodies.
template <class S>
Motion<S> frame_acceleration_of_bodies(const Kinematics<S>& kin, std::span<const Motion<S>> alpha,
                                       FrameId frame)
{
    require_size("frame_acceleration_of_bodies", "alpha", alpha.size(), kin.M.size());
    const Index k = kin.model.frame_body(frame);
    if (k == ground)
        return {};
    const Motion<S> V = frame_velocity(kin, frame);
    Motion<S> A = PhiAdjoint<S>{frame_pose(kin, frame).p - kin.r(k)} * alpha[k];
    A.v = add_cross(A.v, V.w, V.v);
    return A;
}

} // namespace sweepdyn
