// sweepdyn bode: how a mechanism answers to vibration, from every input to every output.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "sweepdyn/io/results/frequency_response.hpp"
#include "sweepdyn/io/results/plot.hpp"
#include "sweepdyn/io/results/recording.hpp"
#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn::app {
namespace {

double positive(const char* option, const std::string& typed, double otherwise)
{
    if (typed.empty())
        return otherwise;
    const std::optional<double> number = typed_number(typed);
    if (!number || !(*number > 0.0))
        throw UsageError(fmt::format("{}: got '{}', expected a number above zero", option, typed));
    return *number;
}

// Whole decades, one beyond the slowest and the fastest pole that is not at rest.
std::vector<double> grid(const StateSpace& system, const BodeOptions& options)
{
    double lowest = 0.0, highest = 0.0;
    for (const Pole& pole : poles(system))
        if (const double f = pole.frequency_hz; f > 1e-9) {
            lowest = lowest == 0.0 ? f : std::min(lowest, f);
            highest = std::max(highest, f);
        }
    if (lowest == 0.0)
        lowest = 0.1, highest = 10.0;
    lowest = positive("--from", options.from, std::pow(10.0, std::floor(std::log10(lowest) - 0.5)));
    highest = positive("--to", options.to, std::pow(10.0, std::ceil(std::log10(highest) + 0.5)));
    const double points = positive("--points", options.points, 400);
    if (!(highest > lowest))
        throw UsageError(fmt::format("bode: from {} Hz to {} Hz, expected --from below --to",
                                     number_text(lowest), number_text(highest)));
    if (points != std::floor(points) || points < 2 || points > 1e6)
        throw UsageError(
            fmt::format("--points: got '{}', expected a whole number from 2 to 1e6", options.points));
    return frequencies(lowest, highest, static_cast<int>(points));
}

// Pairs of an input and an output that are drawn where nobody said which: all, while they can be told apart; else every dof under
// its own force, or the first of them.
constexpr std::size_t legible = 12;
std::vector<std::pair<int, int>> drawn(const StateSpace& system)
{
    const auto dof = [](const std::string& signal) { return signal.substr(signal.find(':') + 1); };
    std::vector<std::pair<int, int>> all, own;
    for (int j = 0; j < system.num_inputs(); ++j)
        for (int i = 0; i < system.num_outputs(); ++i) {
            all.emplace_back(j, i);
            if (dof(system.inputs[static_cast<std::size_t>(j)]) ==
                dof(system.outputs[static_cast<std::size_t>(i)]))
                own.emplace_back(j, i);
        }
    if (all.size() <= legible)
        return all;
    std::vector<std::pair<int, int>> out = own.empty() ? all : own;
    const std::size_t candidates = out.size();
    out.resize(std::min(candidates, legible));
    note(fmt::format("of {} curves, too many to be told apart, {}{} are drawn; name others by --inputs and "
                     "--outputs together",
                     all.size(),
                     candidates > legible ? fmt::format("the first {}", legible) : fmt::to_string(candidates),
                     own.empty() ? "" : " of a dof under its own force"));
    return out;
}

} // namespace

std::string run_bode(const BodeOptions& options)
{
    const std::string ending = std::filesystem::path(options.output).extension().string();
    const bool to_stdout = options.output.empty() || options.output == "-";
    if (!to_stdout && ending != ".json" && ending != ".csv" && ending != ".svg")
        throw UsageError(fmt::format(
            "-o: got '{}', expected a file that ends in .json, .csv or .svg, or - for JSON on stdout",
            options.output));
    if (!to_stdout)
        check_output(options.output);
    LinearArgument argument = options.linear;
    argument.few_signals = true;
    const LinearModel linear = linear_model(argument, "bode");
    const std::string& name = linear.model.name();
    const bool told = !argument.inputs.empty() && !argument.outputs.empty();
    const BodeDiagram diagram =
        bode_diagram(linear.system, grid(linear.system, options),
                     told ? std::vector<std::pair<int, int>>{} : drawn(linear.system));
    if (!diagram.silent.empty())
        note(fmt::format("left out, for nothing passes: {}{}", diagram.silent.front(),
                         diagram.silent.size() > 1 ? fmt::format(" and {} more", diagram.silent.size() - 1)
                                                   : ""));
    if (to_stdout)
        return write_bode(diagram, name) + "\n";
    if (ending == ".svg") {
        Plot plot = plot_of(diagram.curves, name);
        plot.logarithmic_x = true;
        replace_file(options.output, write_svg(plot));
    } else
        replace_file(options.output,
                     ending == ".csv" ? write_csv(diagram.curves) : write_bode(diagram, name) + "\n");
    return "";
}

} // namespace sweepdyn::app
