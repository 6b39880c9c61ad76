// A regulator of state feedback about an operating point,
//
//     T(inputs) = u0 - K x,        x = [difference(q0, q); v - v0] of the named states,
//
// with states named "q:DOF" and "v:DOF" and inputs "T:DOF" by the dofs of the model, all of them or some. Hinge forces that
// are no input are zero. Specified by tests/unit/regulator.cpp.
#pragma once

#include <complex>
#include <string>
#include <vector>

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
};

// Throws UsageError naming a state or an input that the model does not have, and sizes that do not agree.
Controller controller(const Model& model, const Regulator& regulator, double sample_time = 0.0);

} // namespace sweepdyn
