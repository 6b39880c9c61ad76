#include "typed_words.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::app {
namespace {

constexpr std::string_view end_of_options = "--";

std::vector<const CLI::App*> commands_of(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

// --name=value, --name, -nvalue, -n
struct TypedOption {
    std::string name;
    std::optional<std::string> value;
};
TypedOption split(const std::string& word)
{
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
    TypedOption out{word.substr(0, end), std::nullopt};
    if (end < word.size())
        out.value = word.substr(is_long ? end + 1 : end);
    return out;
}

[[noreturn]] void refuse_value(const std::string& name, const std::string& value)
{
    throw UsageError(fmt::format("{} takes no value, got '{}'; {}", name, value,
                                 name == "--passive" ? "the speed of dry friction is --friction-speed V_S"
                                                     : "write " + name + " alone, or leave it out"));
}

[[noreturn]] void refuse_missing(const TypedOption& typed, const CLI::Option& option, std::string_view got)
{
    throw UsageError(fmt::format("{} needs a value, got {}; expected {} {}", typed.name, got, typed.name,
                                 option.get_type_name()));
}

} // namespace

void check_values(const CLI::App& app, int argc, const char* const* argv)
{
    const CLI::App* scope = &app;
    std::map<const CLI::Option*, std::string> seen; // with its value
    for (int i = 1; i < argc && argv[i] != end_of_options; ++i) {
        const std::string word = argv[i];
        if (scope == &app)
            for (const CLI::App* command : commands_of(app))
                scope = word == command->get_name() ? command : scope;
        if (!word.starts_with('-') || word.size() < 2)
            continue;
        TypedOption typed = split(word);
        const CLI::Option* option = scope->get_option_no_throw(typed.name);
        if (!option)
            continue; // told as unknown, by refuse_extras
        if (option->get_items_expected_max() == 0) {
            if (typed.value && word.starts_with("--"))
                refuse_value(typed.name, *typed.value);
            continue;
        }
        if (!typed.value) {
            const std::string_view next = i + 1 < argc ? argv[i + 1] : end_of_options;
            if (next == end_of_options)
                refuse_missing(typed, *option, "none");
            if (next.starts_with("--"))
                refuse_missing(typed, *option, fmt::format("the option {}", next));
            typed.value = next;
            ++i;
        }
        if (typed.value->empty())
            refuse_missing(typed, *option, "''");
        if (!word.starts_with("--") && typed.value->starts_with('='))
            throw UsageError(fmt::format("{}: got '{}', expected {} {}", typed.name, *typed.value, typed.name,
                                         typed.value->substr(1)));
        const auto [first, is_new] = seen.emplace(option, *typed.value);
        if (const bool may_repeat = option->get_items_expected_max() > 1; !is_new && !may_repeat)
            throw UsageError(fmt::format("{} is given twice, '{}' and '{}'; expected once", typed.name,
                                         first->second, *typed.value));
    }
}

void refuse_extras(const CLI::App& app, const CLI::App* command)
{
    std::vector<std::string> extras = command ? command->remaining() : app.remaining();
    if (!command && !extras.empty() && !extras.front().starts_with('-')) {
        std::vector<std::string> names;
        for (const CLI::App* other : commands_of(app))
            names.push_back(other->get_name());
        throw UsageError(unknown_name("command", extras.front(), names));
    }
    const auto end = std::find(extras.begin(), extras.end(), end_of_options);
    const auto dashed = std::find_if(
        extras.begin(), end, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
    if (dashed != end) {
        const std::string typed = dashed->substr(0, dashed->find('='));
        for (const CLI::App* other : commands_of(app))
            if (const auto names = option_names(*other);
                !command && std::find(names.begin(), names.end(), typed) != names.end())
                throw UsageError(fmt::format("option '{}' comes after the command: sweepdyn {} ... {}", typed,
                                             other->get_name(), typed));
        throw UsageError(unknown_name("option", typed, option_names(command ? *command : app)));
    }
    if (end != extras.end())
        extras.erase(end);
    if (!extras.empty())
        throw UsageError(fmt::format("'{}' is one word too many; {} --help tells what is expected",
                                     extras.front(), command ? command->get_name() : "sweepdyn"));
}

} // namespace sweepdyn::app
