#include "sweepdyn/linear/descriptor.hpp"

#include <Eigen/Dense>

#include "linear/cluster_motions.hpp"
#include "linear/loops_near_point.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd;

// The rows that are kept, on all dofs, and what makes dependent dofs follow.
struct Rows {
    MatrixXd J, Gm, Gv, Gq;
    std::vector<bool> holonomic; // per row
    MatrixXd X, Cv, Cq; // dofs x dofs
};

// What trees and mechanisms with loops share.
struct Form {
    Matrix E, A, W;
    MatrixXd on_T; // dv_dot per generalized force
};
Form form(const Linearization::Inverse& tree, const Matrix& stiffness, const MatrixXd& Cb, const Rows& rows)
{
    const auto n = Cb.rows(), r = rows.J.rows();
    const auto M = view(tree.M), A_D = view(tree.A_D), B = view(stiffness);
    MatrixXd E = MatrixXd::Zero(2 * n + r, 2 * n + r), A = E;
    E.topLeftCorner(n, n).setIdentity();
    E.block(n, n, n, n) = M;
    A.topLeftCorner(n, n) = rows.X - Cb;
    A.block(0, n, n, n).setIdentity();
    A.block(n, 0, n, n) = -(B + M * rows.Cq);
    A.block(n, n, n, n) = -(A_D + M * rows.Cv);
    A.block(n, 2 * n, n, r) = rows.J.transpose();
    for (Eigen::Index i = 0; i < r; ++i)
        if (rows.holonomic[static_cast<std::size_t>(i)])
            A.row(2 * n + i).head(n) = rows.J.row(i);
        else
            A.row(2 * n + i).head(2 * n) << rows.Gm.row(i), rows.J.row(i);
    // Accelerations, for sensors: [M, -J'; J, 0] (dv_dot, dlambda) = (dT - A_D dv - B dq, -Gv dv - Gq dq)
    MatrixXd K = MatrixXd::Zero(n + r, n + r), right = MatrixXd::Zero(n + r, 3 * n);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, r) = -rows.J.transpose();
    K.bottomLeftCorner(r, n) = rows.J;
    right.topRows(n) << -B, -A_D, MatrixXd::Identity(n, n);
    right.bottomLeftCorner(r, 2 * n) << -rows.Gq, -rows.Gv;
    const MatrixXd rates = K.partialPivLu().solve(right).topRows(n);
    MatrixXd W = MatrixXd::Zero(n, 2 * n + r);
    W.leftCols(2 * n) = rates.leftCols(2 * n);
    return {matrix(E), matrix(A), matrix(W), rates.rightCols(n)};
}

// q:DOF, v:DOF of all dofs; dq and dv are states.
void name_states(detail::NearPoint& near, const Model& model, const OperatingPoint& point, const Matrix& M)
{
    const int n = model.num_dofs(), size = near.A.rows();
    near.num_positions = n;
    near.Q = near.V = Matrix(n, size);
    for (const char* kind : {"q:", "v:"})
        for (const std::string& name : model.dof_names())
            near.states.push_back(kind + name);
    for (int j = 0; j < n; ++j)
        near.Q(j, j) = near.V(j, n + j) = 1.0;
    near.x0 = detail::displacement_of(model, point);
    near.x0.insert(near.x0.end(), point.v.begin(), point.v.end());
    near.f0.assign(static_cast<std::size_t>(size), 0.0); // (v, M v_dot, 0)
    std::copy(point.v.begin(), point.v.end(), near.f0.begin());
    Eigen::Map<Eigen::VectorXd>(near.f0.data() + n, n) =
        view(M) * Eigen::Map<const Eigen::VectorXd>(near.v_dot.data(), n);
}

Matrix on_forces(const Matrix& A, const Matrix& T) // (0, T, 0)
{
    Matrix out(A.rows(), T.columns());
    view(out).middleRows(T.rows(), T.rows()) = view(T);
    return out;
}

class TreeDescriptor final : public detail::NearPoint {
public:
    TreeDescriptor(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
        : lin_(model, options.passive)
    {
        lin_.set(point.q, point.v, point.T, point.external);
        v_dot.assign(lin_.v_dot().begin(), lin_.v_dot().end());
        const int n = model.num_dofs();
        const MatrixXd none(0, n), zero = MatrixXd::Zero(n, n);
        const Linearization::Inverse& inverse = lin_.inverse_matrices();
        const Matrix Cb = displacement_rate(lin_.kinematics());
        const Rows rows{none, none, none, none, {}, zero, zero, zero};
        form_ = form(inverse, inverse.B_D, view(Cb), rows);
        A = form_.A, W = form_.W;
        name_states(*this, model, point, inverse.M);
    }
    const Matrix& E() const { return form_.E; }
    Linearization& tree() override { return lin_; }
    Matrix response(const Matrix& T) override { return matrix(form_.on_T * view(T)); }
    Matrix on_states(const Matrix& T) override { return on_forces(A, T); }
    std::vector<double> loop_force(int) override { return {}; }
    detail::ForceChange loop_force_change(int) override { return {}; }
    detail::ForceChange reaction_change(int) override { return {}; }

private:
    Linearization lin_;
    Form form_;
};

class ClosedDescriptor final : public detail::LoopsNearPoint {
public:
    ClosedDescriptor(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
        : LoopsNearPoint(model, point, options)
    {
        const Matrix Cb = displacement_rate(lin_.mechanism().kinematics());
        const Linearization::Inverse& inverse = lin_.tree().inverse_matrices();
        form_ = form(inverse, lin_.stiffness(), view(Cb), collect(view(Cb)));
        A = form_.A, W = form_.W;
        name_states(*this, model, point, inverse.M);
        name_multipliers();
    }
    const Matrix& E() const { return form_.E; }
    int num_finite_poles() const
    {
        return static_cast<int>(lin_.positions().size() + lin_.velocities().size());
    }
    Matrix response(const Matrix& T) override { return matrix(form_.on_T * view(T)); }
    Matrix on_states(const Matrix& T) override { return on_forces(A, T); }

private:
    Form form_;
    std::vector<int> kept_; // rows of the loops, a multiplier each

    Rows collect(const Eigen::Map<const MatrixXd>& Cb)
    {
        const auto n = Cb.rows();
        Rows out;
        out.X = out.Cv = out.Cq = MatrixXd::Zero(n, n);
        const Loops<double>& loops = lin_.mechanism().loops();
        std::vector<detail::ClusterMotions> motions;
        Eigen::Index rows = 0;
        for (const ClusterClosure<double>& c : lin_.mechanism().closure().clusters) {
            motions.push_back(detail::cluster_motions(lin_.mechanism().kinematics(),
                                                      lin_.tree().derivatives(), lin_.v_dot(), loops, c,
                                                      lin_.positions()));
            rows += static_cast<Eigen::Index>(motions.back().kept.size());
        }
        for (MatrixXd* m : {&out.J, &out.Gm, &out.Gv, &out.Gq})
            *m = MatrixXd::Zero(rows, n);
        Eigen::Index row = 0;
        for (const detail::ClusterMotions& m : motions) {
            const std::vector<int>& dofs = m.c->dofs;
            const MatrixXd turn = Cb(dofs, dofs);
            const MatrixXd X = m.follow_positions(m.rows.Gm + m.rows.J * turn);
            out.X(dofs, dofs) = X;
            out.Cv(dofs, dofs) = m.follow(m.rows.Gm - m.rows.Gv);
            out.Cq(dofs, dofs) = m.follow(m.rows.Gm * (X - turn) - m.rows.Gq);
            for (int i : m.kept) {
                const auto at = static_cast<std::size_t>(i);
                const LoopOnTree<double>& on = loops.loops[static_cast<std::size_t>(m.c->row_loop[at])];
                kept_.push_back(on.first_row + m.c->row_of_loop[at]);
                out.holonomic.push_back(m.c->row_of_loop[at] < on.holonomic);
                for (const auto& [to, from] : {std::pair{&out.J, &m.rows.J},
                                               {&out.Gm, &m.rows.Gm},
                                               {&out.Gv, &m.rows.Gv},
                                               {&out.Gq, &m.rows.Gq}})
                    to->row(row)(dofs) = from->row(i);
                ++row;
            }
        }
        return out;
    }

    void name_multipliers()
    {
        const auto& loops = lin_.mechanism().loops().loops;
        std::vector<std::string> names;
        for (const LoopOnTree<double>& on : loops)
            for (int i = 0; i < on.rows; ++i)
                names.push_back(on.loop.name +
                                (on.loop.kind == LoopKind::coupling ? "" : "." + std::to_string(i)));
        std::vector<bool> used(names.size(), false);
        for (int row : kept_) {
            const auto at = static_cast<std::size_t>(row);
            used[at] = true;
            states.push_back("lambda:" + names[at]);
            x0.push_back(lin_.multipliers()[at]);
        }
        std::string dropped;
        for (std::size_t row = 0; row < names.size(); ++row)
            if (!used[row])
                dropped += (dropped.empty() ? "" : ", ") + names[row];
        if (!dropped.empty())
            notes.push_back("rows left out, since others say the same: " + dropped +
                            "; their multipliers count as zero");
    }

    // A dlambda, and what moves in body a.
    detail::ForceChange force_changes() override
    {
        const Loops<double>& loops = lin_.mechanism().loops();
        const int n = lin_.model().num_dofs();
        int size = 0;
        for (const LoopOnTree<double>& on : loops.loops)
            size += detail::num_force_rows(on);
        detail::ForceChange out{Matrix(size, A.columns()), Matrix(size, n)};
        int first = 0;
        for (std::size_t l = 0; l < loops.loops.size(); ++l) {
            const LoopOnTree<double>& on = loops.loops[l];
            const int rows = detail::num_force_rows(on);
            if (const Matrix& change = lin_.wrench_changes()[l]; change.rows() > 0)
                view(out.on_x).block(first, 0, rows, n) = view(change);
            for (std::size_t k = 0; k < kept_.size(); ++k) {
                const int i = kept_[k] - on.first_row, column = 2 * n + static_cast<int>(k);
                if (i < 0 || i >= on.rows)
                    continue;
                if (rows == 1) {
                    out.on_x(first, column) = 1.0;
                    continue;
                }
                const Force<double> w = rotate_back(on.R, loops.A[static_cast<std::size_t>(kept_[k])]);
                for (int x = 0; x < 3; ++x)
                    out.on_x(first + x, column) = w.n[x], out.on_x(first + 3 + x, column) = w.f[x];
            }
            first += rows;
        }
        return out;
    }
};

} // namespace

DescriptorSystem descriptor(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
{
    detail::require_point(model, point, "descriptor");
    if (model.topology().is_open()) {
        TreeDescriptor near(model, point, options);
        return {near.E(), detail::system_near_point(model, point, options, near), 2 * model.num_dofs()};
    }
    ClosedDescriptor near(model, point, options);
    return {near.E(), detail::system_near_point(model, point, options, near), near.num_finite_poles()};
}

} // namespace sweepdyn
