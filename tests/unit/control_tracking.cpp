// Controllers on plants: the poles that they name are those with which the mechanism itself comes to its target.
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/linear.hpp"
#include "sweepdyn/control/gain_schedule.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/tracking_controllers.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

Model robot(const char* name) { return load_model(std::string(SWEEPDYN_MODELS) + "/" + name + ".urdf"); }

Instant ran(const Model& model, const Controller& controller, Numbers q, Numbers v, double time,
            bool passive = true)
{
    Plant plant(model, {.controller = controller, .passive = passive});
    return simulate(plant, {0.0, std::move(q), std::move(v)}, {.time = time, .step = 1e-3, .every = time})
        .last;
}

TEST(ComputedTorquePoles, AreTheRootsDofByDof)
{
    const auto found = computed_torque_poles({{25, 100, 4, 0}, {6, 20, 1e9, 3}});
    const std::vector<std::complex<double>> expected{{-3, -4}, {-3, 4}, -10, -10, -1e9, -4e-9, -3, 0};
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_LT(std::abs(found[i] - expected[i]), 1e-12 * std::abs(expected[i]) + 1e-300) << i;
    EXPECT_THROW(computed_torque_poles({{1, 2}, {1}}), UsageError);
}

// Along a motion: the error of each dof is that of its own two poles, not only near the target.
TEST(ComputedTorqueController, BringsErrorsDownByItsPoles)
{
    const Model model = robot("puma560");
    const std::size_t n = 6;
    TrackingGainValues gains{Numbers(n, 25.0), Numbers(n, 6.0)}; // -3 +- 4i
    const auto reference = [](double t) {
        TrackingReference out{Numbers(n), Numbers(n), Numbers(n)};
        for (std::size_t j = 0; j < n; ++j) {
            const double w = 1.0 + 0.2 * static_cast<double>(j);
            out.q[j] = std::sin(w * t), out.v[j] = w * std::cos(w * t), out.a[j] = -w * w * std::sin(w * t);
        }
        return out;
    };
    const double t = 0.6;
    TrackingReference start = reference(0.0), end = reference(t);
    for (double& q : start.q)
        q += 0.3;
    const Instant last =
        ran(model, computed_torque_controller(model, reference, gains), start.q, start.v, t, false);
    const std::complex<double> s = computed_torque_poles(gains)[1]; // e = e0 Re (c exp(s t)), e_d(0) = 0
    const std::complex<double> c(1.0, s.real() / s.imag());
    for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(last.q[j] - end.q[j], 0.3 * (c * std::exp(s * t)).real(), 1e-7) << j;
    gains.kd.pop_back();
    EXPECT_THROW(computed_torque_controller(model, reference, gains), UsageError);
}

TEST(PdGravityPoles, AreThoseOfTheMechanismUnderIt)
{
    for (const char* name : {"two_link", "arm7"}) {
        const Model model = robot(name);
        const auto n = static_cast<std::size_t>(model.num_dofs());
        Numbers target(n);
        random_configuration(model, 4, target);
        const TrackingGainValues gains{Numbers(n, 80.0), Numbers(n, 30.0)};
        const Controller law = pd_gravity_controller(
            model, [&](double) { return TrackingReference{target, Numbers(n), Numbers(n)}; }, gains);
        // d(v_dot)/d(q, v) of the plant under it, by central differences
        Plant plant(model, {.controller = law});
        const double h = 1e-5;
        MatrixXd A = MatrixXd::Zero(2 * static_cast<Eigen::Index>(n), 2 * static_cast<Eigen::Index>(n));
        A.topRightCorner(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)).setIdentity();
        for (std::size_t j = 0; j < 2 * n; ++j) {
            Numbers rate(n);
            for (double side : {1.0, -1.0}) {
                Instant at{0.0, target, Numbers(n)};
                (j < n ? at.q[j] : at.v[j - n]) += side * h;
                Numbers v_dot(n);
                plant.begin(at);
                plant.acceleration(0.0, at.q, at.v, v_dot);
                for (std::size_t i = 0; i < n; ++i)
                    A(static_cast<Eigen::Index>(n + i), static_cast<Eigen::Index>(j)) +=
                        side * v_dot[i] / (2 * h);
            }
        }
        EXPECT_LT(pole_distance(pd_gravity_poles(model, target, gains), eigenvalues(A)), 1e-5) << name;
    }
}

TEST(PdGravityController, ComesToItsTargetByThem)
{
    const Model model = robot("two_link");
    const TrackingGainValues gains{{400, 300}, {900, 500}};
    const Numbers target{0.4, -0.9};
    const Controller law =
        pd_gravity_controller(model, [&](double) { return TrackingReference{target, {0, 0}, {}}; }, gains);
    const auto poles = pd_gravity_poles(model, target, gains);
    double slowest = -1e9;
    for (const auto& s : poles)
        slowest = std::max(slowest, s.real());
    ASSERT_LT(slowest, -0.1);
    for (const auto& s : poles)
        ASSERT_EQ(s.imag(), 0.0);
    // In the end the slowest pole is left: the error falls by exp(s) per second.
    const double t = 12.0 / -slowest;
    const auto error = [&](double time) {
        const Instant last = ran(model, law, {0.41, -0.92}, {0, 0}, time);
        return std::hypot(last.q[0] - target[0], last.q[1] - target[1]);
    };
    EXPECT_NEAR(std::log(error(t) / error(0.75 * t)), slowest * 0.25 * t, 0.05 * 0.25 * t * -slowest);
}

// Gains of several poses on one swing of the arm itself; no gain of one pose would follow.
TEST(GainSchedule, OnAMechanism)
{
    const Model model = robot("two_link");
    const Matrix Q = matrix(1e4 * MatrixXd::Identity(4, 4)), R = matrix(0.1 * MatrixXd::Identity(2, 2));
    std::vector<ScheduledGain> gains;
    for (double angle : {0.0, 0.5, 1.0, 1.5}) {
        OperatingPoint at(model);
        at.q = {angle, 0.5};
        const Trim held = trim_forces(model, at);
        gains.push_back({angle, lqr(linearize(model, held.point), Q, R).K, held.u});
    }
    const GainSchedule schedule(gains);
    const auto to = [](double t) { return std::min(1.5, 0.5 * t); };
    const Controller law{
        [&](double t, std::span<const double> q, std::span<const double> v, std::span<double> T) {
            const ScheduledGain at = schedule.at(to(t));
            const double x[] = {q[0] - to(t), q[1] - 0.5, v[0], v[1]};
            for (int i = 0; i < 2; ++i) {
                T[static_cast<std::size_t>(i)] = at.u0[static_cast<std::size_t>(i)];
                for (int j = 0; j < 4; ++j)
                    T[static_cast<std::size_t>(i)] -= at.K(i, j) * x[j];
            }
        }};
    const Instant last = ran(model, law, {0.0, 0.5}, {0, 0}, 14.0);
    EXPECT_NEAR(last.q[0], 1.5, 1e-4);
    EXPECT_NEAR(last.q[1], 0.5, 1e-4);
}

// A pendulum of two links caught upright from hanging beside: each design is that of linearize where the arm is.
TEST(SuccessiveLinearization, OnAMechanism)
{
    const Model model = robot("two_link");
    const Matrix Q = matrix(1e4 * MatrixXd::Identity(4, 4)), R = matrix(0.1 * MatrixXd::Identity(2, 2));
    const Numbers target{2.5, -0.5};
    const auto held_at = [&](std::span<const double> q) {
        OperatingPoint at(model);
        at.q.assign(q.begin(), q.end());
        return trim_forces(model, at);
    };
    SuccessiveLinearization successive(
        model,
        [&](std::span<const double> q, std::span<const double>) {
            return linearize(model, held_at(q).point);
        },
        [&](const StateSpace& system) { return lqr(system, Q, R); }, 0.2, 1e9);
    const Controller law{
        [&](double, std::span<const double> q, std::span<const double> v, std::span<double> T) {
            successive.update(q, v);
            const Matrix& K = successive.gain().K;
            const Numbers u0 = held_at(q).u;
            const double x[] = {q[0] - target[0], q[1] - target[1], v[0], v[1]};
            for (int i = 0; i < 2; ++i) {
                T[static_cast<std::size_t>(i)] = u0[static_cast<std::size_t>(i)];
                for (int j = 0; j < 4; ++j)
                    T[static_cast<std::size_t>(i)] -= K(i, j) * x[j];
            }
        },
        0.005};
    const Instant last = ran(model, law, {0.2, 0.1}, {0, 0}, 10.0);
    EXPECT_NEAR(last.q[0], target[0], 1e-3);
    EXPECT_NEAR(last.q[1], target[1], 1e-3);
    EXPECT_GE(successive.designs(), 8);
    EXPECT_LE(successive.designs(), 100);
    // The design that serves is that of a state within 0.2 of where the arm is.
    const Gain there = lqr(linearize(model, held_at(successive.system().q0).point), Q, R);
    expect_equal("K", "two_link", successive.gain().K, there.K, {.tolerance = 1e-9});
    for (std::size_t j = 0; j < 2; ++j)
        EXPECT_LE(std::abs(successive.system().q0[j] - last.q[j]), 0.2);
}

TEST(LinearizationRoutes, AutomaticTakesTheCheaperBySize)
{
    for (int dofs : {direct_from_dofs - 1, direct_from_dofs}) {
        const Model model = *generate_model("chain:" + std::to_string(dofs));
        const auto n = static_cast<std::size_t>(dofs);
        Numbers q(n);
        random_configuration(model, 2, q);
        const Numbers v(n, 0.3), T(n, 0.1);
        const auto by = [&](LinearRoute route) {
            Linearization lin(model);
            lin.set(q, v, T);
            return lin.matrices(route).A_C;
        };
        const Matrix automatic = by(LinearRoute::automatic), direct = by(LinearRoute::direct),
                     by_mass = by(LinearRoute::by_mass_matrix);
        ASSERT_NE(direct, by_mass); // round-off tells the routes apart
        EXPECT_EQ(automatic, dofs < direct_from_dofs ? by_mass : direct) << dofs;
        Linearization lin(model);
        lin.set(q, v, T);
        EXPECT_EQ(lin.dense().A_C, automatic);
    }
}

} // namespace
} // namespace sweepdyn::test
