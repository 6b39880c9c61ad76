#include "urdf_vocabulary.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "utf8.hpp"

namespace sweepdyn::urdf_reader {
namespace {

using Names = std::vector<std::string>;

struct Entry {
    Names attributes, children, without_effect;
};

// An element has the same vocabulary wherever it stands.
const std::map<std::string, Entry, std::less<>>& vocabulary()
{
    static const std::map<std::string, Entry, std::less<>> entries{
        {"robot",
         {{"name", "version"}, {"material", "link", "joint", "loop", "coupling"}, {"gazebo", "sensor"}}},
        {"link",
         {{"name"},
          {"inertial", "visual", "collision"},
          {"type", "contact", "collision_checking", "self_collision_checking", "sensor"}}},
        {"inertial", {{}, {"origin", "mass", "inertia"}, {}}},
        {"visual", {{"name"}, {"origin", "geometry", "material"}, {}}},
        {"collision", {{"name"}, {"origin", "geometry"}, {"material", "verbose", "contact_coefficients"}}},
        {"geometry", {{}, {"box", "cylinder", "sphere", "capsule", "mesh"}, {}}},
        {"material", {{"name"}, {"color"}, {"texture"}}},
        {"joint",
         {{"name", "type"},
          {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
          {"safety_controller", "calibration", "independent"}}},
        {"loop", {{"name", "type"}, {"predecessor", "successor", "axis"}, {}}},
        {"coupling", {{"name", "type"}, {"predecessor", "successor", "ratio"}, {}}},
        {"predecessor", {{"link"}, {"origin"}, {}}},
        {"successor", {{"link"}, {"origin"}, {}}},
        {"ratio", {{"value"}, {}, {}}},
        {"origin", {{"xyz", "rpy", "quat_xyzw"}, {}, {}}},
        {"mass", {{"value"}, {}, {}}},
        {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, {}}},
        {"box", {{"size"}, {}, {}}},
        {"cylinder", {{"radius", "length"}, {}, {}}},
        {"sphere", {{"radius"}, {}, {}}},
        {"capsule", {{"radius", "length"}, {}, {}}},
        {"mesh", {{"filename", "scale"}, {}, {}}},
        {"color", {{"rgba"}, {}, {}}},
        {"parent", {{"link"}, {}, {}}},
        {"child", {{"link"}, {}, {}}},
        {"axis", {{"xyz"}, {}, {}}},
        {"limit", {{"lower", "upper", "effort", "velocity"}, {}, {"acceleration", "deceleration", "jerk"}}},
        {"dynamics", {{"damping", "friction"}, {}, {}}},
        {"mimic", {{"joint", "multiplier", "offset"}, {}, {}}},
    };
    return entries;
}

// Whatever they hold: urdf_actuators.cpp reads the joints, and counts the rest.
bool is_of_actuators(std::string_view name) { return name == "transmission" || name == "ros2_control"; }

bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}
// A second parent or child is a fault, of which the joint tells.
bool may_repeat(std::string_view name)
{
    return name == "link" || name == "joint" || name == "material" || name == "visual" ||
           name == "collision" || name == "parent" || name == "child" || name == "loop" || name == "coupling";
}

// Whatever stands in the elements that close loops says how they close: nothing of it is left out.
bool is_of_loops(const Element& element)
{
    for (const tinyxml2::XMLNode* at = &element; at && at->ToElement(); at = at->Parent())
        if (const std::string_view name = at->ToElement()->Name(); name == "loop" || name == "coupling")
            return true;
    return false;
}

bool is_of_coupling(const Element& element)
{
    const tinyxml2::XMLElement* const parent = element.Parent() ? element.Parent()->ToElement() : nullptr;
    return parent && std::string_view(parent->Name()) == "coupling";
}

// Neither read nor known to be without effect: misspelt, or not of URDF.
void report_stranger(const Element& at, std::string_view what, std::string_view name, const Element& in,
                     const Names& known, Report& report)
{
    const std::string_view near = nearest_name(name, known);
    if (is_of_loops(in) || near == "loop" || near == "coupling")
        return report.fault(at, fmt::format("unknown {} '{}' in <{}>{}", what, readable(name), in.Name(),
                                            near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    if (near.empty()) {
        ++report.unknown[fmt::format("{} {} in {}", what, readable(name), in.Name())];
        return;
    }
    report.doubt(at,
                 fmt::format("unknown {} '{}' is ignored; did you mean '{}'?", what, readable(name), near));
    if (near == "link" || near == "joint")
        report.parts_ignored.push_back(report.notes.back().text);
}

void check_attributes(const Element& element, const Entry& entry, Report& report)
{
    for (const auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
        const std::string_view name = attribute->Name();
        if (contains(entry.attributes, name) || name.starts_with("xmlns"))
            continue;
        if (contains(entry.without_effect, name))
            ++report.without_effect[fmt::format("{} of {}", name, element.Name())];
        else
            report_stranger(element, "attribute", name, element, entry.attributes, report);
    }
}

void check_children(const Element& element, const Entry& entry, Report& report);

void check_element(const Element& element, Report& report)
{
    const Entry& entry = vocabulary().find(std::string_view(element.Name()))->second;
    check_attributes(element, entry, report);
    check_children(element, entry, report);
}

void check_children(const Element& element, const Entry& entry, Report& report)
{
    const bool at_top = std::string_view(element.Name()) == "robot";
    std::set<std::string_view> seen;
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
        const std::string_view name = child->Name();
        if (at_top && is_of_actuators(name))
            continue;
        if (contains(entry.without_effect, name))
            ++report
                  .without_effect[at_top ? std::string(name) : fmt::format("{} in {}", name, element.Name())];
        else if (!contains(entry.children, name))
            report_stranger(*child, "element", name, element, entry.children, report);
        else if (name == "origin" && is_of_coupling(element))
            report.fault(
                *child,
                fmt::format("<origin> in the <{}> of a <coupling>, which couples displacements of hinges; "
                            "remove it, or write a <loop>",
                            element.Name()));
        else if (const bool again = !seen.insert(name).second; again && name == "mimic")
            report.fault(*child, fmt::format("a second <mimic> in <{}>: a joint follows one other; keep one",
                                             element.Name()));
        else if (again && is_of_loops(element))
            report.fault(*child, fmt::format("a second <{}> in <{}>; keep one", name, element.Name()));
        else if (again && !may_repeat(name))
            report.doubt(*child, fmt::format("a second <{}> in <{}> is ignored", name, element.Name()));
        else
            check_element(*child, report);
    }
}

} // namespace

void check_vocabulary(const Element& robot, Report& report) { check_element(robot, report); }

} // namespace sweepdyn::urdf_reader
