// A URDF file as its parts: links and joints with their places in the file, before they make a tree.
#pragma once

#include "sweepdyn/io/model/load.hpp"
#include "urdf_xml.hpp"

namespace sweepdyn::urdf_reader {

struct Link {
    Body body;
    const Element* element = nullptr;
    bool empty = false; // no inertial, visual or collision: as a root link it is the ground
};

struct Joint {
    Hinge hinge; // parent and child are names of links, perhaps of none that exists; empty when missing
    std::optional<Mimic> mimic;
    const Element* element = nullptr;
};

// Every link has a name of its own: one without, or with the name of another, is a fault and left out.
struct Robot {
    const Element* element = nullptr;
    std::string name;
    std::vector<Link> links;
    std::vector<Joint> joints; // in the order of the file
};

Robot read_robot(const Element& element, std::string_view source_name, const LoadOptions& options,
                 Report& report);

// Colours by the names of materials.
using Colors = std::map<std::string, std::vector<double>>;

// Where meshes are; what was not found is counted, for one remark.
struct Meshes {
    std::span<const std::string> roots;
    int kept = 0;
    std::string first_kept{};
};

// urdf_shapes.cpp
Colors read_colors(const Element& robot, Report& report);
std::vector<Shape> read_shapes(const Element& link, const char* kind, const Colors& colors, Meshes& meshes,
                               Report& report);

// urdf_link.cpp
Link read_link(const Element& link, const Colors& colors, Meshes& meshes, Report& report);

// urdf_joint.cpp
Joint read_joint(const Element& joint, Report& report);
// Once all joints are known: a mimic that cannot be kept is reported and left out.
void check_mimics(std::vector<Joint>& joints, Report& report);

} // namespace sweepdyn::urdf_reader
