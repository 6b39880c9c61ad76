// sweepdyn assemble: states that close the loops of a mechanism, as JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/closed/closing_velocities.hpp"
#include "sweepdyn/io/results/state_write.hpp"
#include "terminal.hpp"
#include "typed_names.hpp"

namespace sweepdyn::app {
namespace {

bool any(const std::vector<double>& numbers)
{
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
}

// A held dof stays where it is, within its limits or not.
void note_held_beyond_limits(const Model& model, const std::vector<double>& q, const AssemblyOptions& how)
{
    if (!how.limits)
        return;
    for (int dof : held_dofs(model, how.hold)) {
        const auto body = static_cast<std::size_t>(model.tree().body_of_dof[static_cast<std::size_t>(dof)]);
        const auto i = static_cast<std::size_t>(dof - model.tree().first_dof[body]);
        const Hinge& hinge = model.hinges()[body];
        if (has_quaternion(hinge) || i >= hinge.limits.upper.size())
            continue;
        const double x = q[static_cast<std::size_t>(model.tree().first_coordinate[body]) + i],
                     lower = i < hinge.limits.lower.size() ? hinge.limits.lower[i] : -INFINITY;
        if (x < lower || x > hinge.limits.upper[i])
            note(fmt::format("'{}' is held at {}, beyond its limits {} to {}",
                             model.dof_names()[static_cast<std::size_t>(dof)], number_text(x),
                             number_text(lower), number_text(hinge.limits.upper[i])));
    }
}

std::vector<double> closing(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                            const AssemblyOptions& how)
{
    ClosingVelocities found = closing_velocities(model, q, v, how.hold);
    std::string follow;
    for (int dof : found.not_held) {
        const auto j = static_cast<std::size_t>(dof);
        follow += fmt::format("{}'{}' {} in the place of {}", follow.empty() ? "" : ", ",
                              model.dof_names()[j], number_text(found.v[j]), number_text(v[j]));
    }
    if (!follow.empty())
        note(fmt::format("velocities of held dofs follow from those of others: {}", follow));
    return std::move(found.v);
}

} // namespace

std::string run_assemble(const AssembleOptions& options)
{
    AssemblyOptions how;
    how.limits = !options.no_limits;
    if (!options.branches.empty()) {
        const std::optional<double> number = typed_number(options.branches);
        if (!number || *number < 1.0 || *number > 1e6 || *number != std::floor(*number))
            throw UsageError(
                fmt::format("--branches: got '{}', expected a whole number from 1 to 1e6", options.branches));
        how.branches = static_cast<int>(*number);
        how.starts = std::max(how.starts, 20 * how.branches);
    }
    how.hold = typed_names("--hold", options.hold);
    const bool to_file = !options.output.empty() && options.output != "-";
    check_ending(options.output, {".json", ".jsonl"});
    if (to_file)
        check_output(options.output);

    const Model model = load(options.model);
    note_doubts(model, options.model);
    if (model.loops().empty())
        throw RefusedError(fmt::format(
            "model '{}' has no loops or couplings, so that there is nothing to assemble", model.name()));
    std::string out;
    const std::optional<NativeState> own = own_state(options.model, model);
    if (own && own->independent_velocity)
        for (int j : *own->independent_velocity)
            how.independent.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    for (const State& state : read_states(model, options.state, own, options.model.spec)) {
        note_held_beyond_limits(model, state.q, how);
        const Assembly found = assemble(model, state.q, how);
        if (!found.closed())
            throw RefusedError(
                fmt::format("{}{}", state.where.empty() ? "" : state.where + ": ", words(model, found)));
        if (!found.contradictions.empty())
            note(words(model, found));
        if (static_cast<int>(found.branches.size()) < how.branches)
            note(fmt::format("{} of {} branches found, in {}", found.branches.size(), how.branches,
                             count(static_cast<std::size_t>(found.starts), "start", "starts")));
        for (const std::vector<double>& q : found.branches) {
            State closed = state;
            closed.q = q;
            if (any(state.v))
                closed.v = closing(model, q, state.v, how);
            out += write_state(model, closed) + "\n";
        }
    }
    if (!to_file)
        return out;
    replace_file(options.output, out);
    return {};
}

} // namespace sweepdyn::app
