// The native model file: JSON, "format": "sweepdyn-model/1". Written and read back to the same bits.
//
// SI units, right-handed. Matrices are lists of rows. A null is as good as a key that is not there.
//
//   format     "sweepdyn-model/1"; a file without it is read when it has bodies and hinges
//   name       of the model (default: the file's)
//   gravity    [x, y, z] (default: 0, 0, -9.81)
//   bodies     a list of
//     name             not empty, and no other body's
//     mass             missing: 0, a doubt
//     com              from the body origin, body axes; missing: 0, a doubt unless the mass is 0
//     inertia_com      3 x 3 about the centre of mass, body axes; likewise
//     index            the body's place in the list, from 0                 (optional, checked)
//     visuals, collisions   lists of {shape, size, rotation, position, color, file, name}; all but shape and size optional
//                      box x y z | cylinder radius length | sphere radius | capsule radius length | mesh scale x y z
//   hinges     one per body, a list of
//     name             default: the child's
//     kind             weld revolute continuous prismatic helical cylindrical universal planar spherical free
//     parent, child    bodies by index or by name; -1 is the ground
//     rotation_in_parent, position_in_parent    hinge frame F in the parent, at zero displacement (default: on it)
//     rotation_in_child, position_in_child      hinge frame M in the child (default: on it; model/hinge.hpp)
//     axis             in F; of a planar hinge the normal
//     axis2            of a universal hinge, after the first turn
//     pitch            of a helical hinge, metres per radian
//     limits           {lower, upper, velocity, effort}; lower and upper have no effect on a continuous hinge
//     armature, damping, friction
//                      these seven: one number per dof, a bare number for one dof; in limits null means none
//   frames     a list of {name, body, rotation, position}
//   loops      a list of {name (default loop0, loop1, ...), kind, ...}; the kinds: model/loop.hpp
//     body_a, body_b   bodies by index or by name; -1 is the ground
//     rotation_a, position_a, rotation_b, position_b    frame a in body_a, frame b in body_b (default: on it)
//     rows             of kind rows: a list of rx ry rz x y z
//     radius           of what rolls
//   A coupling has instead
//     dofs             by name, or bodies: [those whose hinges, of one dof each, are coupled]
//     coefficients     one number each: sum of coefficient q = offset; or
//     polynomials      one list each, [c1, c2, ...]: c1 q + c2 q^2 + ... in the place of coefficient q
//     offset           (default: 0)
//   actuated   a list of dofs, by name or by index among those of the file (default: nothing is said)
//
// A file may carry, beside the model, a state of it: state, tau, independent_velocity, independent_position, which
// read_native_state reads. Without effect, told in a remark: conventions, outputs, checks. A description is for people, in every
// object. A key that nobody knows is a fault; at the top a doubt, unless it is like one that is missing. One page of it:
// docs/model-file.md.
// Coordinates of each kind, and their order: model/hinge.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn {

// Throws ModelError with every fault: text that is no JSON by line and column, the rest by its path in the file
// (`hinges[3].axis: got "x", expected 3 numbers`).
Model read_native(const std::string& path, const LoadOptions& options = {});
// From text; source_name is how errors call it.
Model parse_native(std::string_view text, std::string_view source_name, const LoadOptions& options = {});

// What the file carries beside the model, in the model's own order of bodies and dofs.
//
//   state                   {q, v}: q has one entry per body of the file, a list of the coordinates of its hinge, or
//                           {quat_wxyz: [4]} (spherical), {quat_wxyz: [4], position: [3]} (free); v one number per dof,
//                           body after body of the file
//   tau                     likewise
//   independent_velocity, independent_position    dofs by name, or by index among those of the file
//
// Quaternions must be of unit length within 1e-6, and are normalised.
struct NativeState {
    std::optional<std::vector<double>> q{}, v{}, tau{};
    std::optional<std::vector<int>> independent_velocity{}, independent_position{}; // dofs of the model
};
// Nothing when the file has none of these keys. `model` is the one that the file's text was read into; it may have been merged.
// Throws ModelError with every fault, by its path.
std::optional<NativeState> read_native_state(const Model& model, std::string_view text,
                                             std::string_view source_name);

// Throws ModelError naming what the format cannot say: user-defined hinges, numbers that are not finite, names that
// are not UTF-8, shapes with a wrong number of sizes.
std::string write_native(const Model& model);

} // namespace sweepdyn
