// Numbers carried from one model to another that has the same hinges by name, in another order or among others.
#pragma once

#include "support/stages.hpp"

namespace sweepdyn::test {

Numbers carry_dofs(const Model& from, const Model& to, const Numbers& numbers);
Numbers carry_coordinates(const Model& from, const Model& to, const Numbers& numbers);

// The wrenches of a case on another model that has its bodies as bodies or as frames.
std::vector<Force<double>> external_by_name(const Kinematics<double>& kin, const Case& c);

} // namespace sweepdyn::test
