#include "sweepdyn/sim/motion_table.hpp"

#include <algorithm>

#include "sweepdyn/kinematics/coordinate_names.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

std::vector<TrajectoryPoint> motion_in_time(const Model& model, const Recording& table)
{
    std::string missing;
    const auto column_of = [&](const std::string& name) {
        const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                        [&](const Column& column) { return column.name == name; });
        if (found == table.columns.end())
            missing += (missing.empty() ? "" : ", ") + name;
        return static_cast<std::size_t>(found - table.columns.begin());
    };
    const std::size_t time = column_of("time");
    std::vector<std::size_t> q, v, v_dot;
    for (const std::string& name : coordinate_names(model))
        q.push_back(column_of("q:" + name));
    for (const std::string& name : model.dof_names()) {
        v.push_back(column_of("v:" + name));
        v_dot.push_back(column_of("qdd:" + name));
    }
    if (!missing.empty())
        throw UsageError("a motion needs columns for time, q, v and qdd; missing: " + missing +
                         " (simulate records them by --signals 'q:*,v:*,qdd:*')");
    if (table.num_rows() < 2)
        throw UsageError("a motion needs two rows or more, got " + std::to_string(table.num_rows()));
    std::vector<TrajectoryPoint> out;
    for (std::size_t i = 0; i < table.num_rows(); ++i) {
        TrajectoryPoint point;
        point.t = table(i, time);
        if (i > 0 && !(point.t > out.back().t))
            throw UsageError("a motion: time " + number_text(point.t) + " follows " +
                             number_text(out.back().t) + ", expected times that grow");
        for (const auto& [columns, numbers] :
             {std::pair{&q, &point.q}, std::pair{&v, &point.v}, std::pair{&v_dot, &point.v_dot}})
            for (std::size_t column : *columns)
                numbers->push_back(table(i, column));
        normalise(model, point.q);
        out.push_back(std::move(point));
    }
    return out;
}

} // namespace sweepdyn
