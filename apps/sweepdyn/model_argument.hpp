// The MODEL of a command: what was typed about it, and the model that it means.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn::app {

struct ModelArgument {
    std::string spec; // a generator, a path, or the bare name of a shipped model
    std::string base; // "", fixed, floating
    std::string gravity; // "" or x,y,z
    std::string mimic; // "" or independent
    std::string loops; // "" or cut
    bool strict = false;
    bool merge_fixed = false;
    std::vector<std::string> package_roots;
};

// The file of a shipped model when `spec` is a bare name that no file here has; otherwise `spec` itself.
// Throws ModelError with a suggestion when a bare name is neither.
std::string resolve_model(const std::string& spec);

// Couplings are dropped, with a note on stderr, when mimic is independent, all loops when loops is cut. Throws UsageError, ModelError.
Model load(const ModelArgument& argument);

// <directory of the executable>/SWEEPDYN_MODELS_FROM_BIN
std::filesystem::path shipped_models();
// How a reader of our examples calls this program: ./run in a checkout, else sweepdyn.
std::string program_name();

// "'a', 'b'"
std::string quoted_names(std::span<const std::string> names);
// "'right' = -1 'left' + 0.005", "loop0: ball between 'rod' and the ground"
std::string loop_text(const Loop& loop);

// A number that was typed, finite; nothing when it is none.
std::optional<double> typed_number(std::string_view text);

// What stderr says besides errors. Notes wait until the end: where there is an error, it comes first.
void note(std::string_view text);
// How many doubts there are about the model, if any, and where to read them.
void note_doubts(const Model& model, const ModelArgument& argument);
std::string take_notes();

} // namespace sweepdyn::app
