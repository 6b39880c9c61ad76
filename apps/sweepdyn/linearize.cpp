// sweepdyn linearize: A, B, C, D (and E) of a mechanism at an operating point, as JSON, CSV or a MAT-file.
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
    const std::pair<bool, const char*> exclusive[] = {{options.quaternions, "--quaternions"},
                                                      {options.descriptor, "--descriptor"},
                                                      {!options.linear.actuators.empty(), "--actuators"}};
    const char* first = nullptr;
    for (const auto& [given, name] : exclusive) {
        if (given && first)
            throw UsageError(fmt::format("{} and {} do not go together; expected one of them", first, name));
        if (given)
            first = name;
    }
    const auto write = [&](const auto& system, const std::string& name) -> std::string {
        const ResultLayout layout = options.indent ? ResultLayout::indented : ResultLayout::line;
        if (to_stdout)
            return write_state_space(system, name, layout) + "\n";
        if (ending == ".mat")
            write_state_space_mat(system, name, options.output);
        else
            replace_file(options.output, ending == ".csv" ? write_state_space_csv(system)
                                                          : write_state_space(system, name, layout) + "\n");
        return "";
    };
    if (options.descriptor) {
        const LinearPoint at = linear_point(options.linear, "linearize");
        const DescriptorSystem form = descriptor(at.model, at.point, at.options);
        note_system(form.system, options.linear);
        return write(form, at.model.name());
    }
    LinearModel linear = linear_model(options.linear, "linearize");
    if (options.quaternions) {
        const std::size_t told = linear.system.notes.size();
        linear.system = with_quaternion_states(linear.model, linear.system);
        for (std::size_t i = told; i < linear.system.notes.size(); ++i)
            note(linear.system.notes[i]);
    }
    return write(linear.system, linear.model.name());
}

} // namespace sweepdyn::app
