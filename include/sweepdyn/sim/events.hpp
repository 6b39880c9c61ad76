// Events: where a function of the state crosses zero.
//
//     {"touch", [](double t, auto q, auto v) { return q[0]; }, Event::Direction::falling, Event::Action::record,
//      [](double t, auto q, auto v) { v[0] = -0.8 * v[0]; }}                       // a ball that bounces
//
// A crossing is located by root finding, then told and, if wanted, the state jumps or the run stops. The state told is the
// first one beyond the crossing. Specified by tests/laws/events.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct Event {
    enum class Direction { falling = -1, either = 0, rising = 1 };
    enum class Action { record, stop };
    using Value = std::function<double(double t, std::span<const double> q, std::span<const double> v)>;
    using Words = std::function<std::string(double t, std::span<const double> q, std::span<const double> v)>;
    using Jump = std::function<void(double t, std::span<double> q, std::span<double> v)>;

    std::string name;
    Value value;
    Direction direction = Direction::either;
    Action action = Action::record;
    Jump jump{}; // changes the state where the event happens; none: nothing changes
    bool at_start =
        false; // happens at once where the run begins beyond zero already, the wanted way; not if another's jump took it back
    std::function<bool(double t, std::span<const double> q, std::span<const double> v)>
        stops_if{}; // where it stops all the same, without a jump
    Words words{}; // what is to be told beside the name, of the state before the jump; none: nothing
};

// Whether the value went through zero the wanted way; a value that starts at zero has not crossed it.
inline bool crossed(Event::Direction direction, double before, double after)
{
    const bool up = before < 0.0 && after >= 0.0, down = before > 0.0 && after <= 0.0;
    return direction == Event::Direction::rising    ? up
           : direction == Event::Direction::falling ? down
                                                    : up || down;
}

// Whether the value is beyond zero already; of an event either way nobody can say.
inline bool beyond(Event::Direction direction, double value)
{
    return static_cast<int>(direction) * value > 0.0;
}

// By how much a limit may be passed before it counts, of itself or of one: a hinge that is held on its limit, where round-off
// and a regulator move it to and fro, is within it.
inline constexpr double limit_slack = 1e-6;

// One event for every position limit of the model's hinges, on the way out: "elbow above its limit 2.1 rad"; where the run
// begins beyond one it happens at once.
std::vector<Event> position_limit_events(const Model& model, Event::Action action);
// |v| of a dof rises above a speed: the model's velocity limits.
std::vector<Event> velocity_limit_events(const Model& model, Event::Action action);

} // namespace sweepdyn
