// The command line: what may be typed, and how errors leave.
//
// Exit: 0, 1 for bad data, 2 for usage, 130 when Ctrl-C ended a run whose data are kept. On error stdout stays empty and stderr begins with "sweepdyn: error: ".
#include <cstdio>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "commands.hpp"
#include "quantities.hpp"
#include "sweepdyn/operators/leaves.hpp"
#include "typed_words.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* about = R"(Dynamics of jointed bodies: robot arms, legged robots, spacecraft.

MODEL is a URDF file, a native model file, the name of a shipped model (arm7,
quadruped, ...), or made to measure: chain:N, tree:N, random:N:SEED.
)";

constexpr const char* examples = R"(Examples:
  sweepdyn demo
  sweepdyn info arm7
  sweepdyn compute arm7 --get M,gravity
  sweepdyn compute robot.urdf --state state.json --get T,pose:tool0
  sweepdyn ik arm7 --frame tool --target 0.4,0,0.6
  sweepdyn simulate arm7 --time 5 -o fall.csv
  sweepdyn plot fall.csv -o fall.svg
  sweepdyn poles arm7
  sweepdyn regulate arm7 --design lqr -o regulator.json
  sweepdyn convert robot.urdf -o robot.json

sweepdyn COMMAND --help tells more.)";

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

constexpr const char* simulate_examples =
    R"(Steps: --step H for steps of one length (rk4, or --method euler), --rtol R for
steps that keep the error of each below R (adaptive, or --method stiff). Without
either rk4 steps of 1 ms.

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
The names of q are those of the dofs; of a ball or a free base HINGE.qw .qx .qy
.qz and HINGE.x .y .z.

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

constexpr const char* linearize_examples =
    R"(x_dot = A x + B u + f0, y = C x + D u: x, u, y are deviations from x0, u0, y0.
Signals, with commas between; * stands for any text:
  inputs   T:DOF  wrench:FRAME  gravity  base_accel
  outputs  q:DOF  v:DOF  pose:FRAME  velocity:FRAME  acceleration:FRAME
           accel:FRAME (an accelerometer)  gyro:FRAME  reaction:HINGE
Rotations deviate by a turn in the body's or frame's own axes.
A state is written as for compute. Damping is in, dry friction only smoothed.

Examples:
  sweepdyn linearize two_link -o two_link.mat
  sweepdyn linearize arm7 --at pose.json --trim forces --outputs pose:tool
  sweepdyn linearize quadruped --inputs T:*,wrench:trunk --outputs 'accel:*')";

constexpr const char* convert_examples = R"(Examples:
  sweepdyn convert robot.urdf -o robot.json
  sweepdyn convert random:12:7 > random.json)";

constexpr const char* poles_examples =
    R"(Each pole s of the linear model at the state, by rising size: re and im, its
frequency |s|/2pi and its damping -re/|s|. --modes adds the shape of each by
joint name, [re, im]; of a chain of poles at zero a shape of grade 2 moves one
of grade 1.

Examples:
  sweepdyn poles two_link
  sweepdyn poles arm7 --at pose.json --trim forces --modes --indent
  sweepdyn poles arm7 --controllability --inputs T:shoulder_*)";

constexpr const char* regulate_examples =
    R"(u = u0 - K x, x the displacements and velocities from the state. The designs:
  decoupled  each dof goes to rest on its own, by --wn (rad/s) and --zeta: one
             number, or one per dof; needs a force at every hinge
  place      --poles=-2,-3,-1+2i,-1-2i, one per state
  lqr        --Q and --R: one number, one per state (per input), a matrix as
             JSON, or @FILE with any of them; else 1
The result has K by rows, states, inputs, q0, v0, u0, closed_loop_poles as
[re, im], and warnings; simulate --regulator takes it. A mode that no input
reaches and that is not strictly stable is refused by name.

Examples:
  sweepdyn regulate two_link --design decoupled --wn 5 --zeta 0.7 -o k.json
  sweepdyn regulate arm7 --at pose.json --trim forces --design lqr -o k.json
  sweepdyn regulate spacecraft --gravity=0,0,0 --reduce --design lqr
                    --inputs T:shoulder*)";

constexpr const char* demo_examples = R"(Example:
  sweepdyn demo)";

constexpr const char* eval_examples =
    R"text(EXPR: leaves, with + - * ( ), numbers, adj(X), inverse(X), the identity I:
{}
A product X*Y needs Y to land where X acts. adj(X) is the adjoint, from the dual
of X's range to the dual of its domain. Write , ] \ in the name of a frame as
\, \] \\, and an expression that begins with - in parentheses. docs/algebra.md
teaches all this. The mass matrix is H*phi*M*adj(phi)*adj(H) + J_a, the Jacobian
of a frame adj(B[FRAME])*adj(phi)*adj(H).

Examples:
  sweepdyn eval arm7 "H*phi*M*adj(phi)*adj(H) + J_a"
  sweepdyn eval arm7 "adj(B[tool])*adj(phi)*adj(H)" --vector '[1,0,0,0,0,0,0]')text";

constexpr const char* explain_examples = R"text(Examples:
  sweepdyn explain "inverse(H*phi*M*adj(phi)*adj(H) + J_a)"
  sweepdyn explain "adj(B[tool])*adj(phi)*adj(H)" --model arm7
  sweepdyn explain "E*phi*R*adj(H)" --form latex     for a document with amsmath

It prints the spaces between which the expression acts, the sweeps it runs in,
what one application costs on the model (beyond what the state needs anyway),
how that grows, and the sweeps as loops. eval --help lists the leaves.)text";

constexpr const char* identities_examples =
    R"(The residual is the largest entry of left minus right, relative to the largest
of either side. An identity holds when it is at most 1e-12, or, where the mass
matrix is solved with, 50 eps times its condition.

Examples:
  sweepdyn identities quadruped
  sweepdyn identities robot.urdf --json    for programs: name, equation, source,
                                           residual, tolerance, holds)";

std::string leaves_help()
{
    std::string text;
    for (const algebra::LeafFacts& leaf : algebra::leaves())
        if (leaf.leaf != algebra::Leaf::vector && leaf.leaf != algebra::Leaf::blocks)
            text += fmt::format("  {:<9} {:<11} <- {:<11} {}\n",
                                leaf.leaf == algebra::Leaf::B ? "B[F,...]" : leaf.name, name(leaf.range),
                                name(leaf.domain), leaf.meaning);
    return text;
}

void add_model_options(CLI::App& command, ModelArgument& model)
{
    command.add_option("MODEL", model.spec, "a file, a shipped model, chain:N, tree:N, ...")->type_name("");
    command.add_option("--base", model.base, "else what the file says, else fixed")
        ->type_name("fixed|floating");
    command.add_option("--gravity", model.gravity, "else what the file says, else 0,0,-9.81")
        ->type_name("X,Y,Z");
    command.add_option("--mimic", model.mimic, "drop couplings: their hinges move freely")
        ->type_name("independent");
    command.add_flag("--strict", model.strict, "doubts about the model become faults");
    command.add_flag("--merge-fixed", model.merge_fixed, "merge welded bodies into what carries them");
    command.add_option("--package-root", model.package_roots, "where package:// is; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

void add_linear_options(CLI::App& command, LinearArgument& linear)
{
    add_model_options(command, linear.model);
    command.add_option("--at", linear.at, "state, - for stdin; else neutral, at rest")->type_name("FILE|-");
    command.add_option("--trim", linear.trim, "find what holds the pose, or what is held")
        ->type_name("forces|pose");
    command.add_option("--inputs", linear.inputs, "else T:*")->type_name("LIST")->allow_extra_args(false);
    command.add_option("--outputs", linear.outputs, "else q:*,v:*")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("--friction-speed", linear.friction_speed, "take in friction tanh(v / SPEED)")
        ->type_name("SPEED");
    command.add_flag("--no-passive", linear.no_passive, "leave damping out");
}

class CommandLine {
public:
    CommandLine()
    {
        app_.name("sweepdyn");
        app_.set_version_flag("--version", "sweepdyn " SWEEPDYN_VERSION, "print the version and leave");
        app_.footer(examples);
        app_.set_help_flag("-h,--help", "print this and leave");
        app_.require_subcommand(0, 1); // the second word is a MODEL, whatever it is called
        app_.allow_extras(); // refused with a suggestion, by refuse_extras

        CLI::App& info =
            add("info", "what a model is made of", info_examples, [this] { return run_info(info_); });
        add_model_options(info, info_.model);
        info.add_flag("--json", info_.json, "as JSON");
        info.add_flag("--ascii", info_.ascii, "draw the tree without Unicode");

        CLI::App& compute =
            add("compute", "quantities of the dynamics at states, as JSON",
                fmt::format(compute_examples, quantities_help()), [this] { return run_compute(compute_); });
        add_model_options(compute, compute_.model);
        compute.add_option("--state", compute_.state, "- for stdin; else neutral and at rest")
            ->type_name("FILE|-");
        compute.add_option("--get", compute_.get, "names and commas; may be repeated")
            ->type_name("LIST")
            ->allow_extra_args(false);
        compute.add_flag("--passive", compute_.passive, "count damping and friction in T, bias, qdd");
        compute
            .add_option("--friction-speed", compute_.friction_speed,
                        "v_s of dry friction; else it is left out")
            ->type_name("V_S");
        compute.add_flag("--indent", compute_.indent, "results over several lines, for people");

        CLI::App& ik = add("ik", "inverse kinematics, as JSON", ik_examples, [this] { return run_ik(ik_); });
        add_model_options(ik, ik_.model);
        ik.add_option("--frame", ik_.frames, "a link or a frame; may be repeated")
            ->type_name("FRAME")
            ->allow_extra_args(false);
        ik.add_option("--target", ik_.targets, "of the frame; one for each")
            ->type_name("TARGET|@FILE")
            ->allow_extra_args(false);
        ik.add_option("--state", ik_.state, "first seed, - for stdin; else neutral")->type_name("FILE|-");
        ik.add_option("--lock", ik_.locked, "a hinge that stays; may be repeated")
            ->type_name("HINGE")
            ->allow_extra_args(false);
        ik.add_option("--seeds", ik_.seeds, "at most, the others random; else 10")->type_name("N");
        ik.add_option("--iterations", ik_.iterations, "of one descent; else 100")->type_name("N");
        ik.add_option("--tolerance", ik_.tolerance, "rad and m; else 1e-8")->type_name("T");
        ik.add_option("--length", ik_.length, "m that count as one rad; else 1")->type_name("L");
        ik.add_flag("--no-limits", ik_.no_limits, "let hinges pass their limits");
        ik.add_flag("--move-base", ik_.move_base, "let a floating base move");
        ik.add_flag("--best", ik_.best, "take the best found, though it misses");
        ik.add_flag("--as-state", ik_.as_state, "print only a state, for compute");
        ik.add_flag("--indent", ik_.indent, "results over several lines, for people");

        CLI::App& simulate = add("simulate", "the motion in time, free or driven, recorded",
                                 simulate_examples, [this] { return run_simulate(simulate_); });
        add_model_options(simulate, simulate_.model);
        simulate.add_option("--at", simulate_.at, "state to begin with; else neutral, at rest")
            ->type_name("FILE|-");
        simulate.add_option("--time", simulate_.time, "s")->type_name("T");
        simulate.add_option("--step", simulate_.step, "s, of fixed steps; else 1e-3")->type_name("H");
        simulate.add_option("--rtol", simulate_.rtol, "relative, of adaptive steps")->type_name("R");
        simulate.add_option("--atol", simulate_.atol, "absolute, beside --rtol; else the same")
            ->type_name("A");
        simulate.add_option("--method", simulate_.method, "rk4|euler|adaptive|stiff")->type_name("M");
        simulate.add_option("--T", simulate_.T, "hinge forces in time")->type_name("FILE");
        simulate.add_option("--regulator", simulate_.regulator, "state feedback")->type_name("FILE");
        simulate.add_option("--sample-time", simulate_.sample_time, "s between answers; else continuous")
            ->type_name("S");
        simulate.add_option("--signals", simulate_.signals, "names and commas; else q:*,v:*")
            ->type_name("LIST")
            ->allow_extra_args(false);
        simulate.add_option("--every", simulate_.every, "s between rows; else each step, or T/500")
            ->type_name("S");
        simulate.add_flag("--no-passive", simulate_.no_passive, "leave out damping and friction");
        simulate.add_option("--friction-speed", simulate_.friction_speed, "v_s of dry friction; else none")
            ->type_name("V_S");
        simulate.add_flag("--momentum-reset", simulate_.momentum_reset, "keep a floating system's momentum");
        simulate.add_flag("--stop-at-limits", simulate_.stop_at_limits, "end where a limit is passed");
        simulate.add_option("--stop-when", simulate_.stop_when, "such as q:elbow>1.2; may be repeated")
            ->type_name("WHEN")
            ->allow_extra_args(false);
        simulate.add_option("-o,--output", simulate_.output, ".csv or .json; else JSON to stdout")
            ->type_name("FILE");

        CLI::App& plot =
            add("plot", "a recording as a picture, SVG", plot_examples, [this] { return run_plot(plot_); });
        plot.add_option("FILE", plot_.file, "CSV or JSON; - for stdin")->type_name("");
        plot.add_option("--signals", plot_.signals, "columns and commas, * at the end; else all")
            ->type_name("LIST")
            ->allow_extra_args(false);
        plot.add_option("--title", plot_.title, "else the name of the file")->type_name("TEXT");
        plot.add_flag("--log-x", plot_.log_x, "logarithmic abscissa");
        plot.add_flag("--log-y", plot_.log_y, "logarithmic ordinates");
        plot.add_option("-o,--output", plot_.output, "the file to write; else stdout")->type_name("FILE.svg");

        CLI::App& linearize = add("linearize", "a linear model A, B, C, D at an operating point",
                                  linearize_examples, [this] { return run_linearize(linearize_); });
        add_linear_options(linearize, linearize_.linear);
        linearize.add_option("-o,--output", linearize_.output, ".json, .csv or .mat; else JSON on stdout")
            ->type_name("FILE|-");
        linearize.add_flag("--quaternions", linearize_.quaternions, "coordinates as states, for export");
        linearize.add_flag("--indent", linearize_.indent, "JSON over several lines, for people");

        CLI::App& convert = add("convert", "write a model as a native file, sweepdyn-model/1",
                                convert_examples, [this] { return run_convert(convert_); });
        add_model_options(convert, convert_.model);
        convert.add_option("-o,--output", convert_.output, "the file to write; else stdout")
            ->type_name("FILE");

        CLI::App& eval = add("eval", "an operator expression as numbers, as JSON",
                             fmt::format(eval_examples, leaves_help()), [this] { return run_eval(eval_); });
        add_model_options(eval, eval_.model);
        eval.add_option("EXPR", eval_.expression, "see below")->type_name("");
        eval.add_option("--state", eval_.state, "- for stdin; else neutral and at rest")->type_name("FILE|-");
        eval.add_option("--about", eval_.about, "reference points of the bodies; else hinges")
            ->type_name("hinges|pole");
        eval.add_option("--vector", eval_.vector, "apply the expression to it")->type_name("JSON|@FILE");
        eval.add_flag("--indent", eval_.indent, "results over several lines, for people");

        CLI::App& explain = add("explain", "the spaces, sweeps and cost of an expression", explain_examples,
                                [this] { return run_explain(explain_); });
        explain.add_option("EXPR", explain_.expression, "as for eval")->type_name("");
        explain.add_option("--model", explain_.model.spec, "else chain:10")->type_name("MODEL");
        explain.add_option("--form", explain_.form, "else text")->type_name("text|latex");

        CLI::App& identities = add("identities", "the identities of the algebra, on a model",
                                   identities_examples, [this] { return run_identities(identities_); });
        add_model_options(identities, identities_.model);
        identities.add_option("--state", identities_.state, "- for stdin; else a random one")
            ->type_name("FILE|-");
        identities.add_flag("--json", identities_.json, "as JSON, a line per state");

        CLI::App& poles = add("poles", "poles of a mechanism at a state, as JSON", poles_examples,
                              [this] { return run_poles(poles_); });
        add_linear_options(poles, poles_.linear);
        poles.add_flag("--modes", poles_.modes, "the shape of each, by joint");
        poles.add_flag("--controllability", poles_.controllability, "modes that no input reaches");
        poles.add_flag("--observability", poles_.observability, "modes that no output sees");
        poles.add_flag("--indent", poles_.indent, "results over several lines, for people");

        CLI::App& regulate = add("regulate", "state feedback for a mechanism, as JSON", regulate_examples,
                                 [this] { return run_regulate(regulate_); });
        add_linear_options(regulate, regulate_.linear);
        regulate.add_option("--design", regulate_.design, "see below")->type_name("decoupled|place|lqr");
        regulate.add_option("--wn", regulate_.wn, "rad/s, of decoupled")->type_name("LIST");
        regulate.add_option("--zeta", regulate_.zeta, "damping, of decoupled")->type_name("LIST");
        regulate.add_option("--poles", regulate_.poles, "of place")->type_name("LIST");
        regulate.add_option("--Q", regulate_.Q, "weight of the states, of lqr; else 1")->type_name("Q");
        regulate.add_option("--R", regulate_.R, "weight of the inputs, of lqr; else 1")->type_name("R");
        regulate.add_flag("--reduce", regulate_.reduce, "drop ignorable coordinates, momenta");
        regulate.add_option("-o,--output", regulate_.output, "the file to write; else stdout")
            ->type_name("FILE");
        regulate.add_flag("--indent", regulate_.indent, "results over several lines, for people");

        CLI::App& demo = add("demo", "a robot arm computed and checked before your eyes", demo_examples,
                             [this] { return run_demo(demo_); });
        demo.add_flag("--ascii", demo_.ascii, "without Unicode");
    }

    // What goes to stdout. Throws CLI::ParseError, or what the commands throw.
    std::string run(int argc, char** argv)
    {
        check_values(app_, argc, argv);
        app_.parse(argc, argv);
        const std::vector<CLI::App*> chosen = app_.get_subcommands();
        const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
        refuse_extras(app_, nullptr);
        if (!command)
            throw UsageError("no command; there are info, compute, ik, linearize, poles, regulate, simulate, "
                             "plot, convert, "
                             "eval, explain, identities, demo, and sweepdyn --help");
        refuse_extras(app_, command);
        if (command->get_option_no_throw("MODEL") && !names_a_model(*command))
            throw UsageError(fmt::format("{} needs a MODEL: a file, a shipped model such as arm7, or chain:N",
                                         command->get_name()));
        return actions_.at(command->get_name())();
    }

    std::string help() const
    {
        std::string text = app_.help();
        text.erase(text.find_last_not_of('\n') + 1); // versions of CLI11 differ
        return text + "\n";
    }

private:
    static bool names_a_model(const CLI::App& command)
    {
        const std::vector<std::string> words = command.get_option("MODEL")->results();
        return !words.empty() && !words.front().empty();
    }

    CLI::App& add(const std::string& name, const std::string& what, const std::string& footer,
                  std::function<std::string()> action)
    {
        CLI::App& command = *app_.add_subcommand(name, what);
        command.allow_extras();
        command.set_help_flag("-h,--help", "print this and leave");
        command.footer(footer);
        actions_.emplace(name, std::move(action));
        return command;
    }

    CLI::App app_{about};
    InfoOptions info_;
    ComputeOptions compute_;
    IkOptions ik_;
    SimulateOptions simulate_;
    PlotOptions plot_;
    LinearizeCommand linearize_;
    ConvertOptions convert_;
    PolesOptions poles_;
    RegulateOptions regulate_;
    DemoOptions demo_;
    EvalOptions eval_;
    ExplainOptions explain_;
    IdentitiesOptions identities_;
    std::map<std::string, std::function<std::string()>> actions_;
};

int fail(int exit_code, std::string_view text)
{
    fmt::print(stderr, "sweepdyn: error: {}\n", text);
    return exit_code;
}

// A single fault needs no list.
std::string text_of(const ModelError& error)
{
    std::string text = error.what();
    constexpr std::string_view list_of_one = ": 1 fault\n  - ";
    if (const std::size_t at = text.find(list_of_one); error.faults.size() == 1 && at != text.npos)
        text.replace(at, list_of_one.size(), ": ");
    return text;
}

int print(const std::string& text)
{
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return written ? 0 : fail(1, "stdout: cannot be written to its end");
}

int run(int argc, char** argv)
{
    CommandLine line;
    try {
        return print(line.run(argc, argv));
    } catch (const Interrupted& run) {
        const int printed = print(run.out);
        note(run.words);
        return printed ? printed : 130;
    } catch (const CLI::CallForHelp&) {
        return print(line.help());
    } catch (const CLI::CallForVersion&) {
        return print("sweepdyn " SWEEPDYN_VERSION "\n");
    } catch (const CLI::ParseError& error) {
        return fail(2, error.what());
    } catch (const UsageError& error) {
        return fail(2, error.what());
    } catch (const std::bad_alloc&) {
        return fail(1, "out of memory");
    } catch (const ModelError& error) {
        return fail(1, text_of(error));
    } catch (const std::exception& error) { // StateError, RefusedError, and files that cannot be written
        return fail(1, error.what());
    }
}

} // namespace
} // namespace sweepdyn::app

int main(int argc, char** argv)
{
    const int exit_code = sweepdyn::app::run(argc, argv);
    fmt::print(stderr, "{}", sweepdyn::app::take_notes());
    return exit_code;
}
