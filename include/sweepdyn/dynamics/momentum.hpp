// Momentum and centre of mass of the whole system (what is welded to the ground counts in neither).
//
//     h = sum phi(0,k) M(k) V(k)                    momentum about the world origin: [angular; linear]
//     R = sum phi(0,k) M(k) phi'(0,k)               inertia of all bodies held rigid, about the world origin
//     V_C = [Jc^-1 (h.n - c x h.f); h.f / m]        spatial velocity of the centre of mass, about c        [001]
//
// Taking V_C off a floating base leaves no momentum: R V_C = h.
// O(bodies). Before: update(kin, q, v) and update_inertias(kin). Specified by tests/laws/momentum.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

// About the world origin.
template <class S> Force<S> momentum(const Kinematics<S>& kin)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "momentum", "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "momentum", "update_inertias(kin)");
    Force<S> h{};
    for (Index k : kin.tree().base_to_tip())
        h += Phi<S>{kin.r(k)} * (kin.M[k] * kin.body[k].V);
    return h;
}

// About the world origin.
template <class S> Inertia<S> system_inertia(const Kinematics<S>& kin)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "system_inertia", "update_inertias(kin)");
    Inertia<S> R{};
    for (Index k : kin.tree().base_to_tip())
        if (!kin.model.is_fixed(k))
            R += shift(kin.M[k], kin.r(k));
    return R;
}

namespace detail {
[[noreturn]] void throw_massless(const char* function);
// x with A x = b, by the adjugate.
template <class S> Vec3<S> solve(const Sym3<S>& A, const Vec3<S>& b)
{
    const Vec3<S> x{A.xx, A.xy, A.xz}, y{A.xy, A.yy, A.yz}, z{A.xz, A.yz, A.zz};
    const S scale = S(1) / dot(x, cross(y, z));
    return {scale * dot(cross(y, z), b), scale * dot(cross(z, x), b), scale * dot(cross(x, y), b)};
}
} // namespace detail

// From the world origin. Throws RefusedError when nothing has mass.
template <class S> Vec3<S> center_of_mass(const Kinematics<S>& kin)
{
    const Inertia<S> R = system_inertia(kin);
    if (!(value(R.m) > 0.0))
        detail::throw_massless("center_of_mass");
    return (S(1) / R.m) * R.h;
}

// The same momentum about the centre of mass.
template <class S> Force<S> momentum_about_com(const Kinematics<S>& kin)
{
    return inverse(Phi<S>{center_of_mass(kin)}) * momentum(kin);
}

// V_C, world axes, about the centre of mass.
template <class S> Motion<S> com_velocity(const Kinematics<S>& kin)
{
    const Vec3<S> c = center_of_mass(kin);
    const Inertia<S> about_com = shift(system_inertia(kin), -c);
    const Force<S> h = momentum_about_com(kin);
    return {detail::solve(about_com.J, h.n), (S(1) / about_com.m) * h.f};
}

// Changes the velocity of the floating base, and nothing else, so that the system's momentum is zero.
// v is the velocity kin was updated with. Throws RefusedError when the model has no floating base.
template <class S> void null_momentum(const Kinematics<S>& kin, std::span<S> v)
{
    const auto base = kin.model.floating_base();
    if (!base)
        throw RefusedError("null_momentum: model '" + kin.model.name() + "' has no floating base; load it with a free hinge to the ground");
    // The base's twist is in the axes and about the origin of its hinge.
    const BodyKinematics<S>& b = kin.body[*base];
    const Motion<S> change = rotate_back(b.X_WI.R, PhiAdjoint<S>{b.X_WI.p - center_of_mass(kin)} * com_velocity(kin));
    const S numbers[6] = {change.w.x, change.w.y, change.w.z, change.v.x, change.v.y, change.v.z};
    for (int i = 0; i < 6; ++i)
        v[b.first_dof + i] -= numbers[i];
}

} // namespace sweepdyn
