// Pole placement, robust: u = -K x with A - B K = X Lambda X^-1, Lambda the poles asked for, and X as well conditioned as the
// freedom of several inputs allows, since errors of A and B move the poles by the condition of X.  [Kautsky, Nichols, Van Dooren 1985]
//
//     B = [U0 U1] [Z; 0],    x_j in S_j = null space of U1' (A - s_j),        K = Z^-1 U0' (A - X Lambda X^-1)
//
// Each real x_j in turn becomes the unit vector of S_j nearest to the direction orthogonal to all the others, which is row j of X^-1
// (method 0); a pair becomes the x, conj x of S_j that span the widest volume with the others [Tits and Yang 1996]. Either never
// lessens |det X|; the X of the least condition is kept. With one input S_j is a line, and K is unique.
//
// Cost: O(n^3 m) for the S_j, O(n^2) per vector and sweep. Specified by tests/unit/control_pole_placement.cpp.
#pragma once

#include "sweepdyn/control/gain.hpp"

namespace sweepdyn {

struct PlacedGain : Gain {
    double eigenvector_condition = 0.0; // of X, columns of unit length, in the Frobenius norm: n at best
};

// Poles come in conjugate pairs, none more often than there are independent inputs; one for every state that inputs reach. Throws
// UsageError saying which is wrong, and RefusedError naming modes that no input reaches and that are not strictly stable.
PlacedGain place_poles(const StateSpace& system, const std::vector<std::complex<double>>& poles);

} // namespace sweepdyn
