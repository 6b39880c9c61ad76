// What linearize, poles, bode and regulate share: a model, an operating point, and which signals.
#pragma once

#include "model_argument.hpp"
#include "sweepdyn/control/actuators.hpp"
#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn::app {

struct LinearArgument {
    ModelArgument model;
    std::string at; // a state file, - for stdin, or empty: neutral, at rest
    std::vector<std::string> inputs, outputs; // with commas between; empty: all hinge forces; all q and v
    std::vector<std::string> independent; // dofs by name or index, of a model with loops
    std::string trim; // "", forces, pose
    std::string friction_speed; // "" or a number
    std::string actuators; // "", TAU[,GEAR[,DROP]] for every hinge force, or @FILE
    bool no_passive = false;
    bool few_signals =
        false; // unless told: forces on the actuated dofs, else the independent ones; positions of the independent ones
};

// Where to linearize, and with what signals.
struct LinearPoint {
    Model model;
    OperatingPoint point;
    LinearizeOptions options;
    std::vector<ExternalWrench> loads{}; // of the state: what trim adds to the point is not among them
};
struct LinearModel {
    Model model;
    OperatingPoint point;
    StateSpace system;
    LinearizeOptions options{};
    std::vector<Motor> motors{};
    std::vector<ExternalWrench> loads{}; // as of LinearPoint
};
// Damping, and friction where it has a speed. Throws UsageError.
PassiveForces passive_of(const LinearArgument& argument);
// All three put notes on stderr. Throw UsageError, StateError, RefusedError.
LinearPoint linear_point(const LinearArgument& argument, const std::string& command);
void note_system(const StateSpace& system, const LinearArgument& argument);
LinearModel linear_model(const LinearArgument& argument, const std::string& command);

} // namespace sweepdyn::app
