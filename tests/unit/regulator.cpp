// Regulators: T = u0 - K x of the named states, on every kind of hinge, and their way through JSON.
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/compare.hpp"
#include "sweepdyn/io/results/regulator.hpp"
#include "sweepdyn/io/results/state.hpp"

namespace sweepdyn::test {
namespace {

// Every state and input of the model, in a shuffled order, with random gains.
Regulator random_regulator(const Case& c)
{
    Random random(3);
    Regulator out;
    const auto dofs = c.model.dof_names();
    for (std::size_t j = dofs.size(); j-- > 0;) {
        out.states.push_back("v:" + dofs[j]);
        out.states.push_back("q:" + dofs[j]);
        if (j % 2 == 0)
            out.inputs.push_back("T:" + dofs[j]);
    }
    out.K = Matrix(static_cast<int>(out.inputs.size()), static_cast<int>(out.states.size()));
    for (double& k : out.K.values())
        k = random.uniform(-1, 1);
    out.q0 = Numbers(c.q.size());
    random_configuration(c.model, 9, out.q0);
    out.v0 = random_numbers(random, c.model.num_dofs(), 1.0);
    out.u0 = random_numbers(random, static_cast<int>(out.inputs.size()), 1.0);
    out.closed_loop_poles = {{-1.0, 2.5}, {-1.0, -2.5}};
    out.warnings = {"slow \"pole\""};
    return out;
}

TEST(Regulators, AreStateFeedbackByName)
{
    for (const Case& c : hinge_cases()) {
        if (c.v.empty())
            continue;
        const Regulator regulator = random_regulator(c);
        const std::size_t n = c.v.size();
        Numbers d(n), T(n), expected(n, 0.0);
        difference<double>(c.model, regulator.q0, c.q, d);
        for (int i = 0; i < regulator.K.rows(); ++i) {
            // inputs are the even dofs, from the last on; states v, q of each dof, from the last on
            const std::size_t dof = (n - 1) / 2 * 2 - 2 * static_cast<std::size_t>(i);
            expected[dof] = regulator.u0[static_cast<std::size_t>(i)];
            for (std::size_t j = 0; j < n; ++j) {
                const int column = 2 * static_cast<int>(n - 1 - j);
                expected[dof] -=
                    regulator.K(i, column) * (c.v[j] - regulator.v0[j]) + regulator.K(i, column + 1) * d[j];
            }
        }
        const Controller law = controller(c.model, regulator, 0.01);
        EXPECT_EQ(law.sample_time, 0.01);
        law.forces(0.0, c.q, c.v, T);
        expect_equal("T = u0 - K x", c.where, T, expected, {.terms = 1.0});
    }
}

// A wrench on a frame does the work of the hinge forces J' w.
TEST(Regulators, PushFrames)
{
    for (const Case& c : hinge_cases()) {
        if (c.v.empty())
            continue;
        const std::string frame = c.model.bodies().back().name;
        Regulator regulator = random_regulator(c);
        regulator.inputs.clear();
        for (const char* part : {".mx", ".my", ".mz", ".fx", ".fy", ".fz"})
            regulator.inputs.push_back("wrench:" + frame + part);
        regulator.K = Matrix(6, static_cast<int>(regulator.states.size())); // w = u0
        Random random(5);
        regulator.u0 = random_numbers(random, 6, 1.0);
        Kinematics<double> kin(c.model);
        update<double>(kin, c.q, c.v);
        Numbers J(6 * c.v.size()), T(c.v.size()), expected(c.v.size(), 0.0);
        frame_jacobian<double>(kin, c.model.frame(frame), J);
        for (std::size_t j = 0; j < T.size(); ++j)
            for (std::size_t i = 0; i < 6; ++i)
                expected[j] += J[6 * j + i] * regulator.u0[i];
        controller(c.model, regulator).forces(0.0, c.q, c.v, T);
        expect_equal("T = J' w", c.where, T, expected, {.terms = 1.0});
    }
}

TEST(Regulators, ComeBackFromJson)
{
    const Case& c = hinge_cases().back();
    Regulator before = random_regulator(c);
    before.sample_time = 0.004;
    before.motors = {{"T:" + c.model.dof_names()[0], 0.02, 50.0, 1e-3}};
    for (ResultLayout layout : {ResultLayout::line, ResultLayout::indented}) {
        const Regulator after =
            read_regulator(write_regulator(before, layout), "regulator", c.model.num_dofs());
        EXPECT_EQ(after.K, before.K);
        EXPECT_EQ(after.states, before.states);
        EXPECT_EQ(after.inputs, before.inputs);
        EXPECT_EQ(after.q0, before.q0);
        EXPECT_EQ(after.v0, before.v0);
        EXPECT_EQ(after.u0, before.u0);
        EXPECT_EQ(after.closed_loop_poles, before.closed_loop_poles);
        EXPECT_EQ(after.warnings, before.warnings);
        EXPECT_EQ(after.sample_time, before.sample_time);
        ASSERT_EQ(after.motors.size(), 1u);
        EXPECT_EQ(after.motors[0].input, before.motors[0].input);
        EXPECT_EQ(after.motors[0].time_constant, before.motors[0].time_constant);
        EXPECT_EQ(after.motors[0].gear, before.motors[0].gear);
        EXPECT_EQ(after.motors[0].drop, before.motors[0].drop);
    }
}

TEST(Regulators, AreRefusedWithWords)
{
    const Case& c = hinge_cases().back();
    const auto words = [&](const auto& spoil) -> std::string {
        Regulator regulator = random_regulator(c);
        spoil(regulator);
        try {
            controller(c.model, regulator);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(words([](Regulator& r) { r.q0.pop_back(); }).find("regulator: q0 has size"), 0u);
    EXPECT_EQ(words([](Regulator& r) { r.states[0] = "v:none"; }).find("regulator: unknown state 'v:none'"),
              0u);
    EXPECT_EQ(words([](Regulator& r) { r.inputs.pop_back(); }).find("regulator: rows of K has size"), 0u);
    EXPECT_NE(
        words([](Regulator& r) { r.inputs[0] = "gravity.x"; }).find("nothing that a controller can drive"),
        std::string::npos);
    EXPECT_NE(words([](Regulator& r) { r.inputs[0] = "wrench:tip.q"; }).find("no part of a wrench"),
              std::string::npos);
    EXPECT_NE(words([](Regulator& r) { r.motors = {{r.inputs[0], 0.01, 1.0, 0.0}}; }).find("has no input"),
              std::string::npos);
    EXPECT_NE(
        words([](Regulator& r) { r.motors = {{r.inputs[0], 0.0, 1.0, 0.0}}; }).find("time constant 0 s"),
        std::string::npos);
    EXPECT_NE(words([](Regulator& r) { r.states[0] = "motor:none"; }).find("unknown motor"),
              std::string::npos);
    EXPECT_THROW(read_regulator(
                     R"({"K": [], "states": [], "inputs": [], "q0": [], "motors": [{"input": 1}]})", "r", 0),
                 StateError);
    Regulator bad = random_regulator(c);
    bad.u0[0] = NAN;
    EXPECT_THROW(write_regulator(bad), RefusedError);
    EXPECT_THROW(read_regulator("[1]", "r", 1), StateError);
}

} // namespace
} // namespace sweepdyn::test
