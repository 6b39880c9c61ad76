#include "sweepdyn/io/model/load.hpp"

#include "model_text.hpp"
#include "sweepdyn/io/model/mjcf.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/io/model/sdf.hpp"
#include "sweepdyn/io/model/urdf.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/merge.hpp"
#include "utf8.hpp"

namespace sweepdyn {
namespace {

// What a reader does with its options, done to a model that no file holds.
Model apply(Model model, const LoadOptions& options)
{
    if (options.gravity)
        model = with_gravity(model, *options.gravity);
    if (options.base != LoadOptions::Base::from_file)
        model =
            with_base(model, options.base == LoadOptions::Base::fixed ? BaseKind::fixed : BaseKind::floating);
    if (options.merge_fixed)
        return merge_welds(model, options.strict);
    return options.strict ? as_strict(model) : model;
}

// The first character that says something; 0 when there is none.
char first_character(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
        text.remove_prefix(3);
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    return at == text.npos ? '\0' : text[at];
}

} // namespace

Model load_model(const std::string& spec, const LoadOptions& options)
{
    if (std::optional<Model> generated = generate_model(spec))
        return apply(std::move(*generated), options);
    const std::string text = model_reader::read_text(spec);
    if (const std::string fault = model_reader::encoding_fault(text); !fault.empty())
        throw ModelError(spec, {fault});
    const char first = first_character(text);
    const bool named_urdf = spec.ends_with(".urdf") || spec.ends_with(".xml") || spec.ends_with(".xacro");
    if (first == '<') {
        const std::string root = model_reader::root_name(text);
        if (root == "mujoco")
            return parse_mjcf(text, spec, options);
        if (root == "sdf" || (root != "robot" && spec.ends_with(".sdf")))
            return parse_sdf(text, spec, options);
    }
    if (first == '<' || (first != '{' && named_urdf))
        return parse_urdf(text, spec, options);
    if (first == '{' || spec.ends_with(".json"))
        return parse_native(text, spec, options);
    throw ModelError(
        spec,
        {"neither URDF, SDF, MJCF nor a native model: it begins with \"" +
         model_reader::readable(std::string_view(text).substr(0, 40)) +
         "\"; expected XML with <robot>, <sdf> or <mujoco>, or JSON with \"format\": \"sweepdyn-model/1\""});
}

} // namespace sweepdyn
