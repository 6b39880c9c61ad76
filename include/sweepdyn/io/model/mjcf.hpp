// Reads MJCF, the model format of MuJoCo, into a Model: the part of it that describes a mechanism. The whole of what is
// accepted: docs/mjcf.md.
//
// Becomes part of the model
//   body       a body; without a name body1, body2, ... by its place in the file. Neutral is MuJoCo's qpos0.
//   joint      no joint: a weld. hinge = revolute, slide = prismatic, ball = spherical, free = free. Two hinges through one point
//              are universal, a hinge and a slide on one axis cylindrical; other hinges and slides of one body are a user hinge,
//              a product of steps in the order of the file. Coordinates count from ref.
//   inertial, or the inertia of geoms (box, sphere, capsule, cylinder, ellipsoid) where it is missing
//   geom       a shape; site: a frame
//   equality   connect = ball, weld = weld, joint = a polynomial coupling; two connects of the same bodies = revolute. Softness goes.
//   actuator   the dofs of its joint are actuated; nothing else of it counts
//   default classes, compiler settings of angles and of inertia from geoms, option gravity
//
// Has no effect, and is listed in the notes: actuators on no joint, sensors, contacts, keyframes, cameras, lights, what is only drawn.
// Everything else is a fault, with element and line: springs, tendons, flexible bodies, meshes whose inertia is needed, includes.
#pragma once

#include <string>
#include <string_view>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn {

// Throw ModelError with every fault.
Model read_mjcf(const std::string& path, const LoadOptions& options = {});
// `source_name` stands for the file in messages.
Model parse_mjcf(std::string_view text, std::string_view source_name, const LoadOptions& options = {});

} // namespace sweepdyn
