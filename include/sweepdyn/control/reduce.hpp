// Reduction: without the states that a regulator cannot reach and has no business with.
//
//   ignorable coordinates   displacements of hinges without a force of their own, "q:NAME" where no input is "T:NAME", that nothing else
//                           depends on (where a spacecraft is): the largest set G of them with A(others, G) = 0. Dropping them is exact.
//   conserved momenta       w' x with w' [A B] = 0, which no force changes. On the motion with w' x = 0 one velocity each follows from
//                           the others, x_d = -W_d^-1 W_k x_k, and is dropped: those of dropped coordinates first, the conjugate ones.
//
// A model whose states inputs reach entirely stays as it is. What is left keeps its names, so that a gain for it is a gain for the mechanism. Entries count as zero below `tolerance` of the
// largest of A. O(n^3). Specified by tests/unit/control_structure.cpp.
#pragma once

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct Reduced {
    StateSpace system;
    std::vector<std::string> ignorable,
        conserved; // states dropped, for either reason; notes of the system say so too
};
Reduced reduce(const StateSpace& system, double tolerance = 1e-10);

} // namespace sweepdyn
