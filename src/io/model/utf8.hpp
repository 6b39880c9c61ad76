// Text from a file that may be anything: what may be kept, and what may be shown.
#pragma once

#include <string>
#include <string_view>

namespace sweepdyn::model_reader {

// Names must be UTF-8, or nothing could write them out again. Control characters are refused too.
bool is_utf8(std::string_view text);

// Why the content of a file is not text that a parser could take, or nothing: UTF-16, or binary data.
std::string encoding_fault(std::string_view text);

// One line, at most 60 characters, for a message: what cannot be printed becomes '?'.
std::string readable(std::string_view text);

} // namespace sweepdyn::model_reader
