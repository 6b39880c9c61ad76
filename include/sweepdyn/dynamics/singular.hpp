// Which hinges may lack inertia, and how that is said. Specified by tests/laws/massless.cpp and tests/laws/singular.cpp.
#pragma once

#include <span>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn::detail {

// Bodies on which a hinge inertia may vanish: no positive definite inertia, or columns that may become dependent.
std::vector<char> bodies_at_risk(const Model& model);
// "hinge 'wrist' has no inertia to move ...", for the first singular hinge.
[[noreturn]] void throw_singular(const Model& model, std::span<const int> singular_hinges,
                                 const char* function);

} // namespace sweepdyn::detail
