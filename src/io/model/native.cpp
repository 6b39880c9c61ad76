#include "sweepdyn/io/model/native.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "native_reader.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/merge.hpp"

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
    if (options.gravity)
        builder.set_gravity(*options.gravity);
    try {
        Model model = builder.build();
        if (options.base != LoadOptions::Base::from_file)
            model = with_base(model, options.base == LoadOptions::Base::fixed ? BaseKind::fixed
                                                                              : BaseKind::floating);
        if (options.merge_fixed)
            model = merge_welds(model);
        // Strictness judges what came out: an option may have settled a doubt, or raised one.
        std::vector<std::string> doubts;
        for (const Note& note : model.notes())
            if (options.strict && note.kind == Note::Kind::doubt)
                doubts.push_back(note.text);
        if (!doubts.empty())
            throw ModelError("strict", doubts);
        return model;
    } catch (const ModelError& error) {
        throw ModelError(source + (options.strict ? " (strict)" : ""), error.faults);
    }
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
