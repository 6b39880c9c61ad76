// Simulation of the nonlinear model, free, driven or in closed loop: one loop over steps, whatever the integrator.
//
//     a step ends at the next output, sample of the controller, or the end, whichever is first;
//     an event inside it is located: by SUNDIALS' root finding, or by shortening a fixed step until it ends there;
//     then the state jumps where an event says so, the controller is sampled, the signals are recorded.
//
// A mechanism with loops begins closed: a start that is a little open is closed, and that is noted; one that is far from it is
// refused. After every step, and after every jump, the plant's project() closes it again.
//
// Runs are deterministic: the same input gives the same bits. Specified by tests/laws/simulation.cpp and tests/laws/events.cpp.
#pragma once

#include "sweepdyn/sim/integrator.hpp"
#include "sweepdyn/sim/signals.hpp"
#include "sweepdyn/sim/sundials.hpp"

namespace sweepdyn {

enum class Method { rk4, semi_implicit_euler, adaptive, stiff, dae };

struct SimulationOptions {
    double time = 1.0; // s, from the start
    Method method = Method::rk4;
    double step = 1e-3; // s, of the fixed methods
    Tolerances tolerances{}; // of the others
    double every = 0.0; // s between records; 0: after every step
    std::vector<std::string> signals{"q:*", "v:*"};
    std::vector<Event> events{};
    std::function<bool(double t)> go_on{}; // asked after every step; false ends the run, its data kept
};

struct EventFound {
    std::size_t event; // index into SimulationOptions::events
    double t;
    std::string words{}; // of the event, where it has any
};

struct Simulation {
    Recording recording;
    std::vector<EventFound> events;
    std::vector<std::string> notes; // what was done to the start, and when more than one motion was possible
    Instant last;
    long steps = 0;
    bool interrupted = false; // by go_on
    bool stopped = false; // by an event, the last of events
    std::string failure{}; // why the motion could not go on; empty: it could
};

// A motion that could not go on, with what there was of it until then.
struct SimulationFailed : RefusedError {
    explicit SimulationFailed(Simulation done) : RefusedError(done.failure), so_far(std::move(done)) {}
    Simulation so_far;
};

std::unique_ptr<Integrator> make_integrator(Plant& plant, const SimulationOptions& options);

// Throws UsageError for options that cannot be, RefusedError for a motion that cannot begin, SimulationFailed for one that cannot
// go on after its first step.
Simulation simulate(Plant& plant, Instant start, const SimulationOptions& options);

} // namespace sweepdyn
