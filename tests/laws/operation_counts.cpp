// Operations of the linearizations of a revolute chain, held to the formulas of paper 000 for Algorithms 1, 2 and 6, and to
// a count by hand for Algorithms 5 and 5b, where 000 does not say what it counts.
#include <gtest/gtest.h>

#include "support/operation_counts.hpp"

namespace sweepdyn::test {
namespace {

struct Limit { // a n^2 + b n + c
    double a, b, c;
    double at(int n) const { return (a * n + b) * n + c; }
};

TEST(OperationCounts, AreWithinTheFormulas)
{
    for (int n = 6; n <= 12; ++n) {
        const LinearCounts c = LinearCounts::of_chain(n);
        const auto expect = [&](const char* name, const OperationCount& got, const Limit& multiplications,
                                const Limit& additions, long divisions) {
            EXPECT_LE(static_cast<double>(got.multiplications), multiplications.at(n)) << name << ", n " << n;
            EXPECT_LE(static_cast<double>(got.additions), additions.at(n)) << name << ", n " << n;
            EXPECT_EQ(got.divisions, divisions) << name << ", n " << n;
            EXPECT_GT(got.multiplications, 0) << name;
        };
        expect("1", c.algorithm_1(), {0, 320, -159}, {0, 303, -149}, 0);
        expect("2", c.algorithm_2(), {21, 333, -132}, {23.5, 302.5, -145}, 0);
        expect("5", c.algorithm_5(), {0, 461, -234}, {0, 455, -296}, n);
        expect("5b", c.algorithm_5b(), {0, 356, -183}, {0, 337, -217}, n);
        expect("6", c.algorithm_6(), {36, 781, -225}, {33, 773, -255}, n);
    }
}

// What is counted grows as it should: exactly linear, exactly quadratic.
TEST(OperationCounts, GrowAsTheySay)
{
    LinearCounts at[4];
    for (int i = 0; i < 4; ++i)
        at[i] = LinearCounts::of_chain(6 + 2 * i);
    const auto count = [](const OperationCount& c) { return c.multiplications + c.additions; };
    for (auto algorithm :
         {&LinearCounts::algorithm_1, &LinearCounts::algorithm_5, &LinearCounts::algorithm_5b})
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(count((at[i + 2].*algorithm)()) - count((at[i + 1].*algorithm)()),
                      count((at[i + 1].*algorithm)()) - count((at[i].*algorithm)()));
    for (auto algorithm : {&LinearCounts::algorithm_2, &LinearCounts::algorithm_6})
        EXPECT_EQ(count((at[3].*algorithm)()) - 3 * count((at[2].*algorithm)()) +
                      3 * count((at[1].*algorithm)()) - count((at[0].*algorithm)()),
                  0);
}

} // namespace
} // namespace sweepdyn::test
