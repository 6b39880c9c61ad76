// Rates of the hinge columns: how H* changes while the mechanism moves.
//
//     H_dot*(k) = crm(V(k)) H*(k), step by step through the hinge            columns that are constant in the child
//               + sum over j of v(j) dH*/dq(j)                               and what a user's columns add
//
// World axes, about the body's reference point taken as standing still: H_dot* v = a(k), the bias acceleration.
// O(bodies + dofs), no allocation. Before: update(kin, q, v). Specified by tests/laws/passivity.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

template <class S>
struct ColumnRates {
    explicit ColumnRates(const Model& model)
        : H_dot(static_cast<std::size_t>(model.num_dofs()), {detail::poison3<S>(), detail::poison3<S>()})
    {
    }
    std::vector<Motion<S>> H_dot; // one per dof, world axes, about the body's reference point
    std::uint64_t position_version = 0;
};

namespace detail {
// + sum over j of v(j) dH*/dq(j), given in the axes and about the origin of the child.
template <class S>
void add_user_rates(const Kinematics<S>& kin, Index k, const Step<S>& step, std::span<Motion<S>> H_dot)
{
    const BodyKinematics<S>& b = kin.body[k];
    const auto n = static_cast<std::size_t>(step.num_dofs);
    Motion<S> dH[6];
    for (int j = 0; j < step.num_dofs; ++j) {
        step.user->template functions<S>().columns_derivative({kin.q.data() + step.first_coordinate, n}, j,
                                                              {dH, n});
        for (std::size_t i = 0; i < n; ++i)
            H_dot[i] +=
                kin.v[step.first_dof + j] * (PhiAdjoint<S>{kin.r(k) - b.X_WI.p} * rotate(b.X_WI.R, dH[i]));
    }
}
} // namespace detail

template <class S> void column_rates(const Kinematics<S>& kin, ColumnRates<S>& rates)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "column_rates", "update(kin, q, v)");
    require_size("column_rates", "rates", rates.H_dot.size(), kin.H.size());
    rates.position_version = kin.position_version;

    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> V = kin.body[b.parent].V;
        if (b.shifts)
            V = PhiAdjoint<S>{b.l} * V;
        for (Index i = b.first_step; i < b.end_step; ++i) {
            const Step<S>& step = kin.steps[i];
            const Up dofs{step.first_dof, step.first_dof + step.num_dofs};
            for (Index j : dofs)
                V += kin.v[j] * kin.H[j]; // of the frame after the step
            for (Index j : dofs)
                rates.H_dot[j] = crm(V) * kin.H[j];
            if (step.kind == StepKind::user)
                detail::add_user_rates<S>(kin, k, step,
                                          std::span(rates.H_dot).subspan(step.first_dof, step.num_dofs));
        }
    }
}

extern template void column_rates(const Kinematics<double>&, ColumnRates<double>&);
extern template void column_rates(const Kinematics<float>&, ColumnRates<float>&);

} // namespace sweepdyn
