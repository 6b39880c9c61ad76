#include "xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "utf8.hpp"

namespace sweepdyn::model_reader {
namespace {

constexpr std::string_view white_space = " \t\r\n";

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> found;
    for (std::size_t at = text.find_first_not_of(white_space); at != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(white_space, at), text.size());
        found.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(white_space, end);
    }
    return found;
}

// Reads one number; returns what is wrong with it, or nothing. from_chars knows no locale, and no plus sign.
std::string parse_number(std::string_view word, double& number)
{
    const std::string_view digits =
        word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string shown = readable(word);
    if (error == std::errc::result_out_of_range)
        return fmt::format("'{}' is outside of what a double can hold", shown);
    if (error == std::errc{} && !std::isfinite(value))
        return fmt::format("'{}' is not finite", shown);
    if (error == std::errc{} && end == digits.data() + digits.size())
        return number = value, "";
    if (word.find(',') != word.npos)
        return fmt::format("'{}' is not a number: write a decimal point, and spaces between numbers", shown);
    return fmt::format("'{}' is not a number", shown);
}

std::string named(const Element& element)
{
    const char* name = element.Attribute("name");
    return name && *name ? fmt::format("<{} name=\"{}\">", readable(element.Name()), readable(name))
                         : fmt::format("<{}>", readable(element.Name()));
}

std::string counts(const std::map<std::string, int>& what)
{
    std::string text;
    for (const auto& [name, count] : what)
        text += fmt::format("{}{} x{}", text.empty() ? "" : ", ", name, count);
    return text;
}

} // namespace

std::string where(const Element& element)
{
    std::string text = named(element);
    const auto has_name = [](const Element& e) { return e.Attribute("name") && *e.Attribute("name"); };
    if (!has_name(element)) {
        const Element* owner = element.Parent() ? element.Parent()->ToElement() : nullptr;
        while (owner && !has_name(*owner))
            owner = owner->Parent() ? owner->Parent()->ToElement() : nullptr;
        if (owner && std::string_view(owner->Name()) != "robot")
            text += " of " + named(*owner);
    }
    return fmt::format("{} (line {})", text, element.GetLineNum());
}

std::string located(const std::string& fault, const Report& report)
{
    if (fault.starts_with('<')) // the reader's own
        return fault;
    std::size_t first = fault.npos;
    const std::string* place = nullptr;
    for (const auto& [what, name, at] : report.places)
        if (const std::size_t here = fault.find(fmt::format("{} '{}'", what, name)); here < first)
            first = here, place = &at;
    for (const auto& [what, name, at] : report.places)
        if (const std::size_t here = fault.find(fmt::format("'{}'", name)); here < first && !place)
            first = here, place = &at;
    return place ? fmt::format("{}: {}", *place, fault) : fault;
}

void remark_counts(Report& report)
{
    if (!report.without_effect.empty())
        report.remark("read but without effect: " + counts(report.without_effect));
    if (!report.unknown.empty())
        report.remark("unknown and ignored: " + counts(report.unknown));
}

std::vector<const Element*> children(const Element& parent, const char* name)
{
    std::vector<const Element*> found;
    for (const Element* child = parent.FirstChildElement(name); child;
         child = child->NextSiblingElement(name))
        found.push_back(child);
    return found;
}

std::string optional_text(const Element& element, const char* attribute, Report& report)
{
    const char* text = element.Attribute(attribute);
    if (!text || is_utf8(text))
        return text ? text : "";
    report.fault(element,
                 fmt::format("{} is \"{}\", expected printable text in UTF-8", attribute, readable(text)));
    return "";
}

std::string required_text(const Element& element, const char* attribute, Report& report)
{
    const char* text = element.Attribute(attribute);
    if (text && *text)
        return optional_text(element, attribute, report);
    report.fault(element, fmt::format("attribute {} is {}; write {}=\"...\"", attribute,
                                      text ? "empty" : "missing", attribute));
    return "";
}

namespace {

bool read_numbers(const Element& element, const char* attribute, std::size_t fewest, std::span<double> out,
                  Report& report)
{
    const char* text = element.Attribute(attribute);
    if (!text)
        return false;
    const std::vector<std::string_view> found = words(text);
    std::vector<double> numbers(found.size());
    std::string wrong;
    for (std::size_t i = 0; i < found.size() && wrong.empty(); ++i)
        wrong = parse_number(found[i], numbers[i]);
    if (wrong.empty() && found.size() >= fewest && found.size() <= out.size()) {
        std::copy(numbers.begin(), numbers.end(), out.begin());
        return true;
    }
    if (wrong.empty())
        wrong = fmt::format("got {}", found.size());
    const std::string expected =
        fewest == out.size() ? fmt::to_string(fewest) : fmt::format("{} to {}", fewest, out.size());
    report.fault(element,
                 fmt::format("{} is \"{}\", expected {} finite number{}: {}", attribute, readable(text),
                             expected, out.size() == 1 ? "" : "s separated by spaces", wrong));
    return false;
}

} // namespace

bool read_numbers(const Element& element, const char* attribute, std::span<double> out, Report& report)
{
    return read_numbers(element, attribute, out.size(), out, report);
}

bool read_first_numbers(const Element& element, const char* attribute, std::span<double> out, Report& report)
{
    return read_numbers(element, attribute, 1, out, report);
}

std::optional<double> read_number(const Element& element, const char* attribute, Report& report)
{
    double number = 0.0;
    return read_numbers(element, attribute, {&number, 1}, report) ? std::optional(number) : std::nullopt;
}

bool read_text_numbers(const Element& element, std::span<double> out, Report& report)
{
    const std::string_view text = element.GetText() ? element.GetText() : "";
    const std::vector<std::string_view> found = words(text);
    std::string wrong = found.size() == out.size() ? "" : fmt::format("got {}", found.size());
    for (std::size_t i = 0; i < out.size() && wrong.empty(); ++i)
        wrong = parse_number(found[i], out[i]);
    if (!wrong.empty())
        report.fault(element, fmt::format("it holds \"{}\", expected {} finite number{}: {}", readable(text),
                                          out.size(), out.size() == 1 ? "" : "s separated by spaces", wrong));
    return wrong.empty();
}

std::optional<double> read_text_number(const Element& element, Report& report)
{
    double number = 0.0;
    return read_text_numbers(element, {&number, 1}, report) ? std::optional(number) : std::nullopt;
}

double required_number(const Element& element, const char* attribute, Report& report)
{
    if (!element.Attribute(attribute))
        report.fault(element,
                     fmt::format("attribute {} is missing; write {}=\"NUMBER\"", attribute, attribute));
    return read_number(element, attribute, report).value_or(0.0);
}

} // namespace sweepdyn::model_reader
