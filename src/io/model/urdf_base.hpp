// From a robot's layout to bodies and hinges: what the root link becomes.
#pragma once

#include "sweepdyn/model/builder.hpp"
#include "urdf_tree.hpp"

namespace sweepdyn::urdf_reader {

void assemble(const Robot& robot, const Layout& layout, LoadOptions::Base base, ModelBuilder& builder,
              Report& report);

} // namespace sweepdyn::urdf_reader
