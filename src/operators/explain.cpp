#include "sweepdyn/operators/explain.hpp"

#include <algorithm>
#include <cmath>

#include "latex_text.hpp"
#include "loop_lines.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {

OperationCount cost(const Plan& plan)
{
    const Model& model = plan.model();
    std::vector<double> plain_q(static_cast<std::size_t>(model.num_coordinates()));
    if (plan.over().by_clusters()) // one that closes the loops
        plain_q.assign(plan.over().configuration().begin(), plan.over().configuration().end());
    else
        random_configuration(model, 1, plain_q); // not a special one
    const std::vector<Counting> q(plain_q.begin(), plain_q.end()),
        v(static_cast<std::size_t>(model.num_dofs())),
        in(static_cast<std::size_t>(plan.operand() >= 0 ? plan.dimension(plan.domain()) : 0));
    std::vector<Counting> out(static_cast<std::size_t>(plan.dimension(plan.range())));
    Stages<Counting> stages(plan.over(), plan.reference());
    Runner<Counting> run(plan);
    for (const Value& value : plan.values())
        if (plan.is_named(value))
            run.set(value.name, std::vector<Counting>(static_cast<std::size_t>(plan.dimension(value))));
    stages.update(plan, q, v);
    const OperationCount before = Counting::count();
    run(stages, in, out);
    return Counting::count() - before;
}

std::vector<std::string> labels(const Plan& plan, SpaceId id)
{
    const Model& model = plan.model();
    std::vector<std::string> out;
    const auto six = [&](const std::string& owner) {
        constexpr const char *motion[] = {"wx", "wy", "wz", "vx", "vy", "vz"},
                             *force[] = {"mx", "my", "mz", "fx", "fy", "fz"};
        for (const char* end : is_motion(id.space) ? motion : force)
            out.push_back(owner + "." + end);
    };
    if (is_hinge(id.space))
        out = plan.over().column_names();
    else if (is_body(id.space))
        for (const Body& body : model.bodies())
            six(body.name);
    else if (is_frame(id.space))
        for (FrameId frame : plan.frame_sets()[static_cast<std::size_t>(id.frames)])
            six(model.frame_at(frame).name);
    else if (id.space != Space::one)
        six("world");
    return out;
}

namespace {

std::string count_text(const OperationCount& count)
{
    std::string text = std::to_string(count.multiplications) + " multiplications, " +
                       std::to_string(count.additions) + " additions";
    if (count.divisions > 0)
        text += ", " + std::to_string(count.divisions) + " divisions";
    return text;
}

std::string counted(int n, const std::string& one, const std::string& many)
{
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

// A display cannot be broken over lines, a formula in a paragraph can: a long one becomes that, with breaks between factors,
// preferably outside of all parentheses.
std::string display(const std::string& formula)
{
    constexpr std::string_view times = "\\,";
    std::string broken;
    int factors = 1, depth = 0;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        depth += formula[i] == '(' ? 1 : formula[i] == ')' ? -1 : 0;
        broken += formula[i];
        if (i > 0 && formula.compare(i - 1, 2, times) == 0) {
            ++factors;
            broken += depth == 0 ? "\\allowbreak " : "\\penalty900 ";
        }
    }
    return factors <= 24 ? "\\[" + formula + "\\]\n"
                         : "\\begin{center}\n$\\displaystyle " + broken + "$\n\\end{center}\n";
}

// Measured, where a chain can run it; else what a plan shows: each of its instructions is done once per body.
std::string growth_text(const Arena& arena, const Node* expression, const Plan& plan)
{
    if (const std::optional<double> each = operations_per_body(arena, expression))
        return *each == 0.0 ? "none" : "linear, " + number_text(*each) + " operations per body of a chain";
    int instructions = 0;
    for (const Pass& pass : plan.passes())
        instructions += static_cast<int>(pass.instructions.size());
    return "linear, " + counted(instructions, "line", "lines") + " of the loops per body";
}

constexpr const char* needs_text(Needs needs)
{
    switch (needs) {
    case Needs::poses: return "poses";
    case Needs::velocities: return "velocities";
    case Needs::inertias: return "body inertias";
    case Needs::columns: return "articulated inertias, by columns";
    case Needs::composite: return "composite inertias";
    case Needs::articulation: return "articulated inertias";
    case Needs::upsilon: break;
    }
    return "Upsilon";
}

constexpr const char* direction_text(Direction way)
{
    switch (way) {
    case Direction::memoryless: return "memoryless: each body by itself";
    case Direction::causal: return "causal: from tip to base";
    case Direction::anticausal: return "anticausal: from base to tip";
    case Direction::mixed: break;
    }
    return "mixed: both ways";
}

// What is said before the loops; names as the form wants them.
struct Facts {
    std::string range, domain, way, model, count, growth, kernel;
    std::vector<std::string> needs;
    bool is_vector;
    int fused, written;
};

Facts facts_of(Arena& arena, const Node* expression, const Plan& plan, bool latex)
{
    const auto given = [&](const std::string& name) { return latex ? latex_text(name) : name; };
    Facts f;
    const auto space = [&](SpaceId id) { // in LaTeX with spaces between frames, where a line may break
        std::string names;
        if (!latex || id.frames < 0)
            return arena.space_name(id);
        for (FrameId frame : arena.frames(id.frames))
            names += (names.empty() ? "" : ", ") + latex_text(plan.model().frame_at(frame).name);
        return std::string(sweepdyn::algebra::name(id.space)) + "[" + names + "]";
    };
    f.range = space(plan.range());
    f.domain = space(plan.domain());
    f.is_vector = plan.operand() < 0;
    f.way = direction_text(direction(expression));
    f.fused = plan.sweeps();
    f.written = sweeps_as_written(arena, expression);
    for (Needs needs : plan.needs())
        f.needs.emplace_back(needs_text(needs));
    f.model =
        (latex ? "`" : "'") + given(plan.model().name()) + "', " +
        counted(plan.model().num_bodies(), "body", "bodies") + " and " +
        (plan.over().by_clusters() ? counted(plan.over().num_columns(), "independent dof", "independent dofs")
                                   : counted(plan.model().num_dofs(), "dof", "dofs"));
    try {
        f.count = count_text(cost(plan));
    } catch (const RefusedError& error) { // the loops are the same whatever the numbers
        f.count = "not counted, since it cannot run; " + given(error.what());
    }
    f.growth = growth_text(arena, expression, plan);
    f.kernel = given(std::string(name(known_kernel(arena, expression))));
    return f;
}

std::string joined(const std::vector<std::string>& words, const char* last)
{
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
    return out;
}

constexpr const char* way_of(const Pass& pass)
{
    return !pass.crosses                         ? ""
           : pass.direction == Direction::causal ? " from tip to base"
                                                 : " from base to tip";
}

std::string explain_in_text(Arena& arena, const Node* expression, const Plan& plan)
{
    const Facts f = facts_of(arena, expression, plan, false);
    std::string out = to_text(arena, expression) + "\n\n";
    out += (f.is_vector ? "a vector of " : "maps " + f.domain + " to ") + f.range + "; " + f.way + "\n";
    out += "sweeps: " + std::to_string(f.fused) + " fused, " + std::to_string(f.written) + " as written\n";
    out += "of the state: " + joined(f.needs, ", ") + "\n";
    out += "cost for " + f.model + ": " + f.count + "\n";
    out += "growth: " + f.growth + "\n";
    if (!f.kernel.empty())
        out += "known: runs as the kernel " + f.kernel + ", these loops written by hand\n";
    if (f.fused > 0)
        out += std::string(plan.over().by_clusters()
                               ? "k is a cluster, its bodies together, and p the body that it hangs on"
                               : "p is the parent of k") +
               "; what is added up begins at zero, what comes from the ground is zero\n";

    const LoopLines loops(plan, false);
    int number = 0;
    for (const Pass& pass : plan.passes()) {
        if (pass.instructions.empty())
            continue;
        out += "\n" + std::to_string(++number) + (pass.crosses ? ". for k" : ". for every k") + way_of(pass) +
               ":\n";
        for (const Instruction& ins : pass.instructions)
            out += "     " + loops.line(ins) + "\n";
    }
    return out + "\nresult: " + loops.name(plan.output()) + "\n";
}

std::string explain_in_latex(Arena& arena, const Node* expression, const Plan& plan)
{
    const Facts f = facts_of(arena, expression, plan, true);
    std::string out = display(to_latex(arena, expression)) + "\\noindent\n";
    out += (f.is_vector ? "It is a vector of " : "It maps " + f.domain + " to ") + f.range + " (" + f.way +
           ")\n";
    out += f.fused == 0 ? "without a sweep"
                        : "in " + counted(f.fused, "sweep", "sweeps") + ", " + std::to_string(f.written) +
                              " as written";
    out += "; of the state it takes " + joined(f.needs, " and ") + ".\n";
    out += "The cost for " + f.model + ": " + f.count + ".\n";
    out += "The growth is " + f.growth + ".\n";
    if (!f.kernel.empty())
        out +=
            "It is known, and runs as the kernel \\texttt{" + f.kernel + "}, these loops written by hand.\n";
    if (f.fused > 0)
        out += std::string(
                   plan.over().by_clusters()
                       ? "Below, $k$ is a cluster, its bodies together, and $p$ the body that it hangs on"
                       : "Below, body $p$ is the parent of body $k$") +
               "; what is added up begins at zero, and what comes from the ground is zero.\n";

    const LoopLines loops(plan, true);
    bool listed = false;
    for (const Pass& pass : plan.passes()) {
        if (pass.instructions.empty())
            continue;
        out += listed ? "" : "\\begin{enumerate}\n";
        listed = true;
        out += std::string(pass.crosses ? "\\item For $k$" : "\\item For every $k$") + way_of(pass) + ":\n";
        std::string lines;
        for (const Instruction& ins : pass.instructions)
            lines += (lines.empty() ? "" : "\\\\\n") + loops.line(ins);
        out += "\\begin{align*}\n" + lines + "\n\\end{align*}\n";
    }
    out += listed ? "\\end{enumerate}\n\\noindent\n" : "";
    return out + "The result is $" + loops.name(plan.output()) + "$.\n";
}

} // namespace

std::string explain(Arena& arena, const Node* expression, Form form)
{
    const Plan plan(arena, expression, Registry::off);
    return form == Form::latex ? explain_in_latex(arena, expression, plan)
                               : explain_in_text(arena, expression, plan);
}

} // namespace sweepdyn::algebra
