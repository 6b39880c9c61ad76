// Regressors: hinge forces are linear in the inertial parameters pi of model/inertial_parameters.hpp.
//
//     Y(q, v, v_dot) pi     = inverse_dynamics                                gravity included
//     Y(q, v, v_r, a_r) pi  = passivity_inverse_dynamics                      the same at v_r = v, a_r = v_dot
//
// Armature, damping, friction and external forces are not in pi, and not in Y: T = Y pi + Ja v_dot + passive - J* w.
// One body, in its own axes about the origin of its frame, with V = [w; u], V_r = [w_r; u_r], A = [al; a]:
//     a0 = a + w_r x u                                                        the reference acceleration of the origin
//     f  = m a0 + (al~ + w_r~ w~) m c
//     n  = m c x a0 + J al + w x (J - 1/2 tr(J) 1) w_r                        = M A + Mbar V_r
// and Y(j,k) = H(j) phi(j,k) [n; f](k) for every hinge j that carries body k; the others are exactly zero.
// O(bodies * dofs on the way to the ground), no allocation. Specified by tests/laws/regressor.cpp.
#pragma once

#include <array>

#include "sweepdyn/dynamics/passivity_inverse_dynamics.hpp"
#include "sweepdyn/model/inertial_parameters.hpp"

namespace sweepdyn {

// The force on one body, column by column of pi: m, mx my mz, Jxx Jxy Jxz Jyy Jyz Jzz. In the axes and about the point of V.
template <class S>
using BodyRegressor = std::array<Force<S>, parameters_per_body>;

template <class S>
BodyRegressor<S> body_regressor(const Motion<S>& V, const Motion<S>& V_r, const Motion<S>& A)
{
    const Vec3<S> none{}, x{S(1), S(0), S(0)}, y{S(0), S(1), S(0)}, z{S(0), S(0), S(1)};
    const Vec3<S> a0 = add_cross(A.v, V_r.w, V.v);
    const auto first = [&](const Vec3<S>& e) -> Force<S> { // e x a0; (al~ + w_r~ w~) e
        return {cross(e, a0), add_cross(cross(A.w, e), V_r.w, cross(V.w, e))};
    };
    // J al + w x J w_r of a unit in J that takes a vector to `of` it ...
    const auto product = [&](const auto& of) -> Force<S> {
        return {add_cross(of(A.w), V.w, of(V_r.w)), none};
    };
    const auto diagonal = [&](const Vec3<S>& e) { // ... less w x w_r / 2 where it is on the diagonal
        return product([&](const Vec3<S>& b) { return dot(e, b) * e; }) -
               Force<S>{S(0.5) * cross(V.w, V_r.w), none};
    };
    const auto off_diagonal = [&](const Vec3<S>& d, const Vec3<S>& e) {
        return product([&](const Vec3<S>& b) { return dot(e, b) * d + dot(d, b) * e; });
    };
    return {Force<S>{none, a0}, first(x),           first(y),    first(z),           diagonal(x),
            off_diagonal(x, y), off_diagonal(x, z), diagonal(y), off_diagonal(y, z), diagonal(z)};
}

namespace detail {
// The ten columns of body k, in all rows of the hinges that carry it.
template <class S>
void regressor_columns(const Kinematics<S>& kin, Index k, const Motion<S>& V_r, const Motion<S>& A,
                       std::span<S> Y)
{
    const Pose<S> X_WB = kin.X_WB(k);
    // From a body's reference point, in world axes, to the axes and origin of body k's frame.
    const auto seen = [&](Index from, const Motion<S>& X) {
        return rotate_back(X_WB.R, PhiAdjoint<S>{X_WB.p - kin.r(from)} * X);
    };
    const BodyRegressor<S> F = body_regressor(seen(k, kin.body[k].V), seen(k, V_r), seen(k, A));
    const std::size_t n = kin.H.size();
    for (Index body = k; body != ground; body = kin.body[body].parent)
        for (Index i : kin.body[body].dofs()) {
            const Motion<S> H = seen(body, kin.H[i]);
            S* const row = Y.data() + static_cast<std::size_t>(k * parameters_per_body) * n + i;
            row[0] = dot(H.v, F[0].f); // a mass at the origin has no moment
            for (std::size_t c = 1; c < 4; ++c)
                row[c * n] = dot(H, F[c]);
            for (std::size_t c = 4; c < 10; ++c)
                row[c * n] = dot(H.w, F[c].n); // inertia alone needs no force
        }
}
template <class S>
void require_regressor(const char* function, const Kinematics<S>& kin, std::span<const S> Y)
{
    require_size(function, "Y", Y.size(), kin.H.size() * parameters_per_body * kin.M.size());
}
} // namespace detail

// `Y` holds dofs x (10 bodies) numbers, column by column. Before: update(kin, q, v). After: the pseudo-accelerations in
// scratch.
template <class S>
void regressor(const Kinematics<S>& kin, std::span<const S> v_dot, std::span<S> Y, BodyForces<S>& scratch)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "regressor", "update(kin, q, v)");
    detail::require_sizes<S>("regressor", kin, v_dot, v_dot, scratch, {});
    detail::require_regressor<S>("regressor", kin, Y);
    scratch.reaction_version = 0; // no forces here
    scratch[ground].A = kin.A0;
    for (S& entry : Y)
        entry = S(0);
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        // A = phi' A(p) + a + H* v_dot
        Motion<S> A = b.a + (b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A);
        for (Index j : b.dofs())
            A += v_dot[j] * kin.H[j];
        scratch[k].A = A;
        detail::regressor_columns(kin, k, b.V, A, Y);
    }
}

// Before: update(kin, q, v), column_rates. After: V_r and A in scratch.
template <class S>
void passivity_regressor(const Kinematics<S>& kin, const ColumnRates<S>& rates, std::span<const S> v_r,
                         std::span<const S> a_r, std::span<S> Y, ReferenceMotions<S>& scratch)
{
    detail::require_reference<S>("passivity_regressor", kin, rates, v_r, a_r, scratch);
    detail::require_regressor<S>("passivity_regressor", kin, Y);
    scratch[ground] = {{}, kin.A0, {}};
    for (S& entry : Y)
        entry = S(0);
    for (Index k : kin.tree().base_to_tip()) {
        detail::move_reference<S>(kin, rates, k, v_r, a_r, scratch);
        detail::regressor_columns(kin, k, scratch[k].V_r, scratch[k].A, Y);
    }
}

extern template void regressor(const Kinematics<double>&, std::span<const double>, std::span<double>,
                               BodyForces<double>&);
extern template void regressor(const Kinematics<float>&, std::span<const float>, std::span<float>,
                               BodyForces<float>&);
extern template void passivity_regressor(const Kinematics<double>&, const ColumnRates<double>&,
                                         std::span<const double>, std::span<const double>, std::span<double>,
                                         ReferenceMotions<double>&);
extern template void passivity_regressor(const Kinematics<float>&, const ColumnRates<float>&,
                                         std::span<const float>, std::span<const float>, std::span<float>,
                                         ReferenceMotions<float>&);

} // namespace sweepdyn
