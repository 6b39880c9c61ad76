#include "linear/balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sweepdyn::detail {

Need need_at(Linearization& lin, const OperatingPoint& point)
{
    const std::vector<double> still(point.v.size());
    lin.set_at(point.q, point.v, still, point.external);
    double scale = 0.0;
    for (Index k : lin.model().tree().base_to_tip()) {
        const Force<double>& f = lin.derivatives().motion[k].f;
        scale = std::max({scale, norm(f.n), norm(f.f)});
    }
    for (double T : lin.T())
        scale = std::max(scale, std::abs(T));
    return {{lin.T().begin(), lin.T().end()}, scale};
}

double norm_of(std::span<const double> a)
{
    double sum = 0.0;
    for (double x : a)
        sum += x * x;
    return std::sqrt(sum);
}

std::string by_dof(const Model& model, std::span<const double> forces, double above)
{
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < forces.size(); ++j)
        if (std::abs(forces[j]) > above)
            order.push_back(j);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::abs(forces[a]) > std::abs(forces[b]); });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < 8; ++i)
        text += (i ? ", '" : "'") + model.dof_names()[order[i]] + "' " + number_text(forces[order[i]]);
    if (order.size() > 8)
        text += " and " + std::to_string(order.size() - 8) + " more";
    return text;
}

std::string by_input(std::span<const std::string> names, Matrix null_space)
{
    // Columns cleared of each other's largest entries: each is left with an input of its own.
    Matrix& N = null_space;
    std::vector<bool> used(names.size(), false);
    for (int k = 0; k < N.columns(); ++k) {
        int own = 0;
        double most = 0.0;
        for (int i = 0; i < N.rows(); ++i)
            if (!used[static_cast<std::size_t>(i)] && std::abs(N(i, k)) > most)
                most = std::abs(N(i, k)), own = i;
        used[static_cast<std::size_t>(own)] = true;
        const double head = N(own, k);
        for (double& entry : N.column(k))
            entry /= head;
        for (int other = 0; other < N.columns(); ++other)
            if (const double factor = N(own, other); other != k)
                for (int i = 0; i < N.rows(); ++i)
                    N(i, other) -= factor * N(i, k);
    }
    std::string text;
    for (int k = 0; k < N.columns() && k < 8; ++k) {
        text += text.empty() ? "" : ", ";
        int terms = 0;
        for (int i = 0; i < N.rows(); ++i) {
            const double size = std::abs(N(i, k));
            if (size < 1e-9)
                continue;
            char digits[32] = "";
            if (std::abs(size - 1.0) > 1e-9)
                std::snprintf(digits, sizeof digits, "%.3g ", size);
            text += (terms++ ? (N(i, k) < 0.0 ? " - " : " + ") : (N(i, k) < 0.0 ? "-" : "")) +
                    std::string(digits) + names[static_cast<std::size_t>(i)];
        }
    }
    if (N.columns() > 8)
        text += " and " + std::to_string(N.columns() - 8) + " more";
    return text;
}

void refuse_unsteady(Linearization& lin, double scale, const TrimOptions& options)
{
    const std::span<const double> v = lin.kinematics().v;
    if (norm_of(v) == 0.0)
        return;
    const Matrix& B_D = lin.inverse_matrices().B_D;
    std::vector<double> rate(v.size());
    for (int j = 0; j < B_D.columns(); ++j)
        for (int i = 0; i < B_D.rows(); ++i)
            rate[static_cast<std::size_t>(i)] += B_D(i, j) * v[static_cast<std::size_t>(j)];
    const double allowed = std::max(options.tolerance, 1e-9) * scale * norm_of(v);
    if (norm_of(rate) > allowed)
        throw RefusedError("trim: not a steady motion: along it the forces needed change, per second, by " +
                           by_dof(lin.model(), rate, allowed / std::sqrt(static_cast<double>(v.size()))) +
                           "; only coordinates that the forces do not depend on may move");
}

void refuse_moving_loops(const Model& model, const OperatingPoint& point)
{
    if (!model.topology().is_open() && norm_of(point.v) > 0.0)
        throw RefusedError("trim: model '" + model.name() +
                           "' has loops, and of such only a pose at rest can be held; leave v out");
}

} // namespace sweepdyn::detail
