// Trim: operating points where nothing accelerates.
//
//     trim_forces   q, v given:   inputs u of least norm with  B u = ID(q, v, 0) + passive - loads            v_dot = 0
//     trim_pose     T given:      q with  r(q) = ID(q, v, 0) + passive - T = 0, by Newton:  dq = -B_D^+ r, B_D exact; steps are
//                                 halved while |r| does not fall. Coordinates that do not matter stay where they are.
//
// With v given the motion must be steady: the forces needed must not change along it, B_D v = 0. Inputs are those of
// linear/linearize.hpp that push, T:DOF and wrench:FRAME; none named means T:*. A * does not
// reach floating bases, which nothing drives: their T must be named in full.
// With loops only a pose at rest is held, and all is along the motions E that the loops allow: E' B u = E' need; r = E'(ID - T),
// dr = E'(B_D + Bx) E du (linear/closed_linearization.hpp), and positions are closed again after each step.
// What no input balances is refused (TrimRefused), with the forces left over by dof and the inputs that move nothing by name.
// Specified by tests/laws/trim.cpp and tests/unit/trim_texts.cpp.
#pragma once

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn {

struct TrimOptions {
    std::vector<std::string> inputs; // empty: T:*
    PassiveForces passive{};
    double tolerance = 1e-10; // of the largest force at play
    int iterations = 100;
};

struct Trim {
    OperatingPoint point;
    std::vector<std::string> inputs; // their numbers, by name
    std::vector<double> u;
    Matrix null_space; // columns: inputs that balance each other; notes name them
    int iterations = 0;
    std::vector<std::string> notes;
};

// What the inputs of trim_forces cannot do.
struct TrimRefused : RefusedError {
    TrimRefused(const std::string& text, std::vector<double> forces, std::vector<std::string> names,
                Matrix idle)
        : RefusedError(text),
          unbalanced(std::move(forces)),
          inputs(std::move(names)),
          null_space(std::move(idle))
    {
    }
    std::vector<double> unbalanced; // generalized forces left over, per dof of the model
    std::vector<std::string> inputs;
    Matrix null_space; // as of Trim
};

// Both throw RefusedError where there is no such point; trim_forces TrimRefused where its inputs do not suffice.
Trim trim_forces(const Model& model, const OperatingPoint& at, const TrimOptions& options = {});
Trim trim_pose(const Model& model, const OperatingPoint& near, const TrimOptions& options = {});

} // namespace sweepdyn
