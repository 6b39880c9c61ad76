// What the designs share: sizes, modes that no gain can mend, the poles achieved.
#pragma once

#include "linear/lapack.hpp"
#include "sweepdyn/control/gain.hpp"
#include "sweepdyn/linear/controllability.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::control {

using lapack::Region;

// Throws UsageError unless A is square and B, the names and the weights fit it.
void require_shapes(const char* design, const StateSpace& system);

bool strictly_stable(std::complex<double> s, Region region, double size);

// Modes that the staircase lost. Throws RefusedError naming those that are not strictly stable; returns a warning for each other.
// `why`: "no input reaches it"; `remedy`: what to do.
std::vector<std::string> refuse_lost(const char* design, const StateSpace& system, const Staircase& stairs,
                                     Region region, const std::string& why, const std::string& remedy);
Staircase stairs_of_inputs(const StateSpace& system, Region region);
Staircase stairs_of_outputs(const StateSpace& system, const Matrix& C, Region region);

// A warning where f0 is not zero: the point is not held by u0.
void warn_of_drift(const StateSpace& system, std::vector<std::string>& warnings);

} // namespace sweepdyn::control
