// Regulators as JSON: what `sweepdyn regulate` writes and `simulate --regulator` reads.
//
//     {"conventions": "sweepdyn-1", "K": rows, "states": [NAMES], "inputs": [NAMES], "q0": [...], "v0": [...], "u0": [...],
//      "closed_loop_poles": [[re, im], ...], "warnings": [TEXTS]}
//
// K, states, inputs and q0 must be there; v0 and u0 are zero when missing. Other keys may stand beside them.
#pragma once

#include <string_view>

#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/io/results/result.hpp"

namespace sweepdyn {

// Without a newline at the end. Throws RefusedError naming the key of a number that is not finite.
std::string write_regulator(const Regulator& regulator, ResultLayout layout = ResultLayout::line);
// Throws StateError with every fault. num_dofs is that of the model: the size of v0.
Regulator read_regulator(std::string_view text, std::string_view where, int num_dofs);

} // namespace sweepdyn
