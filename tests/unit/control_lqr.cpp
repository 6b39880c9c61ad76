// Regulators and filters: the least cost is least, duality, refusals by the names of states.
#include "support/linear.hpp"
#include "sweepdyn/control/kalman.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

StateSpace slides() // two masses; a force on the first; a spring of stiffness k between them
{
    return named(rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {-4, 4, 0, 0}, {4, -4, 0, 0}}), rows({{0}, {0}, {1}, {0}}),
                 {"q:first", "q:second", "v:first", "v:second"});
}

TEST(Lqr, NoOtherGainCostsLess)
{
    // Cost from x0 of u = -K x, by doubling the sum over small exact steps: x0' P x0 with F' P + P F + Q + K' R K = 0.
    const StateSpace system = slides();
    const Matrix Q = Matrix::identity(4), R = rows({{0.5}});
    const auto cost = [&](const MatrixXd& K) {
        const MatrixXd F = dense(system.A) - dense(system.B) * K, W = dense(Q) + K.transpose() * dense(R) * K;
        // vec: (F' x 1 + 1 x F') p = -w
        MatrixXd big = MatrixXd::Zero(16, 16);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                for (int k = 0; k < 4; ++k)
                    big(i + 4 * j, k + 4 * j) += F(k, i), big(i + 4 * j, i + 4 * k) += F(k, j);
        const VectorXd p = big.partialPivLu().solve(-Eigen::Map<const VectorXd>(W.data(), 16));
        return Eigen::Map<const MatrixXd>(p.data(), 4, 4).trace();
    };
    const Gain found = lqr(system, Q, R);
    EXPECT_TRUE(found.warnings.empty());
    const MatrixXd K = dense(found.K);
    const double least = cost(K);
    Random random(61);
    for (int trial = 0; trial < 50; ++trial) {
        const MatrixXd other = K + 1e-3 * random_matrix(random, 1, 4);
        EXPECT_GT(cost(other), least);
        EXPECT_LT(cost(other), least * (1 + 1e-4));
    }
    EXPECT_LT(pole_distance(found.closed_loop_poles, eigenvalues(dense(system.A) - dense(system.B) * K)),
              1e-9);
}

TEST(Lqr, SampledFinelyIsContinuous)
{
    const StateSpace system = slides();
    const double h = 1e-4;
    const Gain slow = lqr(system, Matrix::identity(4), rows({{0.5}}));
    const Gain fast =
        discrete_lqr(zero_order_hold(system, h), diagonal_weights(std::vector{h}, 4, "Q"), rows({{0.5 * h}}));
    expect_equal("K", "h = 1e-4", fast.K, slow.K, {.tolerance = 1e-3}); // the difference is O(h)
    for (const auto& z : fast.closed_loop_poles)
        EXPECT_LT(std::abs(z), 1.0);
}

TEST(Lqr, UncontrollableStableModesOnlyWarn)
{
    StateSpace system =
        named(rows({{0, 1, 0}, {0, 0, 1}, {0, 0, -2}}), rows({{0}, {1}, {0}}), {"q:a", "v:a", "motor:b"});
    system.f0 = {0, 0.5, 0};
    const Gain found = lqr(system, Matrix::identity(3), rows({{1}}));
    ASSERT_EQ(found.warnings.size(), 2u);
    EXPECT_EQ(found.warnings[0], "the mode at -2 in motor:b stays where it is: no input reaches it");
    EXPECT_EQ(found.warnings[1], "not in equilibrium: at the operating point the rate of v:a is 0.5; the "
                                 "regulator will hold a point beside it");
}

TEST(Lqr, RefusedByName)
{
    StateSpace loose = slides();
    loose.A = rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}); // without the spring
    const Matrix I = Matrix::identity(4), R = rows({{1}});
    EXPECT_EQ(words_of<RefusedError>([&] { lqr(loose, I, R); }),
              "lqr: no input reaches it, and not strictly stable:\n  - the mode at 0 (2 times) in v:second\n"
              "give it an actuator, or drop it (reduce)");
    EXPECT_EQ(words_of<RefusedError>([&] { discrete_lqr(zero_order_hold(loose, 0.01), I, R); }),
              "lqr: no input reaches it, and not strictly stable:\n  - the mode at 1 (2 times) in v:second\n"
              "give it an actuator, or drop it (reduce)");
    EXPECT_EQ(words_of<RefusedError>(
                  [&] { lqr(slides(), diagonal_weights(std::vector{0., 0., 1., 1.}, 4, "Q"), R); }),
              "lqr: Q does not see it, and not strictly stable:\n  - the mode at 0 in q:first, q:second\n"
              "give its states weight in Q, or drop it (reduce)");
    const StateSpace falling = named(rows({{3, 0}, {0, -1}}), rows({{0}, {1}}), {"q:pole", "q:cart"});
    EXPECT_NE(
        words_of<RefusedError>([&] { lqr(falling, Matrix::identity(2), R); }).find("the mode at 3 in q:pole"),
        std::string::npos);
    EXPECT_EQ(words_of<UsageError>([&] { lqr(slides(), Matrix::identity(3), R); }),
              "lqr: the weight of the states is 3 x 3, expected a row and a column per state, 4");
    EXPECT_EQ(words_of<UsageError>([&] { diagonal_weights(std::vector{1., 2.}, 4, "--Q"); }),
              "--Q: got 2 numbers, expected one, or 4 of them");
}

TEST(Kalman, IsDualAndItsCovarianceIsThatOfTheError)
{
    StateSpace system = slides();
    system.C = rows({{1, 0, 0, 0}});
    system.D = Matrix(1, 1);
    system.outputs = {"q:first"};
    const Matrix W = diagonal_weights(std::vector{0.1, 0.2, 0.3, 0.4}, 4, "W"), N = rows({{0.05}});
    const KalmanGain found = kalman(system, W, N);
    const MatrixXd P = dense(found.P), L = dense(found.L), F = dense(system.A) - L * dense(system.C);
    // P_dot = F P + P F' + W + L N L' = 0: the covariance of the error in its steady state
    const MatrixXd noise = dense(W) + L * dense(N) * L.transpose();
    expect_equal("F P + P F' = -W - L N L'", "continuous", F * P + P * F.transpose(), -noise,
                 {.terms = (F * P).norm()});
    EXPECT_LT(pole_distance(found.estimator_poles, eigenvalues(F)), 1e-9);

    const StateSpace sampled = zero_order_hold(system, 0.05);
    const KalmanGain filter = discrete_kalman(sampled, W, N);
    MatrixXd S = MatrixXd::Identity(4, 4); // the filter itself, run to its steady state
    const MatrixXd A = dense(sampled.A), C = dense(sampled.C);
    MatrixXd gain;
    for (int k = 0; k < 3000; ++k) {
        gain = A * S * C.transpose() * (dense(N) + C * S * C.transpose()).inverse();
        S = A * S * A.transpose() + dense(W) - gain * C * S * A.transpose();
    }
    expect_equal("L", "discrete", filter.L, gain, {.tolerance = 1e-10});
    expect_equal("P", "discrete", filter.P, S, {.tolerance = 1e-10});

    system.C = rows({{0, 0, 1, 0}});
    EXPECT_EQ(words_of<RefusedError>([&] { kalman(system, W, N); }),
              "kalman: no output sees it, and not strictly stable:\n  - the mode at 0 in q:first, q:second\n"
              "measure it, or drop it (reduce)");
}

} // namespace
} // namespace sweepdyn::test
