// Links: inertias, and doubts about their units.
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "sweepdyn/spatial/dense.hpp"
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

// How far from the centre of mass a body may hold its mass: no machine part is 30 m in radius; and where all of its
// shapes are known, 20 times their reach, since they may be mere tokens of it.
double plausible_gyration(const Body& body)
{
    double reach = 0.0;
    bool known = true;
    for (const auto* shapes : {&body.visuals, &body.collisions})
        for (const Shape& shape : *shapes) {
            known = known && shape.kind != Shape::Kind::mesh;
            double size = 0.0; // at least the radius of a sphere around it
            for (double x : shape.size)
                size += std::abs(x);
            reach = std::max(reach, norm(shape.X_BS.p - body.com) + size);
        }
    return known && reach > 0.0 ? std::min(30.0, 20.0 * reach) : 30.0;
}

// In kg mm^2 an inertia is a million times too large, a radius of gyration a thousand times.
void check_units(const Element& inertial, const Body& body, Report& report)
{
    const Eigen::SelfAdjointEigenSolver<Matrix3<double>> solver(dense(body.inertia_com),
                                                                Eigen::EigenvaluesOnly);
    const double moment = solver.eigenvalues()[2];
    const double gyration = std::sqrt(moment / body.mass);
    if (!(body.mass > 0.0) || !(gyration > plausible_gyration(body)))
        return;
    report.doubt(inertial,
                 fmt::format("inertia {} with mass {} means a radius of gyration of {} m: suspicious units; "
                             "expected kg m^2 and "
                             "kg (an inertia in kg mm^2 is to be multiplied by 1e-6, in g mm^2 by 1e-9)",
                             number_text(moment), number_text(body.mass), fmt::format("{:.3g}", gyration)));
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
    if (inertial) {
        read_inertial(*inertial, link.body, report);
        check_units(*inertial, link.body, report);
    }
    link.empty = !inertial && !element.FirstChildElement("visual") && !element.FirstChildElement("collision");
    return link;
}

} // namespace sweepdyn::urdf_reader
