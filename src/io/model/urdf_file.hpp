// From a path to a parsed document, or to the reason why there is none.
#pragma once

#include "urdf_xml.hpp"

namespace sweepdyn::urdf_reader {

// The content of a file. Throws ModelError: no such file (with the nearest name there), a directory, unreadable, empty.
std::string read_text(const std::string& path);

// Parses and returns the <robot> element. Throws ModelError when it is no XML, not whole, of another format, or xacro.
const Element& parse_document(tinyxml2::XMLDocument& document, std::string_view text,
                              std::string_view source_name);

} // namespace sweepdyn::urdf_reader
