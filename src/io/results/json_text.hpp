// JSON text as Sweepdyn writes it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sweepdyn::results {

using OrderedJson = nlohmann::ordered_json; // keeps the order in which keys were given

// Numbers by number_text(). Indented: what does not fit on a line has its items on lines of their own.
std::string json_text(const OrderedJson& json, bool indented);

} // namespace sweepdyn::results
