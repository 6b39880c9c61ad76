// JSON text to JSON values, for states: where things stand, and how that is said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json_text.hpp"

namespace sweepdyn::results {

struct StateText {
    std::string_view text;
    int line; // where it begins, from 1; 0 for the only state of the text
};
// JSON Lines when the first line is a document of its own, else one document.
std::vector<StateText> split_states(std::string_view text);

// Throws StateError: text that is no JSON by line and column, keys that are given twice.
Json parse_state_json(std::string_view text, std::string_view where);

// What a fault says it got; never more than a line.
std::string shown(const Json& json);

} // namespace sweepdyn::results
