// What linearize, poles and regulate share: a model, an operating point, and which signals.
#pragma once

#include "model_argument.hpp"
#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn::app {

struct LinearArgument {
    ModelArgument model;
    std::string at; // a state file, - for stdin, or empty: neutral, at rest
    std::vector<std::string> inputs, outputs; // with commas between; empty: all hinge forces; all q and v
    std::string trim; // "", forces, pose
    std::string friction_speed; // "" or a number
    bool no_passive = false;
};

struct LinearModel {
    Model model;
    OperatingPoint point;
    StateSpace system;
};
// Notes go to stderr. Throws UsageError, StateError, RefusedError.
LinearModel linear_model(const LinearArgument& argument, const std::string& command);

} // namespace sweepdyn::app
