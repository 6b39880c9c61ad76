// Files that a command writes.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sweepdyn::app {

// Throws std::runtime_error, "NAME: WHY".
[[noreturn]] void refuse_output(const std::filesystem::path& name, std::string_view why);
// Whole or not at all: a file beside it takes its name when it is complete.
void replace_file(const std::filesystem::path& name, const std::string& text);
// What can be told before a long run: that the name is no folder, and that its folder is there.
void check_output(const std::filesystem::path& name);

// Of -o, where only one form is written: UsageError for a name that ends otherwise, unless there is none, or it is -, a device or a pipe.
void check_ending(const std::string& name, std::initializer_list<std::string_view> endings);

} // namespace sweepdyn::app
