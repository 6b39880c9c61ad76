// RCCFD1: the general closed-chain forward dynamics in sweeps, O(n) + O(l^3).
//
//     1  T' = T - C,   v_dot_f = (I - H Psi L)* D^-1 (I - H Psi L) T',   alpha_f(0) = J v_dot_f + Jdot v
//     2  Omega = B* psi* H* D^-1 H psi B + A M(C)^-1 A*,   Omega f(0) = alpha_f(0) + A M(C)^-1 b(C) - a(C)
//     3  dv_dot = -(I - H Psi L)* D^-1 H psi B f(0)
//     4  v_dot = v_dot_f + dv_dot                                                    [003 II (6.11), signs of (6.11g) put right]
//
// Before: update(kin, q, v), update_inertias, articulate. No allocation. After: v_dot of the arms; arms.f, alpha, alpha_C, Omega.
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/closed/filter_sweeps.hpp"
#include "sweepdyn/closed/held_object.hpp"

namespace sweepdyn {

template <class S>
void rccfd1(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
            std::span<const S> T, std::span<S> v_dot, ArmsOnObject<S>& arms)
{
    detail::place_grips(kin, object, arms);
    const int l = arms.num_arms();
    // 1
    detail::bias_free<S>(kin, T, arms.u, arms.y, arms.scratch);
    for (Index k : kin.tree().base_to_tip())
        arms.scratch[k].f = {};
    whiten<S>(kin, art, arms.u, arms.eps, arms.scratch);
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] *= art.D_inverse[j];
    colour<S>(kin, art, arms.eps, v_dot, arms.scratch);
    // 2
    operational_space(kin, art, arms.space);
    detail::take_free_omega(arms);
    detail::fill_omega(arms);
    const Motion<S> fall = detail::object_response(arms, arms.b);
    for (int i = 0; i < l; ++i)
        arms.rhs[i] = frame_acceleration<S>(kin, arms.grips[i].tip, v_dot) + PhiAdjoint<S>{arms.l[i]} * fall -
                      arms.a[i];
    detail::solve_contacts<S>(arms, arms.rhs, arms.f);
    // 3
    detail::put_tip_forces<S>(kin, arms, arms.f, arms.scratch);
    for (S& x : arms.u)
        x = S(0);
    whiten<S>(kin, art, arms.u, arms.eps, arms.scratch); // -H psi B f
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] *= art.D_inverse[j];
    colour<S>(kin, art, arms.eps, arms.y, arms.scratch);
    // 4
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] += arms.y[j];
    detail::move_object(arms);
    detail::move_tips<S>(kin, v_dot, arms);
}

extern template void rccfd1(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                            std::span<const double>, std::span<double>, ArmsOnObject<double>&);

} // namespace sweepdyn
