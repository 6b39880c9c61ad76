// Poles go where they are asked to, and as insensitively as the inputs allow.
#include "support/linear.hpp"
#include "sweepdyn/control/pole_placement.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

using Poles = std::vector<std::complex<double>>;

Poles random_poles(Random& random, int n)
{
    Poles out;
    if (n % 2)
        out.emplace_back(-random.uniform(1, 5));
    while (static_cast<int>(out.size()) < n) {
        const double a = -random.uniform(1, 5), b = random.uniform(0.1, 5);
        if (random.integer(0, 1))
            out.insert(out.end(), {{a, b}, {a, -b}});
        else
            out.insert(out.end(), {{a, 0.0}, {-b - 0.7, 0.0}});
    }
    return out;
}

TEST(PolePlacement, RandomSystems)
{
    Random random(71);
    for (int trial = 0; trial < 100; ++trial) {
        const int n = random.integer(1, 16), m = random.integer(std::min(n, 2), std::min(n, 6));
        const StateSpace system =
            named(matrix(random_matrix(random, n, n)), matrix(random_matrix(random, n, m)));
        const Poles wanted = random_poles(random, n);
        const PlacedGain found = place_poles(system, wanted);
        const MatrixXd closed = dense(system.A) - dense(system.B) * dense(found.K);
        const double off = 1e-13 * found.eigenvector_condition * (1 + dense(found.K).norm());
        EXPECT_LT(pole_distance(eigenvalues(closed), wanted), std::max(off, 1e-11))
            << trial << ": " << n << " states, " << m << " inputs, condition " << found.eigenvector_condition;
        EXPECT_GE(found.eigenvector_condition, n * (1 - 1e-9));
    }
}

TEST(PolePlacement, SixtyStates)
{
    Random random(72);
    const StateSpace system =
        named(matrix(random_matrix(random, 60, 60)), matrix(random_matrix(random, 60, 20)));
    const Poles wanted = random_poles(random, 60);
    const PlacedGain found = place_poles(system, wanted);
    EXPECT_LT(pole_distance(found.closed_loop_poles, wanted), 1e-8);
    EXPECT_LT(found.eigenvector_condition, 2000.0);
}

TEST(PolePlacement, OneInputIsUnique)
{
    // a double integrator: K = [p1 p2, -(p1 + p2)]
    const StateSpace system = named(rows({{0, 1}, {0, 0}}), rows({{0}, {1}}));
    expect_equal("K", "real", place_poles(system, {-2.0, -3.0}).K, rows({{6, 5}}));
    expect_equal("K", "pair", place_poles(system, {{-1, 2}, {-1, -2}}).K, rows({{5, 2}}));
}

TEST(PolePlacement, AForceAtEveryHingeGivesOrthogonalModes)
{
    // As many inputs as states: X can be the identity.
    Random random(73);
    const StateSpace system = named(matrix(random_matrix(random, 5, 5)), matrix(random_matrix(random, 5, 5)));
    const PlacedGain found = place_poles(system, {-1.0, -1.0, -1.0, {-2, 3}, {-2, -3}});
    EXPECT_LT(pole_distance(found.closed_loop_poles, {-1.0, -1.0, -1.0, {-2, 3}, {-2, -3}}),
              1e-7); // a triple pole
    EXPECT_NEAR(found.eigenvector_condition, 5.0, 0.01);
}

TEST(PolePlacement, DependentInputsCountOnce)
{
    const StateSpace system = named(rows({{0, 1}, {0, 0}}), rows({{0, 0, 0}, {1, 2, 0}}));
    const PlacedGain found = place_poles(system, {-2.0, -3.0});
    EXPECT_LT(pole_distance(found.closed_loop_poles, {-2.0, -3.0}), 1e-12);
    EXPECT_NE(words_of<UsageError>([&] { place_poles(system, {-2.0, -2.0}); }), "");
}

TEST(PolePlacement, LostModesThatAreStableStay)
{
    const StateSpace system =
        named(rows({{0, 1, 0}, {0, 0, 1}, {0, 0, -2}}), rows({{0}, {1}, {0}}), {"q:a", "v:a", "motor:b"});
    const PlacedGain found = place_poles(system, {-4.0, -5.0});
    EXPECT_LT(pole_distance(found.closed_loop_poles, {-2.0, -4.0, -5.0}), 1e-12);
    EXPECT_EQ(found.warnings.at(0), "the mode at -2 in motor:b stays where it is: no input reaches it");
    EXPECT_EQ(words_of<UsageError>([&] { place_poles(system, {-4.0, -5.0, -6.0}); }),
              "place_poles: got 3 poles, expected 2, one for each state that inputs reach; the mode at -2 in "
              "motor:b stays, "
              "for no input reaches it");
}

TEST(PolePlacement, Refused)
{
    const StateSpace system = named(rows({{0, 1}, {0, 0}}), rows({{0}, {1}}));
    EXPECT_EQ(words_of<UsageError>([&] { place_poles(system, {{-1, 2}, {-1, -3}}); }),
              "place_poles: the pole at -1+-2i stands alone, expected pairs a+bi and a-bi");
    EXPECT_EQ(words_of<UsageError>([&] { place_poles(system, {-1.0, -1.0}); }),
              "place_poles: the pole at -1 is asked for 2 times, but with 1 independent input none may come "
              "more often than 1; "
              "move them a little apart");
    StateSpace loose = named(rows({{0, 1}, {0, 0}}), rows({{0}, {0}}), {"q:a", "v:a"});
    EXPECT_NE(words_of<RefusedError>([&] {
                  place_poles(loose, {-1.0, -2.0});
              }).find("the mode at 0 (2 times) in v:a"),
              std::string::npos);
}

} // namespace
} // namespace sweepdyn::test
