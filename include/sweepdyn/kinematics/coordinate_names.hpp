// Names of coordinates: those of the dofs where each has its dof; else HINGE.qw .qx .qy .qz (a rotation), HINGE.x .y .z (a position),
// HINGE.angle .x .y (a plane).
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// In the order of the coordinates.
std::vector<std::string> coordinate_names(const Model& model);

} // namespace sweepdyn
