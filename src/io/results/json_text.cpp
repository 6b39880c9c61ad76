#include "json_text.hpp"

#include <algorithm>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::results {
namespace {

void write(const OrderedJson& json, bool indented, int level, std::string& out)
{
    if (json.is_number_float()) {
        const double number = json.get<double>();
        out += number_text(number == 0.0 ? 0.0 : number); // minus zero is zero
        return;
    }
    if (!json.is_structured()) {
        out += json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
        return;
    }
    const bool object = json.is_object();
    const bool lines =
        indented && (level == 0 || std::any_of(json.begin(), json.end(),
                                               [](const OrderedJson& item) { return item.is_structured(); }));
    const auto new_line = [&](int at) {
        if (lines)
            out += "\n" + std::string(2 * static_cast<std::size_t>(at), ' ');
    };
    out += object ? '{' : '[';
    bool first = true;
    for (const auto& [key, item] : json.items()) {
        if (!first)
            out += lines || !indented ? "," : ", ";
        first = false;
        new_line(level + 1);
        if (object) {
            write(OrderedJson(key), false, 0, out);
            out += indented ? ": " : ":";
        }
        write(item, indented, level + 1, out);
    }
    if (!first)
        new_line(level);
    out += object ? '}' : ']';
}

} // namespace

std::string json_text(const OrderedJson& json, bool indented)
{
    std::string out;
    write(json, indented, 0, out);
    return out;
}

} // namespace sweepdyn::results
