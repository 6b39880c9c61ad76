#include "urdf_units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sweepdyn::urdf_reader {
namespace {

// The lengths that a file shows.
struct Lengths {
    double joints = 0.0; // the farthest joint from its parent
    double all = 0.0;    // and the farthest centre of mass from its link
};

Lengths lengths_of(const Robot& robot)
{
    Lengths out;
    for (const Joint& joint : robot.joints)
        out.joints = std::max(out.joints, norm(joint.hinge.X_PF.p));
    out.all = out.joints;
    for (const Link& link : robot.links)
        out.all = std::max(out.all, norm(link.body.com));
    return out;
}

// How far the shapes of a body reach from its centre of mass; 0 when they do not say, as meshes do not.
double reach(const Body& body)
{
    double out = 0.0;
    for (const auto* shapes : {&body.visuals, &body.collisions})
        for (const Shape& shape : *shapes) {
            if (shape.kind == Shape::Kind::mesh)
                return 0.0;
            double size = 0.0; // at least the radius of a sphere around it
            for (double x : shape.size)
                size += std::abs(x);
            out = std::max(out, norm(shape.X_BS.p - body.com) + size);
        }
    return out;
}

// In kg mm^2 an inertia is a million times too large, and its radius of gyration a thousand times. Suspicious is a radius
//     above 30 m, which no part of a machine has,
//     above 5 m and 20 times all lengths in the file,
//     above 20 times the reach of the body's shapes, which may be mere tokens of it.
void doubt_inertia(const Link& link, const Lengths& lengths, Report& report)
{
    const Body& body = link.body;
    if (!(body.mass > 0.0))
        return;
    const double trace = body.inertia_com.trace(), gyration = std::sqrt(trace / body.mass);
    const double size = reach(body);
    const bool suspicious = gyration > 30.0 ||
                            (gyration > 5.0 && lengths.all > 0.0 && gyration > 20.0 * lengths.all) ||
                            (size > 0.0 && gyration > 20.0 * size);
    if (suspicious)
        report.doubt(
            *link.element->FirstChildElement("inertial"),
            fmt::format("inertia of trace {} with mass {} means a radius of gyration of {:.3g} m: suspicious "
                        "units; expected kg m^2 and kg (an inertia in kg mm^2 is to be multiplied by 1e-6, "
                        "in g mm^2 by 1e-9)",
                        number_text(trace), number_text(body.mass), gyration));
}

void doubt_com(const Link& link, const Lengths& lengths, Report& report)
{
    if (const double distance = norm(link.body.com); distance > 10.0 && lengths.joints < 5.0)
        report.doubt(
            *link.element->FirstChildElement("inertial"),
            fmt::format("the centre of mass is {:.3g} m from the link, while no joint is farther than "
                        "{:.3g} m from its parent: suspicious units; expected metres (millimetres are "
                        "to be multiplied by 1e-3)",
                        distance, lengths.joints));
}

// Exported in millimetres, an arm is hundreds of metres long.
void doubt_distance(const Joint& joint, Report& report)
{
    if (const double distance = norm(joint.hinge.X_PF.p); distance > 100.0)
        report.doubt(*joint.element->FirstChildElement("origin"),
                     fmt::format("the joint is {:.3g} m from its parent: suspicious units; expected metres",
                                 distance));
}

// Few joints turn more than four times to a side. Far larger numbers, as 1e16, are a way to say that there is no limit.
void doubt_range(const Joint& joint, Report& report)
{
    if (joint.hinge.kind != HingeKind::revolute)
        return;
    const Limits& limits = joint.hinge.limits;
    double widest = 0.0;
    for (const auto* numbers : {&limits.lower, &limits.upper})
        for (double x : *numbers)
            if (std::abs(x) > std::abs(widest) && std::abs(x) < 1e4)
                widest = x;
    if (std::abs(widest) > 8.0 * std::numbers::pi)
        report.doubt(*joint.element->FirstChildElement("limit"),
                     fmt::format("a limit of {} rad is beyond four turns: suspicious units; expected radians "
                                 "(degrees are to be multiplied by 0.0174533), or a continuous joint",
                                 number_text(widest)));
}

} // namespace

void doubt_units(const Robot& robot, Report& report)
{
    const Lengths lengths = lengths_of(robot);
    for (const Link& link : robot.links) {
        doubt_inertia(link, lengths, report);
        doubt_com(link, lengths, report);
    }
    for (const Joint& joint : robot.joints) {
        doubt_distance(joint, report);
        doubt_range(joint, report);
    }
}

} // namespace sweepdyn::urdf_reader
