#include "sweepdyn/io/results/state_space.hpp"

#include "matrix_json.hpp"

namespace sweepdyn {
using results::matrix_json;
using results::OrderedJson;

namespace {

// E: of the descriptor form; else null.
std::string json_of(const StateSpace& system, const Matrix* E, const std::string& model, ResultLayout layout)
{
    OrderedJson out;
    out["model"] = model;
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["states"] = system.states;
    out["inputs"] = system.inputs;
    out["outputs"] = system.outputs;
    if (E)
        out["E"] = matrix_json("E", *E);
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

std::string csv_of(const StateSpace& system, const Matrix* E)
{
    const auto number = [](double value) { return "," + number_text(value == 0.0 ? 0.0 : value); };
    std::string out;
    for (std::size_t i = 0; E && i < system.states.size(); ++i)
        out += "," + csv_cell("d/dt " + system.states[i]);
    for (const auto* names : {&system.states, &system.inputs})
        for (const std::string& name : *names)
            out += "," + csv_cell(name);
    out += ",constant\n";
    const auto row = [&](const std::string& name, const Matrix& left, const Matrix& right, int i,
                         double constant, bool equation) {
        out += csv_cell(name);
        for (int j = 0; E && j < E->columns(); ++j)
            out += equation ? number((*E)(i, j)) : ",";
        for (const Matrix* part : {&left, &right})
            for (int j = 0; j < part->columns(); ++j)
                out += number((*part)(i, j));
        out += number(constant) + "\n";
    };
    for (int i = 0; i < system.num_states(); ++i)
        row((E ? "equation " : "d/dt ") + system.states[static_cast<std::size_t>(i)], system.A, system.B, i,
            entry(system.f0, i), true);
    for (int i = 0; i < system.num_outputs(); ++i)
        row(system.outputs[static_cast<std::size_t>(i)], system.C, system.D, i, entry(system.y0, i), false);
    out += "operating point";
    if (E)
        out += std::string(static_cast<std::size_t>(E->columns()), ',');
    for (int i = 0; i < system.num_states(); ++i)
        out += number(entry(system.x0, i));
    for (int i = 0; i < system.num_inputs(); ++i)
        out += number(entry(system.u0, i));
    out += ",\n";
    const auto columns =
        static_cast<std::size_t>((E ? E->columns() : 0) + system.num_states() + system.num_inputs() + 1);
    for (const std::string& note : system.notes)
        out += csv_cell("note: " + note) + std::string(columns, ',') + "\n";
    return out;
}

} // namespace

std::string write_state_space(const StateSpace& system, const std::string& model, ResultLayout layout)
{
    return json_of(system, nullptr, model, layout);
}
std::string write_state_space(const DescriptorSystem& form, const std::string& model, ResultLayout layout)
{
    return json_of(form.system, &form.E, model, layout);
}
std::string write_state_space_csv(const StateSpace& system) { return csv_of(system, nullptr); }
std::string write_state_space_csv(const DescriptorSystem& form) { return csv_of(form.system, &form.E); }

} // namespace sweepdyn
