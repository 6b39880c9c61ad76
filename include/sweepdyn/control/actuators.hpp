// Actuators: a motor of first order behind a gear, between the command u and the force T at an input of the mechanism,
//
//     time_constant T_dot = gear (u - drop gear v) - T
//
// u is the torque commanded at the motor's shaft, v the velocity of its hinge, `drop` what the motor loses per rad/s of its own speed
// (back-EMF). T is a new state "motor:NAME", u a new input "command:NAME" in place of "T:NAME". The rotor's inertia belongs to the
// model (armature gear^2). Specified by tests/unit/control_structure.cpp.
#pragma once

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct Motor {
    std::string input; // "T:NAME", the input that it drives
    double time_constant = 0.0; // s, above zero
    double gear = 1.0; // turns of the motor per turn of the hinge
    double drop = 0.0; // N m s/rad, at the motor's shaft
};

// Throws UsageError for numbers that no motor has.
void require_motor(const Motor& motor);

// Inputs that no motor drives stay as they are. The operating point is that at which the motors rest. Throws UsageError.
StateSpace with_actuators(const StateSpace& system, const std::vector<Motor>& motors);

} // namespace sweepdyn
