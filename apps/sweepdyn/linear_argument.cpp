#include "linear_argument.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loop_state.hpp"
#include "state_argument.hpp"
#include "sweepdyn/linear/trim.hpp"

namespace sweepdyn::app {
namespace {

std::vector<std::string> names_of(const std::vector<std::string>& lists, std::vector<std::string> otherwise)
{
    return lists.empty() ? otherwise : listed_names(lists);
}

// The dofs that are to be states, of a model with loops: as typed, else as the file says, else actuated ones where they can be.
void choose_states(const LinearArgument& argument, const Model& model, const std::optional<NativeState>& own,
                   const OperatingPoint& point, const std::string& where, LinearizeOptions& options)
{
    if (model.loops().empty()) {
        if (!argument.independent.empty())
            throw UsageError(fmt::format(
                "--independent: model '{}' has no loops, so all dofs are independent; leave it out",
                model.name()));
        return;
    }
    const DofChoices choices = dof_choices(model, own, {}, argument.independent);
    ClosedMechanism mechanism(model);
    prefer(mechanism, choices);
    mechanism.set(point.q, point.v);
    require_closed(mechanism, where);
    check_independent(mechanism, choices);
    note_singular(mechanism, Told::no_accelerations);
    note_fading(mechanism);
    options.independent.clear();
    for (int j : mechanism.independent())
        options.independent.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
}

// One motor for every hinge force, by numbers; or by name, in JSON: {"elbow": {"time_constant": 0.01, "gear": 100, "drop": 0}, ...}.
std::vector<Motor> motors_of(const std::string& typed, const StateSpace& system)
{
    const auto wrong = [&](const std::string& what) {
        return UsageError(
            fmt::format("--actuators: {}; expected TAU, TAU,GEAR or TAU,GEAR,DROP for every hinge "
                        "force, such as 0.01,100, or @FILE with {{\"DOF\": {{\"time_constant\": "
                        "0.01, \"gear\": 100, \"drop\": 0}}, ...}}",
                        what));
    };
    std::vector<Motor> out;
    if (!typed.starts_with('@')) {
        std::vector<double> numbers;
        for (const std::string& item : names_of({typed}, {})) {
            const std::optional<double> number = typed_number(item);
            if (!number)
                throw wrong(fmt::format("'{}' is no number", item));
            numbers.push_back(*number);
        }
        if (numbers.size() > 3)
            throw wrong(fmt::format("got {} numbers", numbers.size()));
        for (const std::string& input : system.inputs)
            if (input.starts_with("T:"))
                out.push_back({input, numbers[0], numbers.size() > 1 ? numbers[1] : 1.0,
                               numbers.size() > 2 ? numbers[2] : 0.0});
        if (out.empty())
            throw UsageError("--actuators: no input is a hinge force, T:DOF, which a motor could give");
        return out;
    }
    const nlohmann::json json = nlohmann::json::parse(read_text(typed.substr(1)), nullptr, false);
    if (!json.is_object())
        throw wrong(typed.substr(1) + " holds no object in JSON");
    for (const auto& [dof, motor] : json.items()) {
        out.push_back({"T:" + dof});
        if (!motor.is_object() || !motor.contains("time_constant"))
            throw wrong(fmt::format("'{}' has no time_constant", dof));
        for (const auto& [key, value] : motor.items()) {
            double* const number = key == "time_constant" ? &out.back().time_constant
                                   : key == "gear"        ? &out.back().gear
                                   : key == "drop"        ? &out.back().drop
                                                          : nullptr;
            if (!number || !value.is_number())
                throw wrong(fmt::format("'{}' of '{}' is {}", key, dof, number ? "no number" : "not known"));
            *number = value.get<double>();
        }
    }
    return out;
}

// The inputs that push hold the pose: hinge forces alone where they can, for a wrench beside them may be meant as a disturbance;
// else wrenches share the load.
Trim held(const Model& model, const OperatingPoint& point, const std::vector<std::string>& inputs,
          TrimOptions how)
{
    TrimOptions with_wrenches = how;
    for (const std::string& input : inputs) {
        if (input.starts_with("T:"))
            how.inputs.push_back(input);
        if (input.starts_with("T:") || input.starts_with("wrench:"))
            with_wrenches.inputs.push_back(input);
    }
    const bool has_wrenches = with_wrenches.inputs.size() > how.inputs.size();
    if (has_wrenches && how.inputs.empty())
        return trim_forces(model, point, with_wrenches);
    try {
        return trim_forces(model, point, how);
    } catch (const RefusedError&) {
        if (!has_wrenches)
            throw;
    }
    Trim trim = trim_forces(model, point, with_wrenches);
    trim.notes.push_back(
        "hinge forces alone do not hold the pose; the wrenches among the inputs share the load");
    return trim;
}

// Signals few enough to be looked at, one by one. Trim has had all.
void choose_few(const LinearArgument& argument, const Model& model, LinearizeOptions& options)
{
    std::vector<std::string> independent = options.independent;
    if (model.loops().empty())
        independent.assign(model.dof_names().begin(), model.dof_names().end());
    if (argument.inputs.empty() && model.actuated_dofs().value_or(std::vector<int>{}).empty()) {
        options.inputs.clear();
        for (const std::string& dof : independent)
            options.inputs.push_back("T:" + dof);
    }
    if (argument.outputs.empty()) {
        options.outputs.clear();
        for (const std::string& dof : independent)
            options.outputs.push_back("q:" + dof);
    }
}

} // namespace

PassiveForces passive_of(const LinearArgument& argument)
{
    PassiveForces out;
    out.damping = !argument.no_passive;
    if (argument.friction_speed.empty())
        return out;
    const std::optional<double> speed = typed_number(argument.friction_speed);
    if (!speed || !(*speed > 0.0))
        throw UsageError(fmt::format("--friction-speed: got '{}', expected a speed above zero, such as 0.01",
                                     argument.friction_speed));
    if (argument.no_passive)
        throw UsageError("--friction-speed and --no-passive contradict each other");
    out.friction_speed = *speed;
    return out;
}

// As typed, where "actuated" stands for the forces on the model's actuated dofs; else those, of a model that says which they are; else the
// forces on all dofs.
std::vector<std::string> inputs_of(const LinearArgument& argument, const Model& model)
{
    const auto& actuated = model.actuated_dofs();
    const bool none = !actuated || actuated->empty();
    if (argument.inputs.empty() && actuated && none)
        note("the inputs are the forces on all dofs, of which none is actuated");
    std::vector<std::string> out;
    for (const std::string& name : names_of(argument.inputs, {none ? "T:*" : "actuated"})) {
        if (name != "actuated") {
            out.push_back(name);
            continue;
        }
        if (none)
            throw UsageError(
                fmt::format("--inputs: actuated, but model '{}' {}; name the inputs, such as T:*",
                            model.name(), actuated ? "has no actuated dofs" : "does not say which dofs are"));
        for (int j : *actuated)
            out.push_back("T:" + model.dof_names()[static_cast<std::size_t>(j)]);
    }
    return out;
}

LinearPoint linear_point(const LinearArgument& argument, const std::string& command)
{
    LinearizeOptions options;
    options.outputs = names_of(argument.outputs, options.outputs);
    options.passive = passive_of(argument);
    if (!argument.trim.empty() && argument.trim != "forces" && argument.trim != "pose")
        throw UsageError(fmt::format(
            "--trim: got '{}', expected forces (that hold the pose) or pose (that the forces hold)",
            argument.trim));

    const Model model = load(argument.model);
    note_doubts(model, argument.model);
    if (model.num_dofs() == 0)
        throw RefusedError(fmt::format("{}: model '{}' has no dofs, so there is nothing that could move",
                                       command, model.name()));
    options.inputs = inputs_of(argument, model);
    const std::optional<NativeState> own = own_state(argument.model, model);
    const std::vector<State> states = read_states(model, argument.at, own, argument.model.spec);
    if (states.size() != 1)
        throw UsageError(fmt::format("{}: --at: got {} states, expected one", command, states.size()));
    note_unused_acceleration(states[0], command);
    OperatingPoint point(model);
    point.q = states[0].q, point.v = states[0].v, point.T = states[0].T, point.external = states[0].external;
    choose_states(argument, model, own, point,
                  states[0].where.empty() ? "the neutral configuration" : "the state", options);
    if (!argument.trim.empty()) {
        const TrimOptions how{.inputs = {}, .passive = options.passive};
        const bool pose = argument.trim == "pose";
        Trim trim = pose ? trim_pose(model, point, how) : held(model, point, options.inputs, how);
        for (const std::string& text : trim.notes)
            note(text);
        point = std::move(trim.point);
        if (pose) // elsewhere other dofs may be the ones to choose
            choose_states(argument, model, own, point, "the pose found", options);
    }
    if (argument.few_signals)
        choose_few(argument, model, options);
    return {model, std::move(point), std::move(options), states[0].external};
}

void note_system(const StateSpace& system, const LinearArgument& argument)
{
    for (const std::string& text : system.notes)
        note(fmt::format("{}{}", text,
                         text.starts_with("not in equilibrium") && argument.trim.empty()
                             ? "; --trim forces finds hinge forces that hold the pose"
                         : text.starts_with("dry friction") ? " (--friction-speed)"
                                                            : ""));
}

LinearModel linear_model(const LinearArgument& argument, const std::string& command)
{
    LinearPoint at = linear_point(argument, command);
    StateSpace system = linearize(at.model, at.point, at.options);
    note_system(system, argument);
    std::vector<Motor> motors;
    if (!argument.actuators.empty()) {
        motors = motors_of(argument.actuators, system);
        system = with_actuators(system, motors);
    }
    return {at.model,          std::move(at.point), std::move(system), std::move(at.options),
            std::move(motors), std::move(at.loads)};
}

} // namespace sweepdyn::app
