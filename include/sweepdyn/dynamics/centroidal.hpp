// Centroidal momentum: the momentum about the centre of mass c as a matrix times v, and what its rate is without v_dot.
//
//     h = A v,   column of dof j on body k:  phi(c,k) R(k) H*(j)             R: composite inertias       [001]
//     h_dot = A v_dot + A_dot v,   A_dot v = sum phi(c,k) (M A0 + S[V] M V),  A0(k) = phi' A0(p) + a
//
// The rate of the angular part needs no term for the motion of c: the linear momentum is along it. World axes, [angular; linear]; no
// gravity. O(bodies + dofs), no allocation. Before: update(kin, q, v), update_inertias, composite_inertias.
// Specified by tests/laws/whole_system.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/momentum.hpp"

namespace sweepdyn {

// A is 6 x dofs, column by column. Only the configuration matters.
template <class S> void centroidal_momentum_matrix(const Kinematics<S>& kin,
                                                   const CompositeInertias<S>& composite, std::span<S> A)
{
    detail::require_fresh(composite.position_version == kin.position_version, "centroidal_momentum_matrix",
                          "composite_inertias");
    require_size("centroidal_momentum_matrix", "A", A.size(), 6 * kin.H.size());
    const Vec3<S> c = center_of_mass(kin);
    for (Index k : kin.tree().base_to_tip())
        for (Index j : kin.body[k].dofs()) {
            const Force<S> h = Phi<S>{kin.r(k) - c} * (composite.R[k] * kin.H[j]);
            S* out = A.data() + 6 * j;
            out[0] = h.n.x, out[1] = h.n.y, out[2] = h.n.z, out[3] = h.f.x, out[4] = h.f.y, out[5] = h.f.z;
        }
}

// A_dot v.
template <class S> Force<S> centroidal_bias(const Kinematics<S>& kin, BodyForces<S>& scratch)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "centroidal_bias",
                          "update(kin, q, v)");
    require_size("centroidal_bias", "scratch", scratch.num_bodies(), kin.body.num_bodies());
    const Vec3<S> c = center_of_mass(kin);
    scratch.reaction_version = 0;
    scratch[ground].A = {};
    Force<S> rate{};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        scratch[k].A = b.a + (b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A);
        rate += Phi<S>{kin.r(k) - c} * newton_euler(kin.M[k], b.V, scratch[k].A);
    }
    return rate;
}

} // namespace sweepdyn
