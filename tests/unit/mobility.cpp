// Singular poses: told where more moves than nearby, and nowhere else.
#include "sweepdyn/kinematics/mobility.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::test {
namespace {

Model parallelogram()
{
    ModelBuilder builder("parallelogram");
    const auto bar = [&](const std::string& name, const std::string& parent, double x) {
        builder.add_body({name, 1.0, {0.5, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name};
        hinge.X_PF.p = {x, 0, 0};
        builder.add_hinge(hinge);
    };
    bar("crank", "", 0.0);
    bar("coupler", "crank", 1.0);
    bar("rocker", "", 2.0);
    Loop pin{.name = "pin", .kind = LoopKind::planar_pin, .body_a = "coupler", .body_b = "rocker"};
    pin.X_Aa.p = {2, 0, 0};
    pin.X_Bb.p = {1, 0, 0};
    builder.add_loop(pin);
    return builder.build();
}

TEST(Mobility, FlatParallelogramIsSingularAndABentOneIsNot)
{
    const Model model = parallelogram();
    const std::vector<double> flat{0, 0, 0}, bent{0.7, -0.7, 0.7};
    const std::vector<SingularPose> poses = singular_poses(model, flat);
    ASSERT_EQ(poses.size(), 1u);
    EXPECT_EQ(poses[0].mobility, 2);
    EXPECT_EQ(poses[0].mobility_nearby, 1);
    EXPECT_EQ(words(poses), "loop 'pin': its hinges have mobility 2 here, 1 nearby");
    EXPECT_TRUE(singular_poses(model, bent).empty());
}

SingularPose::Velocities velocities_at(const Model& model, const std::vector<double>& q,
                                       const std::vector<double>& v)
{
    return singular_poses(model, q, v).at(0).velocities;
}

// Velocities of both branches at once keep the loop closed to first order, and are of no motion.
TEST(Mobility, VelocitiesBetweenBranchesAreOfNoMotion)
{
    const Model model = parallelogram();
    const std::vector<double> flat{0, 0, 0};
    EXPECT_EQ(velocities_at(model, flat, {0, 0, 0}), SingularPose::Velocities::rest);
    for (double w : {0.01, 1.0, 50.0}) {
        EXPECT_EQ(velocities_at(model, flat, {w, -w, w}), SingularPose::Velocities::of_a_branch);
        EXPECT_EQ(velocities_at(model, flat, {w, -3 * w, -3 * w}), SingularPose::Velocities::of_a_branch);
        EXPECT_EQ(velocities_at(model, flat, {w, -2 * w, -w}), SingularPose::Velocities::between_branches);
    }
}

// What carries a cluster adds rounding to its rows, and no velocities.
TEST(Mobility, WhatCarriesAClusterIsNotBetweenItsBranches)
{
    ModelBuilder builder("carried");
    builder.add_body({"arm", 1.0, {0.5, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
    builder.add_hinge({.name = "arm", .kind = HingeKind::revolute, .child = "arm", .axis = {0.6, 0, 0.8}});
    const Model flat = parallelogram();
    for (const Body& body : flat.bodies())
        builder.add_body(body);
    for (Hinge hinge : flat.hinges()) {
        if (hinge.parent.empty())
            hinge.parent = "arm";
        builder.add_hinge(hinge);
    }
    Loop pin = flat.loops().front();
    builder.add_loop(pin);
    const Model model = builder.build();
    const std::vector<double> q{0.3, 0, 0, 0};
    EXPECT_EQ(velocities_at(model, q, {7.3, 0, 0, 0}), SingularPose::Velocities::rest);
    for (double w : {1e-9, 1.0})
        EXPECT_EQ(velocities_at(model, q, {7.3, w, -w, w}), SingularPose::Velocities::of_a_branch) << w;
    EXPECT_EQ(velocities_at(model, q, {7.3, 1.0, -2.0, -1.0}), SingularPose::Velocities::between_branches);
}

// Bars of length 1 from (0, 0); the last is tied to (`far`, 0).
Model straight(int bars, double far, LoopKind kind = LoopKind::planar_pin)
{
    ModelBuilder builder("straight");
    std::string parent;
    for (int i = 0; i < bars; ++i) {
        const std::string name = "bar" + std::to_string(i);
        builder.add_body({name, 1.0, {0.5, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name};
        hinge.X_PF.p = {i > 0 ? 1.0 : 0.0, 0, 0};
        builder.add_hinge(hinge);
        parent = name;
    }
    Loop pin{.name = "pin", .kind = kind, .body_a = parent};
    pin.X_Aa.p = {1, 0, 0};
    pin.X_Bb.p = {far, 0, 0};
    builder.add_loop(pin);
    return builder.build();
}

TEST(Mobility, BarsInOneLineMoveToFirstOrderOnly)
{
    for (int bars : {2, 3}) {
        const std::vector<SingularPose> poses =
            singular_poses(straight(bars, bars), std::vector<double>(static_cast<std::size_t>(bars), 0.0));
        ASSERT_EQ(poses.size(), 1u) << bars;
        EXPECT_EQ(poses[0].mobility, bars - 1);
        EXPECT_EQ(poses[0].mobility_nearby, 0);
        EXPECT_TRUE(poses[0].first_order_only);
        EXPECT_EQ(words(poses), "loop 'pin': its hinges have mobility " + std::to_string(bars - 1) +
                                    " here to first order only; no motion of finite size was found");
    }
}

// A thousandth of a radian to move in, and rows that say the same: little, but of finite size.
TEST(Mobility, LittleRoomIsRoom)
{
    for (double bend : {1e-3, 1e-2, 0.3})
        for (LoopKind kind : {LoopKind::planar_pin, LoopKind::revolute})
            EXPECT_TRUE(singular_poses(straight(3, 1 + 2 * std::cos(bend), kind),
                                       std::vector<double>{bend, -bend, -bend})
                            .empty())
                << bend;
}

// Two bars in one line between hinges 2 apart on a base that turns, with a wheel that turns as base and first bar do together: the
// turn is real.
TEST(Mobility, OneMotionOfTwoIsOfFiniteSize)
{
    ModelBuilder builder("turning");
    builder.add_body({"base", 1.0, {1, 0, 0}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    builder.add_hinge({.name = "base", .kind = HingeKind::revolute, .child = "base"});
    std::string parent = "base";
    for (const std::string& name : {std::string("one"), std::string("two")}) {
        builder.add_body({name, 1.0, {0.5, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name};
        hinge.X_PF.p = {parent == "base" ? 0.0 : 1.0, 0, 0};
        builder.add_hinge(hinge);
        parent = name;
    }
    builder.add_body({"wheel", 1.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    builder.add_hinge({.name = "wheel", .kind = HingeKind::revolute, .child = "wheel"});
    builder.add_loop({.name = "gear",
                      .kind = LoopKind::coupling,
                      .terms = {{"wheel", {1.0}}, {"base", {-1.0}}, {"one", {-1.0}}}});
    Loop pin{.name = "pin", .kind = LoopKind::planar_pin, .body_a = "two", .body_b = "base"};
    pin.X_Aa.p = {1, 0, 0};
    pin.X_Bb.p = {2, 0, 0};
    builder.add_loop(pin);
    const Model model = builder.build();
    const std::vector<SingularPose> poses = singular_poses(model, std::vector<double>{0.3, 0, 0, 0.3});
    ASSERT_EQ(poses.size(), 1u);
    EXPECT_EQ(words(poses),
              "loops 'gear', 'pin': their hinges have mobility 2 here to first order only; motions of "
              "finite size were found in 1 of these ways");
}

TEST(Mobility, RedundantRowsAreNoSingularity)
{
    for (const char* name :
         {"four_bar_3d_5dof_closure", "planetary_redundant", "bennett", "stewart_6ups", "two_arms_box"}) {
        const ClosedGolden golden = closed_golden(name);
        EXPECT_TRUE(singular_poses(golden.model, golden.q).empty()) << name;
    }
}

// Cranks in a row that one bar joins, as on a locomotive, flat.
Model locomotive(const std::vector<double>& places)
{
    ModelBuilder builder("locomotive");
    const auto bar = [&](const std::string& name, const std::string& parent, double x) {
        builder.add_body({name, 1.0, {0.3, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name};
        hinge.X_PF.p = {x, 0, 0};
        builder.add_hinge(hinge);
    };
    bar("crank", "", 0.0);
    bar("rod", "crank", 0.7);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string name = "wheel" + std::to_string(i);
        bar(name, "", places[i]);
        Loop pin{
            .name = "pin" + std::to_string(i), .kind = LoopKind::planar_pin, .body_a = "rod", .body_b = name};
        pin.X_Aa.p = {places[i], 0, 0};
        pin.X_Bb.p = {0.7, 0, 0};
        builder.add_loop(pin);
    }
    return builder.build();
}

// Of all the ways that rods in line can begin to move only some go on: these are found by their tangents, in whatever direction they lie.
TEST(Mobility, BranchesAreFoundByTheirTangents)
{
    for (const std::vector<double>& places : {std::vector{1.2, 2.0}, {0.9, 2.3}, {1.0, 1.7, 3.1}}) {
        const Model model = locomotive(places);
        const std::size_t n = static_cast<std::size_t>(model.num_dofs());
        std::vector<double> q(n, 0.0), v(n, 1.3);
        v[1] = -1.3; // the rod does not turn
        const std::vector<SingularPose> poses = singular_poses(model, q, v);
        ASSERT_EQ(poses.size(), 1u);
        EXPECT_EQ(poses[0].mobility, 2);
        EXPECT_EQ(poses[0].mobility_nearby, 1);
        EXPECT_FALSE(poses[0].first_order_only);
        EXPECT_EQ(poses[0].velocities, SingularPose::Velocities::of_a_branch);
    }
    // a^2 = b^2: two lines that cross, neither along a coordinate
    ModelBuilder builder("cross");
    for (const char* name : {"a", "b"}) {
        builder.add_body({.name = name, .mass = 1.0, .inertia_com = Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        builder.add_hinge({.name = name, .kind = HingeKind::revolute, .child = name});
    }
    Loop square{.name = "square", .kind = LoopKind::coupling};
    square.terms = {{"a", {0.0, 1.0}}, {"b", {0.0, -1.0}}};
    builder.add_loop(square);
    const std::vector<double> zero{0, 0};
    const std::vector<SingularPose> poses = singular_poses(builder.build(), zero, std::vector<double>{1, 1});
    ASSERT_EQ(poses.size(), 1u);
    EXPECT_EQ(poses[0].mobility, 2);
    EXPECT_EQ(poses[0].mobility_nearby, 1);
    EXPECT_EQ(poses[0].velocities, SingularPose::Velocities::of_a_branch);
}

} // namespace
} // namespace sweepdyn::test
