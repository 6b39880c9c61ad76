#include "loop_lines.hpp"

#include <algorithm>
#include <cmath>

#include "latex_text.hpp"

namespace sweepdyn::algebra {

LoopLines::LoopLines(const Plan& plan, bool latex) : plan_(plan), latex_(latex)
{
    for (const Pass& pass : plan.passes())
        for (const Instruction& ins : pass.instructions)
            if (std::find(computed_.begin(), computed_.end(), ins.target) == computed_.end())
                computed_.push_back(ins.target);
}

std::string LoopLines::name(int v) const
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

std::string LoopLines::line(const Instruction& ins) const
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

std::string LoopLines::given(const std::string& named) const
{
    return !latex_ || named.size() == 1 ? named : "\\textit{" + latex_text(named) + "}";
}

char LoopLines::letter(int v) const
{
    const Space space = space_of(v);
    return is_hinge(space)               ? 'e'
           : space == Space::body_force  ? 'z'
           : space == Space::body_motion ? 'y'
           : is_frame(space)             ? 'f'
                                         : 'h';
}

std::string LoopLines::block(int v, const char* body) const
{
    const Space space = space_of(v);
    if (is_hinge(space) || is_body(space))
        return name(v) + "(" + body + ")";
    return is_frame(space) ? name(v) + "(i)" : name(v);
}

std::string LoopLines::articulated(Articulated of) const
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

std::string LoopLines::operation(const Instruction& ins) const
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

std::string LoopLines::remark(Instruction::Op op) const
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

} // namespace sweepdyn::algebra
