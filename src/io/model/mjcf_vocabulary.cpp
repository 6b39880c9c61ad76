// What of MJCF is read, what has no effect on a mechanism, and what is neither: a fault, so that nothing goes in silence.
#include <algorithm>

#include <fmt/format.h>

#include "mjcf_reader.hpp"
#include "utf8.hpp"

namespace sweepdyn::mjcf_reader {
namespace {

using Names = std::vector<std::string>;
struct Entry {
    Names attributes, children, without_effect; // the last: attributes and children
};

Names operator+(Names a, const Names& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
const Names orientation{"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"};
const Names actuators{"general", "motor",    "position", "velocity", "intvelocity",
                      "damper",  "cylinder", "muscle",   "adhesion"};
const Names softness{"solref", "solimp", "active", "name", "class"};

const std::map<std::string, Entry, std::less<>>& vocabulary()
{
    static const std::map<std::string, Entry, std::less<>> entries{
        {"mujoco",
         {{"model"},
          {"compiler", "option", "default", "worldbody", "equality", "asset", "actuator"},
          {"sensor", "contact", "keyframe", "visual", "statistic", "size", "custom"}}},
        {"compiler",
         {{"angle", "eulerseq", "autolimits", "inertiafromgeom", "coordinate", "boundmass", "boundinertia",
           "settotalmass", "balanceinertia", "alignfree", "meshdir"},
          {},
          {"texturedir", "assetdir", "strippath", "fitaabb", "usethread", "discardvisual", "fusestatic",
           "convexhull", "exactmeshinertia", "saveinertial", "lengthrange", "conflict"}}},
        {"option",
         {{"gravity", "density", "viscosity"},
          {"flag"},
          {"timestep",
           "apirate",
           "impratio",
           "tolerance",
           "ls_tolerance",
           "noslip_tolerance",
           "ccd_tolerance",
           "mpr_tolerance",
           "sleep_tolerance",
           "wind",
           "magnetic",
           "o_margin",
           "o_solref",
           "o_solimp",
           "o_friction",
           "integrator",
           "cone",
           "jacobian",
           "solver",
           "iterations",
           "ls_iterations",
           "noslip_iterations",
           "ccd_iterations",
           "mpr_iterations",
           "sdf_iterations",
           "sdf_initpoints",
           "actuatorgroupdisable",
           "collision"}}},
        {"flag",
         {{"gravity", "equality", "constraint", "frictionloss", "passive", "damper"},
          {},
          {"limit",   "contact", "spring",      "clampctrl",   "warmstart", "filterparent", "actuation",
           "refsafe", "sensor",  "midphase",    "nativeccd",   "eulerdamp", "autoreset",    "override",
           "energy",  "fwdinv",  "invdiscrete", "sensornoise", "multiccd",  "island",       "sleep"}}},
        {"default",
         {{"class"},
          {"default", "joint", "geom", "site", "equality"},
          actuators + Names{"mesh", "material", "camera", "light", "pair", "tendon"}}},
        {"worldbody", {{}, {"body", "geom", "site", "frame"}, {"camera", "light"}}},
        {"body",
         {orientation + Names{"name", "childclass", "mocap", "gravcomp"},
          {"inertial", "joint", "freejoint", "geom", "site", "frame", "body"},
          {"camera", "light", "user", "sleep"}}},
        {"frame",
         {orientation + Names{"childclass", "name"},
          {"joint", "freejoint", "geom", "site", "frame", "body", "inertial"},
          {"camera", "light"}}},
        {"inertial", {orientation + Names{"mass", "diaginertia", "fullinertia"}, {}, {}}},
        {"joint", // of a body, and of <equality>
         {{"name", "class", "type", "pos", "axis", "range", "limited", "ref", "armature", "damping",
           "frictionloss", "stiffness", "springdamper", "actuatorfrcrange", "joint1", "joint2", "polycoef",
           "active"},
          {},
          {"springref", "group", "user", "margin", "solreflimit", "solimplimit", "solreffriction",
           "solimpfriction", "actuatorfrclimited", "actuatorgravcomp", "solref", "solimp"}}},
        {"freejoint", {{"name", "align"}, {}, {"group"}}},
        {"geom",
         {orientation + Names{"name", "class", "type", "size", "fromto", "mass", "density", "shellinertia",
                              "mesh", "rgba", "contype", "conaffinity"},
          {},
          {"group", "priority", "condim", "friction", "solmix", "solref", "solimp", "margin", "gap", "user",
           "material", "hfield", "fitscale", "fluidshape", "fluidcoef"}}},
        {"site",
         {orientation + Names{"name", "class"},
          {},
          {"type", "size", "fromto", "rgba", "group", "material", "user"}}},
        {"asset", {{}, {"mesh"}, {"texture", "material", "hfield", "skin"}}},
        {"mesh",
         {{"name", "file"},
          {},
          {"class", "scale", "content_type", "vertex", "normal", "texcoord", "face", "refpos", "refquat",
           "inertia", "smoothnormal", "maxhullvert", "builtin", "params", "material"}}},
        {"equality", {softness, {"connect", "weld", "joint"}, {}}},
        {"actuator", {{}, actuators + Names{"plugin"}, {}}},
        {"connect", {{"body1", "body2", "anchor", "site1", "site2"}, {}, {}}},
        {"weld", {{"body1", "body2", "relpose", "anchor", "site1", "site2"}, {}, {"torquescale"}}},
    };
    return entries;
}

// Elements of MJCF that are not read: known, so that none is taken for a misspelt one.
const Names unread{"composite", "flexcomp",  "flex",   "flexvert",   "flexstrain", "plugin",
                   "attach",    "replicate", "tendon", "deformable", "extension",  "distance"};

bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

void check_element(const Element& element, Report& report)
{
    const std::string_view own = element.Name();
    const Entry& entry = vocabulary().find(own)->second;
    const bool constrains = own == "connect" || own == "weld";
    for (const auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
        const std::string_view name = attribute->Name();
        if (contains(entry.attributes, name) || (constrains && contains(softness, name)))
            continue;
        if (contains(entry.without_effect, name))
            continue; // how it is drawn, touched or solved
        const std::string_view near = nearest_name(name, entry.attributes);
        report.fault(element,
                     fmt::format("attribute '{}' is not read{}", readable(name),
                                 near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near)));
    }
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
        const std::string_view name = child->Name();
        if (contains(entry.children, name)) {
            if (own != "actuator") // how much force it gives, by which law, has no effect
                check_element(*child, report);
        } else if (contains(entry.without_effect, name))
            ++report.without_effect[std::string(name)];
        else if (name == "include")
            report.fault(*child, "includes are not followed; give one whole file (MuJoCo saves one)");
        else {
            const std::string_view near =
                contains(unread, name) ? std::string_view() : nearest_name(name, entry.children);
            report.fault(*child, fmt::format("this element in <{}> has no equal here{}", own,
                                             near.empty() ? std::string()
                                                          : fmt::format("; did you mean <{}>?", near)));
        }
    }
}

} // namespace

void check_vocabulary(const Element& mujoco, Report& report) { check_element(mujoco, report); }

} // namespace sweepdyn::mjcf_reader
