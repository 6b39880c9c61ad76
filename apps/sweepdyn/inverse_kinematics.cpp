// sweepdyn ik: configurations that put frames where they are wanted, as JSON.
#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/inverse_kinematics.hpp"

namespace sweepdyn::app {
namespace {

// Whole and at least one; `otherwise` when none was typed.
int count_of(const char* option, const std::string& typed, int otherwise)
{
    if (typed.empty())
        return otherwise;
    const std::optional<double> number = typed_number(typed);
    if (!number || *number < 1.0 || *number > 1e9 || *number != std::floor(*number))
        throw UsageError(fmt::format("{}: got '{}', expected a whole number from 1 on", option, typed));
    return static_cast<int>(*number);
}

double positive(const char* option, const std::string& typed, double otherwise, const char* example)
{
    if (typed.empty())
        return otherwise;
    const std::optional<double> number = typed_number(typed);
    if (!number || !(*number > 0.0))
        throw UsageError(
            fmt::format("{}: got '{}', expected a number above zero, such as {}", option, typed, example));
    return *number;
}

// A target that was typed is a matter of usage, one in a file of data.
FrameTask task_of(FrameId frame, const std::string& name, const std::string& typed)
{
    if (typed.starts_with('@'))
        return read_frame_task(frame, read_text(typed.substr(1)), typed.substr(1));
    try {
        return read_frame_task(frame, typed, fmt::format("--target of frame '{}'", name));
    } catch (const StateError& error) {
        throw UsageError(error.what());
    }
}

} // namespace

std::string run_ik(const IkOptions& options)
{
    if (options.frames.empty())
        throw UsageError(
            "ik needs --frame FRAME --target TARGET, such as --frame tool --target 0.4,0,0.6; ik --help "
            "tells more");
    if (options.frames.size() != options.targets.size())
        throw UsageError(
            fmt::format("ik: got {} --frame and {} --target; expected a --target for each --frame, in the "
                        "same order",
                        options.frames.size(), options.targets.size()));
    InverseKinematicsOptions how;
    how.seeds = count_of("--seeds", options.seeds, how.seeds);
    how.iterations = count_of("--iterations", options.iterations, how.iterations);
    how.tolerance = positive("--tolerance", options.tolerance, how.tolerance, "1e-8");
    how.length = positive("--length", options.length, how.length, "0.5");
    how.limits = !options.no_limits;
    how.move_base = options.move_base;
    how.locked = options.locked;

    const Model model = load(options.model);
    note_doubts(model, options.model);
    refuse_couplings(model, "ik");
    std::vector<FrameTask> tasks;
    for (std::size_t i = 0; i < options.frames.size(); ++i)
        tasks.push_back(task_of(model.frame(options.frames[i]), options.frames[i], options.targets[i]));

    InverseKinematics ik(model, std::move(tasks), how);
    std::string out;
    for (const State& state :
         read_states(model, options.state, own_state(options.model, model), options.model.spec)) {
        std::vector<double> q(state.q.size());
        if (!ik.solve(state.q, q).solved) {
            const std::string where = state.where.empty() ? "ik" : state.where;
            if (!options.best)
                throw RefusedError(
                    fmt::format("{}: {}\ngive more --seeds or a --state nearer to it, or take the best "
                                "as it is with --best",
                                where, ik.words()));
            note(fmt::format("{}: {}", where, ik.words()));
        }
        out += options.as_state ? write_configuration(q)
                                : write_inverse_kinematics(
                                      ik, q, options.indent ? ResultLayout::indented : ResultLayout::line);
        out += "\n";
    }
    return out;
}

} // namespace sweepdyn::app
