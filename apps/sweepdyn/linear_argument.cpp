#include "linear_argument.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "state_argument.hpp"
#include "sweepdyn/linear/trim.hpp"

namespace sweepdyn::app {
namespace {

// Names with commas between; a backslash makes a comma part of a name.
std::vector<std::string> names_of(const std::vector<std::string>& lists, std::vector<std::string> otherwise)
{
    if (lists.empty())
        return otherwise;
    std::vector<std::string> out;
    for (const std::string& list : lists) {
        out.emplace_back();
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i] == ',')
                out.emplace_back();
            else
                out.back() += list[i] == '\\' && i + 1 < list.size() ? list[++i] : list[i];
    }
    return out;
}

} // namespace

LinearModel linear_model(const LinearArgument& argument, const std::string& command)
{
    LinearizeOptions options;
    options.inputs = names_of(argument.inputs, options.inputs);
    options.outputs = names_of(argument.outputs, options.outputs);
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
    if (model.num_dofs() == 0)
        throw RefusedError(fmt::format("{}: model '{}' has no dofs, so there is nothing that could move",
                                       command, model.name()));
    const std::vector<State> states = read_states(model, argument.at);
    if (states.size() != 1)
        throw UsageError(fmt::format("{}: --at: got {} states, expected one", command, states.size()));
    OperatingPoint point(model);
    point.q = states[0].q, point.v = states[0].v, point.T = states[0].T, point.external = states[0].external;
    if (!argument.trim.empty()) {
        TrimOptions how{.inputs = {}, .passive = options.passive};
        // Of a wrench among the inputs only a floating base expects support; elsewhere it is a disturbance.
        const bool floats = std::any_of(model.hinges().begin(), model.hinges().end(), [](const Hinge& hinge) {
            return hinge.kind == HingeKind::free && hinge.parent.empty();
        });
        if (!argument.inputs.empty())
            for (const std::string& input : options.inputs)
                if (input.starts_with("T:") || (floats && input.starts_with("wrench:")))
                    how.inputs.push_back(input);
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
                         : text.starts_with("dry friction") ? " (--friction-speed)"
                                                            : ""));
    return {model, std::move(point), std::move(system)};
}

} // namespace sweepdyn::app
