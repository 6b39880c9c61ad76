// A text as the <robot> element of a parsed document, or the reason why there is none.
#pragma once

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {

// Throws ModelError when it is no XML, not whole, of another format, or xacro.
const Element& parse_document(tinyxml2::XMLDocument& document, std::string_view text,
                              std::string_view source_name);

} // namespace sweepdyn::urdf_reader
