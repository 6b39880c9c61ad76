// What is told of loops: the forces that they carry, and rows too many. Filled by closed_mechanism.hpp.
#pragma once

#include <string>
#include <vector>

namespace sweepdyn {

// What one loop carries: on body a, about the origin of frame a, in its axes; of a coupling one multiplier.
struct LoopForce {
    std::string loop;
    std::vector<double> wrench; // 6, or 1
    std::vector<bool> unique; // whether the motion determines it; redundant rows share forces that do no work
};

// Rows that say what others say already.
struct Redundancy {
    std::vector<std::string> loops; // that share it
    int rows = 0; // too many
    double kept = 1.0,
           dropped = 0.0; // the smallest pivot that counts and the largest that does not, of the largest
};

} // namespace sweepdyn
