#include "urdf_utf8.hpp"

#include <algorithm>

namespace sweepdyn::urdf_reader {
namespace {

// Length of the character that begins the text, or 0 when none does: no overlong forms, no surrogates (RFC 3629).
std::size_t character_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80)
        return first >= 0x20 && first != 0x7F ? 1 : 0;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool fits = (first != 0xE0 || second >= 0xA0) && (first != 0xED || second <= 0x9F);
        return fits && follows(1) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool fits = (first != 0xF0 || second >= 0x90) && (first != 0xF4 || second <= 0x8F);
        return fits && follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

bool is_utf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string readable(std::string_view text)
{
    constexpr int longest = 60;
    std::string shown;
    for (int count = 0; !text.empty(); ++count) {
        if (count == longest)
            return shown + "...";
        const std::size_t length = character_length(text);
        shown += length == 0 ? (text[0] == '\n' || text[0] == '\t' || text[0] == '\r' ? " " : "?")
                             : std::string(text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

} // namespace sweepdyn::urdf_reader
