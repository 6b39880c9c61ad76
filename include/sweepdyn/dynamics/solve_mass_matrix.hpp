// v_dot = M^-1 T by sweeps, without forming M: forward dynamics of a mechanism at rest without gravity.
//
//     tip to base:  eps = T - H z,  z+ = z + G eps,  z(p) += phi z+                (I - H psi K) T
//     base to tip:  v_dot = D^-1 eps - G* lambda,  lambda += H* v_dot              (I - H psi K)* D^-1 eps    [003 theorem 4.1]
//
// O(bodies + dofs), no allocation. Before: articulate. Specified by tests/laws/identities.cpp.
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

template <class S>
void solve_mass_matrix(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                       std::span<S> v_dot, BodyForces<S>& scratch)
{
    detail::require_fresh(art.position_version == kin.position_version, "solve_mass_matrix", "articulate");
    detail::require_sizes<S>("solve_mass_matrix", kin, v_dot, T, scratch, {});
    scratch.reaction_version = 0; // f is something else here
    for (Index k : kin.tree().base_to_tip())
        scratch[k].f = {};
    detail::solve_articulated<S>(kin, art, T, v_dot, scratch);
}

extern template void solve_mass_matrix(const Kinematics<double>&, const Articulation<double>&,
                                       std::span<const double>, std::span<double>, BodyForces<double>&);
extern template void solve_mass_matrix(const Kinematics<float>&, const Articulation<float>&,
                                       std::span<const float>, std::span<float>, BodyForces<float>&);

} // namespace sweepdyn
