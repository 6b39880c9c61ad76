// Options of the commands about linear models: linearize, poles, frequency responses, regulators.
#include "command_line.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* linearize_examples =
    R"(x_dot = A x + B u + f0, y = C x + D u: x, u, y are deviations from x0, u0, y0.
Signals, with commas between; * stands for any text:
  inputs   T:DOF  wrench:FRAME  gravity  base_accel
  outputs  q:DOF  v:DOF  pose:FRAME  velocity:FRAME  acceleration:FRAME
           accel:FRAME (an accelerometer)  gyro:FRAME  reaction:HINGE  loop:LOOP
Rotations deviate by a turn in the body's or frame's own axes. Of a model with
loops the states are the independent dofs, --independent; with --descriptor all
dofs and the loops' multipliers, and the loops are equations.
A state is written as for compute. Damping is in, dry friction only smoothed.

Examples:
  sweepdyn linearize two_link -o two_link.mat
  sweepdyn linearize arm7 --at pose.json --trim forces --outputs pose:tool
  sweepdyn linearize quadruped --inputs T:*,wrench:trunk --outputs 'accel:*')";

constexpr const char* poles_examples =
    R"(Each pole s of the linear model at the state, by rising size: re and im, its
frequency |s|/2pi and its damping -re/|s|. --modes adds the shape of each by
joint name, [re, im]; of a chain of poles at zero a shape of grade 2 moves one
of grade 1.

Examples:
  sweepdyn poles two_link
  sweepdyn poles arm7 --at pose.json --trim forces --modes --indent
  sweepdyn poles arm7 --controllability --inputs T:shoulder_*)";

constexpr const char* bode_examples =
    R"(From every input to every output: magnitude in dB, phase in degrees without
jumps, at frequencies of equal ratios; in JSON also zeros, poles and gain. Name
the channels you want by --inputs and --outputs, as for linearize; else inputs
are the forces on the actuated dofs (where the model says none: on the
independent ones), outputs the positions of the independent dofs, and of more
than 12 curves those of each dof under its own force.

Examples:
  sweepdyn bode two_link --inputs T:elbow --outputs q:elbow -o elbow.svg
  sweepdyn bode arm7 --at pose.json --trim forces --inputs T:elbow_pitch
                --outputs accel:tool --actuators 0.005,100 --to 100 -o a.csv)";

constexpr const char* regulate_examples =
    R"(u = u0 - K x, x the displacements and velocities from the state. The designs:
  decoupled  each dof goes to rest on its own, by --wn (rad/s) and --zeta: one
             number, or one per dof; needs a force at every hinge
  place      --poles=-2,-3,-1+2i,-1-2i, one per state
  lqr        --Q and --R: one number, one per state (per input), a matrix as
             JSON, or @FILE with any of them; else 1
  tvlqr      gains along a motion, --along FILE, as simulate records it by
             --signals 'q:*,v:*,qdd:*'; with the forces of the motion itself
--sample-time S designs for a computer that answers every S seconds (place, lqr;
the poles are those of z). --kalman adds the gain L of an estimator that sees
--outputs, for noise --W on the states and --N on the outputs. --actuators puts
motors of first order before the hinges: the time constant TAU in s, the GEAR,
the DROP of torque per rad/s of the motor; @FILE has them by dof, as JSON.
The result has K by rows, states, inputs, q0, v0, u0, closed_loop_poles as
[re, im], and warnings; simulate --regulator takes it. A mode that no input
reaches and that is not strictly stable is refused by name.

Examples:
  sweepdyn regulate two_link --design decoupled --wn 5 --zeta 0.7 -o k.json
  sweepdyn regulate arm7 --at pose.json --trim forces --design lqr -o k.json
  sweepdyn regulate spacecraft --gravity=0,0,0 --reduce --design lqr
                    --inputs T:shoulder*)";

void add_linear_options(CLI::App& command, LinearArgument& linear)
{
    add_model_options(command, linear.model);
    command.add_option("--at", linear.at, "state, - for stdin; else the file's, or neutral")
        ->type_name("FILE|-");
    command.add_option("--independent", linear.independent, "dofs that are states, of a model with loops")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--trim", linear.trim, "find what holds the pose, or what is held")
        ->type_name("forces|pose");
    command.add_option("--inputs", linear.inputs, "else actuated: the model's own, or T:*")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--outputs", linear.outputs, "else q:*,v:*")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--friction-speed", linear.friction_speed, "take in friction tanh(v / SPEED)")
        ->type_name("SPEED");
    command.add_flag("--no-passive", linear.no_passive, "leave damping out");
    command.add_option("--actuators", linear.actuators, "motors before the hinges")
        ->type_name("TAU,GEAR,DROP|@FILE");
}

void add_linearize(CommandLine& line)
{
    auto [command, options] = line.add<LinearizeCommand>(
        "linearize", "a linear model A, B, C, D at an operating point", linearize_examples, run_linearize);
    add_linear_options(command, options.linear);
    command.add_option("-o,--output", options.output, ".json, .csv or .mat; else JSON on stdout")
        ->type_name("FILE|-");
    command.add_flag("--quaternions", options.quaternions, "coordinates as states, for export");
    command.add_flag("--descriptor", options.descriptor, "E x_dot = A x + B u, of all dofs");
    command.add_flag("--indent", options.indent, "JSON over several lines, for people");
}

void add_poles(CommandLine& line)
{
    auto [command, options] = line.add<PolesOptions>("poles", "poles of a mechanism at a state, as JSON",
                                                     poles_examples, run_poles);
    add_linear_options(command, options.linear);
    command.add_flag("--modes", options.modes, "the shape of each, by joint");
    command.add_flag("--controllability", options.controllability, "modes that no input reaches");
    command.add_flag("--observability", options.observability, "modes that no output sees");
    command.add_flag("--indent", options.indent, "results over several lines, for people");
}

void add_bode(CommandLine& line)
{
    auto [command, options] = line.add<BodeOptions>("bode", "frequency responses of a mechanism at a state",
                                                    bode_examples, run_bode);
    add_linear_options(command, options.linear);
    command.add_option("--from", options.from, "Hz; else a decade below the poles")->type_name("F");
    command.add_option("--to", options.to, "Hz; else a decade above them")->type_name("F");
    command.add_option("--points", options.points, "else 400")->type_name("N");
    command.add_option("-o,--output", options.output, ".json, .csv or .svg; else JSON on stdout")
        ->type_name("FILE|-");
}

void add_regulate(CommandLine& line)
{
    auto [command, options] = line.add<RegulateOptions>("regulate", "state feedback for a mechanism, as JSON",
                                                        regulate_examples, run_regulate);
    add_linear_options(command, options.linear);
    command.add_option("--design", options.design, "see below")->type_name("decoupled|place|lqr|tvlqr");
    command.add_option("--wn", options.wn, "rad/s, of decoupled")->type_name("LIST");
    command.add_option("--zeta", options.zeta, "damping, of decoupled")->type_name("LIST");
    command.add_option("--poles", options.poles, "of place")->type_name("LIST");
    command.add_option("--Q", options.Q, "weight of the states, of lqr; else 1")->type_name("Q");
    command.add_option("--R", options.R, "weight of the inputs, of lqr; else 1")->type_name("R");
    command.add_option("--along", options.along, "motion to follow, of tvlqr")->type_name("FILE");
    command.add_option("--Qf", options.Qf, "weight of its end, of tvlqr; else Q")->type_name("QF");
    command.add_option("--sample-time", options.sample_time, "s; a discrete design")->type_name("S");
    command.add_flag("--kalman", options.kalman, "an estimator of the states, L, too");
    command.add_option("--W", options.W, "noise on the states, of --kalman; else 1")->type_name("W");
    command.add_option("--N", options.N, "noise on the outputs, of --kalman; else 1")->type_name("N");
    command.add_flag("--reduce", options.reduce, "drop ignorable coordinates, momenta");
    command.add_option("-o,--output", options.output, ".json; else JSON on stdout")->type_name("FILE|-");
    command.add_flag("--indent", options.indent, "results over several lines, for people");
}

} // namespace

void add_linear_commands(CommandLine& line)
{
    add_linearize(line);
    add_poles(line);
    add_bode(line);
    add_regulate(line);
}

} // namespace sweepdyn::app
