// Riccati equations: closed forms, the equations themselves on random systems up to 60 states, weights far apart.
#include "support/linear.hpp"
#include "sweepdyn/control/riccati.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

TEST(Riccati, Scalar)
{
    for (double a : {-3.0, 0.0, 2.0})
        for (double b : {0.01, 1.0, 50.0})
            for (double q : {1e-6, 1.0, 1e6})
                for (double r : {1e-4, 1.0, 1e4}) {
                    const std::string where = "a, b, q, r = " + std::to_string(a) + " " + std::to_string(b);
                    const double g = b * b / r, x = (a + std::sqrt(a * a + g * q)) / g;
                    // for a < 0 and a small g q the same without cancellation
                    const double exact = a < 0 ? q / (std::sqrt(a * a + g * q) - a) : x;
                    EXPECT_NEAR(
                        continuous_riccati(rows({{a}}), rows({{b}}), rows({{q}}), rows({{r}})).X(0, 0) /
                            exact,
                        1.0, 1e-11)
                        << where;
                    // z x^2 ...: x = a^2 x - (a b x)^2 / (r + b^2 x) + q
                    const double p = r - a * a * r - b * b * q, root = std::sqrt(p * p + 4 * b * b * q * r);
                    const double y = p > 0 ? 2 * q * r / (p + root) : (root - p) / (2 * b * b);
                    EXPECT_NEAR(discrete_riccati(rows({{a}}), rows({{b}}), rows({{q}}), rows({{r}})).X(0, 0) /
                                    y,
                                1.0, 1e-9)
                        << where << " sampled";
                }
}

TEST(Riccati, DoubleIntegrator)
{
    // Q = diag(1, 0), R = r: K = [1/sqrt(r), sqrt(2)/r^(1/4)]
    for (double r : {1e-8, 1.0, 1e8}) {
        const Riccati found =
            continuous_riccati(rows({{0, 1}, {0, 0}}), rows({{0}, {1}}), rows({{1, 0}, {0, 0}}), rows({{r}}));
        EXPECT_NEAR(found.K(0, 0) * std::sqrt(r), 1.0, 1e-12);
        EXPECT_NEAR(found.K(0, 1) * std::pow(r, 0.25) / std::sqrt(2.0), 1.0, 1e-12);
    }
}

TEST(Riccati, EquationsHoldAndLoopsAreStable)
{
    Random random(51);
    for (int n : {1, 2, 5, 10, 30, 60})
        for (double units : {0.0, 3.0}) {
            const int m = std::max(1, n / 4);
            MatrixXd A = random_matrix(random, n, n), B = random_matrix(random, n, m),
                     q = random_matrix(random, n, n);
            for (int i = 0; i < n; ++i) {
                const double unit = std::pow(10.0, random.uniform(-units, units));
                A.row(i) *= unit, A.col(i) /= unit, B.row(i) *= unit, q.col(i) /= unit;
            }
            const MatrixXd Q = q.transpose() * q, R = MatrixXd::Identity(m, m) * 0.1;
            const std::string where = std::to_string(n) + " states, units 1e" + std::to_string(units);

            const Riccati found =
                continuous_riccati(matrix(A), matrix(B), matrix(0.5 * (Q + Q.transpose())), matrix(R));
            const MatrixXd X = dense(found.X), K = dense(found.K);
            EXPECT_LT(found.residual, 1e-11) << where;
            expect_equal("R K = B' X", where, R * K, B.transpose() * X, {.tolerance = 1e-9});
            for (const auto& s : eigenvalues(A - B * K))
                EXPECT_LT(s.real(), 0.0) << where;
            const MatrixXd miss = A.transpose() * X + X * A - X * B * R.inverse() * B.transpose() * X + Q;
            EXPECT_LT(miss.norm(), 1e-9 * ((X * A).norm() + Q.norm())) << where;

            const Riccati sampled =
                discrete_riccati(matrix(A), matrix(B), matrix(0.5 * (Q + Q.transpose())), matrix(R));
            const MatrixXd F = A - B * dense(sampled.K), Y = dense(sampled.X);
            EXPECT_LT((A.transpose() * Y * F - Y + Q).norm(),
                      1e-9 * (Y.norm() + (A.transpose() * Y * F).norm()))
                << where;
            for (const auto& z : eigenvalues(F))
                EXPECT_LT(std::abs(z), 1.0) << where;
        }
}

TEST(Riccati, Refused)
{
    const Matrix A = rows({{0, 1}, {0, 0}}), B = rows({{0}, {1}}), I = Matrix::identity(2), one = rows({{1}});
    const auto words = [&](const Matrix& Q, const Matrix& R) {
        return words_of<UsageError>([&] { continuous_riccati(A, B, Q, R); });
    };
    EXPECT_EQ(words(one, one), "riccati: Q is 1 x 1, expected 2 x 2");
    EXPECT_EQ(words(I, rows({{0}})),
              "riccati: R has the eigenvalue 0, expected all above zero: every input must cost something");
    EXPECT_EQ(words(rows({{1, 1}, {0, 1}}), one), "riccati: Q is not symmetric; give its symmetric part");
    EXPECT_EQ(words(rows({{-1, 0}, {0, 1}}), one),
              "riccati: Q has the eigenvalue -1, expected all at least zero");
    // Q sees nothing of an undamped mode; no input reaches an unstable one.
    EXPECT_NE(words_of<RefusedError>([&] {
                  continuous_riccati(A, B, Matrix(2, 2), one);
              }).find("no stable solution"),
              std::string::npos);
    EXPECT_NE(words_of<RefusedError>([&] {
                  continuous_riccati(rows({{1}}), rows({{0}}), one, one);
              }).find("no stable solution"),
              std::string::npos);
    EXPECT_NE(words_of<RefusedError>([&] {
                  discrete_riccati(rows({{2}}), rows({{0}}), one, one);
              }).find("no stable solution"),
              std::string::npos);
}

} // namespace
} // namespace sweepdyn::test
