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
#include "sweepdyn/spatial/lanes.hpp"

namespace sweepdyn {

namespace detail {
// Columns are kept `stride` numbers apart, a multiple of the SIMD pack: what is behind their n numbers is never read.
// to = keep to + x a + y b
template <bool keep, class S>
void add_columns(S* __restrict to, const S* __restrict a, const S& x, const S* __restrict b, const S& y,
                 Index stride)
{
    const Index end = Lanes<S>::round_up(stride);
    for (Index i = 0; i < end; ++i)
        to[i] = (keep ? to[i] : S(0)) + x * a[i] + y * b[i];
}
template <class S> void add_column(S* __restrict to, const S* __restrict a, const S& x, Index stride)
{
    const Index end = Lanes<S>::round_up(stride);
    for (Index i = 0; i < end; ++i)
        to[i] += x * a[i];
}
// The inverse of a symmetric positive definite matrix in its place: Gauss and Jordan, column by column, no pivots needed.
template <class S> void invert_in_place(S* M, Index n, Index stride)
{
    for (Index k = 0; k < n; ++k) {
        S* const pivot = M + k * stride;
        const S scale = S(1) / pivot[k];
        pivot[k] = S(1);
        for (Index i = 0; i < Lanes<S>::round_up(stride); ++i)
            pivot[i] *= scale;
        for (Index j = 0; j < n; ++j)
            if (j != k) {
                S* const column = M + j * stride;
                const S factor = -column[k];
                column[k] = S(0);
                add_column(column, pivot, factor, stride);
            }
    }
}
// out = A b, of stride numbers.
template <class S> void multiply(const S* A, const S* b, S* out, Index n, Index stride)
{
    if (n % 2 == 1) { // two columns at a time
        for (Index i = 0; i < stride; ++i)
            out[i] = b[0] * A[i];
        A += stride, ++b;
    } else if (n > 0) {
        add_columns<false>(out, A, b[0], A + stride, b[1], stride);
        A += 2 * stride, b += 2, n -= 2;
    }
    for (Index k = 0; k + 1 < n; k += 2)
        add_columns<true>(out, A + k * stride, b[k], A + (k + 1) * stride, b[k + 1], stride);
}
} // namespace detail

template <class S>
struct ByMassMatrix {
    explicit ByMassMatrix(const Model& model)
        : loads(model),
          stride(Lanes<S>::round_up(model.num_dofs())),
          mass(static_cast<std::size_t>(model.num_dofs()) * static_cast<std::size_t>(model.num_dofs())),
          A_D(mass.size()),
          B_D(mass.size()),
          inverse(static_cast<std::size_t>(stride * model.num_dofs())),
          column(static_cast<std::size_t>(stride)),
          difference(static_cast<std::size_t>(model.num_dofs()))
    {
    }
    CompositeLoads<S> loads;
    Index stride;
    std::vector<S> mass, A_D, B_D, inverse, column, difference;

    // inverse = mass^-1
    void invert()
    {
        const auto n = static_cast<Index>(difference.size());
        for (Index j = 0; j < n; ++j)
            std::copy(mass.begin() + j * n, mass.begin() + (j + 1) * n, inverse.begin() + j * stride);
        detail::invert_in_place(inverse.data(), n, stride);
        for (Index j = 0; j < n; ++j) // symmetric to the last bit
            for (Index i = j + 1; i < n; ++i)
                inverse[j * stride + i] = inverse[i * stride + j];
    }
    // out = inverse of each column of `matrix`
    void solve(std::span<const S> matrix, std::span<S> out)
    {
        const auto n = static_cast<Index>(difference.size());
        for (Index j = 0; j * n < static_cast<Index>(matrix.size()); ++j) {
            // What is behind a column is the next one's, yet to come.
            const bool room = static_cast<std::size_t>(j * n + stride) <= out.size();
            detail::multiply(inverse.data(), matrix.data() + j * n, room ? out.data() + j * n : column.data(),
                             n, stride);
            if (!room)
                std::copy(column.begin(), column.begin() + n, out.begin() + j * n);
        }
    }
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
    mass_matrix<S>(kin, composite, dense.mass);
    dense.invert();
    dense.solve(dense.difference, dv_dot);
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
    differentiate_inverse_dynamics<S>(kin, composite, d, work.mass, work.A_D, work.B_D, work.loads);
    work.invert();
    for (Index j = 0; j < n; ++j)
        std::copy(work.inverse.begin() + j * work.stride, work.inverse.begin() + j * work.stride + n,
                  M_inverse.begin() + j * n);
    work.solve(work.A_D, A_C);
    work.solve(work.B_D, B_C);
}

extern template void perturb_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                             const CompositeInertias<double>&,
                                                             const ColumnDerivatives<double>&,
                                                             std::span<const double>, std::span<const double>,
                                                             std::span<const double>, std::span<double>,
                                                             Perturbations<double>&, ByMassMatrix<double>&);
extern template void perturb_forward_dynamics_by_mass_matrix(const Kinematics<float>&,
                                                             const CompositeInertias<float>&,
                                                             const ColumnDerivatives<float>&,
                                                             std::span<const float>, std::span<const float>,
                                                             std::span<const float>, std::span<float>,
                                                             Perturbations<float>&, ByMassMatrix<float>&);
extern template void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                                   const CompositeInertias<double>&,
                                                                   const ColumnDerivatives<double>&,
                                                                   std::span<double>, std::span<double>,
                                                                   std::span<double>, ByMassMatrix<double>&);
extern template void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<float>&,
                                                                   const CompositeInertias<float>&,
                                                                   const ColumnDerivatives<float>&,
                                                                   std::span<float>, std::span<float>,
                                                                   std::span<float>, ByMassMatrix<float>&);

} // namespace sweepdyn
