// Linear models changed: motors before the inputs, states that a regulator has no business with, gains that follow the state.
#include "support/linear.hpp"
#include "sweepdyn/control/actuators.hpp"
#include "sweepdyn/control/gain_schedule.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/reduce.hpp"
#include "sweepdyn/linear/poles.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn::test {
namespace {

StateSpace arm() // one hinge with friction, held against gravity by 3 N m, turning at 2 rad/s
{
    StateSpace out = named(rows({{0, 1}, {-4, -0.5}}), rows({{0}, {2}}), {"q:elbow", "v:elbow"});
    out.inputs = {"T:elbow"};
    out.u0 = {3.0};
    out.x0 = {0.1, 2.0};
    out.D = rows({{0}, {7}});
    return out;
}

TEST(Actuators, MotorBehindAGear)
{
    const StateSpace found = with_actuators(arm(), {{"T:elbow", 0.05, 100.0, 0.001}});
    EXPECT_EQ(found.states, (std::vector<std::string>{"q:elbow", "v:elbow", "motor:elbow"}));
    EXPECT_EQ(found.inputs, std::vector<std::string>{"command:elbow"});
    expect_equal("A", "motor", found.A,
                 rows({{0, 1, 0}, {-4, -0.5, 2}, {0, -100 * 100 * 0.001 / 0.05, -20}}));
    expect_equal("B", "motor", found.B, rows({{0}, {0}, {2000}}));
    expect_equal("C", "motor", found.C, rows({{1, 0, 0}, {0, 1, 7}}));
    expect_equal("D", "motor", found.D, Matrix(2, 1));
    EXPECT_EQ(found.x0.back(), 3.0);
    EXPECT_NEAR(found.u0[0], 3.0 / 100 + 0.001 * 100 * 2.0, 1e-15);
    // A motor at rest at the operating point: 0 = gear (u0 - drop gear v0) - T0
    EXPECT_NEAR(100.0 * (found.u0[0] - 0.001 * 100.0 * 2.0), 3.0, 1e-13);
}

TEST(Actuators, AFastMotorIsNone)
{
    const StateSpace found = with_actuators(arm(), {{"T:elbow", 1e-7, 1.0, 0.0}});
    const auto fast = poles(found), none = poles(arm());
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LT(std::abs(fast[i].s - none[i].s), 1e-6);
    EXPECT_NEAR(fast[2].s.real(), -1e7, 1.0);
}

TEST(Actuators, Refused)
{
    EXPECT_EQ(words_of<UsageError>([] { with_actuators(arm(), {{"T:elbo", 0.1}}); }),
              "with_actuators: unknown input 'T:elbo'; did you mean 'T:elbow'?");
    EXPECT_NE(
        words_of<UsageError>([] { with_actuators(arm(), {{"T:elbow", 0.0}}); }).find("the time constant 0 s"),
        std::string::npos);
    EXPECT_EQ(words_of<UsageError>([] { with_actuators(arm(), {{"T:elbow", 0.1}, {"T:elbow", 0.1}}); }),
              "with_actuators: T:elbow has two motors, expected one");
}

// A spacecraft with two arms on slides, along one line: base (mass 10), arms (1 and 2) on springs, forces between base and arms.
StateSpace spacecraft()
{
    MatrixXd M(3, 3), P = MatrixXd::Zero(3, 3),
                      S = MatrixXd::Zero(3, 2); // velocities: base, arms relative to it
    M << 13, 1, 2, 1, 1, 0, 2, 0, 2;
    P(1, 1) = -5, P(2, 2) = -7; // unstable arms
    S(1, 0) = S(2, 1) = 1;
    MatrixXd A = MatrixXd::Zero(6, 6), B = MatrixXd::Zero(6, 2);
    A.topRightCorner(3, 3).setIdentity();
    A.bottomLeftCorner(3, 3) = -M.inverse() * P;
    B.bottomRows(3) = M.inverse() * S;
    StateSpace out =
        named(matrix(A), matrix(B), {"q:base", "q:left", "q:right", "v:base", "v:left", "v:right"});
    out.inputs = {"T:left", "T:right"};
    return out;
}

TEST(Reduce, FreeFloatingBase)
{
    const StateSpace system = spacecraft();
    const Reduced found = reduce(system);
    EXPECT_EQ(found.ignorable, std::vector<std::string>{"q:base"});
    EXPECT_EQ(found.conserved, std::vector<std::string>{"v:base"});
    EXPECT_EQ(found.system.states, (std::vector<std::string>{"q:left", "q:right", "v:left", "v:right"}));
    EXPECT_EQ(found.system.notes,
              (std::vector<std::string>{"dropped, nothing depends on it: q:base",
                                        "dropped, a conserved momentum tells it: v:base"}));
    // The poles of the whole are those of the rest, and two zeros.
    auto all = pole_values(found.system.A);
    all.insert(all.end(), {0.0, 0.0});
    EXPECT_LT(pole_distance(all, pole_values(system.A)), 1e-12);
    // Momentum: v:base = -(v:left + 2 v:right) / 13, as an output
    expect_equal("v:base of the rest", "spacecraft", MatrixXd(dense(found.system.C).row(3)),
                 (MatrixXd(1, 4) << 0, 0, -1.0 / 13, -2.0 / 13).finished());

    // The whole is refused, the rest is regulated, and its gain serves the whole.
    const Matrix R = Matrix::identity(2);
    EXPECT_NE(words_of<RefusedError>([&] { lqr(system, Matrix::identity(6), R); }), "");
    const Gain gain = lqr(found.system, Matrix::identity(4), R);
    MatrixXd K = MatrixXd::Zero(2, 6);
    K.middleCols(1, 2) = dense(gain.K).leftCols(2);
    K.rightCols(2) = dense(gain.K).rightCols(2);
    auto closed = gain.closed_loop_poles;
    closed.insert(closed.end(), {0.0, 0.0});
    EXPECT_LT(pole_distance(closed, pole_values(matrix(dense(system.A) - dense(system.B) * K))), 1e-9);
}

TEST(Reduce, NothingToDropLeavesAll)
{
    const Reduced found = reduce(arm());
    EXPECT_TRUE(found.ignorable.empty() && found.conserved.empty() && found.system.notes.empty());
    EXPECT_EQ(found.system.A, arm().A);
    EXPECT_EQ(found.system.C, arm().C);
    EXPECT_EQ(found.system.x0, arm().x0);
}

TEST(Reduce, AFreeWheelLosesItsAngleAndADrivenOneNothing)
{
    // Two wheels with friction, a motor on the first: nothing depends on either angle, but one of them can be held.
    StateSpace wheels = named(rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, -1, 0}, {0, 0, 0, -2}}),
                              rows({{0}, {0}, {1}, {0}}), {"q:driven", "q:free", "v:driven", "v:free"});
    wheels.inputs = {"T:driven"};
    const Reduced found = reduce(wheels);
    EXPECT_EQ(found.ignorable, std::vector<std::string>{"q:free"});
    EXPECT_TRUE(found.conserved.empty());
    EXPECT_EQ(lqr(found.system, Matrix::identity(3), rows({{1}})).warnings.at(0),
              "the mode at -2 in v:free stays where it is: no input reaches it");
}

TEST(Reduce, WithoutSpringsTheArmsKeepTheirCoordinates)
{
    StateSpace system = spacecraft(); // nothing depends on any coordinate now
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 6; ++i)
            system.A(i, j) = 0.0;
    const Reduced found = reduce(system);
    EXPECT_EQ(found.ignorable, std::vector<std::string>{"q:base"});
    EXPECT_EQ(found.conserved, std::vector<std::string>{"v:base"});
    EXPECT_TRUE(lqr(found.system, Matrix::identity(4), Matrix::identity(2)).warnings.empty());
}

TEST(GainSchedule, StraightBetween)
{
    const GainSchedule schedule(
        {{0.0, rows({{1, 2}}), {10}}, {1.0, rows({{3, 6}}), {20}}, {3.0, rows({{5, 8}}), {0}}});
    EXPECT_EQ(schedule.at(0.5).K, rows({{2, 4}}));
    EXPECT_EQ(schedule.at(0.5).u0, std::vector<double>{15});
    EXPECT_EQ(schedule.at(2.0).K, rows({{4, 7}}));
    EXPECT_EQ(schedule.at(-9.0).K, rows({{1, 2}}));
    EXPECT_EQ(schedule.at(9.0).K, rows({{5, 8}}));
    EXPECT_EQ(schedule.at(1.0).K, rows({{3, 6}}));
    EXPECT_EQ(words_of<UsageError>([] { GainSchedule({{1.0, rows({{1}}), {0}}, {1.0, rows({{1}}), {0}}}); }),
              "GainSchedule: gain 1 is at 1, expected above 1");
}

TEST(GainSchedule, SuccessiveLinearization)
{
    // A pendulum by hand: d_dd = -cos(q0) d + u. Designed anew only after 0.1 rad.
    const Model model = *generate_model("chain:1");
    bool reachable = true;
    SuccessiveLinearization successive(
        model,
        [&](std::span<const double> q, std::span<const double>) {
            return named(rows({{0, 1}, {-std::cos(q[0]), 0}}), rows({{0}, {reachable ? 1.0 : 0.0}}),
                         {"q:a", "v:a"});
        },
        [](const StateSpace& system) { return lqr(system, Matrix::identity(2), rows({{1}})); });
    const double v[] = {0.0};
    const auto at = [&](double q) { successive.update(std::span(&q, 1), v); };
    at(0.0);
    const Matrix first = successive.gain().K;
    at(0.05);
    EXPECT_EQ(successive.designs(), 1);
    EXPECT_EQ(successive.gain().K, first);
    at(2.0);
    EXPECT_EQ(successive.designs(), 2);
    EXPECT_EQ(successive.gain().K, lqr(successive.system(), Matrix::identity(2), rows({{1}})).K);
    reachable = false;
    at(2.5); // an undamped or unstable pendulum without a motor: the gain before it still serves
    EXPECT_EQ(successive.designs(), 2);
    EXPECT_NE(successive.gain().warnings.back().find(
                  "the gain of an earlier state still serves: lqr: no input reaches it"),
              std::string::npos);
}

} // namespace
} // namespace sweepdyn::test
