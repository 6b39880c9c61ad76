// The --state of a command.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn::app {

// A file's text, or that of stdin for -. Throws StateError.
std::string read_text(const std::string& path);
// The states of a file; of none the neutral one, at rest.
std::vector<State> read_states(const Model& model, const std::string& path);

// Couplings are not enforced yet; what would ignore them says so instead. Throws RefusedError.
void refuse_couplings(const Model& model, const std::string& command);

} // namespace sweepdyn::app
