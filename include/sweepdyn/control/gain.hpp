// Gain: what a design gives, u = -K x about the operating point, with the poles that it achieves.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct Gain {
    Matrix K; // inputs x states
    std::vector<std::complex<double>> closed_loop_poles; // of A - B K, recomputed
    std::vector<std::string> warnings;
};

// diag(values); one value stands for `size` equal ones. Throws UsageError for another count, naming `what`.
Matrix diagonal_weights(std::span<const double> values, int size, const std::string& what);

} // namespace sweepdyn
