#include "finish.hpp"

#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/merge.hpp"
#include "xml.hpp"

namespace sweepdyn::detail {
namespace {

std::string called(const std::string& source, const LoadOptions& options)
{
    return source + (options.strict ? " (strict)" : "");
}

} // namespace

Model finish(ModelBuilder& builder, const std::string& source, const LoadOptions& options)
{
    if (options.gravity)
        builder.set_gravity(*options.gravity);
    try {
        Model model = builder.build();
        if (options.base != LoadOptions::Base::from_file)
            model = with_base(model, options.base == LoadOptions::Base::fixed ? BaseKind::fixed
                                                                              : BaseKind::floating);
        if (options.merge_fixed)
            model = merge_welds(model);
        // Strictness judges what came out: an option may have settled a doubt, or raised one.
        std::vector<std::string> doubts;
        for (const Note& note : model.notes())
            if (options.strict && note.kind == Note::Kind::doubt)
                doubts.push_back(note.text);
        if (!doubts.empty())
            throw ModelError("strict", doubts);
        return model;
    } catch (const ModelError& error) {
        throw ModelError(called(source, options), error.faults);
    }
}

Model finish(ModelBuilder& builder, model_reader::Report& report, const std::string& source,
             const LoadOptions& options)
{
    model_reader::remark_counts(report);
    for (const Note& note : report.notes)
        builder.add_note(note);
    if (builder.bodies().empty())
        throw ModelError(source, report.faults);
    for (const std::string& fault : report.faults)
        builder.add_fault(fault);
    try {
        return finish(builder, "", options);
    } catch (const ModelError& error) {
        std::vector<std::string> faults;
        for (const std::string& fault : error.faults)
            faults.push_back(model_reader::located(fault, report));
        throw ModelError(called(source, options), faults);
    }
}

} // namespace sweepdyn::detail
