// What the parts of the MJCF reader share: attributes with default classes, settings, and the mechanism on its way.
#pragma once

#include <numbers>
#include <set>

#include "sweepdyn/model/builder.hpp"
#include "xml.hpp"

namespace sweepdyn::mjcf_reader {

using namespace model_reader;

// An element and, behind it, the default elements that may stand for what it does not say, nearest first.
struct Source {
    const Element* element;
    std::vector<const Element*> defaults{};

    // Who says it; null when nobody does.
    const Element* holder(const char* attribute) const;
    const char* text(const char* attribute) const;
    bool says(const char* attribute) const { return holder(attribute) != nullptr; }
    bool numbers(const char* attribute, std::span<double> out, Report& report) const;
    double number(const char* attribute, double otherwise, Report& report) const;
    bool is(const char* attribute, std::string_view value) const
    {
        return text(attribute) && text(attribute) == value;
    }
};

// <default> classes, nested: each holds elements by name and what its parents hold.
class Defaults {
public:
    void read(const Element& mujoco, Report& report);
    // `childclass` is that of the body around; the element's own class goes before. `type` is how <default> calls such elements,
    // where it is not by their names.
    Source source(const Element& element, const std::string& childclass, Report& report,
                  const char* type = nullptr) const;
    // A fault at the element where there is no such class.
    bool require_class(const Element& element, const std::string& name, Report& report) const;

private:
    struct Class {
        std::map<std::string, const Element*> elements{};
        std::string parent{};
    };
    void read_class(const Element& element, const std::string& parent, Report& report);
    std::map<std::string, Class> classes_;
};

struct Settings {
    double angle = std::numbers::pi / 180.0; // radians in the file's unit
    std::string eulerseq = "xyz";
    bool autolimits = true;
    enum class InertiaFromGeom { never, missing, always } inertia_from_geom = InertiaFromGeom::missing;
};
void read_compiler(const Element& compiler, Settings& settings, Report& report);

// What <option><flag> switches off.
struct Disabled {
    bool gravity = false, equality = false, friction = false, damping = false;
};

// pos and one of quat, axisangle, xyaxes, zaxis, euler.
Pose<double> read_pose(const Source& source, const Settings& settings, Report& report);

// Faults for elements and attributes that are not read; what is known to be without effect is counted.
void check_vocabulary(const Element& mujoco, Report& report);

struct Place { // of a body, joint or site, by name
    std::string body{}; // empty: the ground
    Pose<double> X{}; // of a site: in its body; of a body: in the world at qpos0
};

struct JointDofs { // of a joint, among those of the builder's hinge; none where it could not be made
    std::size_t hinge = 0, first = 0, count = 0;
};

struct Mechanism {
    ModelBuilder& builder;
    Report& report;
    const Settings& settings;
    const Defaults& defaults;
    std::map<std::string, Place> bodies{}, sites{};
    std::map<std::string, JointDofs> joints{};
    std::map<std::string, std::string> mesh_files{};
    std::set<std::string> body_names{}, joint_names{}; // of the file: a name made up is none of these
    int num_bodies = 0;
};
// The names of all elements of these kinds, below the element.
std::set<std::string> names_below(const Element& element, std::initializer_list<std::string_view> kinds);

// By name, which the attribute of the element gives; a fault at the element, and null, where there is no such joint.
const JointDofs* find_joint(const Element& element, const char* attribute, const std::string& name,
                            Mechanism& mechanism);

// An element of a body, and the <frame> around it, in the body.
struct Placed {
    Source source;
    Pose<double> X_frame{};
};

// mjcf_joints.cpp. The hinge of a body from its joints, the next of the builder's; X_PB at qpos0.
Hinge read_joints(const std::vector<Placed>& joints, const std::string& parent, const std::string& body,
                  const Pose<double>& X_PB, Mechanism& mechanism);

// mjcf_geoms.cpp. Inertia and shapes of a body.
void read_geoms(const std::vector<Placed>& geoms, const std::vector<Placed>& inertials, Body& body,
                Mechanism& mechanism);

// mjcf_equality.cpp. All <equality> sections of the file.
void read_equality(const Element& mujoco, const Disabled& disabled, Mechanism& mechanism);

// mjcf_actuators.cpp. All <actuator> sections: which dofs have one.
void read_actuators(const Element& mujoco, Mechanism& mechanism);

} // namespace sweepdyn::mjcf_reader
