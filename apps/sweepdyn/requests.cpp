// What is typed after --get: names of quantities, and of what they are.
#include <algorithm>

#include <fmt/format.h>

#include "quantities.hpp"

namespace sweepdyn::app {
namespace {

using Of = Quantity::Of;

std::string_view argument(Of of)
{
    switch (of) {
    case Of::frame: return ":FRAME";
    case Of::frames: return ":FRAME+FRAME...";
    case Of::hinge: return ":HINGE";
    case Of::system: break;
    }
    return "";
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\n");
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// Where the first item of a list ends: at a comma (or a plus), unless a backslash makes it part of a name.
std::size_t item_end(std::string_view list, char separator = ',')
{
    std::size_t i = 0;
    while (i < list.size() && list[i] != separator)
        i += list[i] == '\\' ? 2 : 1;
    return std::min(i, list.size());
}

std::string without_backslashes(std::string_view name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '\\' && i + 1 < name.size())
            ++i;
        text += name[i];
    }
    return text;
}

// "FRAME", or "FRAME+FRAME" of a quantity of several.
std::vector<std::string> names_of(const Quantity& quantity, std::string_view rest)
{
    if (quantity.of != Of::frames)
        return {without_backslashes(rest)};
    std::vector<std::string> out;
    for (bool more = true; more;) {
        const std::size_t end = item_end(rest, '+');
        out.push_back(without_backslashes(trimmed(rest.substr(0, end))));
        more = end < rest.size();
        rest.remove_prefix(more ? end + 1 : rest.size());
    }
    return out;
}

[[noreturn]] void refuse(const std::vector<std::string>& faults)
{
    std::string text = "--get: ";
    for (const std::string& fault : faults)
        text.append(&fault == &faults.front() ? "" : "\n  ").append(fault);
    throw UsageError(text);
}

std::string unknown_quantity(std::string_view name, std::string_view rest)
{
    std::vector<std::string> known;
    for (const Quantity& q : quantities())
        known.emplace_back(q.name);
    const std::string_view near = nearest_name(name, known);
    if (near.empty() || rest.empty())
        return unknown_name("quantity", name, known);
    return fmt::format("unknown quantity '{}'; did you mean '{}{}'?", name, near, rest);
}

// The item's quantity, or what is wrong with it.
const Quantity* find(std::string_view name, std::string_view rest, std::string& fault)
{
    const auto named = [](const auto& wanted) -> const Quantity* {
        for (const Quantity& q : quantities())
            if (q.name == wanted)
                return &q;
        return nullptr;
    };
    if (const Quantity* variant = named(fmt::format("{}{}", name, rest));
        variant && variant->of == Of::system)
        return variant; // "qdd:fd1"
    const Quantity* found = named(name);
    if (!found)
        fault =
            name.empty() && rest.empty() ? "a name is missing between commas" : unknown_quantity(name, rest);
    else if (found->of == Of::system && !rest.empty())
        fault =
            fmt::format("'{}' is of the whole system, so nothing follows it; got '{}{}'", name, name, rest);
    else if (found->of != Of::system && rest.size() < 2)
        fault = fmt::format("'{}' needs a name: {}{}", name, name, argument(found->of));
    return fault.empty() ? found : nullptr;
}

} // namespace

std::string quantities_help()
{
    std::string text;
    for (const Quantity& q : quantities())
        if (!q.help.empty())
            text += fmt::format("  {:<20} {}\n", fmt::format("{}{}", q.name, argument(q.of)), q.help);
    return text;
}

std::vector<Request> parse_requests(std::span<const std::string> lists)
{
    std::vector<Request> requests;
    std::vector<std::string> faults;
    for (std::string_view rest : lists)
        for (bool more = true; more;) {
            const std::size_t end = item_end(rest);
            const std::string_view item = trimmed(rest.substr(0, end));
            more = end < rest.size();
            rest.remove_prefix(more ? end + 1 : rest.size());
            const bool again = std::any_of(requests.begin(), requests.end(),
                                           [&](const Request& r) { return r.key == item; });
            if (again)
                continue;
            const std::size_t colon = std::min(item.find(':'), item.size());
            std::string fault;
            if (const Quantity* quantity = find(item.substr(0, colon), item.substr(colon), fault))
                requests.push_back({std::string(item), quantity,
                                    names_of(*quantity, item.substr(std::min(colon + 1, item.size())))});
            else
                faults.push_back(fault);
        }
    if (!faults.empty())
        refuse(faults);
    return requests;
}

void resolve(std::vector<Request>& requests, const Model& model)
{
    std::vector<std::string> faults;
    for (Request& request : requests) {
        request.target.indices.clear();
        if (request.quantity->of != Of::system)
            for (const std::string& name : request.names)
                try {
                    request.target.indices.push_back(
                        request.quantity->of == Of::hinge ? model.hinge(name) : model.frame(name).index);
                } catch (const UsageError& error) {
                    faults.push_back(fmt::format("{}: {}", request.key, error.what()));
                }
    }
    if (!faults.empty())
        refuse(faults);
}

} // namespace sweepdyn::app
