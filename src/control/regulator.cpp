#include "sweepdyn/control/regulator.hpp"

#include <algorithm>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

// The dof that "PREFIX:DOF" names.
int named_dof(const Model& model, std::string_view what, std::string_view prefix, std::string_view name)
{
    const auto dofs = model.dof_names();
    if (name.starts_with(prefix)) {
        const auto found = std::find(dofs.begin(), dofs.end(), name.substr(prefix.size()));
        if (found != dofs.end())
            return static_cast<int>(found - dofs.begin());
    }
    std::vector<std::string> known;
    for (const std::string& dof : dofs)
        known.push_back(std::string(prefix) + dof);
    throw UsageError("regulator: " + unknown_name(what, name, known));
}

struct Feedback {
    Model model;
    Regulator regulator;
    std::vector<int> state_index; // into [difference; v - v0]
    std::vector<int> input_dof;
    std::vector<double> x; // of all states

    void operator()(double, std::span<const double> q, std::span<const double> v, std::span<double> T)
    {
        const std::size_t n = v.size();
        difference<double>(model, regulator.q0, q, std::span(x).first(n));
        for (std::size_t j = 0; j < n; ++j)
            x[n + j] = v[j] - regulator.v0[j];
        for (int i = 0; i < regulator.K.rows(); ++i) { // T = u0 - K x
            double u = regulator.u0[static_cast<std::size_t>(i)];
            for (int j = 0; j < regulator.K.columns(); ++j)
                u -=
                    regulator.K(i, j) * x[static_cast<std::size_t>(state_index[static_cast<std::size_t>(j)])];
            T[static_cast<std::size_t>(input_dof[static_cast<std::size_t>(i)])] += u;
        }
    }
};

} // namespace

Controller controller(const Model& model, const Regulator& regulator, double sample_time)
{
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    require_size("regulator", "rows of K", static_cast<std::size_t>(regulator.K.rows()),
                 regulator.inputs.size());
    require_size("regulator", "columns of K", static_cast<std::size_t>(regulator.K.columns()),
                 regulator.states.size());
    require_size("regulator", "u0", regulator.u0.size(), regulator.inputs.size());
    require_size("regulator", "q0", regulator.q0.size(), static_cast<std::size_t>(model.num_coordinates()));
    require_size("regulator", "v0", regulator.v0.size(), dofs);
    Feedback law{model, regulator, {}, {}, std::vector<double>(2 * dofs)};
    for (const std::string& name : regulator.states)
        law.state_index.push_back(name.starts_with("v:")
                                      ? model.num_dofs() + named_dof(model, "state", "v:", name)
                                      : named_dof(model, "state", "q:", name));
    for (const std::string& name : regulator.inputs)
        law.input_dof.push_back(named_dof(model, "input", "T:", name));
    return {std::move(law), sample_time};
}

} // namespace sweepdyn
