// Loads a model from whatever names it: a generator, a URDF, SDF, MJCF or native file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct LoadOptions {
    enum class Base { from_file, fixed, floating };

    Base base = Base::from_file;
    bool strict = false;                      // doubts become faults
    bool merge_fixed = false; // welded bodies merged into what carries them, as frames (model/merge.hpp)
    std::vector<std::string> package_roots{}; // folders in which package://NAME/... is looked for
    std::optional<Vec3<double>> gravity{}; // instead of the file's, or of 0 0 -9.81
};

// `spec` is chain:N, tree:N or random:N:SEED (model/generate.hpp), or else the path of a file; ./chain:3 is a file.
// What a file is, its content says: XML is URDF, SDF or MJCF by its root element (<robot>, <sdf>, <mujoco>), JSON is the native format; the ending decides only where the content
// does not. Throws ModelError with every fault.
Model load_model(const std::string& spec, const LoadOptions& options = {});

} // namespace sweepdyn
