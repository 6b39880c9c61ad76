#include "linear_argument.hpp"

#include <fmt/format.h>

#include "state_argument.hpp"
#include "sweepdyn/linear/trim.hpp"

namespace sweepdyn::app {
namespace {

// "T:elbow,gravity" and more of the same.
std::vector<std::string> split(const std::vector<std::string>& lists)
{
    std::vector<std::string> out;
    for (const std::string& list : lists)
        for (std::size_t first = 0; first <= list.size();) {
            const std::size_t comma = std::min(list.find(',', first), list.size());
            if (comma > first)
                out.push_back(list.substr(first, comma - first));
            first = comma + 1;
        }
    return out;
}

} // namespace

LinearModel linear_model(const LinearArgument& argument, const std::string& command)
{
    LinearizeOptions options;
    if (!argument.inputs.empty())
        options.inputs = split(argument.inputs);
    if (!argument.outputs.empty())
        options.outputs = split(argument.outputs);
    options.passive.damping = !argument.no_passive;
    if (!argument.friction_speed.empty()) {
        const std::optional<double> speed = typed_number(argument.friction_speed);
        if (!speed || !(*speed > 0.0))
            throw UsageError(
                fmt::format("--friction-speed: got '{}', expected a speed above zero, such as 0.01",
                            argument.friction_speed));
        if (argument.no_passive)
            throw UsageError("--friction-speed and --no-passive contradict each other");
        options.passive.friction_speed = *speed;
    }
    if (!argument.trim.empty() && argument.trim != "forces" && argument.trim != "pose")
        throw UsageError(fmt::format(
            "--trim: got '{}', expected forces (that hold the pose) or pose (that the forces hold)",
            argument.trim));

    const Model model = load(argument.model);
    note_doubts(model, argument.model);
    refuse_couplings(model, command);
    const std::vector<State> states = read_states(model, argument.at);
    if (states.size() != 1)
        throw UsageError(fmt::format("{}: --at holds {} states, expected one", command, states.size()));
    OperatingPoint point(model);
    point.q = states[0].q, point.v = states[0].v, point.T = states[0].T, point.external = states[0].external;
    if (!argument.trim.empty()) {
        const TrimOptions how{.inputs = {}, .passive = options.passive};
        Trim trim = argument.trim == "forces" ? trim_forces(model, point, how) : trim_pose(model, point, how);
        for (const std::string& text : trim.notes)
            note(text);
        point = std::move(trim.point);
    }
    StateSpace system = linearize(model, point, options);
    for (const std::string& text : system.notes)
        note(fmt::format("{}{}", text,
                         text.starts_with("not in equilibrium") && argument.trim.empty()
                             ? "; --trim forces finds hinge forces that hold the pose"
                             : ""));
    return {model, std::move(point), std::move(system)};
}

} // namespace sweepdyn::app
