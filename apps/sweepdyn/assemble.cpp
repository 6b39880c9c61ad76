// sweepdyn assemble: states that close the loops of a mechanism, as JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/closed/projection.hpp"
#include "sweepdyn/io/results/state_write.hpp"
#include "terminal.hpp"
#include "typed_names.hpp"

namespace sweepdyn::app {
namespace {

bool any(const std::vector<double>& numbers)
{
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
}

// The velocities nearest to those given, in the mass metric, that keep the loops closed.
std::vector<double> closing_velocities(const Model& model, const std::vector<double>& q,
                                       std::vector<double> v)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    update_inertias(kin);
    ClosedDynamics dynamics(model);
    dynamics.update(kin);
    if (!dynamics.singular().empty())
        throw RefusedError("assemble: hinge '" +
                           model.hinges()[static_cast<std::size_t>(dynamics.singular().front())].name +
                           "' has no inertia to move, so that velocities cannot be weighed; leave v out");
    Projection(model).velocities(kin, dynamics, v);
    return v;
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
    if (to_file)
        check_output(options.output);

    const Model model = load(options.model);
    note_doubts(model, options.model);
    if (model.loops().empty())
        throw RefusedError(fmt::format(
            "model '{}' has no loops or couplings, so that there is nothing to assemble", model.name()));
    std::string out;
    for (const State& state :
         read_states(model, options.state, own_state(options.model, model), options.model.spec)) {
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
                closed.v = closing_velocities(model, q, state.v);
            out += write_state(model, closed) + "\n";
        }
    }
    if (!to_file)
        return out;
    replace_file(options.output, out);
    return {};
}

} // namespace sweepdyn::app
