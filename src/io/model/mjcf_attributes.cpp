// Attributes of MJCF: default classes, compiler settings, poses.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mjcf_reader.hpp"
#include "sweepdyn/spatial/rotation.hpp"
#include "utf8.hpp"

namespace sweepdyn::mjcf_reader {

const Element* Source::holder(const char* attribute) const
{
    if (element->Attribute(attribute))
        return element;
    for (const Element* other : defaults)
        if (other->Attribute(attribute))
            return other;
    return nullptr;
}
const char* Source::text(const char* attribute) const
{
    const Element* who = holder(attribute);
    return who ? who->Attribute(attribute) : nullptr;
}
bool Source::numbers(const char* attribute, std::span<double> out, Report& report) const
{
    const Element* who = holder(attribute);
    return who && read_numbers(*who, attribute, out, report);
}
double Source::number(const char* attribute, double otherwise, Report& report) const
{
    numbers(attribute, {&otherwise, 1}, report);
    return otherwise;
}

void Defaults::read(const Element& mujoco, Report& report)
{
    classes_["main"];
    for (const Element* element : children(mujoco, "default"))
        read_class(*element, "", report);
}
void Defaults::read_class(const Element& element, const std::string& parent, Report& report)
{
    std::string name = optional_text(element, "class", report);
    if (name.empty() && !parent.empty()) {
        report.fault(element, "attribute class is missing; write class=\"...\"");
        return;
    }
    if (name.empty())
        name = "main";
    if (name != "main" && classes_.contains(name))
        report.fault(element, fmt::format("class '{}' is there already; give another name", name));
    Class& mine = classes_[name];
    mine.parent = parent;
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
        if (std::string_view(child->Name()) != "default")
            mine.elements[child->Name()] = child;
    for (const Element* child : children(element, "default"))
        read_class(*child, name, report);
}
bool Defaults::require_class(const Element& element, const std::string& name, Report& report) const
{
    if (classes_.contains(name))
        return true;
    std::vector<std::string> known;
    for (const auto& [other, content] : classes_)
        known.push_back(other);
    report.fault(element, unknown_name("default class", name, known));
    return false;
}
Source Defaults::source(const Element& element, const std::string& childclass, Report& report,
                        const char* type) const
{
    Source out{&element};
    std::string name = optional_text(element, "class", report);
    if (name.empty())
        name = childclass.empty() ? "main" : childclass;
    while (!name.empty() && require_class(element, name, report)) {
        const Class& found = classes_.at(name);
        if (const auto held = found.elements.find(type ? type : element.Name()); held != found.elements.end())
            out.defaults.push_back(held->second);
        name = found.parent;
    }
    return out;
}

void read_compiler(const Element& compiler, Settings& settings, Report& report)
{
    const auto one_of = [&](const char* attribute,
                            std::initializer_list<std::string_view> known) -> std::string {
        const std::string text = optional_text(compiler, attribute, report);
        for (std::string_view value : known)
            if (text == value)
                return text;
        if (!text.empty())
            report.fault(compiler, unknown_name(std::string("value of ") + attribute, text,
                                                std::vector<std::string>(known.begin(), known.end())));
        return "";
    };
    if (const std::string angle = one_of("angle", {"degree", "radian"}); !angle.empty())
        settings.angle = angle == "radian" ? 1.0 : std::numbers::pi / 180.0;
    if (const std::string limits = one_of("autolimits", {"true", "false"}); !limits.empty())
        settings.autolimits = limits == "true";
    if (const std::string from = one_of("inertiafromgeom", {"auto", "true", "false"}); !from.empty())
        settings.inertia_from_geom = from == "auto"   ? Settings::InertiaFromGeom::missing
                                     : from == "true" ? Settings::InertiaFromGeom::always
                                                      : Settings::InertiaFromGeom::never;
    if (const std::string sequence = optional_text(compiler, "eulerseq", report); !sequence.empty()) {
        if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != sequence.npos)
            report.fault(compiler, fmt::format("eulerseq is \"{}\", expected three of x y z X Y Z",
                                               readable(sequence)));
        else
            settings.eulerseq = sequence;
    }
    if (one_of("coordinate", {"local", "global"}) == "global")
        report.fault(compiler,
                     "coordinate is \"global\", which MuJoCo itself gave up; expected local coordinates");
    for (const char* attribute : {"boundmass", "boundinertia", "settotalmass"})
        if (double x = 0.0; read_numbers(compiler, attribute, {&x, 1}, report) && x > 0.0)
            report.fault(compiler,
                         fmt::format("{} changes masses while the file is read, which is not followed; "
                                     "write the masses that are meant",
                                     attribute));
    for (const char* attribute : {"balanceinertia", "alignfree"})
        if (one_of(attribute, {"true", "false"}) == "true")
            report.fault(compiler,
                         fmt::format("{} changes bodies while the file is read, which is not followed; "
                                     "write the bodies that are meant",
                                     attribute));
}

namespace {

Mat3<double> of_euler(const std::array<double, 3>& angles, const std::string& sequence)
{
    Mat3<double> R = Mat3<double>::identity();
    for (std::size_t i = 0; i < 3; ++i) {
        Vec3<double> axis{};
        axis[std::tolower(sequence[i]) - 'x'] = 1.0;
        const Mat3<double> turn = rotation_about(axis, angles[i]);
        R = std::islower(sequence[i]) ? R * turn : turn * R; // lower case: about axes that turn with it
    }
    return R;
}

// One of the ways to give an orientation, on one element; null when it has none.
std::optional<Mat3<double>> read_rotation(const Element& element, const Settings& settings, Report& report)
{
    std::array<double, 6> n{};
    const auto read = [&](const char* attribute, std::size_t count) {
        return read_numbers(element, attribute, std::span<double>(n.data(), count), report);
    };
    const auto unit = [&](Vec3<double> v, const char* attribute) {
        const double length = norm(v);
        if (!(length > 1e-9)) {
            report.fault(element, fmt::format("{} is \"{}\", which has no direction", attribute,
                                              element.Attribute(attribute)));
            return Vec3<double>{0, 0, 1};
        }
        return (1.0 / length) * v;
    };
    int given = 0;
    for (const char* attribute : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
        given += element.Attribute(attribute) != nullptr;
    if (given == 0)
        return std::nullopt;
    if (given > 1)
        report.fault(element, "more than one of quat, axisangle, xyaxes, zaxis, euler is given; keep one");
    if (read("quat", 4)) {
        const Quaternion<double> q{n[0], n[1], n[2], n[3]};
        if (const double length = norm(q); length > 1e-9)
            return rotation_matrix(
                Quaternion<double>{q.w / length, q.x / length, q.y / length, q.z / length});
        report.fault(element, "quat is zero; expected a unit quaternion, w x y z");
    } else if (read("axisangle", 4))
        return rotation_about(unit({n[0], n[1], n[2]}, "axisangle"), settings.angle * n[3]);
    else if (read("xyaxes", 6)) {
        const Vec3<double> x = unit({n[0], n[1], n[2]}, "xyaxes"), given_y{n[3], n[4], n[5]};
        const Vec3<double> y = unit(given_y - dot(given_y, x) * x, "xyaxes");
        return Mat3<double>{x, y, cross(x, y)};
    } else if (read("zaxis", 3)) { // the shortest turn that puts z there
        const Vec3<double> z = unit({n[0], n[1], n[2]}, "zaxis"), about = cross(Vec3<double>{0, 0, 1}, z);
        const double sine = norm(about);
        return sine > 1e-12 ? rotation_about((1.0 / sine) * about, std::atan2(sine, z.z))
               : z.z > 0.0  ? Mat3<double>::identity()
                            : rotation_about<double>({1, 0, 0}, std::numbers::pi);
    } else if (read("euler", 3))
        return of_euler({settings.angle * n[0], settings.angle * n[1], settings.angle * n[2]},
                        settings.eulerseq);
    return Mat3<double>::identity(); // wrong, and reported
}

} // namespace

Pose<double> read_pose(const Source& source, const Settings& settings, Report& report)
{
    Pose<double> X;
    std::array<double, 3> p{};
    if (source.numbers("pos", p, report))
        X.p = {p[0], p[1], p[2]};
    if (const auto R = read_rotation(*source.element, settings, report)) {
        X.R = *R;
        return X;
    }
    for (const Element* other : source.defaults)
        if (const auto R = read_rotation(*other, settings, report)) {
            X.R = *R;
            break;
        }
    return X;
}

} // namespace sweepdyn::mjcf_reader
