// Velocities that keep the loops closed: of all that do, the nearest to those given, in the mass metric.
//
//     nothing held   v - M^-1 J'(J M^-1 J')^+ J v, on the tree of clusters                                  [closed/projection.hpp]
//     dofs held      v = E u, u of these as given where the others can follow, the rest by E_f' M (E u - v) = 0
//
// Where all velocities of a cluster are then rounding of what was given, as those of a brace on what moves, they are 0.
// Not a hot path. Specified by tests/laws/assembly.cpp.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct ClosingVelocities {
    std::vector<double> v;
    std::vector<int> not_held{}; // held dofs that could not stay as given, for they follow from others
};

// q closes the loops; `hold` names dofs, or hinges with all of theirs. Throws RefusedError where a hinge has no inertia to move.
ClosingVelocities closing_velocities(const Model& model, std::span<const double> q, std::span<const double> v,
                                     const std::vector<std::string>& hold = {});

} // namespace sweepdyn
