// What may be typed: every command with its options, its examples and what it does.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace sweepdyn::app {

class CommandLine {
public:
    CommandLine();

    // What goes to stdout. Throws CLI::ParseError, or what the commands throw.
    std::string run(int argc, char** argv);
    std::string help() const;

    // A command, and the options that `action` will get.
    template <class Options>
    std::pair<CLI::App&, Options&> add(const std::string& name, const std::string& what,
                                       const std::string& footer, std::string (*action)(const Options&))
    {
        const auto options = std::make_shared<Options>();
        return {add_command(name, what, footer, [=] { return action(*options); }), *options};
    }

private:
    CLI::App& add_command(const std::string& name, const std::string& what, const std::string& footer,
                          std::function<std::string()> action);

    CLI::App app_;
    std::map<std::string, std::function<std::string()>> actions_;
};

// MODEL and what every command does with it.
void add_model_options(CLI::App& command, ModelArgument& model);

void add_model_commands(CommandLine& line);   // options_model.cpp
void add_motion_commands(CommandLine& line);  // options_motion.cpp
void add_linear_commands(CommandLine& line);  // options_linear.cpp
void add_algebra_commands(CommandLine& line); // options_algebra.cpp

} // namespace sweepdyn::app
