// Loops and couplings beside the tree: the URDF+ dialect.
#pragma once

#include "sweepdyn/model/builder.hpp"
#include "urdf_tree.hpp"

namespace sweepdyn::urdf_reader {

// Makes loops of the model from those of the file, once the tree is known.
void add_loops(const Robot& robot, const Layout& layout, bool root_is_ground, ModelBuilder& builder,
               Report& report);

} // namespace sweepdyn::urdf_reader
