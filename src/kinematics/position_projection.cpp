#include "sweepdyn/kinematics/position_projection.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

template struct Semidefinite<double>;

namespace {

constexpr int most_iterations = 20;
constexpr double closed_enough = 4e-15; // of the loop's size: rounding
constexpr double longest_step = 0.5; // rad, or parts of the cluster's size: beyond it, nothing is "near"
constexpr double fading = 0.1; // of the largest pivot

std::size_t most_dofs(const Closure<double>& closure)
{
    std::size_t most = 0;
    for (const auto& c : closure.clusters)
        most = std::max(most, c.dofs.size());
    return most;
}

} // namespace

PositionProjection::PositionProjection(const Model& model)
    : rows_(model),
      d_(static_cast<std::size_t>(model.num_dofs())),
      best_(static_cast<std::size_t>(model.num_coordinates())),
      N_(most_dofs(rows_) * most_dofs(rows_)),
      y_(most_dofs(rows_)),
      N_factor_(static_cast<int>(y_.size())),
      Jd_(rows_.topology.distant.size() * d_.size()),
      Z_(Jd_.size()),
      s_(rows_.topology.distant.size()),
      S_(s_.size() * s_.size()),
      S_factor_(static_cast<int>(s_.size())),
      fine_(model),
      fine_loops_(model, model.loops()),
      fine_q_(best_.size())
{
}

void PositionProjection::refresh(const Kinematics<double>& kin)
{
    if (rows_.loops.position_version != kin.position_version)
        update_loops(kin, rows_.loops);
}

std::pair<double, int> PositionProjection::largest_gap(const Kinematics<double>& kin)
{
    refresh(kin);
    std::pair<double, int> out{0.0, -1};
    for (std::size_t l = 0; l < rows_.loops.loops.size(); ++l)
        if (const double part = gap_of(kin, rows_.loops, rows_.loops.loops[l]).part;
            out.second < 0 || !(part <= out.first))
            out = {part, static_cast<int>(l)};
    return out;
}

LoopGap PositionProjection::gap(const Kinematics<double>& kin, int loop)
{
    refresh(kin);
    return gap_of(kin, rows_.loops, rows_.loops.loops[static_cast<std::size_t>(loop)]);
}

// d of the cluster = g - E (E'WE)^-1 E'W g, W = 1 / column_scale^2; leaves the factor of E'WE.
void PositionProjection::least(ClusterClosure<double>& c)
{
    const int m = c.mobility(), n = c.num_columns();
    const auto weight = [&](int j) { return 1.0 / (c.column_scale[j] * c.column_scale[j]); };
    for (int i = 0; i < m; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j)
            sum += c.basis(j, i) * weight(j) * c.g[j];
        y_[i] = sum;
        for (int k = 0; k <= i; ++k) {
            double entry = 0.0;
            for (int j = 0; j < n; ++j)
                entry += c.basis(j, i) * weight(j) * c.basis(j, k);
            N_[i * m + k] = entry;
        }
    }
    N_factor_.factor(N_.data(), m, m, 0.0);
    N_factor_.solve({y_.data(), static_cast<std::size_t>(m)});
    for (int j = 0; j < n; ++j) {
        double x = c.g[j];
        for (int i = 0; i < m; ++i)
            x -= c.basis(j, i) * y_[i];
        d_[c.dofs[j]] = x;
    }
}

void PositionProjection::step(const Kinematics<double>& kin)
{
    std::fill(d_.begin(), d_.end(), 0.0);
    const std::size_t n = d_.size();
    std::fill(Jd_.begin(), Jd_.end(), 0.0);
    for (std::size_t i = 0; i < s_.size(); ++i) {
        const auto& on = rows_.loops.loops[rows_.topology.distant[i]];
        loop_jacobian<double>(kin, rows_.loops, on, [&](int, int dof, double x) { Jd_[i * n + dof] += x; });
        s_[i] = rows_.loops.gap[on.first_row];
    }
    std::copy(Jd_.begin(), Jd_.end(), Z_.begin()); // a plain hinge follows as it is
    for (ClusterClosure<double>& c : rows_.clusters) {
        detail::collect_rows(kin, rows_.loops, c);
        for (int row = 0; row < c.rows; ++row) {
            const bool holds = c.row_of_loop[row] < rows_.loops.loops[c.row_loop[row]].holonomic;
            c.gamma[row] = holds ? -c.gap[row] : 0.0;
            if (!holds)
                for (int j = 0; j < c.num_columns(); ++j)
                    c.entry(row, j) = 0.0;
        }
        detail::eliminate(c); // J g = gap
        least(c);
        // Z = E (E'WE)^-1 E' Jd' of the cluster
        const int m = c.mobility();
        for (std::size_t i = 0; i < s_.size(); ++i) {
            for (int k = 0; k < m; ++k) {
                y_[k] = 0.0;
                for (int j = 0; j < c.num_columns(); ++j)
                    y_[k] += c.basis(j, k) * Jd_[i * n + c.dofs[j]];
            }
            N_factor_.solve({y_.data(), static_cast<std::size_t>(m)});
            for (int j = 0; j < c.num_columns(); ++j) {
                double x = 0.0;
                for (int k = 0; k < m; ++k)
                    x += c.basis(j, k) * y_[k];
                Z_[i * n + c.dofs[j]] = x;
            }
        }
    }
    if (s_.empty())
        return;
    // d += Z s,  Jd d = gap_d
    for (std::size_t i = 0; i < s_.size(); ++i) {
        for (std::size_t j = 0; j < n; ++j)
            s_[i] -= Jd_[i * n + j] * d_[j];
        for (std::size_t k = 0; k < s_.size(); ++k) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                sum += 0.5 * (Jd_[i * n + j] * Z_[k * n + j] + Jd_[k * n + j] * Z_[i * n + j]);
            S_[i * s_.size() + k] = sum;
        }
    }
    const int distant = static_cast<int>(s_.size());
    S_factor_.factor(S_.data(), distant, distant, omega_rank_tolerance, DiagonalScale::largest);
    S_factor_.solve(s_);
    for (std::size_t i = 0; i < s_.size(); ++i)
        for (std::size_t j = 0; j < n; ++j)
            d_[j] += Z_[i * n + j] * s_[i];
}

bool PositionProjection::near_branch() const
{
    return std::any_of(rows_.clusters.begin(), rows_.clusters.end(),
                       [](const ClusterClosure<double>& c) { return c.smallest_kept < fading; });
}

const Closure<double>& PositionProjection::eliminate(const Kinematics<double>& kin)
{
    refresh(kin);
    for (ClusterClosure<double>& c : rows_.clusters) {
        detail::collect_rows(kin, rows_.loops, c);
        std::fill(c.gamma.begin(), c.gamma.end(), 0.0);
        detail::eliminate(c);
    }
    return rows_;
}

void PositionProjection::refine(Kinematics<double>& kin, std::span<double> q)
{
    std::copy(q.begin(), q.end(), fine_q_.begin());
    update<long double>(fine_, fine_q_);
    update_loops(fine_, fine_loops_);
    std::copy(fine_loops_.gap.begin(), fine_loops_.gap.end(), rows_.loops.gap.begin());
    step(kin);
    integrate<double>(kin.model, q, d_, q);
    update<double>(kin, q);
    std::tie(report_.after, report_.loop) = largest_gap(kin);
}

const PositionProjection::Report& PositionProjection::positions(Kinematics<double>& kin, std::span<double> q)
{
    detail::require_coordinates(kin.model, "PositionProjection::positions", "q", q.size());
    report_ = {};
    for (;; ++report_.iterations) {
        update<double>(kin, q);
        const auto [part, loop] = largest_gap(kin);
        if (report_.iterations == 0)
            report_.before = part;
        else if (!(part < report_.after)) { // no nearer than before
            std::copy(best_.begin(), best_.end(), q.begin());
            update<double>(kin, q);
            break;
        }
        const bool slow = report_.iterations > 0 && part > 0.5 * report_.after;
        report_.after = part;
        report_.loop = loop;
        if (part <= closed_enough || slow || report_.iterations == most_iterations || !std::isfinite(part))
            break;
        std::copy(q.begin(), q.end(), best_.begin());
        step(kin);
        double longest = 0.0;
        for (const ClusterClosure<double>& c : rows_.clusters)
            for (int j = 0; j < c.num_columns(); ++j)
                longest = std::max(longest, std::abs(d_[c.dofs[j]]) / c.column_scale[j]);
        for (int l : rows_.topology.distant) // plain hinges
            for (int j : rows_.topology.dofs[l])
                longest = std::max(longest, std::abs(d_[j]));
        if (longest > longest_step)
            for (double& d : d_)
                d *= longest_step / longest;
        integrate<double>(kin.model, q, d_, q);
    }
    if (!(report_.after <= closed_enough))
        return report_;
    if (report_.iterations == 0)
        eliminate(kin);
    if (near_branch())
        refine(kin, q);
    return report_;
}

} // namespace sweepdyn
