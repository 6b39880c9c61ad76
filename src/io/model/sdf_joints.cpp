#ifdef SWEEPDYN_WITH_SDFORMAT

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sdf_reader.hpp"

namespace sweepdyn::sdf_reader {
namespace {

// Metres per radian, right-handed. thread_pitch is what Gazebo made of it: radians per metre, positive for a left-handed
// thread; screw_thread_pitch (SDF 1.10) is metres per turn, positive for a right-handed one. Either is 1 where it is missing:
// the former in files up to 1.9, the latter from 1.10 on.
double read_pitch(const Joint& joint, Report& report)
{
    const auto given = [&](const char* name) -> std::optional<double> {
        const Element* child = joint.element->FirstChildElement(name);
        return child ? read_text_number(*child, report).value_or(1.0) : std::optional<double>();
    };
    if (const auto per_turn = given("screw_thread_pitch"))
        return *per_turn / (2.0 * std::numbers::pi);
    const auto per_metre = given("thread_pitch");
    if (!per_metre) {
        const bool newer = newer_than_sdformat(*joint.element->GetDocument()->RootElement());
        report.doubt(*joint.element, newer ? "there is no <screw_thread_pitch>, so it is SDF's own: 1 m per "
                                             "turn, right-handed"
                                           : "there is no <thread_pitch>, so it is SDF's own: 1 rad per "
                                             "metre, left-handed");
        return newer ? 1.0 / (2.0 * std::numbers::pi) : -1.0;
    }
    if (std::abs(1.0 / *per_metre) < 1e100)
        return -1.0 / *per_metre;
    report.fault(*joint.element,
                 fmt::format("thread_pitch is {}, so a turn would move it {}; expected radians per metre, "
                             "positive for a left-handed thread",
                             *per_metre, *per_metre == 0.0 ? "infinitely far" : "more than 1e100 m"));
    return 0.0;
}

// Axis i in the joint's frame, with its limits and laws behind those of the axes before.
Vec3<double> read_axis(const Joint& joint, unsigned i, Hinge& hinge, Report& report)
{
    const sdf::JointAxis* axis = joint.joint->Axis(i);
    if (!axis) {
        report.fault(*joint.element, i == 0 ? "<axis> is missing" : "<axis2> is missing");
        return {0, 0, 1};
    }
    ignition::math::Vector3d xyz = axis->Xyz();
    if (!joint.between_models &&
        report_errors(axis->ResolveXyz(xyz, joint.joint->Name()), *joint.element, report))
        return {0, 0, 1};
    if (axis->SpringStiffness() != 0.0)
        report.fault(*joint.element, "spring_stiffness: a joint has no spring here; remove it");
    const auto limit = [](double x, double none) { return std::abs(x) >= 1e16 ? none : x; };
    hinge.limits.lower.push_back(limit(axis->Lower(), -INFINITY));
    hinge.limits.upper.push_back(limit(axis->Upper(), INFINITY));
    hinge.limits.effort.push_back(axis->Effort() < 0.0 ? INFINITY : limit(axis->Effort(), INFINITY));
    hinge.limits.velocity.push_back(axis->MaxVelocity() < 0.0 ? INFINITY
                                                              : limit(axis->MaxVelocity(), INFINITY));
    hinge.damping.push_back(axis->Damping());
    hinge.friction.push_back(axis->Friction());
    return vector(xyz);
}

void drop_what_says_nothing(Hinge& hinge)
{
    const auto drop = [](std::vector<double>& numbers, double none) {
        if (std::all_of(numbers.begin(), numbers.end(), [&](double x) { return x == none; }))
            numbers.clear();
    };
    drop(hinge.limits.lower, -INFINITY), drop(hinge.limits.upper, INFINITY);
    drop(hinge.limits.effort, INFINITY), drop(hinge.limits.velocity, INFINITY);
    drop(hinge.damping, 0.0), drop(hinge.friction, 0.0);
}

} // namespace

bool read_kind(Joint& joint, Report& report)
{
    Hinge& hinge = joint.hinge;
    const auto axis = [&](unsigned i) { return read_axis(joint, i, hinge, report); };
    switch (joint.joint->Type()) {
    case sdf::JointType::FIXED: hinge.kind = HingeKind::weld; return true;
    case sdf::JointType::BALL: hinge.kind = HingeKind::spherical; return true;
    case sdf::JointType::REVOLUTE: hinge.kind = HingeKind::revolute, hinge.axis = axis(0); break;
    case sdf::JointType::CONTINUOUS: hinge.kind = HingeKind::continuous, hinge.axis = axis(0); break;
    case sdf::JointType::PRISMATIC: hinge.kind = HingeKind::prismatic, hinge.axis = axis(0); break;
    case sdf::JointType::SCREW:
        hinge.kind = HingeKind::helical, hinge.axis = axis(0), hinge.pitch = read_pitch(joint, report);
        break;
    case sdf::JointType::UNIVERSAL:
    case sdf::JointType::REVOLUTE2:
        hinge.kind = HingeKind::universal, hinge.axis = axis(0), hinge.axis2 = axis(1);
        break;
    case sdf::JointType::GEARBOX:
        joint.is_gearbox = true, hinge.axis = axis(0), hinge.axis2 = axis(1);
        return true;
    default:
        report.fault(
            *joint.element,
            "this type of joint has no equal here; expected fixed, revolute, continuous, prismatic, ball, "
            "universal, revolute2, screw or gearbox");
        return false;
    }
    drop_what_says_nothing(hinge);
    if (hinge.kind == HingeKind::revolute && hinge.limits.lower.empty() && hinge.limits.upper.empty())
        hinge.kind = HingeKind::continuous;
    if (hinge.kind == HingeKind::continuous)
        hinge.limits.lower.clear(), hinge.limits.upper.clear();
    return true;
}

void read_joints(Part& part, Report& report)
{
    for (std::uint64_t i = 0; i < part.model->JointCount(); ++i) {
        Joint joint;
        joint.joint = part.model->JointByIndex(i);
        const Element* found = named_child(*part.element, "joint", joint.joint->Name());
        joint.element = found ? found : part.element;
        std::string parent, child;
        if (report_errors(joint.joint->ResolveParentLink(parent), *joint.element, report) ||
            report_errors(joint.joint->ResolveChildLink(child), *joint.element, report))
            continue;
        ignition::math::Pose3d X_CJ;
        if (report_errors(joint.joint->SemanticPose().Resolve(X_CJ, child), *joint.element, report))
            continue;
        const auto in_model = [&](const std::string& link) {
            return link == "world"            ? inverse(part.X_WM)
                   : part.X_ML.contains(link) ? part.X_ML.at(link)
                                              : Pose<double>{};
        };
        joint.parent = parent == "world" ? "" : part.prefix + parent;
        joint.child = part.prefix + child;
        joint.hinge.name = part.prefix + joint.joint->Name();
        joint.hinge.parent = joint.parent, joint.hinge.child = joint.child;
        joint.hinge.X_CM = pose(X_CJ);
        joint.hinge.X_PF = inverse(in_model(parent)) * in_model(child) * joint.hinge.X_CM;
        report.stands("hinge", joint.hinge.name, *joint.element);
        if (read_kind(joint, report))
            part.joints.push_back(std::move(joint));
    }
}

} // namespace sweepdyn::sdf_reader

#endif
