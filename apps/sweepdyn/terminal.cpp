#include "terminal.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace sweepdyn::app {
namespace {

// The locale's character set, by the rule of setlocale: the first of these that is set and not empty.
bool locale_is_utf8()
{
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const char* value = std::getenv(variable); value && *value) {
            std::string name(value);
            std::transform(name.begin(), name.end(), name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
            return name.find("UTF-8") != name.npos || name.find("UTF8") != name.npos;
        }
    return false;
}

} // namespace

Terminal Terminal::of_stdout(bool ascii_wanted)
{
    const char* no_colour = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool dumb = term && std::string_view(term) == "dumb";
    return {!ascii_wanted && locale_is_utf8(), isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && !dumb};
}

std::string Terminal::painted(std::string_view code, std::string_view text) const
{
    return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string Terminal::tick(bool good) const
{
    if (good)
        return green(unicode ? "✓" : "ok");
    return red(unicode ? "✗" : "NO");
}

std::size_t width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t to_width)
{
    const std::size_t now = width(text);
    return std::string(text) + std::string(to_width > now ? to_width - now : 0, ' ');
}

std::string wrapped(std::string_view first, const std::vector<std::string>& words, std::size_t indent,
                    std::size_t columns)
{
    std::string out(first);
    std::size_t at = width(first);
    bool line_is_new = true;
    for (const std::string& word : words) {
        const std::size_t length = width(word);
        if (!line_is_new && at + 1 + length > columns) {
            out += "\n" + std::string(indent, ' ');
            at = indent;
            line_is_new = true;
        }
        if (!line_is_new) {
            out += ' ';
            ++at;
        }
        out += word;
        at += length;
        line_is_new = false;
    }
    return out + "\n";
}

std::vector<std::string> words_of(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        if (end > 0)
            words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string brief(double number) { return fmt::format("{:.4g}", number == 0.0 ? 0.0 : number); }

std::string count(std::size_t n, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

} // namespace sweepdyn::app
