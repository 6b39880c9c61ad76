// What a model is made of, as JSON: what `sweepdyn info --json` prints.
//
//     {"model": NAME,
//      "bodies": [{"name", "parent", "mass"}],                             parent is null on the ground
//      "hinges": [{"name", "kind", "parent", "child", "dofs", "limits"}],  dofs by name; limits {"lower", "upper",
//                                                                          "velocity", "effort"}, each one number per
//                                                                          dof or null; no limit is null
//      "frames": [NAMES], "dofs": [NAMES], "total_mass": of what can move, "floating": true | false,
//      "mimic": [{"name", "hinge", "of", "multiplier", "offset"}],         q(hinge) = multiplier q(of) + offset
//      "loops": [], "notes": [TEXTS]}
//
// Frames are those besides the bodies, whose names serve as frames too.
#pragma once

#include <string>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// Without a newline at the end.
std::string write_info(const Model& model);

} // namespace sweepdyn
