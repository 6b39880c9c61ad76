#include "io/json/parse.hpp"

#include <algorithm>
#include <set>

namespace sweepdyn::json {
namespace {

using Event = Json::parse_event_t;

// Follows the parser through the text, to know the path of what it reads.
class Path {
public:
    // False when this is a key that its object has already.
    bool see(Event event, const Json& parsed)
    {
        if (event == Event::object_end || event == Event::array_end) {
            levels_.pop_back();
            return true;
        }
        if (event == Event::key) {
            Level& object = levels_.back();
            object.key = parsed.get<std::string>();
            return object.keys.insert(object.key).second;
        }
        if (!levels_.empty())
            ++levels_.back().next;
        if (event != Event::value)
            levels_.push_back({event == Event::array_start, 0, {}, {}});
        return true;
    }

    // Of the value that comes next; of the lists around it the item in which it stands.
    std::string text() const
    {
        std::string out;
        for (const Level& level : levels_) {
            const int item = &level == &levels_.back() ? level.next : level.next - 1;
            if (level.is_list)
                out += "[" + std::to_string(item) + "]";
            else
                out += (out.empty() ? "" : ".") + level.key;
        }
        return out;
    }

private:
    struct Level {
        bool is_list;
        int next; // item of a list
        std::string key;
        std::set<std::string> keys;
    };
    std::vector<Level> levels_;
};

// "line 3, column 7", both from 1, of the character that `before` others precede.
std::string position(std::string_view text, std::size_t before, TextIs text_is)
{
    const std::string_view head = text.substr(0, before);
    const std::size_t newline = head.rfind('\n');
    const std::size_t column = newline == head.npos ? head.size() + 1 : head.size() - newline;
    const std::string at = "column " + std::to_string(column);
    if (text_is == TextIs::line)
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

// A number that no double holds; the parser says which, not where: "... parsing '1e999'".
std::string too_large(std::string_view what, std::string_view text, const std::string& path, TextIs text_is)
{
    const std::size_t open = what.find('\''), close = what.rfind('\'');
    const std::string_view token = open < close ? what.substr(open + 1, close - open - 1) : what;
    const std::size_t place = text.find(token);
    return (place == text.npos ? "" : position(text, place, text_is) + ": ") +
           (path.empty() ? "the number" : path + ": the number") + " " + std::string(token) +
           " is too large, expected one that a double holds";
}

} // namespace

Parsed parse(std::string_view text, TextIs text_is)
{
    Parsed out;
    Path path;
    const auto watch = [&](int, Event event, const Json& parsed) {
        if (!path.see(event, parsed))
            out.faults.push_back(path.text() + ": given twice, expected once");
        return true;
    };
    try {
        out.value = Json::parse(text.begin(), text.end(), watch);
    } catch (const Json::parse_error& error) {
        const std::size_t before = error.byte > 0 ? error.byte - 1 : 0;
        out.faults.push_back(position(text, before, text_is) + ": not JSON: " + reason(error.what()));
    } catch (const Json::out_of_range& error) {
        out.faults.push_back(too_large(error.what(), text, path.text(), text_is));
    }
    return out;
}

std::string shown(const Json& json)
{
    switch (json.type()) {
    case Json::value_t::array: {
        if (json.empty())
            return "an empty list";
        const bool numbers =
            std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
        return numbers ? std::to_string(json.size()) + (json.size() == 1 ? " number" : " numbers")
                       : "a list of " + std::to_string(json.size()) + ", not all numbers";
    }
    case Json::value_t::object: return "an object";
    case Json::value_t::string: {
        constexpr std::size_t longest = 40;
        const auto& text = json.get_ref<const std::string&>();
        // A cut may fall into a character: it is replaced.
        const Json head = text.substr(0, longest);
        return head.dump(-1, ' ', false, Json::error_handler_t::replace) +
               (text.size() > longest ? "..." : "");
    }
    default: return json.dump();
    }
}

} // namespace sweepdyn::json
