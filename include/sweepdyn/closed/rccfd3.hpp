// RCCFD3: accelerations in two parts, one by the hinge forces with the tips held together, one by the motion. O(n) + O(l^3).
//
//     nu = D^-1 (I - H Psi L) T',   Omega and a' as in RCCFD2
//     zeta = Omega^-1 a',   g = Omega^-1 B* psi* H* nu,   f(0) = g - zeta
//     v_dot_1 = (I - H Psi L)* (nu - D^-1 H psi B g)
//     v_dot_2 = (I - H Psi L)* D^-1 H psi B zeta
//     v_dot = v_dot_1 + v_dot_2                                                                            [003 II (6.22)]
//
// Before: update(kin, q, v), update_inertias, articulate. No allocation. After: v_dot of the arms; arms.f, alpha, alpha_C, Omega.
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/closed/filter_sweeps.hpp"
#include "sweepdyn/closed/held_object.hpp"

namespace sweepdyn {

template <class S>
struct Rccfd3 {
    explicit Rccfd3(const Model& model, int arms)
        : g(static_cast<std::size_t>(arms)),
          zeta(static_cast<std::size_t>(arms)),
          nu(static_cast<std::size_t>(model.num_dofs())),
          zeros(static_cast<std::size_t>(model.num_dofs()), S(0)),
          v_dot_1(static_cast<std::size_t>(model.num_dofs())),
          v_dot_2(static_cast<std::size_t>(model.num_dofs()))
    {
    }
    std::vector<Force<S>> g, zeta;
    std::vector<S> nu, zeros, v_dot_1, v_dot_2;
};

template <class S>
void rccfd3(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
            std::span<const S> T, std::span<S> v_dot, ArmsOnObject<S>& arms, Rccfd3<S>& parts)
{
    require_size("rccfd3", "v_dot", v_dot.size(), kin.v.size());
    require_size("rccfd3", "parts", parts.g.size(), arms.grips.size());
    detail::place_grips(kin, object, arms);
    const int l = arms.num_arms();
    detail::bias_free<S>(kin, T, arms.u, arms.y, arms.scratch);
    for (Index k : kin.tree().base_to_tip())
        arms.scratch[k].f = {};
    whiten<S>(kin, art, arms.u, parts.nu, arms.scratch);
    for (std::size_t j = 0; j < parts.nu.size(); ++j)
        parts.nu[j] *= art.D_inverse[j];
    colour<S>(kin, art, parts.nu, parts.v_dot_1, arms.scratch);
    operational_space(kin, art, arms.space);
    detail::take_free_omega(arms);
    detail::fill_omega(arms);
    // g = Omega^-1 B* psi* H* nu
    for (int i = 0; i < l; ++i)
        arms.rhs[i] = detail::tip_motion(kin, arms, arms.scratch, i);
    detail::solve_contacts<S>(arms, arms.rhs, parts.g);
    // zeta = Omega^-1 a'
    const Motion<S> fall = detail::object_response(arms, arms.b);
    for (int i = 0; i < l; ++i)
        arms.rhs[i] =
            arms.a[i] - PhiAdjoint<S>{arms.l[i]} * fall - frame_acceleration<S>(kin, arms.grips[i].tip, {});
    detail::solve_contacts<S>(arms, arms.rhs, parts.zeta);
    for (int i = 0; i < l; ++i)
        arms.f[i] = parts.g[i] - parts.zeta[i];
    // v_dot_1
    detail::put_tip_forces<S>(kin, arms, parts.g, arms.scratch);
    whiten<S>(kin, art, parts.zeros, arms.eps, arms.scratch); // -H psi B g
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] = parts.nu[j] + art.D_inverse[j] * arms.eps[j];
    colour<S>(kin, art, arms.eps, parts.v_dot_1, arms.scratch);
    // v_dot_2
    detail::put_tip_forces<S>(kin, arms, parts.zeta, arms.scratch);
    whiten<S>(kin, art, parts.zeros, arms.eps, arms.scratch);
    for (std::size_t j = 0; j < arms.eps.size(); ++j)
        arms.eps[j] *= -art.D_inverse[j];
    colour<S>(kin, art, arms.eps, parts.v_dot_2, arms.scratch);
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] = parts.v_dot_1[j] + parts.v_dot_2[j];
    detail::move_object(arms);
    detail::move_tips<S>(kin, v_dot, arms);
}

extern template void rccfd3(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                            std::span<const double>, std::span<double>, ArmsOnObject<double>&,
                            Rccfd3<double>&);

} // namespace sweepdyn
