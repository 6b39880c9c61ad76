// Laws of friction on several feet: they slide, rest, tip and let go together, also where their forces are not unique.
#include <cmath>

#include <gtest/gtest.h>

#include "support/friction.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using namespace test;

// A stool that spins on three feet is slower by mu m g r / I, and all feet come to rest at one instant.
TEST(Feet, ASpinningStoolRestsOnAllItsFeet)
{
    const double mu = 0.3, m = 3.0, r = 0.25, I = 0.2, spin = 4.0, slower = mu * m * g * r / I;
    ModelBuilder builder("stool");
    builder.add_body({.name = "stool", .mass = m, .com = {0, 0, 0}, .inertia_com = {0.15, 0, 0, 0.15, 0, I}});
    builder.add_hinge({.name = "stool", .kind = HingeKind::free, .child = "stool"});
    builder.add_frame(
        {.name = "floor", .body = {}, .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {0, 0, -0.4}}});
    PlantOptions options;
    for (int i = 0; i < 3; ++i) {
        const double angle = 0.3 + 2.0943951023931953 * i;
        const std::string foot = "foot" + std::to_string(i);
        builder.add_frame(
            {.name = foot,
             .body = "stool",
             .X_BF = {Mat3<double>::identity(), {r * std::cos(angle), r * std::sin(angle), -0.4}}});
        options.contacts.push_back(
            {.name = foot, .kind = ContactKind::sliding, .hand = foot, .object = "floor", .mu = mu});
    }
    for (const Method method : methods) {
        SCOPED_TRACE(word(method));
        Plant plant(builder.build(), options);
        const std::vector<Event> events = contact_events(plant);
        const Instant start{0.0, {1, 0, 0, 0, 0, 0, 0}, {0, 0, spin, 0, 0, 0}};
        const Simulation done = run(plant, start, 0.6, events, method);
        EXPECT_FALSE(done.stopped);
        ASSERT_EQ(done.events.size(), 3u);
        for (const EventFound& found : done.events)
            EXPECT_NEAR(found.t, spin / slower, tolerance(method));
        const double turned = 0.5 * spin * spin / slower;
        EXPECT_NEAR(2.0 * std::atan2(done.last.q[3], done.last.q[0]), turned, tolerance(method));
        for (double v : done.last.v)
            EXPECT_NEAR(v, 0.0, 1e-12);
    }
}

// A box on four feet, whose forces are not unique, pushed at the height of its middle by F t: where no internal force keeps all cones, all
// feet slide, by a = (F t - mu m g)/m.
TEST(Feet, AllFeetSlideTogether)
{
    const double mu = 0.2, m = 2.0, F = 5.0, when = mu * m * g / F, time = 1.2;
    PlantOptions options = on_feet(ContactKind::point, mu);
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) { T[3] = F * t; };
    for (const Method method : methods) {
        SCOPED_TRACE(word(method));
        Plant plant(test::box_on_feet(), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done =
            run(plant, {0.0, test::on_floor, {0, 0, 0, 0, 0, 0}}, time, events, method, {"closure"});
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_NEAR(done.events[0].t, when, 1e-6);
        EXPECT_EQ(done.events[0].words, "'foot0', 'foot1', 'foot2', 'foot3' give way together");
        for (int i = 0; i < 4; ++i)
            EXPECT_TRUE(plant.grasp()->slides(i));
        EXPECT_NEAR(done.last.v[3], 0.5 * F * (time - when) * (time - when) / m, 1e-6);
        EXPECT_NEAR(done.last.v[4], 0.0, 1e-6);
    }
}

// Pulled up, and turned: feet let go in turns, until forces that only push keep those that are left, if any.
TEST(Feet, NoFootPulls)
{
    PlantOptions options = on_feet(ContactKind::point, 0.5);
    for (const auto& [lift, turn] : {std::pair(15.0, 1.0), {30.0, 0.0}, {30.0, 1.0}, {30.0, -2.0}})
        for (const Method method : methods) {
            SCOPED_TRACE(word(method) + std::string(", lift ") + std::to_string(lift) + ", turn " +
                         std::to_string(turn));
            options.controller.forces = [=](double, auto, auto, std::span<double> T) {
                T[0] = 0.3 * turn, T[1] = -0.9 * turn, T[5] = lift;
            };
            Plant plant(test::box_on_feet(), options);
            const std::vector<Event> events = contact_events(plant, OnLost::slide, OnLost::let_go);
            const Simulation done =
                run(plant, {0.0, test::on_floor, std::vector<double>(6)}, 0.1, events, method);
            Grasp& grasp = plant.grasp_at(done.last.t, done.last.q, done.last.v);
            if (!grasp.well_posedness().well_posed()) {
                EXPECT_GE(grasp.feasibility().margin, -1e-9);
            }
            for (int i = 0; i < 4; ++i) {
                const ContactState state = grasp.state(i);
                EXPECT_TRUE(!state.unique || state.normal >= -1e-9) << i << " " << state.normal;
            }
            EXPECT_EQ(done.last.v[5] > 0.1, lift > 2.0 * g);
            if (turn == 0.0 && lift > 2.0 * g) {
                EXPECT_NEAR(done.last.v[5], (lift / 2.0 - g) * 0.1, 1e-6);
            }
        }
}

// The box pushed at its middle, 0.05 m up, by F t, on feet that do not slip: F t 0.05 m = m g 0.2 m lifts the rear ones, and it turns over
// the front edge.
TEST(Feet, PushedOnFeetThatHoldItTips)
{
    const double m = 2.0, F = 100.0, when = m * g * 0.2 / (0.05 * F), time = when + 0.05;
    PlantOptions options = on_feet(ContactKind::point, 6.0);
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) { T[3] = F * t; };
    std::optional<double> turned;
    for (const Method method : methods) {
        SCOPED_TRACE(word(method));
        Plant plant(test::box_on_feet(), options);
        const Simulation done = run(plant, {0.0, test::on_floor, {0, 0, 0, 0, 0, 0}}, time,
                                    contact_events(plant, OnLost::slide, OnLost::let_go), method);
        ASSERT_GE(done.events.size(), 1u);
        EXPECT_NEAR(done.events[0].t, when, 1e-6);
        EXPECT_EQ(done.events[0].words, "'foot0', 'foot2' give way together");
        for (int i = 0; i < 4; ++i) // rear feet have x < 0
            EXPECT_EQ(plant.grasp()->attached(i), (i & 1) != 0) << i;
        EXPECT_GT(done.last.v[1], 0.01);
        if (turned) {
            EXPECT_NEAR(done.last.v[1], *turned, 1e-4 * *turned);
        }
        turned = done.last.v[1];
        // who has not said that what lifts may go is told, and the run ends there
        Plant kept(test::box_on_feet(), options);
        const std::vector<Event> events = contact_events(kept, OnLost::slide);
        const Simulation ended = run(kept, {0.0, test::on_floor, {0, 0, 0, 0, 0, 0}}, time, events, method);
        ASSERT_TRUE(ended.stopped);
        ASSERT_EQ(ended.events.size(), 1u);
        EXPECT_EQ(
            events[ended.events[0].event].name,
            "contacts 'foot0', 'foot1', 'foot2', 'foot3': no internal force keeps them all from lifting");
        EXPECT_EQ(ended.events[0].words, "'foot0', 'foot2' give way together");
        EXPECT_NEAR(ended.last.t, when, 1e-6);
    }
}

// A box that slides on four feet rests on all of them at one instant, after v/(mu g). Their forces are not unique all the way; its motion is,
// and nobody says that it is not.
TEST(Feet, ABoxRestsOnAllItsFeet)
{
    const double mu = 0.2;
    PlantOptions options = on_feet(ContactKind::sliding, mu);
    for (const Method method : methods)
        for (const auto& [v_x, v_y] : {std::pair(0.5, 0.0), std::pair(0.3, 0.4), std::pair(-0.4, 0.3)}) {
            SCOPED_TRACE(word(method) + std::string(", v_x ") + std::to_string(v_x));
            Plant plant(test::box_on_feet(), options);
            const std::vector<Event> events = contact_events(plant);
            const double v = std::hypot(v_x, v_y), when = v / (mu * g);
            const Simulation done =
                run(plant, {0.0, test::on_floor, {0, 0, 0, v_x, v_y, 0}}, when + 0.1, events, method);
            ASSERT_EQ(done.events.size(), 4u);
            for (const EventFound& found : done.events)
                EXPECT_NEAR(found.t, when, tolerance(method));
            EXPECT_EQ(done.notes, std::vector<std::string>{});
            EXPECT_NEAR(done.last.q[4], 0.5 * v_x * when, tolerance(method));
            EXPECT_NEAR(done.last.q[5], 0.5 * v_y * when, tolerance(method));
        }
}

// One that turns as it slides has feet that three others may carry: for a while they push nothing, but they do not lift, and in the end
// all rest. Steps of a fixed length rest the feet one after the other: one may slip again until the others hold it.
TEST(Feet, FeetThatCarryNothingDoNotLift)
{
    PlantOptions options = on_feet(ContactKind::sliding, 0.2);
    for (const Method method : methods)
        for (const double spin : {0.5, 1.0, 2.0}) {
            SCOPED_TRACE(word(method) + std::string(", spin ") + std::to_string(spin));
            Plant plant(test::box_on_feet(), options);
            const std::vector<Event> events = contact_events(plant, OnLost::slide, OnLost::let_go);
            const Simulation done = run(plant, {0.0, test::on_floor, {0, 0, spin, 0.4, 0.1, 0}}, 0.5, events,
                                        method, {"q:*"}, 1e-10);
            if (method != Method::rk4) {
                EXPECT_EQ(done.events.size(), 4u);
            }
            for (const std::string& name : told(done, events))
                EXPECT_EQ(name.find("lift"), std::string::npos) << name;
            for (int i = 0; i < 4; ++i) {
                EXPECT_TRUE(plant.grasp()->attached(i));
                EXPECT_FALSE(plant.grasp()->slides(i));
            }
        }
}
} // namespace
} // namespace sweepdyn
