#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sweepdyn/spatial/rotation.hpp"
#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {
namespace {

Mat3<double> rotation_of_rpy(const std::array<double, 3>& rpy)
{
    const Mat3<double> Rx = rotation_about<double>({1, 0, 0}, rpy[0]);
    const Mat3<double> Ry = rotation_about<double>({0, 1, 0}, rpy[1]);
    const Mat3<double> Rz = rotation_about<double>({0, 0, 1}, rpy[2]);
    return Rz * Ry * Rx;
}

Mat3<double> rotation_of_origin(const Element& origin, Report& report)
{
    std::array<double, 3> rpy{};
    std::array<double, 4> xyzw{};
    const bool by_angles = read_numbers(origin, "rpy", rpy, report);
    if (!read_numbers(origin, "quat_xyzw", xyzw, report))
        return rotation_of_rpy(rpy);
    const Quaternion<double> quaternion{xyzw[3], xyzw[0], xyzw[1], xyzw[2]};
    if (by_angles)
        report.fault(origin, "rpy and quat_xyzw are both given; keep one");
    else if (const double length = norm(quaternion); !(std::abs(length - 1.0) < 1e-3))
        report.fault(origin, fmt::format("quat_xyzw has length {}, expected 1", number_text(length)));
    else
        return rotation_matrix(quaternion);
    return Mat3<double>::identity();
}

} // namespace

Pose<double> read_origin(const Element& parent, Report& report)
{
    const Element* origin = parent.FirstChildElement("origin");
    if (!origin)
        return {};
    std::array<double, 3> xyz{};
    read_numbers(*origin, "xyz", xyz, report);
    return {rotation_of_origin(*origin, report), {xyz[0], xyz[1], xyz[2]}};
}

} // namespace sweepdyn::urdf_reader
