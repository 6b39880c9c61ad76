// Options of the commands about models: what they are made of, quantities at a state, inverse kinematics.
#include <fmt/format.h>

#include "command_line.hpp"
#include "quantities.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* info_examples = R"(Examples:
  sweepdyn info arm7
  sweepdyn info robot.urdf --base floating
  sweepdyn info robot.urdf --strict      doubts about the file become faults
  sweepdyn info chain:20 --json          for programs)";

constexpr const char* compute_examples =
    R"(Names for --get (FRAME is a link or a frame; write a comma in a name as \,):
{}
A state, in a file or on stdin; every key may be missing (zero, or neutral):
  {{"q": {{"elbow": 0.3}}, "v": ..., "a": ..., "T": ...,
   "base": {{"p": [0,0,1], "quat": [w,x,y,z], "twist": [6], "accel": [6],
            "wrench": [6]}},
   "external": [{{"frame": "hand", "wrench": [6], "axes": "world"}}]}}
q, v, a, T: by hinge name, or one array in the order that info prints, the base
included. base: p and quat relative to the free hinge's frame in its parent,
which is the world unless the file places it elsewhere; twist, accel, wrench in
the base's own axes, angular first. external: moment and force about the frame's
origin, axes "world" or "frame".
One state per line (JSON Lines) gives one result per line.
acceleration, regressor and reaction are at a; where the state gives T and no a,
at the accelerations that T causes. T of trees lists all dofs, and a note those
without an actuator that need a force.

Models with loops: the state must close them (sweepdyn assemble). a is read at
the independent dofs, T lists all dofs, the least that the actuated ones need.
M_inv, Omega, Lambda are those of the mechanism; M, M_dot, coriolis, bias,
gravity, regressor of the tree that carries the loops. loop_wrench: on body a,
about frame a, in its axes, 6 numbers, of a coupling 1; unique tells which of
them the motion determines. --actuated and --independent take dofs by name or
index. A native model file with a state in it needs no --state.

Examples:
  sweepdyn compute two_link --get M
  sweepdyn compute arm7 --state pose.json --get T,pose:tool,J:tool
  echo '{{"v": [1,0,0,0,0,0,0]}}' | sweepdyn compute arm7 --state - --get bias
  sweepdyn compute robot.urdf --base floating --gravity=0,0,-1.62 --get qdd)";

constexpr const char* ik_examples =
    R"(A target, in the world, by numbers and commas, or as JSON or a file of it:
  X,Y,Z                  position         {"p": [3]}
  W,X,Y,Z                orientation      {"quat": [w,x,y,z]} or {"R": rows}
  X,Y,Z,W,X,Y,Z          pose             {"p": [3], "quat": [4]} or p and R
  look:X,Y,Z[,AX,AY,AZ]  look at a point  {"look_at": [3], "axis": [3]}
A frame may have several. look: a half-line from the frame's origin, along its z
or along the axis given in the frame, goes through the point.

The result has q, the residual (rad and m, the largest of all), the errors of
each frame, and what it took. Hinges that carry no frame stay as --state says.
When nothing within the tolerance is found the exit is 1 and stderr tells what
is missing and which limits are in the way.

Examples:
  sweepdyn ik arm7 --frame tool --target 0.4,0,0.6
  sweepdyn ik arm7 --frame tool --target 0.4,0.2,0.6,0,1,0,0 --lock arm_roll
  sweepdyn ik humanoid --frame left_hand --target 0.3,0.3,0.1
                       --frame right_hand --target 0.3,-0.3,0.1
  sweepdyn ik arm7 --frame tool --target look:1,0,0 --as-state |
    sweepdyn compute arm7 --state - --get pose:tool)";

constexpr const char* convert_examples = R"(Examples:
  sweepdyn convert robot.urdf -o robot.json
  sweepdyn convert random:12:7 > random.json)";

void add_info(CommandLine& line)
{
    auto [command, options] =
        line.add<InfoOptions>("info", "what a model is made of", info_examples, run_info);
    add_model_options(command, options.model);
    command.add_flag("--json", options.json, "as JSON");
    command.add_flag("--ascii", options.ascii, "draw the tree without Unicode");
}

void add_compute(CommandLine& line)
{
    auto [command, options] =
        line.add<ComputeOptions>("compute", "quantities of the dynamics at states, as JSON",
                                 fmt::format(compute_examples, quantities_help()), run_compute);
    add_model_options(command, options.model);
    command.add_option("--state", options.state, "- for stdin; else the model file's, or neutral")
        ->type_name("FILE|-");
    command.add_option("--get", options.get, "names and commas; may be repeated")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--actuated", options.actuated, "dofs that T may use; else the file's, all")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--independent", options.independent, "dofs, with loops; else the file's")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_flag("--passive", options.passive, "count damping and friction in T, bias, qdd");
    command
        .add_option("--friction-speed", options.friction_speed, "v_s of dry friction; else it is left out")
        ->type_name("V_S");
    command.add_flag("--indent", options.indent, "results over several lines, for people");
}

void add_ik(CommandLine& line)
{
    auto [command, options] = line.add<IkOptions>("ik", "inverse kinematics, as JSON", ik_examples, run_ik);
    add_model_options(command, options.model);
    command.add_option("--frame", options.frames, "a link or a frame; may be repeated")
        ->type_name("FRAME")
        ->allow_extra_args(false);
    command.add_option("--target", options.targets, "of the frame; one for each")
        ->type_name("TARGET|@FILE")
        ->allow_extra_args(false);
    command.add_option("--state", options.state, "first seed, - for stdin; else neutral")
        ->type_name("FILE|-");
    command.add_option("--lock", options.locked, "a hinge that stays; may be repeated")
        ->type_name("HINGE")
        ->allow_extra_args(false);
    command.add_option("--seeds", options.seeds, "at most, the others random; else 10")->type_name("N");
    command.add_option("--iterations", options.iterations, "of one descent; else 100")->type_name("N");
    command.add_option("--tolerance", options.tolerance, "rad and m; else 1e-8")->type_name("T");
    command.add_option("--length", options.length, "m that count as one rad; else 1")->type_name("L");
    command.add_flag("--no-limits", options.no_limits, "let hinges pass their limits");
    command.add_flag("--move-base", options.move_base, "let a floating base move");
    command.add_flag("--best", options.best, "take the best found, though it misses");
    command.add_flag("--as-state", options.as_state, "print only a state, for compute");
    command.add_flag("--indent", options.indent, "results over several lines, for people");
}

void add_convert(CommandLine& line)
{
    auto [command, options] = line.add<ConvertOptions>(
        "convert", "write a model as a native file, sweepdyn-model/1", convert_examples, run_convert);
    add_model_options(command, options.model);
    command.add_option("-o,--output", options.output, "the file to write; else stdout")->type_name("FILE");
}

} // namespace

void add_model_commands(CommandLine& line)
{
    add_info(line);
    add_compute(line);
    add_ik(line);
    add_convert(line);
}

} // namespace sweepdyn::app
