// Inverse dynamics in the inertially referenced form: everything about one inertial point I, where phi is the identity.
//
//     base to tip:  V(k) = V(p) + H_I*(k) v(k),   A(k) = A(p) + H_I*(k) v_dot(k) + a_I(k)
//                   f(k) = M_I(k) A(k) + Mbar(k) V(k) - w_I(k)
//     tip to base:  f(k) += sum over children f(c),   T(k) = H_I(k) f(k) + Ja v_dot(k)             [000 (2.16), 001]
//     Mbar V = [w x J w - h x (u x w); (m u + w x h) x -w],   V = [w; u], J and h about I          [000 (2.8)]
//
// Digits are lost with the distance of I from the mechanism: this form is for derivations and checks.
// O(bodies + dofs), no allocation. Before: update(kin, q, v), update_inertias. Specified by tests/laws/inverse_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"

namespace sweepdyn {

template <class S>
void inertial_inverse_dynamics(const Kinematics<S>& kin, const Vec3<S>& point, std::span<const S> v_dot,
                               std::span<S> T, BodyForces<S>& scratch,
                               std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "inertial_inverse_dynamics",
                          "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "inertial_inverse_dynamics",
                          "update_inertias");
    detail::require_sizes<S>("inertial_inverse_dynamics", kin, v_dot, T, scratch, external);
    const Tree& tree = kin.tree();
    scratch.reaction_version = 0; // f is something else here
    scratch[ground] = {kin.A0, {}};

    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        const PhiAdjoint<S> to_point{point - kin.r(k)};
        const Inertia<S> M = shift(kin.M[k], kin.r(k) - point);
        const Motion<S> V = to_point * b.V;
        Motion<S> own = b.a;
        for (Index j : b.dofs())
            own += v_dot[j] * kin.H[j];
        const Motion<S> A = scratch[b.parent].A + to_point * own;
        const auto& [w, u] = V;
        const Force<S> gyroscopic{cross(w, M.J * w) - cross(M.h, cross(u, w)),
                                  cross(w, M.m * u + cross(w, M.h))}; // Mbar V
        Force<S> f = M * A + gyroscopic;
        if (!external.empty())
            f -= Phi<S>{kin.r(k) - point} * external[k];
        scratch[k] = {A, f};
    }
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Force<S> f = scratch[k].f;
        for (Index j : b.dofs())
            T[j] = dot(PhiAdjoint<S>{point - kin.r(k)} * kin.H[j], f) + kin.armature[j] * v_dot[j];
        scratch[b.parent].f += f;
    }
}

} // namespace sweepdyn
