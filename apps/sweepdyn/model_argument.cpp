#include "model_argument.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/generate.hpp"
#include "terminal.hpp"

namespace sweepdyn::app {
namespace {

namespace fs = std::filesystem;

fs::path executable()
{
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

std::vector<std::string> shipped_names()
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(shipped_models(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".urdf" || entry->path().extension() == ".json")
            names.push_back(entry->path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string& notes_so_far()
{
    static std::string notes;
    return notes;
}

Vec3<double> parse_gravity(std::string_view text)
{
    const auto refuse = [&] {
        return UsageError(fmt::format(
            "--gravity: got '{}', expected three numbers with commas between, such as --gravity=0,0,-9.81",
            text));
    };
    Vec3<double> out;
    std::string_view rest = text;
    for (int i = 0; i < 3; ++i) {
        const std::size_t comma = rest.find(',');
        if ((comma == rest.npos) != (i == 2))
            throw refuse();
        const std::optional<double> number = typed_number(rest.substr(0, comma));
        rest.remove_prefix(i == 2 ? rest.size() : comma + 1);
        if (!number)
            throw refuse();
        out[i] = *number;
    }
    return out;
}

std::vector<std::string> checked_roots(const std::vector<std::string>& roots)
{
    std::error_code error;
    for (const std::string& root : roots)
        if (!fs::is_directory(root, error))
            throw UsageError(
                fmt::format("--package-root: {} '{}'; expected the folder that holds the packages",
                            fs::exists(root, error) ? "this is no folder:" : "there is no folder", root));
    return roots;
}

std::string checked_word(std::string_view option, const std::string& got,
                         const std::vector<std::string>& known)
{
    if (!got.empty() && std::find(known.begin(), known.end(), got) == known.end())
        throw UsageError(fmt::format("{}: {}", option, unknown_name("word", got, known)));
    return got;
}

} // namespace

std::optional<double> typed_number(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

void note(std::string_view text) { notes_so_far().append(fmt::format("sweepdyn: note: {}\n", text)); }

std::string take_notes() { return std::exchange(notes_so_far(), {}); }

void note_doubts(const Model& model, const ModelArgument& argument)
{
    const auto doubts = std::count_if(model.notes().begin(), model.notes().end(),
                                      [](const Note& n) { return n.kind == Note::Kind::doubt; });
    if (doubts > 0)
        note(fmt::format("{} about the model; '{} info {}' lists {}",
                         count(static_cast<std::size_t>(doubts), "doubt", "doubts"), program_name(),
                         argument.spec, doubts == 1 ? "it" : "them"));
}

std::string quoted_names(std::span<const std::string> names)
{
    std::string text;
    for (const std::string& name : names)
        text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
    return text;
}

std::string loop_text(const Loop& loop)
{
    if (loop.kind == LoopKind::coupling)
        return equation(loop);
    const auto end = [](const std::string& body) { return body.empty() ? "the ground" : "'" + body + "'"; };
    return fmt::format("{}: {} between {} and {}", loop.name, name(loop.kind), end(loop.body_a),
                       end(loop.body_b));
}

fs::path shipped_models() { return executable().parent_path() / SWEEPDYN_MODELS_FROM_BIN; }

std::string program_name()
{
    // build/PRESET/bin/sweepdyn of a checkout, where ./run is what a reader has typed.
    std::error_code error;
    const fs::path root = executable().parent_path() / "../../..";
    return fs::is_regular_file(root / "run", error) && fs::is_directory(root / "apps/sweepdyn", error)
               ? "./run"
               : "sweepdyn";
}

std::string resolve_model(const std::string& spec)
{
    std::error_code error;
    const bool bare = !spec.empty() && spec.find('/') == spec.npos && spec.find(':') == spec.npos;
    const fs::file_status here = fs::status(spec, error);
    if (!bare || (fs::exists(here) && !fs::is_directory(here)))
        return spec;
    for (const char* ending : {"", ".urdf", ".json"})
        if (const fs::path path = shipped_models() / (spec + ending); fs::is_regular_file(path, error))
            return path.lexically_normal().string();
    // load_model has words for files with an ending, and for directories.
    if (fs::exists(here) || fs::path(spec).has_extension())
        return spec;
    throw ModelError(
        spec,
        {"no such file, and " + unknown_name("shipped model", spec, shipped_names()) +
         "\n  give a .urdf or a native .json file, a shipped model, or chain:N, tree:N, random:N:SEED"});
}

Model load(const ModelArgument& argument)
{
    LoadOptions options;
    const std::string base = checked_word("--base", argument.base, {"fixed", "floating"});
    if (!base.empty())
        options.base = base == "fixed" ? LoadOptions::Base::fixed : LoadOptions::Base::floating;
    if (!argument.gravity.empty())
        options.gravity = parse_gravity(argument.gravity);
    options.strict = argument.strict;
    options.merge_fixed = argument.merge_fixed;
    options.package_roots = checked_roots(argument.package_roots);
    const bool independent = !checked_word("--mimic", argument.mimic, {"independent"}).empty();
    const bool cut = !checked_word("--loops", argument.loops, {"cut"}).empty();

    Model model = load_model(resolve_model(argument.spec), options);
    if (cut) {
        for (const Loop& loop : model.loops())
            note(loop.kind == LoopKind::coupling
                     ? fmt::format("coupling {} is dropped: its hinges move independently", loop_text(loop))
                     : fmt::format("loop {} is cut", loop_text(loop)));
        return drop_loops(model);
    }
    if (!independent)
        return model;
    for (const Loop& loop : model.loops())
        if (loop.kind == LoopKind::coupling)
            note(fmt::format("coupling {} is dropped: its hinges move independently", loop_text(loop)));
    return drop_couplings(model);
}

} // namespace sweepdyn::app
