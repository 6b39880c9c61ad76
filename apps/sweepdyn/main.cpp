// The command line: how results and errors leave. What may be typed stands in command_line.hpp.
//
// Exit: 0, 1 for bad data, 2 for usage, 130 when Ctrl-C ended a run whose data are kept. On error stdout stays empty and stderr begins with "sweepdyn: error: ".
#include <cstdio>

#include <fmt/format.h>

#include "command_line.hpp"

namespace sweepdyn::app {
namespace {

int fail(int exit_code, std::string_view text)
{
    fmt::print(stderr, "sweepdyn: error: {}\n", text);
    return exit_code;
}

// A single fault needs no list.
std::string text_of(const ModelError& error)
{
    std::string text = error.what();
    constexpr std::string_view list_of_one = ": 1 fault\n  - ";
    if (const std::size_t at = text.find(list_of_one); error.faults.size() == 1 && at != text.npos)
        text.replace(at, list_of_one.size(), ": ");
    return text;
}

int print(const std::string& text)
{
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return written ? 0 : fail(1, "stdout: cannot be written to its end");
}

int run(int argc, char** argv)
{
    CommandLine line;
    try {
        return print(line.run(argc, argv));
    } catch (const EndedEarly& run) {
        const int printed = print(run.out);
        if (run.exit_code == 1)
            return fail(1, run.words);
        note(run.words);
        return printed ? printed : run.exit_code;
    } catch (const CLI::CallForHelp&) {
        return print(line.help());
    } catch (const CLI::CallForVersion&) {
        return print("sweepdyn " SWEEPDYN_VERSION "\n");
    } catch (const CLI::ParseError& error) {
        return fail(2, error.what());
    } catch (const UsageError& error) {
        return fail(2, error.what());
    } catch (const std::bad_alloc&) {
        return fail(1, "out of memory");
    } catch (const ModelError& error) {
        return fail(1, text_of(error));
    } catch (const std::exception& error) { // StateError, RefusedError, and files that cannot be written
        return fail(1, error.what());
    }
}

} // namespace
} // namespace sweepdyn::app

int main(int argc, char** argv)
{
    const int exit_code = sweepdyn::app::run(argc, argv);
    fmt::print(stderr, "{}", sweepdyn::app::take_notes());
    return exit_code;
}
