// The Coriolis matrix C of passivity_inverse_dynamics: C v = bias forces without gravity, C + C' = M_dot.
//
//     tip to base:  Rbar(k) = Mbar(k) + sum over children phi(k,c) Rbar(c) phi'(k,c)
//     C(k,k) = H(k) X,   X = R(k) H_dot*(k) + Rbar(k) H*(k);     for every ancestor j of k:
//     C(j,k) = H(j) phi(j,k) X
//     C(k,j) = (phi(j,k) R(k) H*(k))' H_dot*(j) + (phi(j,k) Rbar'(k) H*(k))' H*(j)
//
// These are sums of J(k)* (M(k) J_dot(k) + Mbar(k) J(k)) over the bodies, gathered; armature adds nothing.
// Bodies on different branches have exactly zero. O(bodies + dofs * depth), no allocation. Before: column_rates,
// composite_inertias. Specified by tests/laws/passivity.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/kinematics/column_rates.hpp"
#include "sweepdyn/spatial/inertia_rate.hpp"

namespace sweepdyn {

template <class S>
struct CompositeBiasInertias {
    explicit CompositeBiasInertias(const Model& model)
    {
        const Vec3<S> nan = detail::poison3<S>();
        Rbar.assign(static_cast<std::size_t>(model.num_bodies()), {{nan, nan, nan}, nan});
    }
    std::vector<BiasInertia<S>> Rbar; // by coriolis_matrix; world axes, about the body's reference point
};

// `C` holds dofs x dofs numbers, column by column.
template <class S>
void coriolis_matrix(const Kinematics<S>& kin, const ColumnRates<S>& rates,
                     const CompositeInertias<S>& composite, std::span<S> C, CompositeBiasInertias<S>& scratch)
{
    detail::require_fresh(rates.position_version == kin.position_version, "coriolis_matrix", "column_rates");
    detail::require_fresh(composite.position_version == kin.position_version, "coriolis_matrix",
                          "composite_inertias");
    const Tree& tree = kin.tree();
    const auto n = static_cast<std::size_t>(tree.num_dofs());
    require_size("coriolis_matrix", "C", C.size(), n * n);
    require_size("coriolis_matrix", "scratch", scratch.Rbar.size(), kin.M.size());
    auto& Rbar = scratch.Rbar;

    for (Index k : tree.base_to_tip())
        Rbar[k] = bias_inertia(kin.M[k], kin.body[k].V);
    for (Index k : tree.tip_to_base())
        if (const Index parent = tree.parent[k]; parent != ground)
            Rbar[parent] += kin.body[k].shifts ? shift(Rbar[k], kin.body[k].l) : Rbar[k]; // phi Rbar phi'

    for (S& entry : C)
        entry = S(0);
    for (Index k : tree.base_to_tip())
        for (Index j : tree.dofs(k)) {
            Force<S> X = composite.R[k] * rates.H_dot[j] + Rbar[k] * kin.H[j]; // R H_dot* + Rbar H*
            Force<S> Y = composite.R[k] * kin.H[j]; // R H*
            const Vec3<S> moment = Rbar[k].transpose_moment(kin.H[j]); // Rbar' H*
            for (Index i : tree.dofs(k))
                C[j * n + i] = dot(kin.H[i], X);
            for (Index child = k, body = tree.parent[k]; body != ground;
                 child = body, body = tree.parent[body]) {
                if (kin.body[child].shifts)
                    X = Phi<S>{kin.body[child].l} * X, Y = Phi<S>{kin.body[child].l} * Y; // phi X, phi Y
                for (Index i : tree.dofs(body)) {
                    C[j * n + i] = dot(kin.H[i], X);
                    C[i * n + j] = dot(rates.H_dot[i], Y) + dot(kin.H[i].w, moment);
                }
            }
        }
}

extern template void coriolis_matrix(const Kinematics<double>&, const ColumnRates<double>&,
                                     const CompositeInertias<double>&, std::span<double>,
                                     CompositeBiasInertias<double>&);
extern template void coriolis_matrix(const Kinematics<float>&, const ColumnRates<float>&,
                                     const CompositeInertias<float>&, std::span<float>,
                                     CompositeBiasInertias<float>&);

} // namespace sweepdyn
