// Inverse dynamics by Newton and Euler: the hinge forces T that give the accelerations v_dot.
//
//     base to tip:  A(k) = phi'(p,k) A(p) + H*(k) v_dot(k) + a(k),    A(ground) = -gravity
//                   f(k) = M(k) A(k) + S[V(k)] M(k) V(k) - w(k)       w: external force on the body
//     tip to base:  f(k) += sum over children phi(k,c) f(c)
//                   T(k) = H(k) f(k) + Ja v_dot(k)                                          [001; 003 (2.16)-(2.23)]
//
// Two sweeps, O(bodies + dofs), no allocation. Before: update(kin, q, v).
// After: T, and in scratch the pseudo-accelerations A and the forces f on each body by its parent, both in world axes
// about the body's reference point. Specified by tests/laws/inverse_dynamics.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

template <class S>
struct BodyForce {
    Motion<S> A{detail::poison3<S>(), detail::poison3<S>()}; // of the ground: minus gravity
    Force<S> f{detail::poison3<S>(),
               detail::poison3<S>()}; // of the ground: on all trees, about the world origin
};
template <class S>
struct BodyForces : PerBody<BodyForce<S>> {
    explicit BodyForces(const Model& model) : PerBody<BodyForce<S>>(model.num_bodies(), {}) {}
    std::uint64_t reaction_version = 0; // the state whose hinge reactions are in f
};

namespace detail {
// One number per dof, room for every body, an external force on each of them or none at all.
template <class S>
SWEEPDYN_INLINE void require_sizes(const char* function, const Kinematics<S>& kin, std::span<const S> v_dot,
                                   std::span<const S> T, const BodyForces<S>& scratch,
                                   std::span<const Force<S>> external)
{
    require_size(function, "v_dot", v_dot.size(), kin.v.size());
    require_size(function, "T", T.size(), kin.v.size());
    require_size(function, "scratch", scratch.num_bodies(), kin.body.num_bodies());
    if (!external.empty())
        require_size(function, "external", external.size(), kin.body.num_bodies());
}
} // namespace detail

template <class S>
void inverse_dynamics(const Kinematics<S>& kin, std::span<const S> v_dot, std::span<S> T,
                      BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "inverse_dynamics",
                          "update(kin, q, v)");
    detail::require_sizes<S>("inverse_dynamics", kin, v_dot, T, scratch, external);
    scratch.reaction_version = kin.position_version;
    scratch[ground] = {kin.A0, {}};

    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        // A = phi' A(p) + a + H* v_dot
        Motion<S> A = b.a + (b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A);
        for (Index j : b.dofs())
            A += v_dot[j] * kin.H[j];
        scratch[k].A = A;
        // f = M A + S[V] M V - w
        scratch[k].f = body_force(kin, k, b.V, A);
        if (!external.empty())
            scratch[k].f -= external[k];
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Force<S> f = scratch[k].f;
        // T = H f + Ja v_dot
        for (Index j : b.dofs())
            T[j] = dot(kin.H[j], f) + kin.armature[j] * v_dot[j];
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * f : f; // phi f
    }
}

// After inverse_dynamics: the force on child k by its parent, about the hinge origin, in the axes of the child's body frame.
template <class S> Force<S> hinge_reaction(const Kinematics<S>& kin, const BodyForces<S>& forces, int k)
{
    detail::require_fresh(forces.reaction_version == kin.position_version, "hinge_reaction",
                          "inverse_dynamics");
    const Vec3<S> from_hinge = kin.r(k) - kin.body[k].X_WI.p;
    return rotate_back(kin.X_WB(k).R, Phi<S>{from_hinge} * forces[k].f);
}

extern template void inverse_dynamics(const Kinematics<double>&, std::span<const double>, std::span<double>,
                                      BodyForces<double>&, std::span<const Force<double>>);
extern template void inverse_dynamics(const Kinematics<float>&, std::span<const float>, std::span<float>,
                                      BodyForces<float>&, std::span<const Force<float>>);

} // namespace sweepdyn
