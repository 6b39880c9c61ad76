// Laws of contacts in simulation: they slip and lift when Coulomb says so, to the instant; where forces are not unique the instant is
// that of the last internal force that keeps all cones; held contacts are hinges.
#include <cmath>

#include <gtest/gtest.h>

#include "support/contacts.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/sim/contact_events.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn {
namespace {

constexpr double g = 9.81;

Body block(const std::string& name, double mass)
{
    return {.name = name,
            .mass = mass,
            .com = {0, 0, 0},
            .inertia_com = {0.1 * mass, 0, 0, 0.1 * mass, 0, 0.1 * mass}};
}

// A foot of 2 kg that two carriages move over the floor, on which it stands.
Model gantry()
{
    ModelBuilder builder("gantry");
    builder.add_body(block("bridge", 1.0)).add_body(block("trolley", 1.0)).add_body(block("foot", 2.0));
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "bridge", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "y",
                       .kind = HingeKind::prismatic,
                       .parent = "bridge",
                       .child = "trolley",
                       .axis = {0, 1, 0}});
    builder.add_hinge(
        {.name = "z", .kind = HingeKind::prismatic, .parent = "trolley", .child = "foot", .axis = {0, 0, 1}});
    builder.add_frame({.name = "sole", .body = "foot"}).add_frame({.name = "spot", .body = {}});
    return builder.build();
}

Simulation run(Plant& plant, Instant start, double time, std::vector<Event> events, Method method,
               std::vector<std::string> signals = {"q:*", "v:*"})
{
    SimulationOptions options;
    options.time = time;
    options.method = method;
    options.step = 1e-3;
    options.tolerances.relative = 1e-11;
    options.events = std::move(events);
    options.signals = std::move(signals);
    return simulate(plant, std::move(start), options);
}

// A pull that grows by 10 N/s against friction mu m g: slips at t = mu m g / 10 s; by every integrator.
TEST(ContactEvents, SlipsWhereFrictionEnds)
{
    const double mu = 0.4, when = mu * 2.0 * g / 10.0;
    for (const Method method :
         {Method::rk4, Method::semi_implicit_euler, Method::adaptive, Method::stiff, Method::dae}) {
        PlantOptions options;
        options.controller.forces = [](double t, auto, auto, std::span<double> T) { T[0] = 10.0 * t; };
        options.contacts = {
            {.name = "sole", .kind = ContactKind::point, .hand = "spot", .object = "sole", .mu = mu}};
        Plant plant(gantry(), options);
        const std::vector<Event> events = contact_events(plant);
        const Simulation done = run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 2.0, events, method);
        ASSERT_TRUE(done.stopped);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_EQ(events[done.events[0].event].name, "contact 'sole' slips");
        EXPECT_NEAR(done.events[0].t, when, 1e-9 * when);
        for (double q : done.last.q)
            EXPECT_NEAR(q, 0.0, 1e-12); // it stood
    }
}

// Let go where a pull of 30 t N exceeds the weight, the foot flies: v = (15 t^2 - 15 t0^2)/m - g (t - t0).
TEST(ContactEvents, LiftsAndFlies)
{
    const double when = 2.0 * g / 30.0, end = 1.5;
    PlantOptions options;
    options.controller.forces = [](double t, auto, auto, std::span<double> T) { T[2] = 30.0 * t; };
    options.contacts = {
        {.name = "sole", .kind = ContactKind::frictionless, .hand = "spot", .object = "sole"}};
    Plant plant(gantry(), options);
    const std::vector<Event> events = contact_events(plant, OnLost::stop, OnLost::let_go);
    const Simulation done =
        run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, end, events, Method::adaptive, {"contact:sole", "v:z"});
    ASSERT_EQ(done.events.size(), 1u);
    EXPECT_EQ(events[done.events[0].event].name, "contact 'sole' lifts");
    EXPECT_NEAR(done.events[0].t, when, 1e-9);
    EXPECT_FALSE(plant.grasp()->attached(0));
    EXPECT_NEAR(done.last.v[2], 15.0 * (end * end - when * when) / 2.0 - g * (end - when), 1e-8);
    ASSERT_EQ(done.recording.columns[1].name, "contact:sole.normal");
    EXPECT_NEAR(done.recording(0, 1), 2.0 * g, 1e-12);
    EXPECT_EQ(done.recording(done.recording.num_rows() - 1, 1), 0.0);
}

// Three feet of one block: nine rows on six freedoms. A push at floor level by 5 t N: the last internal force that keeps all three
// cones is that of 5 t = mu m g, whatever one solution of the forces says.
TEST(ContactEvents, ForcesThatAreNotUnique)
{
    const double mu = 0.5, mass = 3.0;
    ModelBuilder builder("stool");
    builder.add_body(block("stool", mass));
    builder.add_hinge({.name = "free", .kind = HingeKind::free, .child = "stool"});
    std::vector<Contact> contacts;
    for (int i = 0; i < 3; ++i) {
        const double angle = 0.3 + 2.0943951023931953 * i;
        const Pose<double> at{Mat3<double>::identity(), {std::cos(angle), std::sin(angle), 0}};
        const std::string n = std::to_string(i);
        builder.add_frame({.name = "foot" + n, .body = "stool", .X_BF = at})
            .add_frame({.name = "spot" + n, .body = {}, .X_BF = at});
        contacts.push_back({.name = "foot" + n,
                            .kind = ContactKind::point,
                            .hand = "spot" + n,
                            .object = "foot" + n,
                            .mu = mu});
    }
    PlantOptions options;
    options.contacts = contacts;
    options.controller.forces = [](double t, auto, auto, std::span<double> T) { T[3] = 5.0 * t; };
    Plant plant(builder.build(), options);
    const std::vector<Event> events = contact_events(plant);
    Instant start{0.0, {1, 0, 0, 0, 0, 0, 0}, std::vector<double>(6)};
    const Simulation done = run(plant, start, 4.0, events, Method::adaptive);
    ASSERT_TRUE(done.stopped);
    EXPECT_EQ(events[done.events[0].event].name,
              "contacts 'foot0', 'foot1', 'foot2': no internal force keeps them all from slipping");
    EXPECT_NEAR(done.events[0].t, mu * mass * g / 5.0, 1e-6);
    EXPECT_EQ(done.events[0].words, "'foot0', 'foot1', 'foot2' give way together");
}

// Two shelves, each between two pads that press it, whose shares of the pull are not unique: where the right one is pulled too hard its pads
// give way together, and are named; the left ones hold.
TEST(ContactEvents, ContactsThatGiveWayTogether)
{
    const double mu = 0.5;
    ModelBuilder builder("rig");
    builder.add_body(block("left", 1.0)).add_body(block("right", 1.0));
    builder.add_hinge({.name = "left", .kind = HingeKind::prismatic, .child = "left", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "right", .kind = HingeKind::prismatic, .child = "right", .axis = {1, 0, 0}});
    std::vector<Contact> contacts;
    for (const std::string side : {"left", "right"})
        for (const std::string n : {"0", "1"}) {
            const std::string pad = side + n;
            builder.add_body(block(pad, 0.5));
            builder.add_hinge({.name = pad, .kind = HingeKind::prismatic, .child = pad, .axis = {0, 0, 1}});
            builder.add_frame({.name = "on " + pad, .body = side});
            contacts.push_back(
                {.name = pad, .kind = ContactKind::point, .hand = pad, .object = "on " + pad, .mu = mu});
        }
    builder.set_gravity({});
    PlantOptions options;
    options.contacts = contacts;
    options.controller.forces = [](double t, auto, auto, std::span<double> T) {
        T[0] = 2.0 * t, T[1] = 10.0 * t; // the right one is pulled harder: 10 t = mu (10 N + 8 N)
        T[2] = T[3] = 30.0, T[4] = 10.0, T[5] = 8.0;
    };
    for (const Method method : {Method::rk4, Method::adaptive, Method::dae}) {
        Plant plant(builder.build(), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done =
            run(plant, {0.0, std::vector<double>(6), std::vector<double>(6)}, 1.2, events, method);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_NEAR(done.events[0].t, 0.9, 1e-6);
        EXPECT_EQ(done.events[0].words, "'right0', 'right1' give way together");
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(plant.grasp()->slides(i), i >= 2);
        EXPECT_NEAR(done.last.v[1], 5.0 * 0.3 * 0.3, 1e-6); // of 1 kg, pulled by 10 t - 9 N
        EXPECT_NEAR(done.last.v[0], 0.0, 1e-12);
    }
}

// A free body held at one point is a spherical pendulum.
TEST(ContactEvents, HeldPointIsAHinge)
{
    const Body bob{
        .name = "bob", .mass = 1.5, .com = {0.1, 0.05, -0.6}, .inertia_com = {0.05, 0.01, 0, 0.06, 0, 0.03}};
    ModelBuilder held("held"), hung("hung");
    held.add_body(bob).add_hinge({.name = "free", .kind = HingeKind::free, .child = "bob"});
    held.add_frame({.name = "eye", .body = "bob", .X_BF = {Mat3<double>::identity(), {0, 0, 0}}})
        .add_frame({.name = "hook", .body = {}});
    hung.add_body(bob).add_hinge({.name = "ball", .kind = HingeKind::spherical, .child = "bob"});
    PlantOptions options;
    options.contacts = {
        {.name = "hook", .kind = ContactKind::point, .hand = "hook", .object = "eye", .mu = 1.0}};
    Plant plant(held.build(), options), truth(hung.build());
    const double h = std::sqrt(0.5);
    const Simulation a =
        run(plant, {0.0, {h, h, 0, 0, 0, 0, 0}, {0.3, 0.2, 1.0, 0, 0, 0}}, 3.0, {}, Method::adaptive);
    const Simulation b = run(truth, {0.0, {h, h, 0, 0}, {0.3, 0.2, 1.0}}, 3.0, {}, Method::adaptive);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-8);
    for (std::size_t i = 4; i < 7; ++i)
        EXPECT_NEAR(a.last.q[i], 0.0, 1e-12); // it did not drift
}

// A block that slides stops after v^2 / (2 mu g), its surface kept; by every integrator.
TEST(ContactEvents, SlidesOnItsSurface)
{
    const double mu = 0.3, v = 0.8, end = 0.2;
    for (const Method method : {Method::rk4, Method::adaptive, Method::stiff, Method::dae}) {
        PlantOptions options;
        options.contacts = {
            {.name = "sole", .kind = ContactKind::sliding, .hand = "spot", .object = "sole", .mu = mu}};
        Plant plant(gantry(), options);
        const Simulation done =
            run(plant, {0.0, {0, 0, 0}, {v, 0, 0}}, end, {}, method, {"q:*", "contact:*"});
        const double a = mu * 2.0 * g / 4.0; // the foot's weight, all that moves along x
        EXPECT_NEAR(done.last.v[0], v - a * end, 1e-8);
        EXPECT_NEAR(done.last.q[0], v * end - 0.5 * a * end * end, 1e-8);
        EXPECT_NEAR(done.last.q[2], 0.0, 1e-12);
    }
}

// Two pads hold a shelf against a pull that both can bear: when one lets go, the other is overloaded at the same instant.
TEST(ContactEvents, WhatLetsGoCarriesOthersAlong)
{
    for (const Method method : {Method::rk4, Method::adaptive, Method::dae}) {
        ModelBuilder builder("shelf");
        builder.add_body(block("shelf", 2.0));
        builder.add_hinge({.name = "y", .kind = HingeKind::prismatic, .child = "shelf", .axis = {1, 0, 0}});
        std::vector<Contact> contacts;
        for (int i = 0; i < 2;
             ++i) { // pads that a spring of their own presses on the shelf: prismatic along z, pushed by T
            const std::string n = std::to_string(i), pad = "pad" + n;
            builder.add_body(block(pad, 0.5));
            builder.add_hinge({.name = pad, .kind = HingeKind::prismatic, .child = pad, .axis = {0, 0, 1}});
            builder.add_frame({.name = "spot" + n, .body = "shelf"});
            contacts.push_back(
                {.name = pad, .kind = ContactKind::point, .hand = pad, .object = "spot" + n, .mu = 0.5});
        }
        builder.set_gravity({});
        Model model = builder.build();
        // 10 N and 8 N press, friction 5 N and 4 N; the pull rises by 10 N/s: 9 N together, 4 N of the second alone. Nothing moves along
        // y, so that forces are not unique and the common event tells.
        PlantOptions options;
        options.contacts = contacts;
        options.controller.forces = [](double t, auto, auto, std::span<double> T) {
            T[0] = 10.0 * t;
            T[1] = 10.0, T[2] = 8.0;
        };
        Plant plant(model, options);
        std::vector<Event> events = contact_events(plant, OnLost::stop, OnLost::let_go);
        Event breaks; // at 0.6 s the first pad is let go: 6 N are too much for the other
        breaks.name = "breaks";
        breaks.value = [](double t, auto, auto) { return t - 0.6; };
        breaks.direction = Event::Direction::rising;
        breaks.jump = [&plant](double, auto, auto) { plant.grasp()->detach(0); };
        events.push_back(breaks);
        const Simulation done = run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 2.0, events, method);
        ASSERT_TRUE(done.stopped);
        ASSERT_EQ(done.events.size(), 2u);
        EXPECT_EQ(events[done.events[0].event].name, "breaks");
        EXPECT_NE(events[done.events[1].event].name.find("no internal force keeps them all"),
                  std::string::npos);
        EXPECT_NEAR(done.events[1].t, 0.6, 1e-9);
        EXPECT_EQ(done.events[1].t, done.events[0].t);
    }
}

// A sampled controller holds the foot down from the first instant on; and where its next sample lets go, that instant is told.
TEST(ContactEvents, SampledControllersCountAtOnce)
{
    for (const Method method : {Method::rk4, Method::adaptive, Method::dae}) {
        PlantOptions options;
        options.controller.forces = [](double t, auto, auto, std::span<double> T) {
            T[2] = t < 0.25 ? 5.0 : 25.0;
        };
        options.controller.sample_time = 0.1;
        options.contacts = {
            {.name = "sole", .kind = ContactKind::frictionless, .hand = "spot", .object = "sole"}};
        Model model = gantry();
        Plant plant(model, options);
        const std::vector<Event> events = contact_events(plant);
        const Simulation done = run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, events, method);
        ASSERT_TRUE(done.stopped);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_NEAR(done.events[0].t, 0.3, 1e-12);
    }
}

// closure tells how far contacts are from closed, loops beside them, none that has been let go.
TEST(ContactEvents, ClosureOfContacts)
{
    ModelBuilder builder(gantry());
    builder.add_loop(mimic("gear", "y", "x", 0.5));
    builder.add_frame({.name = "heel", .body = "foot"})
        .add_frame({.name = "off", .body = {}, .X_BF = {Mat3<double>::identity(), {0, 0, 2e-3}}});
    PlantOptions options;
    options.contacts = {{.name = "sole", .kind = ContactKind::frictionless, .hand = "spot", .object = "sole"},
                        {.name = "heel", .kind = ContactKind::frictionless, .hand = "off", .object = "heel"}};
    Plant plant(builder.build(), options);
    const Instant at{0.0, {0.3, 0.15, -1e-3}, {0, 0, 0}};
    const std::vector<std::string> names{"closure", "closure:*"};
    Signals signals(plant.model(), names, plant.grasp());
    ASSERT_EQ(signals.columns().size(), 5u);
    EXPECT_EQ(signals.columns()[2].name, "closure:gear");
    EXPECT_EQ(signals.columns()[4].name, "closure:heel");
    std::vector<double> row(5);
    signals.evaluate(plant, at, row);
    EXPECT_NEAR(row[1], 3e-3, 1e-15);
    EXPECT_NEAR(row[2], 0.0, 1e-15);
    EXPECT_NEAR(row[3], 1e-3, 1e-15);
    EXPECT_NEAR(row[4], 3e-3, 1e-15);
    plant.grasp()->detach(1);
    signals.evaluate(plant, at, row);
    EXPECT_NEAR(row[1], 1e-3, 1e-15);
    EXPECT_EQ(row[4], 0.0);
    options.contacts[1].name = "gear";
    EXPECT_THROW(Plant(builder.build(), options), UsageError);
}

// Painleve's rod, turning fast: it may lift or stay; that is told, once, with the first time. Sliding into the floor it jams.
TEST(ContactEvents, SeveralMotionsAreTold)
{
    const double a = std::atan(2.0);
    PlantOptions options;
    options.contacts = {
        {.name = "end", .kind = ContactKind::sliding, .hand = "end", .object = "floor", .mu = 2.0}};
    const Model rod = test::rod_on_floor();
    for (const Method method : {Method::rk4, Method::adaptive, Method::dae}) {
        Plant plant(rod, options);
        std::vector<std::string> notes;
        std::string jams;
        for (const double speed : {1.0, -1.0}) {
            const test::RodState state = test::rod_state(a, speed, 4.0);
            const Simulation done = run(plant, {0.25, state.q, state.v}, 1e-3, {}, method);
            for (const std::string& note : done.notes)
                if (!note.starts_with(
                        "contact 'end' has parted before t = 0.25")) // which one of the two does
                    notes.push_back(note);
            const test::RodState slow = test::rod_state(a, speed, 0.0);
            try {
                run(plant, {0.0, slow.q, slow.v}, 1e-3, {}, method);
            } catch (const RefusedError& error) {
                jams = error.what();
            }
        }
        EXPECT_EQ(notes, std::vector<std::string>{
                             "from t = 0.25 s on more than one motion obeys the laws of friction of sliding "
                             "contacts 'end' (Painleve): the one that keeps most contacts is followed"});
        EXPECT_EQ(jams,
                  "no motion obeys the laws of friction at t = 0 s: sliding contacts 'end' jam (Painleve); "
                  "let them stick, or change their friction");
    }
}

TEST(ContactEvents, MotionsBeyondAllNumbersAreRefused)
{
    PlantOptions options;
    options.controller.forces = [](double, auto, auto, std::span<double> T) { T[0] = 1e250; };
    options.contacts = {
        {.name = "sole", .kind = ContactKind::frictionless, .hand = "spot", .object = "sole"}};
    for (const Method method : {Method::rk4, Method::semi_implicit_euler, Method::adaptive, Method::stiff}) {
        Plant plant(gantry(), options);
        std::string words;
        try {
            run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, {}, method);
        } catch (const RefusedError& error) {
            words = error.what();
        }
        EXPECT_NE(words.find("the motion grows beyond all numbers at t = "), std::string::npos) << words;
    }
    Plant plant(gantry(), options);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(run(plant, {0.0, {0, 0, 0}, {nan, 0, 0}}, 1.0, {}, Method::rk4), UsageError);
}

TEST(ContactEvents, StartsThatDoNotHold)
{
    PlantOptions options;
    options.contacts = {
        {.name = "sole", .kind = ContactKind::point, .hand = "spot", .object = "sole", .mu = 0.4}};
    Plant plant(gantry(), options);
    const Simulation nearly = run(plant, {0.0, {0, 0, 0.001}, {0, 0, 0}}, 0.01, {}, Method::rk4);
    ASSERT_EQ(nearly.notes.size(), 1u);
    EXPECT_EQ(nearly.notes[0], "contact 'sole' was open by 0.001 m or rad at the start and has been closed");
    const auto says = [](const auto& f) {
        try {
            f();
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_EQ(says([&] { run(plant, {0.0, {0, 0, 0.5}, {0, 0, 0}}, 1.0, {}, Method::rk4); }),
              "model 'gantry': contact 'sole' is open by 0.5 m or rad at the start; begin where hand and "
              "object meet, let it hold where the hand is (\"here\"), or attach it later, where they meet");
    EXPECT_EQ(says([&] { run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, {}, Method::rk4, {"contact:heel"}); }),
              "signal 'contact:heel': unknown contact 'heel'; known: sole");
    EXPECT_EQ(says([&] { run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, {}, Method::rk4, {"closure:heel"}); }),
              "signal 'closure:heel': unknown contact 'heel'; known: sole");
    Plant bare(gantry());
    EXPECT_EQ(says([&] { run(bare, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, {}, Method::rk4, {"closure"}); }),
              "signal 'closure': model 'gantry' has no loops, and there are no contacts");
    EXPECT_EQ(says([&] { run(bare, {0.0, {0, 0, 0}, {0, 0, 0}}, 1.0, {}, Method::rk4, {"contact:sole"}); }),
              "signal 'contact:sole': there are no contacts");
    EXPECT_TRUE(contact_events(bare).empty());
}

// A contact that is closed at the start along the motions of loops opens these by the square of what it moves: both are closed in turns.
TEST(ContactEvents, StartsCloseContactsAndLoops)
{
    ModelBuilder builder(test::linkage("five_bar", g,
                                       {{"l1", "", 0.5, {0, 0, 0}},
                                        {"l2", "l1", 0.5, {0.5, 0, 0}},
                                        {"r1", "", 0.5, {0.6, 0, 0}},
                                        {"r2", "r1", 0.5, {0.5, 0, 0}}},
                                       test::pin("l2", 0.5, "r2", 0.5)));
    const std::vector<double> guess{2.0, -1.5, 1.1, 1.5}, q = assembled(builder.build(), guess);
    const Vec3<double> tip{0.5 * (std::cos(q[0]) + std::cos(q[0] + q[1])),
                           0.5 * (std::sin(q[0]) + std::sin(q[0] + q[1])), 0};
    builder.add_frame({.name = "tip", .body = "l2", .X_BF = {.p = {0.5, 0, 0}}});
    builder.add_frame({.name = "floor",
                       .body = {},
                       .X_BF = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, tip - Vec3<double>{0, 0.008, 0}}});
    PlantOptions options;
    options.contacts = {
        {.name = "foot", .kind = ContactKind::frictionless, .hand = "tip", .object = "floor"}};
    Plant plant(builder.build(), options);
    const Simulation done =
        run(plant, {0.0, q, {0, 0, 0, 0}}, 0.01, {}, Method::rk4, {"closure:pin", "closure:foot"});
    ASSERT_EQ(done.notes.size(), 1u);
    EXPECT_EQ(done.notes[0], "contact 'foot' was open by 0.008 m or rad at the start and has been closed");
    for (std::size_t i = 0; i < done.recording.num_rows(); ++i) {
        EXPECT_LT(done.recording(i, 1), 1e-13) << i;
        EXPECT_LT(done.recording(i, 2), 1e-13) << i;
    }
}

} // namespace
} // namespace sweepdyn
