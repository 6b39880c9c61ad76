// A URDF file as its parts: links and joints with their places in the file, before they make a tree.
#pragma once

#include "sweepdyn/io/model/load.hpp"
#include "xml.hpp"

namespace sweepdyn::urdf_reader {

using namespace model_reader;

struct Link {
    Body body;
    const Element* element = nullptr;
    bool empty = false; // no inertial, visual or collision: as a root link it is the ground
};

// This joint's coordinate is multiplier times that of another, plus offset.
struct Mimic {
    std::string of;
    double multiplier = 1.0, offset = 0.0;
};

struct Joint {
    Hinge hinge; // parent and child are names of links, perhaps of none that exists; empty when missing
    std::optional<Mimic> mimic;
    const Element* element = nullptr;
};

// A <loop> or a <coupling> (docs/urdf-plus.md), before its links are looked up.
struct ClosingLoop {
    Loop loop{}; // without bodies and terms
    std::string predecessor{}, successor{}; // names of links, perhaps of none that exists; empty when missing
    double ratio = 1.0;
    const Element* element = nullptr;
};

// Every link has a name of its own: one without, or with the name of another, is a fault and left out.
struct Robot {
    const Element* element = nullptr;
    std::string name;
    std::vector<Link> links;
    std::vector<Joint> joints; // in the order of the file
    std::vector<ClosingLoop> loops; // likewise
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

// urdf_origin.cpp. The <origin> child: xyz and rpy (about the fixed axes x, y, z), or quat_xyzw. Missing: the identity.
Pose<double> read_origin(const Element& parent, Report& report);

// urdf_shapes.cpp
Colors read_colors(const Element& robot, Report& report);
std::vector<Shape> read_shapes(const Element& link, const char* kind, const Colors& colors, Meshes& meshes,
                               Report& report);

// urdf_link.cpp
Link read_link(const Element& link, const Colors& colors, Meshes& meshes, Report& report);

// urdf_loops.cpp
std::vector<ClosingLoop> read_loops(const Element& robot, Report& report);

// urdf_actuators.cpp
// Once all joints are known: which of them are actuated. A file without transmissions and ros2_control does not say.
void read_actuators(const Element& robot, std::vector<Joint>& joints, Report& report);

// urdf_joint.cpp
// The <axis> child, of any length but 0; 1 0 0 when missing.
Vec3<double> read_axis(const Element& joint, Report& report);
Joint read_joint(const Element& joint, Report& report);
// Once all joints are known: a mimic that cannot be kept is reported and left out.
void check_mimics(std::vector<Joint>& joints, Report& report);

} // namespace sweepdyn::urdf_reader
