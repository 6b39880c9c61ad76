#include "urdf_xacro.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace sweepdyn::urdf_reader {
namespace {

namespace fs = std::filesystem;

// What is not of the mechanism may hold any text.
bool is_foreign(const Element& element)
{
    const std::string_view name = element.Name();
    return name == "gazebo" || name == "transmission" || name == "ros2_control";
}

// <xacro:...>, ${expression} or $(command).
bool needs_xacro(const Element& element)
{
    if (std::string_view(element.Name()).starts_with("xacro:"))
        return true;
    for (const auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
        const std::string_view value = attribute->Value();
        if (value.find("${") != value.npos || value.find("$(") != value.npos)
            return true;
    }
    return false;
}

const Element* find_xacro(const Element& element)
{
    if (needs_xacro(element))
        return &element;
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
        if (!is_foreign(*child))
            if (const Element* found = find_xacro(*child))
                return found;
    return nullptr;
}

bool on_path(std::string_view program)
{
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path file = fs::path(folder) / program; access(file.c_str(), X_OK) == 0)
            return true;
    return false;
}

std::string shell_quoted(std::string_view text)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=@%,";
    if (!text.empty() && text.find_first_not_of(plain) == text.npos)
        return std::string(text);
    std::string quoted = "'";
    for (char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// arm.urdf.xacro and arm.xacro give arm.urdf; arm.urdf, not to be overwritten, gives arm.expanded.urdf.
std::string expanded_name(std::string_view source)
{
    fs::path path(source);
    path.replace_extension(path.extension() == ".xacro" ? "" : ".expanded");
    if (path.extension() != ".urdf")
        path += ".urdf";
    return path.string();
}

std::string how_to_expand(std::string_view source)
{
    return fmt::format(
        "this is xacro, to be expanded into URDF first; {}type: xacro {} > {}",
        on_path("xacro") ? "" : "install it (pip install xacro, or the xacro package of your ROS), then ",
        shell_quoted(source), shell_quoted(expanded_name(source)));
}

} // namespace

std::string xacro_fault(const Element& robot, std::string_view source_name)
{
    if (const Element* found = find_xacro(robot))
        return fmt::format("{}: {}", where(*found), how_to_expand(source_name));
    return source_name.ends_with(".xacro") ? how_to_expand(source_name) : "";
}

} // namespace sweepdyn::urdf_reader
