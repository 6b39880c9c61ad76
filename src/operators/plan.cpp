#include "sweepdyn/operators/plan.hpp"

#include <algorithm>
#include <set>

namespace sweepdyn::algebra {
namespace {

bool crosses(const Value& v)
{
    return v.kind == Value::Kind::apply && (v.leaf == Leaf::E_phi || v.leaf == Leaf::S);
}
bool is_push(const Value& v)
{
    return (crosses(v) && !v.adjoint) || (v.kind == Value::Kind::apply && v.leaf == Leaf::E && !v.adjoint);
}
bool is_pull(const Value& v) { return crosses(v) && v.adjoint; }

} // namespace

class PlanBuilder {
public:
    PlanBuilder(Arena& arena, Plan& plan, bool as_written = false)
        : arena_(arena),
          plan_(plan),
          values_(plan.values_),
          as_written_(as_written)
    {
    }

    void build(const Node* expression)
    {
        int operand = -1;
        if (expression->domain.space != Space::one) {
            Value input;
            input.space = expression->domain;
            operand = cons(std::move(input));
        }
        const Node* expanded = as_written_ ? expression : expand(arena_, expression);
        plan_.output_ = apply(expanded, operand);
        plan_.operand_ = operand;
    }
    void finish()
    {
        simplify();
        schedule();
        emit();
    }

private:
    int cons(Value v)
    {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const Value& w = values_[i];
            if (!open_.contains(static_cast<int>(i)) && w.kind == v.kind && w.space == v.space &&
                w.leaf == v.leaf && w.adjoint == v.adjoint && w.inverse == v.inverse &&
                w.argument == v.argument && w.terms == v.terms && w.name == v.name)
                return static_cast<int>(i);
        }
        values_.push_back(std::move(v));
        return static_cast<int>(values_.size()) - 1;
    }

    int apply_leaf(Leaf leaf, bool adjoint, bool inverse, SpaceId range, int argument)
    {
        Value v;
        v.kind = Value::Kind::apply, v.leaf = leaf, v.adjoint = adjoint, v.inverse = inverse;
        v.space = range, v.argument = argument;
        return cons(std::move(v));
    }

    int add(std::vector<Value::Weighted> terms, SpaceId space)
    {
        Value v;
        v.kind = Value::Kind::sum, v.space = space;
        v.terms = canonical(terms);
        if (v.terms.size() == 1 && v.terms.front().coefficient == 1.0)
            return v.terms.front().value;
        return cons(std::move(v));
    }
    // By value, equal ones added up.
    static std::vector<Value::Weighted> canonical(std::vector<Value::Weighted> terms)
    {
        std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
        std::vector<Value::Weighted> out;
        for (const Value::Weighted& t : terms)
            if (!out.empty() && out.back().value == t.value)
                out.back().coefficient += t.coefficient;
            else
                out.push_back(t);
        std::erase_if(out, [](const Value::Weighted& t) { return t.coefficient == 0.0; });
        return out;
    }

    // a and b come from a base-to-tip sweep of velocities; phi* of what the state gives goes along with it.
    bool needs_a_sweep_for_velocities() const
    {
        const auto of_state = [&](const auto& self, int v) -> bool {
            const Value& value = values_[static_cast<std::size_t>(v)];
            if (value.kind == Value::Kind::input)
                return value.leaf == Leaf::a || value.leaf == Leaf::gravity;
            return value.kind == Value::Kind::sum && !value.terms.empty() &&
                   std::all_of(value.terms.begin(), value.terms.end(),
                               [&](const Value::Weighted& t) { return self(self, t.value); });
        };
        const bool needed = std::any_of(values_.begin(), values_.end(), [](const Value& v) {
            return v.kind == Value::Kind::input && (v.leaf == Leaf::a || v.leaf == Leaf::b);
        });
        const bool along = std::any_of(sweeps_.begin(), sweeps_.end(), [&](const SweepOf& s) {
            return s.X == arena_.adjoint(arena_.leaf(Leaf::E_phi)) && of_state(of_state, s.argument);
        });
        return needed && !along;
    }

    // y = x + X y: a sum that its own terms read.
    int sweep(const Node* X, int x, SpaceId space)
    {
        for (const auto& [node, argument, value] : sweeps_)
            if (node == X && argument == x)
                return value;
        Value v;
        v.kind = Value::Kind::sum, v.space = space;
        values_.push_back(std::move(v));
        const int y = static_cast<int>(values_.size()) - 1;
        open_.insert(y);
        sweeps_.push_back({X, x, y});
        if (!as_written_) {
            const int Xy = apply(expand(arena_, X), y);
            values_[y].terms = canonical({{1.0, x}, {1.0, Xy}});
        } else
            values_[y].terms = {{1.0, x}};
        return y;
    }

    int apply(const Node* node, int argument)
    {
        switch (node->kind) {
        case Node::Kind::identity: return argument;
        case Node::Kind::product: {
            int value = argument;
            for (auto factor = node->factors.rbegin(); factor != node->factors.rend(); ++factor)
                value = apply(*factor, value);
            return value;
        }
        case Node::Kind::sum: {
            std::vector<Value::Weighted> terms;
            for (const Term& term : node->terms)
                terms.push_back({term.coefficient, apply(term.node, argument)});
            return add(std::move(terms), node->range);
        }
        case Node::Kind::leaf: {
            if (node->leaf == Leaf::phi || node->leaf == Leaf::psi) {
                const Node* E = arena_.leaf(node->leaf == Leaf::phi ? Leaf::E_phi : Leaf::E_psi);
                return sweep(node->adjoint ? arena_.adjoint(E) : E, argument, node->range);
            }
            if (node->domain.space == Space::one) {
                Value v;
                v.space = node->range, v.leaf = node->leaf, v.name = node->name;
                return cons(std::move(v));
            }
            return apply_leaf(node->leaf, node->adjoint, false, node->range, argument);
        }
        case Node::Kind::inverse: break;
        }
        const Node* inner = node->factors.front();
        if (inner->kind == Node::Kind::leaf)
            return apply_leaf(inner->leaf, inner->adjoint, true, node->range, argument);
        if (as_written_ && !(inner->kind == Node::Kind::sum && inner->range == inner->domain &&
                             strictly_moves(arena_.sum(arena_.identity(inner->range), inner, -1.0))))
            return apply(expand(arena_, node), argument);
        return sweep(arena_.sum(arena_.identity(inner->range), inner, -1.0), argument, node->range);
    }

    // --- fewer values ------------------------------------------------------------------------------------------------
    std::vector<int> uses() const
    {
        std::vector<int> count(values_.size(), 0);
        std::vector<char> seen(values_.size(), 0);
        std::vector<int> todo{plan_.output_};
        ++count[plan_.output_];
        const auto use = [&](int v) {
            ++count[v];
            if (!seen[v])
                seen[v] = 1, todo.push_back(v);
        };
        seen[plan_.output_] = 1;
        while (!todo.empty()) {
            const Value& v = values_[todo.back()];
            todo.pop_back();
            if (v.argument >= 0)
                use(v.argument);
            for (const Value::Weighted& t : v.terms)
                use(t.value);
        }
        return count;
    }
    void replace(int old_value, int new_value)
    {
        for (Value& v : values_) {
            if (v.argument == old_value)
                v.argument = new_value;
            for (Value::Weighted& t : v.terms)
                if (t.value == old_value)
                    t.value = new_value;
        }
        if (plan_.output_ == old_value)
            plan_.output_ = new_value;
    }
    // A sum of one value is that value; sums in sums are one; L x + L y is L (x + y).
    void simplify()
    {
        for (bool changed = true; changed;) {
            changed = false;
            const std::vector<int> count = uses();
            for (int i = 0; i < static_cast<int>(values_.size()) && !changed; ++i) {
                if (values_[i].kind != Value::Kind::sum || count[i] == 0)
                    continue;
                values_[i].terms = canonical(values_[i].terms);
                const std::vector<Value::Weighted> terms = values_[i].terms;
                if (terms.size() == 1 && terms[0].coefficient == 1.0 && terms[0].value != i) {
                    replace(i, terms[0].value);
                    changed = true;
                    break;
                }
                for (std::size_t a = 0; a < terms.size() && !changed; ++a) {
                    const Value& va = values_[terms[a].value];
                    if (va.kind == Value::Kind::sum && count[terms[a].value] == 1 &&
                        !open_.contains(terms[a].value)) {
                        std::vector<Value::Weighted> flat = terms;
                        flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(a));
                        for (const Value::Weighted& t : va.terms)
                            flat.push_back({terms[a].coefficient * t.coefficient, t.value});
                        values_[i].terms = canonical(flat);
                        changed = true;
                        break;
                    }
                    for (std::size_t b = a + 1; b < terms.size() && !changed; ++b) {
                        const Value& vb = values_[terms[b].value];
                        if (va.kind != Value::Kind::apply || vb.kind != Value::Kind::apply ||
                            va.leaf != vb.leaf || va.adjoint != vb.adjoint || va.inverse != vb.inverse ||
                            !(values_[va.argument].space == values_[vb.argument].space) ||
                            count[terms[a].value] != 1 || count[terms[b].value] != 1)
                            continue;
                        const Value first = va;
                        const int second = vb.argument;
                        const int sum =
                            add({{terms[a].coefficient, first.argument}, {terms[b].coefficient, second}},
                                values_[first.argument].space);
                        const int merged =
                            apply_leaf(first.leaf, first.adjoint, first.inverse, first.space, sum);
                        std::vector<Value::Weighted> rest = terms;
                        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(b));
                        rest[a] = {1.0, merged};
                        values_[i].terms = canonical(rest);
                        changed = true;
                    }
                }
            }
        }
        drop_unused();
    }
    void drop_unused()
    {
        const std::vector<int> count = uses();
        std::vector<int> place(values_.size(), -1);
        std::vector<Value> kept;
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (count[i] > 0 || static_cast<int>(i) == plan_.operand_) {
                place[i] = static_cast<int>(kept.size());
                kept.push_back(std::move(values_[i]));
            }
        for (Value& v : kept) {
            if (v.argument >= 0)
                v.argument = place[v.argument];
            for (Value::Weighted& t : v.terms)
                t.value = place[t.value];
        }
        values_ = std::move(kept);
        plan_.output_ = place[plan_.output_];
        if (plan_.operand_ >= 0)
            plan_.operand_ = place[plan_.operand_];
    }

    // --- passes ------------------------------------------------------------------------------------------------------
    // The least pass of each value, when pass 0 goes the given way and they alternate.
    std::vector<int> levels(bool first_is_causal) const
    {
        const auto causal = [&](int level) { return (level % 2 == 0) == first_is_causal; };
        std::vector<int> level(values_.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < values_.size(); ++i) {
                const Value& v = values_[i];
                int least = 0;
                if (v.argument >= 0)
                    least = level[v.argument];
                for (const Value::Weighted& t : v.terms)
                    least = std::max(least, level[t.value]);
                if (crosses(v) && causal(least) == v.adjoint)
                    ++least;
                // The sum over all roots is there when the pass is over.
                if (v.argument >= 0 && values_[v.argument].kind == Value::Kind::apply &&
                    values_[v.argument].leaf == Leaf::E && !values_[v.argument].adjoint)
                    least = std::max(least, level[v.argument] + 1);
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
        plan_.passes_.assign(static_cast<std::size_t>(last(level_)) + 1, {});
        for (std::size_t i = 0; i < plan_.passes_.size(); ++i)
            plan_.passes_[i].direction =
                (i % 2 == 0) == causal_first ? Direction::causal : Direction::anticausal;
    }

    // --- instructions ------------------------------------------------------------------------------------------------
    void emit()
    {
        count_ = uses();
        inside_sum_.assign(values_.size(), 0);
        for (std::size_t i = 0; i < values_.size(); ++i)
            for (const Value::Weighted& t : values_[i].terms) {
                const Value& v = values_[t.value];
                if (v.kind == Value::Kind::apply && !is_push(v) && !is_pull(v) && count_[t.value] == 1 &&
                    level_[t.value] == level_[i])
                    inside_sum_[t.value] = 1;
            }
        for (std::size_t pass = 0; pass < plan_.passes_.size(); ++pass) {
            std::vector<char> done(values_.size(), 0);
            Pass& p = plan_.passes_[pass];
            for (int i = 0; i < static_cast<int>(values_.size()); ++i)
                emit(i, static_cast<int>(pass), done);
            for (int i = 0; i < static_cast<int>(values_.size()); ++i)
                if (is_push(values_[i]) && level_[i] == static_cast<int>(pass)) {
                    p.cleared.push_back(i);
                    p.instructions.push_back(instruction(values_[i], i, -1, 1.0));
                }
            for (const Instruction& ins : p.instructions)
                p.crosses =
                    p.crosses || (ins.op >= Instruction::Op::push_phi && ins.op != Instruction::Op::push_E);
        }
    }
    void emit(int i, int pass, std::vector<char>& done)
    {
        const Value& v = values_[i];
        if (done[i] || level_[i] != pass || v.kind == Value::Kind::input || is_push(v) || inside_sum_[i])
            return;
        done[i] = 1;
        auto& out = plan_.passes_[static_cast<std::size_t>(pass)].instructions;
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
                emit(values_[t.value].argument, pass, done), applied.push_back(t);
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
            out.push_back(instruction(values_[t.value], i, base, t.coefficient));
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
        return {op, target, source, base, c, space.frames};
    }
    Instruction instruction(const Value& v, int target, int base, double c) const
    {
        using Op = Instruction::Op;
        const auto either = [&](Op op, Op other, bool which) { return which ? other : op; };
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
        case Leaf::G: op = either(Op::G, Op::G_adj, v.adjoint); break;
        case Leaf::Upsilon: op = either(Op::Upsilon, Op::Upsilon_inv, v.inverse); break;
        case Leaf::B: op = either(Op::B, Op::B_adj, v.adjoint); break;
        case Leaf::E: op = either(Op::push_E, Op::E_adj, v.adjoint); break;
        default: throw AlgebraError("a plan cannot run the leaf " + std::string(facts(v.leaf).name));
        }
        const int frames = v.leaf != Leaf::B ? -1
                           : v.adjoint       ? v.space.frames
                                             : values_[v.argument].space.frames;
        return {op, target, v.argument, base, c, frames};
    }

    struct SweepOf {
        const Node* X;
        int argument, value;
    };
    Arena& arena_;
    Plan& plan_;
    std::vector<Value>& values_;
    bool as_written_;
    std::set<int> open_; // sums that their own terms read
    std::vector<SweepOf> sweeps_;
    std::vector<int> level_, count_;
    std::vector<char> inside_sum_;

    friend int sweeps_as_written(Arena&, const Node*);
};

Plan::Plan(Arena& arena, const Node* expression)
    : model_(arena.model()),
      range_(expression->range),
      domain_(expression->domain)
{
    PlanBuilder builder(arena, *this);
    builder.build(expression);
    builder.finish();
    for (const Value& v : values_)
        for (const SpaceId& space : {v.space, range_, domain_})
            while (space.frames >= static_cast<int>(frame_sets_.size()))
                frame_sets_.push_back(arena.frames(static_cast<int>(frame_sets_.size())));
    std::set<Needs> needed{Needs::poses};
    for (const Value& v : values_)
        if (v.kind != Value::Kind::sum)
            needed.insert(facts(v.leaf).needs);
    needs_.assign(needed.begin(), needed.end());
}

int Plan::sweeps() const
{
    return static_cast<int>(
        std::count_if(passes_.begin(), passes_.end(), [](const Pass& p) { return p.crosses; }));
}

int Plan::dimension(SpaceId id) const
{
    return algebra::dimension(model_, id.space,
                              id.frames < 0 ? 0 : frame_sets_[static_cast<std::size_t>(id.frames)].size());
}

int sweeps_as_written(Arena& arena, const Node* expression)
{
    Plan scratch(arena, expression);
    scratch.values_.clear();
    PlanBuilder builder(arena, scratch, true);
    builder.build(expression);
    return static_cast<int>(builder.sweeps_.size()) + builder.needs_a_sweep_for_velocities();
}

} // namespace sweepdyn::algebra
