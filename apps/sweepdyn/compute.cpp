// sweepdyn compute: quantities at states, as JSON.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "commands.hpp"
#include "quantities.hpp"

namespace sweepdyn::app {
namespace {

void refuse_couplings(const Model& model)
{
    if (model.mimics().empty())
        return;
    std::string text = fmt::format("model '{}' has {}, which compute cannot enforce yet:", model.name(),
                                   model.mimics().size() == 1 ? "a coupling" : "couplings");
    for (const Mimic& mimic : model.mimics())
        text += "\n  " + coupling_text(mimic);
    throw RefusedError(text + "\nto let these hinges move independently, add: --mimic independent");
}

std::string read_text(const std::string& path)
{
    if (path == "-")
        return {std::istreambuf_iterator<char>(std::cin), {}};
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw StateError(path, {"is a directory, expected a file with states in JSON"});
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw StateError(path, {"cannot be opened; is the name of the state file right?"});
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<State> read_states(const Model& model, const std::string& path)
{
    if (path.empty())
        return {State(model)};
    return StateReader(model).read_all(read_text(path), path == "-" ? "stdin" : path);
}

PassiveOptions passive_options(const ComputeOptions& options, const std::vector<Request>& requests,
                               const Model& model)
{
    const bool wanted =
        options.passive || std::any_of(requests.begin(), requests.end(),
                                       [](const Request& r) { return r.quantity->name == "passive"; });
    if (options.friction_speed) {
        if (!wanted)
            note("--friction-speed has no effect without --passive or --get passive");
        return {options.passive, *options.friction_speed};
    }
    std::string names;
    for (const Hinge& hinge : model.hinges())
        if (std::any_of(hinge.friction.begin(), hinge.friction.end(), [](double x) { return x != 0.0; }))
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", hinge.name);
    if (wanted && !names.empty())
        note(fmt::format("dry friction is left out at {}; give --friction-speed V_S to count it", names));
    return {options.passive, 0.0};
}

} // namespace

std::string run_compute(const ComputeOptions& options)
{
    if (options.get.empty())
        throw UsageError(
            "compute needs --get LIST, such as --get T,M,pose:FRAME; compute --help lists the names");
    if (options.friction_speed && !(*options.friction_speed > 0.0 && std::isfinite(*options.friction_speed)))
        throw UsageError(fmt::format("--friction-speed: got {}, expected a speed above zero",
                                     number_text(*options.friction_speed)));
    std::vector<Request> requests = parse_requests(options.get);
    const Model model = load(options.model);
    refuse_couplings(model);
    resolve(requests, model);

    const std::vector<State> states = read_states(model, options.state);
    Evaluation evaluation(model, passive_options(options, requests, model));
    std::string out;
    for (const State& state : states)
        try {
            evaluation.set(state);
            Result result;
            for (const Request& request : requests)
                result.emplace_back(request.key, request.quantity->compute(evaluation, request.index));
            out += write_result(model, result, options.indent ? ResultLayout::indented : ResultLayout::line) +
                   "\n";
        } catch (const RefusedError& error) {
            throw RefusedError(state.where.empty() ? error.what() : state.where + ": " + error.what());
        }
    return out;
}

} // namespace sweepdyn::app
