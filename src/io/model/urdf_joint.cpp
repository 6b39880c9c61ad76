// Joints: kinds, axes, limits, dynamics, mimics.
#include <array>

#include <fmt/format.h>

#include "urdf_robot.hpp"
#include "utf8.hpp"

namespace sweepdyn::urdf_reader {
namespace {

const std::array<std::pair<const char*, HingeKind>, 6> joint_types{{{"fixed", HingeKind::weld},
                                                                    {"revolute", HingeKind::revolute},
                                                                    {"continuous", HingeKind::continuous},
                                                                    {"prismatic", HingeKind::prismatic},
                                                                    {"planar", HingeKind::planar},
                                                                    {"floating", HingeKind::free}}};

// A joint of unknown type goes on as a weld, so that the rest of the file can be checked.
HingeKind read_type(const Element& joint, Report& report)
{
    const std::string type = required_text(joint, "type", report);
    std::vector<std::string> known;
    for (const auto& [name, kind] : joint_types) {
        if (type == name)
            return kind;
        known.emplace_back(name);
    }
    if (!type.empty())
        report.fault(joint, unknown_name("joint type", type, known));
    return HingeKind::weld;
}

std::string_view type_name(HingeKind kind)
{
    for (const auto& [name, k] : joint_types)
        if (k == kind)
            return name;
    return "";
}

std::string read_link_name(const Element& joint, const char* role, Report& report)
{
    if (const Element* element = joint.FirstChildElement(role)) {
        if (const Element* second = element->NextSiblingElement(role)) {
            const auto link = [](const Element& e) {
                return readable(e.Attribute("link") ? e.Attribute("link") : "");
            };
            report.fault(*second,
                         fmt::format("the joint has two {}, '{}' and '{}'; expected one, so remove the other",
                                     std::string_view(role) == "parent" ? "parents" : "children",
                                     link(*element), link(*second)));
        }
        return required_text(*element, "link", report);
    }
    report.fault(joint, fmt::format("<{}> is missing; write <{} link=\"...\"/>", role, role));
    return "";
}

std::vector<double> one_number(const std::optional<double>& number)
{
    return number ? std::vector{*number} : std::vector<double>{};
}

// Lower and upper limits, which URDF says are 0 when missing.
void read_range(const Element& limit, Limits& limits, Report& report)
{
    const std::optional<double> lower = read_number(limit, "lower", report),
                                upper = read_number(limit, "upper", report);
    limits.lower = {lower.value_or(0.0)};
    limits.upper = {upper.value_or(0.0)};
    if (!limit.Attribute("lower") && !limit.Attribute("upper"))
        report.doubt(limit, "lower and upper are missing, so both are 0 and the joint has no range; give "
                            "them, or make the joint continuous");
    else if (limits.lower[0] == limits.upper[0] && lower && upper)
        report.doubt(limit,
                     fmt::format("lower and upper are both {}: the joint has no range", number_text(*lower)));
}

Limits read_limits(const Element& joint, HingeKind kind, Report& report)
{
    const Element* limit = joint.FirstChildElement("limit");
    const bool has_range = kind == HingeKind::revolute || kind == HingeKind::prismatic;
    if (!limit) {
        if (has_range)
            report.doubt(joint, fmt::format("a {} joint has no <limit>; expected <limit lower=... upper=... "
                                            "effort=... velocity=.../>",
                                            type_name(kind)));
        return {};
    }
    if (!has_range && kind != HingeKind::continuous) {
        ++report.without_effect[fmt::format("limit of a {} joint", type_name(kind))];
        return {};
    }
    Limits limits;
    limits.velocity = one_number(read_number(*limit, "velocity", report));
    limits.effort = one_number(read_number(*limit, "effort", report));
    if (has_range)
        read_range(*limit, limits, report);
    else if (limit->Attribute("lower") || limit->Attribute("upper"))
        ++report.without_effect["lower and upper limit of a continuous joint"];
    return limits;
}

void read_dynamics(const Element& joint, Hinge& hinge, Report& report)
{
    const Element* dynamics = joint.FirstChildElement("dynamics");
    if (!dynamics)
        return;
    const std::optional<double> damping = read_number(*dynamics, "damping", report);
    const std::optional<double> friction = read_number(*dynamics, "friction", report);
    if (num_dofs(hinge) == 1) {
        hinge.damping = one_number(damping);
        hinge.friction = one_number(friction);
    } else if (damping.value_or(0.0) != 0.0 || friction.value_or(0.0) != 0.0)
        ++report.without_effect[fmt::format("dynamics of a {} joint", type_name(hinge.kind))];
}

std::optional<Mimic> read_mimic(const Element& joint, Report& report)
{
    const Element* element = joint.FirstChildElement("mimic");
    if (!element)
        return std::nullopt;
    const Mimic mimic{required_text(*element, "joint", report),
                      read_number(*element, "multiplier", report).value_or(1.0),
                      read_number(*element, "offset", report).value_or(0.0)};
    return mimic.of.empty() ? std::nullopt : std::optional(mimic);
}

using JointsByName = std::map<std::string, const Joint*>;

// Does the chain of mimics that begins here come back to a joint that it has passed?
bool goes_round(const Joint& joint, const JointsByName& by_name)
{
    const Joint* at = &joint;
    for (std::size_t steps = 0; steps <= by_name.size(); ++steps) {
        const auto next = at->mimic ? by_name.find(at->mimic->of) : by_name.end();
        if (next == by_name.end())
            return false;
        at = next->second;
    }
    return true;
}

// Says what is wrong with a mimic; true when it can be kept.
bool check_mimic(const Joint& joint, const JointsByName& by_name, Report& report)
{
    const Element& element = *joint.element->FirstChildElement("mimic");
    const auto of = by_name.find(joint.mimic->of);
    if (of == by_name.end()) {
        std::vector<std::string> known;
        for (const auto& [name, other] : by_name)
            known.push_back(name);
        report.fault(element, unknown_name("joint", joint.mimic->of, known));
        return false;
    }
    // Reduced models fix joints and forget their mimics.
    if (joint.hinge.kind == HingeKind::weld) {
        ++report.without_effect["mimic in a fixed joint"];
        return false;
    }
    const Hinge& leader = of->second->hinge;
    if (leader.kind == HingeKind::weld) {
        report.doubt(
            element,
            fmt::format("joint '{}' is fixed, so nothing is left to follow and this joint moves by itself",
                        leader.name));
        return false;
    }
    for (const Hinge* side : {&joint.hinge, &leader})
        if (num_dofs(*side) != 1) {
            report.fault(element,
                         fmt::format("joint '{}' is {}, with {} dofs; both joints of a mimic must have one",
                                     side->name, type_name(side->kind), num_dofs(*side)));
            return false;
        }
    if (goes_round(joint, by_name)) {
        report.fault(element, fmt::format("joint '{}' ends up following itself", joint.hinge.name));
        return false;
    }
    return true;
}

} // namespace

Vec3<double> read_axis(const Element& joint, Report& report)
{
    std::array<double, 3> axis{1, 0, 0};
    const Element* element = joint.FirstChildElement("axis");
    if (!element)
        return {1, 0, 0};
    if (!element->Attribute("xyz"))
        report.fault(*element, "attribute xyz is missing; write xyz=\"X Y Z\"");
    read_numbers(*element, "xyz", axis, report);
    const Vec3<double> direction{axis[0], axis[1], axis[2]};
    if (norm(direction) >= 1e-9)
        return direction;
    report.fault(
        *element,
        fmt::format(
            "xyz is \"{}\", which has no direction; expected the axis that the joint moves about or along",
            element->Attribute("xyz")));
    return {1, 0, 0};
}

Joint read_joint(const Element& element, Report& report)
{
    Joint joint;
    joint.element = &element;
    Hinge& hinge = joint.hinge;
    hinge.name = required_text(element, "name", report);
    hinge.kind = read_type(element, report);
    hinge.parent = read_link_name(element, "parent", report);
    hinge.child = read_link_name(element, "child", report);
    hinge.X_PF = read_origin(element, report);
    if (hinge.kind != HingeKind::weld && hinge.kind != HingeKind::free)
        hinge.axis = read_axis(element, report);
    else if (element.FirstChildElement("axis"))
        ++report.without_effect[fmt::format("axis of a {} joint", type_name(hinge.kind))];
    hinge.limits = read_limits(element, hinge.kind, report);
    read_dynamics(element, hinge, report);
    joint.mimic = read_mimic(element, report);
    return joint;
}

void check_mimics(std::vector<Joint>& joints, Report& report)
{
    JointsByName by_name;
    for (const Joint& joint : joints)
        by_name.emplace(joint.hinge.name, &joint);
    std::vector<Joint*> wrong;
    for (Joint& joint : joints)
        if (joint.mimic && !check_mimic(joint, by_name, report))
            wrong.push_back(&joint);
    for (Joint* joint : wrong)
        joint->mimic.reset();
}

} // namespace sweepdyn::urdf_reader
