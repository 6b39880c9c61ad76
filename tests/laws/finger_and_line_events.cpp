// Laws of soft fingers and lines in simulation: a soft finger slips where its ellipsoid ends, a line where all of it does, and it tips
// where the pressure leaves its end; neither can slide on; contacts that are attached late must meet.
#include <cmath>

#include <gtest/gtest.h>

#include "support/friction.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using namespace test;

const Mat3<double> upright = Mat3<double>::identity();

Body puck(const std::string& name, double mass)
{
    return {.name = name,
            .mass = mass,
            .inertia_com = Sym3<double>::diagonal(0.1 * mass, 0.1 * mass, 0.1 * mass)};
}

// A puck of 2 kg, which a carriage pushes over the floor and turns about the vertical.
Model turntable()
{
    ModelBuilder builder("turntable");
    builder.add_body(puck("slide", 1.0)).add_body(puck("turret", 1.0)).add_body(puck("puck", 2.0));
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "slide", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "turn",
                       .kind = HingeKind::revolute,
                       .parent = "slide",
                       .child = "turret",
                       .axis = {0, 0, 1}});
    builder.add_hinge(
        {.name = "z", .kind = HingeKind::prismatic, .parent = "turret", .child = "puck", .axis = {0, 0, 1}});
    builder.add_frame({.name = "sole", .body = "puck"}).add_frame({.name = "spot", .body = {}});
    return builder.build();
}

const Instant at_rest{0.0, {0, 0, 0}, {0, 0, 0}};

// Pushed by a t N and turned by b t N m:  (a t/mu)^2 + (b t/mu_spin)^2 = (m g)^2.
TEST(FingerEvents, ASoftFingerSlipsWhereItsEllipsoidEnds)
{
    const double mu = 0.5, mu_spin = 0.02, a = 4.0, b = 0.2, weight = 2.0 * g;
    const double when = weight / std::hypot(a / mu, b / mu_spin), later = when + 0.2;
    PlantOptions options;
    // along x and about z alone: two of its rows are those of hinges that cannot move so, and say nothing
    options.contacts = {{.name = "tip",
                         .kind = ContactKind::soft_finger,
                         .hand = "spot",
                         .object = "sole",
                         .mu = mu,
                         .mu_spin = mu_spin}};
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) {
        T[0] = a * t, T[1] = b * t;
    };
    for (const Method method : methods)
        for (const OnLost what : {OnLost::stop, OnLost::slide, OnLost::tell, OnLost::let_go}) {
            SCOPED_TRACE(word(method) + std::string(", ") + std::to_string(static_cast<int>(what)));
            Plant plant(turntable(), options);
            const std::vector<Event> events = contact_events(plant, what);
            const Simulation done = run(plant, at_rest, later, events, method, {"contact:tip"});
            EXPECT_EQ(done.stopped, what == OnLost::stop || what == OnLost::slide); // it cannot slide
            ASSERT_GE(done.events.size(), 1u);
            EXPECT_NEAR(done.events[0].t, when, 1e-6);
            EXPECT_EQ(plant.grasp()->attached(0), what != OnLost::let_go);
            if (what == OnLost::let_go) { // the puck falls, and is pushed and turned
                const auto power = [&](int n) { return std::pow(later, n) - std::pow(when, n); };
                EXPECT_NEAR(done.last.v[0], a * power(2) / 2.0 / 4.0, 1e-6);
                EXPECT_NEAR(done.last.v[1], b * power(2) / 2.0 / 0.3, 1e-6);
                EXPECT_NEAR(done.last.v[2], -g * (later - when), 1e-6);
            } else {
                for (double v : done.last.v)
                    EXPECT_NEAR(v, 0.0, 1e-12);
            }
            EXPECT_NEAR(done.recording(0, 1), weight, 1e-9); // normal, margin at the start
            EXPECT_NEAR(done.recording(0, 3), mu * weight, 1e-9);
        }
}

// Three soft fingers under a stool, whose forces are not unique, pushed by F t through its middle: all give way at mu m g, and cannot slide.
TEST(FingerEvents, SoftFingersGiveWayTogether)
{
    const double mu = 0.5, mass = 3.0, F = 5.0, when = mu * mass * g / F;
    ModelBuilder builder("stool");
    builder.add_body(puck("stool", mass));
    builder.add_hinge({.name = "free", .kind = HingeKind::free, .child = "stool"});
    PlantOptions options;
    for (int i = 0; i < 3; ++i) {
        const double angle = 0.3 + 2.0943951023931953 * i;
        const Pose<double> at{upright, {std::cos(angle), std::sin(angle), 0}};
        const std::string n = std::to_string(i);
        builder.add_frame({.name = "foot" + n, .body = "stool", .X_BF = at})
            .add_frame({.name = "spot" + n, .body = {}, .X_BF = at});
        options.contacts.push_back({.name = "foot" + n,
                                    .kind = ContactKind::soft_finger,
                                    .hand = "spot" + n,
                                    .object = "foot" + n,
                                    .mu = mu,
                                    .mu_spin = 0.01});
    }
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) { T[3] = F * t; };
    for (const OnLost what : {OnLost::slide, OnLost::let_go}) {
        Plant plant(builder.build(), options);
        const std::vector<Event> events = contact_events(plant, what);
        const Simulation done = run(plant, {0.0, {1, 0, 0, 0, 0, 0, 0}, Numbers(6)}, when + 0.1, events,
                                    Method::adaptive, {"contact:*"});
        ASSERT_GE(done.events.size(), 1u);
        EXPECT_EQ(events[done.events[0].event].name,
                  "contacts 'foot0', 'foot1', 'foot2': no internal force keeps them all from slipping");
        EXPECT_EQ(done.events[0].words, "'foot0', 'foot1', 'foot2' give way together");
        EXPECT_NEAR(done.events[0].t, when, 1e-5); // a cone program's answer
        EXPECT_EQ(done.stopped, what == OnLost::slide);
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(plant.grasp()->attached(i), what == OnLost::slide) << i;
        if (what == OnLost::let_go) {
            EXPECT_NEAR(done.last.v[5], -g * 0.1, 1e-4);
        }
        // not unique: of the forces with the largest common margin
        ASSERT_EQ(done.recording.columns[4].name, "contact:foot0.unique");
        double least = 1e9, normal = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(done.recording(0, 4 + 4 * i), 0.0);
            least = std::min(least, done.recording(0, 3 + 4 * i));
            normal += done.recording(0, 1 + 4 * i);
        }
        EXPECT_NEAR(normal, mass * g, 1e-9);
        EXPECT_NEAR(least, mu * mass * g / 3.0, 1e-4);
    }
}

// A block on a line of 0.2 m under its middle, 0.3 m up.
Model on_a_line()
{
    ModelBuilder builder("block");
    builder.add_body(puck("block", 2.0));
    builder.add_hinge({.name = "free", .kind = HingeKind::free, .child = "block"});
    builder.add_frame({.name = "edge", .body = "block", .X_BF = {upright, {0, 0, -0.3}}})
        .add_frame({.name = "floor", .body = {}, .X_BF = {upright, {0, 0, -0.3}}});
    return builder.build();
}
PlantOptions held_by_a_line(double mu)
{
    PlantOptions options;
    options.contacts = {{.name = "edge",
                         .kind = ContactKind::line,
                         .hand = "floor",
                         .object = "edge",
                         .mu = mu,
                         .length = 0.2}};
    return options;
}
const Instant on_its_edge{0.0, {1, 0, 0, 0, 0, 0, 0}, Numbers(6)};

// Pushed at its middle along the line by F t: it tips over the front end at F t 0.3 m = m g 0.1 m.
TEST(LineEvents, TipsOverAnEnd)
{
    const double F = 10.0, when = 2.0 * g * 0.1 / (0.3 * F);
    for (const double way : {1.0, -1.0})
        for (const Method method : methods) {
            SCOPED_TRACE(word(method));
            PlantOptions options = held_by_a_line(5.0);
            options.controller.forces = [=](double t, auto, auto, std::span<double> T) {
                T[3] = way * F * t;
            };
            Plant plant(on_a_line(), options), lets_go(on_a_line(), options);
            const std::vector<Event> events = contact_events(plant);
            const Simulation done = run(plant, on_its_edge, 1.0, events, method);
            ASSERT_TRUE(done.stopped);
            EXPECT_EQ(told(done, events),
                      std::vector<std::string>{"contact 'edge' tips over an end of its line"});
            EXPECT_NEAR(done.last.t, when, 1e-6);
            EXPECT_NEAR(
                std::abs(plant.grasp_at(done.last.t, done.last.q, done.last.v).state(0).centre_of_pressure),
                0.1, 1e-5);
            const Simulation gone = run(lets_go, on_its_edge, when + 0.1,
                                        contact_events(lets_go, OnLost::stop, OnLost::let_go), method);
            EXPECT_FALSE(lets_go.grasp()->attached(0));
            EXPECT_NEAR(gone.last.v[5], -0.1 * g, 1e-6); // it falls
        }
}

// Pushed across the line by F t at the height of the line, it slips at mu m g, and cannot slide on.
TEST(LineEvents, SlipsAcross)
{
    const double F = 10.0, mu = 0.3, when = mu * 2.0 * g / F;
    PlantOptions options = held_by_a_line(mu);
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) {
        T[0] = 0.3 * F * t, T[4] = F * t;
    };
    for (const Method method : methods) {
        SCOPED_TRACE(word(method));
        Plant plant(on_a_line(), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done = run(plant, on_its_edge, 1.0, events, method);
        ASSERT_TRUE(done.stopped);
        EXPECT_EQ(told(done, events), std::vector<std::string>{"contact 'edge' slips"});
        EXPECT_NEAR(done.last.t, when, 1e-6);
    }
}

// What is attached later must meet: 1 cm is closed, more ends the run, in words.
TEST(FingerEvents, LateContactsMustMeet)
{
    for (const double gap : {0.005, 0.05}) {
        PlantOptions options;
        options.contacts = {
            {.name = "tip", .kind = ContactKind::frictionless, .hand = "spot", .object = "sole"}};
        options.controller.forces = [](double, auto, auto, std::span<double> T) { T[2] = 2.0 * g; };
        Plant plant(turntable(), options);
        plant.grasp()->detach(0);
        Event lands;
        lands.name = "lands";
        lands.value = [](double t, auto, auto) { return t - 0.1; };
        lands.direction = Event::Direction::rising;
        lands.jump = [&plant](double, auto, auto) { plant.grasp()->attach(0); };
        std::string words;
        try {
            const Simulation done = run(plant, {0.0, {0, 0, gap}, {0, 0, 0}}, 0.2, {lands}, Method::rk4);
            EXPECT_NEAR(done.last.q[2], 0.0, 1e-12);
        } catch (const std::exception& error) {
            words = error.what();
        }
        EXPECT_EQ(words.empty(), gap < 0.01) << words;
        if (gap > 0.01) {
            EXPECT_NE(words.find("contact 'tip' is open by 0.05 m or rad at t = 0.1"), std::string::npos)
                << words;
            EXPECT_NE(words.find("attach it where hand and object meet"), std::string::npos) << words;
        }
    }
}

} // namespace
} // namespace sweepdyn
