// The decoupled regulator: each displacement d of the mechanism goes to rest on its own,
//
//     d_dd + 2 zeta wn d_d + wn^2 d = 0.                                                              [002 (34), (35)]
//
// For M d_dd + P1 d_d + P2 d = u = -K_V d_d - K_P d that is K_V = M Lambda1 - P1, K_P = M Lambda2 - P2 with Lambda1 = diag(2 zeta wn),
// Lambda2 = diag(wn^2) [002 (36)-(38), signs corrected]. Here the same is read off a state space with d_d = A11 d + A12 v (A11 = 0,
// A12 = 1 for a mechanism of turns and slides), v_d = A21 d + A22 v + B2 u:
//
//     v_d = F1 d + F2 v,     A12 F1 = -(Lambda1 + A11) A11 - Lambda2,     A12 F2 = -(Lambda1 + A11) A12
//     K = B2^-1 [A21 - F1, A22 - F2]
//
// Needs a force at every hinge; others use pole_placement.hpp or lqr.hpp. O(n^3). Specified by tests/unit/control_decoupled.cpp.
#pragma once

#include "sweepdyn/control/gain.hpp"

namespace sweepdyn {

// wn (rad/s) and zeta: one number for all dofs, or one for each. States must be "q:NAME" and "v:NAME" in any order. Throws UsageError,
// and RefusedError naming hinges that have no force of their own.
Gain decoupled_regulator(const StateSpace& system, std::span<const double> wn, std::span<const double> zeta);

} // namespace sweepdyn
