#include "sweepdyn/io/model/native.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "finish.hpp"
#include "native_reader.hpp"

namespace sweepdyn {

Model parse_native(std::string_view text, std::string_view source_name, const LoadOptions& options)
{
    const std::string source(source_name);
    native::Report report;
    const auto json = native::parse_json(text, report);
    if (!json)
        throw ModelError(source, report.faults);

    const std::string stem = std::filesystem::path(source).stem().string();
    ModelBuilder builder(stem.empty() ? "model" : stem);
    native::Reader reader(builder, report);
    const bool tree_is_whole = reader.read(native::Value(*json, "", report));
    if (!tree_is_whole)
        throw ModelError(source, report.faults);
    for (const std::string& fault : report.faults)
        builder.add_fault(fault);
    for (const Note& note : report.notes)
        builder.add_note(note);
    return detail::finish(builder, source, options);
}

Model read_native(const std::string& path, const LoadOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw ModelError(path, {"is a directory, expected a file"});
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw ModelError(path, {"cannot be opened; is the name right?"});
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad())
        throw ModelError(path, {"cannot be read to its end"});
    return parse_native(text, path, options);
}

} // namespace sweepdyn
