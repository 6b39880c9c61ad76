// What `sweepdyn ik` reads and prints.
//
// A target in numbers and commas, or as JSON with the same meaning; quaternions are [w, x, y, z], everything in the world:
//     X,Y,Z                     position         {"p": [3]}
//     W,X,Y,Z                   orientation      {"quat": [4]}, or {"R": rows}
//     X,Y,Z,W,X,Y,Z             pose             {"p": [3], "quat": [4]}, or {"p": [3], "R": rows} as compute prints it
//     look:X,Y,Z[,AX,AY,AZ]     look at a point  {"look_at": [3], "axis": [3]}; the frame's axis, else 0,0,1
//
// The result:
//     {"model", "conventions", "units", "dofs": [NAMES],
//      "results": {"q": [COORDINATES], "solved", "residual", "seeds", "iterations",
//                  "tasks": [{"frame", "kind", "angle", "distance"}], "limits": [{"dof", "at", "limit"}]}}
#pragma once

#include "sweepdyn/io/results/result.hpp"
#include "sweepdyn/kinematics/inverse_kinematics.hpp"

namespace sweepdyn {

// Throws StateError saying where, what was got, and what was expected. Quaternions may be off unit length by a thousandth.
FrameTask read_frame_task(FrameId frame, std::string_view text, std::string_view where);

// Without a newline at the end.
std::string write_inverse_kinematics(const InverseKinematics& ik, std::span<const double> q,
                                     ResultLayout layout = ResultLayout::line);
// {"q": [COORDINATES]}: a state.
std::string write_configuration(std::span<const double> q);

} // namespace sweepdyn
