#include "state_json.hpp"

#include <algorithm>

#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn::results {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(std::string_view text) { return text.find_first_not_of(blanks) == text.npos; }

} // namespace

std::vector<StateText> split_states(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
        text.remove_prefix(3);
    const std::string_view whole = text;
    std::vector<StateText> states;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view here = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (is_blank(here))
            continue;
        if (states.empty() && (is_blank(text) || !Json::accept(here)))
            return {{whole, 0}};
        states.push_back({here, line});
    }
    return states;
}

Json parse_state_json(std::string_view text, std::string_view where)
{
    const bool on_one_line = text.find('\n') == text.npos;
    json::Parsed parsed = json::parse(text, on_one_line ? json::TextIs::line : json::TextIs::file);
    if (!parsed.faults.empty())
        throw StateError(where, std::move(parsed.faults));
    return *std::move(parsed.value);
}

} // namespace sweepdyn::results
