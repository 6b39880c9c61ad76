// The identities of the operator algebra, each an equation of two expressions, checked on a model at a state.
// Sources: 003 (a.6)-(a.51), 004 appendix, 000 (A.1)-(A.5). Armature stands where it enters; without it those terms are zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sweepdyn/operators/stages.hpp"

namespace sweepdyn::algebra {

struct IdentityFacts {
    std::string_view name, left, right, source;
};
// Those that are equations of two expressions.
std::span<const IdentityFacts> identities();

struct IdentityResidual {
    std::string name, equation, source;
    double residual = 0.0; // largest entry of the difference, relative to the largest of either side
    double tolerance =
        0.0; // 1e-12; where D is inverted at least 50 eps times the condition of the mass matrix
    bool holds() const { return residual <= tolerance; } // not when it is NaN
};
// All of them, also those that hold block by block: decompositions by nearest common ancestor, Lyapunov solutions, the trace of
// the mass matrix, the group of phi. Forms dense matrices: for checking, not for work.
std::vector<IdentityResidual> check_identities(Stages<double>& stages);

} // namespace sweepdyn::algebra
