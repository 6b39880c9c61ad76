// The --state of a command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model_argument.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn::app {

// A file's text, or that of stdin for -. Throws StateError.
std::string read_text(const std::string& path);
// What a native model file says of a state besides the model, with notes to stderr; nothing of other files. Throws ModelError.
std::optional<NativeState> own_state(const ModelArgument& argument, const Model& model);
// The states of a file, which may be a native model file that carries one; of no file the model file's own, else the neutral one, at rest.
// Throws StateError, ModelError.
std::vector<State> read_states(const Model& model, const std::string& path,
                               const std::optional<NativeState>& own, const std::string& model_file);
// Accelerations of a state have no say where the dynamics give them: a note says so.
void note_unused_acceleration(const State& state, const std::string& command);

// Of commands that are about trees. Throws RefusedError.
void refuse_couplings(const Model& model, const std::string& command);

} // namespace sweepdyn::app
