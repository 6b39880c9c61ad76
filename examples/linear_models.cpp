// A linear model analysed, regulated, sampled and exported: docs/linear-models.md.
//
//     linear_models MODEL [FOLDER]        writes linear_model.json, .csv and .mat to the folder
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sweepdyn/control/decoupled_regulator.hpp>
#include <sweepdyn/control/lqr.hpp>
#include <sweepdyn/io/results/state_space.hpp>
#include <sweepdyn/linear/controllability.hpp>
#include <sweepdyn/linear/frequency_response.hpp>
#include <sweepdyn/linear/linearize.hpp>
#include <sweepdyn/linear/modes.hpp>
#include <sweepdyn/linear/zero_order_hold.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;

namespace {

// The slowest, and the least damped.
void print_closed_loop(const char* design, const Gain& gain)
{
    double slowest = -INFINITY, damping = 1.0;
    for (const auto& s : gain.closed_loop_poles) {
        slowest = std::max(slowest, s.real());
        damping = std::min(damping, pole_at(s).damping);
    }
    std::printf("%-10s slowest %.3g 1/s, least damping %.3g\n", design, slowest, damping);
}

} // namespace

int main(int argc, char** argv)
{
    const Model model = load_model(argc > 1 ? argv[1] : "models/arm7.urdf");
    const int n = model.num_dofs();

    // Held still, half a radian from neutral everywhere.
    Robot robot(model);
    robot.set_state(Eigen::VectorXd::Constant(n, 0.5));
    const Eigen::VectorXd T = robot.gravity_forces();
    OperatingPoint point(model);
    point.q.assign(static_cast<std::size_t>(n), 0.5);
    point.T.assign(T.data(), T.data() + n);
    const StateSpace system = linearize(model, point);

    std::printf("%d states, %d reached by the inputs, %d seen by the outputs\n", system.num_states(),
                controllability(system).rank, observability(system).rank);
    for (const Mode& mode : modes(system))
        if (mode.pole.s.real() > 1.0) { // falls by itself
            std::printf("unstable at %.3g 1/s:", mode.pole.s.real());
            for (const auto& [joint, motion] : joint_shapes(system, mode))
                if (std::abs(motion) > 0.5)
                    std::printf(" %s", joint.c_str());
            std::printf("\n");
        }

    const double wn[] = {5.0}, zeta[] = {0.7};
    print_closed_loop("decoupled", decoupled_regulator(system, wn, zeta));
    const Matrix Q = diagonal_weights(std::vector{100.0}, 2 * n, "Q"),
                 R = diagonal_weights(std::vector{0.1}, n, "R");
    print_closed_loop("lqr", lqr(system, Q, R));

    const Gain sampled = discrete_lqr(zero_order_hold(system, 0.01), Q, R);
    double largest = 0.0;
    for (const auto& z : sampled.closed_loop_poles)
        largest = std::max(largest, std::abs(z));
    std::printf("sampled    every 10 ms, largest |z| %.4f\n", largest);

    const Bode drawn = bode(frequency_response(system, frequencies(0.1, 100.0, 7)), n - 1, n - 1);
    std::printf("%s from its own force at 100 Hz: %.0f dB\n",
                system.outputs[static_cast<std::size_t>(n - 1)].c_str(), drawn.decibels.back());

    if (argc > 2) {
        const std::filesystem::path folder = argv[2];
        std::ofstream(folder / "linear_model.json")
            << write_state_space(system, model.name(), ResultLayout::indented) << "\n";
        std::ofstream(folder / "linear_model.csv") << write_state_space_csv(system);
        if (writes_mat_files())
            write_state_space_mat(system, model.name(), folder / "linear_model.mat");
    }
}
