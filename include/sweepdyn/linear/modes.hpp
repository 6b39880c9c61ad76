// Modes: a pole s, and the motion x(t) = Re(shape e^(s t)) that belongs to it: A shape = s shape.
//
// Poles at zero come in chains (poles.hpp). A shape of grade 1 rests, A shape = 0; one of grade 2 moves a shape of grade 1 at a
// constant rate, and so on; these shapes are orthonormal in balanced coordinates and otherwise free within their grade.
// Shapes are scaled so that the largest of their entries is 1.
//
// Cost: O(n^3). Specified by tests/unit/linear_poles.cpp.
#pragma once

#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn {

struct Mode {
    Pole pole;
    std::vector<std::complex<double>> shape; // per state
    int grade = 1;
};

// In the order of poles(system).
std::vector<Mode> modes(const StateSpace& system);

// The shape of the states "q:NAME" alone, by joint name, scaled so that the largest is 1 (all zero for a mode of velocities only).
struct JointShape {
    std::string joint;
    std::complex<double> motion;
};
std::vector<JointShape> joint_shapes(const StateSpace& system, const Mode& mode);

} // namespace sweepdyn
