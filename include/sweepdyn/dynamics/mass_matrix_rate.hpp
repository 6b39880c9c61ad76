// The rate of the mass matrix, M_dot, along the motion.
//
//     tip to base:  R_dot(k) = S[V] M + M S[V]' + sum over children phi(k,c) R_dot(c) phi'(k,c)
//     X = R_dot(k) H*(k) + R(k) H_dot*(k),   Y = R(k) H*(k);     for k itself and every ancestor j:
//     M_dot(j,k) = H(j) phi(j,k) X + H_dot(j) phi(j,k) Y
//
// It is the product rule on M(j,k) = H(j) phi(j,k) R(k) H*(k), about points that stand still, where phi does not change.
// Bodies on different branches have exactly zero. The matrix is symmetric, so its storage order does not matter.
// O(bodies + dofs * depth), no allocation. Before: column_rates, composite_inertias. Specified by tests/laws/passivity.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/kinematics/column_rates.hpp"
#include "sweepdyn/spatial/inertia_rate.hpp"

namespace sweepdyn {

template <class S>
struct CompositeInertiaRates {
    explicit CompositeInertiaRates(const Model& model)
    {
        const S nan = detail::poison<S>();
        R_dot.assign(static_cast<std::size_t>(model.num_bodies()),
                     {nan, detail::poison3<S>(), {nan, nan, nan, nan, nan, nan}});
    }
    std::vector<Inertia<S>> R_dot; // by mass_matrix_rate; world axes, about the body's reference point
};

// `M_dot` holds dofs x dofs numbers.
template <class S>
void mass_matrix_rate(const Kinematics<S>& kin, const ColumnRates<S>& rates,
                      const CompositeInertias<S>& composite, std::span<S> M_dot,
                      CompositeInertiaRates<S>& scratch)
{
    detail::require_fresh(rates.position_version == kin.position_version, "mass_matrix_rate", "column_rates");
    detail::require_fresh(composite.position_version == kin.position_version, "mass_matrix_rate",
                          "composite_inertias");
    const Tree& tree = kin.tree();
    const auto n = static_cast<std::size_t>(tree.num_dofs());
    require_size("mass_matrix_rate", "M_dot", M_dot.size(), n * n);
    require_size("mass_matrix_rate", "scratch", scratch.R_dot.size(), kin.M.size());
    auto& R_dot = scratch.R_dot;

    for (Index k : tree.base_to_tip())
        R_dot[k] = inertia_rate(kin.M[k], kin.body[k].V);
    for (Index k : tree.tip_to_base())
        if (const Index parent = tree.parent[k]; parent != ground)
            R_dot[parent] += kin.body[k].shifts ? shift(R_dot[k], kin.body[k].l) : R_dot[k]; // phi R_dot phi'

    for (S& entry : M_dot)
        entry = S(0);
    for (Index k : tree.base_to_tip())
        for (Index j : tree.dofs(k)) {
            Force<S> X = R_dot[k] * kin.H[j] + composite.R[k] * rates.H_dot[j]; // R_dot H* + R H_dot*
            Force<S> Y = composite.R[k] * kin.H[j]; // R H*
            for (Index i = tree.first_dof[k]; i <= j; ++i)
                M_dot[j * n + i] = M_dot[i * n + j] = dot(kin.H[i], X) + dot(rates.H_dot[i], Y);
            for (Index child = k, body = tree.parent[k]; body != ground;
                 child = body, body = tree.parent[body]) {
                if (kin.body[child].shifts)
                    X = Phi<S>{kin.body[child].l} * X, Y = Phi<S>{kin.body[child].l} * Y; // phi X, phi Y
                for (Index i : tree.dofs(body))
                    M_dot[j * n + i] = M_dot[i * n + j] = dot(kin.H[i], X) + dot(rates.H_dot[i], Y);
            }
        }
}

extern template void mass_matrix_rate(const Kinematics<double>&, const ColumnRates<double>&,
                                      const CompositeInertias<double>&, std::span<double>,
                                      CompositeInertiaRates<double>&);
extern template void mass_matrix_rate(const Kinematics<float>&, const ColumnRates<float>&,
                                      const CompositeInertias<float>&, std::span<float>,
                                      CompositeInertiaRates<float>&);

} // namespace sweepdyn
