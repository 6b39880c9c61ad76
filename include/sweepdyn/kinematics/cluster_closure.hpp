// The rows of one cluster's loops, side by side, and how large each may count.
//
//     J, gamma, gap: rows of all loops of the cluster, columns its dofs
//     scales: turns in metres at the cluster's own size, a coupling's largest coefficient as one
//
// Most loops have hinges of their own, on the path of no other loop; the rest are shared. closure_elimination.hpp starts with the former.
// O(sum of the loops' paths), no allocation after construction. Before: update_loops. Specified by tests/laws/closure.cpp.
#pragma once

#include <algorithm>

#include "sweepdyn/kinematics/loops_on_tree.hpp"
#include "sweepdyn/spatial/lanes.hpp"

namespace sweepdyn {

// One cluster with loops.
template <class S>
struct ClusterClosure {
    ClusterClosure(const Tree& tree, const Loops<S>& loops, const Cluster& of, int index, bool alike,
                   std::vector<double> weights);

    int cluster = 0; // of the topology
    std::vector<int> dofs; // of the model; a column each
    std::vector<int> loops; // a few rows each
    int rows = 0;
    std::vector<int> row_loop, row_of_loop; // of each row
    std::vector<int> column_of; // of each dof of the model, or -1
    std::vector<char> preferred; // columns that are to be independent
    bool wants_basis = true; // else J, E, g are left alone by update_closure
    bool all_alike = false; // rows are forces and hinges turn, loops are of one size: no scales
    std::vector<double> weight; // of the distances of each loop, where some are small beside others

    // The elimination keeps its columns in an order of its own: those of each loop alone, then those of several, then the right side.
    struct Block { // of one loop
        int first_row = 0, end_row = 0;
        int first_slot = 0, end_slot = 0; // columns of no other loop
        int first_pivot = 0, end_pivot = 0; // by eliminate: those within the block
    };
    std::vector<Block> blocks; // one for each loop
    std::vector<int> block_of_row, slot_of, column_at; // slot of each column, and back
    int first_shared = 0; // slot

    // By collect_rows.
    std::vector<S> J; // rows x columns, by rows
    std::vector<S> gamma, gap; // per row
    std::vector<S> row_scale, column_scale, slot_scale,
        unit; // unit: room for the scales of the independent columns
    // By eliminate.
    int rank = 0;
    int first_common = 0; // the pivots from here on are of no block
    std::vector<int> dependent, pivot_row, pivot_slot; // columns, rows, slots of the pivots, in order
    std::vector<int> independent; // columns
    std::vector<S> E; // per column a run of `lanes`: E, then g
    std::vector<S> g; // per column
    double smallest_kept = 0.0, largest_dropped = 0.0; // pivots, of the largest
    int width = 0; // of a row of work: its slots, the right side, and what rounding up to packs reads
    std::vector<S> work; // the factors, by rows
    std::vector<char> spread; // rows that gave a pivot beyond their block: they may have entries everywhere
    std::vector<int> row_order, slot_order, left_rows, left_slots;
    Index lanes = 0;

    int num_columns() const { return static_cast<int>(dofs.size()); }
    int mobility() const { return num_columns() - rank; }
    S& entry(int row, int column) { return J[static_cast<std::size_t>(row * num_columns() + column)]; }
    const S& entry(int row, int column) const
    {
        return J[static_cast<std::size_t>(row * num_columns() + column)];
    }
    const S* basis_row(int column) const { return E.data() + column * lanes; }
    const S& basis(int column, int i) const { return basis_row(column)[i]; }
};

template <class S>
ClusterClosure<S>::ClusterClosure(const Tree& tree, const Loops<S>& all, const Cluster& of, int index,
                                  bool alike, std::vector<double> weights)
    : cluster(index),
      dofs(of.dofs),
      loops(of.loops),
      column_of(static_cast<std::size_t>(tree.num_dofs()), -1),
      all_alike(alike && std::all_of(weights.begin(), weights.end(), [](double x) { return x == 1.0; })),
      weight(std::move(weights))
{
    const auto n = dofs.size();
    for (std::size_t j = 0; j < n; ++j)
        column_of[dofs[j]] = static_cast<int>(j);
    // Columns of one loop alone, loop by loop; then the others.
    std::vector<int> loop_of(n, -1); // -2: of several
    std::vector<char> met(n, 0);
    for (std::size_t l = 0; l < loops.size(); ++l) {
        const LoopOnTree<S>& on = all.loops[loops[l]];
        Block block;
        block.first_row = rows;
        for (int i = 0; i < on.rows; ++i) {
            row_loop.push_back(loops[l]);
            row_of_loop.push_back(i);
            block_of_row.push_back(static_cast<int>(l));
        }
        rows += on.rows;
        block.end_row = rows;
        blocks.push_back(block);
        const auto meet = [&](int dof) {
            int& loop = loop_of[column_of[dof]];
            loop = loop == -1 || loop == static_cast<int>(l) ? static_cast<int>(l) : -2;
        };
        for (int dof : on.dofs)
            meet(dof);
        for (const auto* up : {&on.up_a, &on.up_b})
            for (int k : *up)
                for (Index dof : tree.dofs(k))
                    meet(static_cast<int>(dof));
    }
    for (std::size_t l = 0; l <= loops.size(); ++l) {
        const int first = static_cast<int>(column_at.size());
        for (std::size_t j = 0; j < n; ++j)
            if (l < loops.size() ? loop_of[j] == static_cast<int>(l) : loop_of[j] < 0)
                column_at.push_back(static_cast<int>(j));
        if (l < loops.size())
            blocks[l].first_slot = first, blocks[l].end_slot = static_cast<int>(column_at.size());
        else
            first_shared = first;
    }
    slot_of.assign(n, 0);
    for (std::size_t s = 0; s < n; ++s)
        slot_of[column_at[s]] = static_cast<int>(s);
    const auto r = static_cast<std::size_t>(rows);
    lanes = Lanes<S>::round_up(static_cast<Index>(n) + 1);
    preferred.assign(n, 0);
    J.assign(r * n, S(0));
    gamma.assign(r, detail::poison<S>());
    gap.assign(r, detail::poison<S>());
    for (auto* list : {&dependent, &pivot_row, &pivot_slot, &independent})
        list->reserve(n);
    E.assign(n * static_cast<std::size_t>(lanes), detail::poison<S>());
    g.assign(n, detail::poison<S>());
    width = static_cast<int>(n) + static_cast<int>(Lanes<S>::pack);
    work.assign(r * static_cast<std::size_t>(width), S(0));
    spread.assign(r, 0);
    row_scale.assign(r, S(1));
    column_scale.assign(n, S(1));
    slot_scale.assign(n, S(1));
    unit.assign(static_cast<std::size_t>(lanes), S(1));
    for (auto* list : {&row_order, &left_rows})
        list->assign(r, 0);
    for (auto* list : {&slot_order, &left_slots})
        list->assign(n, 0);
}

namespace detail {

// J of a loop that keeps all distances and turns: both ends' columns in the axes of a.
template <class S>
void full_columns(const Kinematics<S>& kin, const Loops<S>& loops, const LoopOnTree<S>& on,
                  const ClusterClosure<S>& c, S* J)
{
    const Force<S>* const A = loops.A.data() + on.first_row;
    const Vec3<S> f[3]{A[0].f, A[1].f, A[2].f}, n[3]{A[3].n, A[4].n, A[5].n};
    const Index apart = c.num_columns();
    S sign(1);
    for (const auto* up : {&on.up_a, &on.up_b}) {
        for (int k : *up) {
            const PhiAdjoint<S> to_o{on.o - kin.r(k)};
            for (Index j : kin.body[k].dofs()) {
                const Motion<S> H = sign * (to_o * kin.H[j]);
                S* const to = J + c.column_of[j];
                for (int i = 0; i < 3; ++i) {
                    to[i * apart] = dot(H.v, f[i]);
                    to[(3 + i) * apart] = dot(H.w, n[i]);
                }
            }
        }
        sign = -sign;
    }
}

// J, gamma, gap of a cluster, and the scales that make turns and slides comparable.
template <class S> void collect_rows(const Kinematics<S>& kin, const Loops<S>& loops, ClusterClosure<S>& c)
{
    double size = 0.0;
    int first = 0;
    for (int l : c.loops) {
        const LoopOnTree<S>& on = loops.loops[l];
        S* const J = c.J.data() + first * c.num_columns();
        if (on.rows == most_rows && on.forces == 3)
            full_columns(kin, loops, on, c, J);
        else
            loop_columns<S>(kin, loops, on, [&](int dof, const auto& write) {
                write(J + c.column_of[dof], c.num_columns());
            });
        for (int i = 0; i < on.rows; ++i) {
            c.gamma[first + i] = loops.gamma[on.first_row + i];
            c.gap[first + i] = loops.gap[on.first_row + i];
        }
        if (!c.all_alike)
            for (const auto* up : {&on.up_a, &on.up_b})
                for (int k : *up) {
                    const Vec3<S> d = on.o - kin.body[k].X_WI.p;
                    size = std::max(size, value(dot(d, d)));
                }
        first += on.rows;
    }
    if (c.all_alike)
        return; // every scale is one
    const S length = size > 0.0 ? S(std::sqrt(size)) : S(1);
    for (int row = 0; row < c.rows; ++row) {
        const LoopOnTree<S>& on = loops.loops[c.row_loop[row]];
        if (on.loop.kind == LoopKind::coupling) { // its largest coefficient counts as one
            S largest{};
            for (int j = 0; j < c.num_columns(); ++j)
                largest = max(largest, abs(c.entry(row, j)));
            c.row_scale[row] = value(largest) > 0.0 ? S(value(length)) / S(value(largest)) : S(1);
        } else {
            const Force<S>& A = loops.A[on.first_row + c.row_of_loop[row]];
            c.row_scale[row] = value(dot(A.f, A.f)) > 0.0 ? S(c.weight[c.block_of_row[row]]) : length;
        }
    }
    for (int j = 0; j < c.num_columns(); ++j) {
        const Vec3<S>& w = kin.H[c.dofs[j]].w;
        c.column_scale[j] = value(dot(w, w)) > 0.0 ? S(1) : length;
    }
}
} // namespace detail

} // namespace sweepdyn
