// sweepdyn linearize: A, B, C, D of a mechanism at an operating point, as JSON, CSV or a MAT-file.
#include <filesystem>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "sweepdyn/io/results/state_space.hpp"

namespace sweepdyn::app {

std::string run_linearize(const LinearizeCommand& options)
{
    const std::string ending = std::filesystem::path(options.output).extension().string();
    const bool to_stdout = options.output.empty() || options.output == "-";
    if (!to_stdout && ending != ".json" && ending != ".csv" && ending != ".mat")
        throw UsageError(fmt::format(
            "-o: got '{}', expected a file that ends in .json, .csv or .mat, or - for JSON on stdout",
            options.output));
    LinearModel linear = linear_model(options.linear, "linearize");
    if (options.quaternions)
        linear.system = with_quaternion_states(linear.model, linear.system);
    const std::string& name = linear.model.name();
    const ResultLayout layout = options.indent ? ResultLayout::indented : ResultLayout::line;
    if (to_stdout)
        return write_state_space(linear.system, name, layout) + "\n";
    if (ending == ".mat")
        write_state_space_mat(linear.system, name, options.output);
    else
        replace_file(options.output, ending == ".csv"
                                         ? write_state_space_csv(linear.system)
                                         : write_state_space(linear.system, name, layout) + "\n");
    return "";
}

} // namespace sweepdyn::app
