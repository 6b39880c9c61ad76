#ifdef SWEEPDYN_WITH_SDFORMAT

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sdf_reader.hpp"
#include "sweepdyn/spatial/rotation.hpp"
#include "utf8.hpp"

namespace sweepdyn::sdf_reader {
namespace {

// A joint that closes a loop, by its axes.
std::optional<Loop> closing(const Joint& joint, Report& report)
{
    const Hinge& hinge = joint.hinge;
    Loop loop;
    loop.name = hinge.name;
    loop.body_a = joint.parent, loop.body_b = joint.child;
    loop.X_Aa = hinge.X_PF, loop.X_Bb = hinge.X_CM;
    Mat3<double> R = Mat3<double>::identity();
    switch (hinge.kind) {
    case HingeKind::weld: loop.kind = LoopKind::weld; break;
    case HingeKind::spherical: loop.kind = LoopKind::ball; break;
    case HingeKind::revolute:
    case HingeKind::continuous: loop.kind = LoopKind::revolute, R = frame_with_z(hinge.axis); break;
    case HingeKind::prismatic: loop.kind = LoopKind::prismatic, R = frame_with_z(hinge.axis); break;
    case HingeKind::universal: { // x of a is the one axis, y of b the other
        loop.kind = LoopKind::universal;
        if (std::abs(dot(hinge.axis, hinge.axis2)) > 1e-9) {
            report.fault(*joint.element,
                         "it closes a loop, and its axes are not perpendicular; expected axes of a cross");
            return std::nullopt;
        }
        R = {hinge.axis, hinge.axis2, cross(hinge.axis, hinge.axis2)};
        break;
    }
    default:
        report.fault(*joint.element, fmt::format("it closes a loop, for which a {} joint has no equal here; "
                                                 "let it carry its child, and another joint close the loop",
                                                 std::string(name(hinge.kind))));
        return std::nullopt;
    }
    loop.X_Aa.R = loop.X_Aa.R * R, loop.X_Bb.R = loop.X_Bb.R * R;
    const auto moves = [](const std::vector<double>& law) {
        return std::any_of(law.begin(), law.end(), [](double x) { return x != 0.0; });
    };
    if (moves(hinge.damping) || moves(hinge.friction))
        report.fault(*joint.element, "it closes a loop, which has neither damping nor friction here; remove "
                                     "them, or let another joint close the loop");
    if (!(hinge.limits == Limits{}))
        ++report.without_effect["limits of a joint that closes a loop"];
    report.remark(fmt::format("joint '{}' closes a loop between {} and '{}'", hinge.name,
                              joint.parent.empty() ? "the world" : "'" + joint.parent + "'", joint.child));
    return loop;
}

// The angle from the reference body to another about an axis, as a hinge's coordinate with a sign.
struct Angle {
    std::string dof{};
    double sign = 0.0;
};
Angle angle_of(const Joint& gearbox, const std::string& reference, const std::string& body,
               const Vec3<double>& axis_W, const std::map<std::string, Pose<double>>& X_WB,
               const ModelBuilder& from, Report& report)
{
    ModelBuilder builder = from;
    for (const Hinge& hinge : builder.hinges()) {
        const bool forward = hinge.parent == reference && hinge.child == body,
                   backward = hinge.parent == body && hinge.child == reference;
        if (!forward && !backward)
            continue;
        if (hinge.kind != HingeKind::revolute && hinge.kind != HingeKind::continuous) {
            report.fault(
                *gearbox.element,
                fmt::format(
                    "joint '{}' between its reference body and its link is no turn; expected revolute",
                    hinge.name));
            return {};
        }
        const Vec3<double> hinge_W = (X_WB.at(hinge.child) * hinge.X_CM).R * hinge.axis;
        const double along = dot(axis_W, hinge_W);
        if (!(std::abs(std::abs(along) - 1.0) < 1e-6)) {
            report.fault(*gearbox.element, fmt::format("its axis is not that of joint '{}'", hinge.name));
            return {};
        }
        return {hinge.name, (along > 0.0 ? 1.0 : -1.0) * (forward ? 1.0 : -1.0)};
    }
    report.fault(*gearbox.element,
                 fmt::format("no revolute joint is between its reference body and link '{}'", body));
    return {};
}

// theta2 = -ratio theta1, theta1 from the reference body to the parent about axis, theta2 to the child about axis2.
void add_gearbox(const Part& part, const Joint& joint, ModelBuilder& builder, Report& report)
{
    const sdf::ElementPtr element = joint.joint->Element();
    const std::string given = element->HasElement("gearbox_reference_body")
                                  ? element->Get<std::string>("gearbox_reference_body")
                                  : std::string();
    const double ratio = element->HasElement("gearbox_ratio") ? element->Get<double>("gearbox_ratio") : 1.0;
    if (given.empty() || !(part.X_ML.contains(given) || given == "world"))
        return report.fault(*joint.element,
                            given.empty() ? "<gearbox_reference_body> is missing"
                                          : fmt::format("gearbox_reference_body '{}' is no link", given));
    if (ratio == 0.0)
        return report.fault(*joint.element,
                            "gearbox_ratio is 0, so nothing is coupled; expected a ratio other than 0");
    std::map<std::string, Pose<double>> X_WB;
    for (const auto& [link, X_ML] : part.X_ML)
        X_WB[part.prefix + link] = part.X_WM * X_ML;
    const Mat3<double> R = (X_WB.at(joint.child) * joint.hinge.X_CM).R;
    const std::string reference = given == "world" ? "" : part.prefix + given;
    const Angle one = angle_of(joint, reference, joint.parent, R * joint.hinge.axis, X_WB, builder, report),
                two = angle_of(joint, reference, joint.child, R * joint.hinge.axis2, X_WB, builder, report);
    if (one.dof.empty() || two.dof.empty())
        return;
    report.stands("coupling", joint.hinge.name, *joint.element);
    builder.add_loop(mimic(joint.hinge.name, two.dof, one.dof, -ratio * one.sign * two.sign));
}

double number_of(const Element& parent, const char* name, double otherwise, Report& report)
{
    const Element* child = parent.FirstChildElement(name);
    return child ? read_text_number(*child, report).value_or(otherwise) : otherwise;
}

// q = multiplier (q(leader) - reference) + offset, of each axis that has a <mimic>.
void add_mimics(const Part& part, const Joint& joint, ModelBuilder& builder, Report& report)
{
    unsigned i = 0;
    for (const char* axis_name : {"axis", "axis2"}) {
        const Element* axis = joint.element->FirstChildElement(axis_name);
        const Element* element = axis ? axis->FirstChildElement("mimic") : nullptr;
        const std::vector<std::string> suffixes = dof_suffixes(joint.hinge);
        const std::size_t own = i++;
        if (!element)
            continue;
        if (own >= suffixes.size() || joint.closes) {
            report.fault(*element, "the joint has no coordinate here that could follow another");
            continue;
        }
        const std::string leader = required_text(*element, "joint", report);
        const auto found = std::find_if(part.joints.begin(), part.joints.end(),
                                        [&](const Joint& other) { return other.joint->Name() == leader; });
        if (leader.empty())
            continue;
        if (found == part.joints.end() || found->is_gearbox || found->closes) {
            std::vector<std::string> known;
            for (const Joint& other : part.joints)
                if (!other.is_gearbox && !other.closes)
                    known.push_back(other.joint->Name());
            report.fault(*element, unknown_name("joint", leader, known));
            continue;
        }
        const std::vector<std::string> leaders = dof_suffixes(found->hinge);
        const std::string which = optional_text(*element, "axis", report);
        if (!which.empty() && which != "axis" && which != "axis2") {
            report.fault(*element,
                         fmt::format("axis is \"{}\", expected \"axis\" or \"axis2\"", readable(which)));
            continue;
        }
        const std::size_t k = which == "axis2" ? 1 : 0;
        if (k >= leaders.size() || found->hinge.kind == HingeKind::spherical) {
            report.fault(*element, fmt::format("joint '{}' has no such axis", leader));
            continue;
        }
        const double multiplier = number_of(*element, "multiplier", 1.0, report),
                     offset = number_of(*element, "offset", 0.0, report),
                     reference = number_of(*element, "reference", 0.0, report);
        const std::string dof = joint.hinge.name + suffixes[own];
        report.stands("coupling", dof, *element);
        builder.add_loop(
            mimic(dof, dof, found->hinge.name + leaders[k], multiplier, offset - multiplier * reference));
    }
}

} // namespace

void add_loops(const Part& part, ModelBuilder& builder, Report& report)
{
    for (const Joint& joint : part.joints) {
        if (joint.is_gearbox)
            add_gearbox(part, joint, builder, report);
        else if (joint.closes) {
            if (std::optional<Loop> loop = closing(joint, report)) {
                report.stands("loop", loop->name, *joint.element);
                builder.add_loop(std::move(*loop));
            }
        }
        add_mimics(part, joint, builder, report);
    }
}

} // namespace sweepdyn::sdf_reader

#endif
