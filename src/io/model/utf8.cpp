#include "utf8.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sweepdyn::model_reader {
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

// A byte order mark, or ASCII with a zero byte on the same side of every character.
bool is_utf16(std::string_view text)
{
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return true;
    const std::string_view head = text.substr(0, std::min<std::size_t>(text.size(), 64) & ~std::size_t{1});
    const auto zeros_at = [&](std::size_t side) {
        for (std::size_t i = 0; i < head.size(); i += 2)
            if (const auto other = static_cast<unsigned char>(head[i + 1 - side]);
                head[i + side] != '\0' || other == 0 || other >= 0x80)
                return false;
        return head.size() >= 4;
    };
    return zeros_at(0) || zeros_at(1);
}

// No text has a zero byte; nor does it begin with control characters.
std::size_t find_binary(std::string_view text)
{
    const std::string_view head = text.substr(0, 64);
    const auto odd = std::find_if(head.begin(), head.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 &&
               std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
    });
    return odd != head.end() ? static_cast<std::size_t>(odd - head.begin()) : text.find('\0');
}

} // namespace

std::string encoding_fault(std::string_view text)
{
    if (is_utf16(text))
        return "the file is encoded in UTF-16; save it as UTF-8";
    const std::size_t odd = find_binary(text);
    if (odd == text.npos)
        return "";
    const std::string_view before = text.substr(0, odd);
    return fmt::format(
        "line {}: this is not a text file, it holds the byte 0x{:02x}; expected a model as URDF or JSON",
        1 + std::count(before.begin(), before.end(), '\n'), static_cast<unsigned char>(text[odd]));
}

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

} // namespace sweepdyn::model_reader
