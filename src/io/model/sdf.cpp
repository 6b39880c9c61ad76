#include "sweepdyn/io/model/sdf.hpp"

#include "model_text.hpp"

#ifdef SWEEPDYN_WITH_SDFORMAT

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "finish.hpp"
#include "sdf_reader.hpp"

namespace sweepdyn {

bool sdf_reader::newer_than_sdformat(const Element& sdf)
{
    for (const char* version : {"1.10", "1.11", "1.12"})
        if (sdf.Attribute("version", version))
            return true;
    return false;
}

namespace {

using namespace sdf_reader;

// sdformat 12 knows versions up to 1.9. What later ones added and we read (mimic, screw_thread_pitch) we take from the XML.
std::string with_known_version(std::string text, const Element& sdf, Report& report)
{
    static const std::vector<std::string> known{"1.0", "1.2", "1.3", "1.4", "1.5",
                                                "1.6", "1.7", "1.8", "1.9"};
    const std::string version = required_text(sdf, "version", report);
    if (version.empty() || std::find(known.begin(), known.end(), version) != known.end())
        return text;
    if (!newer_than_sdformat(sdf)) {
        report.fault(sdf, fmt::format("version is '{}', expected one from 1.0 to 1.12", version));
        return text;
    }
    report.remark(
        fmt::format("SDF {} is read as 1.9, the newest that the library sdformat knows here", version));
    return text.replace(text.find(version, text.find("<sdf")), version.size(), "1.9");
}

// The element that comes first among those named in the text: `joint with name[elbow]`, `vertex with name [arm::elbow]`, `link named
// elbow has`. Of several by one name, the kind that the text has before it; without a name, the top.
const Element& named_in(const std::string& text, const Element& top)
{
    const Element* found = &top;
    std::size_t first = text.npos;
    bool of_kind = false;
    const auto look = [&](const auto& self, const Element& element) -> void {
        std::size_t at = text.npos;
        if (const char* name = element.Attribute("name"))
            for (const char* form : {"[{}]", "::{}]", "named {} "})
                at = std::min(at, text.find(fmt::format(fmt::runtime(form), name)));
        const std::string kind(element.Name() + 1); // begun with a capital or not
        const bool same = at != text.npos && (text.substr(0, at).ends_with(kind + " with name") ||
                                              text.substr(0, at).ends_with(kind + " "));
        if (at < first || (at != text.npos && at == first && same && !of_kind))
            found = &element, first = at, of_kind = same;
        for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
            self(self, *child);
    };
    look(look, top);
    return *found;
}

std::string located(const sdf::Error& error, const Element& top)
{
    const std::string& text = error.Message();
    if (error.LineNumber())
        return fmt::format("{} (line {})", text, *error.LineNumber());
    return fmt::format("{}: {}", where(named_in(text, top)), text);
}

bool follows_from_others(const std::string& text)
{
    static const char* const beginnings[] = {"Unable to ", "Failed to load a ", "FrameAttachedToGraph ",
                                             "PoseRelativeToGraph ", "Graph has __"};
    return std::any_of(std::begin(beginnings), std::end(beginnings),
                       [&](const char* beginning) { return text.starts_with(beginning); });
}

// sdformat tells of one wrong value once for each element around it, and of what follows from that; often without a line.
std::vector<std::string> errors_of(const sdf::Errors& errors, const Element& top)
{
    std::vector<std::string> faults;
    bool inside = false; // the element of the error before
    for (const sdf::Error& error : errors) {
        const std::string& text = error.Message();
        const bool around = text.starts_with("Error reading element <");
        if ((around && inside) || (!faults.empty() && follows_from_others(text)))
            continue;
        inside = around;
        if (std::string fault = located(error, top);
            std::find(faults.begin(), faults.end(), fault) == faults.end())
            faults.push_back(std::move(fault));
    }
    return faults;
}

sdf::Root load(const std::string& text, const std::string& source, const Element& top, const Report& report)
{
    sdf::Console::Instance()->SetQuiet(true); // it would write to stderr what it returns as errors
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
    // A trial first: what Root cannot read it tries as URDF, whose parser writes to stderr.
    const sdf::SDFPtr trial = std::make_shared<sdf::SDF>();
    sdf::init(trial);
    sdf::Errors errors;
    sdf::Root root;
    if (sdf::readString(text, config, trial->Root(), errors) && errors.empty())
        errors = root.LoadSdfString(text, config);
    if (!errors.empty()) {
        std::vector<std::string> faults = report.faults;
        for (std::string& fault : errors_of(errors, top))
            if (report.faults.empty() || // told in our own words
                (fault.find("Error reading element <") == fault.npos &&
                 fault.find("The norm of the xyz") == fault.npos))
                faults.push_back(std::move(fault));
        throw ModelError(source, faults);
    }
    return root;
}

std::vector<Part> find_parts(const sdf::Root& root, const Element& top, ModelBuilder& builder, Report& report)
{
    std::vector<Part> parts;
    if (const sdf::Model* model = root.Model()) {
        parts.push_back({model, named_child(top, "model", model->Name())});
        builder.set_name(model->Name());
    }
    if (root.WorldCount() > 1)
        report.fault(*children(top, "world")[1],
                     fmt::format("the file has {} worlds, expected one", root.WorldCount()));
    else if (root.WorldCount() == 1) {
        const sdf::World& world = *root.WorldByIndex(0);
        const Element* element = named_child(top, "world", world.Name());
        builder.set_name(world.Name());
        builder.set_gravity(vector(world.Gravity()));
        for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
            const sdf::Model* model = world.ModelByIndex(i);
            parts.push_back({model, element ? named_child(*element, "model", model->Name()) : nullptr});
        }
    }
    std::erase_if(parts, [&](const Part& part) {
        if (part.model->Static())
            report.remark(fmt::format("model '{}' is static and has no effect", part.model->Name()));
        return part.model->Static();
    });
    for (Part& part : parts) {
        if (parts.size() > 1)
            part.prefix = part.model->Name() + "::";
        if (!part.element)
            part.element = &top;
        if (part.model->ModelCount() > 0)
            report.fault(*part.element,
                         fmt::format("nested model '{}' has no equal here; give one model with all links",
                                     part.model->ModelByIndex(0)->Name()));
        ignition::math::Pose3d X;
        if (!report_errors(part.model->SemanticPose().Resolve(X), *part.element, report))
            part.X_WM = pose(X);
    }
    return parts;
}

// The first joint that carries a link makes the tree, unless it closes a circle; the others are loops. Joints between models
// come last.
void hang(std::vector<Part>& parts, Part& between, ModelBuilder& builder)
{
    std::map<std::string, std::string> parent_of;
    const auto take = [&](Part& part) {
        for (Joint& joint : part.joints) {
            if (joint.is_gearbox)
                continue;
            bool circle = false;
            for (std::string at = joint.parent; !at.empty() && !circle;) {
                circle = at == joint.child;
                const auto up = parent_of.find(at);
                at = up == parent_of.end() ? "" : up->second;
            }
            joint.closes = circle || !parent_of.emplace(joint.child, joint.parent).second;
            if (!joint.closes)
                builder.add_hinge(joint.hinge);
        }
    };
    for (Part& part : parts)
        take(part);
    take(between);
    for (const Part& part : parts)
        for (const auto& [link, X_ML] : part.X_ML)
            if (!parent_of.contains(part.prefix + link)) {
                Hinge hinge;
                hinge.kind = HingeKind::free;
                hinge.child = part.prefix + link;
                hinge.X_PF = part.X_WM * X_ML;
                builder.add_hinge(hinge);
            }
}

// `base` is the free hinge on the ground, where there is just one and the name is free.
void name_base(ModelBuilder& builder)
{
    std::vector<Hinge*> free;
    bool taken = false;
    for (Hinge& hinge : builder.hinges()) {
        if (hinge.kind == HingeKind::free)
            free.push_back(&hinge);
        taken = taken || hinge.name == "base";
    }
    if (free.size() == 1 && !taken)
        free.front()->name = "base";
}

void add_frames(const Part& part, ModelBuilder& builder, Report& report)
{
    for (std::uint64_t i = 0; i < part.model->FrameCount(); ++i) {
        const sdf::Frame& frame = *part.model->FrameByIndex(i);
        std::string body;
        ignition::math::Pose3d X;
        if (report_errors(frame.ResolveAttachedToBody(body), *part.element, report) ||
            report_errors(frame.SemanticPose().Resolve(X, body == "world" ? "__model__" : body),
                          *part.element, report))
            continue;
        const Element* found = named_child(*part.element, "frame", frame.Name());
        report.stands("frame", part.prefix + frame.Name(), found ? *found : *part.element);
        builder.add_frame({part.prefix + frame.Name(), body == "world" ? "" : part.prefix + body,
                           body == "world" ? part.X_WM * pose(X) : pose(X)});
    }
}

// A world's frames are attached to links of its models, or to the ground, to which static models belong.
void add_frames(const sdf::World& world, const Element& element, const std::vector<Part>& parts,
                ModelBuilder& builder, Report& report)
{
    for (std::uint64_t i = 0; i < world.FrameCount(); ++i) {
        const sdf::Frame& frame = *world.FrameByIndex(i);
        const Element* found = named_child(element, "frame", frame.Name());
        const Element& at = found ? *found : element;
        std::string attached;
        ignition::math::Pose3d X;
        if (report_errors(frame.ResolveAttachedToBody(attached), at, report) ||
            report_errors(frame.SemanticPose().Resolve(X, "world"), at, report))
            continue;
        report.stands("frame", frame.Name(), at);
        Frame out{frame.Name(), "", pose(X)};
        for (const Part& part : parts)
            for (const auto& [link, X_ML] : part.X_ML)
                if (part.model->Name() + "::" + link == attached) {
                    out.body = part.prefix + link;
                    out.X_BF = inverse(part.X_WM * X_ML) * pose(X);
                }
        builder.add_frame(std::move(out));
    }
}

} // namespace

bool reads_sdf() { return true; }

Model parse_sdf(std::string_view text, std::string_view source_name, const LoadOptions& options)
{
    const std::string source(source_name);
    tinyxml2::XMLDocument document;
    const Element& top = parse_xml(document, text, source, "sdf");
    if (std::string_view(top.Name()) != "sdf")
        throw ModelError(source, {where(top) + ": this is not SDF; expected the root element <sdf>"});
    Report report;
    const std::string known = with_known_version(std::string(text), top, report);
    if (!report.faults.empty())
        throw ModelError(source, report.faults);
    sdf_reader::check_vocabulary(top, report);
    const sdf::Root root = load(known, source, top, report);

    ModelBuilder builder("model");
    std::vector<Part> parts = find_parts(root, top, builder, report);
    for (Part& part : parts) {
        read_links(part, builder, report);
        read_joints(part, report);
        add_frames(part, builder, report);
    }
    WorldJoints between;
    if (root.WorldCount() == 1) {
        const sdf::World& world = *root.WorldByIndex(0);
        const Element& element = *top.FirstChildElement("world");
        add_frames(world, element, parts, builder, report);
        read_world_joints(element, world, parts, between, report);
    }
    hang(parts, between.part, builder);
    name_base(builder);
    for (const Part& part : parts)
        add_loops(part, builder, report);
    add_loops(between.part, builder, report);
    if (builder.bodies().empty())
        report.fault(top, "there is no model with links that can move; expected at least one");
    return detail::finish(builder, report, source, options);
}

} // namespace sweepdyn

#else

namespace sweepdyn {

bool reads_sdf() { return false; }

Model parse_sdf(std::string_view, std::string_view source_name, const LoadOptions&)
{
    throw ModelError(
        source_name,
        {"this is SDF, the format of Gazebo, which this build cannot read: the library sdformat was not "
         "found when it was configured (Debian: libsdformat-dev); export the model as URDF"});
}

} // namespace sweepdyn

#endif

namespace sweepdyn {

Model read_sdf(const std::string& path, const LoadOptions& options)
{
    return parse_sdf(model_reader::read_text(path), path, options);
}

} // namespace sweepdyn
