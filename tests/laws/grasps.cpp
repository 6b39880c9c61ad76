// Grasps: contacts made and broken on one model give what a model with those loops gives; friction by cases worked by hand.
#include "support/closed_arms.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/robot.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

namespace {

const Pose<double> line_axes{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {}}; // from a contact frame to its loop's

ContactKind kind_of(LoopKind loop)
{
    switch (loop) {
    case LoopKind::weld: return ContactKind::rigid;
    case LoopKind::revolute: return ContactKind::line;
    case LoopKind::soft_finger: return ContactKind::soft_finger;
    default: return ContactKind::point;
    }
}

// The loops of a closed model as contacts of the open one.
struct AsContacts {
    Model model;
    std::vector<Contact> contacts;
};
AsContacts as_contacts(const Model& open, std::span<const Loop> loops)
{
    ModelBuilder builder(open);
    std::vector<Contact> contacts;
    for (const Loop& loop : loops) {
        Contact contact{.name = loop.name,
                        .kind = kind_of(loop.kind),
                        .hand = loop.name + " hand",
                        .object = loop.name + " object",
                        .mu = 0.7,
                        .mu_spin = 0.01,
                        .length = 0.02};
        const bool line = contact.kind == ContactKind::line;
        builder.add_frame({contact.object, loop.body_a, line ? loop.X_Aa * inverse(line_axes) : loop.X_Aa});
        builder.add_frame({contact.hand, loop.body_b, line ? loop.X_Bb * inverse(line_axes) : loop.X_Bb});
        contacts.push_back(contact);
    }
    return {builder.build(), contacts};
}

Numbers six(const Force<double>& w)
{
    const auto x = dense(w);
    return {x.begin(), x.end()};
}

// A box of 2 kg, 0.4 x 0.2 x 0.1 m, on a free hinge; contact frames on the ground below its corners, normals down into the ground.
Model box_on_feet(double gravity = -9.81)
{
    ModelBuilder builder("box");
    builder.add_body(
        {.name = "box", .mass = 2.0, .com = {}, .inertia_com = {0.0083, 0, 0, 0.0283, 0, 0.0333}});
    builder.add_hinge({.name = "box", .kind = HingeKind::free, .child = "box"});
    builder.set_gravity({0, 0, gravity});
    for (int i = 0; i < 4; ++i) {
        const Vec3<double> corner{i & 1 ? 0.2 : -0.2, i & 2 ? 0.1 : -0.1, -0.05};
        builder.add_frame({"foot" + std::to_string(i), "box", {Mat3<double>::identity(), corner}});
        builder.add_frame({"floor" + std::to_string(i),
                           "",
                           {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {corner.x, corner.y, 0.0}}});
    }
    return builder.build();
}
const Numbers on_floor{1, 0, 0, 0, 0, 0, 0.05};

Grasp standing(const Model& model, double mu)
{
    std::vector<Contact> contacts;
    for (int i = 0; i < 4; ++i)
        contacts.push_back(
            {.hand = "foot" + std::to_string(i), .object = "floor" + std::to_string(i), .mu = mu});
    Grasp grasp(model, contacts);
    for (int i = 0; i < 4; ++i)
        grasp.attach(i);
    grasp.set_state(on_floor, Numbers(6, 0.0));
    return grasp;
}

// Fingertips without mass of their own on six slides and turns would do; a fingertip is a small ball on a free hinge.
struct Fingers {
    Model model;
    std::vector<Contact> contacts;
    Numbers q;
};
Fingers fingers(const std::vector<Pose<double>>& X_OC, ContactKind kind, double mu, double mu_spin = 0.01)
{
    ModelBuilder builder("fingers");
    builder.set_gravity({});
    std::vector<Contact> contacts;
    Numbers q;
    for (std::size_t i = 0; i < X_OC.size(); ++i) {
        const std::string name = "finger" + std::to_string(i);
        builder.add_body({.name = name, .mass = 0.1, .com = {}, .inertia_com = {1e-5, 0, 0, 1e-5, 0, 1e-5}});
        builder.add_hinge({.name = name, .kind = HingeKind::free, .child = name});
        builder.add_frame({"touch" + std::to_string(i), "object", X_OC[i]});
        contacts.push_back({.kind = kind,
                            .hand = name,
                            .object = "touch" + std::to_string(i),
                            .mu = mu,
                            .mu_spin = mu_spin,
                            .length = 0.04});
        const Quaternion<double> turn = quaternion(X_OC[i].R);
        for (double x : {turn.w, turn.x, turn.y, turn.z, X_OC[i].p.x, X_OC[i].p.y, X_OC[i].p.z})
            q.push_back(x);
    }
    builder.add_body({.name = "object", .mass = 0.5, .com = {}, .inertia_com = {1e-3, 0, 0, 1e-3, 0, 1e-3}});
    builder.add_hinge({.name = "object", .kind = HingeKind::free, .child = "object"});
    for (double x : {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0})
        q.push_back(x);
    return {builder.build(), contacts, q};
}
// A frame at p whose z points along inward.
Pose<double> touching(const Vec3<double>& p, const Vec3<double>& inward)
{
    const Vec3<double> other = std::abs(inward.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    Vec3<double> x = cross(other, inward);
    x = (1.0 / norm(x)) * x;
    return {{x, cross(inward, x), inward}, p};
}
Grasp held(const Fingers& f)
{
    Grasp grasp(f.model, f.contacts);
    for (int i = 0; i < static_cast<int>(f.contacts.size()); ++i)
        grasp.attach(i);
    grasp.set_state(f.q, Numbers(static_cast<std::size_t>(f.model.num_dofs()), 0.0));
    return grasp;
}

} // namespace

TEST(Grasps, ThreeFingersOfTheGoldenFile)
{
    const GoldenMechanism golden = golden_mechanism("three_fingers");
    const AsContacts as = as_contacts(golden.open, golden.closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.set_state(golden.q, golden.v);
    Numbers v_dot(golden.v.size());
    grasp.forward_dynamics(golden.T, v_dot); // none attached yet
    for (int i = 0; i < 3; ++i)
        grasp.attach(i);
    EXPECT_EQ(grasp.forward_dynamics(golden.T, v_dot), Existence::unique);
    expect_equal("v_dot", "three_fingers", v_dot, golden.v_dot, {.tolerance = 1e-11}); // as promised
    Numbers got, expected;
    for (std::size_t i = 0; i < 3; ++i) {
        Force<double> w = grasp.wrench(static_cast<int>(i));
        if (grasp.contacts()[i].kind == ContactKind::line)
            w = rotate_back(line_axes.R, w);
        for (double x : six(w))
            got.push_back(x);
        expected.insert(expected.end(), golden.wrench[i].begin(), golden.wrench[i].end());
        EXPECT_TRUE(grasp.state(static_cast<int>(i)).unique);
    }
    expect_equal("wrenches", "three_fingers", got, expected, {.tolerance = 1e-11});
    EXPECT_TRUE(grasp.well_posedness().well_posed());
}

TEST(Grasps, AnySetOfContactsIsThatModelWithLoops)
{
    for (int seed = 1; seed <= 6; ++seed) {
        const ArmsCase c = random_arms(200 + seed, 4, 6, GripKind::mixed, seed % 2 == 0);
        const AsContacts as = as_contacts(c.open, c.closed.loops());
        Grasp grasp(as.model, as.contacts);
        grasp.set_state(c.q, c.v);
        for (unsigned set : {0b0001u, 0b1011u, 0b0110u, 0b1111u, 0b0000u, 0b1000u}) {
            ModelBuilder builder(c.open);
            for (int i = 0; i < 4; ++i)
                if (set >> i & 1u) {
                    grasp.attach(i);
                    builder.add_loop(c.closed.loops()[static_cast<std::size_t>(i)]);
                } else
                    grasp.detach(i);
            const DenseClosed truth = dense_closed(builder.build(), c.q, c.v, c.T);
            Numbers v_dot(c.v.size());
            grasp.forward_dynamics(c.T, v_dot);
            expect_equal("v_dot", c.where, v_dot, truth.v_dot, {.tolerance = 1e-9}); // of the dense system
        }
    }
}

// One of the two welds of the golden box is the model's own loop, the other a contact.
TEST(Grasps, OnTopOfLoops)
{
    for (std::size_t own : {0u, 1u}) {
        const GoldenMechanism golden = golden_mechanism("two_arms_box");
        const Loop kept = golden.closed.loops()[own], other = golden.closed.loops()[1 - own];
        ModelBuilder builder(golden.open);
        builder.add_loop(kept);
        const AsContacts as = as_contacts(builder.build(), {&other, 1});
        Grasp grasp(as.model, as.contacts);
        grasp.attach(0);
        grasp.set_state(golden.q, golden.v);
        Numbers v_dot(golden.v.size());
        grasp.forward_dynamics(golden.T, v_dot);
        expect_equal("v_dot", "two_arms_box", v_dot, golden.v_dot, {.tolerance = 1e-11});
        expect_equal("wrench", "two_arms_box", six(grasp.wrench(0)), golden.wrench[1 - own],
                     {.tolerance = 1e-10});
    }
}

// A box with a lid: one hand on the box, the others on the lid.
TEST(Grasps, ArticulatedObjects)
{
    const ArmsCase c = random_arms(71, 3, 7, GripKind::mixed);
    Random random(8);
    ModelBuilder builder(c.open);
    builder.add_body(random_body(random, "lid"));
    builder.add_hinge({.name = "lid",
                       .kind = HingeKind::revolute,
                       .parent = "object",
                       .child = "lid",
                       .X_PF = {random.rotation(), random.vector(0.2)},
                       .axis = random.direction()});
    const Model bare = builder.build();
    Numbers q = c.q;
    q.push_back(0.4);
    Kinematics<double> kin(bare);
    update<double>(kin, q);
    const Pose<double> X_LC = inverse(kin.X_WB(bare.body("lid").index)) * kin.X_WB(bare.body("object").index);
    for (Loop loop : c.closed.loops()) {
        if (loop.name != "grip0") {
            loop.body_a = "lid";
            loop.X_Aa = X_LC * loop.X_Aa;
        }
        builder.add_loop(loop);
    }
    const Model closed = builder.build();
    const Numbers v = consistent_velocity(closed, q, random_numbers(random, closed.num_dofs(), 1.0)),
                  T = random_numbers(random, closed.num_dofs(), 5.0);
    const DenseClosed truth = dense_closed(closed, q, v, T);
    const AsContacts as = as_contacts(bare, closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.set_state(q, v);
    for (int i = 0; i < 3; ++i)
        grasp.attach(i);
    Numbers v_dot(v.size());
    grasp.forward_dynamics(T, v_dot);
    expect_equal("v_dot", "box with a lid", v_dot, truth.v_dot, {.tolerance = 1e-10});
    const std::vector<int> dofs = grasp.object_dofs();
    ASSERT_EQ(dofs.size(), 7u);
    EXPECT_EQ(grasp.force_closure(dofs).rank, 7);
    // internal forces move neither the box nor the lid
    const Grasp::Split split = grasp.split(dofs);
    MatrixXd each = MatrixXd::Zero(7, 1);
    for (int i = 0; i < 3; ++i) {
        const Loop& loop = closed.loops()[static_cast<std::size_t>(i)];
        const int a = as.model.body(loop.body_a).index;
        const Pose<double> X =
            grasp.kinematics().X_WB(a) *
            as.model.frame_at(as.model.frame(as.contacts[static_cast<std::size_t>(i)].object)).X_BF;
        const Force<double> w = rotate(X.R, split.internal[static_cast<std::size_t>(i)]);
        for (int k = a; k != ground; k = as.model.tree().parent[static_cast<std::size_t>(k)])
            for (std::size_t d = 0; d < dofs.size(); ++d)
                if (as.model.tree().body_of_dof[static_cast<std::size_t>(dofs[d])] == k)
                    each(static_cast<Eigen::Index>(d), 0) +=
                        dot(PhiAdjoint<double>{X.p - grasp.kinematics().r(k)} *
                                grasp.kinematics().H[static_cast<std::size_t>(dofs[d])],
                            w);
    }
    expect_equal("internal", "box with a lid", each, MatrixXd::Zero(7, 1).eval(),
                 {.terms = 100.0, .tolerance = 1e-10});
}

TEST(Grasps, RedundantFeetAreAnsweredByFeasibility)
{
    const Model model = box_on_feet();
    Grasp grasp = standing(model, 0.5);
    Numbers v_dot(6), T(6, 0.0);
    grasp.forward_dynamics(T, v_dot);
    expect_equal("rest", "box", v_dot, Numbers(6, 0.0), {.terms = 9.81});
    const Grasp::WellPosedness report = grasp.well_posedness();
    EXPECT_EQ(report.rows, 12);
    EXPECT_EQ(report.rank, 6);
    EXPECT_EQ(report.undetermined.size(), 4u);
    EXPECT_FALSE(grasp.state(0).unique);
    const Grasp::Feasibility even = grasp.feasibility();
    EXPECT_EQ(even.free, 6);
    EXPECT_TRUE(even.feasible);
    EXPECT_FALSE(even.unlimited);
    EXPECT_NEAR(even.margin, 0.5 * 2.0 * 9.81 / 4.0, 1e-6); // a quarter of the weight each, nothing across
    // pushed sideways at the height of the floor by F: at best F/4 across at each foot
    for (double F : {4.0, 9.0, 11.0}) {
        std::vector<Force<double>> external(1);
        add_external_wrench<double>(grasp.kinematics(), model.frame("floor0"), {}, WrenchAxes::world,
                                    external);
        external[0] =
            Phi<double>{Vec3<double>{0, 0, 0} - grasp.kinematics().r(0)} * Force<double>{{}, {F, 0, 0}};
        grasp.forward_dynamics(T, v_dot, external);
        const Grasp::Feasibility pushed = grasp.feasibility();
        EXPECT_NEAR(pushed.margin, (0.5 * 2.0 * 9.81 - F) / 4.0, 1e-6) << F;
        EXPECT_EQ(pushed.feasible, F < 0.5 * 2.0 * 9.81) << F;
        Force<double> sum{};
        for (const Force<double>& w : pushed.wrench)
            sum += w;
        EXPECT_NEAR(sum.f.z, 2.0 * 9.81, 1e-9); // on the floor, along its inward normal
        EXPECT_NEAR(sum.f.x, F, 1e-9);
    }
    // pulled up by more than its weight: the feet would have to pull
    std::vector<Force<double>> up(1, Force<double>{{}, {0, 0, 25.0}});
    grasp.forward_dynamics(T, v_dot, up);
    EXPECT_FALSE(grasp.feasibility().feasible);
}

TEST(Grasps, ForceClosure)
{
    const Vec3<double> right{0.05, 0, 0}, left{-0.05, 0, 0};
    // Two points: the turn about their line is lost. Two soft fingers hold it.
    const Fingers points =
        fingers({touching(right, {-1, 0, 0}), touching(left, {1, 0, 0})}, ContactKind::point, 0.6);
    Grasp two = held(points);
    const Grasp::ForceClosure no = two.force_closure(two.object_dofs());
    EXPECT_EQ(no.rank, 5);
    EXPECT_EQ(no.dofs, 6);
    EXPECT_FALSE(no.closed);
    Grasp soft = held(
        fingers({touching(right, {-1, 0, 0}), touching(left, {1, 0, 0})}, ContactKind::soft_finger, 0.6));
    const Grasp::ForceClosure yes = soft.force_closure(soft.object_dofs());
    EXPECT_TRUE(yes.closed);
    EXPECT_NEAR(yes.squeeze, 0.3, 1e-7); // half a newton each, mu = 0.6, straight at each other
    EXPECT_NEAR(yes.wrench[0].f.z, 0.5, 1e-6);
    // Normals 80 degrees apart within mu = 0.6 (31 degrees) of the line that joins the contacts, or not.
    for (double tilt : {0.4, 0.7}) {
        const Vec3<double> n{-std::cos(tilt), std::sin(tilt), 0};
        Grasp tilted =
            held(fingers({touching(right, n), touching(left, {1, 0, 0})}, ContactKind::soft_finger, 0.6));
        const Grasp::ForceClosure answer = tilted.force_closure(tilted.object_dofs());
        EXPECT_EQ(answer.closed, std::tan(tilt) < 0.6) << tilt;
    }
    // Three points around a disc; without enough friction across, all on one side.
    std::vector<Pose<double>> around, below;
    for (double a : {0.0, 2.0943951023931953, 4.1887902047863905}) {
        around.push_back(
            touching({0.05 * std::cos(a), 0.05 * std::sin(a), 0}, {-std::cos(a), -std::sin(a), 0}));
        below.push_back(touching({0.05 * std::cos(a), 0.05 * std::sin(a), 0}, {0, 0, 1}));
    }
    Grasp three = held(fingers(around, ContactKind::point, 0.3));
    const Grasp::ForceClosure disc = three.force_closure(three.object_dofs());
    EXPECT_TRUE(disc.closed);
    EXPECT_NEAR(disc.squeeze, 0.1, 1e-7); // a third each, times mu
    Grasp plate = held(fingers(below, ContactKind::point, 0.3));
    EXPECT_FALSE(plate.force_closure(plate.object_dofs()).closed);
    // Line contacts: their ends stop the turn that points allow.
    Grasp lines =
        held(fingers({touching(right, {-1, 0, 0}), touching(left, {1, 0, 0})}, ContactKind::line, 0.6));
    EXPECT_TRUE(lines.force_closure(lines.object_dofs()).closed);
}

TEST(Grasps, WhatTheContactsCanExert)
{
    const Fingers f = fingers({touching({0.05, 0, 0}, {-1, 0, 0}), touching({-0.05, 0, 0}, {1, 0, 0})},
                              ContactKind::soft_finger, 0.5);
    Grasp grasp = held(f);
    const std::vector<int> dofs = grasp.object_dofs();
    const Numbers lift{0, 0, 0, 0, 0, 10.0}; // body axes of the object, which stand as the world's
    EXPECT_TRUE(grasp.can_exert(dofs, lift).feasible);
    EXPECT_TRUE(grasp.can_exert(dofs, lift).unlimited); // squeeze harder
    const Grasp::Feasibility limited = grasp.can_exert(dofs, lift, 30.0); // 15 N each, mu = 0.5: 7.5 - 5
    EXPECT_NEAR(limited.margin, 2.5, 1e-6);
    EXPECT_FALSE(grasp.can_exert(dofs, lift, 15.0).feasible);
    Force<double> sum{};
    for (std::size_t i = 0; i < 2; ++i)
        sum += rotate(grasp.model().frame_at(grasp.model().frame(f.contacts[i].object)).X_BF.R,
                      limited.wrench[i]);
    EXPECT_NEAR(sum.f.z, 10.0, 1e-9);
    EXPECT_NEAR(sum.f.x, 0.0, 1e-9);
}

TEST(Grasps, InternalForcesApartFromThoseThatMove)
{
    for (GripKind kind : {GripKind::rigid, GripKind::ball, GripKind::mixed}) {
        const ArmsCase c = random_arms(31, 3, 7, kind);
        const AsContacts as = as_contacts(c.open, c.closed.loops());
        Grasp grasp(as.model, as.contacts);
        for (int i = 0; i < 3; ++i)
            grasp.attach(i);
        grasp.set_state(c.q, c.v);
        Numbers v_dot(c.v.size());
        grasp.forward_dynamics(c.T, v_dot);
        const std::vector<int> dofs = grasp.object_dofs();
        ASSERT_EQ(dofs.size(), 6u);
        const Grasp::Split split = grasp.split(dofs);
        const Pose<double> X_WC = grasp.kinematics().X_WB(c.open.body("object").index);
        Force<double> all{}, internal{};
        double size = 0.0;
        for (int i = 0; i < 3; ++i) {
            const Force<double> sum = split.motion[i] + split.internal[i], w = grasp.wrench(i);
            expect_equal("motion + internal", c.where, six(sum), six(w),
                         {.terms = 100.0, .tolerance = 1e-10});
            const Pose<double> X_Wa = X_WC * as.model.frame_at(as.model.frame(as.contacts[i].object)).X_BF;
            internal += Phi<double>{X_Wa.p - X_WC.p} * rotate(X_Wa.R, split.internal[i]);
            all += Phi<double>{X_Wa.p - X_WC.p} * rotate(X_Wa.R, w);
            size = std::max(size, norm(w.f) + norm(w.n));
        }
        expect_equal("internal forces balance", c.where, six(internal), Numbers(6, 0.0),
                     {.terms = size, .tolerance = 1e-10});
        EXPECT_GT(norm(all.f), 0.0);
    }
}

TEST(Grasps, SlidingBlock)
{
    // A mass on two slides, x and z, that touches the floor: f_n = m g, a_x = -mu g against the slip.
    ModelBuilder builder("block");
    builder.add_body({.name = "carriage", .mass = 0.1, .inertia_com = {1e-3, 0, 0, 1e-3, 0, 1e-3}});
    builder.add_body({.name = "block", .mass = 2.0, .inertia_com = {1e-2, 0, 0, 1e-2, 0, 1e-2}});
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "carriage", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "z",
                       .kind = HingeKind::prismatic,
                       .parent = "carriage",
                       .child = "block",
                       .axis = {0, 0, 1}});
    builder.add_frame({"floor", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    const Model model = builder.build();
    Grasp grasp(
        model,
        {{.name = "slide", .kind = ContactKind::sliding, .hand = "block", .object = "floor", .mu = 0.3}});
    grasp.attach(0);
    for (double speed : {0.7, -0.7}) {
        grasp.set_state(Numbers{0.4, 0.0}, Numbers{speed, 0.0});
        Numbers v_dot(2);
        EXPECT_EQ(grasp.forward_dynamics(Numbers{1.0, 0.0}, v_dot), Existence::unique);
        const double f_n = 2.0 * 9.81;
        EXPECT_NEAR(v_dot[0], (1.0 - std::copysign(0.3 * f_n, speed)) / 2.1, 1e-12);
        EXPECT_NEAR(v_dot[1], 0.0, 1e-12);
        EXPECT_NEAR(grasp.state(0).normal, f_n, 1e-12);
        EXPECT_NEAR(grasp.state(0).tangential, 0.3 * f_n, 1e-12);
        // lifted by more than its weight it parts, and then falls freely
        EXPECT_EQ(grasp.forward_dynamics(Numbers{1.0, 30.0}, v_dot), Existence::unique);
        EXPECT_TRUE(grasp.parted(0));
        EXPECT_NEAR(v_dot[1], 30.0 / 2.0 - 9.81, 1e-12);
        EXPECT_NEAR(grasp.state(0).normal, 0.0, 1e-12);
    }
}

TEST(Grasps, PainleveRod)
{
    // A rod of half length 1 m on one end that slides: W = (1 + 3 cos a (cos a -+ mu sin a)) / m, c = -g + a_dot^2 sin a.
    ModelBuilder builder("rod");
    const double m = 1.5;
    builder.add_body({.name = "rod", .mass = m, .com = {}, .inertia_com = {m / 3, 0, 0, m / 3, 0, 1e-4}});
    builder.add_hinge({.name = "rod", .kind = HingeKind::planar, .child = "rod", .axis = {0, 1, 0}});
    builder.add_frame({"end", "rod", {Mat3<double>::identity(), {0, 0, -1.0}}});
    builder.add_frame({"floor", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    const Model model = builder.build();
    const double mu = 2.0, a = std::atan(2.0); // angle above the floor
    Grasp grasp(model, {{.kind = ContactKind::sliding, .hand = "end", .object = "floor", .mu = mu}});
    grasp.attach(0);
    // planar, normal y: in-plane axes z, x; turn q about y tilts the rod's z axis towards x
    const double tilt = 1.5707963267948966 - a;
    const auto run = [&](double speed, double spin, Numbers& v_dot) {
        const Numbers q{tilt, std::sin(a), std::cos(a)};
        // velocity of the end = speed along x: centre's velocity = that + spin x r
        const Vec3<double> r{std::cos(a), 0.0, std::sin(a)}, w{0, spin, 0};
        const Vec3<double> v = Vec3<double>{speed, 0, 0} + cross(w, r);
        const double s = std::sin(tilt), c = std::cos(tilt);
        const Numbers rates{spin, c * v.z + s * v.x, c * v.x - s * v.z};
        grasp.set_state(q, rates);
        v_dot.assign(3, 0.0);
        return grasp.forward_dynamics(Numbers(3, 0.0), v_dot);
    };
    Numbers v_dot;
    const double W_into = (1 + 3 * std::cos(a) * (std::cos(a) - mu * std::sin(a))) / m,
                 W_away = (1 + 3 * std::cos(a) * (std::cos(a) + mu * std::sin(a))) / m;
    ASSERT_LT(W_into, 0.0);
    // which way is which: the one with a regular answer has f_n = g / W_away
    Existence forward = run(1.0, 0.0, v_dot);
    const double f_forward = grasp.state(0).normal;
    const Existence backward = run(-1.0, 0.0, v_dot);
    const double f_backward = grasp.state(0).normal;
    const bool forward_is_regular = forward == Existence::unique;
    EXPECT_NE(forward, backward);
    EXPECT_EQ(forward_is_regular ? backward : forward, Existence::none);
    EXPECT_NEAR(forward_is_regular ? f_forward : f_backward, 9.81 / W_away, 1e-10);
    // turning fast it may lift or jam: two answers
    EXPECT_EQ(run(forward_is_regular ? -1.0 : 1.0, 4.0, v_dot), Existence::several);
    EXPECT_NEAR(grasp.state(0).normal, (9.81 - 16.0 * std::sin(a)) / W_into,
                1e-9); // the one that stays in contact
    EXPECT_EQ(run(forward_is_regular ? 1.0 : -1.0, 4.0, v_dot), Existence::unique); // regular: lifts
    EXPECT_TRUE(grasp.parted(0));
}

TEST(Grasps, ImpulsesTakeHoldAtOnce)
{
    const ArmsCase c = random_arms(41, 3, 7, GripKind::ball);
    const AsContacts as = as_contacts(c.open, c.closed.loops());
    Grasp grasp(as.model, as.contacts);
    Random random(5);
    const Numbers before = random_numbers(random, c.open.num_dofs(), 1.0);
    for (double e : {0.0, 0.6}) {
        grasp.set_state(c.q, before);
        for (int i = 0; i < 3; ++i)
            grasp.attach_here(i);
        Robot robot(c.open);
        robot.set_state(VectorXd::Map(c.q.data(), static_cast<Eigen::Index>(c.q.size())));
        const MatrixXd M = robot.mass_matrix();
        Numbers after = before;
        grasp.impulse(after, e);
        const VectorXd v0 = VectorXd::Map(before.data(), M.rows()),
                       v1 = VectorXd::Map(after.data(), M.rows());
        EXPECT_LE(v1.dot(M * v1), v0.dot(M * v0));
        const auto approach = [&](const Numbers& v, int i) { // along the inward normal: positive opens
            grasp.set_state(c.q, v);
            const LoopOnTree<double>& on = grasp.loops().loops[static_cast<std::size_t>(i)];
            return rotate_back(on.R, on.V_a - on.V_b).v;
        };
        for (int i = 0; i < 3; ++i) {
            const Vec3<double> u0 = approach(before, i), u1 = approach(after, i);
            EXPECT_NEAR(u1.x, 0.0, 1e-10);
            EXPECT_NEAR(u1.y, 0.0, 1e-10);
            EXPECT_NEAR(u1.z, u0.z < 0 ? -e * u0.z : 0.0,
                        1e-10); // what opens is pulled to rest, what closes bounces
        }
        // M dv = J* impulses: the object takes what the wrenches say
        const VectorXd change = M * (v1 - v0);
        grasp.set_state(c.q, before);
        Numbers again = before;
        grasp.impulse(again, e);
        const std::vector<int> dofs = grasp.object_dofs();
        const std::vector<double> G = grasp.grasp_map(dofs);
        for (std::size_t d = 0; d < dofs.size(); ++d) {
            double sum = 0.0;
            for (std::size_t r = 0; r < grasp.multipliers().size(); ++r)
                sum += G[d * grasp.multipliers().size() + r] * grasp.multipliers()[r];
            EXPECT_NEAR(sum, change[dofs[d]], 1e-9 * change.cwiseAbs().maxCoeff());
        }
        for (int i = 0; i < 3; ++i)
            grasp.detach(i);
    }
}

// Four corners that slide: three would carry the box, so forces are not unique, but the motion is, and no corner lets go.
TEST(Grasps, SlidingFeetThatRestOnOthersStay)
{
    const Model model = box_on_feet();
    std::vector<Contact> contacts;
    for (int i = 0; i < 4; ++i)
        contacts.push_back({.kind = ContactKind::sliding,
                            .hand = "foot" + std::to_string(i),
                            .object = "floor" + std::to_string(i),
                            .mu = 0.2});
    Grasp grasp(model, contacts);
    for (int i = 0; i < 4; ++i)
        grasp.attach(i);
    const Numbers v{0, 0, 0, 0.5, 0, 0};
    grasp.set_state(on_floor, v);
    Numbers v_dot(6);
    EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::unique);
    const Numbers truth{0, 0, 0, -0.2 * 9.81, 0, 0};
    expect_equal("sliding box", "", v_dot, truth, {.terms = 9.81, .tolerance = 1e-11});
    double carried = 0.0;
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(grasp.parted(i));
        EXPECT_FALSE(grasp.state(i).unique);
        carried += grasp.state(i).normal;
    }
    EXPECT_NEAR(carried, 2.0 * 9.81, 1e-11);
    EXPECT_EQ(grasp.well_posedness().rank, 3);
    const Grasp::Feasibility all = grasp.feasibility();
    EXPECT_EQ(all.free, 1);
    EXPECT_TRUE(
        all.feasible); // friction at the floor tips the box a little: the load moves forward, and stays positive everywhere
    EXPECT_GT(all.margin, 1.0);
    // pushed up by half its weight at one corner, three carry it and one may part: still one motion
    EXPECT_EQ(grasp.forward_dynamics(Numbers{0, 0, 0, 0, 0, 9.81}, v_dot), Existence::unique);
    EXPECT_NEAR(v_dot[5], 0.0, 1e-11);
    // drift in position and velocity is taken away, of what slides too
    Numbers q{1, 1e-4, -2e-4, 0, 0.3, 0, 0.0502}, drifting{0.01, 0, 0, 0.5, 0, 0.02};
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3; ++i)
        q[static_cast<std::size_t>(i)] /= size;
    EXPECT_LT(grasp.project(q, drifting), 1e-13);
    grasp.set_state(q, drifting);
    EXPECT_LT(grasp.largest_slip(), 1e-13);
    EXPECT_NEAR(drifting[3], 0.5, 1e-2); // it slides on
    // dropped on the floor while it slides: the normal impulse m v, friction mu m v
    Numbers falling{0, 0, 0, 0.5, 0, -0.3};
    grasp.set_state(on_floor, falling);
    EXPECT_EQ(grasp.impulse(falling), Existence::unique);
    EXPECT_NEAR(falling[5], 0.0, 1e-12);
    EXPECT_NEAR(falling[3], 0.5 - 0.2 * 0.3, 1e-12);
}

// A coupling of hinges too far apart for a cluster is kept beside contacts.
TEST(Grasps, DistantCouplingsAreKept)
{
    ModelBuilder builder("two_chains");
    for (const std::string side : {"l", "r"})
        for (int i = 0; i < 15; ++i) {
            const std::string name = side + std::to_string(i);
            builder.add_body({name, 1.0, {0.05, 0.02, 0.0}, Sym3<double>::diagonal(0.01, 0.02, 0.02)});
            Hinge hinge{.name = name,
                        .kind = HingeKind::revolute,
                        .parent = i == 0 ? "" : side + std::to_string(i - 1),
                        .child = name};
            hinge.X_PF.p = {0.1, i == 0 ? (side == "l" ? 0.5 : -0.5) : 0.0, 0};
            hinge.axis = i % 2 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
            builder.add_hinge(hinge);
        }
    builder.add_loop(mimic("tips", "l14", "r14", -1.5, 0.0));
    Numbers q(30, 0.2), v(30, 0.0), T(30, 0.0);
    q[14] = -1.5 * q[29];
    for (std::size_t j = 0; j < 30; ++j)
        T[j] = 0.3 * static_cast<double>(j % 5) - 0.5;
    const Model without = builder.build();
    Kinematics<double> kin(without);
    update<double>(kin, q);
    builder.add_frame({"spot", "", frame_pose(kin, without.frame("l7"))});
    const Model model = builder.build();
    ASSERT_EQ(model.topology().distant.size(), 1u);
    const std::vector<Contact> contacts{{.name = "held", .hand = "l7", .object = "spot"}};
    Grasp grasp(model, contacts);
    grasp.attach(0);
    grasp.set_state(q, v);
    Numbers v_dot(30);
    grasp.forward_dynamics(T, v_dot);
    const DenseClosed truth = dense_closed(with_contacts(model, contacts), q, v, T);
    expect_equal("beside a distant coupling", "", v_dot, truth.v_dot,
                 {.terms = truth.v_dot.cwiseAbs().maxCoeff(), .tolerance = 1e-9});
    EXPECT_NEAR(v_dot[14], -1.5 * v_dot[29], 1e-9 * truth.v_dot.cwiseAbs().maxCoeff());
}

// Contacts that last are loops: the linear model with them is that of the closed mechanism, contact forces among its outputs.
TEST(Grasps, LinearModelsWithContacts)
{
    const GoldenMechanism golden = golden_mechanism("two_arms_box");
    const AsContacts as = as_contacts(golden.open, golden.closed.loops());
    const Model held = with_contacts(as.model, as.contacts);
    const auto system_of = [&](const Model& model) {
        OperatingPoint point(model);
        point.q = golden.q, point.v = golden.v, point.T = golden.T;
        LinearizeOptions options;
        options.outputs = {"q:*", "loop:*"};
        return linearize(model, point, options);
    };
    const StateSpace one = system_of(held), other = system_of(golden.closed);
    const auto same = [](const char* name, const Matrix& a, const Matrix& b) {
        const Rule rule{.tolerance = 1e-9};
        expect_equal(name, "two arms", MatrixXd(MatrixXd::Map(a.data(), a.rows(), a.columns())),
                     MatrixXd(MatrixXd::Map(b.data(), b.rows(), b.columns())), rule);
    };
    same("A", one.A, other.A);
    same("B", one.B, other.B);
    same("C", one.C, other.C);
    same("D", one.D, other.D);
    EXPECT_THROW(with_contacts(as.model, std::vector<Contact>{{.name = "s",
                                                               .kind = ContactKind::sliding,
                                                               .hand = as.contacts[0].hand,
                                                               .object = as.contacts[0].object}}),
                 UsageError);
}

// A contact made where the hand happens to be is there until it is broken; the object's own surface stays where it is.
TEST(Grasps, ContactsMadeHereLeaveTheSurface)
{
    const Model model = box_on_feet();
    Grasp grasp(model, {{.hand = "foot0", .object = "floor0"}});
    const Numbers deep{1, 0, 0, 0, 0, 0, 0.049};
    grasp.set_state(deep, Numbers(6, 0.0));
    EXPECT_NEAR(grasp.depth(0), 0.001, 1e-15);
    for (int landing = 0; landing < 3; ++landing) {
        grasp.attach_here(0);
        EXPECT_NEAR(grasp.depth(0), 0.001, 1e-15);
        grasp.set_state(deep, Numbers(6, 0.0));
        Numbers v_dot(6);
        grasp.forward_dynamics(Numbers(6, 0.0), v_dot);
        EXPECT_NEAR(grasp.state(0).wrench.n.x, 0.0, 1e-14);
        grasp.detach(0);
    }
    grasp.set_state(on_floor, Numbers(6, 0.0));
    EXPECT_NEAR(grasp.depth(0), 0.0, 1e-15);
}

// The margin of a line is that of the cones of its ends; and what asks with nothing attached is answered.
TEST(Grasps, MarginsOfLinesAreThoseOfTheirCones)
{
    Random random(17);
    const Contact line{.kind = ContactKind::line, .mu = 0.6, .length = 0.1};
    for (int trial = 0; trial < 200; ++trial) {
        Force<double> w{{0, random.uniform(-0.4, 0.4), random.uniform(-0.2, 0.2)},
                        {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(0, 12)}};
        if (trial % 5 == 0)
            w.f.x = 0.0;
        std::vector<ForceCone> cones;
        add_cones(line, {w, Force<double>{}}, 0, cones);
        const ConeAnswer truth = largest_common_margin(cones, 1, 1e6);
        EXPECT_NEAR(contact_state(line, w).margin, truth.margin, 1e-6 * (1.0 + std::abs(truth.margin)))
            << trial;
    }
    Grasp nothing(box_on_feet(), {{.hand = "foot0", .object = "floor0"}});
    nothing.set_state(on_floor, Numbers(6, 0.0));
    const std::vector<int> dofs{0, 1, 2, 3, 4, 5};
    EXPECT_TRUE(nothing.can_exert(dofs, Numbers(6, 0.0)).feasible);
    EXPECT_FALSE(nothing.can_exert(dofs, Numbers{0, 0, 0, 0, 0, 1.0}).feasible);
    EXPECT_TRUE(nothing.split(dofs).motion.size() == 1);
    nothing.attach(0);
    EXPECT_EQ(nothing.force_closure(nothing.object_dofs()).dofs, 0); // the object is the ground
}

TEST(Grasps, PositionsAreProjected)
{
    const ArmsCase c = random_arms(43, 2, 7, GripKind::mixed);
    const AsContacts as = as_contacts(c.open, c.closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.attach(0);
    grasp.attach(1);
    Random random(3);
    Numbers q = c.q;
    const Numbers off = random_numbers(random, c.open.num_dofs(), 0.01);
    integrate<double>(c.open, q, off, q);
    Numbers v = random_numbers(random, c.open.num_dofs(), 1.0);
    EXPECT_LT(grasp.project(q, v), 1e-12);
    grasp.set_state(q, v);
    EXPECT_LT(grasp.largest_slip(), 1e-12);
}

TEST(Grasps, StatesOfContacts)
{
    const ContactState point = contact_state({.kind = ContactKind::point, .mu = 0.5}, {{}, {3.0, 4.0, 20.0}});
    EXPECT_DOUBLE_EQ(point.margin, 5.0);
    EXPECT_FALSE(point.slips || point.lifts);
    const ContactState slips = contact_state({.kind = ContactKind::point, .mu = 0.2}, {{}, {3.0, 4.0, 20.0}});
    EXPECT_DOUBLE_EQ(slips.margin, -1.0);
    EXPECT_TRUE(slips.slips);
    const ContactState lifts = contact_state({.kind = ContactKind::point, .mu = 0.5}, {{}, {0.0, 0.0, -1.0}});
    EXPECT_TRUE(lifts.lifts);
    EXPECT_FALSE(lifts.slips);
    const ContactState soft = contact_state({.kind = ContactKind::soft_finger, .mu = 0.5, .mu_spin = 0.02},
                                            {{0, 0, 0.16}, {3.0, 0.0, 10.0}});
    EXPECT_NEAR(soft.margin, 0.0, 1e-12); // (3/0.5)^2 + (0.16/0.02)^2 = 10^2
    const Contact line{.kind = ContactKind::line, .mu = 0.5, .length = 0.1};
    EXPECT_TRUE(contact_state(line, {{0, -0.4, 0}, {0, 0, 10.0}}).within_segment); // at x = 0.04
    EXPECT_NEAR(contact_state(line, {{0, -0.4, 0}, {0, 0, 10.0}}).centre_of_pressure, 0.04, 1e-15);
    EXPECT_FALSE(contact_state(line, {{0, -0.6, 0}, {0, 0, 10.0}}).within_segment);
    EXPECT_TRUE(std::isinf(contact_state({.kind = ContactKind::rigid}, {{}, {0, 0, -5}}).margin));
    // A line's cones: its ends. Pressed at x = 0.04 of +-0.05 with 10 N: 9 N and 1 N, mu = 0.5; the lesser end has 0.5, of a weight of 1/2.
    std::vector<ForceCone> cones;
    add_cones(line, {{{0, -0.4, 0}, {0, 0, 10.0}}, {}}, 0, cones);
    EXPECT_NEAR(largest_common_margin(cones, 1).margin, 1.0, 1e-6);
}

TEST(Grasps, BasePlacements)
{
    // 004: almost any placement of the arms' bases is well-posed, rank of Omega as many as rows; with arms of two hinges, none is.
    for (int dofs : {6, 2}) {
        const ArmsCase c = random_arms(51, 2, dofs, GripKind::rigid);
        const AsContacts as = as_contacts(c.open, c.closed.loops());
        const WellPosedTrials trials = try_base_placements(as.model, as.contacts, 200, 1);
        EXPECT_EQ(trials.trials, 200);
        EXPECT_EQ(trials.well_posed, dofs == 6 ? 200 : 0);
    }
}

TEST(Grasps, ClearErrors)
{
    const Model model = box_on_feet();
    const auto text = [&](std::vector<Contact> contacts) -> std::string {
        try {
            Grasp(model, std::move(contacts));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(text({{.hand = "foot0", .object = "foot1"}}),
              "contact 'contact0' (point): frames 'foot0' and 'foot1' lie in one body; expected two");
    EXPECT_EQ(text({{.name = "a", .hand = "foot0", .object = "floor0", .mu = 0.0}}),
              "contact 'a' (point): mu is 0, expected a number above 0; without friction use frictionless");
    EXPECT_NE(text({{.hand = "fot0", .object = "floor0"}}).find("did you mean 'foot0'"), std::string::npos);
    EXPECT_EQ(text({{.name = "a", .hand = "foot0", .object = "floor0"},
                    {.name = "a", .hand = "foot1", .object = "floor1"}}),
              "Grasp: contacts 0 and 1 are both called 'a'");
    EXPECT_NE(text({{.kind = ContactKind::soft_finger, .hand = "foot0", .object = "floor0"}}).find("mu_spin"),
              std::string::npos);
    Grasp grasp(model, {{.hand = "foot0", .object = "floor0"}});
    EXPECT_THROW(grasp.attach(1), UsageError);
    EXPECT_THROW(grasp.contact("nobody"), UsageError);
    Numbers v_dot(6);
    EXPECT_THROW(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), UsageError); // no state yet
}
