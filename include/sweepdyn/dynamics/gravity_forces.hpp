// Gravity forces: the hinge forces that hold the bodies still, T at v = v_dot = 0.
//
//     tip to base:  w(k) = m(k) A0 at the centre of mass + sum over children phi(k,c) w(c),  T(k) = H(k) w(k)
//
// One sweep, O(bodies + dofs), no allocation. Before: update(kin, q). Specified by tests/laws/energy.cpp (T = grad V).
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"

namespace sweepdyn {

template <class S> void gravity_forces(const Kinematics<S>& kin, std::span<S> T, BodyForces<S>& scratch)
{
    detail::require_poses(kin, "gravity_forces");
    detail::require_sizes<S>("gravity_forces", kin, T, T, scratch, {});
    const Tree& tree = kin.tree();
    scratch.reaction_version = 0; // f is something else here
    scratch[ground].f = {};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Vec3<S> weight = b.mass * kin.A0.v;
        scratch[k].f = {cross((b.X_WI.p - kin.r(k)) + b.X_WI.R * b.com, weight), weight};
    }
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> f = scratch[k].f;
        for (Index j : b.dofs())
            T[j] = dot(kin.H[j], f);
        if (b.shifts)
            f = Phi<S>{b.l} * f;
        scratch[b.parent].f += f;
    }
}

} // namespace sweepdyn
