// Numbers that fit other units than those of URDF: metres, radians, kilograms.
#pragma once

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {

// Doubts, by rules that know the whole file: what is large is judged beside the other lengths.
void doubt_units(const Robot& robot, Report& report);

} // namespace sweepdyn::urdf_reader
