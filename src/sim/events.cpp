#include "sweepdyn/sim/events.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/sim/signals.hpp"

namespace sweepdyn {
namespace {

Event limit_event(const std::string& dof, const char* side, double limit, const std::string& unit,
                  Event::Action action)
{
    Event event;
    event.name = dof + " " + side + " its limit " + number_text(limit) + (unit.empty() ? "" : " " + unit);
    event.direction = Event::Direction::rising;
    event.action = action;
    event.at_start = true;
    return event;
}

double with_slack(double limit) { return limit + limit_slack * std::max(1.0, std::abs(limit)); }

} // namespace

std::vector<Event> position_limit_events(const Model& model, Event::Action action)
{
    std::vector<Event> events;
    const Tree& tree = model.tree();
    const std::vector<std::string> names = coordinate_names(model), units = coordinate_units(model);
    for (int k : tree.base_to_tip()) {
        const Limits& limits = model.hinges()[static_cast<std::size_t>(k)].limits;
        const auto first = static_cast<std::size_t>(tree.first_coordinate[static_cast<std::size_t>(k)]);
        if (has_quaternion(model.hinges()[static_cast<std::size_t>(k)]))
            continue; // their limits have no coordinate
        for (std::size_t i = 0; i < limits.upper.size(); ++i)
            if (std::isfinite(limits.upper[i])) {
                events.push_back(
                    limit_event(names[first + i], "above", limits.upper[i], units[first + i], action));
                events.back().value = [at = first + i, limit = with_slack(limits.upper[i])](
                                          double, auto q, auto) { return q[at] - limit; };
            }
        for (std::size_t i = 0; i < limits.lower.size(); ++i)
            if (std::isfinite(limits.lower[i])) {
                events.push_back(
                    limit_event(names[first + i], "below", limits.lower[i], units[first + i], action));
                events.back().value = [at = first + i, limit = with_slack(-limits.lower[i])](
                                          double, auto q, auto) { return -q[at] - limit; };
            }
    }
    return events;
}

std::vector<Event> velocity_limit_events(const Model& model, Event::Action action)
{
    std::vector<Event> events;
    const Tree& tree = model.tree();
    const std::vector<std::string> units = velocity_units(model);
    for (int k : tree.base_to_tip()) {
        const Limits& limits = model.hinges()[static_cast<std::size_t>(k)].limits;
        const auto first = static_cast<std::size_t>(tree.first_dof[static_cast<std::size_t>(k)]);
        for (std::size_t i = 0; i < limits.velocity.size(); ++i)
            if (std::isfinite(limits.velocity[i]) && limits.velocity[i] > 0.0) {
                events.push_back(limit_event("|v| of " + model.dof_names()[first + i], "above",
                                             limits.velocity[i], units[first + i], action));
                events.back().value = [at = first + i, limit = with_slack(limits.velocity[i])](
                                          double, auto, auto v) { return std::abs(v[at]) - limit; };
            }
    }
    return events;
}

} // namespace sweepdyn
