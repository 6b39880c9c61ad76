#include "linear_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "state_argument.hpp"
#include "sweepdyn/linear/linearize.hpp"

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

PassiveForces passive_forces_of(const LinearModelOptions& options)
{
    PassiveForces out{!options.no_passive, 0.0};
    if (!options.friction_speed.empty()) {
        const std::optional<double> speed = typed_number(options.friction_speed);
        if (!speed || !(*speed > 0.0))
            throw UsageError(
                fmt::format("--friction-speed: got '{}', expected a speed above zero, such as 0.01",
                            options.friction_speed));
        if (options.no_passive)
            throw UsageError("--friction-speed and --no-passive exclude each other; leave one out");
        out.friction_speed = *speed;
    }
    return out;
}

} // namespace

LinearModel linear_model(const std::string& command, const LinearModelOptions& options)
{
    LinearizeOptions how;
    how.inputs = names_of(options.inputs, how.inputs);
    how.outputs = names_of(options.outputs, how.outputs);
    how.passive = passive_forces_of(options);
    const Model model = load(options.model);
    note_doubts(model, options.model);
    refuse_couplings(model, command);
    const std::vector<State> states = read_states(model, options.at);
    if (states.size() != 1)
        throw UsageError(fmt::format("--at: got {} states, expected one", states.size()));
    const State& state = states.front();
    OperatingPoint point(model);
    point.q = state.q, point.v = state.v, point.T = state.T, point.external = state.external;
    if (options.hold) {
        Linearization at(model, how.passive);
        at.set_at(state.q, state.v, state.a, state.external);
        const StateSpace known = linearize(model, point, how); // for the names of its inputs
        for (std::size_t j = 0; j < point.T.size(); ++j)
            if (std::find(known.inputs.begin(), known.inputs.end(), "T:" + model.dof_names()[j]) !=
                known.inputs.end())
                point.T[j] = at.T()[j];
    }
    return {model.name(), linearize(model, point, how)};
}

} // namespace sweepdyn::app
