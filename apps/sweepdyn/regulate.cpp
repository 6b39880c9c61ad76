// sweepdyn regulate: state feedback for a mechanism at a state, as JSON.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/control/decoupled_regulator.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/pole_placement.hpp"
#include "sweepdyn/control/reduce.hpp"
#include "sweepdyn/io/results/regulator.hpp"
#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn::app {
namespace {

std::vector<std::string> items(const std::string& list)
{
    std::vector<std::string> out{""};
    for (char c : list)
        if (c == ',')
            out.emplace_back();
        else if (c != ' ')
            out.back() += c;
    return out;
}

std::vector<double> numbers_of(const char* option, const std::string& typed, const char* example)
{
    if (typed.empty())
        throw UsageError(
            fmt::format("regulate: this design needs {}, such as {} {}", option, option, example));
    std::vector<double> out;
    for (const std::string& item : items(typed)) {
        const std::optional<double> number = typed_number(item);
        if (!number)
            throw UsageError(
                fmt::format("{}: got '{}', where '{}' is no number; expected numbers and commas, such as {}",
                            option, typed, item, example));
        out.push_back(*number);
    }
    return out;
}

// -2, 3i, -1+2i, -1-2.5j.
std::optional<std::complex<double>> complex_of(std::string_view text)
{
    const auto take = [&](double& number) {
        if (text.starts_with('+') && !text.starts_with("+-"))
            text.remove_prefix(1);
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (fault != std::errc{} || !std::isfinite(number))
            return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    };
    const auto is_unit = [&] { return text == "i" || text == "j"; };
    double first = 0.0, second = 0.0;
    if (!take(first))
        return std::nullopt;
    if (text.empty())
        return std::complex<double>(first, 0.0);
    if (is_unit())
        return std::complex<double>(0.0, first);
    if (!(text.starts_with('+') || text.starts_with('-')) || !take(second) || !is_unit())
        return std::nullopt;
    return std::complex<double>(first, second);
}

std::vector<std::complex<double>> poles_of(const std::string& typed)
{
    constexpr const char* example = "--poles=-2,-3,-1+2i,-1-2i";
    if (typed.empty())
        throw UsageError(fmt::format("regulate: --design place needs the poles, such as {}", example));
    std::vector<std::complex<double>> out;
    for (const std::string& item : items(typed)) {
        const auto pole = complex_of(item);
        if (!pole)
            throw UsageError(fmt::format("--poles: got '{}', where '{}' is no pole; expected such as {}",
                                         typed, item, example));
        out.push_back(*pole);
    }
    return out;
}

// One number for all, one for each, or a matrix as JSON; @FILE holds any of them.
Matrix weight_of(const char* option, const std::string& typed, int size)
{
    const bool file = typed.starts_with('@');
    std::string text = file ? read_text(typed.substr(1)) : typed;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (text.find("[[") == text.npos && text.find('[') == text.npos)
        return diagonal_weights(numbers_of(option, text.empty() ? "1" : text, "1,10"), size, option);
    const auto wrong = [&]() -> UsageError {
        return UsageError(fmt::format(
            "{}: expected numbers and commas, or {} rows of {} numbers as JSON, [[1, 0, ...], ...]", option,
            size, size));
    };
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    Matrix out(size, size);
    if (!json.is_array() || json.size() != out.column(0).size())
        throw wrong();
    for (int i = 0; i < size; ++i) {
        const nlohmann::json& row = json[static_cast<std::size_t>(i)];
        if (!row.is_array() || row.size() != json.size())
            throw wrong();
        for (int j = 0; j < size; ++j) {
            const nlohmann::json& entry = row[static_cast<std::size_t>(j)];
            if (!entry.is_number())
                throw wrong();
            out(i, j) = entry.get<double>();
        }
    }
    return out;
}

Gain designed(const StateSpace& system, const RegulateOptions& options)
{
    if (options.design == "decoupled") {
        const std::vector<double> wn = numbers_of("--wn", options.wn, "5"),
                                  zeta = numbers_of("--zeta", options.zeta, "0.7");
        return decoupled_regulator(system, wn, zeta);
    }
    if (options.design == "place")
        return place_poles(system, poles_of(options.poles));
    return lqr(system, weight_of("--Q", options.Q, system.num_states()),
               weight_of("--R", options.R, system.num_inputs()));
}

// An option of another design would be dropped in silence.
void check_options(const RegulateOptions& options)
{
    static const std::vector<std::string> designs{"decoupled", "place", "lqr"};
    if (options.design.empty())
        throw UsageError("regulate needs --design decoupled|place|lqr; regulate --help tells more");
    if (std::find(designs.begin(), designs.end(), options.design) == designs.end())
        throw UsageError("--design: " + unknown_name("design", options.design, designs));
    const std::tuple<const char*, const std::string&, const char*> owned[] = {
        {"--wn", options.wn, "decoupled"},
        {"--zeta", options.zeta, "decoupled"},
        {"--poles", options.poles, "place"},
        {"--Q", options.Q, "lqr"},
        {"--R", options.R, "lqr"}};
    for (const auto& [option, typed, design] : owned)
        if (!typed.empty() && options.design != design)
            throw UsageError(
                fmt::format("{} belongs to --design {}, got --design {}", option, design, options.design));
}

} // namespace

std::string run_regulate(const RegulateOptions& options)
{
    check_options(options);
    const LinearModel linear = linear_model(options.linear, "regulate");
    StateSpace system = linear.system;
    std::vector<std::string> dropped;
    if (options.reduce) {
        Reduced reduced = reduce(system);
        if (!reduced.ignorable.empty() || !reduced.conserved.empty())
            for (std::size_t i = system.notes.size(); i < reduced.system.notes.size(); ++i)
                dropped.push_back(reduced.system.notes[i]);
        else
            dropped.push_back("reduce found nothing to drop: no coordinate is ignorable here, no momentum "
                              "conserved at rest");
        system = std::move(reduced.system);
    }
    Gain gain = designed(system, options);
    Regulator out{std::move(gain.K),
                  system.states,
                  system.inputs,
                  system.q0,
                  system.v0,
                  system.u0,
                  std::move(gain.closed_loop_poles),
                  std::move(dropped)};
    out.warnings.insert(out.warnings.end(), gain.warnings.begin(), gain.warnings.end());
    for (const std::complex<double>& pole : out.closed_loop_poles)
        if (!(pole.real() < 0.0)) {
            out.warnings.push_back(
                fmt::format("the closed loop is not stable: it has a pole at {}", pole_text(pole)));
            break;
        }
    for (const Hinge& hinge : linear.model.hinges())
        if (hinge.kind == HingeKind::free && hinge.parent.empty() &&
            std::any_of(out.inputs.begin(), out.inputs.end(), [&](const std::string& input) {
                const auto names = linear.model.dof_names();
                for (int j : linear.model.tree().dofs(linear.model.body(hinge.child).index))
                    if (input == "T:" + names[static_cast<std::size_t>(j)])
                        return true;
                return false;
            }))
            out.warnings.push_back(fmt::format(
                "among the inputs are forces on the floating base '{}' itself, which no hinge gives; "
                "--inputs names others",
                hinge.child));
    for (const std::string& warning : out.warnings)
        note(warning);
    const std::string text =
        write_regulator(out, options.indent ? ResultLayout::indented : ResultLayout::line) + "\n";
    if (options.output.empty() || options.output == "-")
        return text;
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
