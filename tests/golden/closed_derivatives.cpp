// Algorithm 6 on the tree of clusters against maximal coordinates in 40 digits (tests/golden/closed/README.md), and its refusals.
#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/linear/closed_derivatives.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
namespace {

class ClosedDerivativesGolden : public testing::TestWithParam<std::string> {};

TEST_P(ClosedDerivativesGolden, of_independent_coordinates)
{
    const test::ClosedGolden golden = test::closed_golden(GetParam());
    const Model& model = golden.model;
    const std::vector<double>&q = golden.q, &v = golden.v, &T = golden.T;
    bool holonomic = true;
    for (const Loop& loop : model.loops())
        holonomic = holonomic && num_holonomic_rows(loop) == num_rows(loop);
    if (!holonomic) {
        EXPECT_THROW(ClosedDerivatives{model}, RefusedError);
        return;
    }
    const auto independent = golden.json["independent_velocity"].get<std::vector<int>>();
    ClosedDerivatives derivatives(model);
    derivatives.prefer_independent(independent);
    for (int twice = 0; twice < 2; ++twice) // nothing of a state is left behind
        derivatives.set(q, v, T);
    ASSERT_EQ(std::vector<int>(derivatives.independent().begin(), derivatives.independent().end()),
              independent);

    const auto& outputs = golden.json["outputs"];
    const auto m = independent.size();
    const double relative = GetParam() == "gripper_mimic_gear" ? 1e-10 : 1e-11;
    const auto compare = [&](std::span<const double> got, double sign, const char* name,
                             bool only_independent) {
        double largest = 0.0, worst = 0.0;
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                const double expected =
                    outputs[name][i][only_independent ? static_cast<std::size_t>(independent[j]) : j];
                largest = std::max(largest, std::abs(expected));
                worst = std::max(worst, std::abs(sign * got[j * m + i] - expected));
            }
        EXPECT_LE(worst, relative * largest) << name;
    };
    compare(derivatives.B_C(), -1.0, "dvdot_ind_dq_ind", false);
    compare(derivatives.A_C(), -1.0, "dvdot_ind_dv_ind", false);
    compare(derivatives.M_inverse(), 1.0, "dvdot_ind_dtau", true);

    // Accelerations and multipliers are those of ClosedMechanism.
    ClosedMechanism mechanism(model);
    mechanism.prefer_independent(independent);
    mechanism.set(q, v);
    std::vector<double> v_dot(v.size());
    mechanism.forward_dynamics(T, v_dot);
    const auto lambda = mechanism.multipliers(T, v_dot);
    const auto near = [&](std::span<const double> a, std::span<const double> b, const char* what) {
        ASSERT_EQ(a.size(), b.size());
        double largest = 0.0, worst = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            largest = std::max(largest, std::abs(b[i]));
            worst = std::max(worst, std::abs(a[i] - b[i]));
        }
        EXPECT_LE(worst, relative * largest) << what;
    };
    near(derivatives.v_dot(), v_dot, "v_dot");
    near(derivatives.multipliers(), lambda, "multipliers");
}

// The four-bar of tests/golden/golden.json, whose numbers come from another road: a cut loop and Lagrange's equations.
TEST(FourBarByTheCutLoop, accelerations_pin_force_and_linear_model)
{
    std::ifstream file(SWEEPDYN_TEST_DATA "/golden/golden.json");
    const nlohmann::json golden = nlohmann::json::parse(file).at(5);
    ASSERT_EQ(golden["name"], "fourbar");
    const auto list = [&](const char* name) { return golden[name].get<std::vector<double>>(); };
    const auto near = [](std::span<const double> got, const std::vector<double>& expected, const char* what) {
        ASSERT_EQ(got.size(), expected.size()) << what;
        for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_NEAR(got[i], expected[i], 1e-11 * std::abs(expected[0])) << what;
    };
    ClosedDerivatives derivatives(test::closed_golden("four_bar").model);
    derivatives.prefer_independent(std::vector<int>{0});
    derivatives.set(list("theta"), list("thetadot"), list("T"));
    near(derivatives.v_dot(), list("thetadd"), "v_dot");
    near(derivatives.multipliers(), list("pin_force_on_coupler_in_coupler_frame"), "pin force");
    EXPECT_NEAR(-derivatives.B_C()[0], golden["d_thdd1_d_theta1"][0][0], 1e-10);
    EXPECT_NEAR(-derivatives.A_C()[0], golden["d_thdd1_d_thetadot1"][0][0], 1e-11);
    EXPECT_NEAR(derivatives.M_inverse()[0], golden["d_thdd1_dT"][0][0], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, ClosedDerivativesGolden, testing::ValuesIn(test::closed_names()),
                         [](const auto& test) { return test.param; });

} // namespace
} // namespace sweepdyn
