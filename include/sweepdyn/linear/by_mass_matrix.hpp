// Linearized forward dynamics by way of the mass matrix: the conventional roads, for few dofs and for checking the others.
//
//     vector:    lambda = dT of the perturbation at dv_dot = 0,   dv_dot = M^-1 (dT - lambda)               [000 Algorithm 3]
//     matrices:  A_C = M^-1 A_D,   B_C = M^-1 B_D                                                           [000 Algorithm 4]
//
// O(dofs^3), no allocation. Before: column_derivatives, composite_inertias. Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_inverse_dynamics.hpp"
#include "sweepdyn/linear/perturb_inverse_dynamics.hpp"

namespace sweepdyn {

namespace detail {
// The inverse of a symmetric positive definite matrix in its place: Gauss and Jordan, column by column, no pivots needed.
template <class S> void invert_in_place(S* __restrict M, Index n)
{
    for (Index k = 0; k < n; ++k) {
        S* const pivot = M + k * n;
        const S scale = S(1) / pivot[k];
        pivot[k] = S(1);
        for (Index i = 0; i < n; ++i)
            pivot[i] *= scale;
        for (Index j = 0; j < n; ++j)
            if (j != k) {
                S* const column = M + j * n;
                const S factor = column[k];
                column[k] = S(0);
                for (Index i = 0; i < n; ++i)
                    column[i] -= factor * pivot[i];
            }
    }
    for (Index j = 0; j < n; ++j) // symmetric to the last bit
        for (Index i = j + 1; i < n; ++i)
            M[j * n + i] = M[i * n + j];
}
// out = A B
template <class S> void multiply(const S* A, const S* B, S* __restrict out, Index n, Index columns)
{
    for (Index j = 0; j < columns; ++j) {
        S* __restrict column = out + j * n;
        for (Index i = 0; i < n; ++i)
            column[i] = A[i] * B[j * n];
        for (Index k = 1; k < n; ++k) {
            const S factor = B[j * n + k];
            const S* from = A + k * n;
            for (Index i = 0; i < n; ++i)
                column[i] += factor * from[i];
        }
    }
}
} // namespace detail

template <class S>
struct ByMassMatrix {
    explicit ByMassMatrix(const Model& model)
        : loads(model),
          A_D(static_cast<std::size_t>(model.num_dofs()) * static_cast<std::size_t>(model.num_dofs())),
          B_D(A_D.size()),
          difference(static_cast<std::size_t>(model.num_dofs()))
    {
    }
    CompositeLoads<S> loads;
    std::vector<S> A_D, B_D, difference;
};

template <class S>
void perturb_forward_dynamics_by_mass_matrix(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                             const ColumnDerivatives<S>& d, std::span<const S> dq,
                                             std::span<const S> dv, std::span<const S> dT,
                                             std::span<S> dv_dot, Perturbations<S>& work,
                                             ByMassMatrix<S>& dense)
{
    const auto n = static_cast<Index>(kin.H.size());
    std::fill(dv_dot.begin(), dv_dot.end(), S(0));
    perturb_inverse_dynamics<S>(kin, d, dq, dv, dv_dot, dense.difference, work);
    for (Index i = 0; i < n; ++i)
        dense.difference[i] = dT[i] - dense.difference[i];
    mass_matrix<S>(kin, composite, dense.A_D);
    detail::invert_in_place(dense.A_D.data(), n);
    detail::multiply(dense.A_D.data(), dense.difference.data(), dv_dot.data(), n, 1);
}

template <class S>
void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<S>& kin,
                                                   const CompositeInertias<S>& composite,
                                                   const ColumnDerivatives<S>& d, std::span<S> M_inverse,
                                                   std::span<S> A_C, std::span<S> B_C, ByMassMatrix<S>& work)
{
    const auto n = static_cast<Index>(kin.H.size());
    for (std::span<S> matrix : {M_inverse, A_C, B_C})
        require_size("differentiate_forward_dynamics_by_mass_matrix", "M_inverse, A_C, B_C", matrix.size(),
                     work.A_D.size());
    differentiate_inverse_dynamics<S>(kin, composite, d, M_inverse, work.A_D, work.B_D, work.loads);
    detail::invert_in_place(M_inverse.data(), n);
    detail::multiply(M_inverse.data(), work.A_D.data(), A_C.data(), n, n);
    detail::multiply(M_inverse.data(), work.B_D.data(), B_C.data(), n, n);
}

extern template void perturb_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                             const CompositeInertias<double>&,
                                                             const ColumnDerivatives<double>&,
                                                             std::span<const double>, std::span<const double>,
                                                             std::span<const double>, std::span<double>,
                                                             Perturbations<double>&, ByMassMatrix<double>&);
extern template void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                                   const CompositeInertias<double>&,
                                                                   const ColumnDerivatives<double>&,
                                                                   std::span<double>, std::span<double>,
                                                                   std::span<double>, ByMassMatrix<double>&);

} // namespace sweepdyn
