#include "linear/cluster_motions.hpp"

#include <algorithm>

namespace sweepdyn::detail {

using Eigen::MatrixXd;

Follow::Follow(const MatrixXd& J, std::vector<int> rows, std::vector<int> dependent,
               const ClusterClosure<double>& c)
    : rows_(std::move(rows)),
      dependent_(std::move(dependent)),
      c_(&c)
{
    MatrixXd D(static_cast<Eigen::Index>(rows_.size()), static_cast<Eigen::Index>(dependent_.size()));
    for (Eigen::Index i = 0; i < D.rows(); ++i)
        for (Eigen::Index j = 0; j < D.cols(); ++j) {
            const int column = dependent_[static_cast<std::size_t>(j)];
            D(i, j) = scale(i) * c.column_scale[static_cast<std::size_t>(column)] *
                      J(rows_[static_cast<std::size_t>(i)], column);
        }
    if (D.size() > 0)
        qr_.compute(D);
}

MatrixXd Follow::operator()(const MatrixXd& b) const
{
    MatrixXd scaled(static_cast<Eigen::Index>(rows_.size()), b.cols());
    for (Eigen::Index i = 0; i < scaled.rows(); ++i)
        scaled.row(i) = scale(i) * b.row(rows_[static_cast<std::size_t>(i)]);
    MatrixXd x = MatrixXd::Zero(c_->num_columns(), b.cols());
    if (dependent_.empty() || b.cols() == 0)
        return x;
    const MatrixXd solved = qr_.solve(scaled);
    for (std::size_t j = 0; j < dependent_.size(); ++j)
        x.row(dependent_[j]) = c_->column_scale[static_cast<std::size_t>(dependent_[j])] *
                               solved.row(static_cast<Eigen::Index>(j));
    return x;
}

namespace {

ClusterRows cluster_rows(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                         std::span<const double> v_dot, const Loops<double>& loops,
                         const ClusterClosure<double>& c)
{
    ClusterRows out;
    for (MatrixXd* m : {&out.J, &out.Gm, &out.Gv, &out.Gq})
        *m = MatrixXd::Zero(c.rows, c.num_columns());
    int first = 0;
    for (int l : c.loops) {
        const LoopOnTree<double>& on = loops.loops[static_cast<std::size_t>(l)];
        differentiate_loop_rows(kin, d, v_dot, loops, on,
                                [&](int i, int dof, double J, double Gm, double Gv, double Gq) {
                                    const int column = c.column_of[static_cast<std::size_t>(dof)];
                                    out.J(first + i, column) += J;
                                    out.Gm(first + i, column) += Gm;
                                    out.Gv(first + i, column) += Gv;
                                    out.Gq(first + i, column) += Gq;
                                });
        for (int i = 0; i < on.holonomic; ++i)
            out.holonomic.push_back(first + i);
        first += on.rows;
    }
    return out;
}

// x that all columns have when the independent ones are one at a time.
MatrixXd basis(const Follow& follow, const MatrixXd& J, const std::vector<int>& independent)
{
    MatrixXd right(J.rows(), static_cast<Eigen::Index>(independent.size()));
    for (std::size_t i = 0; i < independent.size(); ++i)
        right.col(static_cast<Eigen::Index>(i)) = -J.col(independent[i]);
    MatrixXd E = follow(right);
    for (std::size_t i = 0; i < independent.size(); ++i)
        E(independent[i], static_cast<Eigen::Index>(i)) = 1.0;
    return E;
}

// Nonholonomic rows that the motions Eq do not keep already: those of J Eq, by elimination.
std::vector<int> further_rows(const ClusterClosure<double>& c, const ClusterRows& rows,
                              const std::vector<int>& positions, const MatrixXd& Eq)
{
    std::vector<int> others;
    for (int i = 0; i < c.rows; ++i)
        if (!std::binary_search(rows.holonomic.begin(), rows.holonomic.end(), i))
            others.push_back(i);
    const auto n = static_cast<Eigen::Index>(others.size());
    double largest = 0.0; // of the rows, scaled: what is left of one counts beside that
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < c.num_columns(); ++j)
            largest = std::max(largest, std::abs(c.row_scale[static_cast<std::size_t>(i)] *
                                                 c.column_scale[static_cast<std::size_t>(j)] * rows.J(i, j)));
    MatrixXd left(Eq.cols(), n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const int row = others[static_cast<std::size_t>(i)];
        left.col(i) = c.row_scale[static_cast<std::size_t>(row)] * (rows.J.row(row) * Eq).transpose();
    }
    for (std::size_t j = 0; j < positions.size(); ++j)
        left.row(static_cast<Eigen::Index>(j)) *= c.column_scale[static_cast<std::size_t>(positions[j])];
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(left);
    std::vector<int> kept;
    for (Eigen::Index i = 0; i < std::min(left.rows(), n); ++i)
        if (std::abs(qr.matrixQR()(i, i)) > rank_tolerance * largest)
            kept.push_back(others[static_cast<std::size_t>(qr.colsPermutation().indices()[i])]);
    std::sort(kept.begin(), kept.end());
    return kept;
}

} // namespace

ClusterMotions cluster_motions(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                               std::span<const double> v_dot, const Loops<double>& loops,
                               const ClusterClosure<double>& c, std::span<const int> asked)
{
    ClusterMotions out;
    out.c = &c;
    out.rows = cluster_rows(kin, d, v_dot, loops, c);
    const ClusterRows& rows = out.rows;
    out.velocities = c.independent;
    std::sort(out.velocities.begin(), out.velocities.end());
    std::vector<int> all_rows;
    for (int i = 0; i < c.rows; ++i)
        all_rows.push_back(i);
    out.follow = Follow(rows.J, all_rows, c.dependent, c);
    out.Ev = basis(out.follow, rows.J, out.velocities);
    if (rows.holonomic == all_rows) {
        out.positions = out.velocities;
        out.follow_positions = out.follow;
        out.Eq = out.Ev;
        out.kept = c.pivot_row;
        std::sort(out.kept.begin(), out.kept.end());
    } else {
        // Positions are free where the holonomic rows alone leave them; the velocities' own stay among them.
        ClusterClosure<double> holonomic = c;
        std::fill(holonomic.preferred.begin(), holonomic.preferred.end(), 0);
        for (int j : out.velocities)
            holonomic.preferred[static_cast<std::size_t>(j)] = asked.empty();
        for (int dof : asked)
            if (const int j = c.column_of[static_cast<std::size_t>(dof)]; j >= 0)
                holonomic.preferred[static_cast<std::size_t>(j)] = 1;
        eliminate_holonomic(loops, holonomic);
        out.positions = holonomic.independent;
        std::sort(out.positions.begin(), out.positions.end());
        out.follow_positions = Follow(rows.J, rows.holonomic, holonomic.dependent, c);
        out.Eq = basis(out.follow_positions, rows.J, out.positions);
        out.kept = holonomic.pivot_row;
        std::sort(out.kept.begin(), out.kept.end());
        for (int i : further_rows(c, rows, out.positions, out.Eq))
            out.kept.push_back(i);
    }
    out.Fm = out.follow(-rows.Gm * out.Eq);
    out.Fv = out.follow(-rows.Gv * out.Ev);
    out.Fq = out.follow(-(rows.Gv * out.Fm + rows.Gq * out.Eq));
    return out;
}

} // namespace sweepdyn::detail
