// The golden files of closed mechanisms, tests/golden/closed: model, state, forces, and what else they hold as JSON.
#pragma once

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn::test {

struct ClosedGolden {
    std::string name;
    Model model;
    std::vector<double> q, v, T;
    nlohmann::json json;
};

inline std::string closed_folder() { return SWEEPDYN_TEST_DATA "/golden/closed/"; }

inline nlohmann::json closed_json(const std::string& name)
{
    std::ifstream file(closed_folder() + name + ".json");
    return nlohmann::json::parse(file);
}

inline ClosedGolden closed_golden(const std::string& name)
{
    ClosedGolden out{name, load_model(closed_folder() + name + ".json"), {}, {}, {}, closed_json(name)};
    for (const auto& hinge : out.json["state"]["q"])
        if (hinge.is_object()) {
            for (double x : hinge["quat_wxyz"])
                out.q.push_back(x);
            if (hinge.contains("position"))
                for (double x : hinge["position"])
                    out.q.push_back(x);
        } else
            for (double x : hinge)
                out.q.push_back(x);
    out.v = out.json["state"]["v"].get<std::vector<double>>();
    out.T = out.json["tau"].get<std::vector<double>>();
    return out;
}

// All but the trajectories, in order.
inline std::vector<std::string> closed_names()
{
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(closed_folder()))
        if (entry.path().extension() == ".json" && !entry.path().stem().string().starts_with("traj_"))
            out.push_back(entry.path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace sweepdyn::test
