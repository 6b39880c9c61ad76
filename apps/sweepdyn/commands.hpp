// The commands. Each returns what goes to stdout, whole, so that an error leaves nothing there.
#pragma once

#include <string>
#include <vector>

#include "linear_argument.hpp"
#include "model_argument.hpp"

namespace sweepdyn::app {

struct InfoOptions {
    ModelArgument model;
    bool json = false;
    bool ascii = false;
};
std::string run_info(const InfoOptions& options);

struct ComputeOptions {
    ModelArgument model;
    std::string state;            // a file, - for stdin, or empty: neutral, at rest
    std::vector<std::string> get; // names with commas between
    std::vector<std::string> actuated, independent; // dofs by name or index, with commas between
    bool passive = false;
    std::string friction_speed; // "" or a number
    bool indent = false;
};
std::string run_compute(const ComputeOptions& options);

struct IkOptions {
    ModelArgument model;
    std::vector<std::string> frames, targets; // the one for the other, in order
    std::vector<std::string> locked; // hinges
    std::string state; // as for compute: the first seed
    std::string seeds, iterations, tolerance, length; // "" or a number
    bool no_limits = false, move_base = false, best = false, as_state = false, indent = false;
};
std::string run_ik(const IkOptions& options);

struct AssembleOptions {
    ModelArgument model;
    std::string state; // the guess
    std::vector<std::string> hold; // dofs or hinges
    std::string branches; // "" or a number
    std::string output; // a file; empty or -: stdout
    bool no_limits = false;
};
std::string run_assemble(const AssembleOptions& options);

struct SimulateOptions {
    ModelArgument model;
    std::string at; // as --state of compute: where the motion begins
    std::string time, step, rtol, atol, every, friction_speed, sample_time; // "" or a number
    std::string method; // "", rk4, euler, adaptive, stiff, dae
    std::string T, regulator, contacts; // files
    std::string on_slip, on_lift, on_rest; // "", or what a contact does then
    std::vector<std::string> signals, stop_when;
    std::string output; // a file; empty or -: stdout
    bool no_passive = false, momentum_reset = false, stop_at_limits = false;
};
std::string run_simulate(const SimulateOptions& options);

// Thrown when a run ended early and its data are kept: by Ctrl-C, exit 130, or because it failed, exit 1.
struct EndedEarly {
    int exit_code;
    std::string out; // for stdout
    std::string words; // for stderr
};

struct PlotOptions {
    std::string file; // - for stdin
    std::vector<std::string> signals;
    std::string title, output;
    bool log_x = false, log_y = false;
};
std::string run_plot(const PlotOptions& options);

struct LinearizeCommand {
    LinearArgument linear;
    std::string output; // a file by its ending; empty or -: JSON on stdout
    bool quaternions = false, descriptor = false, indent = false;
};
std::string run_linearize(const LinearizeCommand& options);

struct ConvertOptions {
    ModelArgument model;
    std::string output; // a file; empty: stdout
};
std::string run_convert(const ConvertOptions& options);

struct PolesOptions {
    LinearArgument linear;
    bool modes = false, controllability = false, observability = false, indent = false;
};
std::string run_poles(const PolesOptions& options);

struct BodeOptions {
    LinearArgument linear;
    std::string from, to, points; // "" or a number
    std::string output; // a file by its ending; empty or -: JSON on stdout
};
std::string run_bode(const BodeOptions& options);

struct RegulateOptions {
    LinearArgument linear;
    std::string design; // decoupled, place, lqr, tvlqr
    std::string wn, zeta, poles, Q, R, Qf, W, N; // "" or numbers with commas between
    std::string sample_time; // "" or a number
    std::string along; // a recording, of tvlqr
    std::string output; // a file; empty or -: stdout
    bool reduce = false, kalman = false, indent = false;
};
std::string run_regulate(const RegulateOptions& options);

struct DemoOptions {
    bool ascii = false;
};
std::string run_demo(const DemoOptions& options);

struct EvalOptions {
    ModelArgument model;
    std::string expression, state, about, vector;
    std::vector<std::string> independent;
    bool indent = false;
};
std::string run_eval(const EvalOptions& options);

struct ExplainOptions {
    std::string expression, form;
    ModelArgument model;
};
std::string run_explain(const ExplainOptions& options);

struct IdentitiesOptions {
    ModelArgument model;
    std::string state;
    bool json = false;
};
std::string run_identities(const IdentitiesOptions& options);

} // namespace sweepdyn::app
