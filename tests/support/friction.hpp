// What the laws of friction in simulation share: every method on one motion, and what was told of it.
#pragma once

#include <string>
#include <vector>

#include "support/contacts.hpp"
#include "sweepdyn/sim/contact_events.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {

inline constexpr double g = 9.81;
inline const std::vector<Method> methods{Method::rk4, Method::adaptive, Method::stiff, Method::dae};
inline const char* word(Method method)
{
    return method == Method::rk4        ? "rk4"
           : method == Method::adaptive ? "adaptive"
           : method == Method::stiff    ? "stiff"
                                        : "dae";
}
// Of closed forms; backward differentiation leaves some hundred times what it is asked for.
inline double tolerance(Method method)
{
    return method == Method::rk4 || method == Method::adaptive ? 1e-9 : 1e-7;
}

inline Simulation run(Plant& plant, const Instant& start, double time, const std::vector<Event>& events,
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
inline std::vector<std::string> told(const Simulation& done, const std::vector<Event>& events)
{
    std::vector<std::string> names;
    for (const EventFound& found : done.events)
        names.push_back(events[found.event].name);
    return names;
}

// Contacts of the box on its four feet. [contacts.hpp]
inline PlantOptions on_feet(ContactKind kind, double mu)
{
    PlantOptions options;
    for (const std::string n : {"0", "1", "2", "3"})
        options.contacts.push_back(
            {.name = "foot" + n, .kind = kind, .hand = "foot" + n, .object = "floor" + n, .mu = mu});
    return options;
}

} // namespace sweepdyn::test
