// Laws of friction in simulation: what slides comes to rest, sticks, and slides again, when and where Coulomb says so; by closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "support/contacts.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/contact_events.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn {
namespace {

constexpr double g = 9.81;
const std::vector<Method> methods{Method::rk4, Method::adaptive, Method::stiff, Method::dae};
const char* word(Method method)
{
    return method == Method::rk4        ? "rk4"
           : method == Method::adaptive ? "adaptive"
           : method == Method::stiff    ? "stiff"
                                        : "dae";
}
// Of closed forms; backward differentiation leaves some hundred times what it is asked for.
double tolerance(Method method) { return method == Method::rk4 || method == Method::adaptive ? 1e-9 : 1e-7; }

// A free block on a plane through its centre of mass, whose slope falls by alpha along x.
Model block_on_slope(double alpha)
{
    ModelBuilder builder("slope");
    builder.add_body(
        {.name = "block", .mass = 2.0, .com = {0, 0, 0}, .inertia_com = {0.02, 0, 0, 0.03, 0, 0.04}});
    builder.add_hinge({.name = "block", .kind = HingeKind::free, .child = "block"});
    builder.add_frame({.name = "sole", .body = "block"})
        .add_frame({.name = "slope", .body = {}, .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    builder.set_gravity({g * std::sin(alpha), 0, -g * std::cos(alpha)});
    return builder.build();
}
PlantOptions touching(ContactKind kind, double mu)
{
    PlantOptions options;
    options.contacts = {{.name = "sole", .kind = kind, .hand = "sole", .object = "slope", .mu = mu}};
    return options;
}
Instant moving(double v_x, double v_y = 0.0) { return {0.0, {1, 0, 0, 0, 0, 0, 0}, {0, 0, 0, v_x, v_y, 0}}; }

Simulation run(Plant& plant, const Instant& start, double time, const std::vector<Event>& events,
               Method method, std::vector<std::string> signals = {"q:*"}, double relative = 1e-12)
{
    SimulationOptions options;
    options.time = time;
    options.method = method;
    options.step = 1e-3;
    options.tolerances.relative = relative;
    options.events = events;
    options.signals = std::move(signals);
    return simulate(plant, start, options);
}
std::vector<std::string> told(const Simulation& done, const std::vector<Event>& events)
{
    std::vector<std::string> names;
    for (const EventFound& found : done.events)
        names.push_back(events[found.event].name);
    return names;
}

// Pushed uphill it is slower by g (sin + mu cos), stops, and stays if mu > tan(alpha), else slides back by g (sin - mu cos).
TEST(StickAndSlide, UphillAndBack)
{
    const double alpha = 0.5, v = 1.7, time = 1.0;
    for (const double mu : {0.8, 0.3})
        for (const Method method : methods) {
            Plant plant(block_on_slope(alpha), touching(ContactKind::sliding, mu));
            const std::vector<Event> events = contact_events(plant, OnLost::slide);
            const Simulation done = run(plant, moving(-v), time, events, method);
            const double up = g * (std::sin(alpha) + mu * std::cos(alpha)),
                         down = g * (std::sin(alpha) - mu * std::cos(alpha)), when = v / up,
                         far = 0.5 * v * v / up, near = tolerance(method);
            const std::string where = std::string(word(method)) + ", mu " + std::to_string(mu);
            ASSERT_FALSE(done.events.empty()) << where;
            EXPECT_NEAR(done.events[0].t, when, near) << where;
            if (down < 0.0) {
                EXPECT_EQ(told(done, events), (std::vector<std::string>{"contact 'sole' comes to rest"}))
                    << where;
                EXPECT_NEAR(done.last.q[4], -far, near) << where;
                EXPECT_NEAR(done.last.v[3], 0.0, 1e-12) << where;
                EXPECT_FALSE(plant.grasp()->slides(0));
            } else {
                EXPECT_EQ(told(done, events),
                          (std::vector<std::string>{"contact 'sole' comes to rest", "contact 'sole' slips"}))
                    << where;
                EXPECT_EQ(done.events[1].t, done.events[0].t);
                EXPECT_NEAR(done.last.v[3], down * (time - when), near) << where;
                EXPECT_NEAR(done.last.q[4], -far + 0.5 * down * (time - when) * (time - when), near) << where;
                EXPECT_TRUE(plant.grasp()->slides(0));
            }
            EXPECT_NEAR(done.last.q[6], 0.0, 1e-13);
        }
}

// Across the slope, mu = k tan(alpha): with the angle phi between slip and fall line v = v0 tan^k(phi/2)/sin(phi), so that it rests after
// v0 k / (g sin (k^2 - 1)), v0^2/(4 g sin (k^2 - 1)) down the slope and 2 k v0^2 / (g sin (4 k^2 - 1)) across. The slip turns the faster the
// slower it is: the last fixed step h of an explicit method cannot follow, so there it is off by h, and by g h^2 in place.
TEST(StickAndSlide, CurvesToRest)
{
    const double alpha = 0.4, k = 2.5, v = 1.2, s = g * std::sin(alpha);
    for (const Method method : methods) {
        Plant plant(block_on_slope(alpha), touching(ContactKind::sliding, k * std::tan(alpha)));
        const std::vector<Event> events = contact_events(plant);
        const Simulation done = run(plant, moving(0.0, v), 1.0, events, method);
        const double near = method == Method::rk4 ? g * 1e-6 : tolerance(method);
        ASSERT_EQ(told(done, events), (std::vector<std::string>{"contact 'sole' comes to rest"}))
            << word(method);
        EXPECT_NEAR(done.events[0].t, v * k / (s * (k * k - 1)), method == Method::rk4 ? 1e-3 : near)
            << word(method);
        EXPECT_NEAR(done.last.q[4], v * v / (4 * s * (k * k - 1)), near) << word(method);
        EXPECT_NEAR(done.last.q[5], 2 * k * v * v / (s * (4 * k * k - 1)), near) << word(method);
    }
}

// With mu = tan(alpha) the speed and its part down the slope keep their sum, and it never rests: in the end v0/2 down the slope.
TEST(StickAndSlide, CurvesAndGoesOn)
{
    const double alpha = 0.4, v = 1.2;
    for (const Method method : methods) {
        Plant plant(block_on_slope(alpha), touching(ContactKind::sliding, std::tan(alpha)));
        const std::vector<Event> events = contact_events(plant);
        const Simulation done = run(plant, moving(0.0, v), 2.0, events, method, {"v:*"});
        EXPECT_TRUE(done.events.empty()) << word(method);
        for (std::size_t i = 0; i < done.recording.num_rows(); ++i) {
            const double v_x = done.recording(i, 4), v_y = done.recording(i, 5);
            ASSERT_NEAR(std::hypot(v_x, v_y) + v_x, v, tolerance(method)) << word(method) << i;
        }
        EXPECT_NEAR(done.last.v[3], v / 2, 1e-2);
    }
}

// A block on a level floor under a push of A sin(w t): it slips where the push exceeds mu m g, and its speed is
// A/(m w) (cos w t0 - cos w t) -+ mu g (t - t0), until that is zero; then it rests, or goes the other way at once.
TEST(StickAndSlide, PushedToAndFro)
{
    const double mu = 0.4, m = 2.0, F = mu * m * g, A = 1.7 * F, w = 5.0, time = 3.0;
    struct Truth {
        std::vector<std::string> names;
        std::vector<double> times;
        double x = 0.0, v = 0.0;
    } truth;
    const auto first = [](const auto& f, double from, double to) { // where f falls to zero
        for (double t = from; t < to; t += 1e-3)
            if (f(t) > 0.0 && f(t + 1e-3) <= 0.0) {
                double a = t, b = t + 1e-3;
                for (int round = 0; round < 60; ++round)
                    (f(0.5 * (a + b)) > 0.0 ? a : b) = 0.5 * (a + b);
                return b;
            }
        return to;
    };
    for (double t = 0.0; t < time;) {
        const double slips =
            std::abs(A * std::sin(w * t)) > F
                ? t
                : first([&](double s) { return F - std::abs(A * std::sin(w * s)); }, t, time);
        if (slips >= time)
            break;
        truth.names.push_back("contact 'sole' slips"), truth.times.push_back(slips);
        const double way = std::sin(w * slips) > 0.0 ? 1.0 : -1.0;
        const auto v = [&](double s) {
            return A / (m * w) * (std::cos(w * slips) - std::cos(w * s)) - way * mu * g * (s - slips);
        };
        const double rests = first([&](double s) { return way * v(s); }, slips + 1e-3, time),
                     last = rests - slips;
        truth.x +=
            A / (m * w) * (std::cos(w * slips) * last - (std::sin(w * rests) - std::sin(w * slips)) / w) -
            0.5 * way * mu * g * last * last;
        if (rests < time)
            truth.names.push_back("contact 'sole' comes to rest"), truth.times.push_back(rests);
        else
            truth.v = v(time);
        t = rests;
    }
    ASSERT_GT(truth.names.size(), 4u);
    for (const Method method : methods)
        for (const double aslant : {0.0, 0.7}) {
            SCOPED_TRACE(word(method) + std::string(", aslant ") + std::to_string(aslant));
            PlantOptions options = touching(ContactKind::point, mu);
            const double x = std::cos(aslant), y = std::sin(aslant);
            options.controller.forces = [=](double t, auto, auto, std::span<double> T) {
                T[3] = x * A * std::sin(w * t), T[4] = y * A * std::sin(w * t);
            };
            Plant plant(block_on_slope(0.0), options);
            const std::vector<Event> events = contact_events(plant, OnLost::slide);
            const Simulation done = run(plant, moving(0.0), time, events, method);
            ASSERT_EQ(told(done, events), truth.names);
            for (std::size_t i = 0; i < truth.times.size(); ++i)
                EXPECT_NEAR(done.events[i].t, truth.times[i], tolerance(method)) << i;
            const double near =
                (aslant > 0.0 ? 10.0 : 1.0) * tolerance(method); // slow slips that turn are stiff
            EXPECT_NEAR(done.last.q[4], x * truth.x, near);
            EXPECT_NEAR(done.last.q[5], y * truth.x, near);
            EXPECT_NEAR(done.last.v[3], x * truth.v, tolerance(method));
        }
}

// A stool that spins on three feet is slower by mu m g r / I, and all feet come to rest at one instant.
TEST(StickAndSlide, ASpinningStoolRestsOnAllItsFeet)
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

// A block with a pendulum on top: now it sticks, now the pendulum drags it along. What energy is lost is the work of friction.
TEST(StickAndSlide, APendulumDragsItsBlock)
{
    ModelBuilder builder("cart");
    builder.add_body(
        {.name = "rail", .mass = 0.1, .com = {0, 0, 0}, .inertia_com = {0.01, 0, 0, 0.01, 0, 0.01}});
    builder.add_body(
        {.name = "block", .mass = 1.0, .com = {0, 0, 0}, .inertia_com = {0.01, 0, 0, 0.01, 0, 0.01}});
    builder.add_body(
        {.name = "bob", .mass = 1.0, .com = {0, 0, -0.5}, .inertia_com = {0.01, 0, 0, 0.01, 0, 0.01}});
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "rail", .axis = {1, 0, 0}});
    builder.add_hinge(
        {.name = "z", .kind = HingeKind::prismatic, .parent = "rail", .child = "block", .axis = {0, 0, 1}});
    builder.add_hinge(
        {.name = "swing", .kind = HingeKind::revolute, .parent = "block", .child = "bob", .axis = {0, 1, 0}});
    builder.add_frame({.name = "floor", .body = {}, .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    PlantOptions options;
    options.contacts = {
        {.name = "sole", .kind = ContactKind::point, .hand = "block", .object = "floor", .mu = 0.25}};
    Instant truth;
    std::vector<double> times;
    for (const Method method : {Method::adaptive, Method::rk4, Method::stiff, Method::dae}) {
        SCOPED_TRACE(word(method));
        Plant plant(builder.build(), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done = run(plant, {0.0, {0, 0, 1.2}, {0, 0, 0}}, 3.0, events, method,
                                    {"q:x", "contact:sole", "energy:total", "closure:sole"});
        std::vector<double> when;
        for (const EventFound& found : done.events)
            when.push_back(found.t);
        if (method == Method::adaptive) {
            truth = done.last;
            times = when;
            ASSERT_GT(times.size(), 6u) << told(done, events).back();
        }
        ASSERT_EQ(when.size(), times.size());
        for (std::size_t i = 0; i < when.size(); ++i)
            EXPECT_NEAR(when[i], times[i], 1e-6);
        for (std::size_t j = 0; j < 3; ++j) {
            EXPECT_NEAR(done.last.q[j], truth.q[j], 1e-6);
            EXPECT_NEAR(done.last.v[j], truth.v[j], 1e-6);
        }
        const Recording& rows = done.recording;
        double lost = 0.0; // by the trapezium rule
        for (std::size_t i = 0; i < rows.num_rows(); ++i) {
            EXPECT_LT(rows(i, 6), 1e-13);
            EXPECT_GT(rows(i, 2), 0.0);
            EXPECT_GT(rows(i, 4), -1e-9);
            if (i > 0)
                lost += 0.5 * (rows(i, 3) + rows(i - 1, 3)) * std::abs(rows(i, 1) - rows(i - 1, 1));
        }
        if (method == Method::rk4) { // short steps
            EXPECT_NEAR(rows(0, 5) - rows(rows.num_rows() - 1, 5), lost, 1e-5 * lost);
        }
    }
}

// A sliding contact that begins at rest sticks, or slides the way that it is pushed.
TEST(StickAndSlide, BeginsAtRest)
{
    for (const double mu : {0.8, 0.3})
        for (const Method method : methods) {
            Plant plant(block_on_slope(0.5), touching(ContactKind::sliding, mu));
            const std::vector<Event> events = contact_events(plant, OnLost::slide);
            const Simulation done = run(plant, moving(0.0), 0.5, events, method);
            const double a = std::max(0.0, g * (std::sin(0.5) - mu * std::cos(0.5)));
            EXPECT_EQ(done.events.size(), a > 0.0 ? 2u : 1u);
            EXPECT_EQ(done.events[0].t, 0.0);
            EXPECT_NEAR(done.last.q[4], 0.125 * a, tolerance(method)) << word(method);
        }
}

// Pulled aslant from rest, with more to move along x than along y: it accelerates along d with friction against d, straight on. The pull is
// (m_x a + mu N) cos, (m_y a + mu N) sin of the angle of d.
TEST(StickAndSlide, BeginsTheWayThatItAccelerates)
{
    const double mu = 0.4, m_x = 9.0, m_y = 3.0, N = 2.0 * g, a = 1.3, angle = 0.9, time = 0.5;
    ModelBuilder builder("gantry");
    double mass = m_x - m_y;
    std::string parent;
    for (const std::string axis : {"x", "y", "z"}) {
        builder.add_body(
            {.name = axis, .mass = mass, .com = {0, 0, 0}, .inertia_com = {0.1, 0, 0, 0.1, 0, 0.1}});
        builder.add_hinge(
            {.name = axis,
             .kind = HingeKind::prismatic,
             .parent = parent,
             .child = axis,
             .axis = {axis == "x" ? 1.0 : 0.0, axis == "y" ? 1.0 : 0.0, axis == "z" ? 1.0 : 0.0}});
        parent = axis;
        mass = axis == "x" ? m_y - 2.0 : 2.0;
    }
    builder.add_frame({.name = "floor", .body = {}, .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    PlantOptions options;
    options.contacts = {
        {.name = "sole", .kind = ContactKind::point, .hand = "z", .object = "floor", .mu = mu}};
    options.controller.forces = [=](double, auto, auto, std::span<double> T) {
        T[0] = (m_x * a + mu * N) * std::cos(angle), T[1] = (m_y * a + mu * N) * std::sin(angle);
    };
    for (const Method method : methods) {
        Plant plant(builder.build(), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done = run(plant, {0.0, {0, 0, 0}, {0, 0, 0}}, time, events, method);
        EXPECT_EQ(done.events.size(), 1u) << word(method);
        EXPECT_NEAR(done.last.q[0], 0.5 * a * time * time * std::cos(angle), 1e-9) << word(method);
        EXPECT_NEAR(done.last.q[1], 0.5 * a * time * time * std::sin(angle), 1e-9) << word(method);
    }
}

// A box on four feet, whose forces are not unique, pushed at the height of its middle by F t: where no internal force keeps all cones, all
// feet slide, by a = (F t - mu m g)/m.
TEST(StickAndSlide, AllFeetSlideTogether)
{
    const double mu = 0.2, m = 2.0, F = 5.0, when = mu * m * g / F, time = 1.2;
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back({.name = "foot" + n, .hand = "foot" + n, .object = "floor" + n, .mu = mu});
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
TEST(StickAndSlide, NoFootPulls)
{
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back(
            {.name = "foot" + n, .hand = "foot" + n, .object = "floor" + n, .mu = 0.5});
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
TEST(StickAndSlide, PushedOnFeetThatHoldItTips)
{
    const double m = 2.0, F = 100.0, when = m * g * 0.2 / (0.05 * F), time = when + 0.05;
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back(
            {.name = "foot" + n, .hand = "foot" + n, .object = "floor" + n, .mu = 6.0});
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
        // who has not said that what lifts may go is told
        Plant kept(test::box_on_feet(), options);
        EXPECT_THROW(run(kept, {0.0, test::on_floor, {0, 0, 0, 0, 0, 0}}, time,
                         contact_events(kept, OnLost::slide), method),
                     SimulationFailed);
    }
}

// Lifted by k x, a sliding block has x_ddot = -mu (g - k x/m) until it parts, where that is its weight, and flies: also without an event.
TEST(StickAndSlide, PartsAndFlies)
{
    const double m = 2.0, mu = 0.2, k = 30.0, v = 3.0, end = 0.4, far = m * g / k, w = std::sqrt(mu * k / m),
                 when = std::atanh(far * w / v) / w, fly = end - when,
                 v_x = v * std::cosh(w * when) - far * w * std::sinh(w * when);
    for (const Method method : methods)
        for (const bool watched : {true, false}) {
            PlantOptions options = touching(ContactKind::sliding, mu);
            options.controller.forces = [=](double, auto q, auto, std::span<double> T) { T[5] = k * q[4]; };
            Plant plant(block_on_slope(0.0), options);
            const std::vector<Event> events =
                watched ? contact_events(plant, OnLost::stop, OnLost::let_go) : std::vector<Event>{};
            // a kink within a step of 1 ms
            const double near = method == Method::rk4 && !watched ? 1e-5 : tolerance(method);
            const Simulation done = run(plant, moving(v), end, events, method, {"q:*"});
            EXPECT_NEAR(done.last.q[4], far + v_x * fly, near) << word(method) << watched;
            EXPECT_NEAR(done.last.v[3], v_x, near) << word(method) << watched;
            EXPECT_NEAR(done.last.v[5], 0.5 * k * v_x * fly * fly / m, near) << word(method) << watched;
        }
}

// A block on a turntable that speeds up by alpha slips once, where its acceleration r sqrt(alpha^2 + (alpha t)^4) is mu g: for a while its
// slip is less than the error of any integrator, and is not taken for rest.
TEST(StickAndSlide, ASlipThatBeginsIsToldOnce)
{
    const double mu = 0.4, m = 2.0, r = 0.5, I = 2.0;
    ModelBuilder builder("turntable");
    builder.add_body({.name = "table", .mass = 5.0, .com = {0, 0, 0}, .inertia_com = {1, 0, 0, 1, 0, I}});
    builder.add_body(
        {.name = "block", .mass = m, .com = {0, 0, 0}, .inertia_com = {0.02, 0, 0, 0.03, 0, 0.04}});
    builder.add_hinge({.name = "table", .kind = HingeKind::revolute, .child = "table", .axis = {0, 0, 1}});
    builder.add_hinge({.name = "block", .kind = HingeKind::free, .child = "block"});
    builder.add_frame({.name = "sole", .body = "block"})
        .add_frame(
            {.name = "spot", .body = "table", .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {r, 0, 0}}});
    for (const double torque : {4.0, 8.0}) {
        const double alpha = torque / (I + m * r * r), a = mu * g / r,
                     when = std::pow((a * a - alpha * alpha) / std::pow(alpha, 4), 0.25);
        PlantOptions options;
        options.contacts = {{.name = "sole", .hand = "sole", .object = "spot", .mu = mu}};
        options.controller.forces = [=](double, auto, auto, std::span<double> T) { T[0] = torque; };
        for (const Method method : methods)
            for (const double relative : {1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
                SCOPED_TRACE(word(method) + std::string(", torque ") + std::to_string(torque) +
                             ", tolerance " + std::to_string(relative * 1e12) + "e-12");
                Plant plant(builder.build(), options);
                const std::vector<Event> events = contact_events(plant, OnLost::slide);
                const Simulation done = run(plant, {0.0, {0, 1, 0, 0, 0, r, 0, 0}, std::vector<double>(7)},
                                            when + 0.5, events, method, {"q:*"}, relative);
                ASSERT_EQ(told(done, events), (std::vector<std::string>{"contact 'sole' slips"}));
                if (relative == 1e-12) {
                    EXPECT_NEAR(done.events[0].t, when, tolerance(method));
                }
                EXPECT_GT(std::hypot(done.last.q[5], done.last.q[6]), r + 1e-3); // and goes outwards
            }
    }
}

// A push that is more than friction by a millionth, for a fifth of a second: the block creeps at less than a tenth of a micrometre per second,
// and rests again.
TEST(StickAndSlide, ASlipTooSlowToJudgeRestsAgain)
{
    const double mu = 0.4, m = 2.0, A = 1e-6, w = 0.1;
    PlantOptions options = touching(ContactKind::point, mu);
    options.controller.forces = [=](double t, auto, auto, std::span<double> T) {
        const double x = (t - 0.3) / w;
        T[3] = mu * m * g + A * (1.0 - x * x);
    };
    for (const Method method : methods) {
        SCOPED_TRACE(word(method));
        Plant plant(block_on_slope(0.0), options);
        const std::vector<Event> events = contact_events(plant, OnLost::slide);
        const Simulation done = run(plant, moving(0.0), 1.0, events, method);
        EXPECT_EQ(told(done, events),
                  (std::vector<std::string>{"contact 'sole' slips", "contact 'sole' comes to rest"}));
        EXPECT_LT(std::abs(done.last.q[4]), 1e-6);
        EXPECT_NEAR(done.last.v[3], 0.0, 1e-12);
        EXPECT_FALSE(plant.grasp()->slides(0));
    }
}

// A box that slides on four feet rests on all of them at one instant, after v/(mu g). Their forces are not unique all the way; its motion is,
// and nobody says that it is not.
TEST(StickAndSlide, ABoxRestsOnAllItsFeet)
{
    const double mu = 0.2;
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back({.name = "foot" + n,
                                    .kind = ContactKind::sliding,
                                    .hand = "foot" + n,
                                    .object = "floor" + n,
                                    .mu = mu});
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
TEST(StickAndSlide, FeetThatCarryNothingDoNotLift)
{
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back({.name = "foot" + n,
                                    .kind = ContactKind::sliding,
                                    .hand = "foot" + n,
                                    .object = "floor" + n,
                                    .mu = 0.2});
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

// Told, or the end of the run, where a user wants no more.
TEST(StickAndSlide, RestIsToldOrStops)
{
    for (const Method method : methods) {
        const double mu = 0.3, alpha = 0.5, when = 1.0 / (g * (std::sin(alpha) + mu * std::cos(alpha)));
        Plant stops(block_on_slope(alpha), touching(ContactKind::sliding, mu)),
            tells(block_on_slope(alpha), touching(ContactKind::sliding, mu));
        const Simulation stopped =
            run(stops, moving(-1.0), 1.0, contact_events(stops, OnLost::stop, OnLost::stop, OnRest::stop),
                method);
        EXPECT_TRUE(stopped.stopped) << word(method);
        EXPECT_NEAR(stopped.last.t, when, tolerance(method)) << word(method);
        // friction turns round at the end of the step, so that it may be late by one
        const Simulation on = run(tells, moving(-1.0), 1.0,
                                  contact_events(tells, OnLost::stop, OnLost::stop, OnRest::tell), method);
        ASSERT_EQ(on.events.size(), 1u) << word(method);
        EXPECT_NEAR(on.events[0].t, when, tolerance(method)) << word(method);
        EXPECT_NEAR(on.last.v[3], g * (std::sin(alpha) - mu * std::cos(alpha)) * (1.0 - when), 0.1)
            << word(method);
    }
}

} // namespace
} // namespace sweepdyn
