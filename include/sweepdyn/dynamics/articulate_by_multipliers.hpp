// One cluster by the multipliers of its rows: the tree inside it first, then what the rows' wrenches do.
//
//     e = H W,  W+ = W - G e,  W(p) += phi W+        from +A on body a and -A on body b to the base
//     S = e' D^-1 e;   B = what is left at the base;   P(base) += P(tree) + B S^-1 B'
//
// Where S tells that rows are redundant, the elimination of J says which are left out.
// O(rows * columns + rows^3), no allocation. Specified by tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include <tuple>

#include "sweepdyn/dynamics/cluster_workspace.hpp"
#include "sweepdyn/dynamics/small_cholesky.hpp"

namespace sweepdyn {

namespace detail {

// S = e' D^-1 e of the rows that are used.
template <class S>
void fill_S(const ClusterClosure<S>& c, const Articulation<S>& tree,
            typename ClusterArticulation<S>::One& one)
{
    const int r = c.rows, n = c.num_columns();
    for (int i = 0; i < r; ++i)
        std::fill_n(one.S_factor.begin() + i * r, i + 1, S(0));
    for (const auto& group : one.groups) {
        const int columns = group.end_column - group.first_column;
        const int* const dofs = c.dofs.data() + group.first_column;
        const S* const e = one.e.data() + group.first_column;
        S* const D_e = one.D_e.data();
        for (const auto& [first, end] : group.rows)
            for (int row = first; row < end; ++row) {
                for (int j = 0; j < columns; ++j)
                    D_e[j] = tree.D_inverse[dofs[j]] * e[row * n + j];
                S* const to = one.S_factor.data() + row * r;
                for (const auto& [begin, stop] : group.rows)
                    for (int other = begin, last = std::min(stop, row + 1); other < last; ++other) {
                        S sum = to[other];
                        for (int j = 0; j < columns; ++j)
                            sum += D_e[j] * e[other * n + j];
                        to[other] = sum;
                    }
            }
    }
}

template <class S>
void articulate_by_multipliers(const Kinematics<S>& kin, const Loops<S>& loops, ClusterClosure<S>& c,
                               Articulation<S>& tree, typename ClusterArticulation<S>::One& one)
{
    const int r = c.rows, n = c.num_columns();
    for (std::size_t b = 0; b < one.members.size(); ++b)
        for (const auto& [first, end] : one.members[b].rows)
            for (int row = first; row < end; ++row)
                one.W[b * r + row] = {};
    for (Force<S>& B : one.B)
        B = {};
    if (one.couplings)
        std::fill(one.e.begin(), one.e.end(), S(0));
    // +A on body a, -A on body b; a coupling pulls at its dofs directly.
    int first_row = 0;
    for (std::size_t l = 0; l < c.loops.size(); ++l) {
        const LoopOnTree<S>& on = loops.loops[c.loops[l]];
        if (on.loop.kind == LoopKind::coupling)
            loop_jacobian<S>(kin, loops, on,
                             [&](int, int dof, const S& x) { one.e[first_row * n + c.column_of[dof]] = x; });
        else
            for (const auto& [member, body, sign] :
                 {std::tuple{one.ends[l][0], on.a, S(1)}, {one.ends[l][1], on.b, S(-1)}}) {
                if (member == -2)
                    continue;
                const Phi<S> to_body{on.o - kin.r(body)};
                Force<S>* const W = member == -1 ? one.B.data() : one.W.data() + member * r;
                for (int i = 0; i < on.rows; ++i)
                    W[first_row + i] += sign * (to_body * loops.A[on.first_row + i]);
            }
        first_row += on.rows;
    }
    for (std::size_t b = one.members.size(); b-- > 0;) {
        const auto& [k, parent, first, end, carries, bears, rows] = one.members[b];
        const BodyKinematics<S>& body = kin.body[k];
        ArticulatedInertia<S> P = kin.tree().is_leaf[k] ? ArticulatedInertia<S>{} : tree.P_plus[k];
        P += kin.M[k];
        if (!free_hinge(kin, k, P, tree))
            tree.singular.push_back(k);
        if (body.parent != ground)
            tree.P_plus[body.parent] += body.shifts ? shift(P, body.l) : P;
        Force<S>* const W = one.W.data() + b * static_cast<std::size_t>(r);
        Force<S>* const up = parent < 0 ? one.B.data() : one.W.data() + parent * r;
        const bool ends_here = parent < 0 && one.base == ground;
        for (const auto& [from, to] : rows)
            for (int i = from; i < to; ++i) {
                Force<S> w = W[i];
                S* const e = one.e.data() + i * n;
                for (int j = end; j-- > first;) { // e = H W, W+ = W - G e
                    S x = dot(kin.H[c.dofs[j]], w);
                    if (one.couplings)
                        x += e[j];
                    e[j] = x;
                    if (j > first || !ends_here)
                        w -= x * tree.G[c.dofs[j]];
                }
                if (!ends_here)
                    up[i] += body.shifts ? Phi<S>{body.l} * w : w;
            }
    }
    // The rows that take part: all, if S says so; else those that the elimination of J keeps.
    one.used.resize(static_cast<std::size_t>(r));
    for (int i = 0; i < r; ++i)
        one.used[i] = i;
    fill_S(c, tree, one);
    S largest{};
    for (int i = 0; i < r; ++i)
        largest = max(largest, one.S_factor[i * r + i]);
    bool doubtful = false;
    for (int i = 0; i < r; ++i)
        doubtful = doubtful || !(value(one.S_factor[i * r + i]) > 1e-12 * value(largest));
    if (doubtful || !factor(one.S_factor.data(), r, r, std::max(1e-9, 64 * Precision<S>::epsilon))) {
        collect_rows(kin, loops, c);
        eliminate(c);
        one.used = c.pivot_row;
        std::sort(one.used.begin(), one.used.end());
        fill_S(c, tree, one);
        const int used = static_cast<int>(one.used.size());
        for (int i = 0; i < used; ++i)
            for (int j = 0; j <= i; ++j)
                one.S_factor[i * r + j] = one.S_factor[one.used[i] * r + one.used[j]];
        factor(one.S_factor.data(), used, r, 0.0);
    }
    if (one.base == ground)
        return;
    // P(base) += B S^-1 B', by columns of B L^-T
    const int used = static_cast<int>(one.used.size());
    for (int i = 0; i < used; ++i) {
        Force<S> x = one.B[one.used[i]];
        for (int j = 0; j < i; ++j)
            x -= one.S_factor[i * r + j] * one.W[j]; // W is done with: it lends its place
        one.W[i] = one.S_factor[i * r + i] * x;
        tree.P_plus[one.base].rank_one_downdate(-one.W[i], one.W[i]);
    }
}

} // namespace detail

} // namespace sweepdyn
