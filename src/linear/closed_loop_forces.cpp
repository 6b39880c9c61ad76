// What loops carry, near a state: how their wrenches turn with the bodies, and how their multipliers change.
#include <Eigen/Dense>

#include "sweepdyn/linear/closed_linearization.hpp"
#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

} // namespace

void ClosedLinearization::add_loop_turns()
{
    if (B_loops_.rows() > 0)
        return;
    const Kinematics<double>& kin = mechanism_.kinematics();
    const Loops<double>& loops = mechanism_.loops();
    B_loops_ = tree_.inverse_matrices().B_D;
    wrench_q_.clear();
    for (const LoopOnTree<double>& on : loops.loops) {
        const double* lambda = lambda_.data() + on.first_row;
        if (on.loop.kind == LoopKind::coupling) { // the force p'(q) lambda
            for (std::size_t t = 0; t < on.dofs.size(); ++t) {
                const int j = on.dofs[t], k = kin.tree().body_of_dof[j];
                const double q = kin.q[kin.tree().first_coordinate[k] + j - kin.tree().first_dof[k]];
                B_loops_(j, j) -= detail::polynomial(on.loop.terms[t].polynomial, q)[2] * lambda[0];
            }
            wrench_q_.emplace_back();
            continue;
        }
        const Force<double> w = loop_wrench<double>(loops, on, lambda_);
        Matrix wrench_q(6, model().num_dofs()); // what moves in body a, axes of a
        for (const auto& [bodies, sign] : {std::pair{&on.up_a, 1.0}, {&on.up_b, -1.0}})
            for (int k : *bodies)
                for (Index j : kin.body[k].dofs()) {
                    const int column = static_cast<int>(j);
                    const Motion<double> H = sign * (PhiAdjoint<double>{on.o - kin.r(k)} * kin.H[j]);
                    const Force<double> turn = crq(w) * H; // on body b
                    const Force<double> change =
                        loop_wrench_change(on, lambda_, H); // on body a, opposite on b
                    const Force<double> seen = rotate_back(on.R, change);
                    for (int i = 0; i < 3; ++i) {
                        wrench_q(i, column) += seen.n[i];
                        wrench_q(3 + i, column) += seen.f[i];
                    }
                    const auto push = [&](int body, const Force<double>& f) { // dT = -H' f
                        for (; body != ground; body = kin.tree().parent[static_cast<std::size_t>(body)])
                            for (Index i : kin.body[body].dofs())
                                B_loops_(static_cast<int>(i), column) -=
                                    dot(PhiAdjoint<double>{on.o - kin.r(body)} * kin.H[i], f);
                    };
                    push(on.b, turn - change);
                    if (on.moving)
                        push(on.a, change);
                }
        wrench_q_.push_back(on.moving ? std::move(wrench_q) : Matrix());
    }
}

// J' dlambda = M dv_dot + A_D dv + (B_D + Bx) dq - dT, by least squares per cluster.
ClosedLinearization::Multipliers ClosedLinearization::differentiate_multipliers()
{
    const Linearization::Inverse& inverse = tree_.inverse_matrices();
    const auto M = view(inverse.M), A_D = view(inverse.A_D);
    const int n = model().num_dofs();
    const MatrixXd by_T = view(Ev) * view(M_ind_inverse) * view(Ev).transpose();
    const MatrixXd f_u =
        M * (view(Ev) * view(w_dot_u) + view(Fq)) + A_D * view(Fm) + view(stiffness()) * view(Eq);
    const MatrixXd f_w = M * (view(Ev) * view(w_dot_w) + view(Fv)) + A_D * view(Ev);
    const MatrixXd f_T = M * by_T - MatrixXd::Identity(n, n);
    const int rows = mechanism_.loops().num_rows;
    MatrixXd on_u = MatrixXd::Zero(rows, f_u.cols()), on_w = MatrixXd::Zero(rows, f_w.cols()),
             on_T = MatrixXd::Zero(rows, n);
    for (const ClusterClosure<double>& c : mechanism_.closure().clusters) {
        MatrixXd Jt(c.rank, c.rank); // pivots only: redundant rows carry nothing
        for (int i = 0; i < c.rank; ++i)
            for (int k = 0; k < c.rank; ++k)
                Jt(i, k) =
                    c.column_scale[static_cast<std::size_t>(c.dependent[static_cast<std::size_t>(i)])] *
                    c.row_scale[static_cast<std::size_t>(c.pivot_row[static_cast<std::size_t>(k)])] *
                    c.entry(c.pivot_row[static_cast<std::size_t>(k)],
                            c.dependent[static_cast<std::size_t>(i)]);
        const Eigen::PartialPivLU<MatrixXd> lu(Jt);
        const auto solve = [&](const MatrixXd& f, MatrixXd& out) {
            MatrixXd right(c.rank, f.cols());
            for (int i = 0; i < c.rank; ++i) {
                const auto column = static_cast<std::size_t>(c.dependent[static_cast<std::size_t>(i)]);
                right.row(i) = c.column_scale[column] * f.row(c.dofs[column]);
            }
            const MatrixXd x = lu.solve(right);
            for (int k = 0; k < c.rank; ++k) {
                const auto row = static_cast<std::size_t>(c.pivot_row[static_cast<std::size_t>(k)]);
                out.row(mechanism_.loops().loops[static_cast<std::size_t>(c.row_loop[row])].first_row +
                        c.row_of_loop[row]) = c.row_scale[row] * x.row(k);
            }
        };
        if (c.rank > 0)
            solve(f_u, on_u), solve(f_w, on_w), solve(f_T, on_T);
    }
    return {matrix(on_u), matrix(on_w), matrix(on_T)};
}

ClosedLinearization::Multipliers ClosedLinearization::differentiate_loop_forces()
{
    const Multipliers d = differentiate_multipliers();
    const Loops<double>& loops = mechanism_.loops();
    int size = 0;
    for (const LoopOnTree<double>& on : loops.loops)
        size += on.loop.kind == LoopKind::coupling ? 1 : 6;
    Multipliers out{Matrix(size, d.on_u.columns()), Matrix(size, d.on_w.columns()),
                    Matrix(size, d.on_T.columns())};
    int first = 0;
    for (std::size_t l = 0; l < loops.loops.size(); ++l) {
        const LoopOnTree<double>& on = loops.loops[l];
        const bool coupling = on.loop.kind == LoopKind::coupling;
        for (int i = 0; i < on.rows; ++i) {
            const int row = on.first_row + i;
            VectorXd A = VectorXd::Ones(1);
            if (!coupling) {
                const Force<double> w = rotate_back(on.R, loops.A[static_cast<std::size_t>(row)]);
                A = (VectorXd(6) << w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z).finished();
            }
            for (const auto& [to, from] :
                 {std::pair{&out.on_u, &d.on_u}, {&out.on_w, &d.on_w}, {&out.on_T, &d.on_T}})
                view(*to).middleRows(first, A.size()) += A * view(*from).row(row);
        }
        if (const Matrix& change = wrench_changes()[l]; change.rows() > 0)
            view(out.on_u).middleRows(first, 6) += view(change) * view(Eq);
        first += coupling ? 1 : 6;
    }
    return out;
}

} // namespace sweepdyn
