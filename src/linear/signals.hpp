// Names of inputs and outputs: what was asked for, resolved against a model.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn::detail {

struct Signal {
    enum class Kind {
        force,
        wrench,
        gravity,
        base_acceleration, // inputs
        position,
        rate,
        pose,
        velocity,
        acceleration,
        accelerometer,
        gyro,
        reaction,
        loop // outputs
    };
    Kind kind;
    int index = 0; // of a dof, frame, hinge or loop
    std::string name; // of the whole: "wrench:tool"
    bool one_number = false; // of a loop: a coupling's multiplier

    std::vector<std::string> parts() const; // names of its numbers
};

enum class Direction { input, output };
// In the order asked for, each signal once. Throws UsageError listing every name that means nothing.
std::vector<Signal> resolve_signals(const Model& model, std::span<const std::string> asked,
                                    Direction direction);

} // namespace sweepdyn::detail
