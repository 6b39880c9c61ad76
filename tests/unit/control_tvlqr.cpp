// TVLQR: closed forms, the steady state, a fine integration of the Riccati equation, and dynamic programming as one least squares.
#include "support/linear.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/tvlqr.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

std::vector<TrajectorySample> samples(double end, int count, const std::function<MatrixXd(double)>& A,
                                      const std::function<MatrixXd(double)>& B)
{
    std::vector<TrajectorySample> out;
    for (int k = 0; k < count; ++k) {
        const double t = end * k / (count - 1);
        out.push_back({t, matrix(A(t)), matrix(B(t))});
    }
    return out;
}

TEST(Tvlqr, ScalarIntegrator)
{
    // x_dot = u, q = r = 1, S(T) = 0: S = tanh(T - t)
    const auto one = [](double) { return MatrixXd::Ones(1, 1); };
    const auto zero = [](double) { return MatrixXd::Zero(1, 1); };
    const auto found = tvlqr(samples(2.0, 9, zero, one), rows({{1}}), rows({{1}}), rows({{0}}));
    for (std::size_t k = 0; k < found.t.size(); ++k) {
        EXPECT_NEAR(found.S[k](0, 0), std::tanh(2.0 - found.t[k]), 1e-14);
        EXPECT_NEAR(found.K[k](0, 0), found.S[k](0, 0), 1e-15);
    }
    EXPECT_NEAR(found.gain_at(0.125)(0, 0), 0.5 * (found.K[0](0, 0) + found.K[1](0, 0)), 1e-15);
    EXPECT_EQ(found.gain_at(-1.0), found.K.front());
    EXPECT_EQ(found.gain_at(9.0), found.K.back());
}

TEST(Tvlqr, LongHorizonsEndInLqr)
{
    Random random(91);
    const MatrixXd A = random_matrix(random, 6, 6), B = random_matrix(random, 6, 2);
    const StateSpace system = named(matrix(A), matrix(B));
    const auto found = tvlqr(samples(
                                 40.0, 81, [&](double) { return A; }, [&](double) { return B; }),
                             Matrix::identity(6), Matrix::identity(2), Matrix::identity(6));
    expect_equal("K", "6 states", found.K.front(), lqr(system, Matrix::identity(6), Matrix::identity(2)).K,
                 {.tolerance = 1e-10});
}

TEST(Tvlqr, TimeVaryingBesideRungeKutta)
{
    Random random(92);
    const MatrixXd A0 = random_matrix(random, 4, 4), A1 = random_matrix(random, 4, 4),
                   B0 = random_matrix(random, 4, 2), B1 = random_matrix(random, 4, 2),
                   Q = MatrixXd::Identity(4, 4), R = 0.3 * MatrixXd::Identity(2, 2);
    const auto A = [&](double t) { return MatrixXd(A0 + t * A1); };
    const auto B = [&](double t) { return MatrixXd(B0 + t * B1); };
    const auto found = tvlqr(samples(1.0, 11, A, B), matrix(Q), matrix(R), matrix(2.0 * Q), 8);
    MatrixXd S = 2.0 * Q; // straight in t, so the samples' straight lines are exact
    const auto rate = [&](double t, const MatrixXd& at) {
        const MatrixXd a = A(t), b = B(t);
        return MatrixXd(a.transpose() * at + at * a - at * b * R.inverse() * b.transpose() * at +
                        Q); // backward
    };
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) {
        const double h = 1.0 / steps, t = 1.0 - i * h;
        const MatrixXd k1 = rate(t, S), k2 = rate(t - h / 2, S + h / 2 * k1),
                       k3 = rate(t - h / 2, S + h / 2 * k2), k4 = rate(t - h, S + h * k3);
        S += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    // fourth order: 80 substeps
    expect_equal("S(0)", "4 states", found.S.front(), S, {.tolerance = 1e-8});
    const auto coarse = tvlqr(samples(1.0, 11, A, B), matrix(Q), matrix(R), matrix(2.0 * Q), 4);
    const double ratio = (dense(coarse.S[0]) - S).norm() / (dense(found.S[0]) - S).norm();
    EXPECT_GT(ratio, 12.0); // halving the step: sixteen times nearer
    EXPECT_LT(ratio, 20.0);
}

TEST(Tvlqr, DiscreteIsOneLeastSquares)
{
    Random random(93);
    const int n = 3, m = 2, N = 6;
    std::vector<TrajectorySample> steps;
    for (int k = 0; k <= N; ++k)
        steps.push_back({0.1 * k, matrix(random_matrix(random, n, n)), matrix(random_matrix(random, n, m))});
    const MatrixXd Q = MatrixXd::Identity(n, n), R = 0.2 * MatrixXd::Identity(m, m), Qf = 5.0 * Q;
    const auto found = discrete_tvlqr(steps, matrix(Q), matrix(R), matrix(Qf));
    ASSERT_EQ(found.K.size(), static_cast<std::size_t>(N));
    // all x as functions of x0 and all u; the least of the whole cost over u
    const VectorXd x0 = random_matrix(random, n, 1);
    MatrixXd G = MatrixXd::Zero(n, N * m), H = MatrixXd::Identity(n, n);
    MatrixXd quadratic = MatrixXd::Zero(N * m, N * m);
    VectorXd linear = VectorXd::Zero(N * m);
    double constant = 0.0;
    for (int k = 0; k <= N; ++k) {
        const MatrixXd W = k == N ? Qf : Q;
        quadratic += G.transpose() * W * G;
        linear += G.transpose() * W * H * x0;
        constant += (H * x0).dot(W * H * x0);
        if (k == N)
            break;
        quadratic.block(k * m, k * m, m, m) += R;
        const auto& step = steps[static_cast<std::size_t>(k)];
        G = dense(step.A) * G;
        G.middleCols(k * m, m) += dense(step.B);
        H = dense(step.A) * H;
    }
    const VectorXd u = -quadratic.ldlt().solve(linear);
    expect_equal("u(0) = -K x", "6 steps", dense(found.K[0]) * x0, -u.head(m), {.tolerance = 1e-11});
    EXPECT_NEAR(x0.dot(dense(found.S[0]) * x0), constant + u.dot(linear), 1e-11 * constant);
}

// What the closed loop makes of a deviation over the horizon.
TEST(Tvlqr, TransitionOverTheHorizon)
{
    const auto one = [](double) { return MatrixXd::Ones(1, 1); };
    const auto zero = [](double) { return MatrixXd::Zero(1, 1); };
    // x_dot = -tanh(T - t) x: x(T) = x(0) / cosh(T)
    const auto scalar = tvlqr(samples(2.0, 9, zero, one), rows({{1}}), rows({{1}}), rows({{0}}));
    EXPECT_NEAR(scalar.transition(0, 0), 1.0 / std::cosh(2.0), 1e-14);
    EXPECT_EQ(scalar.transition_eigenvalues.at(0), scalar.transition(0, 0));
    // From the end on with the cost of an endless horizon the gain is that of lqr: exp(s T) of its poles s.
    Random random(94);
    const MatrixXd A = random_matrix(random, 4, 4), B = random_matrix(random, 4, 2);
    const Matrix Q = Matrix::identity(4), R = Matrix::identity(2);
    const Gain steady = lqr(named(matrix(A), matrix(B)), Q, R);
    const auto at_end =
        tvlqr(samples(60.0, 121, [&](double) { return A; }, [&](double) { return B; }), Q, R, Q).S.front();
    const auto found =
        tvlqr(samples(1.5, 4, [&](double) { return A; }, [&](double) { return B; }), Q, R, at_end);
    std::vector<std::complex<double>> expected;
    for (const auto& s : steady.closed_loop_poles)
        expected.push_back(std::exp(1.5 * s));
    EXPECT_LT(pole_distance(found.transition_eigenvalues, expected), 1e-9);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_GE(std::abs(found.transition_eigenvalues[i - 1]), std::abs(found.transition_eigenvalues[i]));
    // Discrete: one step after the other.
    std::vector<TrajectorySample> steps;
    for (int k = 0; k <= 5; ++k)
        steps.push_back({0.1 * k, matrix(random_matrix(random, 3, 3)), matrix(random_matrix(random, 3, 2))});
    const auto discrete = discrete_tvlqr(steps, Matrix::identity(3), R, Matrix::identity(3));
    MatrixXd product = MatrixXd::Identity(3, 3);
    for (std::size_t k = 0; k < 5; ++k)
        product = (dense(steps[k].A) - dense(steps[k].B) * dense(discrete.K[k])) * product;
    expect_equal("transition", "5 steps", discrete.transition, matrix(product), {.tolerance = 1e-12});
    EXPECT_LT(pole_distance(discrete.transition_eigenvalues, eigenvalues(product)), 1e-10);
}

TEST(Tvlqr, Refused)
{
    const auto one = [](double) { return MatrixXd::Ones(1, 1); };
    auto twice = samples(1.0, 2, one, one);
    const Matrix I = rows({{1}});
    EXPECT_EQ(words_of<UsageError>([&] { tvlqr(std::span(twice).first(1), I, I, I); }),
              "tvlqr: got 1 samples, expected two or more");
    EXPECT_EQ(words_of<UsageError>([&] { tvlqr(twice, I, rows({{0}}), I); }),
              "tvlqr: R has the eigenvalue 0, expected all above zero: every input must cost something");
    twice[1].t = 0.0;
    EXPECT_EQ(words_of<UsageError>([&] { tvlqr(twice, I, I, I); }),
              "tvlqr: sample 1 is at 0 s, expected after 0 s, where the one before is");
}

} // namespace
} // namespace sweepdyn::test
