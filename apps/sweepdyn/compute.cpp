// sweepdyn compute: quantities at states, as JSON.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "quantities.hpp"
#include "state_argument.hpp"

namespace sweepdyn::app {
namespace {

// Above zero; nothing when none was typed.
std::optional<double> friction_speed(const ComputeOptions& options)
{
    if (options.friction_speed.empty())
        return std::nullopt;
    const std::optional<double> speed = typed_number(options.friction_speed);
    if (!speed || !(*speed > 0.0))
        throw UsageError(fmt::format("--friction-speed: got '{}', expected a speed above zero, such as 0.01",
                                     options.friction_speed));
    return speed;
}

PassiveOptions passive_options(bool in_dynamics, std::optional<double> speed,
                               const std::vector<Request>& requests, const Model& model)
{
    const bool wanted = in_dynamics || std::any_of(requests.begin(), requests.end(), [](const Request& r) {
                            return r.quantity->name == "passive";
                        });
    if (speed) {
        if (!wanted)
            note("--friction-speed has no effect without --passive or --get passive");
        return {in_dynamics, *speed};
    }
    std::string names;
    for (const Hinge& hinge : model.hinges())
        if (std::any_of(hinge.friction.begin(), hinge.friction.end(), [](double x) { return x != 0.0; }))
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", hinge.name);
    if (wanted && !names.empty())
        note(fmt::format("dry friction is left out at {}; give --friction-speed V_S to count it", names));
    return {in_dynamics, 0.0};
}

// A refusal begins with the key that asked for it.
ResultValue value_of(const Request& request, Evaluation& evaluation)
{
    try {
        return request.quantity->compute(evaluation, request.target);
    } catch (const RefusedError& error) {
        const std::string text = error.what(), key = request.key + ": ";
        throw RefusedError(text.starts_with(key) ? text : key + text);
    }
}

} // namespace

std::string run_compute(const ComputeOptions& options)
{
    if (options.get.empty())
        throw UsageError(
            "compute needs --get LIST, such as --get T,M,pose:FRAME; compute --help lists the names");
    const std::optional<double> speed = friction_speed(options);
    std::vector<Request> requests = parse_requests(options.get);
    const Model model = load(options.model);
    note_doubts(model, options.model);
    resolve(requests, model);

    const std::optional<NativeState> own = own_state(options.model, model);
    const std::vector<State> states = read_states(model, options.state, own, options.model.spec);
    Evaluation evaluation(model, passive_options(options.passive, speed, requests, model),
                          dof_choices(model, own, options.actuated, options.independent));
    std::string out;
    for (const State& state : states)
        try {
            evaluation.set(state);
            Result result;
            for (const Request& request : requests)
                result.emplace_back(request.key, value_of(request, evaluation));
            out += write_result(model, result, options.indent ? ResultLayout::indented : ResultLayout::line) +
                   "\n";
        } catch (const RefusedError& error) {
            throw RefusedError(state.where.empty() ? error.what() : state.where + ": " + error.what());
        }
    return out;
}

} // namespace sweepdyn::app
