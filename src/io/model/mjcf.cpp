#include "sweepdyn/io/model/mjcf.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "finish.hpp"
#include "mjcf_reader.hpp"
#include "model_text.hpp"

namespace sweepdyn {
namespace {

using namespace mjcf_reader;

// What stands in a body, the contents of its <frame>s among it.
struct Contents {
    std::vector<Placed> joints{}, geoms{}, inertials{}, sites{}, bodies{};
    std::vector<std::string> classes{}; // childclass of each body
};
void collect(const Element& element, const Pose<double>& X_frame, const std::string& childclass,
             Mechanism& mechanism, Contents& out)
{
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
        const std::string_view name = child->Name();
        const bool has_defaults = name == "joint" || name == "geom" || name == "site";
        const Placed placed{has_defaults ? mechanism.defaults.source(*child, childclass, mechanism.report)
                                         : Source{child},
                            X_frame};
        const auto class_of = [&] {
            const char* own = child->Attribute("childclass");
            return own ? std::string(own) : childclass;
        };
        if (name == "joint" || name == "freejoint")
            out.joints.push_back(placed);
        else if (name == "geom")
            out.geoms.push_back(placed);
        else if (name == "inertial")
            out.inertials.push_back(placed);
        else if (name == "site")
            out.sites.push_back(placed);
        else if (name == "frame")
            collect(*child, X_frame * read_pose(Source{child}, mechanism.settings, mechanism.report),
                    class_of(), mechanism, out);
        else if (name == "body") {
            out.bodies.push_back(placed);
            out.classes.push_back(class_of());
        }
    }
}

void read_sites(const std::vector<Placed>& sites, const std::string& body, Mechanism& mechanism)
{
    for (const Placed& site : sites) {
        const std::string name = optional_text(*site.source.element, "name", mechanism.report);
        const Pose<double> X = site.X_frame * read_pose(site.source, mechanism.settings, mechanism.report);
        if (name.empty())
            ++mechanism.report.without_effect["site without a name"];
        else
            mechanism.sites.emplace(name, Place{body, X});
    }
}

void read_bodies(const Contents& around, const std::string& parent, const Pose<double>& X_WP,
                 Mechanism& mechanism);

void read_body(const Placed& placed, const std::string& childclass, const std::string& parent,
               const Pose<double>& X_WP, Mechanism& mechanism)
{
    const Element& element = *placed.source.element;
    Report& report = mechanism.report;
    Body body;
    body.name = optional_text(element, "name", report);
    ++mechanism.num_bodies;
    if (body.name.empty())
        body.name = fmt::format("body{}", mechanism.num_bodies);
    if (const char* mocap = element.Attribute("mocap"); mocap && std::string_view(mocap) == "true")
        report.fault(element, "a mocap body is moved from outside, which has no equal here");
    if (double x = 0.0; read_numbers(element, "gravcomp", {&x, 1}, report) && x != 0.0)
        report.fault(element, "gravcomp lifts the body against gravity, which has no equal here");
    const Pose<double> X_PB = placed.X_frame * read_pose(placed.source, mechanism.settings, report),
                       X_WB = X_WP * X_PB;
    if (!mechanism.bodies.emplace(body.name, Place{body.name, X_WB}).second)
        report.fault(element, fmt::format("the name '{}' is taken by another body; give another", body.name));
    Contents contents;
    collect(element, {}, childclass, mechanism, contents);
    read_geoms(contents.geoms, contents.inertials, body, mechanism);
    const std::string name = body.name;
    mechanism.builder.add_body(std::move(body));
    mechanism.builder.add_hinge(read_joints(contents.joints, parent, name, X_PB, mechanism));
    read_sites(contents.sites, name, mechanism);
    read_bodies(contents, name, X_WB, mechanism);
}

void read_bodies(const Contents& around, const std::string& parent, const Pose<double>& X_WP,
                 Mechanism& mechanism)
{
    for (std::size_t i = 0; i < around.bodies.size(); ++i)
        read_body(around.bodies[i], around.classes[i], parent, X_WP, mechanism);
}

void read_option(const Element& option, ModelBuilder& builder, Report& report)
{
    std::array<double, 3> g{};
    if (read_numbers(option, "gravity", g, report))
        builder.set_gravity({g[0], g[1], g[2]});
    for (const char* attribute : {"density", "viscosity"})
        if (double x = 0.0; read_numbers(option, attribute, {&x, 1}, report) && x != 0.0)
            report.fault(option, fmt::format("{} of a medium has no equal here; remove it", attribute));
}

// A hinge without a joint's name is called as its body, unless a joint has that name.
void rename_hinges(Mechanism& mechanism)
{
    std::map<std::string, int> seen;
    for (const Hinge& hinge : mechanism.builder.hinges())
        ++seen[hinge.name];
    for (Hinge& hinge : mechanism.builder.hinges())
        if (seen[hinge.name] > 1 && hinge.name == hinge.child && hinge.kind == HingeKind::weld) {
            --seen[hinge.name];
            do
                hinge.name += "_weld";
            while (seen.contains(hinge.name));
            ++seen[hinge.name];
        }
}

} // namespace

Model parse_mjcf(std::string_view text, std::string_view source_name, const LoadOptions& options)
{
    const std::string source(source_name);
    tinyxml2::XMLDocument document;
    const Element& mujoco = parse_xml(document, text, source, "mujoco");
    if (std::string_view(mujoco.Name()) != "mujoco")
        throw ModelError(source, {where(mujoco) + ": this is not MJCF; expected the root element <mujoco>"});
    Report report;
    mjcf_reader::check_vocabulary(mujoco, report);

    const std::string name = optional_text(mujoco, "model", report);
    ModelBuilder builder(name.empty() ? std::filesystem::path(source).stem().string() : name);
    Settings settings;
    std::string meshdir;
    for (const Element* compiler : children(mujoco, "compiler")) {
        read_compiler(*compiler, settings, report);
        meshdir = optional_text(*compiler, "meshdir", report);
    }
    for (const Element* option : children(mujoco, "option"))
        read_option(*option, builder, report);
    Defaults defaults;
    defaults.read(mujoco, report);
    Mechanism mechanism{builder, report, settings, defaults};
    for (const Element* asset : children(mujoco, "asset"))
        for (const Element* mesh : children(*asset, "mesh")) {
            const std::string file = optional_text(*mesh, "file", report),
                              called = optional_text(*mesh, "name", report);
            mechanism.mesh_files[called.empty() ? std::filesystem::path(file).stem().string() : called] =
                meshdir.empty() ? file : (std::filesystem::path(meshdir) / file).string();
        }
    mechanism.bodies.emplace("world", Place{});
    for (const Element* world : children(mujoco, "worldbody")) {
        Contents contents;
        collect(*world, {}, "", mechanism, contents);
        if (!contents.geoms.empty())
            report.without_effect["geom of the world"] += static_cast<int>(contents.geoms.size());
        read_sites(contents.sites, "", mechanism);
        read_bodies(contents, "", {}, mechanism);
    }
    for (const Element* equality : children(mujoco, "equality"))
        read_equality(*equality, mechanism);
    for (const auto& [site, place] : mechanism.sites) {
        if (mechanism.bodies.contains(site))
            report.remark(fmt::format("site '{}' has the name of a body and is no frame", site));
        else
            builder.add_frame({site, place.body, place.X});
    }
    rename_hinges(mechanism);
    if (builder.bodies().empty())
        report.faults.push_back("there is no <body> in <worldbody>; expected at least one");
    return detail::finish(builder, report, source, options);
}

Model read_mjcf(const std::string& path, const LoadOptions& options)
{
    return parse_mjcf(read_text(path), path, options);
}

} // namespace sweepdyn
