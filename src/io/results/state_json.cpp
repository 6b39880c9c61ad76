#include "state_json.hpp"

#include <algorithm>
#include <set>

#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn::results {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(std::string_view text) { return text.find_first_not_of(blanks) == text.npos; }

// "line 3, column 7", or "column 7" of a text of one line; both from 1, of the character that `before` others precede.
std::string position(std::string_view text, std::size_t before)
{
    const std::string_view head = text.substr(0, before);
    const std::size_t newline = head.rfind('\n');
    const std::size_t column = newline == head.npos ? head.size() + 1 : head.size() - newline;
    const std::string at = "column " + std::to_string(column);
    if (text.find('\n') == text.npos)
        return at;
    return "line " + std::to_string(1 + std::count(head.begin(), head.end(), '\n')) + ", " + at;
}

// The parser's message without its number and its own account of the place:
// "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong".
std::string reason(std::string_view what)
{
    for (const std::string_view end : {"] ", ": "})
        if (const std::size_t at = what.find(end); at != what.npos)
            what.remove_prefix(at + end.size());
    return std::string(what);
}

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
    using Event = Json::parse_event_t;
    std::vector<std::set<std::string>> open_objects; // the keys so far: the parser keeps only the last of two
    std::vector<std::string> faults;
    const auto watch = [&](int, Event event, const Json& parsed) {
        if (event == Event::object_start)
            open_objects.emplace_back();
        else if (event == Event::object_end)
            open_objects.pop_back();
        else if (event == Event::key && !open_objects.back().insert(parsed.get<std::string>()).second)
            faults.push_back("key " + parsed.dump() + " is given twice, expected once");
        return true;
    };
    Json json;
    try {
        json = Json::parse(text.begin(), text.end(), watch);
    } catch (const Json::parse_error& error) {
        const std::size_t before = error.byte > 0 ? error.byte - 1 : 0;
        throw StateError(where, {position(text, before) + ": not JSON: " + reason(error.what())});
    } catch (const Json::exception& error) { // a number that no double holds
        throw StateError(where, {reason(error.what())});
    }
    if (!faults.empty())
        throw StateError(where, faults);
    return json;
}

std::string shown(const Json& json)
{
    if (json.is_array()) {
        const bool numbers =
            std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
        return numbers ? std::to_string(json.size()) + (json.size() == 1 ? " number" : " numbers")
                       : "a list of " + std::to_string(json.size()) + ", not all numbers";
    }
    if (json.is_object())
        return "an object";
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    constexpr std::size_t longest = 40;
    return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

} // namespace sweepdyn::results
