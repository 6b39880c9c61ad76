// How far a loop is from closed: in metres and radians, and as a part of its own size, so that large and small loops compare.
//
// The size of a loop is the largest distance from the origin of its frame a to the origins of its hinges and of its frame b.
// Before: update(kin, q), update_loops. O(hinges of the loop), no allocation. Specified by tests/laws/assembly.cpp.
#pragma once

#include "sweepdyn/kinematics/closure.hpp"

namespace sweepdyn {

struct LoopGap {
    double distance = 0.0; // m, the largest of its rows
    double angle = 0.0; // rad
    double coordinate = 0.0; // of a coupling: what its leading dof is off, rad or m
    double part = 0.0; // the largest of distance / size, angle, coordinate
};

// Of the loop's size: what redundant rows may contradict each other by, as rounded numbers in files do. Rank is decided at the same.
inline constexpr double widest_contradiction = 1e-6;

// In m; 1 where all hinges of the loop meet in one point.
double loop_size(const Kinematics<double>& kin, const LoopOnTree<double>& on);
LoopGap gap_of(const Kinematics<double>& kin, const Loops<double>& loops, const LoopOnTree<double>& on);

// "open by 0.31 m", "open by 0.2 m and 0.4 rad", "off by 0.02"
std::string words(const LoopGap& gap);

} // namespace sweepdyn
