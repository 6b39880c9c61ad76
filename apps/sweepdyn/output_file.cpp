#include "output_file.hpp"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "sweepdyn/io/results/behind_links.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::app {

namespace fs = std::filesystem;

void refuse_output(const fs::path& name, std::string_view why)
{
    throw std::runtime_error(fmt::format("{}: {}", name.string(), why));
}

namespace {
// `name` is what the user calls it.
void write_text(const fs::path& path, const fs::path& name, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    if (!file)
        refuse_output(name, "cannot be opened for writing; is the folder there, and yours?");
    file << text << std::flush;
    if (!file)
        refuse_output(name, "cannot be written to its end; is the disk full?");
}
} // namespace

void check_output(const fs::path& name)
{
    std::error_code error;
    if (fs::is_directory(name, error))
        refuse_output(name, "is a directory, expected the name of a file");
    if (const fs::path folder = name.parent_path(); !folder.empty() && !fs::is_directory(folder, error))
        refuse_output(name, "cannot be opened for writing; is the folder there, and yours?");
}

void check_ending(const std::string& name, std::initializer_list<std::string_view> endings)
{
    std::error_code error;
    if (fs::exists(name, error) && !fs::is_regular_file(name, error))
        return; // a device or a pipe takes what comes; of folders check_output tells
    std::string known;
    for (std::string_view ending : endings) {
        if (name.ends_with(ending))
            return;
        known += fmt::format("{}{}", known.empty() ? "" : " or ", ending);
    }
    if (!name.empty() && name != "-")
        throw UsageError(fmt::format("-o: got '{}', expected a name that ends in {}, or - for JSON on stdout",
                                     name, known));
}

void replace_file(const fs::path& name, const std::string& text)
{
    std::error_code error;
    if (fs::is_directory(name, error))
        refuse_output(name, "is a directory, expected the name of a file");
    if (fs::exists(name, error) && !fs::is_regular_file(name, error))
        return write_text(name, name, text); // a device or a pipe: nothing can take its name
    const fs::path path = behind_links(name); // the link stays
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

} // namespace sweepdyn::app
