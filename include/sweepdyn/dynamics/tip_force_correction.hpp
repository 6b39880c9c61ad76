// What forces on bodies change: v_dot gains M^-1 J* f, without T, C or gravity.
//
//     tip to base:  z = w + sum phi z+(c),   eps = H z,   z+ = z - G eps                      H psi w
//     base to tip:  v_dot = D^-1 eps - G* lambda,   lambda += H* v_dot                        (I - H psi K)* D^-1   [003 (6.3), 004 (5.3)]
//
// Linear in the forces: added to the v_dot of forward_dynamics without them, it gives that with them. O(bodies + dofs), no
// allocation. Before: articulate. Specified by tests/laws/operational_space.cpp.
#pragma once

#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

// w: one per body, world axes, about the reference points (add_external_wrench makes them from forces on frames).
// Leaves the change of the bodies' accelerations in scratch[k].A.
template <class S>
void tip_force_correction(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const Force<S>> w,
                          std::span<S> v_dot, BodyForces<S>& scratch)
{
    detail::require_fresh(art.position_version == kin.position_version, "tip_force_correction", "articulate");
    detail::require_sizes<S>("tip_force_correction", kin, v_dot, v_dot, scratch, w);
    require_size("tip_force_correction", "w", w.size(), kin.M.size());
    const Tree& tree = kin.tree();
    scratch.reaction_version = 0; // f is something else here
    for (Index k : tree.base_to_tip())
        scratch[k].f = w[k];
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch[k].f;
        for (Index j : b.dofs_reversed()) {
            const S eps = dot(kin.H[j], z);
            v_dot[j] = art.D_inverse[j] * eps;
            z -= eps * art.G[j];
        }
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
    }
    scratch[ground].A = {};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A;
        for (Index j : b.dofs()) {
            v_dot[j] -= dot(lambda, art.G[j]);
            lambda += v_dot[j] * kin.H[j];
        }
        scratch[k].A = lambda;
    }
}

} // namespace sweepdyn
