// Expressions from text, with the spaces checked as they are read. The grammar:
//
//     sum      = ["-"] product { ("+" | "-") product }
//     product  = factor { "*" factor }
//     factor   = number | "I" | leaf | ("B[" | "W[") frame {"," frame} "]" | "adj(" sum ")" | "inverse(" sum ")" | "(" sum ")"
//
// I is the identity of whatever space it meets. Errors point at the column, name the spaces and suggest a fix.
#pragma once

#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {

// Throws AlgebraError.
const Node* parse(Arena& arena, std::string_view text);
// The same, where a lone identity takes the space of another expression.
const Node* parse_like(Arena& arena, std::string_view text, const Node* like);

} // namespace sweepdyn::algebra
