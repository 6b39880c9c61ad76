// Sums of rows against sums of numbers: every length of run, both starts, and scalars that are no SIMD numbers.
#include <gtest/gtest.h>

#include <vector>

#include "sweepdyn/spatial/combine.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn {
namespace {

template <class S> class Combine : public testing::Test {};
using Scalars = testing::Types<double, float, Dual<double>>;
TYPED_TEST_SUITE(Combine, Scalars);

TYPED_TEST(Combine, IsTheSumOfItsRows)
{
    using S = TypeParam;
    for (int count = 1; count <= 21; ++count)
        for (Onto onto : {Onto::zero, Onto::old}) {
            const auto lanes = Lanes<S>::round_up(count);
            std::vector<S> rows(static_cast<std::size_t>(5 * lanes)), to(static_cast<std::size_t>(lanes));
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i] = S(static_cast<double>(i % 7) - 2.5);
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = S(static_cast<double>(i % 5));
            const std::vector<S> before = to;
            combine<S>(
                to.data(), count, onto, 1, 4, [](int k) { return S(k - 1.5); },
                [&](int k) { return rows.data() + k * lanes; }, S(0.5));
            for (int t = 0; t < count; ++t) {
                const auto at = static_cast<std::size_t>(t);
                double sum = onto == Onto::old ? value(before[at]) : 0.0;
                for (std::size_t k = 1; k < 4; ++k)
                    sum += (static_cast<double>(k) - 1.5) *
                           value(rows[k * static_cast<std::size_t>(lanes) + at]);
                EXPECT_EQ(value(to[at]), 0.5 * sum) << count << ", " << t; // few binary digits: exact
            }
        }
}

TYPED_TEST(Combine, OfNothingIsNothing)
{
    using S = TypeParam;
    std::vector<S> to(8, S(3));
    const auto none = [](int) { return S(0); };
    const auto nowhere = [](int) -> const S* { return nullptr; };
    combine<S>(to.data(), 8, Onto::old, 2, 2, none, nowhere, S(2));
    EXPECT_EQ(value(to[7]), 6.0);
    combine<S>(to.data(), 8, Onto::zero, 2, 2, none, nowhere);
    EXPECT_EQ(value(to[7]), 0.0);
}

} // namespace
} // namespace sweepdyn
