#include "sweepdyn/operators/explain.hpp"

#include <algorithm>
#include <cmath>

#include "latex_text.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {

OperationCount cost(const Plan& plan)
{
    const Model& model = plan.model();
    std::vector<double> plain_q(static_cast<std::size_t>(model.num_coordinates()));
    random_configuration(model, 1, plain_q); // not a special one
    const std::vector<Counting> q(plain_q.begin(), plain_q.end()),
        v(static_cast<std::size_t>(model.num_dofs())),
        in(static_cast<std::size_t>(plan.operand() >= 0 ? plan.dimension(plan.domain()) : 0));
    std::vector<Counting> out(static_cast<std::size_t>(plan.dimension(plan.range())));
    Stages<Counting> stages(model, plan.reference());
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
        out.assign(model.dof_names().begin(), model.dof_names().end());
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

// A plan's loops as lines of text or of LaTeX.
class Loops {
public:
    Loops(const Plan& plan, bool latex) : plan_(plan), latex_(latex)
    {
        for (const Pass& pass : plan.passes())
            for (const Instruction& ins : pass.instructions)
                if (std::find(computed_.begin(), computed_.end(), ins.target) == computed_.end())
                    computed_.push_back(ins.target);
    }

    // Values by letters: x the operand, e over hinges, z forces and y motions of bodies, f over frames, h of the world;
    // numbered in the order in which they are computed.
    std::string name(int v) const
    {
        const Value& value = plan_.values()[static_cast<std::size_t>(v)];
        if (value.kind == Value::Kind::input) {
            if (v == plan_.operand())
                return "x";
            if (value.leaf == Leaf::vector)
                return given(value.name);
            return std::string(latex_ ? facts(value.leaf).latex : facts(value.leaf).name);
        }
        const auto last = std::find(computed_.begin(), computed_.end(), v);
        const auto before =
            std::count_if(computed_.begin(), last, [&](int other) { return letter(other) == letter(v); });
        const std::string number = std::to_string(before + 1);
        return letter(v) + (latex_ ? "_{" + number + "}" : number);
    }

    // "z2(p) += phi(p,k) z1(k)"
    std::string line(const Instruction& ins) const
    {
        using Op = Instruction::Op;
        const bool push = ins.op == Op::push_phi || ins.op == Op::push_S || ins.op == Op::push_E;
        const bool pull = ins.op == Op::pull_phi || ins.op == Op::pull_S;
        std::string out = block(ins.target, push ? "p" : "k") + (latex_ ? " &" : " ") +
                          (push ? (latex_ ? "\\mathrel{+}=" : "+=") : "=");
        if (ins.base >= 0)
            out += " " + block(ins.base, "k");
        if (ins.c == 0.0)
            return out + (ins.base >= 0 ? "" : " 0");
        out += ins.c < 0 ? " -" : ins.base >= 0 ? " +" : "";
        if (const double size = std::abs(ins.c); size != 1.0)
            out += " " + (latex_ ? latex_number(size) + "\\," : number_text(size));
        if (const std::string op = operation(ins); !op.empty())
            out += " " + op + (latex_ ? "\\," : "");
        return out + " " + block(ins.source, pull ? "p" : "k") + remark(ins.op);
    }

private:
    std::string given(const std::string& named) const
    {
        return !latex_ || named.size() == 1 ? named : "\\textit{" + latex_text(named) + "}";
    }
    char letter(int v) const
    {
        const Space space = space_of(v);
        return is_hinge(space)               ? 'e'
               : space == Space::body_force  ? 'z'
               : space == Space::body_motion ? 'y'
               : is_frame(space)             ? 'f'
                                             : 'h';
    }
    Space space_of(int v) const { return plan_.values()[static_cast<std::size_t>(v)].space.space; }
    // The block of a body; of a frame, whatever the body; the whole, where there is but one.
    std::string block(int v, const char* body) const
    {
        const Space space = space_of(v);
        if (is_hinge(space) || is_body(space))
            return name(v) + "(" + body + ")";
        return is_frame(space) ? name(v) + "(i)" : name(v);
    }

    // D and G of something else than the mass operator.
    std::string articulated(Articulated of) const
    {
        if (of == Articulated::mass())
            return "";
        std::string names;
        if (of.frame_set() >= 0)
            for (FrameId frame : plan_.frame_sets()[static_cast<std::size_t>(of.frame_set())]) {
                const std::string& frame_name = plan_.model().frame_at(frame).name;
                names += (names.empty() ? "" : ",") + (latex_ ? latex_text(frame_name) : frame_name);
            }
        if (latex_)
            return names.empty() ? "_{M}" : "_{\\text{" + names + "}}";
        return "[" + (names.empty() ? "M" : names) + "]";
    }
    std::string operation(const Instruction& ins) const
    {
        using Op = Instruction::Op;
        const std::string star = latex_ ? "^{*}" : "*", inverse = latex_ ? "^{-1}" : "^-1";
        const auto of = [&](Leaf leaf, const std::string& power = "") {
            return std::string(latex_ ? facts(leaf).latex : facts(leaf).name) + articulated(ins.articulated) +
                   power + "(k)";
        };
        const auto whole = [&](Leaf leaf, const std::string& power = "") {
            return std::string(latex_ ? facts(leaf).latex : facts(leaf).name) + power;
        };
        const auto shift = [&](const char* between, const std::string& power = "") {
            return (latex_ ? "\\phi" : "phi") + power + between;
        };
        switch (ins.op) {
        case Op::copy_hinge:
        case Op::copy_body:
        case Op::copy_frame:
        case Op::copy_world:
        case Op::push_S:
        case Op::pull_S: return "";
        case Op::H: return of(Leaf::H);
        case Op::H_adj: return of(Leaf::H, star);
        case Op::M: return of(Leaf::M);
        case Op::R: return of(Leaf::R);
        case Op::P: return of(Leaf::P);
        case Op::Upsilon: return of(Leaf::Upsilon);
        case Op::J_a: return of(Leaf::J_a);
        case Op::D: return of(Leaf::D);
        case Op::L_D: return of(Leaf::L_D);
        case Op::L_D_adj: return of(Leaf::L_D, star);
        case Op::L_D_inv: return of(Leaf::L_D, inverse);
        case Op::L_D_adj_inv: return of(Leaf::L_D, latex_ ? "^{-*}" : "*^-1");
        case Op::G: return of(Leaf::G);
        case Op::G_adj: return of(Leaf::G, star);
        case Op::M_dot: return of(Leaf::M_dot);
        case Op::given:
        case Op::given_adj:
            return given(plan_.values()[static_cast<std::size_t>(ins.given)].name) +
                   (ins.op == Op::given ? "" : star) + "(k)";
        case Op::R_0: return whole(Leaf::R_0);
        case Op::R_0_inv: return whole(Leaf::R_0, inverse);
        case Op::B_cm: return whole(Leaf::B_cm);
        case Op::B_cm_adj: return whole(Leaf::B_cm, star);
        case Op::B_cm_inv: return whole(Leaf::B_cm, inverse);
        case Op::B_cm_adj_inv: return whole(Leaf::B_cm, latex_ ? "^{-*}" : "*^-1");
        case Op::M_inv: return of(Leaf::M, inverse);
        case Op::R_inv: return of(Leaf::R, inverse);
        case Op::P_inv: return of(Leaf::P, inverse);
        case Op::Upsilon_inv: return of(Leaf::Upsilon, inverse);
        case Op::J_a_inv: return of(Leaf::J_a, inverse);
        case Op::D_inv: return of(Leaf::D, inverse);
        case Op::push_phi:
        case Op::Delta: return shift("(p,k)");
        case Op::pull_phi:
        case Op::Delta_adj: return shift("(p,k)", star);
        case Op::Delta_inv: return shift("(p,k)", inverse);
        case Op::Delta_adj_inv: return shift("(p,k)", latex_ ? "^{-*}" : "*^-1");
        case Op::B: return (latex_ ? "\\sum_{i} " : "sum ") + shift("(k,i)");
        case Op::B_adj: return shift("(k,i)", star);
        case Op::push_E: return shift("(0,k)");
        case Op::E_adj: return shift("(0,k)", star);
        }
        return "";
    }
    std::string remark(Instruction::Op op) const
    {
        using Op = Instruction::Op;
        const char* text = op == Op::B                               ? "over the frames $i$ on body $k$"
                           : op == Op::B_adj || op == Op::copy_frame ? "for the frames $i$ on body $k$"
                           : op == Op::push_E                        ? "for bodies on the ground"
                           : op == Op::E_adj                         ? "this term for bodies on the ground"
                                                                     : nullptr;
        if (!text)
            return "";
        std::string words = text;
        if (latex_)
            return "\\qquad\\text{" + words + "}";
        std::erase(words, '$');
        return "     " + words;
    }

    const Plan& plan_;
    bool latex_;
    std::vector<int> computed_; // values, as they appear
};

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
    f.model = (latex ? "`" : "'") + given(plan.model().name()) + "', " +
              counted(plan.model().num_bodies(), "body", "bodies") + " and " +
              counted(plan.model().num_dofs(), "dof", "dofs");
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
        out += "p is the parent of k; what is added up begins at zero, what comes from the ground is zero\n";

    const Loops loops(plan, false);
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
        out += "Below, body $p$ is the parent of body $k$; what is added up begins at zero, and what comes "
               "from the "
               "ground is zero.\n";

    const Loops loops(plan, true);
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
