// Geoms of MJCF: the inertia of solid primitives, and their shapes.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mjcf_reader.hpp"
#include "model/edit_detail.hpp"
#include "utf8.hpp"

namespace sweepdyn::mjcf_reader {
namespace {

constexpr double pi = std::numbers::pi;
enum class GeomType { sphere, capsule, ellipsoid, cylinder, box, mesh, plane, hfield, sdf };
constexpr std::array<const char*, 9> type_names{"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                                "mesh",   "plane",   "hfield",    "sdf"};

struct Solid {
    double volume = 0.0;
    Vec3<double> per_mass{}; // principal moments of inertia of one kilogram
};

// size: radii and half lengths, as MJCF has them.
Solid solid(GeomType type, const std::array<double, 3>& size)
{
    const double a = size[0], b = size[1], c = size[2];
    switch (type) {
    case GeomType::sphere: return {4.0 / 3.0 * pi * a * a * a, {0.4 * a * a, 0.4 * a * a, 0.4 * a * a}};
    case GeomType::box:
        return {8.0 * a * b * c, {(b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0}};
    case GeomType::ellipsoid:
        return {4.0 / 3.0 * pi * a * b * c,
                {(b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0}};
    case GeomType::cylinder: {
        const double across = a * a / 4.0 + b * b / 3.0;
        return {2.0 * pi * a * a * b, {across, across, a * a / 2.0}};
    }
    case GeomType::capsule: { // a cylinder, and two half spheres at its ends
        const double cylinder = 2.0 * pi * a * a * b, sphere = 4.0 / 3.0 * pi * a * a * a,
                     volume = cylinder + sphere;
        const double across =
            cylinder * (a * a / 4.0 + b * b / 3.0) + sphere * (0.4 * a * a + b * b + 0.75 * a * b);
        const double along = cylinder * a * a / 2.0 + sphere * 0.4 * a * a;
        return {volume, (1.0 / volume) * Vec3<double>{across, across, along}};
    }
    default: return {};
    }
}

struct Geom {
    GeomType type = GeomType::sphere;
    std::array<double, 3> size{};
    Pose<double> X_BG{};
    bool is_right = true;
};

std::size_t sizes_of(GeomType type)
{
    switch (type) {
    case GeomType::sphere: return 1;
    case GeomType::capsule:
    case GeomType::cylinder: return 2;
    case GeomType::box:
    case GeomType::ellipsoid: return 3;
    default: return 0;
    }
}

// Numbers may be more than are needed: MJCF then takes the first.
bool read_sizes(const Source& source, std::size_t needed, std::array<double, 3>& size, Report& report)
{
    const Element* who = source.holder("size");
    if (!who) {
        report.fault(*source.element, "size is missing");
        return false;
    }
    std::size_t count = 0;
    bool in_word = false;
    for (const char* c = who->Attribute("size"); *c; ++c) {
        const bool blank = std::isspace(static_cast<unsigned char>(*c)) != 0;
        count += !blank && !in_word;
        in_word = !blank;
    }
    count = std::min<std::size_t>(std::max(count, needed), 3);
    if (!read_numbers(*who, "size", std::span<double>(size.data(), count), report))
        return false;
    for (std::size_t i = 0; i < needed; ++i)
        if (!(size[i] > 0.0)) {
            report.fault(*who,
                         fmt::format("size is \"{}\", expected lengths above 0", who->Attribute("size")));
            return false;
        }
    return true;
}

Geom read_geom(const Placed& placed, const Settings& settings, Report& report)
{
    const Source& source = placed.source;
    Geom geom;
    if (const char* text = source.text("type")) {
        const auto* found = std::find(type_names.begin(), type_names.end(), std::string_view(text));
        if (found == type_names.end()) {
            report.fault(*source.holder("type"),
                         unknown_name("geom type", text,
                                      std::vector<std::string>(type_names.begin(), type_names.end())));
            geom.is_right = false;
            return geom;
        }
        geom.type = static_cast<GeomType>(found - type_names.begin());
    } else if (source.says("mesh"))
        geom.type = GeomType::mesh;
    std::array<double, 6> ends{};
    if (source.numbers("fromto", ends, report)) {
        const Vec3<double> from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
        const double length = norm(to - from);
        if (!(length > 1e-9) || sizes_of(geom.type) < 2) {
            report.fault(*source.holder("fromto"),
                         "fromto goes with two points and a capsule, cylinder, box or ellipsoid");
            geom.is_right = false;
            return geom;
        }
        geom.is_right = read_sizes(source, 1, geom.size, report);
        if (geom.type == GeomType::box || geom.type == GeomType::ellipsoid)
            geom.size = {geom.size[0], geom.size[0], 0.5 * length};
        else
            geom.size[1] = 0.5 * length;
        geom.X_BG = {frame_with_z((1.0 / length) * (to - from)), 0.5 * (from + to)};
    } else {
        if (const std::size_t needed = sizes_of(geom.type))
            geom.is_right = read_sizes(source, needed, geom.size, report);
        geom.X_BG = read_pose(source, settings, report);
    }
    geom.X_BG = placed.X_frame * geom.X_BG;
    return geom;
}

// What the geom weighs, added to the body.
void add_inertia(const Source& source, const Geom& geom, Body& body, Report& report)
{
    const bool by_mass = source.says("mass");
    const double mass = source.number("mass", 0.0, report),
                 density = source.number("density", 1000.0, report);
    if (by_mass ? mass == 0.0 : density == 0.0)
        return;
    if (sizes_of(geom.type) == 0) {
        if (geom.type != GeomType::plane && geom.type != GeomType::hfield)
            report.fault(*source.element, fmt::format("the body has no <inertial>, and that of a {} is not "
                                                      "computed here; write it, or give the geom mass=\"0\"",
                                                      type_names[static_cast<std::size_t>(geom.type)]));
        return;
    }
    if (source.is("shellinertia", "true")) {
        report.fault(*source.element, "shellinertia is not computed here; write <inertial>");
        return;
    }
    const Solid unit = solid(geom.type, geom.size);
    const double m = by_mass ? mass : density * unit.volume;
    const Body part{
        "", m, {}, Sym3<double>::diagonal(m * unit.per_mass.x, m * unit.per_mass.y, m * unit.per_mass.z)};
    detail::add_rigidly(body, part, geom.X_BG);
}

void add_shape(const Source& source, const Geom& geom, Body& body, Mechanism& mechanism)
{
    Shape shape;
    shape.X_BS = geom.X_BG;
    shape.name = optional_text(*source.element, "name", mechanism.report);
    const auto& size = geom.size;
    switch (geom.type) {
    case GeomType::box:
        shape.kind = Shape::Kind::box, shape.size = {2 * size[0], 2 * size[1], 2 * size[2]};
        break;
    case GeomType::sphere: shape.kind = Shape::Kind::sphere, shape.size = {size[0]}; break;
    case GeomType::cylinder: shape.kind = Shape::Kind::cylinder, shape.size = {size[0], 2 * size[1]}; break;
    case GeomType::capsule: shape.kind = Shape::Kind::capsule, shape.size = {size[0], 2 * size[1]}; break;
    case GeomType::mesh: {
        shape.kind = Shape::Kind::mesh;
        const char* mesh = source.text("mesh");
        const auto file = mechanism.mesh_files.find(mesh ? mesh : "");
        shape.file = file == mechanism.mesh_files.end() ? std::string(mesh ? mesh : "") : file->second;
        break;
    }
    default:
        ++mechanism.report.without_effect[fmt::format("shape of {} geoms",
                                                      type_names[static_cast<std::size_t>(geom.type)])];
        return;
    }
    std::array<double, 4> color{};
    if (source.numbers("rgba", color, mechanism.report))
        shape.color.assign(color.begin(), color.end());
    const bool touches = source.number("contype", 1.0, mechanism.report) != 0.0 ||
                         source.number("conaffinity", 1.0, mechanism.report) != 0.0;
    if (touches)
        body.collisions.push_back(shape);
    body.visuals.push_back(std::move(shape));
}

void read_inertial(const Placed& placed, const Settings& settings, Body& body, Report& report)
{
    const Source& source = placed.source;
    const Pose<double> X = placed.X_frame * read_pose(source, settings, report);
    for (const char* attribute : {"mass", "pos"})
        if (!source.says(attribute))
            report.fault(*source.element, fmt::format("attribute {} is missing", attribute));
    body.mass = source.number("mass", 0.0, report);
    body.com = X.p;
    std::array<double, 3> d{};
    std::array<double, 6> f{};
    const bool diagonal = source.numbers("diaginertia", d, report),
               full = source.numbers("fullinertia", f, report);
    if (diagonal && full)
        report.fault(*source.element, "diaginertia and fullinertia are both given; keep one");
    else if (!diagonal && !full && !source.says("diaginertia") && !source.says("fullinertia"))
        report.fault(*source.element, "diaginertia or fullinertia is missing");
    const Sym3<double> J =
        full ? Sym3<double>{f[0], f[3], f[4], f[1], f[5], f[2]} : Sym3<double>::diagonal(d[0], d[1], d[2]);
    body.inertia_com = rotate(X.R, J);
}

} // namespace

void read_geoms(const std::vector<Placed>& geoms, const std::vector<Placed>& inertials, Body& body,
                Mechanism& mechanism)
{
    using From = Settings::InertiaFromGeom;
    const From from = mechanism.settings.inertia_from_geom;
    if (inertials.size() > 1)
        mechanism.report.fault(*inertials[1].source.element, "a second <inertial>; expected one");
    const bool by_geoms = from == From::always || (from == From::missing && inertials.empty());
    if (!inertials.empty() && !by_geoms)
        read_inertial(inertials.front(), mechanism.settings, body, mechanism.report);
    for (const Placed& placed : geoms) {
        const Geom geom = read_geom(placed, mechanism.settings, mechanism.report);
        if (!geom.is_right)
            continue;
        if (by_geoms)
            add_inertia(placed.source, geom, body, mechanism.report);
        add_shape(placed.source, geom, body, mechanism);
    }
}

} // namespace sweepdyn::mjcf_reader
