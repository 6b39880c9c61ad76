// The words of the command line, where CLI11's own checks would be silent or say too little.
#pragma once

#include <CLI/CLI.hpp>

namespace sweepdyn::app {

// Before they are parsed. Throws UsageError: a flag with a value, an option without one, an option given twice.
void check_values(const CLI::App& app, int argc, const char* const* argv);

// After it, what nobody claimed: an unknown option, else a word too many. Throws UsageError with a suggestion. Without a
// command: of the words before it.
void refuse_extras(const CLI::App& app, const CLI::App* command);

} // namespace sweepdyn::app
