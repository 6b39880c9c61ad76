// Reads URDF, the robot description of ROS, into a Model.
//
// Becomes part of the model
//   link            a body; its frame is the body's. Inertia is turned into link axes, about the centre of mass.
//   joint           a hinge: fixed = weld, floating = free, and revolute, continuous, prismatic, planar. <axis> (1 0 0 when
//                   missing) is made of unit length; <origin> is X_PF, from xyz and rpy or quat_xyzw.
//   limit           lower, upper (0 when missing), velocity, effort. A continuous joint has no lower and upper.
//   dynamics        damping and friction, of joints with one dof.
//   mimic           a coupling with the joint's name.
//   transmission, ros2_control   which joints are actuated (docs/urdf-plus.md); the rest of them has no effect.
//   loop, coupling  of the URDF+ dialect: loops and couplings (docs/urdf-plus.md).
//   visual, collision   box, cylinder, sphere, capsule, mesh; colours of materials, by name or on the spot. package:// is
//                   resolved in LoadOptions::package_roots to an absolute path, and kept as written where nothing is
//                   found.
// Bodies and hinges stand depth first, siblings in the order of their joints in the file.
//
// The root link
//   empty (no inertial, visual, collision)   it is the ground; its name becomes a frame, its joints hang on the ground.
//   otherwise                                a body, welded to the ground by a hinge `base`.
//   Base::floating   the root link hangs on a free hinge `base`, even an empty one; nothing to do when the only
//                    floating joint on an empty root floats already.
//   Base::fixed      that floating joint becomes a weld of the same name.
//
// Has no effect, and is listed in the notes: gazebo, sensor, safety_controller, calibration, texture,
// axes, limits and dynamics of joints that cannot use them, unknown elements and attributes.
//
// Faults come all at once, in one ModelError, with element, line, what was found and what was expected. Doubts (a missing
// <limit>, numbers that fit millimetres or degrees, a misspelt element) are notes, and faults when LoadOptions::strict.
// Numbers are read alike in every locale. A xacro file is refused with the command that expands it.
#pragma once

#include <string>
#include <string_view>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn {

Model read_urdf(const std::string& path, const LoadOptions& options = {});
// `source_name` stands for the file in messages.
Model parse_urdf(std::string_view text, std::string_view source_name, const LoadOptions& options = {});

} // namespace sweepdyn
