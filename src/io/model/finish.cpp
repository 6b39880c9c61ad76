#include "finish.hpp"

#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/merge.hpp"
#include "xml.hpp"

namespace sweepdyn::detail {

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
        throw ModelError(source + (options.strict ? " (strict)" : ""), error.faults);
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
    return finish(builder, source, options);
}

} // namespace sweepdyn::detail
