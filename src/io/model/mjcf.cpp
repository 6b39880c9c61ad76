#include "sweepdyn/io/model/mjcf.hpp"

#include <algorithm>
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
            const std::string own = optional_text(*child, "childclass", mechanism.report);
            const bool known =
                !own.empty() && mechanism.defaults.require_class(*child, own, mechanism.report);
            return known ? own : childclass;
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
        else {
            mechanism.sites.emplace(name, Place{body, X});
            mechanism.report.stands("frame", name, *site.source.element);
        }
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
    if (body.name.empty()) {
        body.name = fmt::format("body{}", mechanism.num_bodies);
        while (mechanism.body_names.contains(body.name))
            body.name += "_";
    }
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
    report.stands("body", name, element);
    report.stands("hinge", mechanism.builder.hinges().back().name,
                  contents.joints.empty() ? element : *contents.joints.front().source.element);
    read_sites(contents.sites, name, mechanism);
    read_bodies(contents, name, X_WB, mechanism);
}

void read_bodies(const Contents& around, const std::string& parent, const Pose<double>& X_WP,
                 Mechanism& mechanism)
{
    for (std::size_t i = 0; i < around.bodies.size(); ++i)
        read_body(around.bodies[i], around.classes[i], parent, X_WP, mechanism);
}

void read_flags(const Element& flag, Disabled& disabled, Report& report)
{
    const auto read = [&](const char* attribute, std::initializer_list<bool*> outs) {
        const std::string text = optional_text(flag, attribute, report);
        if (text == "enable" || text == "disable")
            for (bool* out : outs)
                *out = text == "disable";
        else if (flag.Attribute(attribute))
            report.fault(flag, unknown_name(std::string("value of ") + attribute, text,
                                            std::vector<std::string>{"enable", "disable"}));
    };
    read("gravity", {&disabled.gravity});
    read("equality", {&disabled.equality});
    read("frictionloss", {&disabled.friction});
    read("damper", {&disabled.damping});
    bool constraint = false, passive = false; // these are of several kinds
    read("constraint", {&constraint});
    read("passive", {&passive});
    disabled.equality = disabled.equality || constraint;
    disabled.friction = disabled.friction || constraint;
    disabled.damping = disabled.damping || passive;
}

void read_option(const Element& option, ModelBuilder& builder, Disabled& disabled, Report& report)
{
    std::array<double, 3> g{};
    if (read_numbers(option, "gravity", g, report))
        builder.set_gravity({g[0], g[1], g[2]});
    for (const char* attribute : {"density", "viscosity"})
        if (double x = 0.0; read_numbers(option, attribute, {&x, 1}, report) && x != 0.0)
            report.fault(option, fmt::format("{} of a medium has no equal here; remove it", attribute));
    for (const Element* flag : children(option, "flag"))
        read_flags(*flag, disabled, report);
}

// What a flag switches off, but equality, which its reader leaves out.
void leave_out(const Disabled& disabled, ModelBuilder& builder, Report& report)
{
    const auto remark = [&](const char* what) {
        report.remark(fmt::format("{} here, because a <flag> disables it", what));
    };
    if (disabled.gravity) {
        builder.set_gravity({});
        remark("there is no gravity");
    }
    if (disabled.friction)
        remark("joints have no friction");
    if (disabled.damping)
        remark("joints have no damping");
    for (Hinge& hinge : builder.hinges()) {
        if (disabled.friction)
            hinge.friction.clear();
        if (disabled.damping)
            hinge.damping.clear();
    }
}

} // namespace

std::set<std::string> mjcf_reader::names_below(const Element& element,
                                               std::initializer_list<std::string_view> kinds)
{
    std::set<std::string> names;
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
        const char* name = child->Attribute("name");
        if (name && std::find(kinds.begin(), kinds.end(), child->Name()) != kinds.end())
            names.insert(name);
        names.merge(names_below(*child, kinds));
    }
    return names;
}

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
    Disabled disabled;
    for (const Element* option : children(mujoco, "option"))
        read_option(*option, builder, disabled, report);
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
        mechanism.body_names.merge(names_below(*world, {"body"}));
        mechanism.joint_names.merge(names_below(*world, {"joint", "freejoint"}));
    }
    for (const Element* world : children(mujoco, "worldbody")) {
        Contents contents;
        collect(*world, {}, "", mechanism, contents);
        if (!contents.geoms.empty())
            report.without_effect["geom of the world"] += static_cast<int>(contents.geoms.size());
        read_sites(contents.sites, "", mechanism);
        read_bodies(contents, "", {}, mechanism);
    }
    read_equality(mujoco, disabled, mechanism);
    read_actuators(mujoco, mechanism);
    leave_out(disabled, builder, report);
    for (const auto& [site, place] : mechanism.sites) {
        if (mechanism.bodies.contains(site))
            report.remark(fmt::format("site '{}' has the name of a body and is no frame", site));
        else
            builder.add_frame({site, place.body, place.X});
    }
    if (builder.bodies().empty()) {
        const Element* world = mujoco.FirstChildElement("worldbody");
        report.fault(world ? *world : mujoco, "there is no <body> in <worldbody>; expected at least one");
    }
    return detail::finish(builder, report, source, options);
}

Model read_mjcf(const std::string& path, const LoadOptions& options)
{
    return parse_mjcf(read_text(path), path, options);
}

} // namespace sweepdyn
