// Regulators as JSON: what `sweepdyn regulate` writes and `simulate --regulator` reads.
//
//     {"conventions": "sweepdyn-1", "K": rows, "states": [NAMES], "inputs": [NAMES], "q0": [...], "v0": [...], "u0": [...],
//      "closed_loop_poles": [[re, im], ...], "warnings": [TEXTS]}
//
// and of a discrete design "sample_time" in s (its poles are those of z), behind motors "motors": [{"input": "T:DOF",
// "time_constant", "gear", "drop"}]. An estimator, where there is one, stands beside them: "outputs", "y0", "L" by rows, "estimator_poles".
// K, states, inputs and q0 must be there; v0 and u0 are zero when missing. Other keys may stand beside them.
#pragma once

#include <string_view>

#include "sweepdyn/control/kalman.hpp"
#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/io/results/result.hpp"

namespace sweepdyn {

struct Estimator {
    KalmanGain gain;
    std::vector<std::string> outputs; // a column of L each
    std::vector<double> y0;
};

// Without a newline at the end. Throws RefusedError naming the key of a number that is not finite.
std::string write_regulator(const Regulator& regulator, ResultLayout layout = ResultLayout::line,
                            const Estimator* estimator = nullptr);
// Throws StateError with every fault. num_dofs is that of the model: the size of v0.
Regulator read_regulator(std::string_view text, std::string_view where, int num_dofs);

} // namespace sweepdyn
