// Laws of friction in simulation: what slides comes to rest, sticks, and slides again, when and where Coulomb says so; by closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "support/friction.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using namespace test;

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
            EXPECT_LT(rows(i, 7), 1e-13);
            EXPECT_GT(rows(i, 2), 0.0);
            EXPECT_GT(rows(i, 4), -1e-9);
            if (i > 0)
                lost += 0.5 * (rows(i, 3) + rows(i - 1, 3)) * std::abs(rows(i, 1) - rows(i - 1, 1));
        }
        if (method == Method::rk4) { // short steps
            EXPECT_NEAR(rows(0, 6) - rows(rows.num_rows() - 1, 6), lost, 1e-5 * lost);
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
