// The linear model that a command works on: of a mechanism, at a state.
#pragma once

#include <string>
#include <vector>

#include "model_argument.hpp"
#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn::app {

struct LinearModelOptions {
    ModelArgument model;
    std::string at; // a state: a file, - for stdin, or empty: neutral, at rest
    std::vector<std::string> inputs, outputs; // names with commas between; none: T:*; q:*,v:*
    std::string friction_speed; // "" or a number
    bool hold = false; // T: what gives the state its accelerations a, as far as inputs can
    bool no_passive = false;
};

struct LinearModel {
    std::string name; // of the mechanism
    StateSpace system;
};
// Throws what loading, reading and linearizing throw; UsageError for several states.
LinearModel linear_model(const std::string& command, const LinearModelOptions& options);

} // namespace sweepdyn::app
