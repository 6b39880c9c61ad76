// The linear model against the mechanism itself: what it leaves out is of second order, so its error
//
//     e(h) = | FD(x0 + h dx, u0 + h du) - v_dot0 - h (A dx + B du) | = h^2 e2 + h^3 e3 + ...
//
// falls by four when h is halved; an error of A or B would make it fall by two. At h = 1e-5 it is of the order of 1e-10, and
// doubles leave 1e-16 of the terms at play times the condition of M: on arm7 the factor comes out as 1.9 so. Hence the mechanism
// runs in long double. A and B are the library's doubles, whose rounding enters only times h.
// And A and B of two links against SymPy's (tests/data/linear/two_link_symbolic.py).
#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/dynamics/passive_forces.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

using L = long double;
using Long = std::vector<L>;

OperatingPoint point_of(const Case& c)
{
    OperatingPoint out(c.model);
    out.q = c.q, out.v = c.v, out.T = c.T;
    return out;
}

constexpr L tolerance = 0.02; // of four: h e3/e2 at h = 1e-3; half a percent

// Along one direction dx, du of unit size.
class Errors {
public:
    explicit Errors(const Case& c)
        : case_(c),
          n_(c.v.size()),
          system_(linearize(c.model, point_of(c))),
          stages_(c.model)
    {
        Random random(11);
        direction_ = random_numbers(random, static_cast<int>(3 * n_), 1.0); // dq, dv, du
        at_rest_ = v_dot(0);
    }

    StateSpace& system() { return system_; }

    L at(L h)
    {
        const Long moved = v_dot(h);
        L out = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            L linear = 0;
            const auto row = static_cast<int>(n_ + i);
            for (std::size_t j = 0; j < 3 * n_; ++j) {
                const auto column = static_cast<int>(j);
                const auto states = static_cast<int>(2 * n_);
                linear += L(column < states ? system_.A(row, column) : system_.B(row, column - states)) *
                          direction_[j];
            }
            const L error = moved[i] - at_rest_[i] - h * linear;
            out += error * error;
        }
        return std::sqrt(out);
    }

    // e(h) / e(h/2) for h from 1e-3 to below 1e-5: the one farthest from four.
    L worst_factor()
    {
        L worst = 4;
        for (L h = 1e-3L; h > 1e-5L; h /= 2)
            if (const L factor = at(h) / at(h / 2); !(std::abs(factor - 4) <= std::abs(worst - 4)))
                worst = factor;
        return worst;
    }

private:
    Long v_dot(L h)
    {
        Long q(case_.q.begin(), case_.q.end()), v(case_.v.begin(), case_.v.end()), T(n_), passive(n_),
            step(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            step[i] = h * direction_[i];
            v[i] += h * direction_[n_ + i];
        }
        integrate<L>(case_.model, q, step, q);
        passive_forces<L>(case_.model, v, 0.0, passive);
        for (std::size_t i = 0; i < n_; ++i)
            T[i] = case_.T[i] + h * direction_[2 * n_ + i] - passive[i];
        stages_.set(q, v);
        return stages_.forward(T);
    }

    Case case_;
    std::size_t n_;
    StateSpace system_;
    Stages<L> stages_;
    Numbers direction_;
    Long at_rest_;
};

// An arm, a floating robot, and spherical hinges alone and in the middle of a tree.
std::vector<Case> tried()
{
    std::vector<Case> out;
    for (const Case& c : model_cases())
        if (c.model.name() == "arm7" || c.model.name() == "quadruped")
            out.push_back(c);
    for (const Case& c : hinge_cases())
        if (c.where.find("spherical") != std::string::npos && c.where.find("random") != std::string::npos)
            out.push_back(c);
    return out;
}

TEST(LinearModelError, FallsByFourWhenThePerturbationIsHalved)
{
    if (std::numeric_limits<L>::digits < 64)
        GTEST_SKIP() << "long double has " << std::numeric_limits<L>::digits << " bits here";
    const std::vector<Case> cases = tried();
    ASSERT_GE(cases.size(), 8u);
    for (const Case& c : cases) {
        Errors errors(c);
        EXPECT_NEAR(errors.worst_factor(), 4, tolerance) << c.where;
    }
}

// The test above can fail: it sees a thousandth of the largest entry of a row of A, added to another.
TEST(LinearModelError, ShowsAWrongModel)
{
    if (std::numeric_limits<L>::digits < 64)
        GTEST_SKIP() << "long double has " << std::numeric_limits<L>::digits << " bits here";
    for (const Case& c : tried()) {
        Errors errors(c);
        const int n = static_cast<int>(c.v.size());
        double size = 0.0;
        for (int j = 0; j < 2 * n; ++j)
            size = std::max(size, std::abs(errors.system().A(n, j)));
        errors.system().A(n, n - 1) += 1e-3 * size;
        EXPECT_GT(std::abs(errors.worst_factor() - 4), tolerance) << c.where;
    }
}

// Rows of accelerations of [A B] by tests/data/linear/two_link_symbolic.py, at theta, theta_dot, T.
struct Symbolic {
    double q[2], v[2], T[2];
    double rows[2][6];
};
constexpr Symbolic symbolic[] = {
    {{0, 0},
     {0, 0},
     {0, 0},
     {{-4.0380117647058824, 1.1537176470588235, 0, 0, 0.017647058823529412, -0.029411764705882353},
      {3.4611529411764706, -5.1917294117647059, 0, 0, -0.029411764705882353, 0.082352941176470588}}},
    {{0.3, -0.7},
     {0.4, 1.1},
     {5, -3},
     {{-3.7781531892491312, 0.62559097460652595, -0.70592666392574153, -0.62142966417607186,
       0.016077113799857239, -0.024274750389126868},
      {2.6937882407603478, -3.1605973362399184, 1.4094577595854475, 0.93829341323733312,
       -0.024274750389126868, 0.069985652511396722}}},
    {{2.5, 1.9},
     {-3, 2},
     {-40, 60},
     {{3.5301429165509330, -0.42525450727208758, -0.19499168947396077, -0.55172659025554870,
       0.014575888701539389, -0.011434400204891854},
      {-1.7646738260021323, 0.87970207562646372, 3.9381661876689390, 0.43281495666168606,
       -0.011434400204891854, 0.042303318678502892}}},
};

TEST(LinearModel, OfTwoLinksIsTheSymbolicOne)
{
    const Model model =
        with_gravity(load_model(std::string(SWEEPDYN_MODELS) + "/two_link.urdf"), {0, 0, -9.8066});
    for (const Symbolic& s : symbolic) {
        OperatingPoint point(model);
        point.q.assign(s.q, s.q + 2), point.v.assign(s.v, s.v + 2), point.T.assign(s.T, s.T + 2);
        const StateSpace system = linearize(model, point);
        MatrixXd got(2, 6), expected(2, 6);
        got << dense(system.A).bottomRows(2), dense(system.B).bottomRows(2);
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 6; ++j)
                expected(i, j) = s.rows[i][j];
        expect_equal("[A B]", "two_link at " + std::to_string(s.q[0]), got, expected, {.tolerance = 1e-14});
    }
}

} // namespace
} // namespace sweepdyn::test
