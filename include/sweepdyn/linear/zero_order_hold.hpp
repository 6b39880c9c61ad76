// Sampling with inputs held in between: exactly,
//
//     exp(h [A B f0; 0 0 0; 0 0 0]) = [Ad Bd fd; 0 1 0; 0 0 1],     x(k+1) = Ad x(k) + Bd u(k) + fd.
//
// The exponential by scaling and squaring of the diagonal Pade approximant of order 13, after balancing.     [Higham 2005]
// Cost: O((n + m)^3 log |A h|). Specified by tests/unit/linear_zero_order_hold.cpp.
#pragma once

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

Matrix exponential(const Matrix& A);

// The sampled model: A, B, f0 of the recursion above; C, D, names and operating point stay; a note says the sample time.
// Throws UsageError for a sample time that is not above zero, RefusedError where e^(A h) is beyond the range of numbers.
StateSpace zero_order_hold(const StateSpace& system, double sample_time);

} // namespace sweepdyn
