// Momenta of floating trees that nothing outside them changes, as rows on the states of a linear model.
//
// Near any state the deviation of such a momentum, w' x with w of linear/momentum_derivatives.hpp, stays as it is: dh_dot = 0 whatever
// the inputs do. Taken in axes that go with a steady motion the rows span a left invariant subspace,  W A = L W, W B = 0,  with L
// skew: the momenta turn in the base's axes. Where they do not, the frozen A is that of a motion which is over in the next instant,
// and promises what conservation forbids.
#pragma once

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn::control {

struct Momenta {
    Matrix rows; // momenta x states
    Matrix
        of; // momenta x (6 per tree): which combination of [angular about x, y, z; linear along x, y, z] each row is
    std::vector<std::string> bases; // per tree
};
// `system` is that of the point, perhaps with states of motors behind its own. Throws RefusedError where they do not stay in `system`.
Momenta conserved_momenta(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                          const StateSpace& system);

// "angular momentum about z of 'bus'", one per dimension of the span of the rows of `of`.
std::vector<std::string> momentum_names(const Matrix& of, const std::vector<std::string>& bases);

} // namespace sweepdyn::control
