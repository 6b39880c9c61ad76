// Sampling: closed forms, the semigroup, and integrals with what the operating point itself does.
#include "support/linear.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

TEST(ZeroOrderHold, DoubleIntegratorThatFalls)
{
    StateSpace system = named(rows({{0, 1}, {0, 0}}), rows({{0}, {2}}));
    system.f0 = {0.0, -9.81};
    const double h = 0.25;
    const StateSpace sampled = zero_order_hold(system, h);
    expect_equal("A", "double integrator", sampled.A, rows({{1, h}, {0, 1}}));
    expect_equal("B", "double integrator", sampled.B, rows({{h * h}, {2 * h}}));
    expect_equal("f0", "double integrator", sampled.f0, std::vector<double>{-9.81 * h * h / 2, -9.81 * h});
    EXPECT_EQ(sampled.notes.back(), "sampled every 0.25 s, inputs held: x(k+1) = A x(k) + B u(k) + f0");
}

TEST(ZeroOrderHold, OscillatorAndDecay)
{
    const double w = 30.0, h = 0.4; // many turns per sample
    const MatrixXd turn = dense(exponential(matrix(h * (MatrixXd(2, 2) << 0, w, -w, 0).finished())));
    expect_equal(
        "rotation", "oscillator", turn,
        (MatrixXd(2, 2) << std::cos(w * h), std::sin(w * h), -std::sin(w * h), std::cos(w * h)).finished(),
        {.terms = 1.0});
    EXPECT_NEAR(exponential(rows({{-40.0}}))(0, 0) / std::exp(-40.0), 1.0, 1e-13);
    EXPECT_NEAR(exponential(rows({{300.0}}))(0, 0) / std::exp(300.0), 1.0, 1e-11);
    expect_equal("units apart", "1e8", exponential(rows({{0, 1e8}, {0, 0}})), rows({{1, 1e8}, {0, 1}}));
}

TEST(ZeroOrderHold, TwoHalvesAreAWhole)
{
    Random random(31);
    for (int n : {1, 4, 20, 60}) {
        StateSpace system =
            named(matrix(3.0 * random_matrix(random, n, n)), matrix(random_matrix(random, n, 2)));
        for (double& f : system.f0)
            f = random.uniform(-1, 1);
        const StateSpace whole = zero_order_hold(system, 0.2), half = zero_order_hold(system, 0.1);
        const MatrixXd A = dense(half.A), I = MatrixXd::Identity(n, n);
        const std::string where = std::to_string(n) + " states";
        expect_equal("A", where, whole.A, A * A);
        expect_equal("B", where, whole.B, (I + A) * dense(half.B));
        expect_equal("f0", where, whole.f0, (I + A) * numbers(half.f0));
    }
}

TEST(ZeroOrderHold, Refused)
{
    const StateSpace system = named(rows({{1000.0}}), rows({{1.0}}));
    EXPECT_EQ(words_of<UsageError>([&] { zero_order_hold(system, 0.0); }),
              "zero_order_hold: the sample time is 0, expected a number above zero, in seconds");
    EXPECT_NE(words_of<RefusedError>([&] { zero_order_hold(system, 1.0); }).find("sample more often"),
              std::string::npos);
}

} // namespace
} // namespace sweepdyn::test
