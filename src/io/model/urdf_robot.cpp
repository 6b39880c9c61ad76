#include "urdf_units.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace sweepdyn::urdf_reader {
namespace {

// The first user of each name; a second one is a fault. True when the name is new.
bool is_new(const std::string& name, const Element& element, std::map<std::string, const Element*>& seen,
            Report& report)
{
    if (name.empty()) // missing, and reported
        return false;
    const auto [first, fresh] = seen.emplace(name, &element);
    if (!fresh)
        report.fault(element,
                     fmt::format("the name '{}' is taken by {}; give another", name, where(*first->second)));
    return fresh;
}

std::string read_name(const Element& robot, std::string_view source_name, Report& report)
{
    if (std::string name = optional_text(robot, "name", report); !name.empty())
        return name;
    const std::string stem = std::filesystem::path(source_name).stem().string();
    report.doubt(robot, fmt::format("attribute name is missing, so the model is called '{}'", stem));
    return stem;
}

void remark_meshes(const Meshes& meshes, Report& report)
{
    if (meshes.kept > 0)
        report.remark(fmt::format(
            "mesh file names with package:// kept as written: {}, the first is '{}'; to find the files, "
            "give the folders that hold the packages as package roots (--package-root on the command line)",
            meshes.kept, meshes.first_kept));
}

} // namespace

Robot read_robot(const Element& element, std::string_view source_name, const LoadOptions& options,
                 Report& report)
{
    Robot robot;
    robot.element = &element;
    robot.name = read_name(element, source_name, report);
    const Colors colors = read_colors(element, report);
    Meshes meshes{options.package_roots};
    std::map<std::string, const Element*> links, joints;
    for (const Element* child : children(element, "link"))
        if (Link link = read_link(*child, colors, meshes, report);
            is_new(link.body.name, *child, links, report))
            robot.links.push_back(std::move(link));
    for (const Element* child : children(element, "joint")) {
        robot.joints.push_back(read_joint(*child, report));
        is_new(robot.joints.back().hinge.name, *child, joints, report);
    }
    check_mimics(robot.joints, report);
    read_actuators(element, robot.joints, report);
    robot.loops = read_loops(element, report);
    std::map<std::string, const Element*> loops;
    for (const ClosingLoop& loop : robot.loops)
        is_new(loop.loop.name, *loop.element, loops, report);
    doubt_units(robot, report);
    remark_meshes(meshes, report);
    return robot;
}

} // namespace sweepdyn::urdf_reader
