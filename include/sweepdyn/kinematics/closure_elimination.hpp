// What the loops of a cluster leave of its motion, by elimination:
//
//     v = E u,   v_dot = E u_dot + g,   J E = 0,   J g = -gamma       E is 1 at the independent dofs
//
// on scaled rows and columns. Each loop first gives pivots on the columns that no other loop has, as long as they are not small: these
// leave the rows of all other loops alone, so legs of a platform cost what one leg costs, each. The rest is eliminated with complete
// pivoting. Rows whose pivot falls below 1e-6 of the largest are redundant and take no part. Columns that are preferred as independent
// give pivots last.
//
// Entries stay in their places: L below and U above the pivots, the diagonal of U inverted, W(pivot_row[i], pivot_slot[j]).
// O(sum over loops of columns * rows^2), beyond blocks O(columns * rows^2); no allocation. Before: collect_rows.
// Specified by tests/laws/closure.cpp.
#pragma once

#include "sweepdyn/kinematics/cluster_closure.hpp"
#include "sweepdyn/spatial/combine.hpp"

namespace sweepdyn {

inline constexpr double rank_tolerance = 1e-6; // of the largest pivot, on scaled rows
template <class S> inline constexpr double rank_tolerance_of =
    std::max(rank_tolerance, 1000.0 * Precision<S>::epsilon);
inline constexpr double block_tolerance =
    1.0 / 32; // of the largest entry: a smaller pivot is left to complete pivoting

namespace detail {

// The largest entry of these rows and slots comes to their front; its size.
template <class S>
double choose_pivot(const S* W, int width, int* rows, int num_rows, int* slots, int num_slots)
{
    double best = 0.0;
    int row = 0, slot = 0;
    for (int i = 0; i < num_rows; ++i) {
        const S* const w = W + rows[i] * width;
        for (int j = 0; j < num_slots; ++j)
            if (const double x = std::abs(value(w[slots[j]])); x > best)
                best = x, row = i, slot = j;
    }
    std::swap(rows[0], rows[row]);
    std::swap(slots[0], slots[slot]);
    return best;
}

// With the pivot in front of the lists, the rows behind it lose its column; so in the slots from `also` to the right side.
template <class S>
void use_pivot(ClusterClosure<S>& c, const int* rows, int num_rows, const int* slots, int num_slots, int also)
{
    S* const pivot = c.work.data() + rows[0] * c.width;
    const S inverse = pivot[slots[0]] = S(1) / pivot[slots[0]];
    const Index rest = c.num_columns() + 1 - also;
    for (int i = 1; i < num_rows; ++i) {
        S* const w = c.work.data() + rows[i] * c.width;
        const S factor = w[slots[0]] = w[slots[0]] * inverse;
        for (int j = 1; j < num_slots; ++j)
            w[slots[j]] -= factor * pivot[slots[j]];
        combine<S>(
            w + also, rest, Onto::old, 0, 1, [&](int) { return -factor; }, [&](int) { return pivot + also; });
    }
    c.pivot_row[c.rank] = rows[0];
    c.pivot_slot[c.rank] = slots[0];
    c.dependent[c.rank++] = c.column_at[slots[0]];
}

// [J, -gamma] by slots, scaled; the size of the largest entry. Rows have nothing in the slots of other loops, unless they lent a pivot
// beyond their block the last time.
template <class S> double fill_work(ClusterClosure<S>& c, bool by_blocks)
{
    const int n = c.num_columns();
    double largest = 0.0;
    S* const slot_scale = c.slot_scale.data();
    const int* const column_at = c.column_at.data();
    for (int s = 0; s < n && !c.all_alike; ++s)
        slot_scale[s] = c.column_scale[column_at[s]];
    for (int i = 0; i < c.rows; ++i) {
        S* const w = c.work.data() + i * c.width;
        const S* const J = c.J.data() + i * n;
        const S scale = c.row_scale[i];
        const auto fill = [&](int from, int to) {
            for (int s = from; s < to; ++s) {
                const S x = c.all_alike ? J[column_at[s]] : scale * slot_scale[s] * J[column_at[s]];
                w[s] = x;
                largest = std::max(largest, std::abs(value(x)));
            }
        };
        if (by_blocks) {
            const auto& block = c.blocks[c.block_of_row[i]];
            if (c.spread[i])
                std::fill(w, w + c.first_shared, S(0));
            c.spread[i] = 0;
            fill(block.first_slot, block.end_slot);
            fill(c.first_shared, n);
        } else
            fill(0, n);
        w[n] = -(scale * c.gamma[i]);
    }
    return largest;
}

// E and g from the factors: U v = -(columns that are left), or -gamma.
template <class S> void fill_basis(ClusterClosure<S>& c)
{
    const int n = c.num_columns(), m = n - c.rank;
    const Index lanes = Lanes<S>::round_up(m + 1);
    int* const is_dependent = c.left_slots.data(); // both lists are done with
    int* const slots = c.slot_order.data();
    std::fill_n(is_dependent, n, 0);
    for (int j : c.dependent)
        is_dependent[j] = 1;
    c.independent.clear();
    for (int j = 0; j < n; ++j)
        if (!is_dependent[j])
            c.independent.push_back(j);
    for (int i = 0; i < m; ++i) {
        slots[i] = c.slot_of[c.independent[i]];
        S* const e = c.E.data() + c.independent[i] * c.lanes;
        for (Index t = 0; t < lanes; ++t)
            e[t] = S(0);
        e[i] = S(1);
    }
    for (int i = c.rank - 1; i >= 0; --i) {
        const S* const w = c.work.data() + c.pivot_row[i] * c.width;
        S* const e = c.E.data() + c.dependent[i] * c.lanes;
        for (int t = 0; t < m; ++t)
            e[t] = -w[slots[t]];
        e[m] = w[n];
        const auto factor = [&](int j) { return -w[c.pivot_slot[j]]; };
        const auto row = [&](int j) { return c.E.data() + c.dependent[j] * c.lanes; };
        if (i < c.first_common)
            combine<S>(e, m + 1, Onto::old, i + 1, c.blocks[c.block_of_row[c.pivot_row[i]]].end_pivot, factor,
                       row);
        combine<S>(e, m + 1, Onto::old, std::max(i + 1, c.first_common), c.rank, factor, row,
                   w[c.pivot_slot[i]]);
    }
    if (!c.all_alike) { // v and u in their own units
        S* const inverse = c.unit.data();
        for (int t = 0; t < m; ++t)
            inverse[t] = S(1) / c.column_scale[c.independent[t]];
        inverse[m] = S(1);
        for (int j : c.dependent) {
            S* __restrict const e = c.E.data() + j * c.lanes;
            const S scale = c.column_scale[j];
            for (Index t = 0; t < lanes; ++t)
                e[t] *= scale * inverse[t];
        }
    }
    for (int j = 0; j < n; ++j)
        c.g[j] = c.E[j * c.lanes + m];
}

template <class S> void eliminate(ClusterClosure<S>& c)
{
    const int n = c.num_columns(), width = c.width;
    const bool by_blocks =
        c.blocks.size() > 1 && c.rows == static_cast<int>(c.block_of_row.size()); // else rows were taken out
    S* const W = c.work.data();
    const double entries = fill_work(c, by_blocks), enough = block_tolerance * entries, at_once = 8 * enough;
    c.rank = 0;
    for (auto* list : {&c.dependent, &c.pivot_row, &c.pivot_slot})
        list->resize(static_cast<std::size_t>(std::min(c.rows, n)));
    int *const left_rows = c.left_rows.data(), *const left_slots = c.left_slots.data();
    int num_left_rows = 0, num_left_slots = 0;
    double largest =
        entries; // complete pivoting begins with it; with columns that others are preferred to, pivots may all be smaller
    c.smallest_kept = 1.0, c.largest_dropped = 0.0;
    const auto keep = [&](double pivot) {
        largest = std::max(largest, pivot);
        c.smallest_kept = std::min(c.smallest_kept, pivot / largest);
    };
    int* const slots = c.slot_order.data();
    for (std::size_t l = 0; by_blocks && l < c.blocks.size(); ++l) {
        auto& block = c.blocks[l];
        block.first_pivot = c.rank;
        int* rows = c.row_order.data();
        int num_rows = 0, num_slots = 0;
        for (int i = block.first_row; i < block.end_row; ++i)
            rows[num_rows++] = i;
        for (int s = block.first_slot; s < block.end_slot; ++s)
            if (!c.preferred[c.column_at[s]])
                slots[num_slots++] = s;
        int all = num_slots; // with those that stay independent if they can
        for (int s = block.first_slot; s < block.end_slot; ++s)
            if (c.preferred[c.column_at[s]])
                slots[all++] = s;
        int k = 0;
        for (; k < num_rows && k < num_slots; ++k) {
            // the row at hand if its pivot is large, else the best of all
            double pivot = choose_pivot(W, width, rows + k, 1, slots + k, num_slots - k);
            if (!(pivot > at_once))
                pivot = choose_pivot(W, width, rows + k, num_rows - k, slots + k, num_slots - k);
            if (!(pivot > enough))
                break;
            keep(pivot);
            use_pivot(c, rows + k, num_rows - k, slots + k, all - k, c.first_shared);
        }
        block.end_pivot = c.rank;
        for (int i = k; i < num_rows; ++i) {
            left_rows[num_left_rows++] = rows[i];
            c.spread[rows[i]] = 1;
        }
        for (int j = k; j < num_slots; ++j)
            left_slots[num_left_slots++] = slots[j];
    }
    c.first_common = c.rank;
    if (!by_blocks) {
        for (auto& block : c.blocks)
            block.first_pivot = block.end_pivot = 0;
        for (int i = 0; i < c.rows; ++i)
            left_rows[num_left_rows++] = i;
    }
    for (int s = by_blocks ? c.first_shared : 0; s < n; ++s)
        if (!c.preferred[c.column_at[s]])
            left_slots[num_left_slots++] = s;
    const int ordinary = num_left_slots;
    for (int s = 0; s < n; ++s)
        if (c.preferred[c.column_at[s]])
            left_slots[num_left_slots++] = s;
    int k = 0;
    for (int end : {ordinary, num_left_slots})
        for (; k < num_left_rows && k < num_left_slots; ++k) {
            const double pivot =
                choose_pivot(W, width, left_rows + k, num_left_rows - k, left_slots + k, end - k);
            if (!(pivot > rank_tolerance_of<S> * largest)) {
                if (end == num_left_slots && largest > 0.0)
                    c.largest_dropped = pivot / largest;
                break;
            }
            keep(pivot);
            use_pivot(c, left_rows + k, num_left_rows - k, left_slots + k, num_left_slots - k, n);
        }
    for (auto* list : {&c.dependent, &c.pivot_row, &c.pivot_slot})
        list->resize(static_cast<std::size_t>(c.rank));
    fill_basis(c);
}

// By the rows between positions alone: J is without those of velocities only until the next collect_rows.
template <class S> void eliminate_holonomic(const Loops<S>& loops, ClusterClosure<S>& c)
{
    for (int row = 0; row < c.rows; ++row)
        if (c.row_of_loop[row] >= loops.loops[c.row_loop[row]].holonomic)
            std::fill_n(c.J.begin() + row * c.num_columns(), c.num_columns(), S(0));
    eliminate(c);
}

// With the pivots of the elimination: J X = B, X at the dependent columns. In: B per pivot row; out: X per dependent column; both by
// rows of `sides` numbers, kept round_up(sides) apart.
template <class S> void solve_dependent(const ClusterClosure<S>& c, S* X, int sides)
{
    const Index lanes = Lanes<S>::round_up(sides);
    const auto subtract = [&](int i, int from, int to, const S& scale) {
        const S* const w = c.work.data() + c.pivot_row[i] * c.width;
        combine<S>(
            X + i * lanes, sides, Onto::old, from, to, [&](int j) { return -w[c.pivot_slot[j]]; },
            [&](int j) { return X + j * lanes; }, scale);
    };
    for (int i = 0; i < c.rank; ++i) {
        const auto& block = c.blocks[c.block_of_row[c.pivot_row[i]]];
        if (!c.all_alike)
            subtract(i, 0, 0, c.row_scale[c.pivot_row[i]]);
        if (block.first_pivot < std::min(i, block.end_pivot))
            subtract(i, block.first_pivot, std::min(i, block.end_pivot), S(1));
        if (c.first_common < i)
            subtract(i, c.first_common, i, S(1));
    }
    for (int i = c.rank - 1; i >= 0; --i) {
        const int row = c.pivot_row[i];
        if (i < c.first_common)
            subtract(i, i + 1, c.blocks[c.block_of_row[row]].end_pivot, S(1));
        subtract(i, std::max(i + 1, c.first_common), c.rank, c.work[row * c.width + c.pivot_slot[i]]);
    }
    for (int i = 0; i < c.rank && !c.all_alike; ++i)
        subtract(i, 0, 0, c.column_scale[c.dependent[i]]);
}
// J' y = f at the dependent columns. In: f per dependent column; out: y per pivot row.
template <class S> void solve_dependent_adjoint(const ClusterClosure<S>& c, S* y)
{
    const auto W = [&](int i, int j) { return c.work[c.pivot_row[i] * c.width + c.pivot_slot[j]]; };
    const auto block_of = [&](int i) -> const auto& { return c.blocks[c.block_of_row[c.pivot_row[i]]]; };
    for (int i = 0; i < c.rank; ++i) {
        S x = y[i] * c.column_scale[c.dependent[i]];
        for (int j = i < c.first_common ? block_of(i).first_pivot : 0; j < i; ++j)
            x -= W(j, i) * y[j];
        y[i] = x * W(i, i);
    }
    for (int i = c.rank - 1; i >= 0; --i) {
        S x = y[i];
        if (i < c.first_common)
            for (int j = i + 1; j < block_of(i).end_pivot; ++j)
                x -= W(j, i) * y[j];
        for (int j = std::max(i + 1, c.first_common); j < c.rank; ++j)
            x -= W(j, i) * y[j];
        y[i] = x;
    }
    for (int i = 0; i < c.rank; ++i)
        y[i] *= c.row_scale[c.pivot_row[i]];
}

} // namespace detail

} // namespace sweepdyn
