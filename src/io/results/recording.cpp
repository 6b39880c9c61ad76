#include "sweepdyn/io/results/recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "to_json.hpp"

namespace sweepdyn {
namespace {

using json::Json;
using json::shown;
using results::OrderedJson;

// A field with a comma, a quote or a break is quoted, its own quotes doubled.
std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == text.npos)
        return text;
    std::string out = "\"";
    for (char c : text)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> number_of(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double number = 0.0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = fault == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// "q:elbow [rad]": a name and its unit.
Column column_of(const std::string& text)
{
    const std::size_t open = text.rfind(" [");
    if (open == text.npos || !text.ends_with(']'))
        return {text, ""};
    return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
}

class CsvReader {
public:
    CsvReader(std::string_view text, std::string_view where) : rest_(text), where_(where) {}

    Recording read()
    {
        Recording out;
        std::string_view line;
        while (next(line)) {
            const std::vector<std::string> fields = split(line);
            if (out.columns.empty()) {
                header(fields, out);
                continue;
            }
            if (fields.size() != out.columns.size())
                refuse("got " + std::to_string(fields.size()) + " fields, expected " +
                       std::to_string(out.columns.size()) + ", as in the header");
            for (std::size_t i = 0; i < fields.size(); ++i) {
                const std::optional<double> number = number_of(trimmed(fields[i]));
                if (!number)
                    refuse("column '" + out.columns[i].name + "': got '" + fields[i] +
                           "', expected a number");
                out.values.push_back(*number);
            }
        }
        if (out.columns.empty())
            throw StateError(where_,
                             {"is empty, expected a header such as time,NAME,... and rows of numbers"});
        return out;
    }

private:
    [[noreturn]] void refuse(const std::string& fault) const
    {
        throw StateError(where_, {"line " + std::to_string(line_) + ": " + fault});
    }
    // The next line that says something.
    bool next(std::string_view& line)
    {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++line_;
            if (!trimmed(line).empty() && !trimmed(line).starts_with('#'))
                return true;
        }
        return false;
    }
    std::vector<std::string> split(std::string_view line) const
    {
        std::vector<std::string> fields(1);
        bool quoted = false;
        line = trimmed(line);
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
                fields.back() += line[++i];
            else if (line[i] == '"')
                quoted = !quoted;
            else if (line[i] == ',' && !quoted)
                fields.emplace_back();
            else
                fields.back() += line[i];
        }
        if (quoted)
            refuse("a quote is not closed");
        return fields;
    }
    void header(const std::vector<std::string>& fields, Recording& out) const
    {
        bool numbers = true;
        for (const std::string& field : fields) {
            out.columns.push_back(column_of(std::string(trimmed(field))));
            numbers = numbers && number_of(trimmed(field));
            const Column& column = out.columns.back();
            if (column.name.empty())
                refuse("column " + std::to_string(out.columns.size()) + " has no name");
            if (std::count_if(out.columns.begin(), out.columns.end(),
                              [&](const Column& other) { return other.name == column.name; }) > 1)
                refuse("column '" + column.name + "' is there twice");
        }
        if (numbers)
            refuse("got numbers, expected a header with the names of the columns, such as time,NAME,...");
    }

    std::string_view rest_, where_;
    int line_ = 0;
};

Recording from_json(std::string_view text, std::string_view where)
{
    const Json json = results::parse_state_json(text, where);
    Recording out;
    std::vector<const Json*> values;
    const auto refuse = [&](const std::string& fault) { throw StateError(where, {fault}); };
    const auto add = [&](Column column, const Json& numbers) {
        const bool right = numbers.is_array() && std::all_of(numbers.begin(), numbers.end(),
                                                             [](const Json& x) { return x.is_number(); });
        if (!right)
            refuse(column.name + ": got " + shown(numbers) + ", expected a list of numbers");
        if (!values.empty() && values.front()->size() != numbers.size())
            refuse(column.name + " has " + std::to_string(numbers.size()) + " numbers, expected " +
                   std::to_string(values.front()->size()) + ", as " + out.columns.front().name + " has");
        out.columns.push_back(std::move(column));
        values.push_back(&numbers);
    };
    if (json.contains("signals")) {
        const Json& signals = json["signals"];
        if (!signals.is_array())
            refuse("signals: got " + shown(signals) +
                   ", expected a list of {\"name\", \"unit\", \"values\"}");
        for (const Json& signal : signals) {
            if (!signal.is_object() || !signal.contains("name") || !signal["name"].is_string() ||
                !signal.contains("values") || (signal.contains("unit") && !signal["unit"].is_string()))
                refuse("signals: got " + shown(signal) +
                       ", expected {\"name\": TEXT, \"unit\": TEXT, \"values\": [...]}");
            add({signal["name"].get<std::string>(), signal.value("unit", "")}, signal["values"]);
        }
    } else {
        if (!json.contains("time"))
            refuse("no time; expected {\"time\": [...], NAME: [...], ...} or what simulate writes");
        add({"time", "s"}, json["time"]);
        for (const auto& [key, value] : json.items())
            if (key != "time")
                add({key, ""}, value);
    }
    for (std::size_t i = 0; !values.empty() && i < values.front()->size(); ++i)
        for (const Json* column : values)
            out.values.push_back((*column)[i].get<double>());
    return out;
}

} // namespace

std::string write_csv(const Recording& recording)
{
    std::string out;
    for (std::size_t i = 0; i < recording.columns.size(); ++i) {
        const Column& column = recording.columns[i];
        out +=
            (i ? "," : "") + csv_field(column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
    }
    out += "\n";
    for (std::size_t i = 0; i < recording.num_rows(); ++i) {
        const std::span<const double> row = recording.row(i);
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (j)
                out += ',';
            out += number_text(row[j] == 0.0 ? 0.0 : row[j]); // minus zero is zero
        }
        out += '\n';
    }
    return out;
}

std::string write_csv(const Simulation& simulation)
{
    std::string end;
    if (!simulation.failure.empty())
        end = "failed after t = " + number_text(simulation.last.t) + " s: " + simulation.failure;
    else if (simulation.interrupted)
        end = "interrupted at t = " + number_text(simulation.last.t) + " s";
    std::replace(end.begin(), end.end(), '\n', ' ');
    return write_csv(simulation.recording) + (end.empty() ? "" : "# " + end + "\n");
}

std::string write_json(const Model& model, const Simulation& simulation, std::span<const Event> events)
{
    const Recording& recording = simulation.recording;
    OrderedJson out, signals = OrderedJson::array(), found = OrderedJson::array();
    for (std::size_t j = 0; j < recording.columns.size(); ++j) {
        OrderedJson signal;
        signal["name"] = recording.columns[j].name;
        signal["unit"] = recording.columns[j].unit;
        std::vector<double> column;
        for (std::size_t i = 0; i < recording.num_rows(); ++i)
            column.push_back(recording(i, j));
        signal["values"] = results::ToJson{recording.columns[j].name}.list(column);
        signals.push_back(std::move(signal));
    }
    for (const EventFound& event : simulation.events) {
        OrderedJson one;
        one["name"] = events[event.event].name;
        one["time"] = event.t;
        if (!event.words.empty())
            one["words"] = event.words;
        found.push_back(std::move(one));
    }
    OrderedJson ended;
    ended["time"] = simulation.last.t;
    ended["by"] = !simulation.failure.empty() ? "failure"
                  : simulation.interrupted    ? "interrupt"
                  : simulation.stopped        ? "event"
                                              : "time";
    if (!simulation.failure.empty())
        ended["why"] = simulation.failure;
    out["model"] = model.name();
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["signals"] = std::move(signals);
    out["events"] = std::move(found);
    out["ended"] = std::move(ended);
    return results::json_text(out, false);
}

Recording read_recording(std::string_view text, std::string_view where)
{
    if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '{' ? from_json(text, where) : CsvReader(text, where).read();
}

} // namespace sweepdyn
