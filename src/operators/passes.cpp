#include <algorithm>

#include "value_graph.hpp"

namespace sweepdyn::algebra {
namespace {

bool crosses(const Value& v)
{
    return v.kind == Value::Kind::apply && (v.leaf == Leaf::E_phi || v.leaf == Leaf::S);
}
// A sum over the root bodies, which is there when its pass is over.
bool sums_the_roots(const Value& v)
{
    return v.kind == Value::Kind::apply && v.leaf == Leaf::E && !v.adjoint;
}
bool is_push(const Value& v) { return (crosses(v) && !v.adjoint) || sums_the_roots(v); }
bool is_pull(const Value& v) { return crosses(v) && v.adjoint; }
bool is_world(const Value& v)
{
    return v.space.space == Space::world_motion || v.space.space == Space::world_force;
}

class Layout {
public:
    explicit Layout(const ValueGraph& graph) : graph_(graph) {}
    std::vector<Pass> make()
    {
        schedule();
        emit();
        return std::move(passes_);
    }

private:
    // The least pass of each value, when pass 0 goes the given way and they alternate.
    std::vector<int> levels(bool first_is_causal) const
    {
        const auto causal = [&](int level) { return (level % 2 == 0) == first_is_causal; };
        std::vector<int> level(graph_.values.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < graph_.values.size(); ++i) {
                const Value& v = graph_.values[i];
                int least = 0;
                const auto after = [&](int read) { // what is of the whole, bodies read in a later pass
                    const Value& r = graph_[read];
                    const bool later =
                        sums_the_roots(r) || (is_world(r) && !is_world(v) && r.kind != Value::Kind::input);
                    least = std::max(least, level[read] + later);
                };
                if (v.argument >= 0)
                    after(v.argument);
                for (const Value::Weighted& t : v.terms)
                    after(t.value);
                if (crosses(v) && causal(least) == v.adjoint)
                    ++least;
                if (least > 2 * graph_.size() + 2)
                    throw AlgebraError("a sweep that waits for itself: what is inverted crosses both ways");
                if (least > level[i])
                    level[i] = least, changed = true;
            }
        }
        return level;
    }
    void schedule()
    {
        const std::vector<int> a = levels(true), b = levels(false);
        const auto last = [](const std::vector<int>& l) {
            return l.empty() ? 0 : *std::max_element(l.begin(), l.end());
        };
        const bool causal_first = last(a) <= last(b);
        level_ = causal_first ? a : b;
        passes_.assign(static_cast<std::size_t>(last(level_)) + 1, {});
        for (std::size_t i = 0; i < passes_.size(); ++i)
            passes_[i].direction = (i % 2 == 0) == causal_first ? Direction::causal : Direction::anticausal;
    }

    void emit()
    {
        count_ = graph_.uses();
        inside_sum_.assign(graph_.values.size(), 0);
        for (std::size_t i = 0; i < graph_.values.size(); ++i)
            for (const Value::Weighted& t : graph_.values[i].terms) {
                const Value& v = graph_.values[t.value];
                if (v.kind == Value::Kind::apply && !is_push(v) && !is_pull(v) && count_[t.value] == 1 &&
                    level_[t.value] == level_[i])
                    inside_sum_[t.value] = 1;
            }
        for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
            std::vector<char> done(graph_.values.size(), 0);
            Pass& p = passes_[pass];
            for (int i = 0; i < graph_.size(); ++i)
                emit(i, static_cast<int>(pass), done);
            for (int i = 0; i < graph_.size(); ++i)
                if (is_push(graph_.values[i]) && level_[i] == static_cast<int>(pass)) {
                    p.cleared.push_back(i);
                    p.instructions.push_back(instruction(graph_.values[i], i, -1, 1.0));
                }
            for (const Instruction& ins : p.instructions)
                p.crosses =
                    p.crosses || (ins.op >= Instruction::Op::push_phi && ins.op != Instruction::Op::push_E);
        }
    }
    void emit(int i, int pass, std::vector<char>& done)
    {
        const Value& v = graph_.values[i];
        if (done[i] || level_[i] != pass || v.kind == Value::Kind::input || is_push(v) || inside_sum_[i])
            return;
        done[i] = 1;
        auto& out = passes_[static_cast<std::size_t>(pass)].instructions;
        if (v.kind == Value::Kind::apply) {
            if (!is_pull(v))
                emit(v.argument, pass, done);
            out.push_back(instruction(v, i, -1, 1.0));
            return;
        }
        // A sum: plain values first, one of them as the base of what follows.
        int base = -1;
        std::vector<Value::Weighted> plain, applied;
        for (const Value::Weighted& t : v.terms) {
            if (inside_sum_[t.value])
                emit(graph_.values[t.value].argument, pass, done), applied.push_back(t);
            else
                emit(t.value, pass, done), plain.push_back(t);
        }
        const auto unit = std::find_if(plain.begin(), plain.end(),
                                       [](const Value::Weighted& t) { return t.coefficient == 1.0; });
        if (unit != plain.end()) {
            base = unit->value;
            plain.erase(unit);
        }
        if (plain.empty() && applied.empty()) { // nothing to add: a copy, or zero
            Instruction copy = copy_of(v.space, i, base < 0 ? i : base, -1, base < 0 ? 0.0 : 1.0);
            out.push_back(copy);
            return;
        }
        for (const Value::Weighted& t : plain) {
            out.push_back(copy_of(v.space, i, t.value, base, t.coefficient));
            base = i;
        }
        for (const Value::Weighted& t : applied) {
            out.push_back(instruction(graph_.values[t.value], i, base, t.coefficient));
            base = i;
        }
    }
    static Instruction copy_of(SpaceId space, int target, int source, int base, double c)
    {
        using Op = Instruction::Op;
        const Op op = is_hinge(space.space)   ? Op::copy_hinge
                      : is_body(space.space)  ? Op::copy_body
                      : is_frame(space.space) ? Op::copy_frame
                                              : Op::copy_world;
        return {op, target, source, base, c, space.frames, {}, -1};
    }
    Instruction instruction(const Value& v, int target, int base, double c) const
    {
        using Op = Instruction::Op;
        const auto either = [&](Op op, Op other, bool which) { return which ? other : op; };
        if (v.leaf == Leaf::W) // the same numbers, in the dual space
            return copy_of(v.space, target, v.argument, base, c);
        Op op{};
        switch (v.leaf) {
        case Leaf::E_phi: op = either(Op::push_phi, Op::pull_phi, v.adjoint); break;
        case Leaf::S: op = either(Op::push_S, Op::pull_S, v.adjoint); break;
        case Leaf::Delta_phi:
            op = v.inverse ? either(Op::Delta_inv, Op::Delta_adj_inv, v.adjoint)
                           : either(Op::Delta, Op::Delta_adj, v.adjoint);
            break;
        case Leaf::H: op = either(Op::H, Op::H_adj, v.adjoint); break;
        case Leaf::M: op = either(Op::M, Op::M_inv, v.inverse); break;
        case Leaf::J_a: op = either(Op::J_a, Op::J_a_inv, v.inverse); break;
        case Leaf::R: op = either(Op::R, Op::R_inv, v.inverse); break;
        case Leaf::P: op = either(Op::P, Op::P_inv, v.inverse); break;
        case Leaf::D: op = either(Op::D, Op::D_inv, v.inverse); break;
        case Leaf::L_D:
            op = v.inverse ? either(Op::L_D_inv, Op::L_D_adj_inv, v.adjoint)
                           : either(Op::L_D, Op::L_D_adj, v.adjoint);
            break;
        case Leaf::G: op = either(Op::G, Op::G_adj, v.adjoint); break;
        case Leaf::Upsilon: op = either(Op::Upsilon, Op::Upsilon_inv, v.inverse); break;
        case Leaf::B: op = either(Op::B, Op::B_adj, v.adjoint); break;
        case Leaf::M_dot: op = Op::M_dot; break;
        case Leaf::R_0: op = either(Op::R_0, Op::R_0_inv, v.inverse); break;
        case Leaf::B_cm:
            op = v.inverse ? either(Op::B_cm_inv, Op::B_cm_adj_inv, v.adjoint)
                           : either(Op::B_cm, Op::B_cm_adj, v.adjoint);
            break;
        case Leaf::blocks: op = either(Op::given, Op::given_adj, v.adjoint); break;
        case Leaf::E: op = either(Op::push_E, Op::E_adj, v.adjoint); break;
        default: throw AlgebraError("a plan cannot run the leaf " + std::string(facts(v.leaf).name));
        }
        const int frames = v.leaf != Leaf::B ? -1
                           : v.adjoint       ? v.space.frames
                                             : graph_[v.argument].space.frames;
        const int given = v.leaf == Leaf::blocks ? static_cast<int>(&v - graph_.values.data()) : -1;
        return {op, target, v.argument, base, c, frames, v.articulated, given};
    }

    const ValueGraph& graph_;
    std::vector<Pass> passes_;
    std::vector<int> level_, count_;
    std::vector<char> inside_sum_;
};

} // namespace

std::vector<Pass> lay_into_passes(const ValueGraph& graph) { return Layout(graph).make(); }

} // namespace sweepdyn::algebra
