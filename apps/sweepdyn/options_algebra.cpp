// Options of the commands about the algebra, and the demo.
#include <fmt/format.h>

#include "command_line.hpp"
#include "sweepdyn/operators/leaves.hpp"

namespace sweepdyn::app {
namespace {

constexpr const char* eval_examples =
    R"text(EXPR: leaves, with + - * ( ), numbers, adj(X), inverse(X), the identity I:
{}
A product X*Y needs Y to land where X acts. adj(X) is the adjoint, from the dual
of X's range to the dual of its domain. Write , ] \ in the name of a frame as
\, \] \\, and an expression that begins with - in parentheses. docs/algebra.md
teaches all this. The mass matrix is H*phi*M*adj(phi)*adj(H) + J_a, the Jacobian
of a frame adj(B[FRAME])*adj(phi)*adj(H). Of a model with loops hinge spaces are
of its independent dofs, blocks of its clusters; --loops cut leaves the tree.

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

constexpr const char* demo_examples = R"(Example:
  sweepdyn demo)";

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

void add_eval(CommandLine& line)
{
    auto [command, options] = line.add<EvalOptions>("eval", "an operator expression as numbers, as JSON",
                                                    fmt::format(eval_examples, leaves_help()), run_eval);
    add_model_options(command, options.model);
    command.add_option("EXPR", options.expression, "see below")->type_name("");
    command.add_option("--state", options.state, "- for stdin; else neutral and at rest")
        ->type_name("FILE|-");
    command.add_option("--about", options.about, "reference points of the bodies; else hinges")
        ->type_name("hinges|pole");
    command.add_option("--vector", options.vector, "apply the expression to it")->type_name("JSON|@FILE");
    command.add_option("--independent", options.independent, "dofs, with loops; else the file's")
        ->type_name("LIST");
    command.add_flag("--indent", options.indent, "results over several lines, for people");
}

void add_explain(CommandLine& line)
{
    auto [command, options] = line.add<ExplainOptions>(
        "explain", "the spaces, sweeps and cost of an expression", explain_examples, run_explain);
    command.add_option("EXPR", options.expression, "as for eval")->type_name("");
    command.add_option("--model", options.model.spec, "else chain:10")->type_name("MODEL");
    command.add_option("--form", options.form, "else text")->type_name("text|latex");
}

void add_identities(CommandLine& line)
{
    auto [command, options] = line.add<IdentitiesOptions>(
        "identities", "the identities of the algebra, on a model", identities_examples, run_identities);
    add_model_options(command, options.model);
    command.add_option("--state", options.state, "- for stdin; else random, or the file's")
        ->type_name("FILE|-");
    command.add_flag("--json", options.json, "as JSON, a line per state");
}

void add_demo(CommandLine& line)
{
    auto [command, options] = line.add<DemoOptions>(
        "demo", "a robot arm computed and checked before your eyes", demo_examples, run_demo);
    command.add_flag("--ascii", options.ascii, "without Unicode");
}

} // namespace

void add_algebra_commands(CommandLine& line)
{
    add_eval(line);
    add_explain(line);
    add_identities(line);
    add_demo(line);
}

} // namespace sweepdyn::app
