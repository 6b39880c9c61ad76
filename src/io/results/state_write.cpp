#include "sweepdyn/io/results/state_write.hpp"

#include <algorithm>

#include "to_json.hpp"

namespace sweepdyn {

using results::OrderedJson;

std::string write_state(const Model& model, const State& state)
{
    OrderedJson out;
    const auto add = [&](const std::string& key, const std::vector<double>& numbers, bool always) {
        if (always || std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; }))
            out[key] = results::ToJson{key}.list(numbers);
    };
    add("q", state.q, true);
    add("v", state.v, false);
    add("a", state.a, false);
    add("T", state.T, false);
    for (const ExternalWrench& one : state.external) {
        const std::string key = "external";
        const auto& [n, f] = one.wrench;
        OrderedJson wrench;
        wrench["frame"] = model.frame_at(one.frame).name;
        wrench["wrench"] = results::ToJson{key}.list(std::vector{n.x, n.y, n.z, f.x, f.y, f.z});
        wrench["axes"] = one.axes == WrenchAxes::world ? "world" : "frame";
        out[key].push_back(std::move(wrench));
    }
    return results::json_text(out, false);
}

} // namespace sweepdyn
