#include "sweepdyn/io/model/urdf.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model_text.hpp"
#include "sweepdyn/model/merge.hpp"
#include "urdf_base.hpp"
#include "urdf_document.hpp"
#include "urdf_vocabulary.hpp"

namespace sweepdyn {
namespace {

using namespace urdf_reader;

// The joints make no tree: the links all the same go through the builder's checks, so that every fault is told at once.
void assemble_loose(const Robot& robot, ModelBuilder& builder)
{
    for (const Link& link : robot.links)
        builder.add_body(link.body).add_hinge({.name = "", .parent = "", .child = link.body.name});
}

// The builder names a body or a hinge; the file has it as a link or a joint on some line.
void place(const Robot& robot, Report& report)
{
    for (const Link& link : robot.links)
        report.stands("body", link.body.name, *link.element);
    for (const Joint& joint : robot.joints)
        report.stands("hinge", joint.hinge.name, *joint.element);
    for (const ClosingLoop& loop : robot.loops)
        report.stands(loop.loop.kind == LoopKind::coupling ? "coupling" : "loop", loop.loop.name,
                      *loop.element);
    for (const Joint& joint : robot.joints)
        if (joint.mimic)
            report.stands("coupling", joint.hinge.name, *joint.element->FirstChildElement("mimic"));
}

Model build(const ModelBuilder& builder, const Report& report, std::string_view source_name,
            const LoadOptions& options)
{
    try {
        // What is merged is to be judged as one.
        const Model model = ModelBuilder(builder).set_strict(options.strict && !options.merge_fixed).build();
        return options.merge_fixed ? merge_welds(model, options.strict) : model;
    } catch (const ModelError& error) {
        std::vector<std::string> faults;
        for (const std::string& fault : error.faults)
            faults.push_back(located(fault, report));
        throw ModelError(source_name, std::move(faults));
    }
}

} // namespace

Model parse_urdf(std::string_view text, std::string_view source_name, const LoadOptions& options)
{
    tinyxml2::XMLDocument document;
    const Element& element = parse_document(document, text, source_name);
    Report report;
    check_vocabulary(element, report);
    const Robot robot = read_robot(element, source_name, options, report);

    ModelBuilder builder(robot.name);
    if (options.gravity)
        builder.set_gravity(*options.gravity);
    if (const std::optional<Layout> layout = lay_out(robot, report))
        assemble(robot, *layout, options.base, builder, report);
    else if (robot.links.empty())
        throw ModelError(source_name, report.faults);
    else
        assemble_loose(robot, builder);

    remark_counts(report);
    for (const Note& note : report.notes)
        builder.add_note(note);
    for (const std::string& fault : report.faults)
        builder.add_fault(fault);
    place(robot, report);
    return build(builder, report, source_name, options);
}

Model read_urdf(const std::string& path, const LoadOptions& options)
{
    return parse_urdf(read_text(path), path, options);
}

} // namespace sweepdyn
