// Forward dynamics FD3, which is forward_dynamics: what happens at v_dot = 0 goes through psi together with T, three sweeps.
//
//     v_dot = (I - H psi K)* D^-1 (T - H psi (K T + M zeta + b)),   zeta = phi* (a + a_g)                      [003]
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

template <class S>
void forward_dynamics_fd3(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                          std::span<S> v_dot, BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    forward_dynamics<S>(kin, art, T, v_dot, scratch, external);
}

} // namespace sweepdyn
