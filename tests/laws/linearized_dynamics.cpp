// Derivatives of inverse and forward dynamics against dual numbers through the dynamics themselves, which know nothing of them.
#include <Eigen/Cholesky>

#include "support/dual_dynamics.hpp"
#include "support/linearized.hpp"
#include "support/truth.hpp"
#include "sweepdyn/linear/by_mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/perturb_forward_dynamics.hpp"

namespace sweepdyn::test {
namespace {

struct Truth {
    MatrixXd M, A_D, B_D; // of inverse dynamics at the accelerations of the case
};

// One column: dT of a perturbation of q (in the tangent space), v, v_dot.
VectorXd dual_inverse(const Case& c, const Numbers& dq, const Numbers& dv, const Numbers& da,
                      bool fixed_loads)
{
    DualState state(c, dq, dv);
    update<DualNumber>(state.stages.kin, state.q, state.v);
    return change_of(state.stages.inverse(dual(c.a, da), state.external(c, fixed_loads)));
}

Truth dual_truth(const Case& c, bool fixed_loads)
{
    const auto n = static_cast<Eigen::Index>(c.v.size());
    Truth out{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, n)};
    const Numbers zero(c.v.size());
    for (std::size_t j = 0; j < c.v.size(); ++j) {
        const Numbers one = unit(c.v.size(), j);
        const auto column = static_cast<Eigen::Index>(j);
        out.M.col(column) = dual_inverse(c, zero, zero, one, fixed_loads);
        out.A_D.col(column) = dual_inverse(c, zero, one, zero, fixed_loads);
        out.B_D.col(column) = dual_inverse(c, one, zero, zero, fixed_loads);
    }
    return out;
}

void check(const Case& c, const ReferenceChoice& choice, bool fixed_loads, const Truth& truth)
{
    const auto n = c.v.size();
    const std::string where =
        c.where + ", by " + choice.name + (fixed_loads ? ", fixed loads" : ", followers");
    Linearized lin(c, choice, fixed_loads);
    const Kinematics<double>& kin = lin.stages.kin;
    Numbers M(n * n, 7.0), A(n * n, 7.0), B(n * n, 7.0);
    CompositeLoads<double> loads(c.model);
    differentiate_inverse_dynamics<double>(kin, lin.stages.composite, lin.d, M, A, B, loads);
    // What the entries are sums of: rates of inertias, and forces through the hinges.
    double force = 0.0;
    for (Index k : c.model.tree().base_to_tip())
        force = std::max(force, largest(dense(lin.d.motion[k].f)));
    const double rate = largest(truth.M) * largest(eigen(c.v));
    const Rule rate_terms{.terms = rate}, force_terms{.terms = force};
    expect_equal("M", where, square(M), truth.M);
    expect_equal("A_D", where, square(A), truth.A_D, rate_terms);
    expect_equal("B_D", where, square(B), truth.B_D, force_terms);

    const Eigen::LDLT<MatrixXd> solver(truth.M);
    const MatrixXd inverse = solver.solve(MatrixXd::Identity(truth.M.rows(), truth.M.rows())),
                   A_C = solver.solve(truth.A_D), B_C = solver.solve(truth.B_D);
    const double condition = condition_of(truth.M), compliance = largest(inverse);
    const Rule loose{.condition = condition}, loose_rate{.condition = condition, .terms = compliance * rate},
        loose_force{.condition = condition, .terms = compliance * force};
    ForwardDerivatives<double> work(c.model);
    Numbers Minv(n * n, 7.0);
    A.assign(n * n, 7.0), B.assign(n * n, 7.0);
    differentiate_forward_dynamics<double>(kin, lin.stages.art, lin.d, lin.y, Minv, A, B, work);
    expect_equal("M^-1", where, square(Minv), inverse, loose);
    expect_equal("A_C", where, square(A), A_C, loose_rate);
    expect_equal("B_C", where, square(B), B_C, loose_force);

    ByMassMatrix<double> by_mass(c.model);
    Numbers Minv2(n * n, 7.0), A2(n * n, 7.0), B2(n * n, 7.0);
    differentiate_forward_dynamics_by_mass_matrix<double>(kin, lin.stages.composite, lin.d, Minv2, A2, B2,
                                                          by_mass);
    expect_equal("M^-1 by mass matrix", where, square(Minv2), inverse, loose);
    expect_equal("A_C by mass matrix", where, square(A2), A_C, loose_rate);
    expect_equal("B_C by mass matrix", where, square(B2), B_C, loose_force);

    Random random(3);
    const Numbers dq = random_numbers(random, static_cast<int>(n), 1.0),
                  dv = random_numbers(random, static_cast<int>(n), 1.0),
                  da = random_numbers(random, static_cast<int>(n), 1.0),
                  mu = random_numbers(random, static_cast<int>(n), 1.0);
    Numbers dT(n), x(n);
    Perturbations<double> scratch(c.model);
    perturb_inverse_dynamics<double>(kin, lin.d, dq, dv, da, dT, scratch);
    const VectorXd expected = truth.M * eigen(da) + truth.A_D * eigen(dv) + truth.B_D * eigen(dq);
    expect_equal("dT", where, MatrixXd(eigen(dT)), MatrixXd(expected), force_terms);
    Numbers on_q(n), on_v(n), on_a(n);
    perturb_inverse_dynamics_adjoint<double>(kin, lin.d, mu, on_q, on_v, on_a, scratch);
    expect_equal("adjoint q", where, MatrixXd(eigen(on_q)), MatrixXd(truth.B_D.transpose() * eigen(mu)),
                 force_terms);
    expect_equal("adjoint v", where, MatrixXd(eigen(on_v)), MatrixXd(truth.A_D.transpose() * eigen(mu)),
                 rate_terms);
    expect_equal("adjoint a", where, MatrixXd(eigen(on_a)), MatrixXd(truth.M.transpose() * eigen(mu)));
    const MatrixXd change = solver.solve(eigen(dT) - truth.A_D * eigen(dv) - truth.B_D * eigen(dq));
    perturb_forward_dynamics_by_articulation<double>(kin, lin.stages.art, lin.d, dq, dv, dT, x, scratch);
    expect_equal("dv_dot by articulation", where, MatrixXd(eigen(x)), change, loose_force);
    perturb_forward_dynamics_by_columns<double>(kin, lin.stages.art, lin.d, lin.y, dq, dv, dT, x, scratch);
    expect_equal("dv_dot by columns", where, MatrixXd(eigen(x)), change, loose_force);
    perturb_forward_dynamics_by_mass_matrix<double>(kin, lin.stages.composite, lin.d, dq, dv, dT, x, scratch,
                                                    by_mass);
    expect_equal("dv_dot by mass matrix", where, MatrixXd(eigen(x)), change, loose_force);
}

TEST(LinearizedDynamics, AreTheDerivatives)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        for (bool fixed_loads : {false, true}) {
            const Truth truth = dual_truth(c, fixed_loads);
            for (const ReferenceChoice& choice : reference_choices)
                check(c, choice, fixed_loads, truth);
        }
    });
}

} // namespace
} // namespace sweepdyn::test
