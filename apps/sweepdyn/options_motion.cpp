// Options of the commands about motion: closing loops, simulation, pictures.
#include "command_line.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* assemble_examples =
    R"(From a guess, a configuration that closes every loop and coupling, to 1e-13 of
its size, within the limits; as a state that compute --state and simulate --at
read. Velocities of the guess are taken to the nearest that keep the loops
closed. Where nothing closes the exit is 1, and stderr tells which loop stays
open, by how much, and which limits are in the way.

--hold keeps dofs (or hinges) as the guess has them, such as the actuated ones.
--branches N asks for other ways to close, a line each: with the same held dofs
and, of a mechanism that can still move, the same independent ones.

Examples:
  sweepdyn assemble four_bar --hold crank -o closed.json
  sweepdyn assemble four_bar --state guess.json --hold crank --branches 2
  sweepdyn simulate four_bar --at closed.json --time 5 -o swing.csv)";

constexpr const char* simulate_examples =
    R"(Steps: --step H for steps of one length (rk4, or --method euler), --rtol R for
steps that keep the error of each below R (adaptive, or --method stiff or dae).
Without either rk4 steps of 1 ms.

Forces: --T FILE, a table in CSV or JSON with a column time and a column for
each dof that is driven, linear between its rows; or --regulator FILE, as
regulate writes it; else T of the state. External wrenches of the state stay.

Signals for --signals (a * stands for any name, or part of one):
  q:NAME  v:DOF  qdd:DOF    position, velocity, acceleration
  T:DOF                     hinge force, without damping and friction
  pose:FRAME                .x .y .z .rx .ry .rz, position and rotation vector
  velocity:FRAME            .wx .wy .wz .vx .vy .vz, world axes
  energy                    :kinetic :potential :total
  momentum                  .lx .ly .lz about the centre of mass, .px .py .pz
  com                       .x .y .z, centre of mass
  closure  closure:NAME     how far loops (by their size) and contacts are from
                            closed
  contact:NAME              .normal .tangential .margin of a contact, N, and
                            .unique: 1, or 0 where the mechanics leave forces
                            open; then of those with the largest margin
The names of q are those of the dofs; of a ball or a free base HINGE.qw .qx .qy
.qz and HINGE.x .y .z.

Contacts hold from the start on, as --contacts FILE says, such as
  {"contacts": [{"name": "foot", "kind": "point", "hand": "foot", "mu": 0.6,
    "ground": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "here": true}]}
kinds rigid, line, point, soft_finger, frictionless, sliding; "object", a frame
with z into it, in the place of "ground"; "here": where the hand is; a line has
"along": [x, y, z] in its ground. Where one
slips: --on-slip stop|tell|let-go|slide; where it lifts: --on-lift
stop|tell|let-go; where a slip comes to rest: --on-rest stick|stop|tell.

Limits that are passed are told, with the time. Ctrl-C ends a run; what there is
is written, and the exit is 130.

Examples:
  sweepdyn simulate arm7 --time 5 -o fall.csv
  sweepdyn simulate arm7 --at start.json --time 10 --rtol 1e-10
                    --signals 'q:*,energy' --no-passive -o free.json
  sweepdyn simulate two_link --time 2 --T pushes.csv --step 5e-4 -o pushed.csv
  sweepdyn simulate spacecraft --at spin.json --time 60 --rtol 1e-9
                    --momentum-reset --signals momentum,pose:hand -o spin.csv)";

constexpr const char* plot_examples =
    R"(FILE is what simulate has written, or any CSV with a header whose first column
is the abscissa; a name may end in a unit: speed [m/s]. Columns of one kind and
unit share a panel.

Examples:
  sweepdyn plot fall.csv -o fall.svg
  sweepdyn plot fall.csv --signals 'q:*,energy:total' --title 'A fall' -o q.svg
  sweepdyn plot response.csv --log-x -o bode.svg)";

void add_assemble(CommandLine& line)
{
    auto [command, options] = line.add<AssembleOptions>("assemble", "a state that closes the loops, as JSON",
                                                        assemble_examples, run_assemble);
    add_model_options(command, options.model);
    command.add_option("--state", options.state, "the guess, - for stdin; else the file's")
        ->type_name("FILE|-");
    command.add_option("--hold", options.hold, "dofs that stay, and commas; may be repeated")
        ->type_name("DOFS")
        ->allow_extra_args(false);
    command.add_option("--branches", options.branches, "ways to close; else 1")->type_name("N");
    command.add_flag("--no-limits", options.no_limits, "let hinges pass their limits");
    command.add_option("-o,--output", options.output, ".json or .jsonl; else JSON to stdout")
        ->type_name("FILE|-");
}

void add_simulate(CommandLine& line)
{
    auto [command, options] = line.add<SimulateOptions>(
        "simulate", "the motion in time, free or driven, recorded", simulate_examples, run_simulate);
    add_model_options(command, options.model);
    command.add_option("--at", options.at, "start; else the file's, or neutral")->type_name("FILE|-");
    command.add_option("--time", options.time, "s")->type_name("T");
    command.add_option("--step", options.step, "s, of fixed steps; else 1e-3")->type_name("H");
    command.add_option("--rtol", options.rtol, "relative, of adaptive steps")->type_name("R");
    command.add_option("--atol", options.atol, "absolute, beside --rtol; else the same")->type_name("A");
    command.add_option("--method", options.method, "rk4|euler|adaptive|stiff|dae")->type_name("M");
    command.add_option("--T", options.T, "hinge forces in time")->type_name("FILE");
    command.add_option("--regulator", options.regulator, "state feedback")->type_name("FILE");
    command.add_option("--contacts", options.contacts, "what holds what, JSON")->type_name("FILE");
    command.add_option("--on-slip", options.on_slip, "else stop")->type_name("WORD");
    command.add_option("--on-lift", options.on_lift, "else stop")->type_name("WORD");
    command.add_option("--on-rest", options.on_rest, "else stick")->type_name("WORD");
    command.add_option("--sample-time", options.sample_time, "s between answers; else continuous")
        ->type_name("S");
    command.add_option("--signals", options.signals, "names and commas; else q:*,v:*")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--every", options.every, "s between rows; else each step, or T/500")->type_name("S");
    command.add_flag("--no-passive", options.no_passive, "leave out damping and friction");
    command.add_option("--friction-speed", options.friction_speed, "v_s of dry friction; else none")
        ->type_name("V_S");
    command.add_flag("--momentum-reset", options.momentum_reset, "keep a floating system's momentum");
    command.add_flag("--stop-at-limits", options.stop_at_limits, "end where a limit is passed");
    command.add_option("--stop-when", options.stop_when, "such as q:elbow>1.2; may be repeated")
        ->type_name("WHEN")
        ->allow_extra_args(false);
    command.add_option("-o,--output", options.output, ".csv or .json; else JSON to stdout")
        ->type_name("FILE");
}

void add_plot(CommandLine& line)
{
    auto [command, options] =
        line.add<PlotOptions>("plot", "a recording as a picture, SVG", plot_examples, run_plot);
    command.add_option("FILE", options.file, "CSV or JSON; - for stdin")->type_name("");
    command.add_option("--signals", options.signals, "columns and commas, * at the end; else all")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--title", options.title, "else the name of the file")->type_name("TEXT");
    command.add_flag("--log-x", options.log_x, "logarithmic abscissa");
    command.add_flag("--log-y", options.log_y, "logarithmic ordinates");
    command.add_option("-o,--output", options.output, "the file to write; else stdout")
        ->type_name("FILE.svg");
}

} // namespace

void add_motion_commands(CommandLine& line)
{
    add_assemble(line);
    add_simulate(line);
    add_plot(line);
}

} // namespace sweepdyn::app
