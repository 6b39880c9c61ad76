// Numbers and weights as they are typed.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn::app {

// The parts between commas, without blanks.
std::vector<std::string> items(const std::string& list);
// Throws UsageError, with the example.
std::vector<double> numbers_of(const char* option, const std::string& typed, const char* example);
// One number for all, one for each, or a matrix as JSON; @FILE holds any of them; nothing is 1.
Matrix weight_of(const char* option, const std::string& typed, int size);

} // namespace sweepdyn::app
