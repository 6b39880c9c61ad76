#include "latex_text.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::algebra {
namespace {

std::string escaped(char c)
{
    switch (c) {
    case '_':
    case '%':
    case '#':
    case '&':
    case '$':
    case '{':
    case '}': return std::string("\\") + c;
    case ' ': return "\\ "; // one by one, however many
    case '-': return "{-}"; // these two are joined into others when they are repeated
    case '\'': return "{'}";
    case '\\': return "\\textbackslash{}";
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '`': return "\\textasciigrave{}";
    case '"': return "{''}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    case '|': return "\\textbar{}";
    default: return std::string(1, c);
    }
}

// Letters with accents that LaTeX composes in its standard fonts.
bool has_glyph(std::uint32_t code)
{
    constexpr std::uint32_t missing[] = {0xD0,  0xD7,  0xDE,  0xF0,  0xF7,  0xFE,  0x104, 0x105, 0x110,
                                         0x111, 0x118, 0x119, 0x126, 0x127, 0x12E, 0x12F, 0x138, 0x13F,
                                         0x140, 0x149, 0x14A, 0x14B, 0x166, 0x167, 0x172, 0x173};
    return code >= 0xC0 && code <= 0x17E &&
           std::find(std::begin(missing), std::end(missing), code) == std::end(missing);
}

std::string code_point(std::uint32_t code)
{
    std::string digits;
    for (; code > 0 || digits.size() < 4; code /= 16)
        digits.insert(digits.begin(), "0123456789ABCDEF"[code % 16]);
    return "U+" + digits;
}

} // namespace

std::string latex_text(std::string_view name)
{
    std::string out;
    for (std::size_t at = 0; at < name.size();) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        if (byte(at) < 0x80) {
            out += escaped(name[at++]);
            continue;
        }
        const std::size_t begin = at++;
        std::uint32_t code = byte(begin) & (byte(begin) < 0xE0 ? 0x1Fu : byte(begin) < 0xF0 ? 0x0Fu : 0x07u);
        for (; at < name.size() && (byte(at) & 0xC0u) == 0x80u; ++at)
            code = code << 6 | (byte(at) & 0x3Fu);
        out += has_glyph(code) ? std::string(name.substr(begin, at - begin)) : code_point(code);
    }
    return out;
}

std::string latex_number(double number)
{
    const std::string text = number_text(number);
    const std::size_t e = text.find('e');
    if (e == std::string::npos)
        return text;
    const std::string mantissa = text.substr(0, e), power = std::to_string(std::stoi(text.substr(e + 1)));
    return (mantissa == "1" ? "" : mantissa + "\\cdot ") + "10^{" + power + "}";
}

} // namespace sweepdyn::algebra
