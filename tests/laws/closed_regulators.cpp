// Regulators of mechanisms with loops, designed on their linear models and tried on the mechanisms themselves: K is optimal (X of
// F'X + X F + Q + K'R K = 0 has R K = B'X), and what the regulated mechanism does is  x(t) = exp((A - B K) t) x(0)  up to terms of second
// order: a tenth of the way off, a hundredth of the difference.
#include <gtest/gtest.h>

#include <unsupported/Eigen/KroneckerProduct>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/friction.hpp"
#include "support/linear.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::test {
namespace {

struct Regulated {
    Model model;
    std::vector<int> independent; // the states, in order
    StateSpace system;
    Gain gain;
    Controller law;
};

Matrix of_effort(double effort, int inputs)
{
    Matrix R = Matrix::identity(inputs);
    view(R) *= effort;
    return R;
}

Regulated regulated(const std::string& name, const Numbers& guess, const std::vector<std::string>& driven,
                    double effort)
{
    Model model = load_model(std::string(SWEEPDYN_MODELS) + "/" + name + ".json");
    OperatingPoint at(model);
    at.q = assembled(model, guess.empty() ? at.q : guess);
    TrimOptions trim;
    LinearizeOptions how;
    for (const std::string& dof : driven)
        trim.inputs.push_back("T:" + dof);
    how.inputs = trim.inputs;
    how.independent = driven;
    const Trim held = trim_forces(model, at, trim);
    StateSpace system = linearize(model, held.point, how);
    const int n = system.num_states(), m = system.num_inputs();
    const Gain gain = lqr(system, Matrix::identity(n), of_effort(effort, m));
    Regulator regulator{gain.K,       system.states, system.inputs,          held.point.q,
                        held.point.v, held.u,        gain.closed_loop_poles, {}};
    std::vector<int> independent;
    for (const std::string& dof : driven)
        independent.push_back(model.dof(dof));
    Controller law = controller(model, regulator);
    return {std::move(model), independent, std::move(system), gain, std::move(law)};
}

// The farthest that the mechanism, let go s off along all states, is from what the linear model says, in two seconds.
double beyond_linear(const Regulated& c, double s)
{
    const auto m = c.independent.size();
    OperatingPoint at(c.model);
    std::vector<double> d(static_cast<std::size_t>(c.model.num_dofs()), 0.0);
    VectorXd x = VectorXd::Zero(static_cast<Eigen::Index>(2 * m));
    for (std::size_t i = 0; i < m; ++i)
        d[c.independent[i]] = x[static_cast<Eigen::Index>(i)] = s * std::cos(1.0 + static_cast<double>(i));
    Numbers q(c.system.q0.size());
    integrate<double>(c.model, c.system.q0, d, q);
    AssemblyOptions how;
    for (int j : c.independent)
        how.hold.push_back(c.model.dof_names()[static_cast<std::size_t>(j)]);
    q = assembled(c.model, q, how);
    PlantOptions options;
    options.controller = c.law;
    Plant plant(c.model, options);
    const Simulation done =
        run(plant, {0.0, q, Numbers(d.size(), 0.0)}, 2.0, {}, Method::adaptive, {"q:*"}, 1e-11);
    const MatrixXd F = dense(c.system.A) - dense(c.system.B) * dense(c.gain.K);
    double worst = 0.0;
    for (std::size_t row = 0; row < done.recording.num_rows(); row += 20) {
        const VectorXd expected = (F * done.recording(row, 0)).exp() * x;
        for (std::size_t i = 0; i < m; ++i) {
            const std::string name = "q:" + how.hold[i];
            const double q0 = c.system.y0[static_cast<std::size_t>(
                std::find(c.system.outputs.begin(), c.system.outputs.end(), name) -
                c.system.outputs.begin())];
            worst = worse(worst, std::abs(done.recording(row, column(done.recording, name)) - q0 -
                                          expected[static_cast<Eigen::Index>(i)]));
        }
    }
    return worst;
}

TEST(ClosedRegulators, AreOptimalAndHoldTheMechanism)
{
    const std::vector<std::string> legs{"slide_1", "slide_2", "slide_3", "slide_4", "slide_5", "slide_6"};
    // effort: R, such that the gripper's small inertia is not turned round in microseconds
    for (const auto& [name, guess, driven, effort] :
         {std::tuple{"four_bar", Numbers{1.0, 0.0, 1.0}, std::vector<std::string>{"crank"}, 1.0},
          {"stewart", Numbers{}, legs, 1.0},
          {"gripper", Numbers{}, {"rotor"}, 1e6}}) {
        SCOPED_TRACE(name);
        const Regulated c = regulated(name, guess, driven, effort);
        const MatrixXd A = dense(c.system.A), B = dense(c.system.B), K = dense(c.gain.K), F = A - B * K;
        const Eigen::Index n = A.rows();
        ASSERT_EQ(n, 2 * std::ssize(driven));
        const MatrixXd W = MatrixXd::Identity(n, n) + effort * K.transpose() * K,
                       one = MatrixXd::Identity(n, n);
        const MatrixXd both = Eigen::kroneckerProduct(one, F.transpose()).eval() +
                              Eigen::kroneckerProduct(F.transpose(), one).eval();
        const VectorXd flat = both.partialPivLu().solve(-VectorXd::Map(W.data(), W.size()));
        const MatrixXd X = MatrixXd::Map(flat.data(), n, n);
        expect_equal("R K = B' X", name, MatrixXd(B.transpose() * X), MatrixXd(effort * K),
                     {.tolerance = 1e-9});
        for (const auto& pole : c.gain.closed_loop_poles)
            EXPECT_LT(pole.real(), -1e-3);
        const double s = 1e-4, off = beyond_linear(c, s), tenth = beyond_linear(c, 0.1 * s);
        EXPECT_LT(off, 1e-3 * s);
        EXPECT_LT(tenth, off / 80.0 + 1e-12); // rounding: the gripper is linear but for that
    }
}

} // namespace
} // namespace sweepdyn::test
