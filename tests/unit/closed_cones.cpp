// Cone programs worked by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "sweepdyn/closed/cones.hpp"
#include "sweepdyn/model/errors.hpp"

using namespace sweepdyn;

namespace {

AffineForm constant(double c, int n) { return {c, std::vector<double>(static_cast<std::size_t>(n), 0.0)}; }
AffineForm form(double c, std::vector<double> slope) { return {c, std::move(slope)}; }

} // namespace

TEST(Cones, ForcesThatAreGiven)
{
    // n = 10, |u| = 5, mu = 0.8: the margin is 3
    const ForceCone cone{
        .mu = 0.8, .normal = constant(10.0, 0), .across = {constant(3.0, 0), constant(-4.0, 0)}};
    const ConeAnswer answer = largest_common_margin({&cone, 1}, 0);
    EXPECT_TRUE(answer.feasible);
    EXPECT_FALSE(answer.unlimited);
    EXPECT_NEAR(answer.margin, 3.0, 1e-7);
    EXPECT_LE(answer.gap, 1e-8);
    const ForceCone slips{
        .mu = 0.4, .normal = constant(10.0, 0), .across = {constant(3.0, 0), constant(-4.0, 0)}};
    const ConeAnswer no = largest_common_margin({&slips, 1}, 0);
    EXPECT_FALSE(no.feasible);
    EXPECT_NEAR(no.margin, -1.0, 1e-7);
}

TEST(Cones, TwoFingersPinchABlock)
{
    // Each carries half of a weight of 20 N; the squeeze y is free: margin 0.5 y - 10, up to the limit n1 + n2 = 2 y <= 100.
    const auto finger = [](double share) {
        return ForceCone{
            .mu = 0.5, .normal = form(0.0, {1.0}), .across = {constant(share, 1), constant(0.0, 1)}};
    };
    const ForceCone both[2] = {finger(10.0), finger(10.0)};
    const ConeAnswer limited = largest_common_margin(both, 1, 100.0);
    EXPECT_TRUE(limited.feasible);
    EXPECT_TRUE(limited.unlimited); // but for the limit
    EXPECT_NEAR(limited.margin, 15.0, 1e-6);
    EXPECT_NEAR(limited.y[0], 50.0, 1e-5);
    const ConeAnswer weak = largest_common_margin(both, 1, 30.0); // 0.5 * 15 - 10
    EXPECT_FALSE(weak.feasible);
    EXPECT_NEAR(weak.margin, -2.5, 1e-6);
    EXPECT_NEAR(largest_squeeze(both, 1).margin, 0.25, 1e-8); // half a newton each, times mu
}

TEST(Cones, LoadsThatCanBeShiftedBetweenContacts)
{
    // Two feet carry 100 N, y moves load from one to the other; the first must hold 30 N across, the second 10 N, mu = 1:
    // min(50 + y - 30, 50 - y - 10) is largest at y = 10, 30.
    const ForceCone feet[2] = {{.mu = 1.0, .normal = form(50.0, {1.0}), .across = {constant(30.0, 1)}},
                               {.mu = 1.0, .normal = form(50.0, {-1.0}), .across = {constant(10.0, 1)}}};
    const ConeAnswer answer = largest_common_margin(feet, 1);
    EXPECT_TRUE(answer.feasible);
    EXPECT_FALSE(answer.unlimited);
    EXPECT_NEAR(answer.margin, 30.0, 1e-6);
    EXPECT_NEAR(answer.y[0], 10.0, 1e-5);
}

TEST(Cones, SharesAreTheMultipliersOfCones)
{
    // min(20 + y, 40 - 2 y, 100) is largest where the first two meet; 2/3 of the one and 1/3 of the other say that it is no larger.
    const ForceCone feet[3] = {{.mu = 1.0, .normal = form(50.0, {1.0}), .across = {constant(30.0, 1)}},
                               {.mu = 1.0, .normal = form(50.0, {-2.0}), .across = {constant(10.0, 1)}},
                               {.mu = 1.0, .normal = constant(100.0, 1)}};
    const ConeAnswer answer = largest_common_margin(feet, 1);
    EXPECT_NEAR(answer.margin, 20.0 + 20.0 / 3.0, 1e-6);
    ASSERT_EQ(answer.share.size(), 3u);
    EXPECT_NEAR(answer.share[0], 2.0 / 3.0, 1e-6);
    EXPECT_NEAR(answer.share[1], 1.0 / 3.0, 1e-6);
    EXPECT_NEAR(answer.share[2], 0.0, 1e-6);
    // a cone whose forces are given, the worst of all, holds it back alone; of twice the weight as well
    const ForceCone worst[2] = {
        feet[2], {.mu = 0.5, .normal = constant(4.0, 1), .across = {constant(1.0, 1)}, .weight = 2.0}};
    const ConeAnswer one = largest_common_margin(worst, 1);
    EXPECT_NEAR(one.margin, 0.5, 1e-6);
    EXPECT_NEAR(one.share[0], 0.0, 1e-6);
    EXPECT_NEAR(one.share[1], 1.0, 1e-6);
}

TEST(Cones, TheExactConeNotAPyramid)
{
    // n = 1, u = (cos a, sin a) r: the margin is mu - r whatever a; a pyramid of four sides would say mu - r (|cos a| + |sin a|).
    for (double a : {0.0, 0.3, 0.7853981633974483, 1.2}) {
        const ForceCone cone{.mu = 0.7,
                             .normal = constant(1.0, 0),
                             .across = {constant(0.6 * std::cos(a), 0), constant(0.6 * std::sin(a), 0)}};
        EXPECT_NEAR(largest_common_margin({&cone, 1}, 0).margin, 0.1, 1e-8) << a;
    }
    // Two unknowns that move u in the plane, n fixed: the best is u = 0.
    const ForceCone free{
        .mu = 0.5, .normal = constant(4.0, 2), .across = {form(3.0, {1.0, 1.0}), form(-2.0, {0.0, 2.0})}};
    const ConeAnswer answer = largest_common_margin({&free, 1}, 2);
    EXPECT_NEAR(answer.margin, 2.0, 1e-6);
    EXPECT_NEAR(answer.y[1], 1.0, 1e-3); // flat at the top of the cone's inside: u is small, not zero
    EXPECT_NEAR(answer.y[0], -4.0, 1e-3);
}

TEST(Cones, SoftFingerIsAnEllipsoid)
{
    // (f_t/mu)^2 + (m/mu_spin)^2 <= n^2 with mu = 0.5, mu_spin = 0.02: f_t = 3, m = 0.16, n = 10: 36 + 64 = 100, on the border.
    const ForceCone border{.mu = 0.5,
                           .normal = constant(10.0, 0),
                           .across = {constant(3.0, 0), constant(0.0, 0), constant(0.16 * 0.5 / 0.02, 0)}};
    EXPECT_NEAR(largest_common_margin({&border, 1}, 0).margin, 0.0, 1e-7);
}

TEST(Cones, UnknownsThatNobodyFeels)
{
    const ForceCone cone{.mu = 1.0, .normal = form(2.0, {0.0, 0.0}), .across = {form(1.0, {0.0, 0.0})}};
    const ConeAnswer answer = largest_common_margin({&cone, 1}, 2);
    EXPECT_NEAR(answer.margin, 1.0, 1e-8);
    EXPECT_EQ(answer.y, std::vector<double>(2, 0.0));
}

TEST(Cones, NoCones)
{
    const ConeAnswer answer = largest_common_margin({}, 3);
    EXPECT_TRUE(answer.feasible);
    EXPECT_TRUE(std::isinf(answer.margin));
}

TEST(Cones, ClearErrors)
{
    const ForceCone wrong{.mu = 1.0, .normal = form(1.0, {1.0})};
    EXPECT_THROW(largest_common_margin({&wrong, 1}, 2), UsageError);
    const ForceCone slippery{.mu = 0.0, .normal = form(1.0, {1.0})};
    EXPECT_THROW(largest_common_margin({&slippery, 1}, 1), UsageError);
}
