// The derivatives of the hinge forces, dT = M dv_dot + A_D dv + B_D dq, as matrices.                 [000 Algorithm 2]
//
//     tip to base:  R = M + sum over children phi R phi',   Rbar = Mbar + sum phi Rbar phi',   Rw = We + sum phi Rw phi'
//     X = R H*,   XA = R Hs + 2 Rbar H*,   XB = R Hdd + 2 Rbar Hd - Rw H*,   Xt = 2 Rbar' H*,   Xw = Rw' H*
//     M(k,k) = H X + Ja,  A_D(k,k) = H XA,  B_D(k,k) = H XB;    for every ancestor j of k, everything shifted to j:
//     M(j,k) = H(j) X        A_D(j,k) = H(j) XA                          B_D(j,k) = H(j) (XB + Fh(k))
//     M(k,j) = M(j,k)        A_D(k,j) = X* Hs(j) + Xt* H(j)              B_D(k,j) = X* Hdd(j) + Xt* Hd(j) - Xw* H(j)
// and N is added to B_D. Bodies on different branches have exactly zero.
//
// O(bodies + dofs * depth), no allocation. Before: column_derivatives, composite_inertias.
// Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/coriolis_matrix.hpp"
#include "sweepdyn/linear/column_derivatives.hpp"

namespace sweepdyn {

template <class S>
struct CompositeLoads {
    explicit CompositeLoads(const Model& model)
        : bias(model),
          Rw(static_cast<std::size_t>(model.num_bodies()))
    {
    }
    CompositeBiasInertias<S> bias;
    std::vector<BiasInertia<S>> Rw;
};

namespace detail {
template <class S>
void gather_bias(const Kinematics<S>& kin, std::span<const BiasInertia<S>> own,
                 std::vector<BiasInertia<S>>& sum)
{
    std::copy(own.begin(), own.end(), sum.begin());
    for (Index k : kin.tree().tip_to_base())
        if (const BodyKinematics<S>& b = kin.body[k]; b.parent != ground)
            sum[b.parent] += b.shifts ? shift(sum[k], b.l) : sum[k];
}
} // namespace detail

// dofs x dofs numbers each, column by column.
template <class S>
void differentiate_inverse_dynamics(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                    const ColumnDerivatives<S>& d, std::span<S> mass, std::span<S> A_D,
                                    std::span<S> B_D, CompositeLoads<S>& work)
{
    detail::require_fresh(d.position_version == kin.position_version, "differentiate_inverse_dynamics",
                          "column_derivatives");
    detail::require_fresh(composite.position_version == kin.position_version,
                          "differentiate_inverse_dynamics", "composite_inertias");
    const Tree& tree = kin.tree();
    const auto n = static_cast<std::size_t>(tree.num_dofs());
    for (std::span<S> matrix : {mass, A_D, B_D}) {
        require_size("differentiate_inverse_dynamics", "mass, A_D, B_D", matrix.size(), n * n);
        for (S& entry : matrix)
            entry = S(0);
    }
    const bool loads = !d.We.empty();
    detail::gather_bias<S>(kin, d.M_bar, work.bias.Rbar);
    if (loads)
        detail::gather_bias<S>(kin, d.We, work.Rw);

    for (Index k : tree.base_to_tip())
        for (Index j : tree.dofs(static_cast<int>(k))) {
            const Motion<S>&H = kin.H[j], &Hd = d.Hd[j];
            const Inertia<S>& R = composite.R[k];
            const BiasInertia<S>& Rbar = work.bias.Rbar[k];
            const Force<S> RbarH = Rbar * H, RbarHd = Rbar * Hd;
            Force<S> X = R * H, XA = R * d.Hs[j] + RbarH + RbarH, XB = R * d.Hdd[j] + RbarHd + RbarHd;
            const Vec3<S> Xt = S(2) * Rbar.transpose_moment(H);
            Vec3<S> Xw{};
            if (loads) {
                XB -= work.Rw[k] * H;
                Xw = work.Rw[k].transpose_moment(H);
            }
            mass[j * n + j] = dot(H, X) + kin.armature[j];
            A_D[j * n + j] = dot(H, XA);
            B_D[j * n + j] = dot(H, XB);
            XB += d.Fh[j];
            const auto pair = [&](Index i) {
                mass[j * n + i] = mass[i * n + j] = dot(kin.H[i], X);
                A_D[j * n + i] = dot(kin.H[i], XA);
                B_D[j * n + i] = dot(kin.H[i], XB);
                A_D[i * n + j] = dot(d.Hs[i], X) + dot(kin.H[i].w, Xt);
                B_D[i * n + j] = dot(d.Hdd[i], X) + dot(d.Hd[i].w, Xt) - dot(kin.H[i].w, Xw);
            };
            for (Index i = tree.first_dof[k]; i < j; ++i) // inner columns of the same hinge
                pair(i);
            for (Index child = k, body = tree.parent[k]; body != ground;
                 child = body, body = tree.parent[body]) {
                if (kin.body[child].shifts) {
                    const Phi<S> phi{kin.body[child].l};
                    X = phi * X, XA = phi * XA, XB = phi * XB;
                }
                for (Index i : tree.dofs(static_cast<int>(body)))
                    pair(i);
            }
        }
    for (const auto& [i, j, N] : d.mends)
        B_D[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(i)] += N;
}

extern template void differentiate_inverse_dynamics(const Kinematics<double>&,
                                                    const CompositeInertias<double>&,
                                                    const ColumnDerivatives<double>&, std::span<double>,
                                                    std::span<double>, std::span<double>,
                                                    CompositeLoads<double>&);
extern template void differentiate_inverse_dynamics(const Kinematics<float>&, const CompositeInertias<float>&,
                                                    const ColumnDerivatives<float>&, std::span<float>,
                                                    std::span<float>, std::span<float>,
                                                    CompositeLoads<float>&);

} // namespace sweepdyn
