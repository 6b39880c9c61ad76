// Links: names, inertias, shapes.
#include <fmt/format.h>

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {
namespace {

Sym3<double> read_inertia(const Element& inertia, Report& report)
{
    std::string missing;
    const auto number = [&](const char* attribute) {
        if (!inertia.Attribute(attribute))
            missing += (missing.empty() ? "" : ", ") + std::string(attribute);
        return read_number(inertia, attribute, report).value_or(0.0);
    };
    Sym3<double> J;
    J.xx = number("ixx"), J.xy = number("ixy"), J.xz = number("ixz");
    J.yy = number("iyy"), J.yz = number("iyz"), J.zz = number("izz");
    if (!missing.empty())
        report.fault(inertia, fmt::format("missing {}; expected ixx, ixy, ixz, iyy, iyz, izz", missing));
    return J;
}

void read_inertial(const Element& inertial, Body& body, Report& report)
{
    const Pose<double> X_BC = read_origin(inertial, report);
    body.com = X_BC.p;
    if (const Element* mass = inertial.FirstChildElement("mass"))
        body.mass = required_number(*mass, "value", report);
    else
        report.doubt(inertial, "there is no <mass>, so it is 0");
    if (const Element* inertia = inertial.FirstChildElement("inertia"))
        body.inertia_com = rotate(X_BC.R, read_inertia(*inertia, report));
    else
        report.doubt(inertial, "there is no <inertia>, so it is 0");
}

} // namespace

Link read_link(const Element& element, const Colors& colors, Meshes& meshes, Report& report)
{
    Link link;
    link.element = &element;
    link.body.name = required_text(element, "name", report);
    link.body.visuals = read_shapes(element, "visual", colors, meshes, report);
    link.body.collisions = read_shapes(element, "collision", colors, meshes, report);
    const Element* inertial = element.FirstChildElement("inertial");
    if (inertial)
        read_inertial(*inertial, link.body, report);
    link.empty = !inertial && !element.FirstChildElement("visual") && !element.FirstChildElement("collision");
    return link;
}

} // namespace sweepdyn::urdf_reader
