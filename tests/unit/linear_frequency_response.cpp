// Frequency responses, Bode data and transfer functions of systems known on paper.
#include "support/linear.hpp"
#include "sweepdyn/linear/frequency_response.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

StateSpace oscillator(double wn, double zeta)
{
    StateSpace out = named(rows({{0, 1}, {-wn * wn, -2 * zeta * wn}}), rows({{0}, {wn * wn}}));
    out.C = rows({{1, 0}});
    out.D = Matrix(1, 1);
    out.outputs = {"q"};
    return out;
}

TEST(FrequencyResponse, OfAnOscillator)
{
    const double wn = 12.0, zeta = 0.1;
    const auto hz = frequencies(0.1, 100.0, 31);
    EXPECT_NEAR(hz.back(), 100.0, 1e-11);
    const FrequencyResponse found = frequency_response(oscillator(wn, zeta), hz);
    const Bode drawn = bode(found, 0, 0);
    for (int k = 0; k < 31; ++k) {
        const std::complex<double> s(0.0, 2 * M_PI * hz[static_cast<std::size_t>(k)]);
        const std::complex<double> G = wn * wn / (s * s + 2 * zeta * wn * s + wn * wn);
        EXPECT_LT(std::abs(found.at(k, 0, 0) - G), 1e-13 * std::abs(G));
        EXPECT_NEAR(drawn.decibels[static_cast<std::size_t>(k)], 20 * std::log10(std::abs(G)), 1e-10);
        EXPECT_NEAR(drawn.degrees[static_cast<std::size_t>(k)], std::arg(G) * 180 / M_PI, 1e-10);
    }
    const TransferFunction channel = transfer_function(oscillator(wn, zeta), 0, 0);
    EXPECT_TRUE(channel.zeros.empty());
    expect_equal("numerator", "oscillator", channel.numerator, std::vector<double>{wn * wn});
    expect_equal("denominator", "oscillator", channel.denominator,
                 std::vector<double>{1, 2 * zeta * wn, wn * wn});
}

TEST(FrequencyResponse, PhaseWithoutJumps)
{
    // Three integrators in a row after a lag: the phase runs on to -360 degrees.
    StateSpace system =
        named(rows({{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, -1}}), rows({{0}, {0}, {0}, {1}}));
    const Bode drawn = bode(frequency_response(system, frequencies(1e-3, 1e3, 200)), 0, 0);
    for (std::size_t k = 1; k < drawn.degrees.size(); ++k)
        EXPECT_LT(std::abs(drawn.degrees[k] - drawn.degrees[k - 1]), 10.0);
    EXPECT_NEAR(std::abs(drawn.degrees.back() - drawn.degrees.front()), 90.0, 1.0);
}

TEST(TransferFunction, ZerosOfTwoMassesOnASpring)
{
    // Force on mass 1 of two joined by a spring k: to itself (s^2 + k) / (s^2 (s^2 + 2 k)), to the other k / (...).
    const double k = 9.0;
    StateSpace system =
        named(rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {-k, k, 0, 0}, {k, -k, 0, 0}}), rows({{0}, {0}, {1}, {0}}));
    const TransferFunction self = transfer_function(system, 0, 0), other = transfer_function(system, 1, 0);
    ASSERT_EQ(self.zeros.size(), 2u);
    EXPECT_LT(std::abs(self.zeros[0] - std::complex<double>(0, 3)), 1e-12);
    EXPECT_NEAR(self.gain, 1.0, 1e-14);
    EXPECT_TRUE(other.zeros.empty());
    EXPECT_NEAR(other.gain, k, 1e-12);
    expect_equal("denominator", "two masses", self.denominator, std::vector<double>{1, 0, 2 * k, 0, 0});
}

TEST(TransferFunction, GAtRandomPointsIsTheQuotient)
{
    Random random(41);
    for (int n : {1, 3, 8}) {
        StateSpace system = named(matrix(random_matrix(random, n, n)), matrix(random_matrix(random, n, 2)));
        system.D = matrix(random_matrix(random, n, 2));
        for (bool direct : {true, false}) {
            if (!direct)
                system.D = Matrix(n, 2);
            const TransferFunction channel = transfer_function(system, n - 1, 1);
            const auto value = frequency_response(system, std::vector{0.37}).at(0, n - 1, 1);
            const std::complex<double> s(0.0, 2 * M_PI * 0.37);
            std::complex<double> quotient = channel.gain, numerator = 0.0, denominator = 0.0;
            for (const auto& z : channel.zeros)
                quotient *= s - z;
            for (const auto& p : channel.poles)
                quotient /= s - p;
            for (double c : channel.numerator)
                numerator = numerator * s + c;
            for (double c : channel.denominator)
                denominator = denominator * s + c;
            EXPECT_LT(std::abs(quotient - value), 1e-10 * std::abs(value));
            EXPECT_LT(std::abs(numerator / denominator - value), 1e-10 * std::abs(value));
        }
    }
}

TEST(FrequencyResponse, Refused)
{
    StateSpace still = oscillator(2 * M_PI, 0.0);
    still.A = rows({{0, 0}, {0, 0}});
    EXPECT_EQ(words_of<RefusedError>([&] { frequency_response(still, std::vector{0.0}); }),
              "frequency_response: 0 Hz is a pole, where the response has no bound; leave it out");
    EXPECT_NE(words_of<UsageError>([&] { frequencies(0.0, 1.0, 3); }), "");
    EXPECT_NE(words_of<UsageError>([&] { transfer_function(still, 1, 0); }), "");
    still.B = Matrix(2, 1);
    EXPECT_EQ(transfer_function(still, 0, 0).numerator, std::vector<double>{0.0}); // no path
}

} // namespace
} // namespace sweepdyn::test
