// Laws of events: crossings known in closed form are found to tolerance by every integrator, in order, once each; states jump,
// runs stop.
#include "support/compare.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

using Numbers = std::vector<double>;

std::vector<Method> methods()
{
    return has_sundials() ? std::vector{Method::rk4, Method::adaptive, Method::stiff}
                          : std::vector{Method::rk4};
}

// A mass on a vertical slide, that falls.
Model falling(Limits limits = {})
{
    ModelBuilder builder("falling");
    builder.set_gravity({0, 0, -10});
    builder.add_body({"mass", 2.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    Hinge hinge;
    hinge.name = "slide";
    hinge.kind = HingeKind::prismatic;
    hinge.child = "mass";
    hinge.limits = std::move(limits);
    builder.add_hinge(hinge);
    return builder.build();
}

SimulationOptions options_for(Method method)
{
    SimulationOptions options{.time = 2.0, .method = method, .step = 0.013};
    options.tolerances.relative = 1e-10;
    return options;
}

std::string at(Method method) { return "method " + std::to_string(static_cast<int>(method)); }

// Two crossings in one long step are told in order, and the motion is what it would be without them, bit by bit.
TEST(Events, ThatAreOnlyToldChangeNothing)
{
    for (Method method : {Method::rk4, Method::semi_implicit_euler}) {
        SimulationOptions options{.time = 2.0, .method = method, .step = 0.1};
        Plant plant(falling());
        const Simulation without = simulate(plant, {0.0, {0.0}, {3.0}}, options);
        const auto level = [](double height) {
            return [height](double, std::span<const double> q, std::span<const double>) {
                return q[0] - height;
            };
        };
        options.events = {{"lower", level(-5.4)}, {"higher", level(-5.2)}};
        const Simulation with = simulate(plant, {0.0, {0.0}, {3.0}}, options);
        EXPECT_EQ(with.last.q, without.last.q) << at(method);
        EXPECT_EQ(with.last.v, without.last.v) << at(method);
        EXPECT_EQ(with.recording.values, without.recording.values) << at(method);
        ASSERT_EQ(with.events.size(), 2u) << at(method);
        EXPECT_EQ(with.events[0].event, 1u);
        EXPECT_EQ(with.events[1].event, 0u);
        EXPECT_LT(with.events[0].t, with.events[1].t);
    }
}

// A pendulum's swing through its lowest point, in long steps of a high order: the time of the event errs no more than the motion, and what
// happens there is carried on no worse.
TEST(Events, AreAsAccurateAsTheMotion)
{
    const Model model = load_model(SWEEPDYN_MODELS "/two_link.urdf");
    const auto bounce = [&](Method method, double step, double rtol) {
        Plant plant(model);
        SimulationOptions options{.time = 4.0, .method = method, .step = step};
        options.tolerances.relative = rtol;
        Event wall{"wall", [](double, std::span<const double> q, std::span<const double>) { return q[0]; },
                   Event::Direction::falling};
        wall.jump = [](double, std::span<double>, std::span<double> v) { v[0] = -v[0]; };
        options.events = {wall};
        return simulate(plant, {0.0, {1.2, 0.4}, {0.0, 0.0}}, options);
    };
    const Simulation truth = bounce(Method::rk4, 1e-4, 0.0);
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
        const Simulation done = bounce(Method::adaptive, 0.0, rtol);
        ASSERT_EQ(done.events.size(), truth.events.size());
        for (std::size_t i = 0; i < truth.events.size(); ++i)
            EXPECT_NEAR(done.events[i].t, truth.events[i].t, 20 * rtol + 1e-11) << rtol;
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_NEAR(done.last.q[j], truth.last.q[j], 1e3 * rtol + 1e-9) << rtol; // bounces amplify
    }
}

TEST(Events, AreFoundWhereTheyAre)
{
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        const auto height = [](double level) {
            return
                [level](double, std::span<const double> q, std::span<const double>) { return q[0] - level; };
        };
        options.events = {{"low", height(-5.0), Event::Direction::falling},
                          {"high", height(0.3), Event::Direction::either},
                          {"up only", height(0.3), Event::Direction::rising},
                          {"never", height(9.0)},
                          {"from its start", height(0.0)}}; // crossed once, on the way down
        options.events.push_back(
            {"top", [](double, auto, auto v) { return v[0]; }, Event::Direction::falling});
        Plant plant(falling());
        const Simulation done = simulate(plant, {0.0, {0.0}, {3.0}}, options);
        // q = 3 t - 5 t^2
        const double root = std::sqrt(9 - 20 * 0.3);
        const std::vector<std::pair<std::size_t, double>> expected{{1, (3 - root) / 10},
                                                                   {2, (3 - root) / 10},
                                                                   {5, 0.3},
                                                                   {1, (3 + root) / 10},
                                                                   {4, 0.6},
                                                                   {0, (3 + std::sqrt(109.0)) / 10}};
        ASSERT_EQ(done.events.size(), expected.size()) << at(method);
        const double tolerance = method == Method::stiff ? 1e-7 : 1e-11;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(done.events[i].event, expected[i].first) << at(method) << ", " << i;
            EXPECT_NEAR(done.events[i].t, expected[i].second, tolerance) << at(method) << ", " << i;
        }
        EXPECT_FALSE(done.stopped);
        EXPECT_EQ(done.last.t, 2.0);
    }
}

TEST(Events, StopTheRun)
{
    Limits limits;
    limits.lower = {-0.8};
    limits.upper = {0.7};
    const Model model = falling(limits);
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.every = 0.1;
        options.events = position_limit_events(model, Event::Action::stop);
        ASSERT_EQ(options.events.size(), 2u);
        Plant plant(model);
        const Simulation done = simulate(plant, {0.0, {0.0}, {3.0}}, options);
        ASSERT_TRUE(done.stopped);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_EQ(options.events[done.events[0].event].name, "slide below its limit -0.8 m");
        const double tolerance = method == Method::stiff ? 1e-7 : 1e-11;
        const double lowest = -0.8 - limit_slack, time = 0.3 + std::sqrt(0.09 - lowest / 5);
        EXPECT_NEAR(done.last.t, time, tolerance) << at(method);
        EXPECT_NEAR(done.last.q[0], lowest, tolerance) << at(method);
        EXPECT_LE(done.last.q[0], lowest + 1e-12) << at(method); // at it, or beyond
        // the record ends there
        EXPECT_EQ(done.recording(done.recording.num_rows() - 1, 0), done.last.t);
    }
}

// On its limit a hinge is within it; when it leaves, that is told.
TEST(Events, ALimitMayBeStoodUpon)
{
    Limits limits;
    limits.lower = {0.0};
    const Model model = falling(limits);
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.events = position_limit_events(model, Event::Action::stop);
        Plant held(model, {.controller = {[](double t, auto q, auto v, auto T) {
                               T[0] = 20.0 - 100 * (q[0] + 1e-8 * std::sin(t)) - 20 * v[0]; // to and fro
                           }}});
        const Simulation stays = simulate(held, {0.0, {0.0}, {0.0}}, options);
        EXPECT_FALSE(stays.stopped) << at(method);
        EXPECT_TRUE(stays.events.empty()) << at(method);
        Plant free(model);
        const Simulation falls = simulate(free, {0.0, {0.0}, {0.0}}, options);
        ASSERT_TRUE(falls.stopped) << at(method);
        EXPECT_NEAR(falls.last.t, std::sqrt(limit_slack / 5), method == Method::stiff ? 1e-7 : 1e-9)
            << at(method);
    }
}

// Where the run begins beyond an event that looks at the start, it happens there; crossings alone do not.
TEST(Events, AtTheStart)
{
    Limits limits;
    limits.upper = {0.5};
    const Model model = falling(limits);
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.events = position_limit_events(model, Event::Action::stop);
        Plant plant(model);
        const Simulation done = simulate(plant, {0.0, {0.9}, {0.0}}, options);
        EXPECT_TRUE(done.stopped) << at(method);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_EQ(done.events[0].t, 0.0);
        EXPECT_EQ(done.recording.num_rows(), 1u);
        options.events[0].at_start = false;
        EXPECT_FALSE(simulate(plant, {0.0, {0.9}, {0.0}}, options).stopped) << at(method);
    }
}

// A motion that cannot go on keeps what there was, the last whole state too.
TEST(Events, AFailureKeepsTheData)
{
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.every = 0.25;
        Plant plant(falling(), {.controller = {[](double t, auto, auto, auto T) {
                                    T[0] = t > 0.6 ? std::numeric_limits<double>::quiet_NaN() : 20.0;
                                }}});
        try {
            simulate(plant, {0.0, {0.0}, {1.0}}, options);
            ADD_FAILURE() << at(method);
        } catch (const SimulationFailed& failed) {
            const Simulation& done = failed.so_far;
            EXPECT_EQ(done.failure, failed.what());
            EXPECT_NE(done.failure.find("'slide' is not finite"), std::string::npos) << done.failure;
            ASSERT_GE(done.recording.num_rows(), 3u) << at(method);
            EXPECT_EQ(done.recording(2, 0), 0.5);
            for (std::size_t i = 0; i < done.recording.num_rows(); ++i)
                EXPECT_NEAR(done.recording(i, 1), done.recording(i, 0), 1e-7) << at(method); // q = t
            EXPECT_EQ(done.recording(done.recording.num_rows() - 1, 0), done.last.t);
        }
        Plant never(falling(), {.controller = {[](double, auto, auto, auto T) { T[0] = NAN; }}});
        try {
            simulate(never, {0.0, {0.0}, {1.0}}, options);
            ADD_FAILURE() << at(method);
        } catch (const SimulationFailed&) {
            ADD_FAILURE() << at(method) << ": nothing was there to keep";
        } catch (const RefusedError&) {
        }
    }
}

// A ball that bounces with a loss: the times of impact are a geometric series.
TEST(Events, JumpsBounceABall)
{
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.time = 2.6;
        options.events = {{"touch", [](double, auto q, auto) { return q[0]; }, Event::Direction::falling,
                           Event::Action::record, [](double, auto, auto v) { v[0] = -0.8 * v[0]; }}};
        Plant plant(falling());
        const Simulation done = simulate(plant, {0.0, {1.0}, {0.0}}, options);
        double t = std::sqrt(0.2), speed = 10 * t;
        Numbers expected;
        while (t < 2.6) {
            expected.push_back(t);
            speed *= 0.8;
            t += 2 * speed / 10;
        }
        ASSERT_EQ(done.events.size(), expected.size()) << at(method);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(done.events[i].t, expected[i], method == Method::stiff ? 1e-6 : 1e-10)
                << at(method) << ", " << i;
    }
}

// On a robot that is no polynomial: what the adaptive method finds, a far finer fixed step finds too, wherever steps end.
TEST(Events, OfARobotAreTheSameForAll)
{
    if (!has_sundials())
        GTEST_SKIP() << "built without SUNDIALS";
    const Model model = load_model(SWEEPDYN_MODELS "/two_link.urdf");
    Numbers times[3];
    int which = 0;
    for (Method method : {Method::rk4, Method::adaptive, Method::stiff}) {
        SimulationOptions options{.time = 6.0, .method = method, .step = 5e-4, .every = 0.5};
        options.tolerances.relative = method == Method::stiff ? 1e-11 : 1e-12;
        options.events = {{"elbow turns", [](double, auto, auto v) { return v[1]; }},
                          {"level", [](double, auto q, auto) { return q[0] - 0.2; }}};
        Plant plant(model);
        for (const EventFound& found : simulate(plant, {0.0, {0.4, 0.9}, {0.0, 0.1}}, options).events)
            times[which].push_back(found.t);
        ++which;
    }
    ASSERT_GT(times[0].size(), 4u);
    ASSERT_EQ(times[0].size(), times[1].size());
    ASSERT_EQ(times[0].size(), times[2].size());
    for (std::size_t i = 0; i < times[0].size(); ++i) {
        EXPECT_NEAR(times[1][i], times[0][i], 1e-8) << i;
        EXPECT_NEAR(times[2][i], times[0][i], 1e-6) << i;
    }
}

// What a user's function throws comes out as it was, through SUNDIALS too.
TEST(Events, ExceptionsPassThrough)
{
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.events = {{"bad", [](double t, auto, auto) -> double {
                               if (t > 0.5)
                                   throw std::domain_error("a user's own");
                               return 1.0;
                           }}};
        Plant plant(falling());
        EXPECT_THROW(simulate(plant, {0.0, {1.0}, {0.0}}, options), std::domain_error) << at(method);
        Plant driven(falling(), {.controller = {[](double t, auto, auto, auto) {
                                     if (t > 0.5)
                                         throw std::domain_error("a user's own");
                                 }}});
        EXPECT_THROW(simulate(driven, {0.0, {1.0}, {0.0}}, options_for(method)), std::domain_error)
            << at(method);
    }
}

TEST(Events, GoOnEndsTheRunWithItsDataKept)
{
    for (Method method : methods()) {
        SimulationOptions options = options_for(method);
        options.every = 0.5;
        options.go_on = [](double t) { return t < 0.7; };
        Plant plant(falling());
        const Simulation done = simulate(plant, {0.0, {1.0}, {0.0}}, options);
        EXPECT_TRUE(done.interrupted);
        EXPECT_GE(done.last.t, 0.7);
        EXPECT_EQ(done.recording(done.recording.num_rows() - 1, 0), done.last.t);
    }
}

} // namespace
} // namespace sweepdyn::test
