#include "sweepdyn/io/results/state_space.hpp"

#include "matrix_json.hpp"

namespace sweepdyn {
using results::matrix_json;
using results::OrderedJson;

std::string write_state_space(const StateSpace& system, const std::string& model, ResultLayout layout)
{
    OrderedJson out;
    out["model"] = model;
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["states"] = system.states;
    out["inputs"] = system.inputs;
    out["outputs"] = system.outputs;
    out["A"] = matrix_json("A", system.A);
    out["B"] = matrix_json("B", system.B);
    out["C"] = matrix_json("C", system.C);
    out["D"] = matrix_json("D", system.D);
    const std::pair<std::string, const std::vector<double>&> lists[] = {
        {"f0", system.f0}, {"x0", system.x0}, {"u0", system.u0}, {"y0", system.y0},
        {"q0", system.q0}, {"v0", system.v0}, {"T0", system.T0}};
    for (const auto& [key, numbers] : lists)
        out[key] = results::ToJson{key}.list(numbers);
    out["notes"] = system.notes;
    return results::json_text(out, layout == ResultLayout::indented);
}

namespace {
// Quoted where commas, quotes or line ends stand in it.
std::string csv_cell(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == text.npos)
        return text;
    std::string out = "\"";
    for (char c : text)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}
double entry(const std::vector<double>& of, int i)
{
    return of.empty() ? 0.0 : of[static_cast<std::size_t>(i)];
}
} // namespace

std::string write_state_space_csv(const StateSpace& system)
{
    const auto number = [](double value) { return "," + number_text(value == 0.0 ? 0.0 : value); };
    std::string out;
    for (const auto* names : {&system.states, &system.inputs})
        for (const std::string& name : *names)
            out += "," + csv_cell(name);
    out += ",constant\n";
    const auto row = [&](const std::string& name, const Matrix& left, const Matrix& right, int i,
                         double constant) {
        out += csv_cell(name);
        for (const Matrix* part : {&left, &right})
            for (int j = 0; j < part->columns(); ++j)
                out += number((*part)(i, j));
        out += number(constant) + "\n";
    };
    for (int i = 0; i < system.num_states(); ++i)
        row("d/dt " + system.states[static_cast<std::size_t>(i)], system.A, system.B, i, entry(system.f0, i));
    for (int i = 0; i < system.num_outputs(); ++i)
        row(system.outputs[static_cast<std::size_t>(i)], system.C, system.D, i, entry(system.y0, i));
    out += "operating point";
    for (int i = 0; i < system.num_states(); ++i)
        out += number(entry(system.x0, i));
    for (int i = 0; i < system.num_inputs(); ++i)
        out += number(entry(system.u0, i));
    return out + ",\n";
}

} // namespace sweepdyn
