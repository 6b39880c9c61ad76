// Joints between models of a world: links are named MODEL::LINK there, and a joint is placed in its child.
#ifdef SWEEPDYN_WITH_SDFORMAT

#include <fmt/format.h>

#include "sdf_reader.hpp"
#include "utf8.hpp"

namespace sweepdyn::sdf_reader {
namespace {

struct Link {
    std::string body{}; // empty: the ground, or a link of a static model
    Pose<double> X_WL{};
};
using Links = std::map<std::string, Link>;

Links links_of(const sdf::World& world, const std::vector<Part>& parts)
{
    Links links;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i)
        for (std::uint64_t k = 0; k < world.ModelByIndex(i)->LinkCount(); ++k)
            links[world.ModelByIndex(i)->Name() + "::" + world.ModelByIndex(i)->LinkByIndex(k)->Name()] = {};
    for (const Part& part : parts)
        for (const auto& [link, X_ML] : part.X_ML)
            links[part.model->Name() + "::" + link] = {part.prefix + link, part.X_WM * X_ML};
    return links;
}

// The joint as sdformat reads it, which knows the element itself.
bool load(const Element& element, sdf::Joint& joint, Report& report)
{
    tinyxml2::XMLPrinter printer;
    element.Accept(&printer);
    const sdf::ElementPtr description = std::make_shared<sdf::Element>();
    sdf::initFile("joint.sdf", description);
    sdf::Errors errors;
    sdf::readString(fmt::format("<sdf version=\"1.9\">{}</sdf>", printer.CStr()), description, errors);
    if (errors.empty())
        errors = joint.Load(description);
    return !report_errors(errors, element, report);
}

// What would have to be resolved among frames of the world.
bool is_placed_in_its_child(const Element& element, Report& report)
{
    const Element* pose = element.FirstChildElement("pose");
    bool plain = !pose || !pose->Attribute("relative_to");
    for (const char* name : {"axis", "axis2"})
        if (const Element* axis = element.FirstChildElement(name))
            if (const Element* xyz = axis->FirstChildElement("xyz"))
                plain = plain && !xyz->Attribute("expressed_in");
    if (!plain)
        report.fault(element, "relative_to and expressed_in are not read in a joint between models; give "
                              "pose and axes in the child link");
    return plain;
}

const Link* find(const std::string& name, const Links& links, const Element& element, Report& report)
{
    static const Link world{};
    if (name == "world")
        return &world;
    if (const auto found = links.find(name); found != links.end())
        return &found->second;
    std::vector<std::string> known;
    for (const auto& [other, link] : links)
        known.push_back(other);
    report.fault(element, unknown_name("link", name, known));
    return nullptr;
}

} // namespace

void read_world_joints(const Element& world, const sdf::World& content, const std::vector<Part>& parts,
                       WorldJoints& out, Report& report)
{
    const Links links = links_of(content, parts);
    out.part.element = &world;
    for (const Element* element : children(world, "joint")) {
        sdf::Joint& read = out.storage.emplace_back();
        if (!load(*element, read, report) || !is_placed_in_its_child(*element, report))
            continue;
        Joint joint;
        joint.joint = &read;
        joint.element = element;
        joint.between_models = true;
        const Link *parent = find(read.ParentLinkName(), links, *element, report),
                   *child = find(read.ChildLinkName(), links, *element, report);
        if (!parent || !child)
            continue;
        if (child->body.empty() || read.Type() == sdf::JointType::GEARBOX) {
            report.fault(*element, child->body.empty()
                                       ? "its child is static; let the other link be the child"
                                       : "a gearbox between models is not read; put its links "
                                         "into one model");
            continue;
        }
        joint.parent = joint.hinge.parent = parent->body;
        joint.child = joint.hinge.child = child->body;
        joint.hinge.name = read.Name();
        joint.hinge.X_CM = pose(read.RawPose());
        const Pose<double> X_WF = child->X_WL * joint.hinge.X_CM;
        joint.hinge.X_PF = parent->body.empty() ? X_WF : inverse(parent->X_WL) * X_WF;
        report.stands("hinge", joint.hinge.name, *element);
        if (read_kind(joint, report))
            out.part.joints.push_back(std::move(joint));
    }
}

} // namespace sweepdyn::sdf_reader

#endif
