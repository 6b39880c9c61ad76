// What can be wrong with the loops of a model, said with their names: the checks behind ModelBuilder.
#pragma once

#include "checks.hpp"

namespace sweepdyn {

// One loop by itself; its poses are put right up to rounding.
void check_loop(Loop& loop, const std::vector<std::string>& body_names, Faults& faults);

// loop_agreement.cpp. Loops that say the same twice, or that cannot hold together, whatever the mechanism.
std::string called(const Loop& loop); // "loop 'pin' (ball)", "coupling 'gear' ('a' = 2 'b')"
void check_couplings_agree(const std::vector<Loop>& loops, Faults& faults, Notes& notes);
void check_loops_differ(const std::vector<Loop>& loops, Faults& faults);

// The loops among one another and on the tree. Returns its topology, if there is no fault.
Topology check_loops(const Tree& tree, const std::vector<Body>& bodies, const std::vector<Hinge>& hinges,
                     const std::vector<std::string>& dof_names, const std::vector<Loop>& loops,
                     Faults& faults, Notes& notes);

} // namespace sweepdyn
