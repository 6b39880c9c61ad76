// sweepdyn convert: any model as a native file.
#include "commands.hpp"
#include "output_file.hpp"
#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn::app {

std::string run_convert(const ConvertOptions& options)
{
    const bool to_file = !options.output.empty() && options.output != "-";
    std::error_code error;
    if (to_file && std::filesystem::equivalent(resolve_model(options.model.spec), options.output, error))
        refuse_output(options.output,
                      "is the input itself, which is never overwritten; give another name to -o");
    check_ending(options.output, {".json"});
    if (to_file)
        check_output(options.output);
    const Model model = load(options.model);
    // What the file gave cause to say is lost in the new one; what the numbers say is not.
    for (const Note& said : model.notes())
        if (!said.derived)
            note(said.text);
    note_doubts(model, options.model);
    const std::string text = write_native(model);
    if (!to_file)
        return text;
    replace_file(options.output, text);
    return "";
}

} // namespace sweepdyn::app
