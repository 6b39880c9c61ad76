// The Kalman filter in its steady state, dual to lqr.hpp: of x_dot = A x + B u + w, y = C x + D u + n with white noise of the
// intensities W = E w w', N = E n n' (covariances, when sampled),
//
//     continuous   x^_dot = A x^ + B u + L (y - C x^ - D u),                         L = P C' N^-1
//     discrete     x^(k+1) = A x^(k) + B u(k) + L (y(k) - C x^(k) - D u(k)),         L = A P C' (N + C P C')^-1
//
// P is the covariance of x - x^ (before the measurement, when sampled). Refused, by name: modes that are not strictly stable and
// that no output sees, or that no noise W moves. Specified by tests/unit/control_lqr.cpp.
#pragma once

#include "sweepdyn/control/gain.hpp"

namespace sweepdyn {

struct KalmanGain {
    Matrix L; // states x outputs
    Matrix P; // covariance of the error
    std::vector<std::complex<double>> estimator_poles; // of A - L C
    std::vector<std::string> warnings;
};

KalmanGain kalman(const StateSpace& system, const Matrix& W, const Matrix& N);
KalmanGain discrete_kalman(const StateSpace& sampled, const Matrix& W, const Matrix& N);

} // namespace sweepdyn
