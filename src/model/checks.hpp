// What can be wrong with one part of a model, said with its name: the checks behind ModelBuilder.
// Faults and doubts are appended; numbers that are right up to rounding are put right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

using Faults = std::vector<std::string>;
using Notes = std::vector<Note>;

using detail::quoted;
std::string text(const Vec3<double>& a);
bool is_finite(const Vec3<double>& a);
// Lengths and ratios from here on overflow where two or three of them are multiplied: a gap of infinity by infinity looks closed.
// What couples dofs by less than its inverse is lost beside the others, and they are locked.
inline constexpr double too_large = 1e100, too_small = 1e-100;

void check_pose(const std::string& where, Pose<double>& X, Faults& faults);
void check_body(const Body& body, Faults& faults, Notes& notes);
void check_shapes(const Body& body, Faults& faults);
void check_hinge(Hinge& hinge, Faults& faults, Notes& notes);

// A hinge with no inertia to move, even with everything outboard of it held rigid: D = H R H' + Ja at neutral.
void note_singular_hinges(const std::vector<int>& parent, const std::vector<char>& fixed,
                          const std::vector<Body>& bodies, const std::vector<Hinge>& hinges, Notes& notes);

} // namespace sweepdyn
