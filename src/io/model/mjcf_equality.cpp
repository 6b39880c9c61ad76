// Equality constraints of MJCF, as rigid loops and couplings.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mjcf_reader.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::mjcf_reader {
namespace {

const Place* find(const Element& element, const char* attribute, const char* what,
                  const std::map<std::string, Place>& places, Report& report)
{
    const std::string name = required_text(element, attribute, report);
    if (name.empty())
        return nullptr;
    const auto found = places.find(name);
    if (found != places.end())
        return &found->second;
    std::vector<std::string> known;
    for (const auto& [other, place] : places)
        known.push_back(other);
    report.fault(element, std::string(attribute) + ": " + unknown_name(what, name, known));
    return nullptr;
}

// The two ends of a connect or weld.
struct Ends {
    const Place *first = nullptr, *second = nullptr;
    bool by_sites = false;
};
std::optional<Ends> read_ends(const Element& element, Mechanism& mechanism)
{
    Report& report = mechanism.report;
    Ends ends;
    ends.by_sites = element.Attribute("site1") || element.Attribute("site2");
    if (ends.by_sites && (element.Attribute("body1") || element.Attribute("body2"))) {
        report.fault(element, "bodies and sites are both given; keep one pair");
        return std::nullopt;
    }
    static const Place world{};
    const auto& places = ends.by_sites ? mechanism.sites : mechanism.bodies;
    const char* what = ends.by_sites ? "site" : "body";
    ends.first = find(element, ends.by_sites ? "site1" : "body1", what, places, report);
    if (!ends.by_sites && !element.Attribute("body2"))
        ends.second = &world;
    else
        ends.second = find(element, ends.by_sites ? "site2" : "body2", what, places, report);
    return ends.first && ends.second ? std::optional(ends) : std::nullopt;
}

Pose<double> at(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

// A connect by bodies: the anchor is given in the first, and in the second it lies where it is drawn.
void place_connect(const Vec3<double>& anchor, const Pose<double>& X_AB, Loop& loop)
{
    loop.X_Aa = at(anchor);
    loop.X_Bb = at(transform_point(inverse(X_AB), loop.X_Aa.p));
}
// A weld by bodies: as drawn where the quaternion is 0, wherever the anchor is. Else as MuJoCo has it: the quaternion of the second in the
// first, and the position at which the anchor of the second lies in the first.
void place_weld(const std::array<double, 7>& relative, const Vec3<double>& anchor, const Pose<double>& X_AB,
                Loop& loop)
{
    const Quaternion<double> q{relative[3], relative[4], relative[5], relative[6]};
    const double length = norm(q);
    loop.X_Aa = X_AB;
    if (!(length > 1e-9))
        return;
    loop.X_Aa = {rotation_matrix(Quaternion<double>{q.w / length, q.x / length, q.y / length, q.z / length}),
                 {relative[0], relative[1], relative[2]}};
    loop.X_Bb = at(anchor);
}

bool read_connect_or_weld(const Element& element, Loop& loop, Mechanism& mechanism)
{
    const bool connects = std::string_view(element.Name()) == "connect";
    loop.kind = connects ? LoopKind::ball : LoopKind::weld;
    const auto ends = read_ends(element, mechanism);
    std::array<double, 3> anchor{};
    std::array<double, 7> relative{};
    const bool anchored = read_numbers(element, "anchor", anchor, mechanism.report);
    if (!connects)
        read_numbers(element, "relpose", relative, mechanism.report);
    if (!ends)
        return false;
    loop.body_a = ends->first->body, loop.body_b = ends->second->body;
    if (ends->by_sites) {
        for (const char* attribute : {"anchor", "relpose"})
            if (element.Attribute(attribute))
                mechanism.report.fault(
                    element, fmt::format("{} goes with bodies, and sites are given; remove one", attribute));
        loop.X_Aa = ends->first->X, loop.X_Bb = ends->second->X;
        return true;
    }
    if (connects && !anchored) {
        if (!element.Attribute("anchor"))
            mechanism.report.fault(element, "anchor is missing; write anchor=\"X Y Z\", in the first body");
        return false;
    }
    const Pose<double> X_AB = inverse(ends->first->X) * ends->second->X; // at qpos0
    const Vec3<double> point{anchor[0], anchor[1], anchor[2]};
    connects ? place_connect(point, X_AB, loop) : place_weld(relative, point, X_AB, loop);
    return true;
}

bool read_joint(const Element& element, Loop& loop, Mechanism& mechanism)
{
    Report& report = mechanism.report;
    loop.kind = LoopKind::coupling;
    const auto dof = [&](const char* attribute) -> std::string {
        const std::string name = required_text(element, attribute, report);
        if (name.empty())
            return "";
        const JointDofs* joint = find_joint(element, attribute, name, mechanism);
        if (!joint)
            return "";
        if (joint->count != 1) {
            report.fault(element,
                         fmt::format("{}: joint '{}' has no single coordinate; expected a hinge or a slide",
                                     attribute, name));
            return "";
        }
        const Hinge& hinge = mechanism.builder.hinges()[joint->hinge];
        return hinge.name + dof_suffixes(hinge)[joint->first];
    };
    const std::string first = dof("joint1");
    if (!element.Attribute("joint2")) {
        report.fault(element, "without joint2 it holds joint1 at a constant, for which there is no loop; "
                              "remove the joint instead");
        return false;
    }
    const std::string second = dof("joint2");
    std::vector<double> c{0, 1, 0, 0, 0}; // what is missing stays so
    if (element.Attribute("polycoef") && !read_first_numbers(element, "polycoef", c, report))
        return false;
    if (first.empty() || second.empty())
        return false;
    loop.offset = c[0];
    CouplingTerm follows{second, {-c[1], -c[2], -c[3], -c[4]}};
    while (follows.polynomial.size() > 1 && follows.polynomial.back() == 0.0)
        follows.polynomial.pop_back();
    loop.terms = {{first, {1.0}}, follows};
    return true;
}

// Two balls between the same bodies, apart by d: a hinge about the line through them.
void join_connects(std::vector<Loop>& loops, Report& report)
{
    for (std::size_t i = 0; i < loops.size(); ++i)
        for (std::size_t j = i + 1; j < loops.size(); ++j) {
            Loop &one = loops[i], &other = loops[j];
            if (one.kind != LoopKind::ball || other.kind != LoopKind::ball)
                continue;
            Pose<double> X_a = other.X_Aa, X_b = other.X_Bb;
            if (one.body_a == other.body_b && one.body_b == other.body_a)
                std::swap(X_a, X_b);
            else if (one.body_a != other.body_a || one.body_b != other.body_b)
                continue;
            const Vec3<double> d_a = X_a.p - one.X_Aa.p, d_b = X_b.p - one.X_Bb.p;
            const double length = norm(d_a);
            if (!(length > 1e-9) || std::abs(norm(d_b) - length) > 1e-9 * length)
                continue;
            report.remark(fmt::format("equality: connects '{}' and '{}' are one hinge loop, '{}'", one.name,
                                      other.name, one.name));
            one.kind = LoopKind::revolute;
            one.X_Aa.R = frame_with_z((1.0 / length) * d_a);
            one.X_Bb.R = frame_with_z((1.0 / norm(d_b)) * d_b);
            loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(j));
            break;
        }
}

bool is_active(const Source& source, Report& report)
{
    if (!source.says("active") || source.is("active", "true"))
        return true;
    if (!source.is("active", "false"))
        report.fault(*source.holder("active"), unknown_name("value of active", source.text("active"),
                                                            std::vector<std::string>{"true", "false"}));
    return false;
}

// Connects, welds and joints of all sections; any other element is a fault already.
std::vector<const Element*> constraints_of(const Element& mujoco, Report& report)
{
    std::vector<const Element*> out;
    for (const Element* section : children(mujoco, "equality")) {
        if (const auto* attribute = section->FirstAttribute())
            report.fault(*section, fmt::format("attribute '{}' is not read; write it in each constraint, or "
                                               "in <default><equality/></default>",
                                               attribute->Name()));
        for (const Element* child = section->FirstChildElement(); child; child = child->NextSiblingElement())
            if (const std::string_view kind = child->Name();
                kind == "connect" || kind == "weld" || kind == "joint")
                out.push_back(child);
    }
    return out;
}

} // namespace

void read_equality(const Element& mujoco, const Disabled& disabled, Mechanism& mechanism)
{
    Report& report = mechanism.report;
    std::vector<Loop> loops;
    const std::vector<const Element*> constraints = constraints_of(mujoco, report);
    std::set<std::string> taken;
    for (const Element* element : constraints)
        taken.insert(optional_text(*element, "name", report));
    int count = 0;
    for (const Element* element : constraints) {
        Loop loop;
        loop.name = optional_text(*element, "name", report);
        const bool unnamed = loop.name.empty();
        while (loop.name.empty() || (unnamed && taken.contains(loop.name)))
            loop.name = fmt::format("equality{}", ++count);
        if (!is_active(mechanism.defaults.source(*element, "", report, "equality"), report)) {
            ++report.without_effect["equality that is not active"];
            continue;
        }
        if (std::string_view(element->Name()) == "joint" ? read_joint(*element, loop, mechanism)
                                                         : read_connect_or_weld(*element, loop, mechanism)) {
            report.stands(loop.kind == LoopKind::coupling ? "coupling" : "loop", loop.name, *element);
            loops.push_back(std::move(loop));
        }
    }
    if (disabled.equality) {
        for (const Loop& loop : loops)
            report.remark(fmt::format("equality: '{}' is left out, because a <flag> disables it", loop.name));
        return;
    }
    join_connects(loops, report);
    if (!loops.empty())
        report.remark("equality: constraints are rigid here; their softness (solref, solimp) is dropped");
    for (Loop& loop : loops)
        mechanism.builder.add_loop(std::move(loop));
}

} // namespace sweepdyn::mjcf_reader
