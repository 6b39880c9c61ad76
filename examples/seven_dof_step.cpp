// An arm of seven hinges after Lin and Yae [002 section 5.2]: the pattern of its linear model, the error of that model, and the
// step response of joint 4 under a regulator designed on it.
// docs/seven-dof-step.md has the argument; the tests run this program and compare what it prints with that page.
//
//     seven_dof_step MODEL [FOLDER]        draws the response into the folder
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sweepdyn/control/decoupled_regulator.hpp>
#include <sweepdyn/control/regulator.hpp>
#include <sweepdyn/io/results/plot.hpp>
#include <sweepdyn/linear/trim.hpp>
#include <sweepdyn/model/inertial_parameters.hpp>
#include <sweepdyn/sim/simulate.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr int n = 7, joint = 3; // joint 4 is the elbow
constexpr double wn = 6.0, zeta = 0.6, step = 0.2; // rad/s, -, rad

// Centres of mass brought into the plane y = 0, inertias about them kept: the mirror image in that plane is the arm itself.
Model mirrored(const Model& arm)
{
    std::vector<double> all = inertial_parameters(arm);
    for (std::size_t k = 0; k < all.size(); k += 10) {
        double *m = &all[k], *mc = m + 1, *J = m + 4; // Jxx Jxy Jxz Jyy Jyz Jzz
        if (*m > 0.0) {
            J[0] -= mc[1] * mc[1] / *m, J[5] -= mc[1] * mc[1] / *m;
            mc[1] = J[1] = J[4] = 0.0;
        }
    }
    return with_inertial_parameters(arm, all);
}

// Held still, its pitch hinges bent.
OperatingPoint held(const Model& arm, double bend)
{
    OperatingPoint at(arm);
    at.q = {0, bend, 0, bend, 0, bend, 0};
    return trim_forces(arm, at).point;
}

// + and - of dv_dot/dq, a point where it is zero.
std::vector<std::string> pattern(const Model& arm, double bend)
{
    const MatrixXd A = dense(linearize(arm, held(arm, bend)).A).bottomLeftCorner(n, n);
    std::vector<std::string> out(n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out[static_cast<std::size_t>(i)] += std::abs(A(i, j)) < 1e-10 * A.cwiseAbs().maxCoeff() ? " ."
                                                : A(i, j) > 0.0                                     ? " +"
                                                                                                    : " -";
    return out;
}

// v_dot of the nonlinear mechanism, x = [q; v] off its operating point.
VectorXd acceleration(Plant& plant, const OperatingPoint& at, const VectorXd& x)
{
    std::vector<double> q = at.q, v = at.v, v_dot(n);
    for (std::size_t i = 0; i < n; ++i)
        q[i] += x[static_cast<Eigen::Index>(i)], v[i] += x[static_cast<Eigen::Index>(n + i)];
    plant.acceleration(0.0, q, v, v_dot);
    return Eigen::Map<VectorXd>(v_dot.data(), n);
}

// Both comparisons of the paper, at a perturbation h.
void print_errors(const Model& arm, double bend, double h)
{
    const OperatingPoint at = held(arm, bend);
    const MatrixXd A = dense(linearize(arm, at).A).bottomRows(n);
    Plant plant(arm, {.controller = {[&](double, auto, auto, std::span<double> T) {
                          std::copy(at.T.begin(), at.T.end(), T.begin());
                      }}});
    const VectorXd at_rest = acceleration(plant, at, VectorXd::Zero(2 * n));

    const VectorXd all = VectorXd::Constant(2 * n, h), change = acceleration(plant, at, all) - at_rest;
    MatrixXd numerical(n, 2 * n);
    for (int j = 0; j < 2 * n; ++j)
        numerical.col(j) = (acceleration(plant, at, h * VectorXd::Unit(2 * n, j)) - at_rest) / h;
    std::printf("%7.1f %17.1e %18.1e\n", bend, (change - A * all).norm() / change.norm(),
                (numerical - A).norm() / A.norm());
}

// From zero to the step, by a regulator about zero. Decoupled, the loop is d'' + 2 zeta wn d' + wn^2 d = M^-1 T_ff: a constant
// force M wn^2 r moves it to r.
Recording respond(const Model& arm)
{
    const StateSpace system = linearize(arm, held(arm, 0.0));
    const Gain gain = decoupled_regulator(system, std::span(&wn, 1), std::span(&zeta, 1));
    Regulator regulator{gain.K,    system.states, system.inputs,          system.q0,
                        system.v0, system.u0,     gain.closed_loop_poles, gain.warnings};
    Robot robot(arm);
    robot.set_state(VectorXd::Zero(n));
    const VectorXd T_ff = robot.mass_matrix().col(joint) * wn * wn * step;
    for (std::size_t i = 0; i < n; ++i)
        regulator.u0[i] += T_ff[static_cast<Eigen::Index>(i)];
    Plant plant(arm, {.controller = controller(arm, regulator)});
    const SimulationOptions options{.time = 3.0, .step = 1e-3, .every = 0.01, .signals = {"q:*"}};
    return simulate(plant, {0.0, std::vector<double>(n), std::vector<double>(n)}, options).recording;
}

// d(t) of the linear loop.
double linear_response(double t)
{
    const double damped = wn * std::sqrt(1 - zeta * zeta);
    return step * (1 - std::exp(-zeta * wn * t) *
                           (std::cos(damped * t) + zeta * wn / damped * std::sin(damped * t)));
}

// Joint 4 beside the linear model, and the other joints, which it leaves at rest.
Plot drawn(const Model& arm, const Recording& run)
{
    Plot plot{"Step of joint 4",
              "time [s]",
              false,
              {},
              {{"joint 4 [rad]", false, {}}, {"others [rad]", false, {}}}};
    plot.panels[0].curves = {{"nonlinear", {}}, {"linear", {}}};
    for (std::size_t i = 0; i < run.num_rows(); ++i) {
        plot.x.push_back(run(i, 0));
        plot.panels[0].curves[0].y.push_back(run(i, 1 + joint));
        plot.panels[0].curves[1].y.push_back(linear_response(run(i, 0)));
    }
    for (std::size_t j = 0; j < n; ++j)
        if (j != joint) {
            PlotCurve& curve = plot.panels[1].curves.emplace_back(arm.dof_names()[j], std::vector<double>{});
            for (std::size_t i = 0; i < run.num_rows(); ++i)
                curve.y.push_back(run(i, 1 + j));
        }
    return plot;
}

} // namespace

int main(int count, char** words)
try {
    if (count != 2 && count != 3)
        throw UsageError("give an arm of seven hinges, and a folder if the response is to be drawn");
    const Model arm = load_model(words[1]);
    if (arm.num_dofs() != n || arm.num_coordinates() != n)
        throw UsageError("give an arm of seven hinges of one coordinate each");

    std::printf("dv_dot/dq:  as it is, at zero   in a plane, at zero   in a plane, bent\n");
    const auto a = pattern(arm, 0.0), b = pattern(mirrored(arm), 0.0), c = pattern(mirrored(arm), 0.6);
    for (std::size_t i = 0; i < n; ++i)
        std::printf("            %s      %s        %s\n", a[i].c_str(), b[i].c_str(), c[i].c_str());

    std::printf("\nrelative errors at a perturbation of 1e-6\n"
                "  pitch   change of v_dot   A by differences\n"
                "    002         2.739e-06             < 1e-6\n");
    for (double bend : {0.0, 0.6})
        print_errors(arm, bend, 1e-6);

    const Recording run = respond(arm);
    std::size_t peak = 0;
    double linear_peak = 0.0, others = 0.0;
    for (std::size_t i = 0; i < run.num_rows(); ++i) {
        if (run(i, 1 + joint) > run(peak, 1 + joint))
            peak = i;
        linear_peak = std::max(linear_peak, linear_response(run(i, 0)));
        for (std::size_t j = 0; j < n; ++j)
            if (j != joint)
                others = std::max(others, std::abs(run(i, 1 + j)));
    }
    std::printf("\nstep of joint 4 by %.1f rad    nonlinear    linear\n", step);
    std::printf("  highest [rad]             %9.3f %9.3f\n", run(peak, 1 + joint), linear_peak);
    std::printf("  there at [s]              %9.2f %9.2f\n", run(peak, 0),
                M_PI / (wn * std::sqrt(1 - zeta * zeta)));
    std::printf("  in the end [rad]          %9.3f %9.3f\n", run(run.num_rows() - 1, 1 + joint), step);
    std::printf("  other joints within [rad] %9.2g %9.2g\n", others, 0.0);
    if (count == 3) {
        const auto path = std::filesystem::path(words[2]) / "seven_dof_step.svg";
        std::ofstream file(path);
        file << write_svg(drawn(arm, run));
        if (!file.flush())
            throw UsageError("cannot write " + path.string() + "; give a folder that exists");
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "seven_dof_step: %s\n", error.what());
    return 1;
}
