#include "sweepdyn/closed/cones.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

// One cone as matrices: s = C x + d with x = (y, t), s(0) = mu n - w t, the rest u. Its barrier is -log(s0^2 - |u|^2), or -log s0.
struct Cone {
    MatrixXd C;
    VectorXd d;
    double degree() const { return C.rows() > 1 ? 2.0 : 1.0; }
    // s0^2 - |u|^2 with s0 > 0, or s0: positive inside.
    double inside(const VectorXd& s) const
    {
        if (s.size() == 1)
            return s[0];
        const double u = s.tail(s.size() - 1).norm();
        return s[0] <= 0.0 ? std::min(s[0], 0.0) : (s[0] - u) * (s[0] + u);
    }
};

void require_form(const AffineForm& form, int unknowns, std::size_t cone)
{
    const auto finite = [](double x) { return std::isfinite(x); };
    if (static_cast<int>(form.slope.size()) != unknowns || !finite(form.constant) ||
        !std::all_of(form.slope.begin(), form.slope.end(), finite))
        throw UsageError("cones: cone " + std::to_string(cone) + " has a form of " +
                         std::to_string(form.slope.size()) + " slopes, expected " + std::to_string(unknowns) +
                         " and finite numbers");
}

struct Problem {
    std::vector<Cone> cones;
    int n = 0; // of y
    double degree = 0.0;

    double value(const VectorXd& x, double kappa) const
    {
        double sum = -kappa * x[n];
        for (const Cone& cone : cones) {
            const double in = cone.inside(cone.C * x + cone.d);
            if (!(in > 0.0))
                return std::numeric_limits<double>::infinity();
            sum -= std::log(in);
        }
        return sum;
    }
    void derivatives(const VectorXd& x, double kappa, VectorXd& gradient, MatrixXd& hessian) const
    {
        gradient = VectorXd::Zero(n + 1);
        gradient[n] = -kappa;
        hessian = MatrixXd::Zero(n + 1, n + 1);
        for (const Cone& cone : cones) {
            const VectorXd s = cone.C * x + cone.d;
            const double in = cone.inside(s);
            if (s.size() == 1) {
                gradient -= cone.C.transpose() / in;
                hessian += cone.C.transpose() * cone.C / (in * in);
                continue;
            }
            VectorXd Js = -s; // J = diag(1, -1, ...)
            Js[0] = s[0];
            const VectorXd g = cone.C.transpose() * Js * (2.0 / in);
            gradient -= g;
            MatrixXd JC = -cone.C;
            JC.row(0) = cone.C.row(0);
            hessian += g * g.transpose() - (2.0 / in) * cone.C.transpose() * JC;
        }
    }
};

// x strictly feasible on entry, optimal on return.
void follow_path(const Problem& problem, VectorXd& x, double scale, double& gap)
{
    double kappa = problem.degree / scale;
    VectorXd gradient, step;
    MatrixXd hessian;
    for (int centre = 0; centre < 60; ++centre) {
        for (int inner = 0; inner < 60; ++inner) {
            problem.derivatives(x, kappa, gradient, hessian);
            const VectorXd diagonal = hessian.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
            const MatrixXd scaled = diagonal.asDiagonal() * hessian * diagonal.asDiagonal();
            step = -(diagonal.asDiagonal() *
                     scaled.completeOrthogonalDecomposition().solve(diagonal.asDiagonal() * gradient));
            const double decrement = -gradient.dot(step);
            if (!(decrement > 1e-9)) // half of it is what a full step would gain
                break;
            double length = 1.0;
            const double before = problem.value(x, kappa);
            while (length > 1e-12 &&
                   !(problem.value(x + length * step, kappa) <= before - 0.1 * length * decrement))
                length *= 0.5;
            if (length <= 1e-12)
                break;
            x += length * step;
        }
        gap = problem.degree / kappa;
        if (gap < 1e-9 * scale)
            break;
        kappa *= 8.0;
    }
}

ConeAnswer solve(std::span<const ForceCone> given, int unknowns, double most, bool slopes_only)
{
    Problem problem;
    problem.n = unknowns;
    MatrixXd feels(0, unknowns);
    double scale = 0.0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const ForceCone& from = given[i];
        require_form(from.normal, unknowns, i);
        if (!(from.mu > 0.0) || !(from.weight > 0.0))
            throw UsageError("largest_common_margin: cone " + std::to_string(i) +
                             " has mu = " + number_text(from.mu) + " and weight " + number_text(from.weight) +
                             ", expected both above 0");
        const auto rows = static_cast<Eigen::Index>(1 + from.across.size());
        Cone cone{MatrixXd::Zero(rows, unknowns + 1), VectorXd::Zero(rows)};
        for (int k = 0; k < unknowns; ++k)
            cone.C(0, k) = from.mu * from.normal.slope[static_cast<std::size_t>(k)];
        cone.d[0] = slopes_only ? 0.0 : from.mu * from.normal.constant;
        for (std::size_t a = 0; a < from.across.size(); ++a) {
            require_form(from.across[a], unknowns, i);
            const auto row = static_cast<Eigen::Index>(1 + a);
            for (int k = 0; k < unknowns; ++k)
                cone.C(row, k) = from.across[a].slope[static_cast<std::size_t>(k)];
            cone.d[row] = slopes_only ? 0.0 : from.across[a].constant;
        }
        feels.conservativeResize(feels.rows() + rows, Eigen::NoChange);
        feels.bottomRows(rows) = cone.C.leftCols(unknowns);
        cone.C(0, unknowns) = -from.weight;
        scale = std::max(scale, cone.d.cwiseAbs().maxCoeff());
        problem.cones.push_back(std::move(cone));
    }
    ConeAnswer out;
    out.y.assign(static_cast<std::size_t>(unknowns), 0.0);
    out.share.assign(given.size(), 0.0);
    if (problem.cones.empty()) {
        out.feasible = out.unlimited = true;
        out.margin = std::numeric_limits<double>::infinity();
        return out;
    }
    if (slopes_only)
        scale = 1.0;
    if (!(scale > 0.0))
        scale = 1.0;
    // y = V z, z along what the cones feel, so that no direction is idle.
    MatrixXd V(unknowns, 0);
    if (unknowns > 0) {
        const Eigen::JacobiSVD<MatrixXd> svd(feels, Eigen::ComputeThinV);
        const VectorXd& sigma = svd.singularValues();
        Eigen::Index rank = 0;
        while (rank < sigma.size() && sigma[rank] > 1e-10 * sigma[0])
            ++rank;
        V = svd.matrixV().leftCols(rank);
    }
    const int n = static_cast<int>(V.cols());
    // most - sum n >= 0
    Cone limit{MatrixXd::Zero(1, n + 1), VectorXd::Zero(1)};
    const double allowed = slopes_only  ? 1.0
                           : most > 0.0 ? most
                                        : 1e3 * scale * static_cast<double>(given.size());
    limit.d[0] = allowed;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const VectorXd slope = VectorXd::Map(given[i].normal.slope.data(), unknowns);
        limit.C.leftCols(n) -= (V.transpose() * slope).transpose();
        if (!slopes_only)
            limit.d[0] -= given[i].normal.constant;
        MatrixXd C(problem.cones[i].C.rows(), n + 1);
        C << problem.cones[i].C.leftCols(unknowns) * V, problem.cones[i].C.col(unknowns);
        problem.cones[i].C = C;
    }
    problem.n = n;
    VectorXd x = VectorXd::Zero(n + 1);
    if (limit.d[0] <= 1e-3 * allowed) { // begin where there is room: far enough against the sum
        const VectorXd down = limit.C.leftCols(n).transpose();
        if (down.squaredNorm() > 0.0)
            x.head(n) = down * ((0.5 * allowed - limit.d[0]) / down.squaredNorm());
        else if (limit.d[0] <= 0.0) { // the sum of normal forces is given, and is too large
            out.margin = -std::numeric_limits<double>::infinity();
            return out;
        }
    }
    // t low enough for every cone
    double lowest = 0.0;
    for (std::size_t i = 0; i < problem.cones.size(); ++i) {
        const VectorXd s = problem.cones[i].C * x + problem.cones[i].d;
        const double g = s[0] - (s.size() > 1 ? s.tail(s.size() - 1).norm() : 0.0);
        lowest = std::min(lowest, g / given[i].weight);
    }
    x[n] = lowest - scale;
    problem.cones.push_back(std::move(limit));
    for (const Cone& cone : problem.cones)
        problem.degree += cone.degree();
    follow_path(problem, x, scale, out.gap);
    out.margin = x[n];
    double all = 0.0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const VectorXd s = problem.cones[i].C * x + problem.cones[i].d;
        const double slope = s.size() > 1 ? 2.0 * s[0] : 1.0; // of inside(s) with s[0]
        out.share[i] = given[i].weight * slope / problem.cones[i].inside(s);
        all += out.share[i];
    }
    for (double& share : out.share)
        share /= all;
    const VectorXd y = V * x.head(n);
    out.y.assign(y.begin(), y.end());
    out.feasible = out.margin >= -out.gap;
    return out;
}

} // namespace

ConeAnswer largest_squeeze(std::span<const ForceCone> cones, int num_unknowns)
{
    return solve(cones, num_unknowns, 1.0, true);
}

ConeAnswer largest_common_margin(std::span<const ForceCone> cones, int num_unknowns, double most)
{
    ConeAnswer out = solve(cones, num_unknowns, most, false);
    if (num_unknowns > 0 && !cones.empty()) {
        const ConeAnswer squeeze = largest_squeeze(cones, num_unknowns);
        out.unlimited = squeeze.margin > 1e-6;
    }
    return out;
}

} // namespace sweepdyn
