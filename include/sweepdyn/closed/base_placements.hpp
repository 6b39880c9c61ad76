// An experiment: is a cell of several arms well-posed wherever their bases stand?
// Specified by tests/laws/grasps.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sweepdyn/closed/contacts.hpp"

namespace sweepdyn {

// 004's claim, tried: with random hinge angles of each arm and its base put where the contact then closes, how often is Omega regular?
struct WellPosedTrials {
    int trials = 0, well_posed = 0;
    double smallest_pivot = 1.0; // over all trials that are
};
// Every contact's hand must be on a tree of its own, whose root hangs on the ground; the object on another.
WellPosedTrials try_base_placements(const Model& model, const std::vector<Contact>& contacts, int trials,
                                    std::uint64_t seed);

} // namespace sweepdyn
