// Counting: the value of a double, and a count of each kind of operation.
#include <gtest/gtest.h>

#include <thread>

#include "sweepdyn/spatial/counting.hpp"
#include "sweepdyn/spatial/inertia.hpp"

namespace sweepdyn {
namespace {

OperationCount counted(const auto& work)
{
    const OperationCount before = Counting::count();
    work();
    return Counting::count() - before;
}
OperationCount expected(long multiplications, long additions, long divisions = 0, long square_roots = 0,
                        long trigonometric = 0, long comparisons = 0)
{
    return {multiplications, additions, divisions, square_roots, trigonometric, comparisons};
}

TEST(Counting, CountsEachOperation)
{
    Counting a(3.0), b(4.0), c, s;
    EXPECT_EQ(counted([&] { c = a + b; }), expected(0, 1));
    EXPECT_EQ(c.number, 7.0);
    EXPECT_EQ(counted([&] { c = a - b; }), expected(0, 1));
    EXPECT_EQ(c.number, -1.0);
    EXPECT_EQ(counted([&] { c = a * b; }), expected(1, 0));
    EXPECT_EQ(c.number, 12.0);
    EXPECT_EQ(counted([&] { c = a / b; }), expected(0, 0, 1));
    EXPECT_EQ(c.number, 0.75);
    EXPECT_EQ(counted([&] { c = sqrt(b); }), expected(0, 0, 0, 1));
    EXPECT_EQ(c.number, 2.0);
    EXPECT_EQ(counted([&] { c = tanh(a); }), expected(0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, std::tanh(3.0));
    EXPECT_EQ(counted([&] { c = atan2(a, b); }), expected(0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, std::atan2(3.0, 4.0));
    EXPECT_EQ(counted([&] { sincos(a, s, c); }), expected(0, 0, 0, 0, 1)); // the pair is one
    EXPECT_EQ(s.number, std::sin(3.0));
    EXPECT_EQ(c.number, std::cos(3.0));
}

TEST(Counting, CountsInPlaceOperationsAlike)
{
    Counting a(3.0);
    const Counting b(4.0);
    EXPECT_EQ(counted([&] { a += b; }), expected(0, 1));
    EXPECT_EQ(counted([&] { a -= b; }), expected(0, 1));
    EXPECT_EQ(counted([&] { a *= b; }), expected(1, 0));
    EXPECT_EQ(counted([&] { a /= b; }), expected(0, 0, 1));
    EXPECT_EQ(a.number, 3.0);
}

TEST(Counting, NegationAndCopiesAreFree)
{
    Counting a(3.0), b;
    EXPECT_EQ(counted([&] { b = -a; }), expected(0, 0));
    EXPECT_EQ(b.number, -3.0);
    EXPECT_EQ(counted([&] { b = a, a = Counting(5), b = 2.0f; }), expected(0, 0));
    EXPECT_EQ(value(b), 2.0);
}

TEST(Counting, ChoicesAreComparisons)
{
    const Counting a(3.0), b(4.0);
    Counting c;
    bool truth = false;
    EXPECT_EQ(counted([&] { truth = a < b; }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_TRUE(truth);
    EXPECT_EQ(counted([&] { truth = a > b; }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_FALSE(truth);
    EXPECT_EQ(counted([&] { truth = a <= b && b >= a; }), expected(0, 0, 0, 0, 0, 2));
    EXPECT_EQ(counted([&] { c = max(a, b); }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, 4.0);
    EXPECT_EQ(counted([&] { c = min(a, b); }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, 3.0);
    EXPECT_EQ(counted([&] { c = abs(-a); }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, 3.0);
    // A select and the comparison that makes its mask are one.
    EXPECT_EQ(counted([&] { c = select(a < b, a, b); }), expected(0, 0, 0, 0, 0, 1));
    EXPECT_EQ(c.number, 3.0);
}

// What the textbooks say of the small algebra.
TEST(Counting, CountsTheAlgebra)
{
    using S = Counting;
    const Vec3<S> a{1, 2, 3}, b{4, 5, 6};
    const Mat3<S> R{a, b, a};
    EXPECT_EQ(counted([&] { return dot(a, b); }), expected(3, 2));
    EXPECT_EQ(counted([&] { return cross(a, b); }), expected(6, 3));
    EXPECT_EQ(counted([&] { return add_cross(a, a, b); }), expected(6, 6));
    EXPECT_EQ(counted([&] { return norm(a); }), expected(3, 2, 0, 1));
    EXPECT_EQ(counted([&] { return R * a; }), expected(9, 6));
    EXPECT_EQ(counted([&] { return R * R; }), expected(27, 18));
    EXPECT_EQ(counted([&] { return rotate(R, Sym3<S>{1, 2, 3, 4, 5, 6}); }), expected(45, 30));
    EXPECT_EQ(counted([&] { return Phi<S>{a} * Force<S>{a, b}; }), expected(6, 6));
    EXPECT_EQ(counted([&] { return Phi<S>{a} * Phi<S>{b}; }), expected(0, 3)); // a shift is one vector
    EXPECT_EQ(counted([&] { return inverse(Phi<S>{a}); }), expected(0, 0));
}

TEST(Counting, CountsPerThread)
{
    const OperationCount before = Counting::count();
    OperationCount other;
    std::thread([&] {
        Counting a(1.0);
        for (int i = 0; i < 10; ++i)
            a *= a;
        other = Counting::count();
    }).join();
    EXPECT_EQ(other, expected(10, 0));
    EXPECT_EQ(Counting::count(), before);
}

TEST(Counting, HasThePrecisionOfADouble)
{
    EXPECT_EQ(Precision<Counting>::epsilon, Precision<double>::epsilon);
}

} // namespace
} // namespace sweepdyn
