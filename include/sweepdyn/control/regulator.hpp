// A regulator of state feedback about an operating point,
//
//     T(inputs) = u0 - K x,        x = [difference(q0, q); v - v0] of the named states,
//
// with states named "q:DOF" and "v:DOF" and inputs "T:DOF" by the dofs of the model, all of them or some. Hinge forces that
// are no input are zero. Inputs "wrench:FRAME.mx" ... ".fz" push a frame: moment and force about its origin in world axes, which
// the controller gives as the hinge forces that do the same, J' w. Behind motors (control/actuators.hpp) inputs are
// "command:DOF" and the forces of the motors are states "motor:DOF". Specified by tests/unit/regulator.cpp.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "sweepdyn/control/actuators.hpp"
#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/linear/matrix.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct Regulator {
    Matrix K; // inputs x states
    std::vector<std::string> states, inputs;
    std::vector<double> q0, v0; // coordinates and velocities of the operating point
    std::vector<double> u0; // per input
    std::vector<std::complex<double>> closed_loop_poles;
    std::vector<std::string> warnings;
    double sample_time = 0.0; // s, of a discrete design; 0: continuous
    std::vector<Motor> motors{};
};

// Asked every sample_time seconds, at every instant for 0. Throws UsageError naming a state or an input that the model does not
// have, and sizes that do not agree.
Controller controller(const Model& model, const Regulator& regulator, double sample_time);
inline Controller controller(const Model& model, const Regulator& regulator)
{
    return controller(model, regulator, regulator.sample_time);
}

} // namespace sweepdyn
