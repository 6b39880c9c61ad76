#include "urdf_base.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "urdf_loops.hpp"

namespace sweepdyn::urdf_reader {
namespace {

using Base = LoadOptions::Base;

const Joint* find_joint(const Robot& robot, std::string_view name)
{
    const auto found = std::find_if(robot.joints.begin(), robot.joints.end(),
                                    [&](const Joint& j) { return j.hinge.name == name; });
    return found == robot.joints.end() ? nullptr : &*found;
}

// The floating joints on the root link.
std::vector<const Joint*> floating_joints(const Robot& robot, const Link& root)
{
    std::vector<const Joint*> found;
    for (const Joint& joint : robot.joints)
        if (joint.hinge.kind == HingeKind::free && joint.hinge.parent == root.body.name)
            found.push_back(&joint);
    return found;
}

bool root_is_ground(const Robot& robot, const Link& root, Base base, Report& report)
{
    if (!root.empty)
        return false;
    const std::vector<const Joint*> floating = floating_joints(robot, root);
    if (base != Base::floating) {
        if (robot.links.size() > 1)
            return true;
        report.fault(*root.element,
                     "the only link is empty, so nothing is there to move; give it an <inertial>, or "
                     "links that hang on it");
        return false;
    }
    if (floating.size() > 1)
        report.fault(*root.element,
                     fmt::format("a floating base was asked for, but {} joints float on this link already, "
                                 "'{}' and '{}' among them; "
                                 "load it with the base of the file",
                                 floating.size(), floating[0]->hinge.name, floating[1]->hinge.name));
    return !floating.empty();
}

// The hinge that carries a root link which is a body.
Hinge root_hinge(const Robot& robot, const Link& root, Base base, Report& report)
{
    std::string name = "base";
    if (const Joint* taken = find_joint(robot, name)) {
        if (base == Base::floating) // it names dofs that users type: base.wx
            report.fault(*taken->element,
                         "a floating base is asked for, and its hinge is to be called 'base'; "
                         "rename this joint");
        for (name = "base_weld"; find_joint(robot, name);)
            name += "_";
    }
    return {.name = name,
            .kind = base == Base::floating ? HingeKind::free : HingeKind::weld,
            .parent = "",
            .child = root.body.name};
}

// Base::fixed: the joint on which the robot floats becomes a weld.
const Joint* joint_to_weld(const Robot& robot, const Link& root, Base base, Report& report)
{
    if (base != Base::fixed || !root.empty)
        return nullptr;
    const std::vector<const Joint*> floating = floating_joints(robot, root);
    if (floating.size() > 1)
        report.remark(
            fmt::format("{} bodies float, so none is the base; all of them stay free", floating.size()));
    if (floating.size() != 1)
        return nullptr;
    report.remark(fmt::format("the floating joint '{}' is welded, as a fixed base was asked for",
                              floating[0]->hinge.name));
    return floating[0];
}

} // namespace

void assemble(const Robot& robot, const Layout& layout, Base base, ModelBuilder& builder, Report& report)
{
    const Link& root = robot.links[layout.root];
    const bool on_ground = root_is_ground(robot, root, base, report);
    if (!on_ground)
        builder.add_hinge(root_hinge(robot, root, base, report));
    else if (root.body.name != "world") // that frame is there already
        builder.add_frame({root.body.name, "", {}});

    const Joint* to_weld = joint_to_weld(robot, root, base, report);
    for (int k : layout.order) {
        const Link& link = robot.links[k];
        if (k != layout.root || !on_ground)
            builder.add_body(link.body);
        if (k == layout.root)
            continue;
        const Joint& joint = robot.joints[layout.joint_of[k]];
        Hinge hinge = joint.hinge;
        if (&joint == to_weld) {
            hinge.kind = HingeKind::weld;
            hinge.actuated.clear();
        }
        if (on_ground && hinge.parent == root.body.name)
            hinge.parent.clear();
        builder.add_hinge(std::move(hinge));
    }
    for (const Joint& joint : robot.joints)
        if (joint.mimic)
            builder.add_loop(mimic(joint.hinge.name, joint.hinge.name, joint.mimic->of,
                                   joint.mimic->multiplier, joint.mimic->offset));
    add_loops(robot, layout, on_ground, builder, report);
}

} // namespace sweepdyn::urdf_reader
