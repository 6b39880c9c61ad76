// RCCFD2: contact forces straight from the filtered hinge forces; the free accelerations are never formed. O(n) + O(l^3).
//
//     T' = T - C,   nu = D^-1 (I - H Psi L) T'
//     Omega = B* psi* H* D^-1 H psi B + A M(C)^-1 A*,   a' = a(C) - A M(C)^-1 b(C) - Jdot v
//     Omega f(0) = B* psi* H* nu - a'
//     v_dot = (I - H Psi L)* D^-1 {T' - H psi (S L T' + B f(0))}                     [003 II (6.18), the transpose of (6.18e) put right]
//
// Before: update(kin, q, v), update_inertias, articulate. No allocation. After: v_dot of the arms; arms.f, alpha, alpha_C, Omega.
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/closed/filter_sweeps.hpp"
#include "sweepdyn/closed/held_object.hpp"

namespace sweepdyn {

template <class S>
void rccfd2(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
            std::span<const S> T, std::span<S> v_dot, ArmsOnObject<S>& arms)
{
    detail::place_grips(kin, object, arms);
    const int l = arms.num_arms();
    detail::bias_free<S>(kin, T, arms.u, arms.y, arms.scratch); // T'
    for (Index k : kin.tree().base_to_tip())
        arms.scratch[k].f = {};
    whiten<S>(kin, art, arms.u, arms.eps, arms.scratch);
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] *= art.D_inverse[j]; // nu
    colour<S>(kin, art, arms.eps, v_dot, arms.scratch); // psi* H* nu
    operational_space(kin, art, arms.space);
    detail::take_free_omega(arms);
    detail::fill_omega(arms);
    const Motion<S> fall = detail::object_response(arms, arms.b);
    for (int i = 0; i < l; ++i) { // B* psi* H* nu - a'
        const Motion<S> a_prime =
            arms.a[i] - PhiAdjoint<S>{arms.l[i]} * fall - frame_acceleration<S>(kin, arms.grips[i].tip, {});
        arms.rhs[i] = detail::tip_motion(kin, arms, arms.scratch, i) - a_prime;
    }
    detail::solve_contacts<S>(arms, arms.rhs, arms.f);
    detail::put_tip_forces<S>(kin, arms, arms.f, arms.scratch);
    whiten<S>(kin, art, arms.u, arms.eps, arms.scratch); // T' - H psi (S L T' + B f)
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] *= art.D_inverse[j];
    colour<S>(kin, art, arms.eps, v_dot, arms.scratch);
    detail::move_object(arms);
    detail::move_tips<S>(kin, v_dot, arms);
}

extern template void rccfd2(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                            std::span<const double>, std::span<double>, ArmsOnObject<double>&);

} // namespace sweepdyn
