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
std::string located(const std::string& fault, const Robot& robot)
{
    const auto about = [&](std::string_view what, std::string_view name) {
        const std::string_view rest = std::string_view(fault).substr(std::min(what.size(), fault.size()));
        return fault.starts_with(what) && rest.starts_with(name) &&
               rest.substr(name.size()).starts_with('\'');
    };
    for (const Link& link : robot.links)
        if (about("body '", link.body.name))
            return fmt::format("{}: {}", where(*link.element), fault);
    for (const Joint& joint : robot.joints)
        if (about("hinge '", joint.hinge.name))
            return fmt::format("{}: {}", where(*joint.element), fault);
    for (const ClosingLoop& loop : robot.loops)
        if (about("loop '", loop.loop.name) || about("coupling '", loop.loop.name))
            return fmt::format("{}: {}", where(*loop.element), fault);
    for (const Joint& joint : robot.joints)
        if (joint.mimic && about("coupling '", joint.hinge.name))
            return fmt::format("{}: {}", where(*joint.element->FirstChildElement("mimic")), fault);
    return fault;
}

Model build(const ModelBuilder& builder, const Robot& robot, std::string_view source_name,
            const LoadOptions& options, std::size_t faults_of_reader)
{
    try {
        // What is merged is to be judged as one.
        const Model model = ModelBuilder(builder).set_strict(options.strict && !options.merge_fixed).build();
        return options.merge_fixed ? merge_welds(model, options.strict) : model;
    } catch (const ModelError& error) {
        std::vector<std::string> faults = error.faults; // the reader's first; they have their lines
        for (std::size_t i = faults_of_reader; i < faults.size(); ++i)
            faults[i] = located(faults[i], robot);
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
    return build(builder, robot, source_name, options, report.faults.size());
}

Model read_urdf(const std::string& path, const LoadOptions& options)
{
    return parse_urdf(read_text(path), path, options);
}

} // namespace sweepdyn
