// Forward dynamics FD4: two sweeps after the articulation, since P a stands in for all that a does outboard.
//
//     tip to base:  z = b - w + P a + sum phi z+(c),   eps = T - H z,   z+ = z + G eps
//     base to tip:  v_dot = D^-1 eps - G* phi* alpha(p),   alpha = phi* alpha(p) + H* v_dot + a     [003 (5.16)-(5.17)]
//
// a is the hinge's own velocity-dependent acceleration, at bodies on the ground with a_g in it; alpha then are accelerations with
// gravity in them. P a costs more than the M zeta of FD3, but a sweep is saved. O(bodies + dofs), no allocation.
// Before: update(kin, q, v), update_inertias, articulate. Specified by tests/laws/forward_dynamics_by_name.cpp.
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

template <class S>
void forward_dynamics_fd4(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                          std::span<S> v_dot, BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "forward_dynamics_fd4",
                          "update(kin, q, v)");
    detail::require_fresh(art.position_version == kin.position_version, "forward_dynamics_fd4", "articulate");
    detail::require_sizes<S>("forward_dynamics_fd4", kin, v_dot, T, scratch, external);
    const Tree& tree = kin.tree();
    scratch.reaction_version = 0; // f is something else here
    for (Index k : tree.base_to_tip())
        scratch[k].f = {};
    const auto a = [&](const BodyKinematics<S>& b) { return b.parent == ground ? b.a + kin.A0 : b.a; };

    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch[k].f + newton_euler(kin.M[k], b.V, a(b)); // M a + b
        if (!tree.is_leaf[k])
            z += art.P_plus[k] * a(b); // (P - M) a
        if (!external.empty())
            z -= external[k];
        for (Index j : b.dofs_reversed()) {
            const S eps = T[j] - dot(kin.H[j], z);
            v_dot[j] = art.D_inverse[j] * eps;
            z += eps * art.G[j];
        }
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
    }
    scratch[ground].A = {};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> alpha = b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A;
        for (Index j : b.dofs()) {
            v_dot[j] -= dot(alpha, art.G[j]);
            alpha += v_dot[j] * kin.H[j];
        }
        scratch[k].A = alpha + a(b);
    }
}

} // namespace sweepdyn
