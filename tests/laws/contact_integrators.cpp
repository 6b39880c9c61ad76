// Contacts by every integrator: held objects move as with loops, beside loops of the model's own, and go on when an event lets them go.
#include <cmath>

#include "support/closed_arms.hpp"
#include "support/contacts.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/sim/contact_events.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

const std::vector<Method> methods{Method::adaptive, Method::rk4, Method::stiff, Method::dae};

Simulation run(Plant& plant, const Instant& start, double time, const std::vector<Event>& events,
               Method method)
{
    SimulationOptions how;
    how.time = time;
    how.method = method;
    how.step = 1e-4;
    // Backward differentiation leaves some hundred times what it is asked for.
    how.tolerances.relative = method == Method::stiff || method == Method::dae ? 1e-12 : 1e-13;
    how.events = events;
    how.signals = {"closure"};
    return simulate(plant, start, how);
}
double largest_closure(const Simulation& done)
{
    double out = 0.0;
    for (std::size_t i = 0; i < done.recording.num_rows(); ++i)
        out = worse(out, done.recording(i, 1));
    return out;
}
// The largest difference of two states, velocities by their largest.
double apart(const Model& model, const Instant& a, const Instant& b)
{
    std::vector<double> d(a.v.size());
    difference<double>(model, a.q, b.q, d);
    double off = 0.0, size = 1.0;
    for (std::size_t j = 0; j < d.size(); ++j) {
        off = worse(off, worse(std::abs(d[j]), std::abs(a.v[j] - b.v[j])));
        size = std::max(size, std::abs(a.v[j]));
    }
    return off / size;
}
PlantOptions held(const Numbers& T, std::vector<Contact> contacts = {})
{
    PlantOptions options;
    options.controller = {
        [T](double, auto, auto, std::span<double> out) { std::copy(T.begin(), T.end(), out.begin()); }};
    options.contacts = std::move(contacts);
    return options;
}

// Loops of a golden mechanism, all of them or all but the first, as contacts: the motion is that of the mechanism.
TEST(ContactIntegrators, HeldObjectsMoveAsWithLoops)
{
    for (const char* name : {"two_arms_box", "three_fingers"})
        for (const std::size_t kept : {0u, 1u}) {
            const GoldenMechanism golden = golden_mechanism(name);
            const auto loops = golden.closed.loops();
            ModelBuilder builder(golden.open);
            for (std::size_t i = 0; i < kept; ++i)
                builder.add_loop(loops[i]);
            const AsContacts as = as_contacts(builder.build(), loops.subspan(kept));
            const Instant start{0.0, golden.q, golden.v};
            Plant closed(golden.closed, held(golden.T));
            const Simulation truth = run(closed, start, 0.2, {}, Method::adaptive);
            for (const Method method : methods) {
                SCOPED_TRACE(std::string(name) + ", own loops: " + std::to_string(kept) + ", method " +
                             std::to_string(static_cast<int>(method)));
                Plant plant(as.model, held(golden.T, as.contacts));
                const Simulation done = run(plant, start, 0.2, {}, method);
                EXPECT_LT(apart(golden.closed, truth.last, done.last), 1e-8);
                EXPECT_LT(largest_closure(done), 1e-12);
                for (const std::string& note : done.notes)
                    ADD_FAILURE() << note;
            }
        }
}

// One hand lets go on the way: from there on the motion is that without it.
TEST(ContactIntegrators, WhatIsLetGoIsFree)
{
    const GoldenMechanism golden = golden_mechanism("two_arms_box");
    const auto loops = golden.closed.loops();
    const AsContacts as = as_contacts(golden.open, loops);
    ModelBuilder builder(golden.open);
    builder.add_loop(loops[0]);
    Plant both(golden.closed, held(golden.T)), one(builder.build(), held(golden.T));
    const Simulation first = run(both, {0.0, golden.q, golden.v}, 0.1, {}, Method::adaptive);
    const Simulation truth = run(one, first.last, 0.1, {}, Method::adaptive);
    for (const Method method : methods) {
        SCOPED_TRACE(static_cast<int>(method));
        Plant plant(as.model, held(golden.T, as.contacts));
        const std::vector<Event> events{{.name = "lets go",
                                         .value = [](double t, auto, auto) { return t - 0.1; },
                                         .jump = [&](double, auto, auto) { plant.grasp()->detach(1); }}};
        const Simulation done = run(plant, {0.0, golden.q, golden.v}, 0.2, events, method);
        ASSERT_EQ(done.events.size(), 1u);
        EXPECT_NEAR(done.events[0].t, 0.1, 1e-12);
        EXPECT_LT(apart(golden.open, truth.last, done.last), 1e-8);
        EXPECT_LT(largest_closure(done), 1e-12);
    }
}

} // namespace
} // namespace sweepdyn::test
