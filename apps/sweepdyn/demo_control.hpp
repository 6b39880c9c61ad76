// The second half of the demo: an arm held still, its linear model, its poles, a regulator, and the arm itself under it.
#pragma once

#include "laws.hpp"
#include "terminal.hpp"

namespace sweepdyn::app {

struct ControlStory {
    std::string text;
    std::vector<Law> laws; // what must hold of it
};
ControlStory control_story(const Model& arm, const Terminal& terminal);

} // namespace sweepdyn::app
