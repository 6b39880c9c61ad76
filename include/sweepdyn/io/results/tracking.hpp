// Gains along a motion as JSON: what `sweepdyn regulate --design tvlqr` writes and `simulate --regulator` reads.
//
//     {"conventions": "sweepdyn-1", "dofs": [NAMES], "time": [...], "q": rows, "v": rows, "T": rows, "K": [rows, ...],
//      "transition_eigenvalues": [[re, im], ...]}
//
// a row and a matrix (dofs x 2 dofs) per time; the eigenvalues (control/tvlqr.hpp) are told, and not read back. Specified by tests/cli/tracking.py.
#pragma once

#include <string_view>

#include "sweepdyn/control/track.hpp"
#include "sweepdyn/io/results/result.hpp"

namespace sweepdyn {

struct Tracking {
    std::vector<TrajectoryPoint> points; // with T
    TrajectoryGains gains; // t and K; S and the transition stay behind
};

// Without a newline at the end.
std::string write_tracking(const Model& model, const Tracking& tracking,
                           ResultLayout layout = ResultLayout::line);
// Whether a text in JSON is of this kind, rather than a regulator about one state.
bool is_tracking(std::string_view text);
// Throws StateError: a key that is missing or of another shape, dofs that are not those of the model.
Tracking read_tracking(const Model& model, std::string_view text, std::string_view where);

} // namespace sweepdyn
