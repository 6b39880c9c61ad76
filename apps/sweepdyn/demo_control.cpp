#include "demo_control.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sweepdyn/control/decoupled_regulator.hpp"
#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/linear/modes.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::app {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr double pose = 0.5, deviation = 0.05, wn = 5.0, zeta = 0.7; // rad, rad, rad/s, -
constexpr double every = 0.2, until = 2.0; // s

std::string heading(const Terminal& terminal, const std::string& text)
{
    return "\n" + terminal.bold(text) + "\n\n";
}

// What falls by itself, and the hinges that take part in it.
std::string unstable_poles(const StateSpace& system)
{
    std::string out;
    for (const Mode& mode : modes(system))
        if (const double rate = mode.pole.s.real(); rate > 1e-6) {
            std::string hinges;
            for (const auto& [hinge, motion] : joint_shapes(system, mode))
                if (std::abs(motion) > 0.5)
                    hinges += " " + hinge;
            out +=
                fmt::format("  {:+8.3f} 1/s  doubles in {:4.2f} s:{}\n", rate, std::log(2.0) / rate, hinges);
        }
    return out;
}

// dv_dot/dq and dv_dot/dv by central differences of the arm's own dynamics.
double distance_from_differences(const Model& arm, const StateSpace& system)
{
    const int n = arm.num_dofs();
    Plant plant(arm, {.controller = {[&](double, auto, auto, std::span<double> T) {
                          std::copy(system.T0.begin(), system.T0.end(), T.begin());
                      }}});
    const auto v_dot = [&](int j, double h) {
        std::vector<double> q = system.q0, v = system.v0, out(v.size());
        (j < n ? q : v)[static_cast<std::size_t>(j % n)] += h;
        plant.acceleration(0.0, q, v, out);
        return VectorXd(Eigen::Map<VectorXd>(out.data(), n));
    };
    constexpr double h = 1e-5;
    MatrixXd A(n, 2 * n);
    for (int j = 0; j < 2 * n; ++j)
        A.col(j) = (v_dot(j, h) - v_dot(j, -h)) / (2 * h);
    return relative_error(A, dense(system.A).bottomRows(n));
}

// The hinge farthest from its place, at each record.
std::vector<double> errors_in_time(const Model& arm, const StateSpace& system, Controller controller)
{
    Plant plant(arm, {.controller = std::move(controller)});
    std::vector<double> q = system.q0;
    for (double& each : q)
        each += deviation;
    const Recording run = simulate(plant, {0.0, q, system.v0},
                                   {.time = until, .step = 2e-3, .every = every, .signals = {"q:*"}})
                              .recording;
    std::vector<double> out(run.num_rows());
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t j = 0; j < system.q0.size(); ++j)
            out[i] = std::max(out[i], std::abs(run(i, 1 + j) - system.q0[j]));
    return out;
}

} // namespace

ControlStory control_story(const Model& arm, const Terminal& terminal)
{
    ControlStory out;
    OperatingPoint point(arm);
    std::fill(point.q.begin(), point.q.end(), pose);
    const StateSpace system = linearize(arm, trim_forces(arm, point).point);
    out.text +=
        heading(terminal, fmt::format("Held still at {} rad: its linear model has {} states, and falls", pose,
                                      system.num_states()));
    out.text += unstable_poles(system);

    const Gain gain = decoupled_regulator(system, std::span(&wn, 1), std::span(&zeta, 1));
    const Regulator regulator{gain.K,    system.states, system.inputs,          system.q0,
                              system.v0, system.u0,     gain.closed_loop_poles, gain.warnings};
    const std::vector<double> held =
                                  errors_in_time(arm, system, {[&](double, auto, auto, std::span<double> T) {
                                                     std::copy(system.T0.begin(), system.T0.end(), T.begin());
                                                 }}),
                              regulated = errors_in_time(arm, system, controller(arm, regulator));
    out.text += heading(terminal,
                        fmt::format("A regulator, {} rad/s and damping {}; the arm itself let go {} rad away",
                                    wn, zeta, deviation));
    out.text += terminal.dim(fmt::format("  {:>5}{:>15}{:>16}   farthest hinge (rad)", "t (s)", "constant T",
                                         "regulated")) +
                "\n";
    const double highest = *std::max_element(regulated.begin(), regulated.end());
    for (std::size_t i = 0; i < regulated.size(); ++i) {
        std::string bar;
        for (long left = std::lround(30 * regulated[i] / highest); left > 0; --left)
            bar += terminal.unicode ? "▇" : "#";
        out.text += fmt::format("  {:5.1f}{:15.4f}{:16.4f}{}\n", every * static_cast<double>(i), held[i],
                                regulated[i], bar.empty() ? "" : "   " + terminal.green(bar));
    }

    double farthest = 0.0; // of the poles, from wn^2 + 2 zeta wn s + s^2 = 0
    for (const std::complex<double>& s : gain.closed_loop_poles)
        farthest = std::max(farthest, std::abs(wn * wn + 2 * zeta * wn * s + s * s) / (wn * wn));
    const double differences = distance_from_differences(arm, system), rest = regulated.back() / deviation;
    out.laws = {
        {"its linear model is what small differences of its motion say", fmt::format("{:.1e}", differences),
         differences <= 1e-6},
        {"the regulated poles are those asked for", fmt::format("{:.1e}", farthest), farthest <= 1e-9},
        {"the regulated arm comes back, within 2 s", fmt::format("{:.1e}", rest), rest <= 0.02}};
    return out;
}

} // namespace sweepdyn::app
