// A model's tree as text.
#pragma once

#include <string>

#include "sweepdyn/model/model.hpp"
#include "terminal.hpp"

namespace sweepdyn::app {

// One line per body: where it hangs, its hinge, how that moves, within which range, and the mass.
std::string draw_tree(const Model& model, const Terminal& terminal, bool with_ranges = true);

// "7 dofs, 9 bodies, 24.6 kg, fixed base"
std::string totals(const Model& model);

} // namespace sweepdyn::app
