// Inverse dynamics with the velocity of the mechanism and a reference velocity kept apart, for controllers that prove
// their stability by passivity:
//
//     T = M(q) a_r + C(q,v) v_r + g(q) - J* w                                    [Slotine and Li 1987; Wen and Bayard 1988]
//
// with the C for which M_dot = C + C', so M_dot - 2C is skew. It is that of d'Alembert, particle by particle:
//     C(i,j) = sum over particles dm J_i . dJ_j/dt,      J_j the velocity that dof j gives to the particle.
// So M_dot = C + C' is the product rule, for every hinge; where v = q_dot, C is that of Christoffel's symbols.
// By bodies, with Mbar of spatial/inertia_rate.hpp: C = sum J(k)* (M(k) J_dot(k) + Mbar(k) J(k)).
//
//     base to tip:  V_r(k) = phi'(p,k) V_r(p) + H*(k) v_r(k)
//                   A(k) = phi'(p,k) A(p) + H*(k) a_r(k) + H_dot*(k) v_r(k),    A(ground) = -gravity
//                   f(k) = M(k) A(k) + Mbar(k) V_r(k) - w(k)
//     tip to base:  f(k) += sum over children phi(k,c) f(c),   T(k) = H(k) f(k) + Ja a_r(k)
//
// At v_r = v, a_r = v_dot it is inverse_dynamics. Two sweeps, O(bodies + dofs), no allocation. Before: update(kin, q, v),
// column_rates. Specified by tests/laws/passivity.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/kinematics/column_rates.hpp"

namespace sweepdyn {

// World axes, about the body's reference point.
template <class S>
struct ReferenceMotion {
    Motion<S> V_r{detail::poison3<S>(), detail::poison3<S>()}; // the body's velocity at v_r
    Motion<S> A{detail::poison3<S>(), detail::poison3<S>()}; // of the ground: minus gravity
    Force<S> f{detail::poison3<S>(), detail::poison3<S>()};
};
template <class S>
struct ReferenceMotions : PerBody<ReferenceMotion<S>> {
    explicit ReferenceMotions(const Model& model) : PerBody<ReferenceMotion<S>>(model.num_bodies(), {}) {}
};

namespace detail {
template <class S>
SWEEPDYN_INLINE void require_reference(const char* function, const Kinematics<S>& kin,
                                       const ColumnRates<S>& rates, std::span<const S> v_r,
                                       std::span<const S> a_r, const ReferenceMotions<S>& scratch)
{
    require_fresh(rates.position_version == kin.position_version, function, "column_rates");
    require_size(function, "v_r", v_r.size(), kin.v.size());
    require_size(function, "a_r", a_r.size(), kin.v.size());
    require_size(function, "scratch", scratch.num_bodies(), kin.body.num_bodies());
}

// V_r = phi' V_r(p) + H* v_r,  A = phi' A(p) + H* a_r + H_dot* v_r
template <class S>
SWEEPDYN_INLINE void move_reference(const Kinematics<S>& kin, const ColumnRates<S>& rates, Index k,
                                    std::span<const S> v_r, std::span<const S> a_r,
                                    ReferenceMotions<S>& scratch)
{
    const BodyKinematics<S>& b = kin.body[k];
    Motion<S> V_r = scratch[b.parent].V_r, A = scratch[b.parent].A;
    if (b.shifts)
        V_r = PhiAdjoint<S>{b.l} * V_r, A = PhiAdjoint<S>{b.l} * A;
    for (Index j : b.dofs()) {
        V_r += v_r[j] * kin.H[j];
        A += a_r[j] * kin.H[j] + v_r[j] * rates.H_dot[j];
    }
    scratch[k].V_r = V_r;
    scratch[k].A = A;
}

// M A + Mbar V_r about the centre of mass, moments in the body's own axes: body_force with two velocities.
template <class S>
SWEEPDYN_INLINE Force<S> body_force(const Kinematics<S>& kin, Index k, const Motion<S>& V,
                                    const Motion<S>& V_r, const Motion<S>& A)
{
    const BodyKinematics<S>& b = kin.body[k];
    const Mat3<S>& R = b.X_WI.R;
    const Vec3<S> c = (b.X_WI.p - kin.r(k)) + R * b.com;
    // f = m (A.v + A.w x c + w_r x c_dot),  n = J A.w + w x (J - 1/2 tr(J) 1) w_r
    const Vec3<S> f = b.mass * add_cross(add_cross(A.v, A.w, c), V_r.w, add_cross(V.v, V.w, c));
    const Vec3<S> w = transpose_times(R, V.w), w_r = transpose_times(R, V_r.w);
    const Vec3<S> n = R * add_cross(b.inertia_com * transpose_times(R, A.w), w,
                                    b.inertia_com * w_r - (S(0.5) * b.inertia_com.trace()) * w_r);
    return {add_cross(n, c, f), f};
}
} // namespace detail

template <class S>
void passivity_inverse_dynamics(const Kinematics<S>& kin, const ColumnRates<S>& rates, std::span<const S> v_r,
                                std::span<const S> a_r, std::span<S> T, ReferenceMotions<S>& scratch,
                                std::span<const Force<S>> external = {})
{
    const char* const name = "passivity_inverse_dynamics";
    detail::require_reference<S>(name, kin, rates, v_r, a_r, scratch);
    require_size(name, "T", T.size(), kin.v.size());
    if (!external.empty())
        require_size(name, "external", external.size(), kin.body.num_bodies());
    scratch[ground] = {{}, kin.A0, {}};

    for (Index k : kin.tree().base_to_tip()) {
        detail::move_reference<S>(kin, rates, k, v_r, a_r, scratch);
        // f = M A + Mbar V_r - w
        scratch[k].f = detail::body_force(kin, k, kin.body[k].V, scratch[k].V_r, scratch[k].A);
        if (!external.empty())
            scratch[k].f -= external[k];
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Force<S> f = scratch[k].f;
        // T = H f + Ja a_r
        for (Index j : b.dofs())
            T[j] = dot(kin.H[j], f) + kin.armature[j] * a_r[j];
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * f : f; // phi f
    }
}

extern template void passivity_inverse_dynamics(const Kinematics<double>&, const ColumnRates<double>&,
                                                std::span<const double>, std::span<const double>,
                                                std::span<double>, ReferenceMotions<double>&,
                                                std::span<const Force<double>>);
extern template void passivity_inverse_dynamics(const Kinematics<float>&, const ColumnRates<float>&,
                                                std::span<const float>, std::span<const float>,
                                                std::span<float>, ReferenceMotions<float>&,
                                                std::span<const Force<float>>);

} // namespace sweepdyn
