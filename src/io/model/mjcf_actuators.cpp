// Which dofs the actuators of MJCF drive. The numbers of a ball's gear are along the axes of the body, and so its dofs; of a free
// joint's the first three are forces along the world's axes, the last three moments along the body's.
#include <algorithm>

#include <fmt/format.h>

#include "mjcf_reader.hpp"

namespace sweepdyn::mjcf_reader {
namespace {

// The dofs of a joint that a gear drives, among those of the joint; nothing where forces along other axes would be needed.
std::vector<std::size_t> driven_dofs(const Source& source, std::size_t count, bool in_parent, Report& report)
{
    if (count == 1)
        return {0};
    std::vector<double> gear{1, 0, 0, 0, 0, 0};
    if (const Element* who = source.holder("gear"))
        read_first_numbers(*who, "gear", gear, report);
    const bool along_world =
        count == 6 && std::any_of(gear.begin(), gear.begin() + 3, [](double x) { return x != 0.0; });
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < 3 && !in_parent && !along_world; ++i)
        if (gear[count - 3 + i] != 0.0)
            out.push_back(i); // turns come first here
    return out;
}

void read_actuator(const Element& element, Mechanism& mechanism)
{
    Report& report = mechanism.report;
    const Source source = mechanism.defaults.source(element, "", report);
    const bool in_parent = element.Attribute("jointinparent") != nullptr;
    const char* attribute = in_parent ? "jointinparent" : "joint";
    if (!element.Attribute(attribute)) {
        ++report.without_effect["actuator on no joint"];
        return;
    }
    const std::string name = required_text(element, attribute, report);
    const JointDofs* joint = name.empty() ? nullptr : find_joint(element, attribute, name, mechanism);
    if (!joint || joint->count == 0) // reported
        return;
    const std::vector<std::size_t> driven = driven_dofs(source, joint->count, in_parent, report);
    if (driven.empty()) {
        ++report.without_effect["actuator along axes of the parent or of the world"];
        return;
    }
    if (driven.size() > 1)
        report.remark(fmt::format("{}: it drives {} dofs by one force; here each has one of its own",
                                  where(element), driven.size()));
    Hinge& hinge = mechanism.builder.hinges()[joint->hinge];
    hinge.actuated.resize(static_cast<std::size_t>(num_dofs(hinge)), false);
    for (std::size_t i : driven)
        hinge.actuated[joint->first + i] = true;
}

} // namespace

void read_actuators(const Element& mujoco, Mechanism& mechanism)
{
    for (const Element* section : children(mujoco, "actuator")) {
        for (const Element* child = section->FirstChildElement(); child; child = child->NextSiblingElement())
            read_actuator(*child, mechanism);
        ++mechanism.report.without_effect["actuator (all but its joints)"];
    }
}

} // namespace sweepdyn::mjcf_reader
