#include "sweepdyn/linear/cluster_motion_derivatives.hpp"

#include "sweepdyn/linear/loop_derivatives.hpp"
#include "sweepdyn/spatial/combine.hpp"

namespace sweepdyn {

ClusterMotionDerivatives::ClusterMotionDerivatives(const Model& model, const Closure<double>& closure,
                                                   int place)
    : place_(place)
{
    const ClusterClosure<double>& c = closure.clusters[static_cast<std::size_t>(place)];
    lanes_ = c.lanes;
    for (int l : c.loops) {
        const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(l)];
        std::vector<int> columns;
        for (int dof : on.dofs)
            columns.push_back(c.column_of[static_cast<std::size_t>(dof)]);
        for (const auto* bodies : {&on.up_a, &on.up_b})
            for (int k : *bodies)
                for (Index dof : model.tree().dofs(k))
                    columns.push_back(c.column_of[static_cast<std::size_t>(dof)]);
        loop_columns_.push_back(std::move(columns));
    }
    const auto n = c.dofs.size(), r = static_cast<std::size_t>(c.rows);
    for (auto* G : {&Gm_, &Gv_, &Gq_})
        G->assign(r * n, 0.0);
    for (auto* F : {&Fm_, &Fv_, &Fq_})
        F->assign(n * static_cast<std::size_t>(lanes_), 0.0);
    sides_.assign(2 * std::min(r, n) * static_cast<std::size_t>(lanes_), 0.0);
}

void ClusterMotionDerivatives::set(const Kinematics<double>& kin, const Closure<double>& closure,
                                   const ColumnDerivatives<double>& d, std::span<const double> v_dot)
{
    const ClusterClosure<double>& c = closure.clusters[static_cast<std::size_t>(place_)];
    const int n = c.num_columns(), m = c.mobility();
    int first = 0;
    for (int l : c.loops) {
        const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(l)];
        differentiate_loop_rows(kin, d, v_dot, closure.loops, on,
                                [&](int row, int dof, double, double Gm, double Gv, double Gq) {
                                    const int at = (first + row) * n + c.column_of[dof];
                                    Gm_[at] = Gm, Gv_[at] = Gv, Gq_[at] = Gq;
                                });
        first += on.rows;
    }
    const Index half = Lanes<double>::round_up(m);
    // to -= G X, in the row of pivot i
    const auto subtract = [&](double* to, Onto onto, int i, const std::vector<double>& G, const auto& X) {
        const int row = c.pivot_row[i];
        const std::vector<int>& columns = loop_columns_[c.block_of_row[row]];
        const double* const g = G.data() + row * n;
        combine<double>(
            to, m, onto, 0, static_cast<int>(columns.size()), [&](int k) { return -g[columns[k]]; },
            [&](int k) { return X(columns[k]); });
    };
    const auto E = [&](int column) { return c.basis_row(column); };
    for (auto* F : {&Fm_, &Fv_, &Fq_})
        for (int j : c.independent)
            std::fill_n(F->begin() + j * lanes_, half, 0.0);
    for (int i = 0; i < c.rank; ++i) { // Fm and Fv side by side
        double* const x = sides_.data() + i * 2 * half;
        subtract(x, Onto::zero, i, Gm_, E);
        subtract(x + half, Onto::zero, i, Gv_, E);
    }
    detail::solve_dependent(c, sides_.data(), static_cast<int>(2 * half));
    for (int i = 0; i < c.rank; ++i) {
        const double* const x = sides_.data() + i * 2 * half;
        std::copy_n(x, half, Fm_.begin() + c.dependent[i] * lanes_);
        std::copy_n(x + half, half, Fv_.begin() + c.dependent[i] * lanes_);
    }
    for (int i = 0; i < c.rank; ++i) {
        double* const x = sides_.data() + i * half;
        subtract(x, Onto::zero, i, Gq_, E);
        subtract(x, Onto::old, i, Gv_, [&](int column) { return Fm(column); });
    }
    detail::solve_dependent(c, sides_.data(), static_cast<int>(half));
    for (int i = 0; i < c.rank; ++i)
        std::copy_n(sides_.data() + i * half, half, Fq_.begin() + c.dependent[i] * lanes_);
}

} // namespace sweepdyn
