// Visuals and collisions.
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "urdf_robot.hpp"
#include "utf8.hpp"

namespace sweepdyn::urdf_reader {
namespace {

namespace fs = std::filesystem;

// package://NAME/rest is ROOT/NAME/rest, or ROOT/rest when the root is the package itself. The path is absolute: it must
// hold for whoever reads the model elsewhere.
std::string find_in_packages(std::string_view uri, std::span<const std::string> roots)
{
    const fs::path inside = fs::path(uri.substr(uri.find("//") + 2)).lexically_normal();
    const fs::path rest = inside.empty() ? inside : inside.lexically_relative(*inside.begin());
    std::error_code error;
    for (const std::string& given : roots) {
        const fs::path root = fs::absolute(given).lexically_normal();
        if (fs::is_regular_file(root / inside, error))
            return (root / inside).string();
        const fs::path name = root.has_filename() ? root.filename() : root.parent_path().filename();
        if (!inside.empty() && name == *inside.begin() && fs::is_regular_file(root / rest, error))
            return (root / rest).string();
    }
    return "";
}

std::string resolve_mesh(const std::string& file, Meshes& meshes)
{
    if (!file.starts_with("package://"))
        return file;
    if (std::string found = find_in_packages(file, meshes.roots); !found.empty())
        return found;
    if (meshes.kept++ == 0)
        meshes.first_kept = file;
    return file;
}

void read_sizes(const Element& element, std::initializer_list<const char*> attributes, Shape& shape,
                Report& report)
{
    for (const char* attribute : attributes)
        shape.size.push_back(required_number(element, attribute, report));
}

// True when the geometry is one that we know.
bool read_geometry(const Element& element, Shape& shape, Meshes& meshes, Report& report)
{
    const std::string_view name = element.Name();
    if (name == "box") {
        shape.kind = Shape::Kind::box;
        shape.size.assign(3, 0.0);
        if (!element.Attribute("size"))
            report.fault(element, "attribute size is missing; write size=\"X Y Z\"");
        read_numbers(element, "size", shape.size, report);
    } else if (name == "cylinder" || name == "capsule") {
        shape.kind = name == "cylinder" ? Shape::Kind::cylinder : Shape::Kind::capsule;
        read_sizes(element, {"radius", "length"}, shape, report);
    } else if (name == "sphere") {
        shape.kind = Shape::Kind::sphere;
        read_sizes(element, {"radius"}, shape, report);
    } else if (name == "mesh") {
        shape.kind = Shape::Kind::mesh;
        shape.size.assign(3, 1.0);
        shape.file = resolve_mesh(required_text(element, "filename", report), meshes);
        read_numbers(element, "scale", shape.size, report);
        return true; // a negative scale mirrors
    } else
        return false;
    if (std::any_of(shape.size.begin(), shape.size.end(), [](double x) { return x < 0.0; }))
        report.doubt(element, "a size is negative");
    return true;
}

std::vector<double> read_color(const Element& material, Report& report)
{
    std::vector<double> rgba(4);
    const Element* color = material.FirstChildElement("color");
    return color && read_numbers(*color, "rgba", rgba, report) ? rgba : std::vector<double>{};
}

std::vector<double> color_of(const Element& visual, const Colors& colors, Report& report)
{
    const Element* material = visual.FirstChildElement("material");
    if (!material)
        return {};
    // A wrong colour on the spot was reported when the colours were collected.
    Report already_said;
    if (std::vector<double> rgba = read_color(*material, already_said); !rgba.empty())
        return rgba;
    const std::string name = optional_text(*material, "name", report);
    if (const auto found = colors.find(name); found != colors.end())
        return found->second;
    if (!name.empty() && !material->FirstChildElement()) {
        std::vector<std::string> known;
        for (const auto& [key, value] : colors)
            known.push_back(key);
        report.remark(where(*material) + ": " + unknown_name("material", name, known));
    }
    return {};
}

} // namespace

Colors read_colors(const Element& robot, Report& report)
{
    Colors colors;
    const auto add = [&](const Element& material) {
        const char* name = material.Attribute("name");
        if (std::vector<double> rgba = read_color(material, report); !rgba.empty() && name)
            colors.try_emplace(name, std::move(rgba));
    };
    // Those of the whole robot come first: they win over others of the same name.
    for (const Element* material : children(robot, "material"))
        add(*material);
    for (const Element* link : children(robot, "link"))
        for (const Element* visual : children(*link, "visual"))
            for (const Element* material : children(*visual, "material"))
                add(*material);
    return colors;
}

std::vector<Shape> read_shapes(const Element& link, const char* kind, const Colors& colors, Meshes& meshes,
                               Report& report)
{
    std::vector<Shape> shapes;
    for (const Element* element : children(link, kind)) {
        Shape shape;
        shape.name = optional_text(*element, "name", report);
        shape.X_BS = read_origin(*element, report);
        if (std::string_view(kind) == "visual")
            shape.color = color_of(*element, colors, report);
        const Element* geometry = element->FirstChildElement("geometry");
        const Element* solid = geometry ? geometry->FirstChildElement() : nullptr;
        if (solid && read_geometry(*solid, shape, meshes, report))
            shapes.push_back(std::move(shape));
        else
            report.doubt(*element, "no shape is in its <geometry>, so it is left out; expected box, "
                                   "cylinder, sphere, capsule or mesh");
    }
    return shapes;
}

} // namespace sweepdyn::urdf_reader
