// Loops and couplings of the URDF+ dialect: docs/urdf-plus.md.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sweepdyn/spatial/rotation.hpp"
#include "urdf_loops.hpp"

namespace sweepdyn::urdf_reader {
namespace {

struct LoopType {
    const char* name;
    LoopKind kind;
    bool has_axis;
};
constexpr std::array<LoopType, 7> loop_types{{{"fixed", LoopKind::weld, false},
                                              {"revolute", LoopKind::revolute, true},
                                              {"continuous", LoopKind::revolute, true},
                                              {"prismatic", LoopKind::prismatic, true},
                                              {"cylindrical", LoopKind::cylindrical, true},
                                              {"spherical", LoopKind::ball, false},
                                              {"planar", LoopKind::rows, true}}};

const LoopType* read_type(const Element& element, Report& report)
{
    const std::string type = required_text(element, "type", report);
    std::vector<std::string> known;
    for (const LoopType& row : loop_types) {
        if (type == row.name)
            return &row;
        known.emplace_back(row.name);
    }
    if (!type.empty())
        report.fault(element, unknown_name("loop type", type, known));
    return nullptr;
}

const Element* read_end(const Element& element, const char* role, std::string& link, Report& report)
{
    const Element* end = element.FirstChildElement(role);
    if (!end)
        report.fault(element, fmt::format("<{}> is missing; write <{} link=\"...\"/>", role, role));
    else
        link = required_text(*end, "link", report);
    return end;
}

ClosingLoop read_loop(const Element& element, Report& report)
{
    ClosingLoop out;
    out.element = &element;
    out.loop.name = required_text(element, "name", report);
    const LoopType* type = read_type(element, report);
    if (const Element* end = read_end(element, "predecessor", out.predecessor, report))
        out.loop.X_Aa = read_origin(*end, report);
    if (const Element* end = read_end(element, "successor", out.successor, report))
        out.loop.X_Bb = read_origin(*end, report);
    if (!type)
        return out;
    out.loop.kind = type->kind;
    if (type->kind == LoopKind::rows)
        out.loop.rows = {LoopRow::rx, LoopRow::ry, LoopRow::z};
    if (type->has_axis) { // the loop's z
        const Vec3<double> axis = read_axis(element, report);
        const Mat3<double> R = frame_with_z((1.0 / norm(axis)) * axis);
        out.loop.X_Aa.R = out.loop.X_Aa.R * R;
        out.loop.X_Bb.R = out.loop.X_Bb.R * R;
    } else if (element.FirstChildElement("axis"))
        ++report.without_effect[fmt::format("axis of a {} loop", type->name)];
    return out;
}

ClosingLoop read_coupling(const Element& element, Report& report)
{
    ClosingLoop out;
    out.element = &element;
    out.loop.kind = LoopKind::coupling;
    out.loop.name = required_text(element, "name", report);
    if (const std::string type = optional_text(element, "type", report); !type.empty() && type != "rolling")
        report.fault(element, unknown_name("coupling type", type, std::vector<std::string>{"rolling"}));
    read_end(element, "predecessor", out.predecessor, report);
    read_end(element, "successor", out.successor, report);
    if (const Element* ratio = element.FirstChildElement("ratio")) {
        const std::size_t faults = report.faults.size();
        out.ratio = required_number(*ratio, "value", report);
        if (out.ratio == 0.0 && report.faults.size() == faults)
            report.fault(*ratio, "value is 0, so nothing is coupled; expected a ratio other than 0");
    } else
        report.fault(element, "<ratio> is missing; write <ratio value=\"NUMBER\"/>");
    return out;
}

// Links by name, and the way from a link to the root.
class Links {
public:
    Links(const Robot& robot, const Layout& layout) : robot_(robot), layout_(layout)
    {
        for (const Link& link : robot.links)
            names_.push_back(link.body.name);
    }
    int find(const std::string& name, const Element& element, const char* role, Report& report) const
    {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found != names_.end())
            return static_cast<int>(found - names_.begin());
        if (!name.empty())
            report.fault(*element.FirstChildElement(role), unknown_name("link", name, names_));
        return -1;
    }
    bool is_root(int link) const { return link == layout_.root; }
    // Joints from the link to the root.
    std::vector<const Joint*> way(int link) const
    {
        std::vector<const Joint*> joints;
        while (!is_root(link)) {
            joints.push_back(
                &robot_.joints[static_cast<std::size_t>(layout_.joint_of[static_cast<std::size_t>(link)])]);
            link = static_cast<int>(std::find(names_.begin(), names_.end(), joints.back()->hinge.parent) -
                                    names_.begin());
        }
        return joints;
    }

private:
    const Robot& robot_;
    const Layout& layout_;
    std::vector<std::string> names_;
};

// ratio (sum over joints between the nearest common ancestor and the predecessor) - (likewise, successor) = 0
void add_terms(ClosingLoop& coupling, std::vector<const Joint*> to_predecessor,
               std::vector<const Joint*> to_successor, Report& report)
{
    while (!to_predecessor.empty() && !to_successor.empty() && to_predecessor.back() == to_successor.back())
        to_predecessor.pop_back(), to_successor.pop_back();
    const auto move = [](const std::vector<const Joint*>& joints) {
        return std::any_of(joints.begin(), joints.end(),
                           [](const Joint* joint) { return num_dofs(joint->hinge) > 0; });
    };
    for (const auto& [joints, role] :
         {std::pair{&to_predecessor, "predecessor"}, {&to_successor, "successor"}})
        if (!move(*joints))
            return report.fault(*coupling.element,
                                fmt::format("no joint that moves lies between the {} and the links' nearest "
                                            "common ancestor, so the ratio has nothing to act on; expected "
                                            "links on two branches",
                                            role));
    for (const auto& [joints, factor] : {std::pair{&to_successor, 1.0}, {&to_predecessor, -coupling.ratio}})
        for (const Joint* joint : *joints) {
            if (const int dofs = num_dofs(joint->hinge); dofs > 1)
                report.fault(*coupling.element,
                             fmt::format("joint '{}' on the way has {} dofs; expected one, or none",
                                         joint->hinge.name, dofs));
            else if (dofs == 1)
                coupling.loop.terms.push_back({joint->hinge.name, {factor}});
        }
}

} // namespace

std::vector<ClosingLoop> read_loops(const Element& robot, Report& report)
{
    std::vector<ClosingLoop> out;
    for (const Element* child = robot.FirstChildElement(); child; child = child->NextSiblingElement())
        if (const std::string_view name = child->Name(); name == "loop")
            out.push_back(read_loop(*child, report));
        else if (name == "coupling")
            out.push_back(read_coupling(*child, report));
    return out;
}

void add_loops(const Robot& robot, const Layout& layout, bool root_is_ground, ModelBuilder& builder,
               Report& report)
{
    const Links links(robot, layout);
    for (ClosingLoop closing : robot.loops) {
        const int a = links.find(closing.predecessor, *closing.element, "predecessor", report),
                  b = links.find(closing.successor, *closing.element, "successor", report);
        if (a < 0 || b < 0)
            continue;
        Loop& loop = closing.loop;
        if (a == b) {
            report.fault(*closing.element,
                         fmt::format("predecessor and successor are both link '{}'; expected two links",
                                     closing.predecessor));
            continue;
        }
        const std::size_t faults = report.faults.size();
        if (loop.kind == LoopKind::coupling)
            add_terms(closing, links.way(a), links.way(b), report);
        else {
            loop.body_a = root_is_ground && links.is_root(a) ? "" : closing.predecessor;
            loop.body_b = root_is_ground && links.is_root(b) ? "" : closing.successor;
        }
        if (report.faults.size() == faults)
            builder.add_loop(std::move(loop));
    }
}

} // namespace sweepdyn::urdf_reader
