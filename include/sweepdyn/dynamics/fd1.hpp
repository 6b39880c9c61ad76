// Forward dynamics FD1: first the forces C of the same motion without acceleration, then v_dot = M^-1 (T - C).
//
//     C = inverse dynamics at v_dot = 0                                    two sweeps
//     v_dot = (I - H psi K)* D^-1 (I - H psi K) (T - C)                    two sweeps             [003 (4.17)-(4.22), 004]
//
// For whoever wants C as well; forward_dynamics (FD3) needs a sweep less. O(bodies + dofs), no allocation.
// Before: update(kin, q, v), update_inertias, articulate. Specified by tests/laws/forward_dynamics_by_name.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"

namespace sweepdyn {

template <class S>
void forward_dynamics_fd1(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                          std::span<S> v_dot, std::span<S> C, BodyForces<S>& scratch,
                          std::span<const Force<S>> external = {})
{
    require_size("forward_dynamics_fd1", "T", T.size(), kin.v.size());
    require_size("forward_dynamics_fd1", "v_dot", v_dot.size(), kin.v.size());
    for (S& x : v_dot)
        x = S(0);
    inverse_dynamics<S>(kin, v_dot, C, scratch, external);
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] = T[j] - C[j];
    solve_mass_matrix<S>(kin, art, v_dot, v_dot, scratch);
}

} // namespace sweepdyn
