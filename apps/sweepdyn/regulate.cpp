// sweepdyn regulate: state feedback for a mechanism at a state, as JSON.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/control/decoupled_regulator.hpp"
#include "sweepdyn/control/kalman.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/pole_placement.hpp"
#include "sweepdyn/control/reduce.hpp"
#include "sweepdyn/io/results/regulator.hpp"
#include "sweepdyn/linear/poles.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "tracking.hpp"
#include "weights.hpp"

namespace sweepdyn::app {
namespace {

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

double sample_time_of(const RegulateOptions& options)
{
    if (options.sample_time.empty())
        return 0.0;
    const std::optional<double> seconds = typed_number(options.sample_time);
    if (!seconds || !(*seconds > 0.0))
        throw UsageError(fmt::format("--sample-time: got '{}', expected seconds above zero, such as 0.01",
                                     options.sample_time));
    return *seconds;
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
    return (options.sample_time.empty() ? lqr : discrete_lqr)(
        system, weight_of("--Q", options.Q, system.num_states()),
        weight_of("--R", options.R, system.num_inputs()));
}

Estimator estimator_of(const StateSpace& system, const RegulateOptions& options)
{
    KalmanGain gain = (options.sample_time.empty() ? kalman : discrete_kalman)(
        system, weight_of("--W", options.W, system.num_states()),
        weight_of("--N", options.N, system.num_outputs()));
    return {std::move(gain), system.outputs, system.y0};
}

// What nobody can drive cannot hold anything.
void refuse_inputs(const StateSpace& system)
{
    for (const std::string& input : system.inputs)
        if (input.starts_with("gravity.") || input.starts_with("base_accel."))
            throw UsageError(fmt::format(
                "regulate: input '{}' is nothing that a controller can drive; expected T:DOF or wrench:FRAME "
                "among --inputs",
                input));
}

// A wrench among the inputs comes on top of the wrenches of the state, which stay.
std::vector<double> u0_beside_loads(const LinearModel& linear, const StateSpace& system)
{
    std::vector<double> u0 = system.u0;
    for (const ExternalWrench& load : linear.loads) {
        const std::string first = "wrench:" + linear.model.frame_at(load.frame).name + ".mx";
        const auto found = std::find(system.inputs.begin(), system.inputs.end(), first);
        if (found == system.inputs.end() || load.axes != WrenchAxes::world)
            continue;
        const auto i = static_cast<std::size_t>(found - system.inputs.begin());
        for (std::size_t part = 0; part < 6; ++part)
            u0[i + part] -= (part < 3 ? load.wrench.n : load.wrench.f)[static_cast<int>(part % 3)];
    }
    return u0;
}

// An option of another design would be dropped in silence.
void check_options(const RegulateOptions& options)
{
    static const std::vector<std::string> designs{"decoupled", "place", "lqr", "tvlqr"};
    if (options.design.empty())
        throw UsageError("regulate needs --design decoupled|place|lqr|tvlqr; regulate --help tells more");
    if (std::find(designs.begin(), designs.end(), options.design) == designs.end())
        throw UsageError("--design: " + unknown_name("design", options.design, designs));
    const std::tuple<const char*, const std::string&, const char*> owned[] = {
        {"--wn", options.wn, "decoupled"},   {"--zeta", options.zeta, "decoupled"},
        {"--poles", options.poles, "place"}, {"--Q", options.Q, "lqr or tvlqr"},
        {"--R", options.R, "lqr or tvlqr"},  {"--Qf", options.Qf, "tvlqr"},
        {"--along", options.along, "tvlqr"}, {"--sample-time", options.sample_time, "place or lqr"}};
    for (const auto& [option, typed, design] : owned) {
        const std::string of = std::string(" ") + design + " ";
        if (!typed.empty() && of.find(" " + options.design + " ") == of.npos)
            throw UsageError(
                fmt::format("{} belongs to --design {}, got --design {}", option, design, options.design));
    }
    for (const auto& [option, typed] : {std::pair{"--W", options.W}, std::pair{"--N", options.N}})
        if (!typed.empty() && !options.kalman)
            throw UsageError(
                fmt::format("{} is noise for an estimator; expected --kalman beside it", option));
    if (options.design == "tvlqr")
        check_tracking(options);
}

} // namespace

std::string run_regulate(const RegulateOptions& options)
{
    check_options(options);
    check_ending(options.output, {".json"});
    if (options.design == "tvlqr")
        return run_tracking(options);
    const double sample_time = sample_time_of(options);
    const LinearModel linear = linear_model(options.linear, "regulate");
    StateSpace system = linear.system;
    refuse_inputs(system);
    std::vector<std::string> dropped;
    try {
        if (!options.reduce)
            refuse_hidden_momenta(linear.model, linear.point, linear.options, system);
        else {
            Reduced reduced = reduce(linear.model, linear.point, linear.options, system);
            if (!reduced.ignorable.empty() || !reduced.conserved.empty())
                for (std::size_t i = system.notes.size(); i < reduced.system.notes.size(); ++i)
                    dropped.push_back(reduced.system.notes[i]);
            else
                dropped.push_back(
                    "reduce found nothing to drop: no coordinate is ignorable here, no momentum conserved");
            system = std::move(reduced.system);
        }
    } catch (const RefusedError& refused) {
        throw RefusedError(std::string("regulate: ") + refused.what());
    }
    for (const std::string& text : dropped) // also where the design fails
        note(text);
    if (sample_time > 0.0)
        system = zero_order_hold(system, sample_time);
    const std::size_t told = dropped.size();
    Gain gain = designed(system, options);
    Regulator out{std::move(gain.K),
                  system.states,
                  system.inputs,
                  system.q0,
                  system.v0,
                  u0_beside_loads(linear, system),
                  std::move(gain.closed_loop_poles),
                  std::move(dropped),
                  sample_time,
                  linear.motors};
    out.warnings.insert(out.warnings.end(), gain.warnings.begin(), gain.warnings.end());
    for (const std::complex<double>& pole : out.closed_loop_poles)
        if (sample_time > 0.0 ? !(std::abs(pole) < 1.0) : !(pole.real() < 0.0)) {
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
    std::optional<Estimator> estimator;
    if (options.kalman) {
        estimator = estimator_of(system, options);
        out.warnings.push_back(
            "L is for an estimator of your own; simulate --regulator feeds back the states "
            "themselves");
        out.warnings.insert(out.warnings.end(), estimator->gain.warnings.begin(),
                            estimator->gain.warnings.end());
    }
    for (std::size_t i = told; i < out.warnings.size(); ++i)
        note(out.warnings[i]);
    const std::string text =
        write_regulator(out, options.indent ? ResultLayout::indented : ResultLayout::line,
                        estimator ? &*estimator : nullptr) +
        "\n";
    if (options.output.empty() || options.output == "-")
        return text;
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
