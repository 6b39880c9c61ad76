// Which joints have actuators: <transmission> of ROS 1, <ros2_control> of ROS 2.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {
namespace {

// Joints that a transmission drives; the last three are of the PR2's.
constexpr std::array<const char*, 4> driven{"joint", "rollJoint", "flexJoint", "gap_joint"};

// The joints, with what a file says of each that it names.
class Actuated {
public:
    Actuated(std::vector<Joint>& joints, Report& report) : joints_(joints), report_(report) {}

    void say(const Element& element, bool actuated)
    {
        const std::string name = required_text(element, "name", report_);
        if (name.empty())
            return;
        const auto found = std::find_if(joints_.begin(), joints_.end(),
                                        [&](const Joint& joint) { return joint.hinge.name == name; });
        if (found == joints_.end()) {
            std::vector<std::string> known;
            for (const Joint& joint : joints_)
                known.push_back(joint.hinge.name);
            // Left over in many files of robots that lost an arm: nothing moves otherwise for it.
            report_.doubt(element, fmt::format("<{}> names it: {}", element.Parent()->Value(),
                                               unknown_name("joint", name, known)));
            return;
        }
        Hinge& hinge = found->hinge;
        if (hinge.kind == HingeKind::weld)
            ++report_.without_effect[fmt::format("{} of a fixed joint", element.Parent()->Value())];
        else if (actuated || hinge.actuated.empty()) // one that drives it is enough
            hinge.actuated.assign(static_cast<std::size_t>(num_dofs(hinge)), actuated);
    }

private:
    std::vector<Joint>& joints_;
    Report& report_;
};

} // namespace

void read_actuators(const Element& robot, std::vector<Joint>& joints, Report& report)
{
    Actuated found(joints, report);
    const auto leave_rest = [&](const char* name) {
        ++report.without_effect[fmt::format("{} (all but its joints)", name)];
    };
    for (const Element* transmission : children(robot, "transmission")) {
        for (const char* name : driven)
            for (const Element* joint : children(*transmission, name))
                found.say(*joint, true);
        leave_rest("transmission");
    }
    for (const Element* control : children(robot, "ros2_control")) {
        for (const Element* joint : children(*control, "joint")) // one that is only observed has no command
            found.say(*joint, joint->FirstChildElement("command_interface") != nullptr);
        leave_rest("ros2_control");
    }
}

} // namespace sweepdyn::urdf_reader
