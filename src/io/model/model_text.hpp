// From a path to a parsed document, or to the reason why there is none.
#pragma once

#include "xml.hpp"

namespace sweepdyn::model_reader {

// The content of a file. Throws ModelError: no such file (with the nearest name there), a directory, unreadable, empty.
std::string read_text(const std::string& path);

// Parses and returns the root element, which is to be `expected`. Throws ModelError when it is no XML, or not whole.
const Element& parse_xml(tinyxml2::XMLDocument& document, std::string_view text, std::string_view source_name,
                         std::string_view expected);
// Of a text that may be XML; empty when it is none.
std::string root_name(std::string_view text);

} // namespace sweepdyn::model_reader
