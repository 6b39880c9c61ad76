// Tells a xacro file, a template of URDF, from URDF.
#pragma once

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {

// Empty when the file is plain URDF; otherwise where it is not, and the command that expands it.
// xmlns:xacro proves nothing: files that xacro has expanded keep it.
std::string xacro_fault(const Element& robot, std::string_view source_name);

} // namespace sweepdyn::urdf_reader
