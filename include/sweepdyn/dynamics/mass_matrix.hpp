// The mass matrix from composite inertias.
//
//     M(k,k) = H(k) R(k) H*(k) + Ja,    M(j,k) = H(j) phi(j,k) R(k) H*(k) for every ancestor j of k     [001; I12]
//
// Pairs of bodies on different branches are exactly zero. O(dofs * depth), no allocation. Before: composite inertias.
// The matrix is dense, symmetric, so its storage order does not matter. Specified by tests/laws/mass_matrix.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"

namespace sweepdyn {

// `mass` holds dofs x dofs numbers.
template <class S> void mass_matrix(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                    std::span<S> mass)
{
    detail::require_fresh(composite.position_version == kin.position_version, "mass_matrix",
                          "composite_inertias");
    const Tree& tree = kin.tree();
    const auto n = static_cast<std::size_t>(tree.num_dofs());
    require_size("mass_matrix", "mass", mass.size(), n * n);

    for (S& entry : mass)
        entry = S(0);
    for (Index k : tree.base_to_tip())
        for (Index j : tree.dofs(k)) {
            Force<S> X = composite.R[k] * kin.H[j]; // R H*
            for (Index i = tree.first_dof[k]; i <= j; ++i)
                mass[j * n + i] = mass[i * n + j] = dot(kin.H[i], X);
            mass[j * n + j] += kin.armature[j];
            for (Index child = k, body = tree.parent[k]; body != ground;
                 child = body, body = tree.parent[body]) {
                if (kin.body[child].shifts)
                    X = Phi<S>{kin.body[child].l} * X; // phi X
                for (Index i : tree.dofs(body))
                    mass[j * n + i] = mass[i * n + j] = dot(kin.H[i], X);
            }
        }
}

// trace M = sum of H(k) R(k) H*(k) + Ja, in O(bodies + dofs).
template <class S> S mass_matrix_trace(const Kinematics<S>& kin, const CompositeInertias<S>& composite)
{
    detail::require_fresh(composite.position_version == kin.position_version, "mass_matrix_trace",
                          "composite_inertias");
    S trace(0);
    for (Index k : kin.tree().base_to_tip())
        for (Index j : kin.tree().dofs(k))
            trace += dot(kin.H[j], composite.R[k] * kin.H[j]) + kin.armature[j];
    return trace;
}

extern template void mass_matrix(const Kinematics<double>&, const CompositeInertias<double>&,
                                 std::span<double>);
extern template void mass_matrix(const Kinematics<float>&, const CompositeInertias<float>&, std::span<float>);

} // namespace sweepdyn
