// Models made to measure, by a short text that serves wherever the name of a model file does.
//
//     chain:N          N links of 0.3 m and 1 kg in a row, revolute, axes alternating between z and y; frame `tip`
//     tree:N           the same links as a binary tree: link k hangs on link k/2
//     random:N:SEED    N bodies, branches, several roots; hinges of every kind but user, random axes, placements and
//                      inertias (of solid boxes); armature, damping, friction and limits on some, a frame here and there
//
// N from 1 to 100000, SEED an integer. The same text gives the same model on every machine.
#pragma once

#include <optional>
#include <string_view>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// Nothing when the text does not begin with one of the three words and a colon: then it may be a file.
// UsageError with the expected form when it does but goes on wrongly.
std::optional<Model> generate_model(std::string_view spec);

} // namespace sweepdyn
