#include "native_json.hpp"

#include <algorithm>
#include <set>

namespace sweepdyn::native {
namespace {

using Event = Json::parse_event_t;

// Follows the parser through the text, to tell a key that is given twice by its path.
class KeyWatch {
public:
    explicit KeyWatch(Report& report) : report_(report) {}

    void see(Event event, const Json& parsed)
    {
        if (event == Event::object_end || event == Event::array_end) {
            levels_.pop_back();
            return;
        }
        if (event == Event::key) {
            Level& object = levels_.back();
            object.key = parsed.get<std::string>();
            if (!object.keys.insert(object.key).second)
                report_.faults.push_back(path() + ": given twice, expected once");
            return;
        }
        if (!levels_.empty())
            ++levels_.back().index;
        if (event != Event::value)
            levels_.push_back({event == Event::array_start, -1, {}, {}});
    }

private:
    struct Level {
        bool is_list;
        int index;
        std::string key;
        std::set<std::string> keys;
    };
    std::string path() const
    {
        std::string out;
        for (const Level& level : levels_) {
            if (level.is_list)
                out += "[" + std::to_string(level.index) + "]";
            else
                out += (out.empty() ? "" : ".") + level.key;
        }
        return out;
    }

    Report& report_;
    std::vector<Level> levels_;
};

// "line 3, column 7", both from 1, of the character that `before` others precede.
std::string position(std::string_view text, std::size_t before)
{
    const std::string_view head = text.substr(0, before);
    const auto line = 1 + std::count(head.begin(), head.end(), '\n');
    const std::size_t newline = head.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? head.size() + 1 : head.size() - newline;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// What a fault says it got; never more than a line.
std::string shown(const Json& json)
{
    switch (json.type()) {
    case Json::value_t::array: {
        const bool all_numbers =
            std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
        return "a list of " + std::to_string(json.size()) + (all_numbers ? "" : ", not all numbers");
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

} // namespace

std::optional<Json> parse_json(std::string_view text, Report& report)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        report.faults.push_back("the file is empty, expected a JSON object");
        return std::nullopt;
    }
    KeyWatch watch(report);
    try {
        return Json::parse(text.begin(), text.end(), [&](int, Event event, Json& parsed) {
            watch.see(event, parsed);
            return true;
        });
    } catch (const Json::parse_error& error) {
        // "[json.exception...] parse error at line 1, column 2: what is wrong"
        const std::string_view what = error.what();
        const std::size_t colon = what.find(": ");
        const std::size_t before = error.byte > 0 ? error.byte - 1 : 0;
        report.faults.push_back(position(text, before) + ": not JSON: " +
                                std::string(colon == std::string_view::npos ? what : what.substr(colon + 2)));
    } catch (const Json::out_of_range& error) {
        // A number that no double holds; the parser says which, not where: "... parsing '1e999'".
        const std::string_view what = error.what();
        const std::size_t open = what.find('\''), close = what.rfind('\'');
        const std::string_view token = open < close ? what.substr(open + 1, close - open - 1) : what;
        const std::size_t place = text.find(token);
        report.faults.push_back((place == std::string_view::npos ? "" : position(text, place) + ": ") +
                                "the number " + std::string(token) +
                                " is too large, expected one that a double holds");
    }
    return std::nullopt;
}

void Value::refuse(std::string_view expected) const
{
    fault("got " + shown(*json_) + ", expected " + std::string(expected));
}

std::optional<Value> Value::find(const std::string& key) const
{
    const auto found = json_->find(key);
    if (found == json_->end() || found->is_null())
        return std::nullopt;
    return Value(*found, path_.empty() ? key : path_ + "." + key, *report_);
}

std::optional<Value> Value::need(const std::string& key, std::string_view expected) const
{
    std::optional<Value> found = find(key);
    if (!found)
        report_->faults.push_back((path_.empty() ? key : path_ + "." + key) + ": missing, expected " +
                                  std::string(expected));
    return found;
}

void Value::know_keys(std::initializer_list<std::string_view> known) const
{
    for (const auto& [key, value] : json_->items()) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        const std::vector<std::string> names(known.begin(), known.end());
        const std::string_view near = nearest_name(key, names);
        report_->remarks.push_back((path_.empty() ? "" : path_ + ": ") + "unknown key '" + key +
                                   "' has no effect" +
                                   (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
    }
}

std::optional<std::vector<Value>> Value::list(std::string_view of_what) const
{
    if (!json_->is_array()) {
        refuse("a list of " + std::string(of_what));
        return std::nullopt;
    }
    std::vector<Value> out;
    for (std::size_t i = 0; i < json_->size(); ++i)
        out.emplace_back((*json_)[i], path_ + "[" + std::to_string(i) + "]", *report_);
    return out;
}

bool Value::require_object() const
{
    if (!json_->is_object())
        refuse("an object");
    return json_->is_object();
}

std::optional<std::string> Value::text(std::string_view expected) const
{
    if (!json_->is_string()) {
        refuse(expected);
        return std::nullopt;
    }
    return json_->get<std::string>();
}

std::optional<std::int64_t> Value::if_integer() const
{
    // What is beyond the signed ones would come back negative.
    if (!json_->is_number_integer() ||
        (json_->is_number_unsigned() && json_->get<std::uint64_t>() > INT64_MAX))
        return std::nullopt;
    return json_->get<std::int64_t>();
}

std::optional<double> Value::number() const
{
    if (!json_->is_number()) {
        refuse("a number");
        return std::nullopt;
    }
    return json_->get<double>();
}

std::optional<std::vector<double>> Value::numbers(std::size_t count, std::string_view expected,
                                                  std::optional<double> none) const
{
    std::vector<double> out;
    const auto take = [&](const Json& item) {
        if (item.is_number())
            out.push_back(item.get<double>());
        else if (item.is_null() && none)
            out.push_back(*none);
    };
    if (json_->is_array() && json_->size() == count)
        for (const Json& item : *json_)
            take(item);
    else if (count == 1)
        take(*json_);
    if (out.size() == count && (count > 0 || json_->is_array()))
        return out;
    refuse(expected);
    return std::nullopt;
}

std::optional<Vec3<double>> Value::vector() const
{
    const auto a = numbers(3, "3 numbers");
    return a ? std::optional(Vec3<double>{(*a)[0], (*a)[1], (*a)[2]}) : std::nullopt;
}

std::optional<Mat3<double>> Value::matrix() const
{
    if (!json_->is_array() || json_->size() != 3) {
        refuse("3 rows of 3 numbers");
        return std::nullopt;
    }
    Mat3<double> A;
    bool whole = true;
    const auto rows = *list("rows");
    for (int i = 0; i < 3; ++i) {
        const auto row = rows[static_cast<std::size_t>(i)].vector();
        whole = whole && row;
        for (int j = 0; j < 3 && row; ++j)
            A(i, j) = (*row)[j];
    }
    return whole ? std::optional(A) : std::nullopt;
}

} // namespace sweepdyn::native
