#include "json_text.hpp"

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::results {
namespace {

constexpr std::size_t longest_line = 100;

enum class Style { compact, spaced, lines };

void write(const OrderedJson& json, Style style, int level, std::string& out);

// The items of a list or an object, with `before` in front of each but the first, which has `first_before`.
void write_items(const OrderedJson& json, Style style, int level, const std::string& first_before,
                 const std::string& before, std::string& out)
{
    bool first = true;
    for (const auto& [key, item] : json.items()) {
        out += first ? first_before : "," + before;
        first = false;
        if (json.is_object()) {
            write(OrderedJson(key), style, level, out);
            out += style == Style::compact ? ":" : ": ";
        }
        write(item, style, level + 1, out);
    }
}

void write(const OrderedJson& json, Style style, int level, std::string& out)
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
    const char open = json.is_object() ? '{' : '[', close = json.is_object() ? '}' : ']';
    const std::size_t indent = 2 * static_cast<std::size_t>(level);
    std::string line(1, open);
    if (style != Style::lines || level > 0) {
        const Style in_line = style == Style::compact ? style : Style::spaced;
        write_items(json, in_line, level, "", style == Style::compact ? "" : " ", line);
        line += close;
    }
    if (style != Style::lines || (level > 0 && indent + line.size() <= longest_line)) {
        out += line;
        return;
    }
    const std::string margin = "\n" + std::string(indent, ' ');
    out += open;
    write_items(json, style, level, margin + "  ", margin + "  ", out);
    out += margin;
    out += close;
}

} // namespace

std::string json_text(const OrderedJson& json, bool indented)
{
    std::string out;
    write(json, indented ? Style::lines : Style::compact, 0, out);
    return out;
}

} // namespace sweepdyn::results
