// The rates of the columns of H*, as seen in the body that the hinge carries.
//
//     H'(j) = d/dt H*(j) - crm(V(k)) H*(j)
//
// Zero where the columns are constant in the child: of every hinge that is one step. A step before the last sees the child move on
// without it, H' = -crm(later steps) H*; a user's columns change by their own derivatives, H' += sum v_i dH*/dq_i. So
// sum v_j H'(j) = a(k) - crm(V(k)) H* v.
// O(dofs of the hinge, squared). Before: update(kin, q, v). Specified by tests/laws/diagonal_dynamics.cpp.
#pragma once

#include <array>

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

// World axes, about the reference point of body k, whose hinge has at most six dofs. Says whether they are any but zero by kind.
template <class S> bool column_rates(const Kinematics<S>& kin, Index k, std::array<Motion<S>, 6>& rates)
{
    const BodyKinematics<S>& b = kin.body[k];
    rates.fill({});
    if (b.end_step - b.first_step == 1 && kin.steps[b.first_step].kind != StepKind::user)
        return false;
    Motion<S> later{};
    for (Index i = b.end_step - 1; i >= b.first_step; --i) {
        const Step<S>& step = kin.steps[i];
        Motion<S>* rate = rates.data() + (step.first_dof - b.first_dof);
        if (i + 1 < b.end_step) // -crm(later) H*
            for (int j = 0; j < step.num_dofs; ++j)
                rate[j] -= crm(later) * kin.H[step.first_dof + j];
        for (int j = 0; j < step.num_dofs; ++j)
            later += kin.v[step.first_dof + j] * kin.H[step.first_dof + j];
        if (step.kind == StepKind::user) { // sum v_i dH*/dq_i, from the axes and origin of the moving frame
            const auto n = static_cast<std::size_t>(step.num_dofs);
            const Pose<S>& X = kin.X_WI_steps[i];
            std::array<Motion<S>, 6> dH;
            for (int m = 0; m < step.num_dofs; ++m) {
                step.user->template functions<S>().columns_derivative(
                    {kin.q.data() + step.first_coordinate, n}, m, {dH.data(), n});
                for (std::size_t j = 0; j < n; ++j)
                    rate[j] +=
                        kin.v[step.first_dof + m] * (PhiAdjoint<S>{kin.r(k) - X.p} * rotate(X.R, dH[j]));
            }
        }
    }
    return true;
}

} // namespace sweepdyn
