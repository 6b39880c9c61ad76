#include "sweepdyn/operators/explain.hpp"

#include <algorithm>

#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {

OperationCount cost(const Plan& plan)
{
    const Model& model = plan.model();
    std::vector<double> neutral_q(static_cast<std::size_t>(model.num_coordinates()));
    neutral(model, neutral_q);
    const std::vector<Counting> q(neutral_q.begin(), neutral_q.end()),
        v(static_cast<std::size_t>(model.num_dofs())),
        in(static_cast<std::size_t>(plan.operand() >= 0 ? plan.dimension(plan.domain()) : 0));
    std::vector<Counting> out(static_cast<std::size_t>(plan.dimension(plan.range())));
    Stages<Counting> stages(model, plan.reference());
    Runner<Counting> run(plan);
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

struct Words {
    bool latex;
    const char *parent, *self; // arguments
};

// Values by letters: x the operand, e over hinges, z forces and y motions of bodies, f over frames, h of the world; numbered
// in the order in which they are computed.
std::string name_of(const Plan& plan, int v, bool latex)
{
    const Value& value = plan.values()[static_cast<std::size_t>(v)];
    if (value.kind == Value::Kind::input)
        return v == plan.operand() ? "x"
               : value.leaf == Leaf::vector
                   ? value.name
                   : std::string(latex ? facts(value.leaf).latex : facts(value.leaf).name);
    const auto letter = [&](int i) {
        const Space space = plan.values()[static_cast<std::size_t>(i)].space.space;
        return is_hinge(space)               ? 'e'
               : space == Space::body_force  ? 'z'
               : space == Space::body_motion ? 'y'
               : is_frame(space)             ? 'f'
                                             : 'h';
    };
    std::vector<int> alike; // values with the same letter, as they appear
    for (const Pass& pass : plan.passes())
        for (const Instruction& ins : pass.instructions)
            if (letter(ins.target) == letter(v) &&
                std::find(alike.begin(), alike.end(), ins.target) == alike.end())
                alike.push_back(ins.target);
    const auto number = std::to_string(std::find(alike.begin(), alike.end(), v) - alike.begin() + 1);
    return letter(v) + (latex ? "_{" + number + "}" : number);
}

// D and G of something else than the mass operator.
std::string of_text(const Plan& plan, Articulated of, bool latex)
{
    if (of == Articulated::mass())
        return "";
    std::string names = "M";
    if (of.frame_set() >= 0) {
        names.clear();
        for (FrameId frame : plan.frame_sets()[static_cast<std::size_t>(of.frame_set())])
            names += (names.empty() ? "" : ",") + plan.model().frame_at(frame).name;
    }
    return latex ? "_{" + names + "}" : "[" + names + "]";
}

std::string operator_text(const Plan& plan, const Instruction& ins, bool latex)
{
    const std::string of = of_text(plan, ins.articulated, latex);
    using Op = Instruction::Op;
    const char* adjoint = latex ? "^{*}" : "*";
    const char* inverse = latex ? "^{-1}" : "^-1";
    const auto shift = std::string(latex ? "\\phi" : "phi");
    switch (ins.op) {
    case Op::H: return "H";
    case Op::H_adj: return std::string("H") + adjoint;
    case Op::M: return "M";
    case Op::R: return latex ? "\\mathcal{R}" : "R";
    case Op::P: return "P";
    case Op::Upsilon: return latex ? "\\Upsilon" : "Upsilon";
    case Op::J_a: return "J_a";
    case Op::D: return "D" + of;
    case Op::G: return "G" + of;
    case Op::G_adj: return "G" + of + adjoint;
    case Op::M_dot: return latex ? "\\dot{M}" : "M_dot";
    case Op::R_0: return latex ? "\\mathcal{R}_0" : "R_0";
    case Op::R_0_inv: return std::string(latex ? "\\mathcal{R}_0" : "R_0") + inverse;
    case Op::B_cm: return latex ? "B_{cm}" : "B_cm";
    case Op::B_cm_adj: return std::string(latex ? "B_{cm}" : "B_cm") + adjoint;
    case Op::B_cm_inv: return std::string(latex ? "B_{cm}" : "B_cm") + inverse;
    case Op::B_cm_adj_inv: return std::string(latex ? "B_{cm}" : "B_cm") + adjoint + inverse;
    case Op::B: return "B";
    case Op::B_adj: return std::string("B") + adjoint;
    case Op::E_adj: return std::string("E") + adjoint;
    case Op::M_inv: return std::string("M") + inverse;
    case Op::R_inv: return std::string(latex ? "\\mathcal{R}" : "R") + inverse;
    case Op::P_inv: return std::string("P") + inverse;
    case Op::Upsilon_inv: return std::string(latex ? "\\Upsilon" : "Upsilon") + inverse;
    case Op::J_a_inv: return std::string("J_a") + inverse;
    case Op::D_inv: return "D" + of + inverse;
    case Op::push_phi:
    case Op::Delta: return shift;
    case Op::pull_phi:
    case Op::Delta_adj: return shift + adjoint;
    case Op::Delta_inv: return shift + inverse;
    case Op::Delta_adj_inv: return shift + adjoint + inverse;
    default: return "";
    }
}

std::string sentence(const Plan& plan, const Instruction& ins, const Words& w)
{
    using Op = Instruction::Op;
    const bool push = ins.op == Op::push_phi || ins.op == Op::push_S || ins.op == Op::push_E,
               pull = ins.op == Op::pull_phi || ins.op == Op::pull_S;
    const auto at = [&](int v, const char* where) { return name_of(plan, v, w.latex) + "(" + where + ")"; };
    const bool shift = ins.op == Op::push_phi || ins.op == Op::pull_phi || ins.op == Op::Delta ||
                       ins.op == Op::Delta_adj || ins.op == Op::Delta_inv || ins.op == Op::Delta_adj_inv;
    const bool to_ground = ins.op == Op::push_E;
    std::string op = to_ground ? std::string(w.latex ? "\\phi(0," : "phi(0,") + w.self + ")"
                               : operator_text(plan, ins, w.latex);
    if (shift)
        op += std::string("(") + w.parent + "," + w.self + ")";
    else if (!op.empty() && !to_ground)
        op += std::string("(") + w.self + ")";
    std::string out =
        to_ground ? name_of(plan, ins.target, w.latex) : at(ins.target, push ? w.parent : w.self);
    out += w.latex ? " &" : " ";
    out += push ? (w.latex ? "\\mathrel{+}=" : "+=") : "=";
    if (ins.base >= 0)
        out += " " + at(ins.base, w.self);
    const double c = ins.c;
    out += ins.base >= 0 ? (c < 0 ? " -" : " +") : (c < 0 ? " -" : "");
    if (const double size = c < 0 ? -c : c; size != 1.0)
        out += " " + number_text(size);
    if (!op.empty())
        out += " " + op + (w.latex ? "\\," : "");
    out += " " + at(ins.source, pull ? w.parent : w.self);
    if (to_ground)
        out += w.latex ? "\\quad\\text{for bodies on the ground}" : "     for bodies on the ground";
    return out;
}

std::string count_text(const OperationCount& count)
{
    std::string text = std::to_string(count.multiplications) + " multiplications, " +
                       std::to_string(count.additions) + " additions";
    if (count.divisions > 0)
        text += ", " + std::to_string(count.divisions) + " divisions";
    return text;
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
    case Direction::memoryless: return "memoryless: block k from block k";
    case Direction::causal: return "causal: from tip to base";
    case Direction::anticausal: return "anticausal: from base to tip";
    case Direction::mixed: break;
    }
    return "mixed: both ways";
}

} // namespace

std::string explain(Arena& arena, const Node* expression, Form form)
{
    const bool latex = form == Form::latex;
    const Plan plan(arena, expression, Registry::off);
    const Kernel kernel = known_kernel(arena, expression);
    const Words words{latex, "p", "k"};
    const int written = sweeps_as_written(arena, expression);
    const OperationCount count = cost(plan);
    const auto line = [&](const std::string& text) { return text + (latex ? "\\\\\n" : "\n"); };

    std::string out = latex ? "\\[" + to_latex(arena, expression) + "\\]\n\\noindent\n"
                            : to_text(arena, expression) + "\n\n";
    const bool is_vector = plan.operand() < 0;
    out += line((is_vector ? "a vector of " : "maps " + arena.space_name(plan.domain()) + " to ") +
                arena.space_name(plan.range()) + "; " + direction_text(direction(expression)));
    out += line("sweeps: " + std::to_string(plan.sweeps()) + " fused, " + std::to_string(written) +
                " as written");
    std::string needed;
    for (Needs needs : plan.needs())
        needed += (needed.empty() ? "" : ", ") + std::string(needs_text(needs));
    out += line("of the state: " + needed);
    out += line("cost for '" + plan.model().name() + "', " + std::to_string(plan.model().num_bodies()) +
                " bodies and " + std::to_string(plan.model().num_dofs()) + " dofs: " + count_text(count) +
                "; grows with the number of bodies");
    if (kernel != Kernel::none)
        out += line("known: runs as the kernel " + std::string(name(kernel)));
    int number = 0;
    for (const Pass& pass : plan.passes()) {
        if (pass.instructions.empty())
            continue;
        const char* way = !pass.crosses                         ? "for every k"
                          : pass.direction == Direction::causal ? "for k from tip to base"
                                                                : "for k from base to tip";
        out += (latex ? "\n" : "\n") + std::to_string(++number) + ". " + way + ":\n";
        out += latex ? "\\begin{align*}\n" : "";
        for (std::size_t i = 0; i < pass.instructions.size(); ++i)
            out += (latex ? "" : "     ") + sentence(plan, pass.instructions[i], words) +
                   (latex ? (i + 1 < pass.instructions.size() ? "\\\\\n" : "\n") : "\n");
        out += latex ? "\\end{align*}\n" : "";
    }
    const std::string result = name_of(plan, plan.output(), latex);
    out += latex ? "The result is $" + result + "$.\n" : "\nresult: " + result + "\n";
    return out;
}

} // namespace sweepdyn::algebra
