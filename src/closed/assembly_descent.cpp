#include "closed/assembly_descent.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::detail {
namespace {

constexpr double rank_of_C = 1e-10;

} // namespace

// The step of least |C d - c|^2 + lambda |d|^2 that no limit stops; d is scaled.
void AssemblyDescent::step(const std::vector<double>& q, double lambda, Eigen::VectorXd& d)
{
    const Eigen::Index rows = problem_.num_rows();
    std::fill(stopped_.begin(), stopped_.end(), 0);
    for (;;) {
        std::vector<Eigen::Index> columns;
        for (std::size_t j = 0; j < problem_.num_dofs(); ++j)
            if (problem_.moves(j) && !stopped_[j])
                columns.push_back(static_cast<Eigen::Index>(j));
        d.setZero(problem_.model().num_dofs());
        if (columns.empty())
            return;
        const auto n = static_cast<Eigen::Index>(columns.size());
        const Eigen::Index damped = lambda > 1e-18 ? n : 0;
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows + damped, n);
        Eigen::VectorXd b = Eigen::VectorXd::Zero(rows + damped);
        for (Eigen::Index i = 0; i < n; ++i)
            A.col(i).head(rows) = C_.col(columns[i]);
        b.head(rows) = c_;
        A.bottomRows(damped).diagonal().setConstant(std::sqrt(lambda));
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
        // what redundant rows contradict each other by is no reason to move along them
        cod.setThreshold(part_ <= widest_contradiction ? rank_tolerance : rank_of_C);
        cod.compute(A);
        const Eigen::VectorXd x = cod.solve(b);
        bool again = false;
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto j = static_cast<std::size_t>(columns[i]);
            const Bound& bound = problem_.bound(j);
            double move = x[i] * problem_.column_scale(j);
            if (bound.coordinate >= 0) {
                const double at = q[bound.coordinate], room = 1e-14 * (1.0 + std::abs(at));
                if ((move < 0.0 && at <= bound.lower + room) || (move > 0.0 && at >= bound.upper - room)) {
                    stopped_[j] = 1;
                    again = true;
                }
                move = std::min(std::max(move, bound.lower - at), bound.upper - at);
            }
            d[columns[i]] = move / problem_.column_scale(j);
        }
        if (!again)
            return;
    }
}

bool AssemblyDescent::operator()(std::vector<double>& q)
{
    const auto n = problem_.num_dofs();
    problem_.evaluate(q, c_, F_, part_);
    double mu = 1e-2, growth = 2.0;
    Eigen::VectorXd d, trial_c;
    std::vector<double> move(n), trial(q.size());
    stopped_.assign(n, 0);
    int polish = 0, counted = 0;
    // steps that are cut short for they would turn too far at once lead on, however many: not more than ten times as many
    for (int iteration = 0; counted < options_.iterations && iteration < 10 * options_.iterations;
         ++iteration) {
        bool cut = false;
        if (!std::isfinite(F_))
            return false;
        if (part_ == 0.0 || (part_ <= options_.tolerance && ++polish > 2))
            return true;
        problem_.linearise(C_);
        if (!C_.allFinite())
            return false; // half a turn away, where the shorter way is neither; another start will do
        for (bool taken = false; !taken;) {
            step(q, part_ < 1e-7 ? 0.0 : 2.0 * mu * F_, d);
            double longest = 0.0; // of those that c is not linear in
            for (std::size_t j = 0; j < n; ++j)
                if (problem_.bends(j))
                    longest = std::max(longest, std::abs(d[static_cast<Eigen::Index>(j)]));
            cut = longest > 0.5; // in a half turn anything may happen
            if (cut)
                d *= 0.5 / longest;
            const double predicted = F_ - 0.5 * (c_ - C_ * d).squaredNorm();
            if (!(predicted > 1e-12 * F_))
                return true; // the gap does not shrink to first order
            for (std::size_t j = 0; j < n; ++j)
                move[j] = d[static_cast<Eigen::Index>(j)] * problem_.column_scale(j);
            integrate<double>(problem_.model(), q, move, trial);
            problem_.clamp(trial);
            double F = 0.0, part = 0.0;
            problem_.evaluate(trial, trial_c, F, part);
            const double gain = (F_ - F) / predicted;
            if (F < F_) {
                if (gain > 0.75)
                    mu = std::max(mu / 4.0, 1e-12);
                else if (gain < 0.25)
                    mu *= 2.0;
                growth = 2.0;
                q = trial;
                std::swap(c_, trial_c);
                F_ = F;
                part_ = part;
                taken = true;
                counted += !cut;
            } else {
                if (part_ < 1e-7) { // rounding, or a point where Newton has nothing left to gain
                    problem_.evaluate(q, c_, F_, part_);
                    return true;
                }
                problem_.evaluate(q, trial_c, F, part); // back to q, for column_scale
                mu *= growth;
                growth *= 2.0;
                if (mu * F_ > 1e12)
                    return true;
            }
        }
    }
    return false;
}

} // namespace sweepdyn::detail
