// The time-varying linear-quadratic regulator along a trajectory: u(t) = u0(t) - K(t) (x - x0(t)) with the least
//
//     x(T)' Qf x(T) + integral (or sum) of x' Q x + u' R u,
//
// by the Riccati equation backward from S(T) = Qf. Continuous, -S_dot = A' S + S A - S B R^-1 B' S + Q, K = R^-1 B' S: A and B run
// straight between the samples, and each interval is crossed by the Hamiltonian flow itself, which no stiffness upsets,
//
//     [x; S x] = exp(Omega) [x; S x],   Omega = Magnus' expansion of [A, -B R^-1 B'; -Q, -A'] to fourth order (two Gauss points).
//
// Discrete, K = (R + B' S B)^-1 B' S A, S <- Q + K' R K + (A - B K)' S (A - B K), which keeps S positive.
// Cost: O(n^3) per interval (and substep). Specified by tests/unit/control_tvlqr.cpp.
#pragma once

#include <span>

#include "sweepdyn/control/gain.hpp"

namespace sweepdyn {

// A and B at an instant.
struct TrajectorySample {
    double t = 0.0;
    Matrix A, B;
};

struct TrajectoryGains {
    std::vector<double> t;
    std::vector<Matrix> K; // per sample; discrete: none at the last
    std::vector<Matrix> S; // cost to go, x' S x, per sample
    // What the closed loop makes of a deviation over the whole horizon, x(T) = transition x(0), and its eigenvalues, the
    // largest first: a time-varying loop has no poles, but these tell what grows (above one in size) and what fades.
    Matrix transition{};
    std::vector<std::complex<double>> transition_eigenvalues{};

    // K at t, straight between the samples, the first and the last beyond them.
    Matrix gain_at(double at) const;
};

// Times must rise. Throws UsageError for sizes and weights that do not fit, RefusedError where S escapes.
TrajectoryGains tvlqr(std::span<const TrajectorySample> samples, const Matrix& Q, const Matrix& R,
                      const Matrix& Qf, int substeps = 4);
// A and B of the step from each sample to the next (zero_order_hold); the last sample's are not used.
TrajectoryGains discrete_tvlqr(std::span<const TrajectorySample> samples, const Matrix& Q, const Matrix& R,
                               const Matrix& Qf);

} // namespace sweepdyn
