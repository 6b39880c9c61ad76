// What of SDF is read, what has no effect on a mechanism, and what is neither: a fault, so that nothing goes in silence.
// sdformat itself only logs what it does not know.
#ifdef SWEEPDYN_WITH_SDFORMAT

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sdf_reader.hpp"
#include "utf8.hpp"

namespace sweepdyn::sdf_reader {
namespace {

using Names = std::vector<std::string>;
struct Entry {
    Names attributes, children, without_effect; // the last: attributes and children
};

const std::map<std::string, Entry, std::less<>>& vocabulary()
{
    static const Entry axis{
        {}, {"xyz", "dynamics", "limit", "mimic", "use_parent_model_frame"}, {"initial_position"}};
    static const std::map<std::string, Entry, std::less<>> entries{
        {"sdf", {{"version"}, {"world", "model"}, {"actor", "light"}}},
        {"world",
         {{"name"},
          {"gravity", "model", "frame", "joint"},
          {"namespace", "audio", "wind", "magnetic_field", "atmosphere", "gui", "physics", "scene", "light",
           "actor", "plugin", "road", "spherical_coordinates", "state"}}},
        {"model",
         {{"name", "canonical_link", "placement_frame"},
          {"static", "pose", "link", "joint", "frame", "model", "enable_wind"},
          {"namespace", "self_collide", "allow_auto_disable", "plugin", "gripper", "state"}}},
        {"frame", {{"name", "attached_to"}, {"pose"}, {}}},
        {"pose", {{"relative_to", "rotation_format", "degrees", "frame"}, {}, {}}},
        {"link",
         {{"name"},
          {"pose", "inertial", "visual", "collision", "gravity", "kinematic", "enable_wind",
           "velocity_decay"},
          {"self_collide", "must_be_base_link", "sensor", "projector", "audio_sink", "audio_source",
           "battery", "light", "particle_emitter", "plugin"}}},
        {"velocity_decay", {{}, {"linear", "angular"}, {}}},
        {"inertial",
         {{"auto"}, {"mass", "pose", "inertia", "fluid_added_mass"}, {"density", "auto_inertia_params"}}},
        {"inertia", {{}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}}},
        {"fluid_added_mass",
         {{},
          {"xx", "xy", "xz", "xp", "xq", "xr", "yy", "yz", "yp", "yq", "yr",
           "zz", "zp", "zq", "zr", "pp", "pq", "pr", "qq", "qr", "rr"},
          {}}},
        {"visual",
         {{"name"},
          {"pose", "geometry", "material"},
          {"cast_shadows", "laser_retro", "transparency", "visibility_flags", "meta", "plugin"}}},
        {"collision",
         {{"name"},
          {"pose", "geometry"},
          {"laser_retro", "max_contacts", "surface", "density", "auto_inertia_params"}}},
        {"material",
         {{},
          {"diffuse"},
          {"script", "shader", "render_order", "lighting", "ambient", "specular", "emissive", "double_sided",
           "pbr", "shininess"}}},
        {"geometry",
         {{},
          {"box", "sphere", "cylinder", "capsule", "mesh", "empty", "ellipsoid", "cone", "heightmap", "image",
           "plane", "polyline"},
          {}}},
        {"box", {{}, {"size"}, {}}},
        {"sphere", {{}, {"radius"}, {}}},
        {"cylinder", {{}, {"radius", "length"}, {}}},
        {"capsule", {{}, {"radius", "length"}, {}}},
        {"mesh", {{}, {"uri", "scale"}, {"submesh", "optimization", "convex_decomposition"}}},
        {"joint",
         {{"name", "type"},
          {"parent", "child", "pose", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body",
           "thread_pitch", "screw_thread_pitch", "physics"},
          {"sensor"}}},
        {"axis", axis},
        {"axis2", axis},
        {"xyz", {{"expressed_in"}, {}, {}}},
        {"dynamics", {{}, {"damping", "friction", "spring_stiffness"}, {"spring_reference"}}},
        {"limit", {{}, {"lower", "upper", "effort", "velocity"}, {"stiffness", "dissipation"}}},
        {"mimic", {{"joint", "axis"}, {"multiplier", "offset", "reference"}, {}}},
        {"physics", {{}, {"ode"}, {"simbody", "provide_feedback"}}}, // of a joint
        {"ode",
         {{},
          {"velocity", "max_force"},
          {"cfm_damping", "implicit_spring_damper", "fudge_factor", "cfm", "erp", "bounce", "limit",
           "suspension"}}},
    };
    return entries;
}

// Elements of SDF that would change the mechanism and are not read, with the reason.
const std::map<std::string, std::string, std::less<>>& refused()
{
    static const std::map<std::string, std::string, std::less<>> reasons{
        {"include", "includes are not followed; give one whole file (gz sdf -p FILE prints one)"},
        {"population", "populations are not made; write the models that are meant"},
    };
    return reasons;
}
// Shapes that the model does not have, of which the reader of shapes tells.
const Names other_shapes{"empty", "ellipsoid", "cone", "heightmap", "image", "plane", "polyline"};
// The only ones of what is read that may stand there several times.
const Names repeated{"world", "model", "link", "joint", "frame", "visual", "collision", "polyline"};

bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_true(const Element& element)
{
    bool value = false;
    return element.QueryBoolText(&value) == tinyxml2::XML_SUCCESS && value;
}
bool is_zero(const Element& element)
{
    double value = 1.0;
    return element.QueryDoubleText(&value) == tinyxml2::XML_SUCCESS && value == 0.0;
}

// What an element must say, because anything else has no equal here.
struct Demand {
    std::string_view parent, element;
    bool (*holds)(const Element&);
    const char* otherwise;
};
const Demand demands[] = {
    {"link", "gravity", is_true, "gravity is off for this link, but all bodies feel it here; remove it"},
    {"link", "kinematic", [](const Element& e) { return !is_true(e); },
     "a kinematic link is moved from outside, which has no equal here"},
    {"link", "enable_wind", [](const Element& e) { return !is_true(e); }, "there is no wind here; remove it"},
    {"model", "enable_wind", [](const Element& e) { return !is_true(e); },
     "there is no wind here; remove it"},
    {"velocity_decay", "", is_zero,
     "a link's velocity does not decay here; expected 0, or damping in joints"},
    {"fluid_added_mass", "", is_zero, "there is no fluid that would add mass here; expected 0"},
    {"ode", "velocity", is_zero, "a motor that holds a velocity has no equal here; expected 0"},
};

// Elements that hold numbers: sdformat takes "2 3" and "2x" for 2, and nothing for its default. Those that it does not know are
// read where they matter.
std::size_t numbers_in(const Element& element, std::string_view parent)
{
    static const Names one{"mass",          "ixx",    "ixy",     "ixz",      "iyy",
                           "iyz",           "izz",    "damping", "friction", "spring_stiffness",
                           "gearbox_ratio", "radius", "length"},
        three{"xyz", "size", "scale"};
    const std::string_view name = element.Name();
    if (parent == "limit") { // where inf is no limit
        const std::string_view text = element.GetText() ? element.GetText() : "";
        return text.find("inf") == text.npos ? 1 : 0;
    }
    return contains(one, name)                                                 ? 1
           : contains(three, name) || (parent == "world" && name == "gravity") ? 3
                                                                               : 0;
}

void check_value(const Element& element, std::string_view parent, Report& report)
{
    std::vector<double> numbers(numbers_in(element, parent));
    if (!numbers.empty())
        if (read_text_numbers(element, numbers, report) && std::string_view(element.Name()) == "xyz" &&
            std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; }))
            report.fault(element, "it has no direction; expected one that is not 0 0 0");
    for (const Demand& demand : demands)
        if (demand.parent == parent && (demand.element.empty() || demand.element == element.Name()) &&
            !demand.holds(element))
            report.fault(element, demand.otherwise);
}

std::string did_you_mean(std::string_view name, const Names& known, const char* form)
{
    const std::string_view near = nearest_name(name, known);
    return near.empty() ? std::string()
                        : fmt::format("; did you mean {}?", fmt::format(fmt::runtime(form), near));
}

void check_attributes(const Element& element, const Entry& entry, Report& report)
{
    for (const auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
        const std::string_view name = attribute->Name();
        if (contains(entry.attributes, name) || name.starts_with("xmlns"))
            continue;
        if (contains(entry.without_effect, name))
            ++report.without_effect[fmt::format("{} of {}", name, element.Name())];
        else if (name.find(':') != name.npos)
            report.doubt(element,
                         fmt::format("attribute '{}', of another format, is ignored", readable(name)));
        else
            report.fault(element, fmt::format("attribute '{}' is not read{}", readable(name),
                                              did_you_mean(name, entry.attributes, "'{}'")));
    }
}

// What a joint's type has no use for, and Gazebo passes over: told, one by one.
void check_use(const Element& joint, Report& report)
{
    const std::string_view type = joint.Attribute("type") ? joint.Attribute("type") : "";
    const auto is = [&](const Names& types) { return contains(types, type); };
    const std::pair<std::string_view, bool> used[] = {
        {"axis", !is({"fixed", "ball"})},   {"axis2", is({"universal", "revolute2", "gearbox"})},
        {"thread_pitch", is({"screw"})},    {"screw_thread_pitch", is({"screw"})},
        {"gearbox_ratio", is({"gearbox"})}, {"gearbox_reference_body", is({"gearbox"})},
    };
    for (const auto& [name, of_use] : used)
        if (const Element* const child = joint.FirstChildElement(std::string(name).c_str()); child && !of_use)
            report.doubt(*child, fmt::format("a {} joint has no {}; it is ignored", type, name));
    if (type == "gearbox")
        for (const char* axis : {"axis", "axis2"})
            if (const Element* const of = joint.FirstChildElement(axis))
                for (const char* part : {"limit", "dynamics"})
                    if (const Element* const child = of->FirstChildElement(part);
                        child && child->FirstChildElement())
                        report.doubt(
                            *child,
                            fmt::format("the {} of a gearbox is ignored; it belongs to the joints that "
                                        "it couples",
                                        part));
    if (type == "screw" && joint.FirstChildElement("thread_pitch") &&
        joint.FirstChildElement("screw_thread_pitch"))
        report.doubt(*joint.FirstChildElement("thread_pitch"),
                     "there is a screw_thread_pitch too, which is taken; this one is "
                     "ignored");
}

void check_element(const Element& element, Report& report)
{
    static const Entry leaf{};
    const std::string_view own = element.Name();
    const auto found = vocabulary().find(own);
    const Entry& entry = found == vocabulary().end() ? leaf : found->second;
    check_attributes(element, entry, report);
    if (own == "joint")
        check_use(element, report);
    if (own == "inertial" && element.BoolAttribute("auto"))
        report.fault(element, "auto inertias are not computed here; write mass and inertia");
    if (own == "model" && element.FirstChildElement("static") &&
        is_true(*element.FirstChildElement("static")))
        return; // the whole of it has no effect
    std::set<std::string_view> seen;
    for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
        const std::string_view name = child->Name();
        if (contains(entry.children, name)) {
            if (!seen.insert(name).second && !contains(repeated, name))
                report.fault(*child, fmt::format("a second <{}> in <{}>; keep one", name, own));
            check_value(*child, own, report);
            if (!contains(other_shapes, name))
                check_element(*child, report);
        } else if (contains(entry.without_effect, name)) {
            const bool is_default =
                (name == "spring_reference" || name == "initial_position") && is_zero(*child);
            if (!is_default)
                ++report.without_effect[fmt::format("{} in {}", name, own)];
        } else if (name.find(':') != name.npos) // SDF leaves such to others
            report.doubt(*child, fmt::format("an element of another format in <{}> is ignored", own));
        else if (const auto reason = refused().find(name); reason != refused().end())
            report.fault(*child, reason->second);
        else
            report.fault(*child, fmt::format("this element in <{}> has no equal here{}", own,
                                             did_you_mean(name, entry.children, "<{}>")));
    }
}

} // namespace

void check_vocabulary(const Element& sdf, Report& report) { check_element(sdf, report); }

} // namespace sweepdyn::sdf_reader

#endif
