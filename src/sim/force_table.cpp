#include "sweepdyn/sim/force_table.hpp"

#include <algorithm>
#include <cmath>

namespace sweepdyn {
namespace {

struct Interpolation {
    std::vector<double> times;
    std::vector<std::size_t> dofs;
    std::vector<double> forces; // row by row, a number per dof above

    void operator()(double t, std::span<const double>, std::span<const double>, std::span<double> T) const
    {
        const auto after = std::upper_bound(times.begin(), times.end(), t);
        const auto next =
            std::min<std::size_t>(static_cast<std::size_t>(after - times.begin()), times.size() - 1);
        const std::size_t last =
            after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
        const double fraction = next == last ? 0.0 : (t - times[last]) / (times[next] - times[last]);
        for (std::size_t i = 0; i < dofs.size(); ++i) {
            const double a = forces[last * dofs.size() + i], b = forces[next * dofs.size() + i];
            T[dofs[i]] += a + fraction * (b - a);
        }
    }
};

} // namespace

Controller forces_in_time(const Model& model, const Recording& table)
{
    if (table.columns.empty() || table.columns.front().name != "time")
        throw UsageError("forces in time: the first column is '" +
                         (table.columns.empty() ? "" : table.columns.front().name) + "', expected 'time'");
    if (table.num_rows() == 0)
        throw UsageError("forces in time: the table has no rows, expected at least one");
    const bool marked = std::any_of(table.columns.begin(), table.columns.end(),
                                    [](const Column& column) { return column.name.starts_with("T:"); });
    const auto names = model.dof_names();
    Interpolation law;
    std::vector<std::size_t> columns;
    for (std::size_t i = 1; i < table.columns.size(); ++i) {
        std::string name = table.columns[i].name;
        if (name.starts_with("T:"))
            name = name.substr(2);
        else if (marked)
            continue;
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            throw UsageError("forces in time: " + unknown_name("dof", name, names));
        law.dofs.push_back(static_cast<std::size_t>(found - names.begin()));
        columns.push_back(i);
    }
    for (std::size_t row = 0; row < table.num_rows(); ++row) {
        law.times.push_back(table(row, 0));
        if (row > 0 && !(law.times[row] > law.times[row - 1]))
            throw UsageError("forces in time: time " + number_text(law.times[row]) + " follows " +
                             number_text(law.times[row - 1]) + ", expected times that grow");
        for (std::size_t column : columns)
            law.forces.push_back(table(row, column));
    }
    return {std::move(law)};
}

} // namespace sweepdyn
