// The linear-quadratic regulator: u = -K x with the least integral (or sum) of x' Q x + u' R u. K by riccati.hpp.
//
// Refused, by name: modes that are not strictly stable and that no input reaches, or that Q does not see.
// Specified by tests/unit/control_lqr.cpp.
#pragma once

#include "sweepdyn/control/gain.hpp"

namespace sweepdyn {

// x_dot = A x + B u.
Gain lqr(const StateSpace& system, const Matrix& Q, const Matrix& R);
// x(k+1) = A x(k) + B u(k), as zero_order_hold gives it.
Gain discrete_lqr(const StateSpace& sampled, const Matrix& Q, const Matrix& R);

} // namespace sweepdyn
