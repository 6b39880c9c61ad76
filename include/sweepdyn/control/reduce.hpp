// Reduction: without the states that a regulator cannot reach and has no business with.
//
//   ignorable coordinates   displacements of hinges without a force of their own, "q:NAME" where no input is "T:NAME", that nothing else
//                           depends on (where a spacecraft is): the largest set G of them with A(others, G) = 0. Dropping them is exact.
//   conserved momenta       w' x with w' [A B] = 0, which no force changes. On the motion with w' x = 0 one velocity each follows from
//                           the others, x_d = -W_d^-1 W_k x_k, and is dropped: those of dropped coordinates first, the conjugate ones.
//                           Of a floating base that moves the model tells them: in steady motion they turn in the base's axes, W A = L W
//                           with L skew, and w may weigh coordinates too. Those of them that weigh no dropped coordinate count.
//
// A model whose states inputs reach entirely stays as it is. What is left keeps its names, so that a gain for it is a gain for the mechanism. Entries count as zero below `tolerance` of the
// largest of A. O(n^3). Specified by tests/unit/control_structure.cpp and control_momenta.cpp.
#pragma once

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn {

struct Reduced {
    StateSpace system;
    std::vector<std::string> ignorable,
        conserved; // states dropped, for either reason; notes of the system say so too
    std::vector<std::string> momenta{}; // what tells the latter, by name: "angular momentum about z of 'bus'"
};
// What the matrices show.
Reduced reduce(const StateSpace& system, double tolerance = 1e-10);
// What the model knows as well. The system is that of linearize(model, point, options), perhaps behind motors.
// Throws RefusedError as refuse_hidden_momenta does.
Reduced reduce(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
               const StateSpace& system, double tolerance = 1e-10);

// Throws RefusedError where a floating tree has momenta that no input changes, and the motion is not steady: A is that of an instant,
// in which those momenta do not stay, and a regulator designed on it promises poles that the mechanism cannot have.
void refuse_hidden_momenta(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                           const StateSpace& system);

} // namespace sweepdyn
