// Loops: what ties bodies together beyond the tree of hinges. A loop joins a frame a, fixed in one body, to a frame b, fixed in
// another; a coupling ties hinge coordinates. Either is a set of rows, each one number that the motion must keep at zero.
//
//   kind            rows   what must hold (x, y, z: axes of frame a; o: origins)
//   weld            6      the frames coincide
//   ball            3      the origins coincide
//   revolute        5      the origins coincide, and the z axes
//   prismatic       5      the axes are parallel, and o_b lies on the line z of a
//   cylindrical     4      the z axes are one line
//   universal       4      the origins coincide, and x of a stays perpendicular to y of b
//   planar_pin      2      o_b lies on the line z of a
//   rows            1..6   the chosen ones: turns about x, y, z of a (rx ry rz), distances of the origins along them (x y z)
//   soft_finger     3 + 1  the origins coincide; and, of velocities only, no turn about z of a
//   rolling_sphere  1 + 2  a sphere about o_b rests on the plane xy of a; and, of velocities only, does not slip
//   rolling_disc    1 + 2  the rim about z of b, centred at o_b, rests on the plane xy of a; and does not slip
//   coupling        1      sum over dofs of p(q) = offset, p a polynomial without constant term: mimics, gears, differentials
//
// Rows "of velocities only" are nonholonomic: they do not restrict where the mechanism can be. Row forces act on body a, and
// opposite on body b; a coupling's multiplier acts on each dof times p'(q).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

enum class LoopKind {
    weld,
    ball,
    revolute,
    prismatic,
    cylindrical,
    universal,
    planar_pin,
    rows,
    soft_finger,
    rolling_sphere,
    rolling_disc,
    coupling
};
std::string_view name(LoopKind kind);
// Throws UsageError naming the known kinds.
LoopKind loop_kind(std::string_view name);

enum class LoopRow { rx, ry, rz, x, y, z };
std::string_view name(LoopRow row);
// Throws UsageError naming the known rows.
LoopRow loop_row(std::string_view name);

// p(q) = polynomial[0] q + polynomial[1] q^2 + ...
struct CouplingTerm {
    std::string dof; // of a hinge whose coordinates are turns and slides: one dof, cylindrical, universal
    std::vector<double> polynomial;
    friend bool operator==(const CouplingTerm&, const CouplingTerm&) = default;
};

struct Loop {
    std::string name{}; // empty: loop0, loop1, ... by its place
    LoopKind kind = LoopKind::weld;
    std::string body_a{}, body_b{}; // names of bodies; empty: the ground
    Pose<double> X_Aa{}, X_Bb{}; // frame a in body a, frame b in body b
    std::vector<LoopRow> rows{}; // of kind rows
    double radius = 0.0; // of what rolls
    std::vector<CouplingTerm> terms{}; // of a coupling
    double offset = 0.0;
};

int num_rows(const Loop& loop);
// Those that restrict positions; they come first.
int num_holonomic_rows(const Loop& loop);

// q(dof) = multiplier q(of) + offset.
Loop mimic(std::string name, std::string dof, std::string of, double multiplier = 1.0, double offset = 0.0);
// "'right' = -1 'left' + 0.005", or "'sun' + 2 'ring' - 3 'carrier' = 0"
std::string equation(const Loop& coupling);

} // namespace sweepdyn
