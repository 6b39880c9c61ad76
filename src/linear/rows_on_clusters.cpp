#include "sweepdyn/linear/rows_on_clusters.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd;
using Indices = std::vector<int>;

// The rows in the clusters' coordinates.
struct Rows {
    MatrixXd J, Gv, Gq; // rows x u1

    Rows(Eigen::Index rows, Eigen::Index size) : J(MatrixXd::Zero(rows, size)), Gv(J), Gq(J) {}
    // J dv_dot + Gv dv + Gq dq, of a dof that follows by E, Fm, Fv, Fq.
    void add(int row, int at, double J_, double Gv_, double Gq_, double E, double Fm, double Fv, double Fq)
    {
        J(row, at) += J_ * E;
        Gv(row, at) += J_ * Fv + Gv_ * E;
        Gq(row, at) += J_ * Fq + Gv_ * Fm + Gq_ * E;
    }
    // So many that are independent, by their directions.
    void keep(Eigen::Index count)
    {
        if (count == J.rows())
            return;
        const Eigen::ColPivHouseholderQR<MatrixXd> qr(J.rowwise().normalized().transpose());
        Indices kept;
        for (Eigen::Index i = 0; i < count; ++i)
            kept.push_back(static_cast<int>(qr.colsPermutation().indices()[i]));
        std::sort(kept.begin(), kept.end());
        for (MatrixXd* m : {&J, &Gv, &Gq})
            *m = MatrixXd((*m)(kept, Eigen::all));
    }
};

// The dofs u1 are independent ones, where a motion is 1, and few others.
struct Split {
    Indices place, others, other_dofs; // of u1: the independent ones; the rest, and their dofs

    static std::optional<Split> of(std::span<const int> u1, std::span<const int> independent)
    {
        if (!std::includes(u1.begin(), u1.end(), independent.begin(), independent.end()))
            return {};
        Split out;
        for (std::size_t i = 0; i < u1.size(); ++i)
            if (std::binary_search(independent.begin(), independent.end(), u1[i]))
                out.place.push_back(static_cast<int>(i));
            else {
                out.others.push_back(static_cast<int>(i));
                out.other_dofs.push_back(u1[i]);
            }
        return out;
    }
    // A F, F zero at the independent dofs; A E, E one there.
    template <class Left> MatrixXd times_zero_at_independent(const Left& A, const Matrix& F) const
    {
        return A(Eigen::all, others) * view(F)(other_dofs, Eigen::all);
    }
    template <class Left> MatrixXd times_one_at_independent(const Left& A, const Matrix& E) const
    {
        return A(Eigen::all, place) + times_zero_at_independent(A, E);
    }
};

} // namespace

RowsOnClusters::RowsOnClusters(const Model& model, const Closure<double>& clusters)
    : rows_(rows_in_no_cluster(model)),
      own_(rows_.empty() ? std::optional<Closure<double>>() : Closure<double>(model)),
      direct_(model, own_ ? *own_ : clusters)
{
}

std::vector<RowsOnClusters::Row> RowsOnClusters::rows_in_no_cluster(const Model& model)
{
    std::vector<Row> out;
    const std::vector<int>& distant = model.topology().distant;
    for (std::size_t l = 0; l < model.loops().size(); ++l) {
        const Loop& loop = model.loops()[l];
        const bool in_cluster =
            std::find(distant.begin(), distant.end(), static_cast<int>(l)) == distant.end();
        for (int row = in_cluster ? num_holonomic_rows(loop) : 0; row < num_rows(loop); ++row)
            out.push_back({static_cast<int>(l), row});
    }
    return out;
}

// Of the model's own, with the independent dofs of the motions among theirs.
Closure<double>& RowsOnClusters::holonomic_clusters(const Kinematics<double>& kin,
                                                    const ClosedMotions& motions)
{
    Indices wanted(motions.positions.begin(), motions.positions.end());
    wanted.insert(wanted.end(), motions.velocities.begin(), motions.velocities.end());
    own_->prefer(wanted);
    update_closure(kin, *own_);
    for (ClusterClosure<double>& c : own_->clusters)
        detail::eliminate_holonomic(own_->loops, c);
    return *own_;
}

bool RowsOnClusters::compute(const Kinematics<double>& kin, const Closure<double>& clusters,
                             const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                             std::span<const double> lambda, std::span<const double> damping,
                             const ClosedMotions& motions)
{
    const Closure<double>& closure = own_ ? holonomic_clusters(kin, motions) : clusters;
    direct_.compute(kin, closure, d, v_dot, lambda, damping);
    const std::span<const int> u1 = direct_.independent();
    const auto positions = Split::of(u1, motions.positions), velocities = Split::of(u1, motions.velocities);
    if (!positions || !velocities)
        return false;
    const Eigen::Index m1 = direct_.size();
    const auto of = [&](std::span<const double> x) { return Eigen::Map<const MatrixXd>(x.data(), m1, m1); };
    const auto M1_inverse = of(direct_.M_inverse()), A1 = of(direct_.A_C());
    MatrixXd B1 = of(direct_.B_C());

    // B1 -= M1^-1 J' We J of loads that keep their axes, J of their bodies; We asks for the angular half of J
    for (Index k = 0; k < static_cast<Index>(d.We.size()); ++k) {
        MatrixXd left = MatrixXd::Zero(m1, 3), right = MatrixXd::Zero(3, m1);
        for (Index up = k; up != ground; up = kin.body[up].parent)
            for (Index j : kin.body[up].dofs()) {
                const Motion<double> H = PhiAdjoint<double>{kin.r(k) - kin.r(up)} * kin.H[j];
                const Vec3<double> seen = d.We[k].transpose_moment(H);
                direct_.follow(static_cast<int>(j), [&](int at, double E, double, double, double) {
                    for (int i = 0; i < 3; ++i) {
                        left(at, i) += E * seen[i];
                        right(i, at) += E * H.w[i];
                    }
                });
            }
        B1 -= M1_inverse * left * right;
    }

    // The further rows, and the forces of couplings that change with p'(q)
    Rows rows(static_cast<Eigen::Index>(rows_.size()), m1);
    for (std::size_t r = 0; r < rows_.size();) {
        const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(rows_[r].loop)];
        const int first = rows_[r].row;
        differentiate_loop_rows(
            kin, d, v_dot, closure.loops, on, [&](int row, int dof, double J, double, double Gv, double Gq) {
                if (row < first)
                    return;
                const int to = static_cast<int>(r) + row - first;
                direct_.follow(dof, [&](int at, auto... motion) { rows.add(to, at, J, Gv, Gq, motion...); });
            });
        for (std::size_t t = 0; t < on.dofs.size(); ++t) {
            const int dof = on.dofs[t], k = kin.tree().body_of_dof[dof];
            const double q = kin.q[kin.tree().first_coordinate[k] + dof - kin.tree().first_dof[k]];
            Eigen::VectorXd E = Eigen::VectorXd::Zero(m1);
            direct_.follow(dof, [&](int at, double x, double, double, double) { E[at] = x; });
            const double f = detail::polynomial(on.loop.terms[t].polynomial, q)[2] * lambda[on.first_row];
            if (f != 0.0)
                B1 -= (M1_inverse * (f * E)) * E.transpose();
        }
        r += static_cast<std::size_t>(on.rows - first);
    }
    rows.keep(m1 - static_cast<Eigen::Index>(motions.velocities.size()));

    const MatrixXd X = M1_inverse * rows.J.transpose();
    const Eigen::LLT<MatrixXd> Omega(rows.J * X);
    const auto by_w = [&](const auto& A) { return velocities->times_one_at_independent(A, motions.Ev); };
    const auto by_u = [&](const auto& A, const auto& B) -> MatrixXd {
        return velocities->times_zero_at_independent(A, motions.Fm) +
               positions->times_one_at_independent(B, motions.Eq);
    };
    const auto meet = [&](const MatrixXd& free, const MatrixXd& row_rates) {
        MatrixXd out = free;
        if (X.cols() > 0)
            out -= X * Omega.solve(rows.J * free + row_rates);
        return matrix(out(velocities->place, Eigen::all));
    };
    w_dot_w = meet(-by_w(A1), by_w(rows.Gv));
    w_dot_u = meet(-by_u(A1, B1), by_u(rows.Gv, rows.Gq));
    M_inverse = meet(M1_inverse(Eigen::all, velocities->place),
                     MatrixXd::Zero(X.cols(), static_cast<Eigen::Index>(velocities->place.size())));
    return true;
}

} // namespace sweepdyn
