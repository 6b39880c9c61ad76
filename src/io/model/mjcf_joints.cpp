// Joints of MJCF. Several joints of one body act one after the other, the first nearest to the parent:
//     X_PB(q) = X_PB(0) S1(q1) S2(q2) ...,   Si a turn about an axis through an anchor, or a slide, given in body axes.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mjcf_reader.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::mjcf_reader {
namespace {

enum class JointType { hinge, slide, ball, free };

struct OneJoint {
    const Element* element;
    std::string name;
    JointType type = JointType::hinge;
    Vec3<double> axis{0, 0, 1}, anchor{}; // in body axes
    double armature = 0.0, damping = 0.0, friction = 0.0;
    double lower = -INFINITY, upper = INFINITY, effort = INFINITY;
};

JointType read_type(const Source& source, Report& report)
{
    if (std::string_view(source.element->Name()) == "freejoint")
        return JointType::free;
    constexpr std::array<const char*, 4> names{"hinge", "slide", "ball", "free"};
    const char* text = source.text("type");
    if (!text)
        return JointType::hinge;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (std::string_view(text) == names[i])
            return static_cast<JointType>(i);
    report.fault(*source.holder("type"),
                 unknown_name("joint type", text, std::vector<std::string>(names.begin(), names.end())));
    return JointType::hinge;
}

// Coordinates count from ref, so that neutral is where the file draws the body.
void read_range(const Source& source, const Settings& settings, OneJoint& joint, Report& report)
{
    const double unit = joint.type == JointType::hinge ? settings.angle : 1.0;
    const bool limited =
        source.is("limited", "true") || ((!source.says("limited") || source.is("limited", "auto")) &&
                                         settings.autolimits && source.says("range"));
    std::array<double, 2> range{};
    if (joint.type == JointType::ball || joint.type == JointType::free) {
        if (limited)
            ++report.without_effect[joint.type == JointType::ball ? "range of a ball joint"
                                                                  : "range of a free joint"];
        return;
    }
    const double ref = unit * source.number("ref", 0.0, report);
    if (ref != 0.0)
        report.remark(fmt::format("{}: its coordinate counts from ref, {}, which is 0 here",
                                  where(*joint.element), number_text(ref)));
    if (limited) {
        if (source.numbers("range", range, report)) {
            joint.lower = unit * range[0] - ref;
            joint.upper = unit * range[1] - ref;
        } else if (!source.says("range"))
            report.fault(*joint.element, "it is limited and has no range; write range=\"LOWER UPPER\"");
    } else if (source.says("range") && !source.is("limited", "false"))
        report.fault(*joint.element, "it has a range, but limited is not given and autolimits is false; "
                                     "write limited=\"true\" or \"false\"");
    if (source.numbers("actuatorfrcrange", range, report)) {
        if (range[0] == -range[1])
            joint.effort = range[1];
        else
            ++report.without_effect["actuatorfrcrange that is not symmetric"];
    }
}

OneJoint read_joint(const Placed& placed, const Settings& settings, Report& report)
{
    const Source& source = placed.source;
    OneJoint joint{source.element, optional_text(*source.element, "name", report)};
    joint.type = read_type(source, report);
    std::array<double, 3> n{0, 0, 1};
    if (joint.type == JointType::hinge || joint.type == JointType::slide) {
        source.numbers("axis", n, report);
        const Vec3<double> axis{n[0], n[1], n[2]};
        if (const double length = norm(axis); length > 1e-9)
            joint.axis = placed.X_frame.R * ((1.0 / length) * axis);
        else
            report.fault(*source.holder("axis"), "axis has no direction");
    }
    n = {};
    if (joint.type != JointType::free)
        source.numbers("pos", n, report);
    joint.anchor = transform_point(placed.X_frame, Vec3<double>{n[0], n[1], n[2]});
    joint.armature = source.number("armature", 0.0, report);
    joint.damping = source.number("damping", 0.0, report);
    joint.friction = source.number("frictionloss", 0.0, report);
    for (const char* attribute : {"stiffness", "springdamper"})
        if (const Element* who = source.holder(attribute)) {
            std::array<double, 2> spring{};
            source.numbers(
                attribute,
                std::span<double>(spring.data(), std::string_view(attribute) == "stiffness" ? 1 : 2), report);
            if (spring[0] != 0.0 || spring[1] != 0.0)
                report.fault(*who, fmt::format("{}: a joint has no spring here; remove it", attribute));
        }
    if (source.is("align", "true"))
        report.fault(*source.element, "align turns the body's frame, which is not followed");
    read_range(source, settings, joint, report);
    return joint;
}

bool same(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b) <= 1e-12 * (1.0 + norm(a)); }

// Numbers per dof; nothing where none says anything.
void fill_laws(const std::vector<OneJoint>& joints, std::size_t dofs_each, Hinge& hinge)
{
    const auto take = [&](double OneJoint::* member, double none, std::vector<double>& out) {
        if (std::all_of(joints.begin(), joints.end(), [&](const OneJoint& j) { return j.*member == none; }))
            return;
        for (const OneJoint& joint : joints)
            out.insert(out.end(), dofs_each, joint.*member);
    };
    take(&OneJoint::armature, 0.0, hinge.armature);
    take(&OneJoint::damping, 0.0, hinge.damping);
    take(&OneJoint::friction, 0.0, hinge.friction);
    take(&OneJoint::lower, -INFINITY, hinge.limits.lower);
    take(&OneJoint::upper, INFINITY, hinge.limits.upper);
    take(&OneJoint::effort, INFINITY, hinge.limits.effort);
}

Pose<double> at(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

void make_one(const OneJoint& joint, const Pose<double>& X_PB, Hinge& hinge)
{
    constexpr std::array<HingeKind, 4> kinds{HingeKind::revolute, HingeKind::prismatic, HingeKind::spherical,
                                             HingeKind::free};
    hinge.kind = kinds[static_cast<std::size_t>(joint.type)];
    hinge.axis = joint.axis;
    const bool turns = joint.type == JointType::hinge || joint.type == JointType::ball;
    hinge.X_CM = turns ? at(joint.anchor) : Pose<double>{};
    hinge.X_PF = X_PB * hinge.X_CM;
    if (hinge.kind == HingeKind::revolute && joint.lower == -INFINITY && joint.upper == INFINITY)
        hinge.kind = HingeKind::continuous;
}

// Turns and slides in a row.
void make_several(const std::vector<OneJoint>& joints, const Pose<double>& X_PB, Hinge& hinge)
{
    const auto is = [&](std::size_t i, JointType type) { return joints[i].type == type; };
    const bool two = joints.size() == 2;
    if (two && is(0, JointType::hinge) && is(1, JointType::hinge) &&
        same(joints[0].anchor, joints[1].anchor) && norm(cross(joints[0].axis, joints[1].axis)) > 1e-6) {
        hinge.kind = HingeKind::universal;
        hinge.axis = joints[0].axis, hinge.axis2 = joints[1].axis;
        hinge.X_CM = at(joints[0].anchor);
        hinge.X_PF = X_PB * hinge.X_CM;
        return;
    }
    if (two && is(0, JointType::hinge) && is(1, JointType::slide) && same(joints[0].axis, joints[1].axis)) {
        hinge.kind = HingeKind::cylindrical;
        hinge.axis = joints[0].axis;
        hinge.X_CM = at(joints[0].anchor);
        hinge.X_PF = X_PB * hinge.X_CM;
        return;
    }
    hinge.kind = HingeKind::user;
    Vec3<double> last{}; // the anchor that the frame of the steps is at
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const bool turns = is(i, JointType::hinge);
        HingeStep step{turns ? HingeStep::Motion::turn : HingeStep::Motion::slide, joints[i].axis};
        step.placement = at(turns ? joints[i].anchor - last : Vec3<double>{});
        if (turns)
            last = joints[i].anchor;
        hinge.steps.push_back(step);
    }
    hinge.X_PF = X_PB;
    hinge.X_CM = at(last);
}

} // namespace

Hinge read_joints(const std::vector<Placed>& placed, const std::string& parent, const std::string& body,
                  const Pose<double>& X_PB, Mechanism& mechanism)
{
    Report& report = mechanism.report;
    Hinge hinge;
    hinge.parent = parent;
    hinge.child = hinge.name = body;
    hinge.X_PF = X_PB;
    std::vector<OneJoint> joints;
    for (const Placed& one : placed)
        joints.push_back(read_joint(one, mechanism.settings, report));
    for (OneJoint& joint : joints)
        if (!joint.name.empty() && !mechanism.joints.emplace(joint.name, JointDofs{}).second) {
            report.fault(*joint.element,
                         fmt::format("the name '{}' is taken by another joint; give another", joint.name));
            joint.name.clear();
        }
    // Called as its body where no joint gives it a name, unless a joint elsewhere is called so.
    const bool own_name = joints.size() == 1 && !joints[0].name.empty();
    if (own_name)
        hinge.name = joints[0].name;
    while (!own_name && mechanism.joint_names.contains(hinge.name))
        hinge.name += joints.empty() ? "_weld" : "_hinge";
    if (joints.empty())
        return hinge;
    const auto alone = std::find_if(joints.begin(), joints.end(), [](const OneJoint& joint) {
        return joint.type == JointType::ball || joint.type == JointType::free;
    });
    if (alone != joints.end() && joints.size() > 1) {
        report.fault(
            *alone->element,
            fmt::format(
                "a {} joint beside other joints of one body has no equal here; give it a body of its own",
                alone->type == JointType::ball ? "ball" : "free"));
        return hinge;
    }
    if (joints.size() > 6) {
        report.fault(*joints[6].element,
                     fmt::format("the body has {} joints, expected at most 6", joints.size()));
        return hinge;
    }
    if (joints.front().type == JointType::free && !parent.empty()) {
        report.fault(*joints.front().element, "a free joint stands on a body of the world only");
        return hinge;
    }
    if (joints.size() == 1)
        make_one(joints[0], X_PB, hinge);
    else {
        make_several(joints, X_PB, hinge);
        std::string names;
        for (const OneJoint& joint : joints)
            names +=
                (names.empty() ? "" : ", ") + (joint.name.empty() ? std::string("(no name)") : joint.name);
        report.remark(
            fmt::format("the joints of body '{}' are one hinge of kind {}, with its dofs in their order: {}",
                        body, std::string(name(hinge.kind)), names));
    }
    const std::size_t dofs_each = static_cast<std::size_t>(num_dofs(hinge)) / joints.size();
    fill_laws(joints, dofs_each, hinge);
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (!joints[i].name.empty())
            mechanism.joints[joints[i].name] = {mechanism.builder.hinges().size(), i * dofs_each, dofs_each};
    return hinge;
}

const JointDofs* find_joint(const Element& element, const char* attribute, const std::string& name,
                            Mechanism& mechanism)
{
    const auto found = mechanism.joints.find(name);
    if (found != mechanism.joints.end())
        return &found->second;
    std::vector<std::string> known;
    for (const auto& [other, dofs] : mechanism.joints)
        known.push_back(other);
    mechanism.report.fault(element, std::string(attribute) + ": " + unknown_name("joint", name, known));
    return nullptr;
}

} // namespace sweepdyn::mjcf_reader
