// JSON text to JSON values, for states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json/parse.hpp"

namespace sweepdyn::results {

using json::Json;

struct StateText {
    std::string_view text;
    int line; // where it begins, from 1; 0 for the only state of the text
};
// JSON Lines when the first line is a document of its own, else one document.
std::vector<StateText> split_states(std::string_view text);

// Throws StateError: text that is no JSON by line and column, keys that are given twice.
Json parse_state_json(std::string_view text, std::string_view where);

} // namespace sweepdyn::results
