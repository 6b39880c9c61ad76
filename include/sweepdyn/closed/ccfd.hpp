// The general closed-chain forward dynamics, CCFD: nothing but forward dynamics of the free arms is needed, of whatever make.
//
//     1  M v_dot_f + C = T,                        alpha_f(0) = J v_dot_f + Jdot v
//     2  Omega = J M^-1 J* + A M(C)^-1 A*,         Omega f(0) = alpha_f(0) + A M(C)^-1 b(C) - a(C)
//     3  M dv_dot + J* f(0) = 0
//     4  v_dot = v_dot_f + dv_dot                                                                        [003 II (4.9)]
//
// J M^-1 J* is found here by six solves with M per arm, each an O(n) sweep: O(l n) + O(l^3). RCCFD1 has it in O(n).
// Before: update(kin, q, v), update_inertias, articulate. No allocation. After: v_dot of the arms; arms.f, alpha, alpha_C, Omega.
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/closed/held_object.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"

namespace sweepdyn {

namespace detail {
// T = J* F of one frame.
template <class S>
void hinge_forces_of(const Kinematics<S>& kin, FrameId frame, const Force<S>& F, const S& sign,
                     std::span<S> T)
{
    const Vec3<S> tip = frame_pose(kin, frame).p;
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent)
        for (Index j : kin.body[k].dofs())
            T[j] += sign * dot(PhiAdjoint<S>{tip - kin.r(k)} * kin.H[j], F);
}
} // namespace detail

template <class S>
void ccfd(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
          std::span<const S> T, std::span<S> v_dot, ArmsOnObject<S>& arms)
{
    detail::place_grips(kin, object, arms);
    const int l = arms.num_arms(), n = 6 * l;
    // 1
    forward_dynamics<S>(kin, art, T, v_dot, arms.scratch);
    for (int i = 0; i < l; ++i)
        arms.rhs[i] = frame_acceleration<S>(kin, arms.grips[i].tip, v_dot);
    // 2, column by column: J M^-1 J* e
    for (int j = 0; j < l; ++j)
        for (int c = 0; c < 6; ++c) {
            const Force<S> e =
                c < 3 ? Force<S>{detail::unit3<S>(c), {}} : Force<S>{{}, detail::unit3<S>(c - 3)};
            for (S& x : arms.u)
                x = S(0);
            detail::hinge_forces_of<S>(kin, arms.grips[j].tip, e, S(1), arms.u);
            solve_mass_matrix<S>(kin, art, arms.u, arms.u, arms.scratch);
            for (int i = 0; i < l; ++i) {
                const Motion<S> A = detail::tip_motion(kin, arms, arms.scratch, i);
                S* out = arms.Omega.data() + static_cast<std::size_t>(6 * j + c) * n + 6 * i;
                for (int r = 0; r < 3; ++r) {
                    out[r] = A.w[r];
                    out[3 + r] = A.v[r];
                }
            }
        }
    detail::fill_omega(arms);
    const Motion<S> fall = detail::object_response(arms, arms.b);
    for (int i = 0; i < l; ++i)
        arms.rhs[i] += PhiAdjoint<S>{arms.l[i]} * fall - arms.a[i];
    detail::solve_contacts<S>(arms, arms.rhs, arms.f);
    // 3
    for (S& x : arms.u)
        x = S(0);
    for (int i = 0; i < l; ++i)
        detail::hinge_forces_of<S>(kin, arms.grips[i].tip, arms.f[i], S(-1), arms.u);
    solve_mass_matrix<S>(kin, art, arms.u, arms.u, arms.scratch);
    // 4
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] += arms.u[j];
    detail::move_object(arms);
    detail::move_tips<S>(kin, v_dot, arms);
}

extern template void ccfd(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                          std::span<const double>, std::span<double>, ArmsOnObject<double>&);

} // namespace sweepdyn
