// What a weight of a quadratic cost must be.
#pragma once

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn::control {

// Throws UsageError unless W is symmetric, of this size, and positive (semi)definite.
void require_weight(const char* design, const char* name, const Matrix& W, int size, bool definite);

} // namespace sweepdyn::control
