// Dual numbers: every rule against the derivative known from calculus.
#include <gtest/gtest.h>

#include <functional>

#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/vector3.hpp"

namespace sweepdyn {
namespace {

using D = Dual<double>;

template <class S> void expect_dual(const Dual<S>& got, S real, S tangent)
{
    const S eps = std::numeric_limits<S>::epsilon();
    EXPECT_LE(std::abs(got.real - real), 4 * eps * std::abs(real));
    EXPECT_LE(std::abs(got.tangent - tangent), 8 * eps * std::max<S>(1, std::abs(tangent)));
}

template <class S> class DualOf : public testing::Test {};
using Parts = testing::Types<double, float, long double>;
TYPED_TEST_SUITE(DualOf, Parts);

TYPED_TEST(DualOf, Arithmetic)
{
    using S = TypeParam;
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const S a(random.uniform(-2, 2)), da(random.uniform(-2, 2)), b(random.uniform(1, 3)),
            db(random.uniform(-2, 2));
        const Dual<S> x(a, da), y(b, db);
        expect_dual<S>(x + y, a + b, da + db);
        expect_dual<S>(x - y, a - b, da - db);
        expect_dual<S>(-x, -a, -da);
        expect_dual<S>(x * y, a * b, da * b + a * db);
        expect_dual<S>(x / y, a / b, (da * b - a * db) / (b * b));
        Dual<S> z = x;
        expect_dual<S>(z += y, a + b, da + db);
        z = x;
        expect_dual<S>(z -= y, a - b, da - db);
        z = x;
        expect_dual<S>(z *= y, a * b, da * b + a * db);
        z = x;
        expect_dual<S>(z /= y, a / b, (da * b - a * db) / (b * b));
        // With itself: d(x^2) = 2 x dx, d(x/x) = 0.
        z = x;
        expect_dual<S>(z *= z, a * a, 2 * a * da);
        z = y;
        expect_dual<S>(z /= z, 1, 0);
    }
}

TYPED_TEST(DualOf, Functions)
{
    using S = TypeParam;
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const S a(random.uniform(-2, 2)), da(random.uniform(-2, 2)), b(random.uniform(0.5, 3)),
            db(random.uniform(-2, 2));
        const Dual<S> x(a, da), y(b, db);
        expect_dual<S>(sqrt(y), std::sqrt(b), db / (2 * std::sqrt(b)));
        const S cosh = std::cosh(a);
        expect_dual<S>(tanh(x), std::tanh(a), da / (cosh * cosh));
        expect_dual<S>(atan2(x, y), std::atan2(a, b), (b * da - a * db) / (a * a + b * b));
        expect_dual<S>(atan2(y, x), std::atan2(b, a), (a * db - b * da) / (a * a + b * b));
        expect_dual<S>(abs(x), std::abs(a), a < 0 ? -da : da);
        Dual<S> sine, cosine;
        sincos(x, sine, cosine);
        expect_dual<S>(sine, std::sin(a), std::cos(a) * da);
        expect_dual<S>(cosine, std::cos(a), -std::sin(a) * da);
        // The larger and the smaller keep their own derivative.
        expect_dual<S>(max(x, y), std::max(a, b), a > b ? da : db);
        expect_dual<S>(min(x, y), std::min(a, b), a < b ? da : db);
        expect_dual<S>(select(true, x, y), a, da);
        expect_dual<S>(select(false, x, y), b, db);
    }
}

TEST(Dual, ComparesByItsRealPart)
{
    const D low(1.0, 9.0), high(2.0, -9.0), low_again(1.0, 0.0);
    EXPECT_TRUE(low < high);
    EXPECT_FALSE(high < low);
    EXPECT_TRUE(high > low);
    EXPECT_TRUE(low <= low_again && low >= low_again);
    EXPECT_FALSE(low < low_again || low > low_again);
    EXPECT_EQ(value(high), 2.0);
}

TEST(Dual, NumbersAreConstants)
{
    for (const D& x : {D(2), D(2.0), D(2.0f), D(2L), D(2u)}) {
        EXPECT_EQ(x.real, 2.0);
        EXPECT_EQ(x.tangent, 0.0);
    }
    EXPECT_EQ(D().real, 0.0);
    EXPECT_EQ(D().tangent, 0.0);
    const D y = 3.0 * D(2.0, 1.0) + 1.0 - D(0.5, 0.25) / 2.0;
    EXPECT_EQ(y.real, 6.75);
    EXPECT_EQ(y.tangent, 2.875);
}

// A dual of duals carries the mixed second derivative: d2/dx dy of x^2 y / (x + y).
TEST(Dual, Nests)
{
    using DD = Dual<D>;
    const double x = 1.5, y = 0.7;
    const DD X(D(x, 1.0), D(0.0)), Y(D(y), D(1.0));
    const DD f = X * X * Y / (X + Y);
    const double s = x + y;
    EXPECT_NEAR(f.real.real, x * x * y / s, 1e-15);
    EXPECT_NEAR(f.real.tangent, (2 * x * y * s - x * x * y) / (s * s), 1e-15);   // d/dx
    EXPECT_NEAR(f.tangent.real, x * x * x / (s * s), 1e-15);                      // d/dy
    EXPECT_NEAR(f.tangent.tangent, (3 * x * x * s - 2 * x * x * x) / (s * s * s), 1e-14);
    EXPECT_EQ(value(f), f.real.real);
}

// A composed function against its derivative worked by hand: d/dt |(cos t, sin 2t, t^2)|.
TEST(Dual, ChainsThroughVectors)
{
    for (double t : {0.1, 1.0, -2.5}) {
        D s, c, s2, c2;
        const D T(t, 1.0);
        sincos(T, s, c);
        sincos(D(2) * T, s2, c2);
        const D length = norm(Vec3<D>{c, s2, T * T});
        const double square = std::cos(t) * std::cos(t) + std::sin(2 * t) * std::sin(2 * t) + t * t * t * t;
        const double rate =
            (-std::cos(t) * std::sin(t) + 2 * std::sin(2 * t) * std::cos(2 * t) + 2 * t * t * t) /
            std::sqrt(square);
        expect_dual(length, std::sqrt(square), rate);
    }
}

TEST(Dual, HasThePrecisionOfItsPart)
{
    EXPECT_EQ(Precision<Dual<float>>::epsilon, Precision<float>::epsilon);
    EXPECT_EQ(Precision<D>::epsilon, Precision<double>::epsilon);
    EXPECT_EQ(Precision<Dual<long double>>::epsilon, Precision<long double>::epsilon);
    EXPECT_EQ(Precision<Dual<Dual<float>>>::epsilon, Precision<float>::epsilon);
}

} // namespace
} // namespace sweepdyn
