// StateSpace: a linear model of a mechanism near an operating point,
//
//     x_dot = A x + B u + f0,        y = C x + D u,
//
// where x, u, y are the deviations from x0, u0, y0 and f0 is what the mechanism does at the operating point itself: zero in
// equilibrium. The deviation of a configuration is a displacement of its hinges (its tangent space): q(x) = q0 + x for turns
// and slides, q0 exp(x) for a rotation, as difference(model, q0, q) of model/configuration.hpp gives it. The rotation of a pose among the
// outputs is its rotation vector: y0 + y = log R, which jumps where a turn passes pi.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn {

struct StateSpace {
    Matrix A, B, C, D;
    std::vector<double> f0;
    std::vector<std::string> states, inputs, outputs; // "q:elbow", "v:elbow"; "T:elbow"; "pose:tool.x", ...
    // The operating point, one number per state, input, output. A rotation's three are its rotation vector.
    std::vector<double> x0, u0, y0;
    std::vector<double> q0, v0,
        T0; // the same as the model knows it: coordinates (quaternions too), velocities, hinge forces
    std::vector<std::string> notes; // "not in equilibrium: ...", what was left out

    int num_states() const { return A.rows(); }
    int num_inputs() const { return B.columns(); }
    int num_outputs() const { return C.rows(); }
};

} // namespace sweepdyn
