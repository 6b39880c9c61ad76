// sweepdyn convert: any model as a native file.
#include "commands.hpp"
#include "output_file.hpp"
#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn::app {

std::string run_convert(const ConvertOptions& options)
{
    const Model model = load(options.model);
    // What the file gave cause to say is lost in the new one; what the numbers say is not.
    for (const Note& said : model.notes())
        if (!said.derived)
            note(said.text);
    note_doubts(model, options.model);
    const std::string text = write_native(model);
    if (options.output.empty() || options.output == "-")
        return text;
    std::error_code error;
    if (std::filesystem::equivalent(resolve_model(options.model.spec), options.output, error))
        refuse_output(options.output,
                      "is the input itself, which is never overwritten; give another name to -o");
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
