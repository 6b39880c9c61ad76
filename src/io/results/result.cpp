#include "sweepdyn/io/results/result.hpp"

#include "to_json.hpp"

namespace sweepdyn {
using results::OrderedJson;
using results::ToJson;

std::string write_result(const Model& model, const Result& result, ResultLayout layout)
{
    OrderedJson out;
    out["model"] = model.name();
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["dofs"] = OrderedJson::array();
    for (const std::string& name : model.dof_names())
        out["dofs"].push_back(name);
    out["results"] = OrderedJson::object();
    for (const auto& [key, value] : result)
        out["results"][key] = std::visit(ToJson{key}, value);
    return results::json_text(out, layout == ResultLayout::indented);
}

} // namespace sweepdyn
