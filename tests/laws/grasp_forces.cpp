// Forces of grasps: feasible ones, force closure, internal ones, margins; by cases worked by hand.
#include "support/closed_arms.hpp"
#include "support/contacts.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/model/builder.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

namespace {

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

TEST(GraspForces, RedundantFeetAreAnsweredByFeasibility)
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

TEST(GraspForces, ForceClosure)
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

TEST(GraspForces, WhatTheContactsCanExert)
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

TEST(GraspForces, InternalForcesApartFromThoseThatMove)
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
        std::array<Vec3<double>, 3> at;
        for (int i = 0; i < 3; ++i)
            at[static_cast<std::size_t>(i)] =
                (X_WC *
                 as.model.frame_at(as.model.frame(as.contacts[static_cast<std::size_t>(i)].object)).X_BF)
                    .p;
        const Vec3<double> mean = (1.0 / 3.0) * (at[0] + at[1] + at[2]);
        double size = 0.0, across = 0.0, square = 0.0; // of both parts; of the contacts from their mean
        for (const Vec3<double>& p : at)
            square += dot(p - mean, p - mean) / 3.0;
        for (int i = 0; i < 3; ++i) {
            across += dot(split.motion[i].f, split.internal[i].f) +
                      dot(split.motion[i].n, split.internal[i].n) / square;
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
        EXPECT_NEAR(across, 0.0,
                    1e-10 * size * size); // the least forces that move it have no part of those that do not
    }
}

// The margin of a line is that of the cones of its ends; and what asks with nothing attached is answered.
TEST(GraspForces, MarginsOfLinesAreThoseOfTheirCones)
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
    Numbers v_dot(6);
    nothing.forward_dynamics(Numbers(6, 0.0), v_dot);
    EXPECT_TRUE(nothing.split(dofs).motion.size() == 1);
    const Grasp::ForceClosure none = nothing.force_closure(dofs);
    EXPECT_FALSE(none.closed);
    EXPECT_EQ(none.rank, 0);
    EXPECT_EQ(none.dofs, 6);
    EXPECT_EQ(none.squeeze, 0.0);
    const Grasp::Feasibility idle = nothing.feasibility();
    EXPECT_TRUE(idle.feasible);
    EXPECT_EQ(idle.free, 0);
}

// What has no dofs, as the ground, is no object: neither held nor not.
TEST(GraspForces, AskedOfNothing)
{
    Grasp grasp = standing(box_on_feet(), 0.5);
    Numbers v_dot(6);
    grasp.forward_dynamics(Numbers(6, 0.0), v_dot);
    const std::vector<int> dofs = grasp.object_dofs();
    EXPECT_TRUE(dofs.empty()); // the feet stand on the ground
    const auto refusal = [](const auto& f) -> std::string {
        try {
            f();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    const std::string words = ": got no dofs, expected those of what the contacts hold, as object_dofs() "
                              "tells where it is not the ground";
    EXPECT_EQ(refusal([&] { grasp.force_closure(dofs); }), "Grasp::force_closure" + words);
    EXPECT_EQ(refusal([&] { grasp.can_exert(dofs, {}); }), "Grasp::can_exert" + words);
    EXPECT_EQ(refusal([&] { grasp.split(dofs); }), "Grasp::split" + words);
}

TEST(GraspForces, StatesOfContacts)
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
