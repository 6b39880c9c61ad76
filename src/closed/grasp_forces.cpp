// What a grasp's forces may be: feasible ones, closure, internal ones.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double no_part = 1e-9; // of a force that does nothing, beside 1 in the row that it is named by

void require_limit(const char* function, double most)
{
    if (!std::isfinite(most))
        throw UsageError(std::string(function) + ": most_normal_force is " + number_text(most) +
                         ", expected newtons, or 0 where nothing limits it");
}
// What nothing hangs on is held by anything.
void require_dofs(const char* function, std::span<const int> dofs)
{
    if (dofs.empty())
        throw UsageError(
            std::string(function) +
            ": got no dofs, expected those of what the contacts hold, as object_dofs() tells where it is "
            "not the ground");
}

} // namespace

std::vector<Force<double>> Grasp::wrenches_of(std::span<const double> lambda) const
{
    std::vector<Force<double>> out;
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i)
        out.push_back(attached(static_cast<int>(i)) ? wrench_of(i, lambda) : Force<double>{});
    return out;
}

// The cones of lambda = constant + sum y_k free_k: unknowns are y, then each line's own.
Grasp::Cones Grasp::cones_of(std::span<const double> constant, const std::vector<std::vector<double>>& free,
                             std::span<const int> of) const
{
    const auto asked = [&](int i) {
        return attached(i) && (of.empty() || std::find(of.begin(), of.end(), i) != of.end());
    };
    Cones out{{}, {}, static_cast<int>(free.size())};
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i)
        if (asked(i))
            out.unknowns += num_own_unknowns(contacts()[i]);
    int own = static_cast<int>(free.size());
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i) {
        if (!asked(i))
            continue;
        std::vector<Force<double>> parts(static_cast<std::size_t>(out.unknowns) + 1);
        parts[0] = wrench_of(i, constant);
        for (std::size_t k = 0; k < free.size(); ++k)
            parts[k + 1] = wrench_of(i, free[k]);
        add_cones(contacts()[i], parts, own, out.cones);
        out.contact.resize(out.cones.size(), i);
        own += num_own_unknowns(contacts()[i]);
    }
    return out;
}

std::vector<Force<double>> Grasp::chosen(std::span<const double> constant,
                                         const std::vector<std::vector<double>>& free,
                                         const std::vector<double>& y) const
{
    std::vector<double> lambda(constant.begin(), constant.end());
    for (std::size_t k = 0; k < free.size(); ++k)
        for (std::size_t r = 0; r < lambda.size(); ++r)
            lambda[r] += y[k] * free[k][r];
    return wrenches_of(lambda);
}

Grasp::Feasibility Grasp::answer(std::span<const double> constant,
                                 const std::vector<std::vector<double>>& free, double most,
                                 std::span<const int> of) const
{
    const Cones all = cones_of(constant, free, of);
    const ConeAnswer best = largest_common_margin(all.cones, all.unknowns, most);
    Feasibility out{best.feasible,
                    best.unlimited,
                    best.margin,
                    chosen(constant, free, best.y),
                    std::vector<double>(contacts().size(), 0.0),
                    static_cast<int>(free.size())};
    for (std::size_t k = 0; k < all.cones.size(); ++k)
        out.share[static_cast<std::size_t>(all.contact[k])] += best.share[k];
    return out;
}

// Forces that do nothing.
std::vector<std::vector<double>> Grasp::free_forces()
{
    std::vector<std::vector<double>> free(static_cast<std::size_t>(idle().num_free()),
                                          std::vector<double>(rows().size(), 0.0));
    for (int d = 0; d < idle().num_free(); ++d)
        idle().null_vector(d, free[static_cast<std::size_t>(d)]);
    return free;
}

Grasp::Feasibility Grasp::feasibility(double most, std::span<const int> of)
{
    require_forces("Grasp::feasibility");
    require_limit("Grasp::feasibility", most);
    for (int i : of)
        static_cast<void>(on_.checked(i));
    std::vector<std::vector<double>> free = free_forces();
    if (!of.empty()) // what does not touch those that are asked
        std::erase_if(free, [&](const std::vector<double>& z) {
            for (std::size_t r = 0; r < z.size(); ++r)
                if (std::abs(z[r]) > no_part &&
                    std::find(of.begin(), of.end(), rows()[r].contact) != of.end())
                    return false;
            return true;
        });
    return answer(multipliers(), free, most, of);
}

std::vector<std::vector<int>> Grasp::open_groups()
{
    prepare();
    std::vector<int> group(contacts().size(), -1); // the first of those that belong together
    for (const std::vector<double>& z : free_forces()) {
        std::vector<int> together;
        for (std::size_t r = 0; r < z.size(); ++r)
            if (std::abs(z[r]) > no_part)
                together.push_back(rows()[r].contact);
        for (int i : together) {
            const int known = group[static_cast<std::size_t>(i)], first = together.front();
            for (int& other : group)
                if (known >= 0 && other == known)
                    other = first;
            group[static_cast<std::size_t>(i)] = first;
        }
    }
    std::vector<std::vector<int>> out;
    for (int first = 0; first < static_cast<int>(group.size()); ++first) {
        std::vector<int> members;
        for (int i = 0; i < static_cast<int>(group.size()); ++i)
            if (group[static_cast<std::size_t>(i)] == first)
                members.push_back(i);
        if (!members.empty())
            out.push_back(std::move(members));
    }
    return out;
}

std::vector<int> Grasp::object_dofs() const
{
    std::vector<char> carries(static_cast<std::size_t>(model().num_bodies()), 0);
    for (std::size_t i = 0; i < contacts().size(); ++i)
        if (attached(static_cast<int>(i)))
            for (int k = loops().loops[i].a; k != ground; k = model().tree().parent[k])
                carries[k] = 1;
    std::vector<int> out;
    for (int k = 0; k < model().num_bodies(); ++k)
        if (carries[k])
            for (int j = 0; j < model().tree().num_dofs(k); ++j)
                out.push_back(model().tree().first_dof[k] + j);
    return out;
}

std::vector<double> Grasp::grasp_map(std::span<const int> dofs)
{
    prepare();
    for (int dof : dofs)
        if (dof < 0 || dof >= model().num_dofs())
            throw UsageError("Grasp::grasp_map: got dof " + std::to_string(dof) + ", expected 0 to " +
                             std::to_string(model().num_dofs() - 1));
    const std::size_t r = rows().size(), n = zeros_.size();
    std::vector<double> B(r * n), G(dofs.size() * r);
    on_.forces(kin_, B);
    for (std::size_t d = 0; d < dofs.size(); ++d)
        for (std::size_t row = 0; row < r; ++row)
            G[d * r + row] = B[row * n + static_cast<std::size_t>(dofs[d])];
    return G;
}

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// lambda = particular + null y, in units where moments count by a length.
struct Balanced {
    VectorXd particular;
    MatrixXd null;
    int rank = 0;
    double residual = 0.0; // of G lambda = w, of |w|
};
Balanced balance(const MatrixXd& G, const VectorXd& scale, const VectorXd& w)
{
    if (G.size() == 0)
        return {VectorXd::Zero(G.cols()), MatrixXd::Identity(G.cols(), G.cols()), 0,
                w.size() > 0 && w.norm() > 0.0 ? 1.0 : 0.0};
    const MatrixXd scaled = G * scale.asDiagonal();
    const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullV | Eigen::ComputeThinU);
    Balanced out;
    const VectorXd& sigma = svd.singularValues();
    while (out.rank < sigma.size() && sigma[out.rank] > 1e-9 * sigma[0])
        ++out.rank;
    const Eigen::Index r = out.rank;
    const VectorXd y =
        sigma.head(r).cwiseInverse().asDiagonal() * (svd.matrixU().leftCols(r).transpose() * w);
    out.particular = scale.asDiagonal() * (svd.matrixV().leftCols(r) * y);
    out.null = scale.asDiagonal() * svd.matrixV().rightCols(G.cols() - r);
    const double size = w.norm();
    out.residual = size > 0.0 ? (G * out.particular - w).norm() / size : 0.0;
    return out;
}

std::vector<std::vector<double>> columns(const MatrixXd& A)
{
    std::vector<std::vector<double>> out;
    for (Eigen::Index k = 0; k < A.cols(); ++k)
        out.emplace_back(A.col(k).begin(), A.col(k).end());
    return out;
}

} // namespace

Grasp::Feasibility Grasp::can_exert(std::span<const int> dofs, std::span<const double> w, double most)
{
    require_size("Grasp::can_exert", "w", w.size(), dofs.size());
    require_dofs("Grasp::can_exert", dofs);
    require_finite("Grasp::can_exert", "w", w);
    require_limit("Grasp::can_exert", most);
    const std::vector<double> map = grasp_map(dofs);
    const MatrixXd G = Eigen::Map<const RowMajor>(map.data(), static_cast<Eigen::Index>(dofs.size()),
                                                  static_cast<Eigen::Index>(rows().size()));
    const Balanced all = balance(G, VectorXd::Ones(G.cols()), VectorXd::Map(w.data(), G.rows()));
    Feasibility out = answer({all.particular.data(), rows().size()}, columns(all.null), most);
    if (all.residual > 1e-9) { // no forces at all do
        out.feasible = out.unlimited = false;
        out.margin = -std::numeric_limits<double>::infinity();
    }
    return out;
}

Grasp::ForceClosure Grasp::force_closure(std::span<const int> dofs)
{
    require_dofs("Grasp::force_closure", dofs);
    const std::vector<double> map = grasp_map(dofs);
    ForceClosure out;
    out.dofs = static_cast<int>(dofs.size());
    out.wrench.assign(contacts().size(), {});
    if (rows().empty())
        return out;
    const MatrixXd G =
        Eigen::Map<const RowMajor>(map.data(), out.dofs, static_cast<Eigen::Index>(rows().size()));
    const Balanced all = balance(G, VectorXd::Ones(G.cols()), VectorXd::Zero(out.dofs));
    out.rank = all.rank;
    const auto free = columns(all.null);
    const std::vector<double> nothing(rows().size(), 0.0);
    const Cones all_cones = cones_of(nothing, free, {});
    const ConeAnswer best = largest_squeeze(all_cones.cones, all_cones.unknowns);
    out.squeeze = all_cones.cones.empty() ? 0.0 : best.margin;
    out.wrench = chosen(nothing, free, best.y);
    out.closed = out.rank == out.dofs && (all_cones.cones.empty() || out.squeeze > 1e-6);
    return out;
}

Grasp::Split Grasp::split(std::span<const int> dofs)
{
    require_dofs("Grasp::split", dofs);
    require_forces("Grasp::split");
    const std::vector<double> map = grasp_map(dofs);
    const auto r = static_cast<Eigen::Index>(rows().size());
    const MatrixXd G = Eigen::Map<const RowMajor>(map.data(), static_cast<Eigen::Index>(dofs.size()), r);
    // Moments count by the contacts' root mean square distance from their mean.
    Vec3<double> mean{};
    double count = 0.0, square = 0.0;
    for (std::size_t i = 0; i < contacts().size(); ++i)
        if (attached(static_cast<int>(i)))
            mean += loops().loops[i].o, count += 1.0;
    mean = count > 0.0 ? (1.0 / count) * mean : mean;
    for (std::size_t i = 0; i < contacts().size(); ++i)
        if (attached(static_cast<int>(i)))
            square += dot(loops().loops[i].o - mean, loops().loops[i].o - mean);
    const double length = square > 0.0 ? std::sqrt(square / count) : 1.0;
    VectorXd scale = VectorXd::Ones(r);
    for (Eigen::Index k = 0; k < r; ++k)
        if (const Vec3<double>& f = loops().A[rows()[k].loop_row].f; dot(f, f) < 0.5)
            scale[k] = length;
    const VectorXd lambda = VectorXd::Map(lambda_.data(), r);
    const VectorXd motion = balance(G, scale, G * lambda).particular, internal = lambda - motion;
    return {wrenches_of({motion.data(), rows().size()}), wrenches_of({internal.data(), rows().size()})};
}

} // namespace sweepdyn
