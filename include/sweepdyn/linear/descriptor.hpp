// The descriptor form of a linear model: all dofs and the multipliers of the loops are states, the loops are equations.
//
//     E x_dot = A x + B u + f0,   y = C x + D u,   x = (dq, dv, dlambda),   E = diag(1, M, 0)                        [002 step 4]
//
//         | -Cb + X         1            0  |        dq_dot = dv - Cb dq            (+ X dq)
//     A = | -(B_D + Bx)    -A_D          J' |        M dv_dot = dT - A_D dv - (B_D + Bx) dq + J' dlambda         (- M c)
//         |  J              0            0  |        holonomic rows, as positions: J dq = 0
//         |  Gm             J            0  |        rows of velocities only:      J dv + Gm dq = 0
//
// That is the form of textbooks, of index 3 (2 with rows of velocities alone), with E singular, no coordinate chosen and no matrix
// inverted. Its finite eigenvalues are the poles of linearize(), its transfer function is the same; the others are infinite, three for
// each holonomic row and two for each of velocities. Rows of accelerations would give index 1 and two poles at zero per row that no
// mechanism has; a second multiplier (Gear, Gupta, Leimkuhler) is for integrators (sim/, --method dae).
//
// X and c vanish in equilibrium. Elsewhere J changes with time, and a model with constant matrices must say along which coordinates
// it stands still: as in linearize, the independent dofs. X and c then make the dependent dofs follow,
//     J X = Gm + J Cb,    c = Cv dv + Cq dq,   J Cv = Gm - Gv,   J Cq = Gm (X - Cb) - Gq,     rows of independent dofs zero.
//
// Rows that others say already are left out, by name, with a note: their multipliers are zero. Of a model without loops E = diag(1, M).
// Specified by tests/laws/descriptor.cpp.
#pragma once

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn {

struct DescriptorSystem {
    Matrix E;
    // A, B, C, D, f0 beside it, with names: q:DOF, v:DOF, lambda:LOOP.ROW (of a coupling lambda:LOOP). x0 holds the multipliers too.
    // poles() and its like are of systems with E = 1.
    StateSpace system;
    int num_finite_poles = 0; // positions and velocities that are independent

    int num_states() const { return E.rows(); }
};

// Options and refusals as of linearize.
DescriptorSystem descriptor(const Model& model, const OperatingPoint& point,
                            const LinearizeOptions& options = {});

} // namespace sweepdyn
