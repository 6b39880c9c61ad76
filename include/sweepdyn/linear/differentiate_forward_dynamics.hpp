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

#include <array>

#include "sweepdyn/dynamics/compliance.hpp"
#include "sweepdyn/linear/articulated_derivatives.hpp"

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

// Rows of six numbers, number by number.
template <class S>
struct SixRows {
    explicit SixRows(std::size_t rows) : size(rows), numbers(6 * rows) {}
    std::size_t size;
    std::vector<S> numbers;

    S* row(int t) { return numbers.data() + static_cast<std::size_t>(t) * size; }
    void set(std::size_t i, const std::array<S, 6>& x)
    {
        for (int t = 0; t < 6; ++t)
            row(t)[i] = x[static_cast<std::size_t>(t)];
    }
};

template <class S>
struct ForwardDerivatives {
    explicit ForwardDerivatives(const Model& model);

    DofForest forest;
    std::vector<Compliance<S>> Upsilon; // per body
    std::vector<Columns3<Motion<S>>> J, Jw; // per body
    // Per place.
    struct Column {
        std::array<S, 6> H, G, YA, YB, EA, EB, U;
        Vec3<S> Hd, l; // angular part of Hd; from the reference point of the place before to this one's,
        bool shifts; //   where that is another
        S L;
    };
    std::vector<Column> columns;
    std::vector<Compliance<S>> Upsilon_fork; // per fork
    std::vector<SixRows<S>> X_fork; // per fork: X of every row, at the fork
    SixRows<S> W, X;
    std::array<std::vector<S>, 3> Q, Qw; // per place, number by number
    std::vector<S> permuted; // where the places are not the dofs' numbers
};

template <class S>
ForwardDerivatives<S>::ForwardDerivatives(const Model& model)
    : forest(model),
      Upsilon(static_cast<std::size_t>(model.num_bodies())),
      J(Upsilon.size()),
      Jw(Upsilon.size()),
      columns(static_cast<std::size_t>(model.num_dofs())),
      Upsilon_fork(static_cast<std::size_t>(forest.num_forks)),
      X_fork(Upsilon_fork.size(), SixRows<S>(columns.size())),
      W(columns.size()),
      X(columns.size())
{
    for (auto* Qs : {&Q, &Qw})
        for (auto& numbers : *Qs)
            numbers.resize(columns.size());
    if (!forest.as_numbered)
        permuted.resize(columns.size() * columns.size());
}

namespace detail {

template <class S> SWEEPDYN_INLINE std::array<S, 6> six(const Motion<S>& V)
{
    return {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
}
template <class S> SWEEPDYN_INLINE std::array<S, 6> six(const Force<S>& F)
{
    return {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
}

template <class S> SWEEPDYN_INLINE S six_dot(const std::array<S, 6>& a, const std::array<S, 6>& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
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
                out.Qw[0][place] = q.x, out.Qw[1][place] = q.y, out.Qw[2][place] = q.z;
            }
            out.Q[0][place] = half.x + half.x, out.Q[1][place] = half.y + half.y;
            out.Q[2][place] = half.z + half.z;
            column.L = L;
            column.U = six(LH - Z);
            column.H = six(H), column.G = six(G), column.YA = six(y.YA[j]), column.YB = six(y.YB[j]);
            column.EA = six(EA), column.EB = six(EB), column.Hd = d.Hd[j].w;
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

// Rows first .. last - 1 of column j, which they lie outboard of.
template <class S>
SWEEPDYN_INLINE void columns_inboard(ForwardDerivatives<S>& work,
                                     const typename ForwardDerivatives<S>::Column& c, Index first, Index last,
                                     bool loads, S* __restrict A, S* __restrict B)
{
    S *__restrict w0 = work.W.row(0), *__restrict w1 = work.W.row(1), *__restrict w2 = work.W.row(2),
                 *__restrict w3 = work.W.row(3), *__restrict w4 = work.W.row(4), *__restrict w5 = work.W.row(5);
    const S *q0 = work.Q[0].data(), *q1 = work.Q[1].data(), *q2 = work.Q[2].data();
    const auto [h0, h1, h2, h3, h4, h5] = c.H;
    const auto [g0, g1, g2, g3, g4, g5] = c.G;
    const auto [a0, a1, a2, a3, a4, a5] = c.EA;
    const auto [b0, b1, b2, b3, b4, b5] = c.EB;
    const auto [d0, d1, d2] = c.Hd;
    for (Index i = first; i < last; ++i) {
        const S x0 = w0[i], x1 = w1[i], x2 = w2[i], x3 = w3[i], x4 = w4[i], x5 = w5[i];
        A[i] =
            x0 * a0 + x1 * a1 + x2 * a2 + x3 * a3 + x4 * a4 + x5 * a5 + q0[i] * h0 + q1[i] * h1 + q2[i] * h2;
        B[i] =
            x0 * b0 + x1 * b1 + x2 * b2 + x3 * b3 + x4 * b4 + x5 * b5 + q0[i] * d0 + q1[i] * d1 + q2[i] * d2;
        const S wh = x0 * h0 + x1 * h1 + x2 * h2 + x3 * h3 + x4 * h4 + x5 * h5;
        w0[i] = x0 - wh * g0, w1[i] = x1 - wh * g1, w2[i] = x2 - wh * g2;
        w3[i] = x3 - wh * g3, w4[i] = x4 - wh * g4, w5[i] = x5 - wh * g5;
    }
    if (loads)
        for (Index i = first; i < last; ++i)
            B[i] -= work.Qw[0][i] * h0 + work.Qw[1][i] * h1 + work.Qw[2][i] * h2;
}

// Rows first .. last - 1 of column j, which they do not lie outboard of.
template <class S>
SWEEPDYN_INLINE void columns_outboard(ForwardDerivatives<S>& work,
                                      const typename ForwardDerivatives<S>::Column& c, Index first,
                                      Index last, S* __restrict M, S* __restrict A, S* __restrict B)
{
    S *__restrict w0 = work.X.row(0), *__restrict w1 = work.X.row(1), *__restrict w2 = work.X.row(2),
                 *__restrict w3 = work.X.row(3), *__restrict w4 = work.X.row(4), *__restrict w5 = work.X.row(5);
    const auto [h0, h1, h2, h3, h4, h5] = c.H;
    const auto [g0, g1, g2, g3, g4, g5] = c.G;
    const auto [a0, a1, a2, a3, a4, a5] = c.YA;
    const auto [b0, b1, b2, b3, b4, b5] = c.YB;
    for (Index i = first; i < last; ++i) {
        S x0 = w0[i], x1 = w1[i], x2 = w2[i], x3 = w3[i], x4 = w4[i], x5 = w5[i];
        const S m = x0 * g0 + x1 * g1 + x2 * g2 + x3 * g3 + x4 * g4 + x5 * g5;
        x0 -= m * h0, x1 -= m * h1, x2 -= m * h2, x3 -= m * h3, x4 -= m * h4, x5 -= m * h5;
        M[i] = -m;
        A[i] = x0 * a0 + x1 * a1 + x2 * a2 + x3 * a3 + x4 * a4 + x5 * a5;
        B[i] = x0 * b0 + x1 * b1 + x2 * b2 + x3 * b3 + x4 * b4 + x5 * b5;
        w0[i] = x0, w1[i] = x1, w2[i] = x2, w3[i] = x3, w4[i] = x4, w5[i] = x5;
    }
}

// The rows' forces about the point that l leads to them from: n += l x f.
template <class S> void shift_forces(SixRows<S>& rows, const Vec3<S>& l, Index first, Index last)
{
    S* __restrict n0 = rows.row(0), * __restrict n1 = rows.row(1), * __restrict n2 = rows.row(2);
    const S *f0 = rows.row(3), *f1 = rows.row(4), *f2 = rows.row(5);
    for (Index i = first; i < last; ++i) {
        n0[i] += l.y * f2[i] - l.z * f1[i];
        n1[i] += l.z * f0[i] - l.x * f2[i];
        n2[i] += l.x * f1[i] - l.y * f0[i];
    }
}
// The rows' motions at the point that l leads to: v += w x l.
template <class S> void shift_motions(SixRows<S>& rows, const Vec3<S>& l, Index first, Index last)
{
    const S *w0 = rows.row(0), *w1 = rows.row(1), *w2 = rows.row(2);
    S* __restrict v0 = rows.row(3), * __restrict v1 = rows.row(4), * __restrict v2 = rows.row(5);
    for (Index i = first; i < last; ++i) {
        v0[i] += w1[i] * l.z - w2[i] * l.y;
        v1[i] += w2[i] * l.x - w0[i] * l.z;
        v2[i] += w0[i] * l.y - w1[i] * l.x;
    }
}
template <class S> void copy_rows(SixRows<S>& from, SixRows<S>& to, Index first, Index last)
{
    for (int t = 0; t < 6; ++t)
        std::copy(from.row(t) + first, from.row(t) + last, to.row(t) + first);
}
// X = -Upsilon W, row by row.
template <class S>
void reflect(const Compliance<S>& C, SixRows<S>& W, SixRows<S>& X, Index first, Index last)
{
    for (Index i = first; i < last; ++i) {
        const auto w = [&](int t) { return W.row(t)[i]; };
        X.set(static_cast<std::size_t>(i), six(-(C * Force<S>{{w(0), w(1), w(2)}, {w(3), w(4), w(5)}})));
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
    const bool loads = !d.We.empty();
    detail::differentiate_columns(kin, art, d, y, work);

    for (Index j = n - 1; j >= 0; --j) { // inward
        const auto& c = work.columns[j];
        const Index end = forest.end[j];
        if (const int fork = forest.fork[j]; fork >= 0)
            detail::reflect(work.Upsilon_fork[fork], work.W, work.X_fork[fork], j + 1, end);
        detail::columns_inboard(work, c, j + 1, end, loads, A_C.data() + j * n, B_C.data() + j * n);
        work.W.set(static_cast<std::size_t>(j), c.G);
        if (c.shifts)
            detail::shift_forces(work.W, c.l, j, end);
    }
    for (Index j = 0; j < n; ++j) { // outward
        const auto& c = work.columns[j];
        const Index root = forest.root[j], last = forest.end[root], end = forest.end[j], p = forest.before[j];
        S *const M = M_inverse.data() + j * n, *const A = A_C.data() + j * n, *const B = B_C.data() + j * n;
        if (!forest.first[j]) { // another branch was there
            detail::copy_rows(work.X_fork[forest.fork[p]], work.X, root, j);
            detail::copy_rows(work.X_fork[forest.fork[p]], work.X, end, last);
        }
        if (c.shifts) {
            detail::shift_motions(work.X, c.l, root, j);
            detail::shift_motions(work.X, c.l, end, last);
        }
        detail::columns_outboard(work, c, root, j, M, A, B);
        if (end < last)
            detail::columns_outboard(work, c, end, last, M, A, B);
        work.X.set(static_cast<std::size_t>(j), c.U);
        M[j] = c.L;
        A[j] = detail::six_dot(c.U, c.YA);
        B[j] = detail::six_dot(c.U, c.YB);
        if (const int fork = forest.fork[j]; fork >= 0) {
            detail::copy_rows(work.X_fork[fork], work.X, j + 1, end);
            detail::copy_rows(work.X, work.X_fork[fork], root, last);
        }
        for (S* matrix : {M, A, B}) { // other trees
            std::fill(matrix, matrix + root, S(0));
            std::fill(matrix + last, matrix + n, S(0));
        }
    }
    for (Index j = 0; j < n; ++j)
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
extern template void differentiate_forward_dynamics(const Kinematics<double>&, const Articulation<double>&,
                                                    const ColumnDerivatives<double>&,
                                                    const ArticulatedDerivatives<double>&, std::span<double>,
                                                    std::span<double>, std::span<double>,
                                                    ForwardDerivatives<double>&);

} // namespace sweepdyn
