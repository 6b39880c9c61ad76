#include "sweepdyn/dynamics/closed_mechanism.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/loop_multipliers.hpp"
#include "sweepdyn/dynamics/mass_matrix.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Closure<double> closure_of(const Model& model)
{
    if (model.topology().is_open())
        throw UsageError("ClosedMechanism: model " + detail::quoted(model.name()) +
                         " has no loops; the functions of a tree serve it");
    return model.topology().distant.empty() ? Closure<double>(model)
                                            : Closure<double>(model, one_cluster(model));
}

// J of a cluster with its rows and columns scaled, as the elimination saw it.
MatrixXd scaled_rows(const ClusterClosure<double>& c)
{
    MatrixXd J(c.rows, c.num_columns());
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < c.num_columns(); ++j)
            J(i, j) = c.row_scale[i] * c.column_scale[j] * c.entry(i, j);
    return J;
}

// Columns: multipliers that do nothing, J' x = 0, in the cluster's own units.
MatrixXd idle_in(const ClusterClosure<double>& c)
{
    if (c.rank == c.rows)
        return MatrixXd(c.rows, 0);
    const Eigen::JacobiSVD<MatrixXd> svd(scaled_rows(c), Eigen::ComputeFullU);
    MatrixXd null = svd.matrixU().rightCols(c.rows - c.rank);
    for (int i = 0; i < c.rows; ++i)
        null.row(i) *= c.row_scale[i];
    return null;
}

} // namespace

ClosedMechanism::ClosedMechanism(const Model& model, Elimination choice)
    : kin_(model),
      closure_(closure_of(model)),
      art_(model, closure_, model.topology().distant.empty() ? choice : Elimination::multipliers),
      scratch_(model)
{
    const auto n = static_cast<std::size_t>(model.num_dofs());
    independent_.reserve(n);
    E_.reserve(n * n);
    g_.resize(n);
    work_.resize(n);
    moved_.resize(static_cast<std::size_t>(model.num_bodies()));
    if (const auto& actuated = model.actuated_dofs())
        prefer_independent(*actuated);
}

void ClosedMechanism::prefer_independent(std::span<const int> dofs) { closure_.prefer(dofs); }

void ClosedMechanism::set(std::span<const double> q, std::span<const double> v)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    update_closure(kin_, closure_);
    articulate(kin_, closure_, art_);
    bases_fresh_ = false;
}

void ClosedMechanism::require_bases()
{
    detail::require_fresh(closure_.position_version == kin_.position_version &&
                              kin_.position_version != kin_.no_state,
                          "ClosedMechanism", "set(q, v)");
    if (bases_fresh_)
        return;
    for (ClusterClosure<double>& c : closure_.clusters)
        if (!c.wants_basis) {
            detail::collect_rows(kin_, closure_.loops, c);
            detail::eliminate(c);
        }
    independent_.clear();
    std::fill(g_.begin(), g_.end(), 0.0);
    for (std::size_t i = 0; i < closure_.place.size(); ++i) {
        if (const int place = closure_.place[i]; place >= 0) {
            const ClusterClosure<double>& c = closure_.clusters[place];
            for (int column : c.independent)
                independent_.push_back(c.dofs[column]);
            for (int j = 0; j < c.num_columns(); ++j)
                g_[c.dofs[j]] = c.g[j];
        } else
            for (int j : closure_.topology.clusters[i].dofs)
                independent_.push_back(j);
    }
    std::sort(independent_.begin(), independent_.end());
    const int n = kin_.model.num_dofs();
    E_.assign(static_cast<std::size_t>(n) * independent_.size(), 0.0);
    std::vector<int> column_of(static_cast<std::size_t>(n), -1);
    for (std::size_t i = 0; i < independent_.size(); ++i) {
        column_of[independent_[i]] = static_cast<int>(i);
        E_[i * n + independent_[i]] = 1.0;
    }
    for (const ClusterClosure<double>& c : closure_.clusters)
        for (int i = 0; i < c.mobility(); ++i)
            for (int j = 0; j < c.num_columns(); ++j)
                E_[static_cast<std::size_t>(column_of[c.dofs[c.independent[i]]] * n + c.dofs[j])] =
                    c.basis(j, i);
    bases_fresh_ = true;
}

const Closure<double>& ClosedMechanism::closure()
{
    require_bases();
    return closure_;
}
std::span<const int> ClosedMechanism::independent()
{
    require_bases();
    return independent_;
}
std::span<const double> ClosedMechanism::basis()
{
    require_bases();
    return E_;
}

void ClosedMechanism::require_regular(const char* function) const
{
    if (!art_.tree.singular.empty())
        detail::throw_singular(kin_.model, art_.tree.singular, function);
}

void ClosedMechanism::forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                                       std::span<const Force<double>> external)
{
    require_regular("forward_dynamics");
    sweepdyn::forward_dynamics<double>(kin_, closure_, art_, T, v_dot, scratch_, external);
}

std::vector<Redundancy> ClosedMechanism::redundancies()
{
    require_bases();
    std::vector<Redundancy> out;
    for (const ClusterClosure<double>& c : closure_.clusters) {
        if (c.rank == c.rows)
            continue;
        Redundancy one;
        one.rows = c.rows - c.rank;
        const VectorXd sigma = scaled_rows(c).jacobiSvd().singularValues();
        const auto part = [&](int i) {
            return i < sigma.size() && sigma[0] > 0.0 ? sigma[i] / sigma[0] : 0.0;
        };
        one.kept = c.rank > 0 ? part(c.rank - 1) : 0.0;
        one.dropped = part(c.rank);
        // The loops whose rows an idle multiplier touches.
        const MatrixXd null = idle_in(c);
        for (int l : c.loops) {
            double size = 0.0;
            for (int i = 0; i < c.rows; ++i)
                if (c.row_loop[i] == l)
                    size = std::max(size, null.row(i).cwiseAbs().maxCoeff() / c.row_scale[i]);
            if (size > 1e-6)
                one.loops.push_back(closure_.loops.loops[l].loop.name);
        }
        out.push_back(std::move(one));
    }
    return out;
}

std::vector<double> ClosedMechanism::mass_matrix()
{
    require_bases();
    const int n = kin_.model.num_dofs(), m = mobility();
    CompositeInertias<double> composite(kin_.model);
    composite_inertias(kin_, composite);
    std::vector<double> M(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)),
        out(static_cast<std::size_t>(m) * static_cast<std::size_t>(m));
    sweepdyn::mass_matrix<double>(kin_, composite, M);
    const Eigen::Map<const MatrixXd> E(E_.data(), n, m);
    Eigen::Map<MatrixXd>(out.data(), m, m) = E.transpose() * Eigen::Map<const MatrixXd>(M.data(), n, n) * E;
    return out;
}

void ClosedMechanism::complete_accelerations(std::span<const double> a, std::span<double> v_dot)
{
    complete_velocities(a, v_dot);
    for (std::size_t j = 0; j < g_.size(); ++j)
        v_dot[j] += g_[j];
}

void ClosedMechanism::complete_velocities(std::span<const double> u, std::span<double> v)
{
    require_bases();
    const int n = kin_.model.num_dofs(), m = mobility();
    require_size("complete_velocities", "u", u.size(), static_cast<std::size_t>(m));
    require_size("complete_velocities", "v", v.size(), static_cast<std::size_t>(n));
    Eigen::Map<VectorXd>(v.data(), n) =
        Eigen::Map<const MatrixXd>(E_.data(), n, m) * Eigen::Map<const VectorXd>(u.data(), m);
}

void ClosedMechanism::frame_jacobian(FrameId frame, std::span<double> J, FrameAxes axes)
{
    require_bases();
    const int n = kin_.model.num_dofs(), m = mobility();
    require_size("frame_jacobian", "J", J.size(), static_cast<std::size_t>(6 * m));
    MatrixXd of_tree(6, n);
    sweepdyn::frame_jacobian<double>(kin_, frame, {of_tree.data(), static_cast<std::size_t>(6 * n)}, axes);
    Eigen::Map<MatrixXd>(J.data(), 6, m) = of_tree * Eigen::Map<const MatrixXd>(E_.data(), n, m);
}

std::vector<double> ClosedMechanism::multipliers(std::span<const double> T, std::span<const double> v_dot,
                                                 std::span<const Force<double>> external)
{
    require_bases();
    require_size("multipliers", "T", T.size(), work_.size());
    sweepdyn::inverse_dynamics<double>(kin_, v_dot, work_, scratch_, external);
    for (std::size_t j = 0; j < work_.size(); ++j)
        work_[j] -= T[j];
    std::vector<double> lambda(static_cast<std::size_t>(closure_.loops.num_rows)), room(lambda.size());
    loop_multipliers<double>(closure_, work_, lambda, room);
    return lambda;
}

std::vector<LoopForce> ClosedMechanism::loop_forces(std::span<const double> T, std::span<const double> v_dot,
                                                    std::span<const Force<double>> external)
{
    return forces_of(multipliers(T, v_dot, external));
}

std::vector<LoopForce> ClosedMechanism::forces_of(std::span<const double> lambda)
{
    const auto wrench = [&](const LoopOnTree<double>& on, std::span<const double> multipliers) {
        if (on.loop.kind == LoopKind::coupling)
            return std::vector<double>{multipliers[on.first_row]};
        const Force<double> w =
            rotate_back(on.R, loop_wrench<double>(closure_.loops, on, multipliers)); // axes of a
        return std::vector<double>{w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z};
    };
    std::vector<LoopForce> out;
    for (const LoopOnTree<double>& on : closure_.loops.loops) {
        out.push_back({on.loop.name, wrench(on, lambda), {}});
        out.back().unique.assign(out.back().wrench.size(), true);
    }
    for (const std::vector<double>& idle : idle_multipliers()) {
        double largest = 0.0;
        for (double x : idle)
            largest = std::max(largest, std::abs(x));
        for (std::size_t l = 0; l < out.size(); ++l) {
            const std::vector<double> adds = wrench(closure_.loops.loops[l], idle);
            for (std::size_t i = 0; i < adds.size(); ++i)
                if (std::abs(adds[i]) > 1e-6 * largest) // moments count per metre of the cluster's size
                    out[l].unique[i] = false;
        }
    }
    return out;
}

std::vector<std::vector<double>> ClosedMechanism::idle_multipliers()
{
    require_bases();
    std::vector<std::vector<double>> out;
    for (const ClusterClosure<double>& c : closure_.clusters) {
        const MatrixXd null = idle_in(c);
        for (int x = 0; x < null.cols(); ++x) {
            out.emplace_back(static_cast<std::size_t>(closure_.loops.num_rows));
            for (int i = 0; i < c.rows; ++i)
                out.back()[closure_.loops.loops[c.row_loop[i]].first_row + c.row_of_loop[i]] = null(i, x);
        }
    }
    return out;
}

std::vector<Force<double>> ClosedMechanism::with_loop_forces(std::span<const double> multipliers,
                                                             std::span<const Force<double>> external) const
{
    require_size("with_loop_forces", "multipliers", multipliers.size(),
                 static_cast<std::size_t>(closure_.loops.num_rows));
    std::vector<Force<double>> out(external.begin(), external.end());
    out.resize(static_cast<std::size_t>(kin_.model.num_bodies()));
    for (const LoopOnTree<double>& on : closure_.loops.loops) {
        if (on.loop.kind == LoopKind::coupling)
            continue;
        const Force<double> w = loop_wrench<double>(closure_.loops, on, multipliers);
        if (on.a != ground)
            out[on.a] += Phi<double>{on.o - kin_.r(on.a)} * w;
        if (on.b != ground)
            out[on.b] += Phi<double>{on.o - kin_.r(on.b)} * (-w);
    }
    return out;
}

Actuation ClosedMechanism::inverse_dynamics(std::span<const double> a, std::span<const int> actuated,
                                            std::span<const Force<double>> external,
                                            std::span<const double> resistance)
{
    require_bases();
    const int n = kin_.model.num_dofs(), m = mobility(), k = static_cast<int>(actuated.size());
    if (!resistance.empty())
        require_size("inverse_dynamics", "resistance", resistance.size(), work_.size());
    std::vector<double> v_dot(static_cast<std::size_t>(n));
    complete_accelerations(a, v_dot);
    sweepdyn::inverse_dynamics<double>(kin_, v_dot, work_, scratch_, external);
    for (std::size_t j = 0; j < resistance.size(); ++j)
        work_[j] += resistance[j];
    const Eigen::Map<const MatrixXd> E(E_.data(), n, m);
    const VectorXd needed = E.transpose() * Eigen::Map<const VectorXd>(work_.data(), n);
    MatrixXd S(m, k); // E' restricted to the actuated dofs
    for (int i = 0; i < k; ++i) {
        if (actuated[i] < 0 || actuated[i] >= n)
            throw UsageError("inverse_dynamics: actuated dof " + std::to_string(actuated[i]) +
                             ", expected 0 to " + std::to_string(n - 1));
        S.col(i) = E.row(actuated[i]).transpose();
    }
    Actuation out;
    out.T.assign(static_cast<std::size_t>(n), 0.0);
    VectorXd x = VectorXd::Zero(k);
    MatrixXd V = MatrixXd::Identity(k, k); // the last columns: forces that do nothing
    int rank = 0;
    if (k > 0 && m > 0) { // else nothing drives, or nothing moves
        const Eigen::JacobiSVD<MatrixXd> svd(S, Eigen::ComputeFullU | Eigen::ComputeFullV);
        const VectorXd& s = svd.singularValues();
        // At a dead centre an actuator moves by round-off of what the others move by.
        const double least = std::max(1e-10 * s[0], 1e-12 * E.cwiseAbs().maxCoeff());
        while (rank < s.size() && s[rank] > least)
            ++rank;
        for (int i = 0; i < rank; ++i)
            x += svd.matrixU().col(i).dot(needed) / s[i] * svd.matrixV().col(i);
        V = svd.matrixV();
    }
    for (int i = 0; i < k; ++i)
        out.T[actuated[i]] = x[i];
    out.null_columns = k - rank;
    out.null_space.assign(static_cast<std::size_t>(n * out.null_columns), 0.0);
    for (int c = 0; c < out.null_columns; ++c)
        for (int i = 0; i < k; ++i)
            out.null_space[static_cast<std::size_t>(c * n + actuated[i])] = V(i, rank + c);
    const VectorXd missing = needed - S * x;
    if (missing.size() > 0 &&
        missing.cwiseAbs().maxCoeff() > 1e-9 * std::max(1e-12, needed.cwiseAbs().maxCoeff())) {
        out.missing.assign(static_cast<std::size_t>(n), 0.0);
        for (int i = 0; i < m; ++i)
            out.missing[independent_[i]] = missing[i];
    }
    return out;
}

} // namespace sweepdyn
