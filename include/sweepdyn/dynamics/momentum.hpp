// Momentum and centre of mass of the whole system (what is welded to the ground counts in neither).
//
//     h = sum phi(0,k) M(k) V(k)                    momentum about the world origin: [angular; linear]
//     R = sum phi(0,k) M(k) phi'(0,k)               inertia of all bodies held rigid, about the world origin
//     V_C = [Jc^-1 (h.n - c x h.f); h.f / m]        spatial velocity of the centre of mass, about c        [001]
//
// Taking V_C off a floating base, the only tree, leaves no momentum: R V_C = h.
// O(bodies). Before: update(kin, q, v) and update_inertias(kin). Specified by tests/laws/momentum.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

// About the world origin, or a point given from there.
template <class S> Force<S> momentum(const Kinematics<S>& kin, const Vec3<S>& point = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "momentum", "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "momentum", "update_inertias(kin)");
    Force<S> h{};
    for (Index k : kin.tree().base_to_tip())
        h += Phi<S>{kin.r(k) - point} * (kin.M[k] * kin.body[k].V);
    return h;
}

namespace detail {
// Whether body k moves, and belongs to the tree of the given root (the ground: to any).
inline bool counts(const Model& model, Index k, Index root)
{
    return !model.is_fixed(k) && (root == ground || model.tree().root[k] == root);
}
} // namespace detail

// About the world origin, or a point given from there. Of all trees, or of the one with the given root.
template <class S> Inertia<S> system_inertia(const Kinematics<S>& kin, const Vec3<S>& point = {},
                                             Index root = ground)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "system_inertia",
                          "update_inertias(kin)");
    Inertia<S> R{};
    for (Index k : kin.tree().base_to_tip())
        if (detail::counts(kin.model, k, root))
            R += shift(kin.M[k], kin.r(k) - point);
    return R;
}

namespace detail {
[[noreturn]] void throw_massless();
[[noreturn]] void throw_no_turning_inertia();
[[noreturn]] void throw_no_floating_base(const char* function, const Model& model);

template <class S> Vec3<S> center_of(const Inertia<S>& R)
{
    if (!(value(R.m) > 0.0))
        throw_massless();
    return (S(1) / R.m) * R.h;
}
// The velocity, about the centre of mass c, of a rigid body of inertia R about c that has the momentum h about c.
// J w = n by the adjugate. `terms` is what J is the difference of: beside it, J may be nothing.
template <class S> Motion<S> rigid_velocity(const Inertia<S>& R, const Force<S>& h, const S& terms)
{
    const Vec3<S> x{R.J.xx, R.J.xy, R.J.xz}, y{R.J.xy, R.J.yy, R.J.yz}, z{R.J.xz, R.J.yz, R.J.zz};
    const S determinant = dot(x, cross(y, z)), trace = R.J.trace();
    if (!(value(determinant) > 256 * Precision<S>::epsilon * value(terms * trace * trace)))
        throw_no_turning_inertia();
    const S scale = S(1) / determinant;
    return {{scale * dot(cross(y, z), h.n), scale * dot(cross(z, x), h.n), scale * dot(cross(x, y), h.n)},
            (S(1) / R.m) * h.f};
}
// The inertias of the bodies as they stand, about their reference points: what an inertia about c is the difference of.
template <class S> S inertia_terms(const Kinematics<S>& kin, const Vec3<S>& c, Index root = ground)
{
    S terms(0);
    for (Index k : kin.tree().base_to_tip())
        if (counts(kin.model, k, root))
            terms += kin.M[k].J.trace() + kin.M[k].m * dot(kin.r(k) - c, kin.r(k) - c);
    return terms;
}
} // namespace detail

// From the world origin. Throws RefusedError when nothing has mass.
template <class S> Vec3<S> center_of_mass(const Kinematics<S>& kin)
{
    return detail::center_of(system_inertia(kin));
}

// The same momentum about the centre of mass.
template <class S> Force<S> momentum_about_com(const Kinematics<S>& kin)
{
    return momentum(kin, center_of_mass(kin));
}

// V_C, world axes, about the centre of mass. Throws RefusedError when the masses are points on a line: then they may turn
// about it without momentum.
template <class S> Motion<S> com_velocity(const Kinematics<S>& kin)
{
    const Vec3<S> c = center_of_mass(kin);
    return detail::rigid_velocity(system_inertia(kin, c), momentum(kin, c), detail::inertia_terms(kin, c));
}

// Changes the velocity of the floating base, and nothing else, so that the system's momentum is the wanted one: [angular; linear]
// about the centre of mass, world axes. v is the velocity kin was updated with. Throws RefusedError when the model has no
// floating base.
template <class S> void reset_momentum(const Kinematics<S>& kin, const Force<S>& wanted, std::span<S> v)
{
    const auto base = kin.model.floating_base();
    if (!base)
        detail::throw_no_floating_base("reset_momentum", kin.model);
    require_size("reset_momentum", "v", v.size(), kin.v.size());
    // Only the base's own tree moves with it, and takes up the momentum of all.
    const Vec3<S> c = detail::center_of(system_inertia(kin, {}, *base));
    const Motion<S> V = detail::rigid_velocity(system_inertia(kin, c, *base),
                                               momentum(kin, c) - Phi<S>{center_of_mass(kin) - c} * wanted,
                                               detail::inertia_terms(kin, c, *base));
    // The base's twist is in the axes and about the origin of its hinge.
    const BodyKinematics<S>& b = kin.body[*base];
    const Motion<S> change = rotate_back(b.X_WI.R, PhiAdjoint<S>{b.X_WI.p - c} * V);
    const S numbers[6] = {change.w.x, change.w.y, change.w.z, change.v.x, change.v.y, change.v.z};
    for (int i = 0; i < 6; ++i)
        v[b.first_dof + i] -= numbers[i];
}

// The same to no momentum at all: then the system neither drifts nor turns as a whole.
template <class S> void null_momentum(const Kinematics<S>& kin, std::span<S> v)
{
    if (!kin.model.floating_base())
        detail::throw_no_floating_base("null_momentum", kin.model);
    require_size("null_momentum", "v", v.size(), kin.v.size());
    reset_momentum(kin, Force<S>{}, v);
}

} // namespace sweepdyn
