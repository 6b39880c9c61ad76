// sweepdyn convert: any model as a native file.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, std::string_view why)
{
    throw std::runtime_error(fmt::format("{}: {}", path.string(), why));
}

// `name` is what the user calls it.
void write_text(const fs::path& path, const fs::path& name, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    if (!file)
        refuse(name, "cannot be opened for writing; is the folder there, and yours?");
    file << text << std::flush;
    if (!file)
        refuse(name, "cannot be written to its end; is the disk full?");
}

// Whole or not at all: a file beside it takes its name when it is complete.
void replace_file(const fs::path& name, const std::string& text)
{
    std::error_code error;
    if (fs::is_directory(name, error))
        refuse(name, "is a directory, expected the name of a file");
    if (fs::exists(name, error) && !fs::is_regular_file(name, error))
        return write_text(name, name, text); // a device or a pipe: nothing can take its name
    const fs::path path = fs::is_symlink(name, error) ? fs::weakly_canonical(name) : name; // the link stays
    fs::path beside = path;
    beside += fmt::format(".{}.part", getpid());
    try {
        write_text(beside, name, text);
        fs::rename(beside, path);
    } catch (...) {
        fs::remove(beside, error);
        throw;
    }
}

} // namespace

std::string run_convert(const ConvertOptions& options)
{
    const Model model = load(options.model);
    // What the file gave cause to say is lost in the new one; what the numbers say is not.
    for (const Note& said : model.notes())
        if (!said.derived)
            note(said.text);
    note_doubts(model, options.model);
    const std::string text = write_native(model);
    if (options.output.empty() || options.output == "-")
        return text;
    std::error_code error;
    if (fs::equivalent(resolve_model(options.model.spec), options.output, error))
        refuse(options.output, "is the input itself, which is never overwritten; give another name to -o");
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
