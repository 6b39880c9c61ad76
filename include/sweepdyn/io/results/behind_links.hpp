// The file that a name means, behind symbolic links: also where the last of them leads to nothing yet, so that a link stays a link when
// a complete file takes the place of what it leads to.
#pragma once

#include <filesystem>
#include <stdexcept>

namespace sweepdyn {

// Throws std::runtime_error, "NAME: WHY", for links that lead in a circle.
inline std::filesystem::path behind_links(const std::filesystem::path& name)
{
    std::error_code error;
    std::filesystem::path path = name;
    for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
        if (links == 40) // as many as the system follows
            throw std::runtime_error(name.string() +
                                     ": symbolic links lead in a circle, expected one that leads to a file");
        path = path.parent_path() / std::filesystem::read_symlink(path); // an absolute one stands for itself
    }
    return path;
}

} // namespace sweepdyn
