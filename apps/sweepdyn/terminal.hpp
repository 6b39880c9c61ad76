// What the place where the text goes can show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sweepdyn::app {

struct Terminal {
    bool unicode = false;
    bool colour = false;

    // stdout's: unicode where the locale is UTF-8, colour on a terminal unless NO_COLOR is set.
    static Terminal of_stdout(bool ascii_wanted = false);

    std::string bold(std::string_view text) const { return painted("1", text); }
    std::string dim(std::string_view text) const { return painted("2", text); }
    std::string green(std::string_view text) const { return painted("32", text); }
    std::string red(std::string_view text) const { return painted("31", text); }
    std::string tick(bool good) const;

private:
    std::string painted(std::string_view code, std::string_view text) const;
};

// Characters, not bytes, of a text in UTF-8.
std::size_t width(std::string_view text);
std::string padded(std::string_view text, std::size_t to_width);

// Words in lines of at most `columns`, each after the first line indented; `first` stands before the first word.
std::string wrapped(std::string_view first, const std::vector<std::string>& words, std::size_t indent,
                    std::size_t columns = 80);
std::vector<std::string> words_of(std::string_view text);

// For people: four digits.
std::string brief(double number);

// "1 body", "3 bodies"
std::string count(std::size_t n, std::string_view one, std::string_view many);

} // namespace sweepdyn::app
