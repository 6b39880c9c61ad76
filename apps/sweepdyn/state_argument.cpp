#include "state_argument.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_argument.hpp"

namespace sweepdyn::app {

void refuse_couplings(const Model& model, const std::string& command)
{
    if (model.loops().empty())
        return;
    std::string text = fmt::format("model '{}' has {}, and {} is of trees only:", model.name(),
                                   model.loops().size() == 1 ? "a loop" : "loops", command);
    for (const Loop& loop : model.loops())
        text += "\n  " + loop_text(loop);
    const bool couplings_only = std::all_of(model.loops().begin(), model.loops().end(),
                                            [](const Loop& loop) { return loop.kind == LoopKind::coupling; });
    throw RefusedError(text +
                       (couplings_only
                            ? "\nto let these hinges move independently, add: --mimic independent"
                            : "\nto look at the tree that is left when the loops are cut, add: --loops cut"));
}

namespace {

// Of a text that states may be in too.
bool is_native_model(const std::string& text)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    return json.is_object() && json.contains("bodies") && json.contains("hinges");
}

State state_of(const Model& model, const NativeState& native, const std::string& file)
{
    State state(model);
    if (native.q)
        state.q = *native.q;
    if (native.v)
        state.v = *native.v;
    if (native.tau)
        state.T = *native.tau, state.gives_T = true;
    if (native.q || native.v || native.tau)
        state.where = file;
    return state;
}

} // namespace

std::string read_text(const std::string& path)
{
    if (path == "-")
        return {std::istreambuf_iterator<char>(std::cin), {}};
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw StateError(path, {"is a directory, expected a file with states in JSON"});
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw StateError(path, {"cannot be opened; is its name right?"});
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<NativeState> own_state(const ModelArgument& argument, const Model& model)
{
    std::error_code error;
    const std::string path = resolve_model(argument.spec);
    if (!std::filesystem::is_regular_file(path, error))
        return std::nullopt;
    const std::string text = read_text(path);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (!path.ends_with(".json") && (first == text.npos || text[first] != '{'))
        return std::nullopt;
    try {
        return read_native_state(model, text, path);
    } catch (const ModelError&) {
        if (argument.base.empty())
            throw;
        note(fmt::format("the state in {} is that of another base than --base {}; it is not used", path,
                         argument.base));
        return std::nullopt;
    }
}

std::vector<State> read_states(const Model& model, const std::string& path,
                               const std::optional<NativeState>& own, const std::string& model_file)
{
    if (path.empty())
        return {own ? state_of(model, *own, model_file) : State(model)};
    const std::string text = read_text(path), where = path == "-" ? "stdin" : path;
    if (!is_native_model(text))
        return StateReader(model).read_all(text, where);
    const std::optional<NativeState> given = read_native_state(model, text, where);
    if (!given || !(given->q || given->v || given->tau))
        throw StateError(where,
                         {"is a model file that carries no state; expected its \"state\" or \"tau\", or a "
                          "file of states"});
    return {state_of(model, *given, where)};
}

void note_unused_acceleration(const State& state, const std::string& command)
{
    if (std::any_of(state.a.begin(), state.a.end(), [](double a) { return a != 0.0; }))
        note(fmt::format("{}: a is not used by {}, where accelerations follow from the forces",
                         state.where.empty() ? "state" : state.where, command));
}

} // namespace sweepdyn::app
