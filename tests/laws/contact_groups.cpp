// Laws of several contacts in one simulation: each group whose forces are open gives way at its own time, whatever others have done before; what
// slips just before it lifts slips; what has parted stays away; margins of a squeeze are those of a squeeze that holds.
#include <cmath>

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/contact_events.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

constexpr double g = 9.81;
const Mat3<double> down{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};

Body block(const std::string& name, double mass)
{
    return {.name = name,
            .mass = mass,
            .inertia_com = Sym3<double>::diagonal(0.1 * mass, 0.1 * mass, 0.1 * mass)};
}

// Stools of 3 kg on three feet each, mu 0.5, centres of mass on the floor so that nothing tips, forces open; and, if wanted, a foot of 2 kg on
// slides x, y, z.
struct Stools {
    Model model;
    std::vector<Contact> contacts;
};
Stools stools(int count, bool foot)
{
    ModelBuilder builder("stools");
    std::vector<Contact> contacts;
    for (int s = 0; s < count; ++s) {
        const std::string name = "stool" + std::to_string(s);
        builder.add_body(block(name, 3.0));
        builder.add_hinge({.name = name, .kind = HingeKind::free, .child = name});
        for (int i = 0; i < 3; ++i) {
            const double a = 0.3 + 2.0943951023931953 * i;
            const Pose<double> X{Mat3<double>::identity(), {std::cos(a), std::sin(a), 0}};
            const std::string n = name + "." + std::to_string(i);
            builder.add_frame({"sole " + n, name, X}).add_frame({"floor " + n, "", X});
            contacts.push_back({.name = n, .hand = "floor " + n, .object = "sole " + n, .mu = 0.5});
        }
    }
    if (foot) {
        builder.add_body(block("bridge", 1e-6))
            .add_body(block("carriage", 1e-6))
            .add_body(block("foot", 2.0));
        builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "bridge", .axis = {1, 0, 0}});
        builder.add_hinge({.name = "y",
                           .kind = HingeKind::prismatic,
                           .parent = "bridge",
                           .child = "carriage",
                           .axis = {0, 1, 0}});
        builder.add_hinge({.name = "z",
                           .kind = HingeKind::prismatic,
                           .parent = "carriage",
                           .child = "foot",
                           .axis = {0, 0, 1}});
        builder.add_frame({"sole", "foot", {}}).add_frame({"floor", "", {down, {}}});
        contacts.push_back({.name = "foot", .hand = "sole", .object = "floor", .mu = 0.5});
    }
    return {builder.build(), contacts};
}

struct Told {
    double t;
    std::string name, words;
};
std::vector<Told> run(Plant& plant, const Instant& start, double time, OnLost on_slip, OnLost on_lift,
                      Method method, Simulation* done = nullptr)
{
    SimulationOptions options;
    options.time = time;
    options.method = method;
    options.step = 1e-3;
    options.tolerances.relative = 1e-10;
    options.events = contact_events(plant, on_slip, on_lift);
    options.signals = {"q:*"};
    Simulation result = simulate(plant, start, options);
    std::vector<Told> out;
    for (const EventFound& one : result.events)
        out.push_back({one.t, options.events[one.event].name, one.words});
    if (done)
        *done = std::move(result);
    return out;
}

Instant at_rest(const Model& model)
{
    Instant out{0.0, Numbers(static_cast<std::size_t>(model.num_coordinates())),
                Numbers(static_cast<std::size_t>(model.num_dofs()))};
    for (const int k : model.tree().base_to_tip())
        if (model.hinges()[static_cast<std::size_t>(k)].kind == HingeKind::free)
            out.q[static_cast<std::size_t>(model.tree().first_coordinate[k])] = 1.0; // quaternion
    return out;
}

// Two stools pulled by 50t and 40t newtons: each slips at mu m g of its own, told by name, whatever the other one does by then.
TEST(ContactGroups, EachGivesWayForItself)
{
    const Stools two = stools(2, false);
    const double first = 0.5 * 3.0 * g / 50.0, second = 0.5 * 3.0 * g / 40.0;
    for (const OnLost what : {OnLost::tell, OnLost::slide, OnLost::let_go}) {
        PlantOptions options{.contacts = two.contacts};
        options.controller.forces = [](double t, auto, auto, std::span<double> T) {
            T[3] = 50.0 * t, T[9] = 40.0 * t;
        };
        Plant plant(two.model, options);
        const auto told = run(plant, at_rest(two.model), 0.4, what, OnLost::tell, Method::adaptive);
        ASSERT_EQ(told.size(), 2u);
        EXPECT_NEAR(told[0].t, first, 1e-6);
        EXPECT_NEAR(told[1].t, second, 1e-6);
        EXPECT_EQ(told[0].words, "'stool0.0', 'stool0.1', 'stool0.2' give way together");
        EXPECT_EQ(told[1].words, "'stool1.0', 'stool1.1', 'stool1.2' give way together");
    }
}

// Beside a foot that has lifted, or slipped, and is kept as it is: the stool slips when it would without it.
TEST(ContactGroups, WhatIsKeptHidesNothing)
{
    const Stools both = stools(1, true);
    const double slips = 0.5 * 3.0 * g / 50.0;
    for (const auto& [dof, when, event] : {std::tuple{8, 2.0 * g / 100.0, "contact 'foot' lifts"},
                                           {6, 0.5 * 2.0 * g / 100.0, "contact 'foot' slips"}})
        for (const Method method : {Method::rk4, Method::adaptive}) {
            PlantOptions options{.contacts = both.contacts};
            options.controller.forces = [pulled = static_cast<std::size_t>(dof)](double t, auto, auto,
                                                                                 std::span<double> T) {
                T[3] = 50.0 * t;
                T[pulled] = 100.0 * t;
            };
            Plant plant(both.model, options);
            Simulation done;
            const auto told = run(plant, at_rest(both.model), 0.4, OnLost::tell, OnLost::tell, method);
            ASSERT_EQ(told.size(), 2u) << event;
            EXPECT_EQ(told[0].name, event);
            EXPECT_NEAR(told[0].t, when, 1e-6);
            EXPECT_NEAR(told[1].t, slips, 1e-6);
            Plant slides(both.model, options);
            run(slides, at_rest(both.model), 0.4, OnLost::slide, OnLost::tell, method, &done);
            // m x_dd = 50 t - mu m g from then on
            const double t = 0.4 - slips;
            EXPECT_NEAR(done.last.q[4], 50.0 / 6.0 * t * t * t / 3.0, 1e-7);
        }
}

// Half a newton across, lifted by 400t: the last of the weight is too little for friction 1 N before it is gone. Both are told.
TEST(ContactGroups, ASlipJustBeforeItLifts)
{
    const Stools foot = stools(0, true);
    const double weight = 2.0 * g;
    for (const Method method : {Method::rk4, Method::adaptive, Method::stiff, Method::dae})
        for (const double rate : {20.0, 400.0}) {
            if (method != Method::rk4 && !has_sundials())
                continue;
            PlantOptions options{.contacts = foot.contacts};
            options.controller.forces = [rate](double t, auto, auto, std::span<double> T) {
                T[0] = 0.5, T[2] = rate * t;
            };
            Plant plant(foot.model, options);
            const auto told = run(plant, at_rest(foot.model), 1.5, OnLost::tell, OnLost::stop, method);
            ASSERT_EQ(told.size(), 2u) << rate;
            EXPECT_EQ(told[0].name, "contact 'foot' slips");
            EXPECT_NEAR(told[0].t, (weight - 1.0) / rate, 1e-6);
            EXPECT_EQ(told[1].name, "contact 'foot' lifts");
            EXPECT_NEAR(told[1].t, weight / rate, 1e-6);
        }
    // straight up: no slip
    PlantOptions options{.contacts = foot.contacts};
    options.controller.forces = [](double t, auto, auto, std::span<double> T) { T[2] = 20.0 * t; };
    Plant plant(foot.model, options);
    const auto told = run(plant, at_rest(foot.model), 1.5, OnLost::tell, OnLost::stop, Method::adaptive);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].name, "contact 'foot' lifts");
}

// A block that slides is lifted for a while by half more than its weight, and falls: a parabola, not caught in the air, with or without events.
TEST(ContactGroups, WhatHasPartedStaysAway)
{
    Stools foot = stools(0, true);
    foot.contacts[0].kind = ContactKind::sliding;
    for (const Method method : {Method::rk4, Method::adaptive})
        for (const bool events : {false, true}) {
            PlantOptions options{.contacts = foot.contacts};
            options.controller.forces = [](double t, auto, auto, std::span<double> T) {
                T[2] = t >= 0.1 && t < 0.13 ? 1.5 * 2.0 * g : 0.0;
            };
            options.controller.sample_time = 0.01; // the load steps where a step begins
            Plant plant(foot.model, options);
            SimulationOptions how;
            how.time = 0.15;
            how.method = method;
            how.step = 1e-3;
            how.tolerances.relative = 1e-10;
            how.signals = {"q:*"};
            if (events)
                how.events = contact_events(plant, OnLost::slide, OnLost::tell);
            for (int again = 0; again < (events ? 1 : 2);
                 ++again) { // a run without events leaves the plant as it was
                const Simulation done = simulate(plant, {0.0, {0, 0, 0}, {2, 0, 0}}, how);
                const double rises = 0.03, v = 0.5 * g * rises, falls = 0.02;
                EXPECT_NEAR(done.last.q[2], 0.25 * g * rises * rises + v * falls - 0.5 * g * falls * falls,
                            1e-7);
                EXPECT_NEAR(done.last.v[2], v - g * falls, 1e-6);
                if (events) {
                    ASSERT_EQ(done.events.size(), 1u);
                    EXPECT_NEAR(done.events[0].t, 0.1, 1e-6);
                } else {
                    ASSERT_EQ(done.notes.size(), 1u);
                    EXPECT_TRUE(done.notes[0].starts_with("contact 'foot' has parted before t = 0.1"))
                        << done.notes[0];
                }
            }
        }
}

// Held between two walls by nothing but the will of the contacts: any weight is held by a squeeze that is large enough, and the margins shown are of one.
TEST(ContactGroups, MarginsOfASqueezeThatHolds)
{
    for (const double mu : {0.3, 0.6, 1.5}) {
        ModelBuilder builder("pinched");
        builder.add_body(block("block", 1.0));
        builder.add_hinge({.name = "block", .kind = HingeKind::free, .child = "block"});
        std::vector<Contact> contacts;
        for (const double side : {-1.0, 1.0}) {
            const Mat3<double> inward = side < 0 ? Mat3<double>{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}
                                                 : Mat3<double>{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
            const std::string n = side < 0 ? "left" : "right";
            const Pose<double> X{inward, {0.1 * side, 0, 0}};
            builder.add_frame({"wall " + n, "", X}).add_frame({"face " + n, "block", X});
            contacts.push_back({.name = n,
                                .kind = ContactKind::soft_finger,
                                .hand = "wall " + n,
                                .object = "face " + n,
                                .mu = mu,
                                .mu_spin = 0.01});
        }
        Plant plant(builder.build(), {.contacts = contacts});
        const std::vector<std::string> names{"contact:*"};
        Signals signals(plant.model(), names, plant.grasp());
        Numbers row(signals.columns().size());
        signals.evaluate(plant, at_rest(plant.model()), row);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (signals.columns()[i].name.ends_with(".margin")) {
                EXPECT_GE(row[i], 0.0) << mu;
            }
            if (signals.columns()[i].name.ends_with(".unique")) {
                EXPECT_EQ(row[i], 0.0);
            }
        }
    }
}

} // namespace
} // namespace sweepdyn::test
