#include "tracking.hpp"

#include <fmt/format.h>

#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/recording.hpp"
#include "sweepdyn/io/results/tracking.hpp"
#include "sweepdyn/sim/motion_table.hpp"
#include "weights.hpp"

namespace sweepdyn::app {

void check_tracking(const RegulateOptions& options)
{
    if (options.along.empty())
        throw UsageError(
            "regulate: --design tvlqr needs the motion to follow, --along FILE, as simulate records "
            "it by --signals 'q:*,v:*,qdd:*'");
    const std::pair<const char*, bool> others[] = {{"--at", !options.linear.at.empty()},
                                                   {"--trim", !options.linear.trim.empty()},
                                                   {"--inputs", !options.linear.inputs.empty()},
                                                   {"--outputs", !options.linear.outputs.empty()},
                                                   {"--actuators", !options.linear.actuators.empty()},
                                                   {"--reduce", options.reduce},
                                                   {"--kalman", options.kalman}};
    for (const auto& [option, given] : others)
        if (given)
            throw UsageError(fmt::format("{} has no meaning for --design tvlqr, which follows --along with a "
                                         "force at every hinge",
                                         option));
}

std::string run_tracking(const RegulateOptions& options)
{
    const PassiveForces passive = passive_of(options.linear);
    const Model model = load(options.linear.model);
    note_doubts(model, options.linear.model);
    refuse_couplings(model, "regulate");
    if (model.num_dofs() == 0)
        throw RefusedError(fmt::format(
            "regulate: model '{}' has no dofs, so there is nothing that could move", model.name()));
    Tracking out;
    try {
        out.points = motion_in_time(model, read_recording(read_text(options.along), options.along));
    } catch (const UsageError& error) {
        throw StateError(options.along, {error.what()});
    }
    set_feedforward(model, out.points, passive);
    const int n = model.num_dofs();
    const Matrix Q = weight_of("--Q", options.Q, 2 * n);
    out.gains = tvlqr_along(model, out.points, Q, weight_of("--R", options.R, n),
                            options.Qf.empty() ? Q : weight_of("--Qf", options.Qf, 2 * n), passive);
    const std::string text =
        write_tracking(model, out, options.indent ? ResultLayout::indented : ResultLayout::line) + "\n";
    if (options.output.empty() || options.output == "-")
        return text;
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
