#include "sweepdyn/io/results/tracking.hpp"

#include "matrix_json.hpp"
#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn {
using json::Json;
using results::OrderedJson;
using results::ToJson;

std::string write_tracking(const Model& model, const Tracking& tracking, ResultLayout layout)
{
    OrderedJson out, q = OrderedJson::array(), v = q, T = q, K = q;
    std::vector<double> time;
    for (const TrajectoryPoint& point : tracking.points) {
        time.push_back(point.t);
        q.push_back(ToJson{"q"}.list(point.q));
        v.push_back(ToJson{"v"}.list(point.v));
        T.push_back(ToJson{"T"}.list(point.T));
    }
    for (const Matrix& gain : tracking.gains.K)
        K.push_back(results::matrix_json("K", gain));
    out["conventions"] = "sweepdyn-1";
    out["dofs"] = std::vector<std::string>(model.dof_names().begin(), model.dof_names().end());
    out["time"] = ToJson{"time"}.list(time);
    out["q"] = std::move(q);
    out["v"] = std::move(v);
    out["T"] = std::move(T);
    out["K"] = std::move(K);
    OrderedJson eigenvalues = OrderedJson::array();
    for (const std::complex<double>& z : tracking.gains.transition_eigenvalues)
        eigenvalues.push_back(ToJson{"transition_eigenvalues"}.list(std::vector<double>{z.real(), z.imag()}));
    out["transition_eigenvalues"] = std::move(eigenvalues);
    return results::json_text(out, layout == ResultLayout::indented);
}

bool is_tracking(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    return json.is_object() && json.contains("time") && json.contains("K");
}

Tracking read_tracking(const Model& model, std::string_view text, std::string_view where)
{
    const Json json = results::parse_state_json(text, where);
    const auto wrong = [&](const std::string& key, const std::string& expected) {
        return StateError(where, {key + ": expected " + expected});
    };
    const auto numbers = [&](const Json& list, const std::string& key, std::size_t size) {
        bool right = list.is_array() && list.size() == size;
        for (std::size_t i = 0; right && i < size; ++i)
            right = list[i].is_number();
        if (!right)
            throw wrong(key, "lists of " + std::to_string(size) + " numbers");
        return list.get<std::vector<double>>();
    };
    const auto dofs = model.dof_names();
    if (!json.is_object() || !json.contains("dofs") ||
        json["dofs"] != Json(std::vector<std::string>(dofs.begin(), dofs.end())))
        throw wrong("dofs", "those of model '" + model.name() + "', in its order");
    if (!json.contains("time") || !json["time"].is_array() || json["time"].size() < 2)
        throw wrong("time", "two times or more");
    const std::size_t rows = json["time"].size(), n = dofs.size();
    for (const char* key : {"q", "v", "T", "K"})
        if (!json.contains(key) || !json[key].is_array() || json[key].size() != rows)
            throw wrong(key, std::to_string(rows) + " entries, one per time");
    Tracking out;
    out.gains.t = numbers(json["time"], "time", rows);
    for (std::size_t i = 0; i < rows; ++i) {
        if (i > 0 && !(out.gains.t[i] > out.gains.t[i - 1]))
            throw wrong("time", "times that grow");
        out.points.push_back({out.gains.t[i],
                              numbers(json["q"][i], "q", static_cast<std::size_t>(model.num_coordinates())),
                              numbers(json["v"][i], "v", n),
                              {},
                              numbers(json["T"][i], "T", n)});
        const Json& gain = json["K"][i];
        if (!gain.is_array() || gain.size() != n)
            throw wrong("K", std::to_string(n) + " rows per time");
        Matrix K(static_cast<int>(n), static_cast<int>(2 * n));
        for (std::size_t row = 0; row < n; ++row) {
            const std::vector<double> entries = numbers(gain[row], "K", 2 * n);
            for (std::size_t j = 0; j < entries.size(); ++j)
                K(static_cast<int>(row), static_cast<int>(j)) = entries[j];
        }
        out.gains.K.push_back(std::move(K));
    }
    return out;
}

} // namespace sweepdyn
