#include "sweepdyn/operators/identities.hpp"

#include <limits>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "sweepdyn/dynamics/mass_matrix_by_inverse_dynamics.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/parse.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn::algebra {
namespace {

// L of the papers is Delta_phi*G, Phi is phi*S, Psi is psi*S.
constexpr IdentityFacts table[] = {
    {"I1 phi", "(I - E_phi)*phi", "I", "003"},
    {"I1 phi, left", "phi - I", "E_phi*phi", "003"},
    {"I1 phi, right", "phi - I", "phi*E_phi", "003"},
    {"I1 psi", "(I - E_psi)*psi", "I", "003"},
    {"I1 psi, left", "psi - I", "E_psi*psi", "003"},
    {"I1 psi, right", "psi - I", "psi*E_psi", "003"},
    {"I2 phi", "phi*S*Delta_phi", "phi - I", "003 (a.6)-(a.13)"},
    {"I2 psi", "psi*S*Delta_psi", "psi - I", "003 (a.6)-(a.13)"},
    {"I2 gain", "(phi - I)*G", "phi*S*Delta_phi*G", "003 (a.6)-(a.13)"},
    {"I2 K", "(phi - I)*G", "phi*K", "003 (a.6)-(a.13)"},
    {"I2 K = S L", "K", "S*Delta_phi*G", "003 (a.6)-(a.13)"},
    {"I3", "inverse(psi)", "inverse(phi) + K*H", "004 (A.1)"},
    {"I3 E", "E_psi", "E_phi - K*H", "004 (A.1)"},
    {"I4 phi", "phi", "psi*(I + S*Delta_phi*G*H*phi)", "003 (a.14)-(a.18)"},
    {"I4 psi", "psi", "(I - psi*S*Delta_phi*G*H)*phi", "003 (a.14)-(a.18)"},
    {"I4 Phi", "phi*S", "psi*S*(I + Delta_phi*G*H*phi*S)", "003 (a.14)-(a.18)"},
    {"I4 Psi", "psi*S", "(I - psi*S*Delta_phi*G*H)*phi*S", "003 (a.14)-(a.18)"},
    {"I5 phi", "phi", "(I + phi*S*Delta_phi*G*H)*psi", "003 (a.22)-(a.27)"},
    {"I5 psi", "psi", "phi*(I - S*Delta_phi*G*H*psi)", "003 (a.22)-(a.27)"},
    {"I5 exchange", "phi*S*Delta_phi*G*H*psi", "psi*S*Delta_phi*G*H*phi", "003 (a.22)-(a.27)"},
    {"I5 exchange, strict", "phi*S*Delta_phi*G*H*psi*S", "psi*S*Delta_phi*G*H*phi*S", "003 (a.22)-(a.27)"},
    {"I6 phi", "H*phi", "(I + H*phi*S*Delta_phi*G)*H*psi", "003 (a.32)-(a.38)"},
    {"I6 psi", "H*psi", "(I - H*psi*S*Delta_phi*G)*H*phi", "003 (a.32)-(a.38)"},
    {"I6 Phi", "H*phi*S", "(I + H*phi*S*Delta_phi*G)*H*psi*S", "003 (a.32)-(a.38)"},
    {"I6 Psi", "H*psi*S", "(I - H*psi*S*Delta_phi*G)*H*phi*S", "003 (a.32)-(a.38)"},
    {"I7 phi", "phi*S*Delta_phi*G", "psi*S*Delta_phi*G*(I + H*phi*S*Delta_phi*G)", "003 (a.39)-(a.43)"},
    {"I7 psi", "psi*S*Delta_phi*G", "phi*S*Delta_phi*G*(I - H*psi*S*Delta_phi*G)", "003 (a.39)-(a.43)"},
    {"I7 exchange", "psi*S*Delta_phi*G*H*phi*S*Delta_phi*G", "phi*S*Delta_phi*G*H*psi*S*Delta_phi*G",
     "003 (a.39)-(a.43)"},
    {"I8", "P", "E_psi*P*adj(E_phi) + M", "003 (4.4)-(4.6)"},
    {"I8 symmetric", "P", "E_psi*P*adj(E_psi) + K*J_a*adj(K) + M", "003 (4.4)-(4.6)"},
    {"I8 free", "P", "tau*P + tau_bar*P*adj(tau_bar) + G*J_a*adj(G)", "003 (4.4)-(4.6)"},
    {"I9 psi M phi", "psi*M*adj(phi)", "P + (psi - I)*P + P*(adj(phi) - I)", "003 (a.46)-(a.48)"},
    {"I9 psi M psi", "psi*(M + K*J_a*adj(K))*adj(psi)", "P + (psi - I)*P + P*(adj(psi) - I)",
     "003 (a.46)-(a.48)"},
    {"I9 phi M phi", "phi*M*adj(phi)",
     "P + (phi - I)*P + P*(adj(phi) - I) + (phi - I)*P*adj(H)*inverse(D)*H*P*(adj(phi) - I)",
     "003 (a.46)-(a.48)"},
    {"I10", "adj(I - H*psi*K)*inverse(D)*H*psi*M*adj(phi)",
     "adj(I - H*psi*K)*inverse(D)*H*(psi - I)*P + adj(K)*adj(psi)*(I - adj(H)*adj(G)) + adj(G)",
     "003 (a.50)"},
    {"I11", "adj(I - H*psi*K)*inverse(D)*(I - H*psi*K)*H*phi*M*adj(phi)",
     "adj(I - H*psi*K)*inverse(D)*H*psi*P + adj(K)*adj(psi)", "000 (4.9)"},
    {"I12", "M", "R - E_phi*R*adj(E_phi)", "001"},
    {"I12 phi M phi", "phi*M*adj(phi)", "R + (phi - I)*R + R*(adj(phi) - I)", "001"},
    {"composite factorization", "H*phi*M*adj(phi)*adj(H) + J_a",
     "H*(R + (phi - I)*R + R*(adj(phi) - I))*adj(H) + J_a", "003"},
    {"innovations factorization", "H*phi*M*adj(phi)*adj(H) + J_a", "(I + H*phi*K)*D*adj(I + H*phi*K)",
     "003 theorem 4.1"},
    {"inverse of the factor", "(I + H*phi*K)*(I - H*psi*K)", "I", "003"},
    {"inverse of the mass matrix",
     "adj(I - H*psi*K)*inverse(D)*(I - H*psi*K)*(H*phi*M*adj(phi)*adj(H) + J_a)", "I", "003 theorem 4.1"},
    {"Lyapunov equation", "R", "E_phi*R*adj(E_phi) + M", "001"},
    {"Riccati equation", "P", "E_phi*(P - P*adj(H)*inverse(D)*H*P)*adj(E_phi) + M", "003 (4.4)-(4.6)"},
};

using Matrix = Eigen::MatrixXd;

struct Checker {
    Stages<double>& stages;
    Arena arena;
    std::vector<IdentityResidual> out;
    int n;
    std::vector<std::vector<int>> blocks; // rows of body space
    double condition = 1.0; // of the mass matrix

    explicit Checker(Stages<double>& of)
        : stages(of),
          arena(of.over, of.kin.reference),
          n(of.kin.model.num_bodies()),
          blocks(rows_of_blocks())
    {
        if (of.over.num_columns() == 0)
            return;
        const Eigen::SelfAdjointEigenSolver<Matrix> solver(number("H*phi*M*adj(phi)*adj(H) + J_a"),
                                                           Eigen::EigenvaluesOnly);
        condition = solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
    }

    Matrix number(const Node* node)
    {
        const Plan plan(arena, node);
        stages.prepare(plan);
        return dense(plan, stages);
    }
    Matrix number(const char* text) { return number(parse(arena, text)); }
    void enter(std::string name, std::string equation, std::string source, const Matrix& left,
               const Matrix& right)
    {
        double scale = 0.0, error = 0.0; // NaN stays
        for (Eigen::Index i = 0; i < left.size(); ++i) {
            scale = std::max({scale, std::abs(left(i)), std::abs(right(i))});
            const double e = std::abs(left(i) - right(i));
            error = e <= error ? error : e;
        }
        // psi and G have the inverse of D in them.
        const bool solves =
            equation.find_first_of("DGKP") != equation.npos || equation.find("psi") != equation.npos;
        const double rounding = 50.0 * std::numeric_limits<double>::epsilon();
        out.push_back({std::move(name), std::move(equation), std::move(source),
                       error == 0.0 ? 0.0 : error / scale,
                       std::max(1e-12, solves ? rounding * condition : 0.0)});
    }
    void expressions()
    {
        for (const IdentityFacts& f : table) {
            const Node* left = parse(arena, f.left);
            enter(std::string(f.name), std::string(f.left) + " = " + std::string(f.right),
                  std::string(f.source), number(left), number(parse_like(arena, f.right, left)));
        }
    }

    // Body-space rows of block i: of a body with its hinge, or of all bodies of a cluster.
    std::vector<std::vector<int>> rows_of_blocks() const
    {
        std::vector<std::vector<int>> rows;
        const auto add = [&](std::span<const int> bodies) {
            rows.emplace_back();
            for (int k : bodies)
                for (int i = 0; i < 6; ++i)
                    rows.back().push_back(6 * k + i);
        };
        if (stages.over.by_clusters())
            for (const BlockTree::Cluster& c : stages.over.clusters())
                add(c.bodies);
        else
            for (int k = 0; k < n; ++k)
                add({&k, 1});
        return rows;
    }
    int base_of_body(int k) const // the body that its block hangs on
    {
        return stages.over.by_clusters() ? stages.over.base(k)
                                         : stages.kin.tree().parent[static_cast<std::size_t>(k)];
    }
    int parent(int block) const // the block that it hangs on
    {
        if (!stages.over.by_clusters())
            return base_of_body(block);
        const int base = stages.over.clusters()[static_cast<std::size_t>(block)].base;
        return base == ground ? ground : stages.over.topology().cluster_of[static_cast<std::size_t>(base)];
    }
    Matrix block(const Matrix& A, int i, int k) const
    {
        return A(blocks[static_cast<std::size_t>(i)], blocks[static_cast<std::size_t>(k)]);
    }
    auto at(Matrix& A, int i, int k) const
    {
        return A(blocks[static_cast<std::size_t>(i)], blocks[static_cast<std::size_t>(k)]);
    }
    int num_blocks() const { return static_cast<int>(blocks.size()); }
    // Block-diagonal with random blocks.
    Matrix random_blocks(bool symmetric)
    {
        Random random(7);
        Matrix X = Matrix::Zero(6 * n, 6 * n);
        for (int k = 0; k < num_blocks(); ++k) {
            const auto size = static_cast<Eigen::Index>(blocks[static_cast<std::size_t>(k)].size());
            Matrix A(size, size);
            for (double& x : A.reshaped())
                x = random.uniform(-1, 1);
            at(X, k, k) = symmetric ? Matrix(A + A.transpose()) : A;
        }
        return X;
    }
    // s(k) = X(k) + sum over children of a(k,c) s(c) b(k,c)*
    Matrix gathered(const Matrix& X, const Matrix& a, const Matrix& b) const
    {
        Matrix s = X;
        for (int k = num_blocks() - 1; k >= 0; --k)
            if (const int p = parent(k); p != ground)
                at(s, p, p) += block(a, p, k) * block(s, k, k) * block(b, p, k).transpose();
        return s;
    }
    // s(k) = X(k) + a(p,k)* s(p) b(p,k)
    Matrix spread(const Matrix& X, const Matrix& a, const auto& b) const
    {
        Matrix s = X;
        for (int k = 0; k < num_blocks(); ++k)
            if (const int p = parent(k); p != ground)
                at(s, k, k) += block(a, p, k).transpose() * block(s, p, p) * b(p, k);
        return s;
    }
    int common_ancestor(int i, int j) const // -1: none
    {
        while (i != j)
            (i > j ? i : j) = parent(i > j ? i : j);
        return i;
    }

    void recursions()
    {
        const Matrix phi = number("phi"), psi = number("psi"), one = Matrix::Identity(6 * n, 6 * n);
        const Matrix X = random_blocks(true), Y = random_blocks(false);
        const Matrix s13 = gathered(X, phi, phi), s14 = gathered(X, psi, phi);
        enter("I13", "phi X adj(phi) = (phi - I) s + s adj(phi), s = X + sum phi s adj(phi)", "000 (A.1)",
              phi * X * phi.transpose(), (phi - one) * s13 + s13 * phi.transpose());
        enter("I14", "psi X adj(phi) = psi s + s (adj(phi) - I), s = X + sum psi s adj(phi)", "000 (A.2)",
              psi * X * phi.transpose(), psi * s14 + s14 * (phi.transpose() - one));
        // Block (i,j) of psi* X psi is psi(a,i)* s(a) psi(a,j), a the nearest common ancestor; none: zero.
        const auto by_ancestor = [&](const Matrix& s) {
            Matrix sum = Matrix::Zero(6 * n, 6 * n);
            for (int i = 0; i < num_blocks(); ++i)
                for (int j = 0; j < num_blocks(); ++j)
                    if (const int a = common_ancestor(i, j); a != ground)
                        at(sum, i, j) = block(psi, a, i).transpose() * block(s, a, a) * block(psi, a, j);
            return sum;
        };
        const Matrix s15 = spread(X, psi, [&](int p, int k) { return block(psi, p, k); });
        enter("I15", "adj(psi) X psi = adj(psi(a,i)) s(a) psi(a,j) by nearest common ancestor", "000 (A.3)",
              psi.transpose() * X * psi, by_ancestor(s15));
        Matrix Upsilon = number("Upsilon");
        enter("decomposition by Upsilon", "adj(psi)*adj(H)*inverse(D)*H*psi by nearest common ancestor",
              "004 (5.5)", number("adj(psi)*adj(H)*inverse(D)*H*psi"), by_ancestor(Upsilon));
        // phi(p,k) has an inverse between bodies, not between a cluster and its base.
        if (!stages.over.by_clusters())
            for (auto [name, op] : {std::pair{"I16 phi", &phi}, {"I16 psi", &psi}}) {
                const Matrix s = spread(Y, *op, [&](int p, int k) -> Matrix {
                    Matrix back = block(phi, p, k).transpose();
                    back.topRightCorner<3, 3>() *= -1.0, back.bottomLeftCorner<3, 3>() *= -1.0;
                    return back;
                });
                enter(name,
                      "adj(op) X (adj(phi) - I) = s adj(phi) - adj(op) s, s = X + adj(op) s(p) "
                      "inverse(adj(phi))",
                      "000 (A.4), (A.5)", op->transpose() * Y * (phi.transpose() - one),
                      s * phi.transpose() - op->transpose() * s);
            }
        // The group: phi(i,k) is the shift from reference point i to reference point k, whatever the path.
        Matrix group = Matrix::Zero(6 * n, 6 * n);
        for (int k = 0; k < n; ++k)
            for (int i = k; i != ground; i = base_of_body(i)) {
                Eigen::Matrix<double, 6, 6> shift = Eigen::Matrix<double, 6, 6>::Identity();
                shift.topRightCorner<3, 3>() = sweepdyn::dense(tilde(stages.kin.r(k) - stages.kin.r(i)));
                group.block<6, 6>(6 * i, 6 * k) = shift;
            }
        enter("group of phi", "phi(i,j) phi(j,k) = phi(i,k)", "003", phi, group);
        if (arena.over().num_columns() > 0)
            mass_matrix();
    }

    // The mass operator against inverse dynamics of unit accelerations, at rest without gravity; with loops, E' M E.
    void mass_matrix()
    {
        const Matrix mass = number("H*phi*M*adj(phi)*adj(H) + J_a"), R = number("H*R*adj(H) + J_a");
        const int dofs = stages.kin.model.num_dofs();
        Matrix columns(dofs, dofs);
        Kinematics<double> at_rest = stages.kin;
        BodyForces<double> forces(at_rest.model);
        std::vector<double> unit(static_cast<std::size_t>(dofs));
        mass_matrix_by_inverse_dynamics<double>(
            at_rest, stages.kin.q, {columns.data(), static_cast<std::size_t>(columns.size())}, unit, forces);
        const bool by_clusters = stages.over.by_clusters();
        if (by_clusters) {
            Matrix E(dofs, mass.cols());
            for (int j = 0; j < dofs; ++j)
                for (int i = 0; i < E.cols(); ++i)
                    E(j, i) = stages.clusters->motion(j, i);
            columns = (E.transpose() * columns * E).eval();
        }
        enter("Newton-Euler factorization",
              by_clusters ? "H*phi*M*adj(phi)*adj(H) + J_a = E' [T at v_dot = e_1, e_2, ...] E"
                          : "H*phi*M*adj(phi)*adj(H) + J_a = [T at v_dot = e_1, e_2, ...]",
              "003", mass, columns);
        enter("trace", "trace(H*phi*M*adj(phi)*adj(H) + J_a) = sum of trace(H*R*adj(H) + J_a)", "001",
              Matrix::Constant(1, 1, mass.trace()), Matrix::Constant(1, 1, R.trace()));
    }
};

} // namespace

std::span<const IdentityFacts> identities() { return table; }

std::vector<IdentityResidual> check_identities(Stages<double>& stages)
{
    Checker checker(stages);
    checker.expressions();
    checker.recursions();
    return std::move(checker.out);
}

} // namespace sweepdyn::algebra
