// The descriptor form against the ordinary linear model of the same mechanism, which tests/golden holds to 40 digits:
//
//     det(s E - A) / det(s - A_ind) does not depend on s            the finite eigenvalues are the poles, with their multiplicities
//     C (s E - A)^-1 B + D = C_ind (s - A_ind)^-1 B_ind + D_ind     of all outputs: motions, sensors, reactions, loop forces
#include "sweepdyn/linear/descriptor.hpp"

#include <complex>
#include <map>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "support/closed_golden.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

constexpr Complex places[] = {{0.7, 1.3}, {0.0, 10.0}, {-3.0, 0.4}, {25.0, 60.0}};

// log of a determinant, whatever its size.
Complex log_determinant(const MatrixXcd& A)
{
    const Eigen::PartialPivLU<MatrixXcd> lu(A);
    Complex sum = std::log(Complex(static_cast<double>(lu.permutationP().determinant())));
    for (Eigen::Index i = 0; i < A.rows(); ++i)
        sum += std::log(lu.matrixLU()(i, i));
    return sum;
}

MatrixXcd transfer(const MatrixXd& E, const StateSpace& of, Complex s)
{
    const MatrixXcd pencil = s * E.cast<Complex>() - dense(of.A).cast<Complex>();
    return dense(of.C).cast<Complex>() * pencil.partialPivLu().solve(dense(of.B).cast<Complex>()) +
           dense(of.D).cast<Complex>();
}

struct Seen {
    double poles = 0.0, transfer = 0.0; // the largest errors, relative
};
Seen compare(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
{
    const DescriptorSystem form = descriptor(model, point, options);
    const StateSpace ordinary = linearize(model, point, options);
    const int n = model.num_dofs(), m = ordinary.num_states();
    EXPECT_EQ(form.num_finite_poles, m);
    EXPECT_EQ(form.system.inputs, ordinary.inputs);
    EXPECT_EQ(form.system.outputs, ordinary.outputs);
    EXPECT_EQ(form.system.y0, ordinary.y0);
    EXPECT_EQ(form.system.states.size(), static_cast<std::size_t>(form.num_states()));
    EXPECT_EQ(form.system.x0.size(), static_cast<std::size_t>(form.num_states()));
    const MatrixXd E = dense(form.E), one = MatrixXd::Identity(m, m);
    EXPECT_EQ(E.bottomRows(form.num_states() - 2 * n).cwiseAbs().sum(), 0.0);
    Seen seen;
    std::vector<Complex> ratios; // logarithms
    for (const Complex s : places) {
        ratios.push_back(log_determinant(s * E.cast<Complex>() - dense(form.system.A).cast<Complex>()) -
                         log_determinant(s * one.cast<Complex>() - dense(ordinary.A).cast<Complex>()));
        seen.poles = std::max(seen.poles, std::abs(std::exp(ratios.back() - ratios.front()) - 1.0));
        const MatrixXcd got = transfer(E, form.system, s), expected = transfer(one, ordinary, s);
        // Relative to the largest number of its kind; what cannot move (a slider at its dead centre) to all.
        std::map<std::string, double> largest;
        const auto kind = [](const std::string& name) { return name.substr(0, name.find(':')); };
        const double least = 1e-3 * expected.cwiseAbs().maxCoeff();
        for (Eigen::Index i = 0; i < got.rows(); ++i) {
            double& of = largest[kind(ordinary.outputs[static_cast<std::size_t>(i)])];
            of = std::max({of, least, expected.row(i).cwiseAbs().maxCoeff()});
        }
        for (Eigen::Index i = 0; i < got.rows(); ++i) {
            const std::string& name = ordinary.outputs[static_cast<std::size_t>(i)];
            const double error = (got.row(i) - expected.row(i)).cwiseAbs().maxCoeff() / largest[kind(name)];
            EXPECT_LE(error, 1e-9) << name << " at s = " << s;
            seen.transfer = std::max(seen.transfer, error);
        }
    }
    EXPECT_LE(seen.poles, 1e-9);
    return seen;
}

class DescriptorGolden : public testing::TestWithParam<std::string> {};

TEST_P(DescriptorGolden, is_the_ordinary_model)
{
    const test::ClosedGolden golden = test::closed_golden(GetParam());
    OperatingPoint point(golden.model);
    point.q = golden.q, point.v = golden.v, point.T = golden.T;
    LinearizeOptions options;
    const std::string last = golden.model.bodies().back().name;
    options.inputs = {"T:*", "wrench:" + last};
    options.outputs = {"q:*", "v:*", "pose:" + last, "acceleration:" + last, "reaction:*", "loop:*"};
    for (int j : golden.json["independent_velocity"].get<std::vector<int>>())
        options.independent.push_back(golden.model.dof_names()[static_cast<std::size_t>(j)]);
    const Seen seen = compare(golden.model, point, options);
    std::printf("descriptor of %s: poles %.1e, transfer function %.1e\n", GetParam().c_str(), seen.poles,
                seen.transfer);
}

INSTANTIATE_TEST_SUITE_P(All, DescriptorGolden, testing::ValuesIn(test::closed_names()),
                         [](const auto& test) { return test.param; });

// A soft finger may turn about its normal at will where the linkage is planar: its row of velocities is redundant, but for rounding, whichever way it
// looks in that plane, and has no multiplier.
TEST(Descriptor, rows_that_are_rounding_have_no_multiplier)
{
    const test::ClosedGolden golden = test::closed_golden("four_bar_3d_5dof_closure");
    for (int k = 0; k < 24; ++k) {
        nlohmann::json file = golden.json;
        nlohmann::json& loop = file["loops"][0];
        loop["kind"] = "soft_finger";
        const double a = 2.0 * 3.141592653589793 * k / 24.0;
        const Eigen::Vector3d z(std::cos(a), std::sin(a), 0), x(0, 0, 1), y = z.cross(x);
        for (const char* key : {"rotation_a", "rotation_b"}) {
            Eigen::Matrix3d R, turned;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    R(i, j) =
                        loop[key][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
            turned << R * x, R * y, R * z;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    loop[key][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = turned(i, j);
        }
        const Model model = parse_native(file.dump(), "finger.json");
        OperatingPoint point(model);
        point.q = golden.q, point.v = golden.v, point.T = golden.T;
        LinearizeOptions options;
        options.inputs = {"T:*"};
        options.outputs = {"q:*", "v:*"};
        SCOPED_TRACE(k);
        EXPECT_EQ(descriptor(model, point, options).num_states(), 8);
        compare(model, point, options);
    }
}

OperatingPoint hanging_four_bar(const Model& model)
{
    OperatingPoint point(model);
    point.q = test::closed_golden("four_bar").q;
    for (double& angle : point.q)
        angle = -angle; // its image below the ground link
    return trim_pose(model, point).point;
}

// In equilibrium nothing depends on the choice of independent dofs, and the matrices are those of the textbook.
TEST(Descriptor, of_an_equilibrium_needs_no_choice)
{
    const Model model = test::closed_golden("four_bar").model;
    const OperatingPoint point = hanging_four_bar(model);
    const DescriptorSystem form = descriptor(model, point, {.independent = {"crank"}}),
                           other = descriptor(model, point, {.independent = {"rocker"}});
    const std::vector<std::string> states{"q:crank",   "q:coupler", "q:rocker",       "v:crank",
                                          "v:coupler", "v:rocker",  "lambda:loop0.0", "lambda:loop0.1"};
    EXPECT_EQ(form.system.states, states);
    const MatrixXd A = dense(form.system.A);
    EXPECT_LE((A - dense(other.system.A)).cwiseAbs().maxCoeff(), 1e-9 * A.cwiseAbs().maxCoeff());
    EXPECT_LE(A.topLeftCorner(3, 3).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_EQ(A.block(0, 3, 3, 3), MatrixXd::Identity(3, 3));
    EXPECT_EQ(A.block(3, 6, 3, 2), A.block(6, 0, 2, 3).transpose()); // J', J
    EXPECT_EQ(A.block(6, 3, 2, 5).cwiseAbs().maxCoeff(), 0.0);
    for (double rate : form.system.f0)
        EXPECT_NEAR(rate, 0.0, 1e-8);

    // QZ: two finite eigenvalues, +-i w, and 3 x 2 that are infinite, a chain of three per row.
    Eigen::GeneralizedEigenSolver<MatrixXd> qz(A, dense(form.E), false);
    std::vector<Complex> finite;
    for (Eigen::Index i = 0; i < A.rows(); ++i)
        if (std::abs(qz.betas()[i]) > 1e-3 * std::abs(qz.alphas()[i]))
            finite.push_back(qz.alphas()[i] / qz.betas()[i]);
    ASSERT_EQ(finite.size(), 2u);
    const MatrixXd A_ind = dense(linearize(model, point).A);
    const double w = std::sqrt(-A_ind(1, 0));
    for (const Complex pole : finite) {
        EXPECT_NEAR(std::abs(pole.imag()), w, 1e-9 * w);
        EXPECT_NEAR(pole.real(), 0.0, 1e-9 * w);
    }
}

TEST(Descriptor, leaves_out_rows_that_others_say)
{
    const test::ClosedGolden golden = test::closed_golden("planetary_redundant");
    OperatingPoint point(golden.model);
    point.q = golden.q, point.v = golden.v, point.T = golden.T;
    const DescriptorSystem form = descriptor(golden.model, point);
    const int rows = static_cast<int>(form.system.states.size()) - 2 * golden.model.num_dofs();
    EXPECT_EQ(rows, golden.model.num_dofs() - form.num_finite_poles / 2);
    EXPECT_LT(rows, static_cast<int>(golden.model.loops().size()));
    ASSERT_FALSE(form.system.notes.empty());
    EXPECT_TRUE(form.system.notes[0].starts_with("rows left out, since others say the same: "))
        << form.system.notes[0];
    EXPECT_TRUE(form.system.notes[0].ends_with("; their multipliers count as zero"));
}

TEST(Descriptor, of_a_tree_has_the_mass_matrix_on_the_left)
{
    const Model arm = *generate_model("chain:4");
    OperatingPoint point(arm);
    point.q = {0.3, -0.5, 0.8, 0.2}, point.v = {0.1, 0.4, -0.3, 0.7}, point.T = {1, 2, 3, 4};
    const LinearizeOptions options{.outputs = {"q:*", "v:*", "acceleration:" + arm.bodies().back().name}};
    compare(arm, point, options);
    const DescriptorSystem form = descriptor(arm, point, options);
    const StateSpace ordinary = linearize(arm, point, options);
    const MatrixXd solved = dense(form.E).partialPivLu().solve(dense(form.system.A));
    EXPECT_LE((solved - dense(ordinary.A)).cwiseAbs().maxCoeff(),
              1e-11 * dense(ordinary.A).cwiseAbs().maxCoeff());
}

// What the model does by itself is the state's own motion: E (v, v_dot, 0).
TEST(Descriptor, goes_on_as_the_state_does)
{
    const test::ClosedGolden golden = test::closed_golden("two_arms_box");
    OperatingPoint point(golden.model);
    point.q = golden.q, point.v = golden.v, point.T = golden.T;
    const DescriptorSystem form = descriptor(golden.model, point);
    const auto v_dot = golden.json["outputs"]["vdot"].get<std::vector<double>>();
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(form.num_states());
    for (std::size_t j = 0; j < v_dot.size(); ++j) {
        rate[static_cast<Eigen::Index>(j)] = golden.v[j];
        rate[static_cast<Eigen::Index>(v_dot.size() + j)] = v_dot[j];
    }
    const Eigen::VectorXd expected = dense(form.E) * rate;
    for (Eigen::Index i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(form.system.f0[static_cast<std::size_t>(i)], expected[i],
                    1e-11 * expected.cwiseAbs().maxCoeff());
}

} // namespace
} // namespace sweepdyn
