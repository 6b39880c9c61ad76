// Names and numbers inside LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace sweepdyn::algebra {

// A name (UTF-8) for a document that loads nothing but amsmath: what has a meaning in TeX is escaped, Latin letters with accents
// stay, what the standard fonts lack becomes its code point, as U+03B8.
std::string latex_text(std::string_view name);

// A number in mathematics: 1e-07 is 10^{-7}.
std::string latex_number(double number);

} // namespace sweepdyn::algebra
