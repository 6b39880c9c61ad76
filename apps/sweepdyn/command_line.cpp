#include "command_line.hpp"

#include <fmt/format.h>

#include "typed_words.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* about = R"(Dynamics of jointed bodies: robot arms, legged robots, spacecraft.

MODEL is a file (URDF, SDF, MJCF or native), the name of a shipped model (arm7,
quadruped, ...), or made to measure: chain:N, tree:N, random:N:SEED.
)";

constexpr const char* examples = R"(Examples:
  sweepdyn demo
  sweepdyn info arm7
  sweepdyn compute arm7 --get M,gravity
  sweepdyn compute robot.urdf --state state.json --get T,pose:tool0
  sweepdyn ik arm7 --frame tool --target 0.4,0,0.6
  sweepdyn simulate arm7 --time 5 -o fall.csv
  sweepdyn plot fall.csv -o fall.svg
  sweepdyn poles arm7
  sweepdyn regulate arm7 --design lqr -o regulator.json
  sweepdyn convert robot.urdf -o robot.json

sweepdyn COMMAND --help tells more.)";

bool names_a_model(const CLI::App& command)
{
    const std::vector<std::string> words = command.get_option("MODEL")->results();
    return !words.empty() && !words.front().empty();
}

} // namespace

void add_model_options(CLI::App& command, ModelArgument& model)
{
    command.add_option("MODEL", model.spec, "a file, a shipped model, chain:N, tree:N, ...")->type_name("");
    command.add_option("--base", model.base, "else what the file says, else fixed")
        ->type_name("fixed|floating");
    command.add_option("--gravity", model.gravity, "else what the file says, else 0,0,-9.81")
        ->type_name("X,Y,Z");
    command.add_option("--mimic", model.mimic, "drop couplings: their hinges move freely")
        ->type_name("independent");
    command.add_option("--loops", model.loops, "drop loops and couplings: a tree is left")->type_name("cut");
    command.add_flag("--strict", model.strict, "doubts about the model become faults");
    command.add_flag("--merge-fixed", model.merge_fixed, "merge welded bodies into what carries them");
    command.add_option("--package-root", model.package_roots, "where package:// is; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

CommandLine::CommandLine() : app_(about)
{
    app_.name("sweepdyn");
    app_.set_version_flag("--version", "sweepdyn " SWEEPDYN_VERSION, "print the version and leave");
    app_.footer(examples);
    app_.set_help_flag("-h,--help", "print this and leave");
    app_.require_subcommand(0, 1); // the second word is a MODEL, whatever it is called
    app_.allow_extras(); // refused with a suggestion, by refuse_extras
    add_model_commands(*this);
    add_motion_commands(*this);
    add_linear_commands(*this);
    add_algebra_commands(*this);
}

CLI::App& CommandLine::add_command(const std::string& name, const std::string& what,
                                   const std::string& footer, std::function<std::string()> action)
{
    CLI::App& command = *app_.add_subcommand(name, what);
    command.allow_extras();
    command.set_help_flag("-h,--help", "print this and leave");
    command.footer(footer);
    actions_.emplace(name, std::move(action));
    return command;
}

std::string CommandLine::run(int argc, char** argv)
{
    check_values(app_, argc, argv);
    app_.parse(argc, argv);
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
    refuse_extras(app_, nullptr);
    if (!command)
        throw UsageError(
            "no command; there are info, compute, ik, assemble, linearize, poles, bode, regulate, "
            "simulate, "
            "plot, convert, "
            "eval, explain, identities, demo, and sweepdyn --help");
    refuse_extras(app_, command);
    if (command->get_option_no_throw("MODEL") && !names_a_model(*command))
        throw UsageError(fmt::format("{} needs a MODEL: a file, a shipped model such as arm7, or chain:N",
                                     command->get_name()));
    return actions_.at(command->get_name())();
}

std::string CommandLine::help() const
{
    std::string text = app_.help();
    text.erase(text.find_last_not_of('\n') + 1); // versions of CLI11 differ
    return text + "\n";
}

} // namespace sweepdyn::app
