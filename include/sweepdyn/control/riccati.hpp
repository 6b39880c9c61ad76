// Algebraic Riccati equations: the X for which u = -K x is stable and least in  integral (or sum) of x' Q x + u' R u,
//
//     continuous   A' X + X A - X B R^-1 B' X + Q = 0,                        K = R^-1 B' X
//     discrete     A' X A - X - A' X B (R + B' X B)^-1 B' X A + Q = 0,        K = (R + B' X B)^-1 B' X A
//
// X = U2 U1^-1 where [U1; U2] spans the stable deflating subspace of the pencil of the optimality conditions in (x, costate, u),
// which needs no inverse of R:                                                                          [Van Dooren 1981]
//
//     continuous   [A 0 B; -Q -A' 0; 0 B' R] - s diag(1, 1, 0)
//     discrete     [A 0 B; -Q  1  0; 0 0  R] - z [1 0 0; 0 A' 0; 0 -B' 0]
//
// u is taken out by an orthogonal reduction, the rest ordered by the generalised Schur form, after a scaling of x against the
// costate. Steps of Newton (Kleinman, Hewer) polish X while they lessen the residual.
//
// Cost: O(n^3). Specified by tests/unit/control_riccati.cpp.
#pragma once

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn {

struct Riccati {
    Matrix X, K;
    double residual = 0.0; // of the equation, over the sum of the norms of its terms
};

// Throw UsageError for weights that are not symmetric, Q not positive semidefinite or R not positive definite, and RefusedError
// where no stable solution exists (lqr says why, mode by mode).
Riccati continuous_riccati(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R);
Riccati discrete_riccati(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R);

} // namespace sweepdyn
