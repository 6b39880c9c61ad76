#include "sweepdyn/io/results/expression.hpp"

#include <algorithm>

#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "to_json.hpp"

namespace sweepdyn {

using results::OrderedJson;

std::string write_expression(const Model& model, const ExpressionResult& result, ResultLayout layout)
{
    OrderedJson out;
    out["model"] = model.name();
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["expr"] = result.expression;
    out["range"] = result.range;
    out["domain"] = result.domain;
    out["sweeps"] = result.sweeps;
    out["cost"] = {{"multiplications", result.cost.multiplications},
                   {"additions", result.cost.additions},
                   {"divisions", result.cost.divisions}};
    out["rows"] = result.rows;
    const bool matrix = std::holds_alternative<ResultMatrix>(result.value);
    if (matrix)
        out["cols"] = result.columns;
    out[matrix ? "matrix" : "vector"] = std::visit(results::ToJson{result.expression}, result.value);
    return results::json_text(out, layout == ResultLayout::indented);
}

std::vector<double> read_vector(std::string_view text, std::string_view where,
                                std::span<const std::string> labels)
{
    const results::Json json = results::parse_state_json(text, where);
    std::vector<double> out(labels.size(), 0.0);
    std::vector<std::string> faults;
    const auto number = [&](const std::string& what, const results::Json& value, double& to) {
        if (value.is_number())
            to = value.get<double>();
        else
            faults.push_back(what + ": got " + json::shown(value) + ", expected a number");
    };
    if (json.is_array() && json.size() == labels.size())
        for (std::size_t i = 0; i < labels.size(); ++i)
            number(labels[i], json[i], out[i]);
    else if (json.is_object())
        for (const auto& [label, value] : json.items()) {
            const auto found = std::find(labels.begin(), labels.end(), label);
            if (found == labels.end())
                faults.push_back(unknown_name("label", label, labels));
            else
                number(label, value, out[static_cast<std::size_t>(found - labels.begin())]);
        }
    else
        faults.push_back("got " + json::shown(json) + ", expected " + std::to_string(labels.size()) +
                         " numbers, or numbers by label");
    if (!faults.empty())
        throw StateError(where, faults);
    return out;
}

} // namespace sweepdyn
