#include "state_argument.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "model_argument.hpp"

namespace sweepdyn::app {

void refuse_couplings(const Model& model, const std::string& command)
{
    if (model.mimics().empty())
        return;
    std::string text = fmt::format("model '{}' has {}, which {} cannot enforce yet:", model.name(),
                                   model.mimics().size() == 1 ? "a coupling" : "couplings", command);
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
        throw StateError(path, {"cannot be opened; is its name right?"});
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<State> read_states(const Model& model, const std::string& path)
{
    if (path.empty())
        return {State(model)};
    return StateReader(model).read_all(read_text(path), path == "-" ? "stdin" : path);
}

} // namespace sweepdyn::app
