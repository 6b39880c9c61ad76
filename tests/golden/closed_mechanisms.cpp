// Mechanisms with loops against maximal coordinates in 40 digits (tests/golden/closed/README.md): accelerations by every elimination,
// loop forces and which of them are determined, least actuation, and exact linear models.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sweepdyn/closed/closed_dynamics.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/linear/closed_linearization.hpp"

namespace sweepdyn {
namespace {

using nlohmann::json;

const std::filesystem::path folder = std::filesystem::path(SWEEPDYN_TEST_DATA) / "golden/closed";

struct Golden {
    json file;
    Model model;
    std::vector<double> q, v, tau;
    const json& outputs() const { return file["outputs"]; }
    std::vector<int> list(const char* key) const { return file[key].get<std::vector<int>>(); }
};

Golden load(const std::string& name)
{
    const std::string path = (folder / (name + ".json")).string();
    std::ifstream stream(path);
    Golden g{json::parse(stream), read_native(path, {}), {}, {}, {}};
    for (const json& hinge : g.file["state"]["q"]) {
        const auto take = [&](const json& numbers) {
            for (const json& number : numbers)
                g.q.push_back(number);
        };
        if (hinge.is_array())
            take(hinge);
        else {
            take(hinge["quat_wxyz"]);
            if (hinge.contains("position"))
                take(hinge["position"]);
        }
    }
    g.v = g.file["state"]["v"].get<std::vector<double>>();
    g.tau = g.file["tau"].get<std::vector<double>>();
    return g;
}

std::vector<std::string> all_files()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json" && entry.path().stem().string().rfind("traj_", 0) != 0)
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

// Of the largest entry. A gear of 50:1 with a full rotor costs three digits.
double tolerance(const std::string& name) { return name == "gripper_mimic_gear" ? 1e-10 : 1e-11; }

void compare(std::span<const double> got, const json& expected, double relative, const char* what)
{
    ASSERT_EQ(got.size(), expected.size()) << what;
    double largest = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i].get<double>()));
        worst = std::max(worst, std::abs(got[i] - expected[i].get<double>()));
    }
    EXPECT_LE(worst, relative * largest) << what;
}
void compare(const Matrix& got, const json& expected, double relative, const char* what)
{
    ASSERT_EQ(static_cast<std::size_t>(got.rows()), expected.size()) << what;
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < got.rows(); ++i) {
        ASSERT_EQ(static_cast<std::size_t>(got.columns()), expected[static_cast<std::size_t>(i)].size())
            << what;
        for (int j = 0; j < got.columns(); ++j) {
            const double x = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            largest = std::max(largest, std::abs(x));
            worst = std::max(worst, std::abs(got(i, j) - x));
        }
    }
    EXPECT_LE(worst, relative * largest) << what;
}

class ClosedGolden : public testing::TestWithParam<std::string> {};

TEST_P(ClosedGolden, accelerations_by_every_elimination)
{
    const Golden g = load(GetParam());
    const double relative = tolerance(GetParam());
    for (const Elimination choice : {Elimination::basis, Elimination::multipliers}) {
        Kinematics<double> kin(g.model);
        update<double>(kin, g.q, g.v);
        update_inertias(kin);
        std::vector<double> v_dot(g.v.size());

        ClosedDynamics clusters(g.model, choice); // and distant couplings on top
        clusters.update(kin);
        clusters.forward_dynamics(kin, g.tau, v_dot);
        compare(v_dot, g.outputs()["vdot"], relative, "clusters");

        Closure<double> closure(g.model, one_cluster(g.model));
        ClusterArticulation<double> art(g.model, closure, choice);
        BodyForces<double> scratch(g.model);
        update_closure(kin, closure);
        articulate(kin, closure, art);
        forward_dynamics<double>(kin, closure, art, g.tau, v_dot, scratch);
        compare(v_dot, g.outputs()["vdot"], relative, "global");
    }
}

class ClosedGoldenByElimination : public testing::TestWithParam<std::tuple<std::string, Elimination>> {
protected:
    const std::string& name() const { return std::get<0>(GetParam()); }
    Elimination choice() const { return std::get<1>(GetParam()); }
};

TEST_P(ClosedGoldenByElimination, loop_forces)
{
    const Golden g = load(name());
    ClosedMechanism mechanism(g.model, choice());
    mechanism.set(g.q, g.v);
    std::vector<double> v_dot(g.v.size());
    mechanism.forward_dynamics(g.tau, v_dot);
    const std::vector<LoopForce> forces = mechanism.loop_forces(g.tau, v_dot);
    double largest = 0.0, worst = 0.0;
    const auto list = [](const json& x) { return x.is_array() ? x : json::array({x}); };
    for (std::size_t l = 0; l < forces.size(); ++l) {
        const json wrench = list(g.outputs()["loop_wrench_on_a"][l]),
                   unique = list(g.outputs()["loop_wrench_unique"][l]);
        ASSERT_EQ(wrench.size(), forces[l].wrench.size());
        for (std::size_t i = 0; i < wrench.size(); ++i) {
            EXPECT_EQ(unique[i].get<bool>(), forces[l].unique[i]) << forces[l].loop << " " << i;
            largest = std::max(largest, std::abs(wrench[i].get<double>()));
            if (unique[i].get<bool>())
                worst = std::max(worst, std::abs(wrench[i].get<double>() - forces[l].wrench[i]));
        }
    }
    EXPECT_LE(worst, tolerance(name()) * largest);
    int redundant = 0;
    for (const Redundancy& one : mechanism.redundancies()) {
        redundant += one.rows;
        EXPECT_FALSE(one.loops.empty());
        EXPECT_GT(one.kept, 1e3 * one.dropped); // a clear gap
    }
    EXPECT_EQ(redundant, g.outputs()["maximal_rows"].get<int>() - g.outputs()["maximal_rank"].get<int>());
}

TEST_P(ClosedGoldenByElimination, least_actuation)
{
    const Golden g = load(name());
    const json& id = g.outputs()["inverse_dynamics"];
    if (id.is_null())
        return;
    ClosedMechanism mechanism(g.model, choice());
    mechanism.prefer_independent(g.list("independent_velocity"));
    mechanism.set(g.q, g.v);
    const std::vector<int> actuated =
        id.contains("actuated") ? id["actuated"].get<std::vector<int>>() : g.list("actuated");
    const Actuation got =
        mechanism.inverse_dynamics(id["vdot_ind_desired"].get<std::vector<double>>(), actuated);
    EXPECT_TRUE(got.missing.empty());
    std::vector<double> forces;
    for (int j : actuated)
        forces.push_back(got.T[static_cast<std::size_t>(j)]);
    compare(forces, id["tau_actuated_min_norm"], tolerance(name()), "T of the actuated dofs");
}

TEST_P(ClosedGolden, linear_model)
{
    const Golden g = load(GetParam());
    const json& out = g.outputs();
    for (const LinearRoute route : {LinearRoute::by_mass_matrix, LinearRoute::direct}) {
        ClosedLinearization lin(g.model, {}, route);
        lin.set_independent(g.list("independent_velocity"));
        lin.prefer_positions(g.list("independent_position"));
        lin.set(g.q, g.v, g.tau);
        EXPECT_EQ(lin.route(), route);
        const auto positions = g.list("independent_position");
        ASSERT_TRUE(
            std::equal(positions.begin(), positions.end(), lin.positions().begin(), lin.positions().end()));
        const double relative = GetParam() == "gripper_mimic_gear" ? 1e-10 : 1e-11;
        compare(lin.M_ind(), out["mass_matrix_independent"], relative, "M_ind");
        compare(lin.w_dot_u, out["dvdot_ind_dq_ind"], relative, "dv_dot/dq");
        compare(lin.w_dot_w, out["dvdot_ind_dv_ind"], relative, "dv_dot/dv");
        compare(lin.by_forces(Matrix::identity(g.model.num_dofs())), out["dvdot_ind_dtau"], relative,
                "dv_dot/dT");
        if (out.contains("qdot_indpos_dq") && !out["qdot_indpos_dq"].is_null()) {
            compare(lin.u_dot_u, out["qdot_indpos_dq"], relative, "dq_dot/dq");
            compare(lin.u_dot_w, out["qdot_indpos_dv"], relative, "dq_dot/dv");
        }
        if (!out["dwrench_dq_ind"].is_null()) {
            const ClosedLinearization::Multipliers forces = lin.differentiate_loop_forces();
            compare(forces.on_u, out["dwrench_dq_ind"], relative, "dwrench/dq");
            compare(forces.on_w, out["dwrench_dv_ind"], relative, "dwrench/dv");
            compare(forces.on_T, out["dwrench_dtau"], relative, "dwrench/dT");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, ClosedGolden, testing::ValuesIn(all_files()),
                         [](const auto& file) { return file.param; });
INSTANTIATE_TEST_SUITE_P(Files, ClosedGoldenByElimination,
                         testing::Combine(testing::ValuesIn(all_files()),
                                          testing::Values(Elimination::basis, Elimination::multipliers)),
                         [](const auto& of) {
                             return std::get<0>(of.param) + (std::get<1>(of.param) == Elimination::basis
                                                                 ? "_by_basis"
                                                                 : "_by_multipliers");
                         });

} // namespace
} // namespace sweepdyn
