// The two sweeps that the closed-chain algorithms of 003 II are made of, one operator each:
//
//     whiten    tip to base   eps = (I - H Psi L) T - H psi w        z = w + sum phi z+,  eps = T - H z,  z+ = z + G eps
//     colour    base to tip   v_dot = (I - H Psi L)* nu              v_dot = nu - G* lambda,  lambda += H* v_dot
//               and           lambda = psi* H* nu, left in scratch[k].A
//
// colour(D^-1 whiten(T, w)) = M^-1 (T - J* w). O(bodies + dofs), no allocation. Before: articulate.
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

// w per body, world axes, about the reference points, read from scratch[k].f, which it uses up.
template <class S>
void whiten(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T, std::span<S> eps,
            BodyForces<S>& scratch)
{
    detail::require_fresh(art.position_version == kin.position_version, "whiten", "articulate");
    detail::require_sizes<S>("whiten", kin, eps, T, scratch, {});
    scratch.reaction_version = 0;
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch[k].f;
        for (Index j : b.dofs_reversed()) {
            eps[j] = T[j] - dot(kin.H[j], z);
            z += eps[j] * art.G[j];
        }
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
    }
}

template <class S>
void colour(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> nu, std::span<S> v_dot,
            BodyForces<S>& scratch)
{
    detail::require_fresh(art.position_version == kin.position_version, "colour", "articulate");
    detail::require_sizes<S>("colour", kin, v_dot, nu, scratch, {});
    scratch.reaction_version = 0;
    scratch[ground].A = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A;
        for (Index j : b.dofs()) {
            v_dot[j] = nu[j] - dot(lambda, art.G[j]);
            lambda += v_dot[j] * kin.H[j];
        }
        scratch[k].A = lambda;
    }
}

} // namespace sweepdyn
