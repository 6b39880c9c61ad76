// JSON text to JSON values, and the words of messages about them: what the readers of models and of states share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace sweepdyn::json {

using Json = nlohmann::json;

struct Parsed {
    std::optional<Json> value; // nothing when the text is no JSON
    std::vector<std::string> faults;
};

// How a fault says where: the text is a file, or one line of a file, whose number others tell.
enum class TextIs { file, line };

// Text that is no JSON and numbers that no double holds are faults by line and column; so are keys given twice in one
// object, by path: of two the parser keeps the last.
Parsed parse(std::string_view text, TextIs text_is = TextIs::file);

// What a fault says it got; never more than a line.
std::string shown(const Json& json);

} // namespace sweepdyn::json
