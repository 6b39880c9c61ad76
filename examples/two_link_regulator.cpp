// The two-link manipulator of Lin and Yae [002 section 5.1]: linearized, regulated, and the nonlinear mechanism let go.
// docs/two-link-regulator.md has the argument; the tests run this program and compare what it prints with that page.
//
//     two_link_regulator MODEL [FOLDER]        draws the eight figures into the folder
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sweepdyn/control/decoupled_regulator.hpp>
#include <sweepdyn/control/pole_placement.hpp>
#include <sweepdyn/control/regulator.hpp>
#include <sweepdyn/io/results/plot.hpp>
#include <sweepdyn/linear/linearize.hpp>
#include <sweepdyn/linear/zero_order_hold.hpp>
#include <sweepdyn/model/edit.hpp>
#include <sweepdyn/sim/simulate.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double every = 0.01, until = 8.0; // s

// Lines of A and B that hold accelerations, beside those of 002 (33), which has theta_2 before theta_1.
void print_beside_paper(const StateSpace& system)
{
    const MatrixXd A = dense(system.A), B = dense(system.B);
    const double paper_A[2][2] = {{-5.191, 3.4612}, {1.1537, -4.0380}};
    const double paper_B[2][2] = {{-0.0824, 0.0294}, {0.0294, -0.0176}}; // its torques act against +theta
    std::printf("             theta_2   theta_1       T_2       T_1      002 (33)\n");
    for (int i : {1, 0}) {
        std::printf("theta_%d'' %10.4f%10.4f%10.4f%10.4f    ", i + 1, A(2 + i, 1), A(2 + i, 0), B(2 + i, 1),
                    B(2 + i, 0));
        std::printf("%9.4f%9.4f%9.4f%9.4f\n", paper_A[1 - i][0], paper_A[1 - i][1], paper_B[1 - i][0],
                    paper_B[1 - i][1]);
    }
}

void print_poles(const Gain& gain)
{
    std::printf("  poles:");
    for (const std::complex<double>& s : gain.closed_loop_poles)
        std::printf("  %.2f%+.2fi", s.real(), s.imag() + 0.0);
    std::printf("\n");
}

// The nonlinear mechanism, let go with both hinges off by `deviation`.
Recording let_go(const Model& model, const Regulator& regulator, double deviation)
{
    Plant plant(model, {.controller = controller(model, regulator)});
    const SimulationOptions options{
        .time = until, .step = 1e-3, .every = every, .signals = {"q:*", "v:*", "T:*"}};
    return simulate(plant, {0.0, {deviation, deviation}, {0.0, 0.0}}, options).recording;
}

// What the linear model says of the same motion: x(t + h) = exp((A - B K) h) x(t).
double largest_departure(const StateSpace& system, const Gain& gain, const Recording& run)
{
    StateSpace loop = system;
    loop.A = matrix(dense(system.A) - dense(system.B) * dense(gain.K));
    const MatrixXd step = dense(zero_order_hold(loop, every).A);
    VectorXd x(4);
    x << run(0, 1), run(0, 2), 0, 0;
    double out = 0.0;
    for (std::size_t i = 0; i < run.num_rows(); ++i, x = step * x)
        out = std::max({out, std::abs(run(i, 1) - x[0]), std::abs(run(i, 2) - x[1])});
    return out;
}

void print_run(const StateSpace& system, const Gain& gain, const Recording& run)
{
    const double deviation = run(0, 1);
    double T1 = 0.0, T2 = 0.0, settled = 0.0;
    for (std::size_t i = 0; i < run.num_rows(); ++i) {
        T1 = std::max(T1, std::abs(run(i, 5))), T2 = std::max(T2, std::abs(run(i, 6)));
        if (std::max(std::abs(run(i, 1)), std::abs(run(i, 2))) > 0.02 * deviation)
            settled = run(i, 0);
    }
    std::printf("  %9.2f %11.1f %14.1f%9.1f %19.2g %%\n", deviation, settled, T1, T2,
                100 * largest_departure(system, gain, run) / deviation);
}

// Angles in one figure, torques in the other.
void draw(const Recording& run, const std::string& regulator, const std::filesystem::path& folder)
{
    char size[32];
    std::snprintf(size, sizeof size, "%.2f rad", run(0, 1));
    const auto figure = [&](const char* what, const char* label, std::size_t first, const char* names[2]) {
        Plot plot{regulator + ", let go at " + size, "time [s]", false, {}, {{label, false, {}}}};
        plot.panels[0].curves = {{names[0], {}}, {names[1], {}}};
        for (std::size_t i = 0; i < run.num_rows(); ++i) {
            plot.x.push_back(run(i, 0));
            for (std::size_t j : {0u, 1u})
                plot.panels[0].curves[j].y.push_back(run(i, first + j));
        }
        const std::string name =
            regulator + (run(0, 1) < 0.5 ? "_small_" : "_large_") + std::string(what) + ".svg";
        std::ofstream file(folder / name);
        file << write_svg(plot);
        if (!file.flush())
            throw UsageError("cannot write " + (folder / name).string() + "; give a folder that exists");
    };
    const char* angles[] = {"theta_1", "theta_2"};
    const char* torques[] = {"T_1", "T_2"};
    figure("angles", "angle [rad]", 1, angles);
    figure("torques", "torque [N m]", 5, torques);
}

} // namespace

int main(int count, char** words)
try {
    if (count != 2 && count != 3)
        throw UsageError("give the model of two links, and a folder if figures are to be drawn");
    const Model model = with_gravity(load_model(words[1]), {0, 0, -9.8066});
    if (model.num_dofs() != 2)
        throw UsageError("give a model of two hinges");
    const StateSpace system = linearize(model, OperatingPoint(model)); // hanging, at rest
    print_beside_paper(system);

    const auto try_out = [&](const std::string& name, const Gain& gain) {
        const Regulator regulator{gain.K,    system.states, system.inputs,          system.q0,
                                  system.v0, system.u0,     gain.closed_loop_poles, gain.warnings};
        print_poles(gain);
        std::printf("  let go at    settled    largest T_1      T_2    linear model errs by\n");
        for (double deviation : {0.05, 1.0}) {
            const Recording run = let_go(model, regulator, deviation);
            print_run(system, gain, run);
            if (count == 3)
                draw(run, name, words[2]);
        }
    };

    const PlacedGain placed = place_poles(system, {-1.5, -2.0, -2.5, -3.0});
    std::printf("\nplaced: condition of the eigenvectors %.1f, 4 at best\n", placed.eigenvector_condition);
    try_out("placed", placed);

    const double wn[] = {2.0}, zeta[] = {0.8}; // rad/s
    const Gain decoupled = decoupled_regulator(system, wn, zeta);
    const MatrixXd K = dense(decoupled.K);
    std::printf("\ndecoupled:       K_P                     K_V\n");
    for (int i : {1, 0})
        std::printf("  T_%d %10.2f%10.2f    %10.2f%10.2f\n", i + 1, K(i, 1), K(i, 0), K(i, 3), K(i, 2));
    try_out("decoupled", decoupled);
} catch (const std::exception& error) {
    std::fprintf(stderr, "two_link_regulator: %s\n", error.what());
    return 1;
}
