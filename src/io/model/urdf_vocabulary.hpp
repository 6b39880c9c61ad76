// Which elements and attributes URDF has, which of them we read, and what a file has besides.
#pragma once

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {

// Walks what the reader reads and reports what it does not: a misspelt or repeated element as a doubt; all the rest is
// counted in report.without_effect and report.unknown.
void check_vocabulary(const Element& robot, Report& report);

} // namespace sweepdyn::urdf_reader
