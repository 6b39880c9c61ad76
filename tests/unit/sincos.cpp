// sincos of a double, to 1 ulp, against long double (whose sine and cosine reduce their argument exactly).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();
constexpr long double half_pi = 1.57079632679489661923132169163975144L;

// The distance in units of the last place of the expected number.
double ulps(double got, long double expected)
{
    const double nearest = std::abs(static_cast<double>(expected));
    const long double ulp = static_cast<long double>(std::nextafter(nearest, infinity)) - nearest;
    return static_cast<double>(std::abs(static_cast<long double>(got) - expected) / ulp);
}

// The worst error seen, and where.
struct Worst {
    double error = 0.0, at = 0.0;

    void look_at(double a)
    {
        double sine, cosine;
        sincos(a, sine, cosine);
        const double here = std::max(ulps(sine, std::sin(static_cast<long double>(a))),
                                     ulps(cosine, std::cos(static_cast<long double>(a))));
        if (!(here <= error))
            error = here, at = a;
    }
};

TEST(Sincos, IsWithinOneUlpUpToAHundredThousand)
{
    Random random(1);
    Worst worst;
    for (int i = 0; i < 200'000; ++i) {
        worst.look_at(random.uniform(-1, 1));
        worst.look_at(random.uniform(-10, 10));
        worst.look_at(random.uniform(-1e3, 1e3));
        worst.look_at(random.uniform(-1e5, 1e5));
        worst.look_at(std::exp(random.uniform(-40, std::log(1e5)))); // every size alike
    }
    std::cout << "note: sincos: worst error " << worst.error << " ulp, on 1000000 random angles up to 1e5\n";
    EXPECT_LE(worst.error, 1.0) << "at " << worst.at;
}

TEST(Sincos, IsWithinOneUlpAtMultiplesOfAQuarterTurn)
{
    Worst worst;
    for (int k = 1; half_pi * k < 1e5L; ++k) {
        double near = static_cast<double>(half_pi * k);
        for (int i = 0; i < 4; ++i) { // the four doubles around k pi/2
            worst.look_at(near);
            worst.look_at(-near);
            near = std::nextafter(near, i % 2 == 0 ? infinity : 0.0);
        }
        // Halfway, where the quadrant changes.
        const double corner = static_cast<double>(half_pi * (k - 0.5L));
        worst.look_at(corner);
        worst.look_at(std::nextafter(corner, 0.0));
        worst.look_at(std::nextafter(corner, infinity));
    }
    std::cout << "note: sincos: worst error " << worst.error
              << " ulp, beside every multiple of pi/4 up to 1e5\n";
    EXPECT_LE(worst.error, 1.0) << "at " << worst.at;
}

TEST(Sincos, IsExactAtZeroAndBesideIt)
{
    double sine, cosine;
    for (double a : {0.0, 5e-324, 1e-310, 2.3e-308, 1e-300, 1e-100, 1e-20, 1e-9}) {
        sincos(a, sine, cosine);
        EXPECT_EQ(sine, a);
        EXPECT_EQ(cosine, 1.0);
        sincos(-a, sine, cosine);
        EXPECT_EQ(sine, -a);
        EXPECT_EQ(cosine, 1.0);
    }
}

TEST(Sincos, SineIsOddAndCosineEven)
{
    Random random(2);
    for (int i = 0; i < 10'000; ++i) {
        const double a = random.uniform(0, 1e5);
        double s, c, s_minus, c_minus;
        sincos(a, s, c);
        sincos(-a, s_minus, c_minus);
        EXPECT_EQ(s_minus, -s) << "at " << a;
        EXPECT_EQ(c_minus, c) << "at " << a;
    }
}

TEST(Sincos, LeavesLargeAnglesToTheLibrary)
{
    Worst worst;
    worst.look_at(std::nextafter(1e5, 0.0)); // the last one of ours
    for (double a :
         {1e5, std::nextafter(1e5, 2e5), 123456.75, 1e7, 1e15, 1e22, 0x1p1023, 1.7976931348623157e308}) {
        for (double signed_a : {a, -a}) {
            double sine, cosine;
            sincos(signed_a, sine, cosine);
            EXPECT_EQ(sine, std::sin(signed_a));
            EXPECT_EQ(cosine, std::cos(signed_a));
        }
        worst.look_at(a);
    }
    EXPECT_LE(worst.error, 1.0) << "at " << worst.at;
}

TEST(Sincos, OfWhatIsNotFiniteIsNotANumber)
{
    for (double a : {infinity, -infinity, nan_}) {
        double sine = 0.0, cosine = 0.0;
        sincos(a, sine, cosine);
        EXPECT_TRUE(std::isnan(sine));
        EXPECT_TRUE(std::isnan(cosine));
    }
}

template <class S> class SincosOf : public testing::Test {};
using OtherScalars = testing::Types<float, long double>;
TYPED_TEST_SUITE(SincosOf, OtherScalars);

TYPED_TEST(SincosOf, IsTheLibrarys)
{
    using S = TypeParam;
    for (S a : {S(0), S(-0.3), S(1.5), S(100.25), S(1e6)}) {
        S sine, cosine;
        sincos(a, sine, cosine);
        EXPECT_EQ(sine, std::sin(a));
        EXPECT_EQ(cosine, std::cos(a));
    }
}

TEST(Sincos, OfADualCarriesTheDerivative)
{
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const double a = random.uniform(-1e3, 1e3), da = random.uniform(-2, 2);
        double s, c;
        sincos(a, s, c);
        Dual<double> sine, cosine;
        sincos(Dual<double>(a, da), sine, cosine);
        EXPECT_EQ(sine.real, s);
        EXPECT_EQ(cosine.real, c);
        EXPECT_EQ(sine.tangent, c * da);
        EXPECT_EQ(cosine.tangent, -s * da);
    }
}

// Second derivatives, by a dual of a dual: sin'' = -sin.
TEST(Sincos, OfADualOfADualCarriesTheSecondDerivative)
{
    using D = Dual<double>;
    const double a = 0.7;
    Dual<D> sine, cosine;
    sincos(Dual<D>(D(a, 1.0), D(1.0)), sine, cosine);
    EXPECT_DOUBLE_EQ(sine.tangent.tangent, -std::sin(a));
    EXPECT_DOUBLE_EQ(cosine.tangent.tangent, -std::cos(a));
    EXPECT_DOUBLE_EQ(sine.tangent.real, std::cos(a));
    EXPECT_DOUBLE_EQ(sine.real.tangent, std::cos(a));
}

} // namespace
} // namespace sweepdyn
