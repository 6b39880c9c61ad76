// Inverse dynamics by composite inertias: the same T as inverse_dynamics by another road, dearer, for checking.
//
//     base to tip:  A(k) = phi'(p,k) A(p) + H*(k) v_dot(k) + a(k)
//     tip to base:  y(k) = S[V] M V - w(k) + sum over children phi(k,c) (y(c) + R(c) (H*(c) v_dot(c) + a(c)))
//                   T(k) = H(k) (R(k) A(k) + y(k)) + Ja v_dot(k)                          [001; 002 eq. (31)]
//
// O(bodies + dofs), no allocation. Before: update(kin, q, v), update_inertias, composite_inertias.
// Specified by tests/laws/inverse_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"

namespace sweepdyn {

template <class S>
void composite_inverse_dynamics(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                std::span<const S> v_dot, std::span<S> T, BodyForces<S>& scratch,
                                std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "composite_inverse_dynamics",
                          "update(kin, q, v)");
    detail::require_fresh(composite.position_version == kin.position_version, "composite_inverse_dynamics",
                          "composite_inertias");
    detail::require_sizes<S>("composite_inverse_dynamics", kin, v_dot, T, scratch, external);
    const Tree& tree = kin.tree();
    const auto own_acceleration = [&](const BodyKinematics<S>& b) { // H* v_dot + a
        Motion<S> own = b.a;
        for (Index j : b.dofs())
            own += v_dot[j] * kin.H[j];
        return own;
    };

    scratch.reaction_version = 0; // f is something else here
    scratch[ground] = {kin.A0, {}};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> A = scratch[b.parent].A;
        if (b.shifts)
            A = PhiAdjoint<S>{b.l} * A;
        scratch[k] = {A + own_acceleration(b), crf(b.V) * (kin.M[k] * b.V)}; // f holds y
        if (!external.empty())
            scratch[k].f -= external[k];
    }
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const auto& [A, y] = scratch[k];
        const Force<S> f = composite.R[k] * A + y;
        Force<S> up = y + composite.R[k] * own_acceleration(b); // before T is written: it may be v_dot itself
        for (Index j : b.dofs())
            T[j] = dot(kin.H[j], f) + kin.armature[j] * v_dot[j];
        if (b.shifts)
            up = Phi<S>{b.l} * up;
        scratch[b.parent].f += up;
    }
}

} // namespace sweepdyn
