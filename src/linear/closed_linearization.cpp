#include "sweepdyn/linear/closed_linearization.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "linear/cluster_motions.hpp"
#include "linear/sparse.hpp"
#include "sweepdyn/dynamics/passive_forces.hpp"
#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd;

} // namespace

ClosedLinearization::ClosedLinearization(const Model& model, const PassiveForces& passive, LinearRoute route)
    : mechanism_(model),
      passive_(passive),
      route_(route),
      tree_(model, passive),
      direct_(model, mechanism_.loops_of_clusters()),
      damping_(static_cast<std::size_t>(model.num_dofs()), 0.0),
      v_dot_(static_cast<std::size_t>(model.num_dofs())),
      T_(v_dot_.size())
{
}

void ClosedLinearization::set_independent(std::span<const int> dofs)
{
    asked_.assign(dofs.begin(), dofs.end());
    std::sort(asked_.begin(), asked_.end());
    mechanism_.prefer_independent(asked_);
}

void ClosedLinearization::set(std::span<const double> q, std::span<const double> v, std::span<const double> T,
                              std::span<const ExternalWrench> loads)
{
    set_state(q, v, T);
    const std::vector<Force<double>> external = forces_of(loads);
    mechanism_.forward_dynamics(T_, v_dot_, external);
    linearize_tree(q, v, loads, external);
    const LinearRoute route = route_ != LinearRoute::automatic           ? route_
                              : mechanism_.mobility() < direct_from_dofs ? LinearRoute::by_mass_matrix
                                                                         : LinearRoute::direct;
    taken_ =
        route == LinearRoute::direct && solve_directly() ? LinearRoute::direct : LinearRoute::by_mass_matrix;
    if (taken_ == LinearRoute::by_mass_matrix)
        solve_by_mass_matrix();

    // du_dot = (dv - Cb dq) at the independent positions
    const Matrix Cb = displacement_rate(mechanism_.kinematics());
    u_dot_u = matrix(view(Fm)(positions_, Eigen::all));
    u_dot_w = matrix(view(Ev)(positions_, Eigen::all));
    const Tree& tree = model().tree();
    for (std::size_t i = 0; i < positions_.size(); ++i)
        for (Index j : tree.dofs(
                 tree.body_of_dof[static_cast<std::size_t>(positions_[i])])) // Cb is of each hinge alone
            if (const double c = Cb(positions_[i], static_cast<int>(j)); c != 0.0)
                view(u_dot_u).row(static_cast<Eigen::Index>(i)) -= c * view(Eq).row(j);
}

void ClosedLinearization::set_at(std::span<const double> q, std::span<const double> v,
                                 std::span<const double> v_dot, std::span<const double> T,
                                 std::span<const ExternalWrench> loads)
{
    require_size("ClosedLinearization::set_at", "v_dot", v_dot.size(), v_dot_.size());
    set_state(q, v, T);
    std::copy(v_dot.begin(), v_dot.end(), v_dot_.begin());
    linearize_tree(q, v, loads, forces_of(loads));
    M_ind_inverse = w_dot_u = w_dot_w = u_dot_u = u_dot_w = Matrix();
}

// Kinematics, independent dofs, and T less what passive forces take.
void ClosedLinearization::set_state(std::span<const double> q, std::span<const double> v,
                                    std::span<const double> T)
{
    require_size("ClosedLinearization", "T", T.size(), T_.size());
    mechanism_.set(q, v);
    const auto independent = mechanism_.independent();
    if (!asked_.empty() &&
        !std::equal(independent.begin(), independent.end(), asked_.begin(), asked_.end())) {
        const auto names = [&](std::span<const int> dofs) {
            std::string text;
            for (int j : dofs)
                text += (text.empty() ? "" : ", ") +
                        detail::quoted(model().dof_names()[static_cast<std::size_t>(j)]);
            return text;
        };
        throw RefusedError("independent dofs " + names(asked_) +
                           " do not determine the motion here: the mechanism has " +
                           std::to_string(independent.size()) + " freedoms; these do: " + names(independent));
    }
    velocities_.assign(independent.begin(), independent.end());
    std::vector<double> passive_T(T_.size(), 0.0);
    if (passive_.damping)
        passive_forces<double>(model(), v, passive_.friction_speed, passive_T);
    for (std::size_t j = 0; j < T_.size(); ++j)
        T_[j] = T[j] - passive_T[j];
}

std::vector<Force<double>> ClosedLinearization::forces_of(std::span<const ExternalWrench> loads) const
{
    std::vector<Force<double>> out(loads.empty() ? 0 : static_cast<std::size_t>(model().num_bodies()));
    for (const ExternalWrench& load : loads)
        add_external_wrench<double>(mechanism_.kinematics(), load.frame, load.wrench, load.axes, out);
    return out;
}

// The tree at v_dot_ under the loops' wrenches, which turn with their bodies, and what follows what.
void ClosedLinearization::linearize_tree(std::span<const double> q, std::span<const double> v,
                                         std::span<const ExternalWrench> loads,
                                         std::span<const Force<double>> external)
{
    lambda_ = mechanism_.multipliers(T_, v_dot_, external);
    std::vector<ExternalWrench> all(loads.begin(), loads.end());
    const Kinematics<double>& kin = mechanism_.kinematics();
    const Loops<double>& loops = mechanism_.loops();
    for (const LoopOnTree<double>& on : loops.loops) {
        if (on.loop.kind == LoopKind::coupling)
            continue;
        const Force<double> w = loop_wrench<double>(loops, on, lambda_);
        for (const auto& [body, sign] : {std::pair{on.a, 1.0}, {on.b, -1.0}})
            if (body != ground) {
                const Pose<double> X_WB = kin.X_WB(body);
                all.push_back({FrameId{body}, rotate_back(X_WB.R, sign * (Phi<double>{on.o - X_WB.p} * w)),
                               WrenchAxes::frame});
            }
    }
    tree_.set_at(q, v, v_dot_, all);
    close_positions();
    B_loops_ = Matrix();
    wrench_q_.clear();
}

Matrix ClosedLinearization::M_ind()
{
    const Linearization::Inverse& inverse = tree_.inverse_matrices();
    return matrix(view(Ev).transpose() * view(inverse.M) * view(Ev));
}

// False where Algorithm 6 does not serve.
bool ClosedLinearization::solve_directly()
{
    tree_.damping_rates(damping_);
    if (!direct_.compute(tree_.kinematics(), mechanism_.closure(), tree_.derivatives(), v_dot_, lambda_,
                         damping_, {positions_, velocities_, Eq, Ev, Fm}))
        return false;
    M_ind_inverse = direct_.M_inverse;
    w_dot_w = direct_.w_dot_w;
    w_dot_u = direct_.w_dot_u;
    return true;
}

// Ev' from the left of the tree's equations.
void ClosedLinearization::solve_by_mass_matrix()
{
    const Linearization::Inverse& inverse = tree_.inverse_matrices();
    const auto M = view(inverse.M), A_D = view(inverse.A_D);
    const auto ev = view(Ev);
    const MatrixXd EvM = ev.transpose() * M;
    const Eigen::LLT<MatrixXd> factored(EvM * ev);
    const auto m = ev.cols();
    M_ind_inverse = matrix(factored.solve(MatrixXd::Identity(m, m)));
    w_dot_w = matrix(factored.solve(-(EvM * view(Fv) + ev.transpose() * (A_D * ev))));
    w_dot_u = matrix(
        factored.solve(-(EvM * view(Fq) + ev.transpose() * (A_D * view(Fm) + view(stiffness()) * view(Eq)))));
}

// Eq, Ev, Fm, Fv, Fq, cluster by cluster; a dof in no cluster follows itself.
void ClosedLinearization::close_positions()
{
    std::vector<detail::ClusterMotions> motions;
    positions_.clear();
    std::vector<char> in_cluster(v_dot_.size(), 0);
    for (const ClusterClosure<double>& c : mechanism_.closure().clusters) {
        motions.push_back(detail::cluster_motions(mechanism_.kinematics(), tree_.derivatives(), v_dot_,
                                                  mechanism_.loops(), c, asked_positions_));
        for (int j : motions.back().positions)
            positions_.push_back(c.dofs[static_cast<std::size_t>(j)]);
        for (int j : c.dofs)
            in_cluster[static_cast<std::size_t>(j)] = 1;
    }
    const int n = model().num_dofs();
    for (int j = 0; j < n; ++j)
        if (!in_cluster[static_cast<std::size_t>(j)])
            positions_.push_back(j);
    std::sort(positions_.begin(), positions_.end());
    const int nq = static_cast<int>(positions_.size()), nv = static_cast<int>(velocities_.size());
    Eq = Matrix(n, nq), Ev = Matrix(n, nv), Fm = Matrix(n, nq), Fv = Matrix(n, nv), Fq = Matrix(n, nq);
    const auto place = [](const std::vector<int>& list, int dof) {
        return static_cast<int>(std::lower_bound(list.begin(), list.end(), dof) - list.begin());
    };
    for (int j = 0; j < n; ++j)
        if (!in_cluster[static_cast<std::size_t>(j)]) {
            Eq(j, place(positions_, j)) = 1.0;
            Ev(j, place(velocities_, j)) = 1.0;
        }
    for (const detail::ClusterMotions& m : motions)
        for (int row = 0; row < m.c->num_columns(); ++row) {
            const int dof = m.c->dofs[static_cast<std::size_t>(row)];
            for (std::size_t i = 0; i < m.positions.size(); ++i) {
                const int to = place(positions_, m.c->dofs[static_cast<std::size_t>(m.positions[i])]);
                const auto from = static_cast<Eigen::Index>(i);
                Eq(dof, to) = m.Eq(row, from), Fm(dof, to) = m.Fm(row, from), Fq(dof, to) = m.Fq(row, from);
            }
            for (std::size_t i = 0; i < m.velocities.size(); ++i) {
                const int to = place(velocities_, m.c->dofs[static_cast<std::size_t>(m.velocities[i])]);
                const auto from = static_cast<Eigen::Index>(i);
                Ev(dof, to) = m.Ev(row, from), Fv(dof, to) = m.Fv(row, from);
            }
        }
}

Matrix ClosedLinearization::by_forces(const Matrix& T) const
{
    const Eigen::SparseMatrix<double> on_velocities = detail::sparse(Ev).transpose() * detail::sparse(T);
    return matrix(view(M_ind_inverse) * on_velocities);
}

} // namespace sweepdyn
