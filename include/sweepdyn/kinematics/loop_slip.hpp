// How fast a loop opens: J v, in m/s and rad/s, and as a part of the velocities that its hinges have, so that fast and slow compare.
// What is as small as the rounding of the whole motion is none: a brace on an arm that turns has velocities of 1e-17 where 0 is meant.
//
// Before: update(kin, q, v), update_loops. O(bodies). Specified by tests/unit/loop_slip.cpp.
#pragma once

#include "sweepdyn/kinematics/loop_gap.hpp"

namespace sweepdyn {

struct LoopSlip {
    double slide = 0.0; // m/s, the largest of its rows
    double turn = 0.0; // rad/s
    double coordinate = 0.0; // of a coupling: its rate
    double part =
        0.0; // the largest row by the largest sum of its terms, turns at the loop's size; or rounding
};

// Of the velocity of the fastest body of all: at most this much slips by rounding.
inline constexpr double rounding_of_motion = 1e-12;

LoopSlip slip_of(const Kinematics<double>& kin, const Loops<double>& loops, const LoopOnTree<double>& on);

// "open with 0.3 m/s", "open with 0.2 m/s and 0.4 rad/s", "off by 0.02 per second"
std::string words(const LoopSlip& slip);

// Of a state: what is not closed, a line each, "\n  loop 'pin' open by 0.3 m"; empty: all is. Gaps beyond what redundant rows may
// contradict each other by count, and velocities beyond the same part of theirs.
std::string open_loops(const Kinematics<double>& kin, const Loops<double>& loops);

} // namespace sweepdyn
