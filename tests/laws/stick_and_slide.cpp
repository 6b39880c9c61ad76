// Laws of friction in simulation: what slides comes to rest, sticks, and slides again, when and where Coulomb says so; by closed forms.
#include <cmath>

#include <gtest/gtest.h>

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
               Method method, std::vector<std::string> signals = {"q:*"})
{
    SimulationOptions options;
    options.time = time;
    options.method = method;
    options.step = 1e-3;
    options.tolerances.relative = 1e-12;
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
                EXPECT_EQ(told(done, events), (std::vector<std::string>{"contact 'sole' comes to rest",
                                                                        "contact 'sole' slips"}))
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
// v0 k / (g sin (k^2 - 1)), v0^2/(4 g sin (k^2 - 1)) down the slope and 2 k v0^2 / (g sin (4 k^2 - 1)) across.
TEST(StickAndSlide, CurvesToRest)
{
    const double alpha = 0.4, k = 2.5, v = 1.2, s = g * std::sin(alpha);
    for (const Method method : methods) {
        Plant plant(block_on_slope(alpha), touching(ContactKind::sliding, k * std::tan(alpha)));
        const std::vector<Event> events = contact_events(plant);
        const Simulation done = run(plant, moving(0.0, v), 1.0, events, method);
        const double near = method == Method::rk4 ? 1e-6 : tolerance(method);
        ASSERT_EQ(told(done, events), (std::vector<std::string>{"contact 'sole' comes to rest"}))
            << word(method);
        EXPECT_NEAR(done.events[0].t, v * k / (s * (k * k - 1)), near) << word(method);
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

} // namespace
} // namespace sweepdyn
