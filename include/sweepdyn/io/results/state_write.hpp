// A state as JSON, on one line, as io/results/state.hpp reads it: all coordinates as one array; v, a, T and external only where there are any.
#pragma once

#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn {

std::string write_state(const Model& model, const State& state);

} // namespace sweepdyn
