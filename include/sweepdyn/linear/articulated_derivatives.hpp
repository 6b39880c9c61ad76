// The articulated counterparts of Mbar and We, and what forward dynamics makes of the columns.        [000 (4.16), corrected]
//
//     tip to base, column by column:   Phat = Mbar + sum over children phi tbar Phat,   tbar = I - G H
//         Ghat = Phat' H* D^-1,   YA = P Hs + 2 Phat H*,   YB = P Hdd + 2 Phat Hd + Fh - Pw H*
// and likewise Pw, Gw from We. Phat takes an angular velocity to a force and has no other half, so it is six by three.
//
// O(bodies + dofs), no allocation after construction. Before: articulate, column_derivatives.
// Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/linear/column_derivatives.hpp"

namespace sweepdyn {

// A linear map from three numbers to spatial vectors, by its columns.
template <class Column>
struct Columns3 {
    Column x{}, y{}, z{};

    SWEEPDYN_INLINE Columns3& operator+=(const Columns3& b) { return x += b.x, y += b.y, z += b.z, *this; }
    // + a b'
    template <class S> SWEEPDYN_INLINE void add_outer(const Column& a, const Vec3<S>& b)
    {
        x += b.x * a, y += b.y * a, z += b.z * a;
    }
    template <class S> friend SWEEPDYN_INLINE Column operator*(const Columns3& A, const Vec3<S>& b)
    {
        return b.x * A.x + b.y * A.y + b.z * A.z;
    }
    // A' b
    template <class Other> friend SWEEPDYN_INLINE auto transpose_times(const Columns3& A, const Other& b)
    {
        return Vec3{dot(A.x, b), dot(A.y, b), dot(A.z, b)};
    }
};

template <class S> SWEEPDYN_INLINE Columns3<Force<S>> shift(const Columns3<Force<S>>& A, const Vec3<S>& l)
{
    return {Phi<S>{l} * A.x, Phi<S>{l} * A.y, Phi<S>{l} * A.z};
}
template <class S> SWEEPDYN_INLINE void add(Columns3<Force<S>>& A, const BiasInertia<S>& B)
{
    A.x.n += B.L.x, A.y.n += B.L.y, A.z.n += B.L.z; // [L; -p~]
    A.x.f.y -= B.p.z, A.x.f.z += B.p.y, A.y.f.x += B.p.z;
    A.y.f.z -= B.p.x, A.z.f.x -= B.p.y, A.z.f.y += B.p.x;
}

template <class S> SWEEPDYN_INLINE Columns3<Force<S>> columns(const BiasInertia<S>& B)
{
    return {{B.L.x, {S(0), -B.p.z, B.p.y}}, {B.L.y, {B.p.z, S(0), -B.p.x}}, {B.L.z, {-B.p.y, B.p.x, S(0)}}};
}

template <class S>
struct ArticulatedDerivatives {
    explicit ArticulatedDerivatives(const Model& model)
        : P_hat(static_cast<std::size_t>(model.num_bodies())),
          P_w(P_hat.size()),
          G_hat(static_cast<std::size_t>(model.num_dofs())),
          G_w(G_hat.size()),
          YA(G_hat.size()),
          YB(G_hat.size())
    {
    }
    std::vector<Columns3<Force<S>>> P_hat, P_w; // per body: what its children hand down
    std::vector<Vec3<S>> G_hat, G_w; // per dof
    std::vector<Force<S>> YA, YB; // per dof
    std::uint64_t position_version = 0;
};

namespace detail {
template <class S>
SWEEPDYN_INLINE void hand_down(const Tree& tree, const BodyKinematics<S>& b, Index k, Columns3<Force<S>> A,
                               std::vector<Columns3<Force<S>>>& sum)
{
    if (b.parent == ground)
        return;
    if (b.shifts)
        A = shift(A, b.l);
    if (tree.is_last_child[k])
        sum[b.parent] = A; // the first to arrive
    else
        sum[b.parent] += A;
}
} // namespace detail

template <class S>
void articulated_derivatives(const Kinematics<S>& kin, const Articulation<S>& art,
                             const ColumnDerivatives<S>& d, ArticulatedDerivatives<S>& out)
{
    detail::require_fresh(art.position_version == kin.position_version, "articulated_derivatives",
                          "articulate");
    detail::require_fresh(d.position_version == kin.position_version, "articulated_derivatives",
                          "column_derivatives");
    require_size("articulated_derivatives", "out", out.YA.size(), kin.H.size());
    out.position_version = kin.position_version;
    const Tree& tree = kin.tree();
    const bool loads = !d.We.empty();
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        ArticulatedInertia<S> P(kin.M[k]);
        Columns3<Force<S>> P_hat = columns(d.M_bar[k]), P_w{};
        if (loads)
            P_w = columns(d.We[k]);
        if (!tree.is_leaf[k]) {
            P = art.P_plus[k], P_hat = out.P_hat[k];
            P += kin.M[k];
            add(P_hat, d.M_bar[k]);
            if (loads)
                P_w += out.P_w[k];
        }
        for (Index j : b.dofs_reversed()) {
            const Motion<S>& H = kin.H[j];
            out.YA[j] = P_hat * (S(2) * H.w);
            out.YB[j] = P * d.Hdd[j];
            if (b.parent != ground || b.one_turn < 0) { // else the columns stand still, and Fh is zero
                out.YA[j] += P * d.Hs[j];
                out.YB[j] += P_hat * (S(2) * d.Hd[j].w) + d.Fh[j];
            }
            const Vec3<S> HP = transpose_times(P_hat, H);
            out.G_hat[j] = art.D_inverse[j] * HP;
            if (j > b.first_dof || b.parent != ground)
                P_hat.add_outer(-art.G[j], HP);
            if (loads) {
                out.YB[j] -= P_w * H.w;
                const Vec3<S> HPw = transpose_times(P_w, H);
                out.G_w[j] = art.D_inverse[j] * HPw;
                P_w.add_outer(-art.G[j], HPw);
            }
            if (j > b.first_dof)
                P.rank_one_downdate(art.G[j], P * H); // P+ = P - G D G*
        }
        detail::hand_down(tree, b, k, P_hat, out.P_hat);
        if (loads)
            detail::hand_down(tree, b, k, P_w, out.P_w);
    }
}

extern template void articulated_derivatives(const Kinematics<double>&, const Articulation<double>&,
                                             const ColumnDerivatives<double>&,
                                             ArticulatedDerivatives<double>&);
extern template void articulated_derivatives(const Kinematics<float>&, const Articulation<float>&,
                                             const ColumnDerivatives<float>&, ArticulatedDerivatives<float>&);

} // namespace sweepdyn
