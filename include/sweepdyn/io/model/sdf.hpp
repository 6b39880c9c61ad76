// Reads SDF, the model format of Gazebo, into a Model, through the library sdformat, which resolves frames and poses. A build without
// sdformat refuses SDF in words. The whole of what is accepted: docs/sdf.md.
//
// Becomes part of the model
//   model      that of the file, or those of its world, with "MODEL::" before names when there are several. Neutral is as drawn.
//   link       a body; one that no joint carries floats on a free hinge, `base` where it is the only one
//   joint      fixed, revolute, continuous, prismatic, ball, universal, revolute2 (as universal), screw. A second joint of a
//              link, or one that closes a circle, is a loop: revolute, prismatic, ball, universal, weld.
//   gearbox    a coupling of the hinges between its reference body and its links
//   mimic      of an axis, SDF 1.11: a coupling
//   frame      a frame; visual and collision: shapes
//
// Faults come all at once, in one ModelError, with element and line: nested models, springs, screws that close a loop.
#pragma once

#include <string>
#include <string_view>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn {

// Whether this build reads SDF.
bool reads_sdf();
Model read_sdf(const std::string& path, const LoadOptions& options = {});
// `source_name` stands for the file in messages.
Model parse_sdf(std::string_view text, std::string_view source_name, const LoadOptions& options = {});

} // namespace sweepdyn
