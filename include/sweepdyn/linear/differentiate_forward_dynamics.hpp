// The derivatives of the accelerations, dv_dot = M^-1 dT - A_C dv - B_C dq, as matrices, in O(dofs^2): no mass matrix is formed
// or inverted.                                                            [000 Algorithm 6; trees and many columns: ours]
//
// Every dof is a hinge of its own, a(j) the dof before it on the way to the ground.
//     base to tip, Up = phi' Upsilon(p) phi, Jp = phi' J(p):
//         Z = Up G,   L = D^-1 + G* Z,   U = L H* - Z,   Upsilon = Up + H* U* - Z H
//         Q = 2 (Ghat - Jp' G),   J = Jp + H* Q'/2,   EA = Hs - Upsilon YA + 2 J H*,   EB = Hdd - Upsilon YB + 2 J Hd - Jw H*
//     pairs of dofs, row k, column j:
//         k outboard of j:   W = G(k), carried inward by W <- W - (W* H) G:
//                                A_C(k,j) = W* EA(j) + Q(k) H(j),   B_C(k,j) = W* EB(j) + Q(k) Hd(j) - Qw(k) H(j)
//         k elsewhere:       X = U(k), or -Upsilon(a) W where the way from k meets the way to j at a, carried outward:
//                                M^-1(k,j) = -X* G(j),  X <- X + M^-1(k,j) H*(j),  A_C(k,j) = X* YA(j),  B_C(k,j) = X* YB(j)
//         k = j:                 M^-1 = L,  A_C = U* YA,  B_C = U* YB
//     last:                      B_C += M^-1 N
// All rows of one column are done together, in loops over contiguous numbers that compilers turn into vectors.
//
// No allocation after construction. Before: articulate, column_derivatives, articulated_derivatives.
// Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/compliance.hpp"
#include "sweepdyn/linear/articulated_derivatives.hpp"
#include "sweepdyn/spatial/lanes.hpp"

namespace sweepdyn {

// The dofs in depth-first order, as a forest of their own: a place's outboard dofs follow it without a gap.
struct DofForest {
    explicit DofForest(const Model& model);

    std::vector<int> dof; // at each place
    std::vector<int> place; // of each dof
    std::vector<int> before; // the place of the dof before it, ground at a root
    std::vector<int> end; // one past its last outboard dof
    std::vector<int> root; // its first
    std::vector<int> fork; // the number of the fork it is, or -1: two dofs or more follow it directly
    std::vector<char> first; // whether it is the first of those that follow the one before it
    int num_forks = 0;
    bool as_numbered = true; // the places are the dofs' own numbers
};

template <class S>
struct ForwardDerivatives {
    explicit ForwardDerivatives(const Model& model);

    DofForest forest;
    std::vector<Compliance<S>> Upsilon; // per body
    std::vector<Columns3<Motion<S>>> J, Jw; // per body
    // Per place.
    struct Column {
        Motion<S> EA, EB, U;
        S L;
        Vec3<S> l; // from the reference point of the place before to this one's,
        bool shifts; //   where that is another
    };
    std::vector<Column> columns;
    std::vector<Compliance<S>> Upsilon_fork; // per fork
    std::vector<Lanes<S>> X_fork; // per fork: X of every row, at the fork
    Lanes<S> W, X; // a lane per row
    std::vector<S> Q, Qw; // three rows of numbers, a lane per row
    std::vector<S> m, a, b; // one column, a lane per row
    std::vector<S> permuted; // where the places are not the dofs' numbers

    // Rows have room for what rounding up adds at either end.
    Index width() const { return static_cast<Index>(m.size()); }
    S* lane(std::vector<S>& rows, Index t) { return rows.data() + Lanes<S>::pack + t; }
};

template <class S>
ForwardDerivatives<S>::ForwardDerivatives(const Model& model)
    : forest(model),
      Upsilon(static_cast<std::size_t>(model.num_bodies())),
      J(Upsilon.size()),
      Jw(Upsilon.size()),
      columns(static_cast<std::size_t>(model.num_dofs())),
      Upsilon_fork(static_cast<std::size_t>(forest.num_forks)),
      X_fork(Upsilon_fork.size(), Lanes<S>(model.num_dofs())),
      W(model.num_dofs()),
      X(model.num_dofs()),
      m(columns.size() + 2 * Lanes<S>::pack),
      a(m.size()),
      b(m.size())
{
    Q.resize(3 * m.size());
    Qw.resize(3 * m.size());
    if (!forest.as_numbered)
        permuted.resize(columns.size() * columns.size());
}

namespace detail {

template <class S>
SWEEPDYN_INLINE void put_lane(ForwardDerivatives<S>& work, std::vector<S>& rows, std::size_t place,
                              const Vec3<S>& x)
{
    S* const at = work.lane(rows, static_cast<Index>(place));
    at[0] = x.x, at[work.width()] = x.y, at[2 * work.width()] = x.z;
}

// Compliances and what follows from them, base to tip.
template <class S>
void differentiate_columns(const Kinematics<S>& kin, const Articulation<S>& art,
                           const ColumnDerivatives<S>& d, const ArticulatedDerivatives<S>& y,
                           ForwardDerivatives<S>& out)
{
    const bool loads = !d.We.empty();
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Compliance<S> C{};
        Columns3<Motion<S>> J{}, Jw{};
        if (b.parent != ground) {
            C = out.Upsilon[b.parent], J = out.J[b.parent];
            if (loads)
                Jw = out.Jw[b.parent];
            if (b.shifts) {
                const auto shifted = [&](const Columns3<Motion<S>>& A) -> Columns3<Motion<S>> {
                    const PhiAdjoint<S> phi{b.l};
                    return {phi * A.x, phi * A.y, phi * A.z};
                };
                C = shift(C, b.l), J = shifted(J);
                if (loads)
                    Jw = shifted(Jw);
            }
        }
        for (Index j : b.dofs()) {
            const Motion<S>& H = kin.H[j];
            const Force<S>& G = art.G[j];
            const auto place = static_cast<std::size_t>(out.forest.place[j]);
            auto& column = out.columns[place];
            const Motion<S> Z = C * G;
            const S L = art.D_inverse[j] + dot(G, Z);
            const Motion<S> LH = L * H;
            C.add_symmetric(H, S(0.5) * LH - Z);
            const Vec3<S> half = y.G_hat[j] - transpose_times(J, G);
            J.add_outer(H, half);
            const Motion<S> JH = J * H.w, JHd = J * d.Hd[j].w;
            Motion<S> EA = d.Hs[j] - C * y.YA[j] + JH + JH, EB = d.Hdd[j] - C * y.YB[j] + JHd + JHd;
            if (loads) {
                const Vec3<S> q = y.G_w[j] - transpose_times(Jw, G);
                Jw.add_outer(H, q);
                EB -= Jw * H.w;
                put_lane(out, out.Qw, place, q);
            }
            put_lane(out, out.Q, place, half + half);
            column.L = L;
            column.U = LH - Z, column.EA = EA, column.EB = EB;
            if (const int fork = out.forest.fork[place]; fork >= 0)
                out.Upsilon_fork[fork] = C;
            // The place before may be some welded bodies away.
            const int before = out.forest.before[place];
            const Index inner = before == ground ? ground : kin.tree().body_of_dof[out.forest.dof[before]];
            column.shifts = inner != ground && kin.body[inner].reference != b.reference;
            if (column.shifts)
                column.l = kin.r(k) - kin.r(inner);
        }
        out.Upsilon[k] = C, out.J[k] = J;
        if (loads)
            out.Jw[k] = Jw;
    }
}

// y += h* q, z += d* q, lane by lane.
template <class S>
void add_products(const S* __restrict q0, const S* __restrict q1, const S* __restrict q2, S* __restrict y,
                  S* __restrict z, Index end, Vec3<S> h, Vec3<S> d)
{
    for (Index t = 0; t < end; ++t) {
        y[t] += h.x * q0[t] + h.y * q1[t] + h.z * q2[t];
        z[t] += d.x * q0[t] + d.y * q1[t] + d.z * q2[t];
    }
}

// Column j of A_C and B_C for the rows outboard of it, in work.a and work.b; W goes on inward.
template <class S>
void column_from_outboard(const Kinematics<S>& kin, const Articulation<S>& art, const ColumnDerivatives<S>& d,
                          ForwardDerivatives<S>& work, Index j)
{
    const auto& c = work.columns[j];
    const Index dof = work.forest.dof[j], end = work.forest.end[j], width = work.width();
    const Motion<S>& H = kin.H[dof];
    // Rows in front are not set yet: what is rounded up goes there.
    const Index count = Lanes<S>::round_up(end - j - 1), first = end - count;
    if (count > 0) {
        work.W.products(first, count, c.EA, c.EB, work.lane(work.a, first), work.lane(work.b, first));
        const S* const q = work.lane(work.Q, first);
        add_products(q, q + width, q + 2 * width, work.lane(work.a, first), work.lane(work.b, first), count,
                     H.w, d.Hd[dof].w);
        if (!d.We.empty()) {
            const S* const qw = work.lane(work.Qw, first);
            add_products(qw, qw + width, qw + 2 * width, work.lane(work.b, first), work.lane(work.m, first),
                         count, -H.w, {});
        }
        work.W.project(first, count, H, art.G[dof], work.lane(work.m, first));
    }
    work.W.set(j, art.G[dof]);
    if (c.shifts) {
        const Index all = Lanes<S>::round_up(end - j);
        work.W.shift_forces(end - all, all, c.l);
    }
}

// Places to dofs, rows and columns.
template <class S> void renumber(const DofForest& forest, std::span<S> matrix, std::vector<S>& scratch)
{
    const std::size_t n = forest.dof.size();
    std::copy(matrix.begin(), matrix.end(), scratch.begin());
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
            matrix[static_cast<std::size_t>(forest.dof[j]) * n + static_cast<std::size_t>(forest.dof[i])] =
                scratch[j * n + i];
}

} // namespace detail

// M_inverse, A_C, B_C: dofs x dofs numbers each, column by column.
template <class S>
void differentiate_forward_dynamics(const Kinematics<S>& kin, const Articulation<S>& art,
                                    const ColumnDerivatives<S>& d, const ArticulatedDerivatives<S>& y,
                                    std::span<S> M_inverse, std::span<S> A_C, std::span<S> B_C,
                                    ForwardDerivatives<S>& work)
{
    detail::require_fresh(y.position_version == kin.position_version, "differentiate_forward_dynamics",
                          "articulated_derivatives");
    const DofForest& forest = work.forest;
    const auto n = static_cast<Index>(kin.H.size());
    for (std::span<S> matrix : {M_inverse, A_C, B_C})
        require_size("differentiate_forward_dynamics", "M_inverse, A_C, B_C", matrix.size(),
                     kin.H.size() * kin.H.size());
    require_size("differentiate_forward_dynamics", "work", work.columns.size(), kin.H.size());
    detail::differentiate_columns(kin, art, d, y, work);
    S *const m = work.lane(work.m, 0), *const a = work.lane(work.a, 0), *const b = work.lane(work.b, 0);

    for (Index j = n - 1; j >= 0; --j) {
        const Index end = forest.end[j];
        if (const int fork = forest.fork[j]; fork >= 0)
            for (Index i = j + 1; i < end; ++i)
                work.X_fork[fork].set(i, -(work.Upsilon_fork[fork] * work.W.force(i)));
        detail::column_from_outboard(kin, art, d, work, j);
        std::copy(a + j + 1, a + end, A_C.begin() + j * n + j + 1);
        std::copy(b + j + 1, b + end, B_C.begin() + j * n + j + 1);
    }
    Lanes<S>& X = work.X;
    for (Index j = 0; j < n; ++j) {
        const auto& c = work.columns[j];
        const Index dof = forest.dof[j], root = forest.root[j], last = forest.end[root], end = forest.end[j];
        // Without other branches behind it, rows from j on are not set yet; with them all rows are done, the outboard ones in vain.
        const Index count = end < last ? last - root : j - root;
        if (!forest.first[j]) // another branch was there
            X.copy(work.X_fork[forest.fork[forest.before[j]]], root, last - root);
        if (c.shifts)
            X.shift_motions(root, count, c.l);
        X.project(root, count, art.G[dof], kin.H[dof], m + root);
        X.products(root, count, y.YA[dof], y.YB[dof], a + root, b + root);
        X.set(j, c.U);
        m[j] = c.L;
        a[j] = dot(c.U, y.YA[dof]);
        b[j] = dot(c.U, y.YB[dof]);
        if (const int fork = forest.fork[j]; fork >= 0) {
            X.copy(work.X_fork[fork], j + 1, end - j - 1);
            work.X_fork[fork].copy(X, root, last - root);
        }
        for (std::span<S> matrix : {M_inverse, A_C, B_C}) {
            S* const column = matrix.data() + j * n;
            const S* const from = matrix.data() == M_inverse.data() ? m : matrix.data() == A_C.data() ? a : b;
            std::copy(from + root, from + j + 1, column + root);
            if (end < last && matrix.data() != M_inverse.data())
                std::copy(from + end, from + last, column + end);
            if (last - root < n) { // other trees
                std::fill(column, column + root, S(0));
                std::fill(column + last, column + n, S(0));
            }
        }
    }
    for (Index j = 0; j < n; ++j) // M^-1 is symmetric
        for (Index i = j + 1; i < forest.end[forest.root[j]]; ++i)
            M_inverse[j * n + i] = M_inverse[i * n + j];
    if (!forest.as_numbered)
        for (std::span<S> matrix : {M_inverse, A_C, B_C})
            detail::renumber(forest, matrix, work.permuted);
    for (const auto& [i, j, N] : d.mends) // B_C += M^-1 N
        for (Index row = 0; row < n; ++row)
            B_C[j * n + row] += N * M_inverse[i * n + row];
}

extern template struct ForwardDerivatives<double>;
extern template struct ForwardDerivatives<float>;
extern template void differentiate_forward_dynamics(const Kinematics<double>&, const Articulation<double>&,
                                                    const ColumnDerivatives<double>&,
                                                    const ArticulatedDerivatives<double>&, std::span<double>,
                                                    std::span<double>, std::span<double>,
                                                    ForwardDerivatives<double>&);
extern template void differentiate_forward_dynamics(const Kinematics<float>&, const Articulation<float>&,
                                                    const ColumnDerivatives<float>&,
                                                    const ArticulatedDerivatives<float>&, std::span<float>,
                                                    std::span<float>, std::span<float>,
                                                    ForwardDerivatives<float>&);

} // namespace sweepdyn
