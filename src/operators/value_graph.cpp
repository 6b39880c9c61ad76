#include "value_graph.hpp"

#include <algorithm>

namespace sweepdyn::algebra {

int ValueGraph::cons(Value v)
{
    for (int i = 0; i < size(); ++i)
        if (!open.contains(i) && (*this)[i] == v)
            return i;
    values.push_back(std::move(v));
    return size() - 1;
}

std::vector<Value::Weighted> canonical(std::vector<Value::Weighted> terms)
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

int ValueGraph::add(std::vector<Value::Weighted> terms, SpaceId space)
{
    Value v;
    v.kind = Value::Kind::sum, v.space = space;
    v.terms = canonical(std::move(terms));
    if (v.terms.size() == 1 && v.terms.front().coefficient == 1.0)
        return v.terms.front().value;
    return cons(std::move(v));
}

std::vector<int> ValueGraph::uses() const
{
    std::vector<int> count(values.size(), 0), todo;
    const auto use = [&](int v) {
        if (++count[static_cast<std::size_t>(v)] == 1)
            todo.push_back(v);
    };
    use(output);
    while (!todo.empty()) {
        const Value& v = (*this)[todo.back()];
        todo.pop_back();
        if (v.argument >= 0)
            use(v.argument);
        for (const Value::Weighted& t : v.terms)
            use(t.value);
    }
    return count;
}

namespace {

// Applies an expression to a value. As written: sweeps stay closed, to be counted.
class Writer {
public:
    Writer(Arena& arena, ValueGraph& graph, bool as_written)
        : arena_(arena),
          graph_(graph),
          as_written_(as_written)
    {
    }

    void write(const Node* expression)
    {
        if (expression->domain.space != Space::one) {
            Value input;
            input.space = expression->domain;
            graph_.operand = graph_.cons(std::move(input));
        }
        graph_.output = apply(as_written_ ? expression : expand(arena_, expression), graph_.operand);
    }
    int sweeps() const { return static_cast<int>(sweeps_.size()); }

    // a and b come from a base-to-tip sweep of velocities; phi* of what the state gives goes along with it.
    bool needs_a_sweep_for_velocities() const
    {
        const auto of_state = [&](const auto& self, int v) -> bool {
            const Value& value = graph_[v];
            if (value.kind == Value::Kind::input)
                return value.leaf == Leaf::a || value.leaf == Leaf::gravity;
            return value.kind == Value::Kind::sum && !value.terms.empty() &&
                   std::all_of(value.terms.begin(), value.terms.end(),
                               [&](const Value::Weighted& t) { return self(self, t.value); });
        };
        const bool needed = std::any_of(graph_.values.begin(), graph_.values.end(), [](const Value& v) {
            return v.kind == Value::Kind::input && (v.leaf == Leaf::a || v.leaf == Leaf::b);
        });
        const bool along = std::any_of(sweeps_.begin(), sweeps_.end(), [&](const SweepOf& s) {
            return s.X == arena_.adjoint(arena_.leaf(Leaf::E_phi)) && of_state(of_state, s.argument);
        });
        return needed && !along;
    }

private:
    // y = x + X y: a sum that its own terms read.
    int sweep(const Node* X, int x, SpaceId space)
    {
        for (const auto& [node, argument, value] : sweeps_)
            if (node == X && argument == x)
                return value;
        Value v;
        v.kind = Value::Kind::sum, v.space = space;
        graph_.values.push_back(std::move(v));
        const int y = graph_.size() - 1;
        graph_.open.insert(y);
        sweeps_.push_back({X, x, y});
        if (!as_written_) {
            const int Xy = apply(expand(arena_, X), y);
            graph_[y].terms = canonical({{1.0, x}, {1.0, Xy}});
        } else
            graph_[y].terms = {{1.0, x}};
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
            return graph_.add(std::move(terms), node->range);
        }
        case Node::Kind::leaf: {
            if (node->leaf == Leaf::phi || node->leaf == Leaf::psi) {
                const Node* E = arena_.leaf(node->leaf == Leaf::phi ? Leaf::E_phi : Leaf::E_psi);
                return sweep(node->adjoint ? arena_.adjoint(E) : E, argument, node->range);
            }
            if (node->domain.space == Space::one) {
                if (argument >= 0)
                    throw AlgebraError("a vector times the adjoint of a vector, " + to_text(arena_, node) +
                                       "*adj(...), cannot be run: take the product of the two numbers apart");
                Value v;
                v.space = node->range, v.leaf = node->leaf, v.name = node->name;
                return graph_.cons(std::move(v));
            }
            if (node->range.space == Space::one)
                throw AlgebraError(
                    "adj(" + to_text(arena_, arena_.adjoint(node)) +
                    ")*... is a number: run the vector to its right, and take dot(...) of the two");
            return apply_leaf(node, false, node->range, argument);
        }
        case Node::Kind::inverse: break;
        }
        const Node* inner = node->factors.front();
        if (inner->kind == Node::Kind::leaf)
            return apply_leaf(inner, true, node->range, argument);
        if (as_written_ && !(inner->kind == Node::Kind::sum && inner->range == inner->domain &&
                             strictly_moves(arena_.sum(arena_.identity(inner->range), inner, -1.0))))
            return apply(expand(arena_, node), argument);
        return sweep(arena_.sum(arena_.identity(inner->range), inner, -1.0), argument, node->range);
    }

    int apply_leaf(const Node* leaf, bool inverse, SpaceId range, int argument)
    {
        Value v;
        v.kind = Value::Kind::apply, v.leaf = leaf->leaf, v.articulated = leaf->articulated;
        v.adjoint = leaf->adjoint, v.inverse = inverse, v.name = leaf->name;
        v.space = range, v.argument = argument;
        return graph_.cons(std::move(v));
    }

    struct SweepOf {
        const Node* X;
        int argument, value;
    };
    Arena& arena_;
    ValueGraph& graph_;
    bool as_written_;
    std::vector<SweepOf> sweeps_;
};

} // namespace

ValueGraph value_graph(Arena& arena, const Node* expression)
{
    ValueGraph graph;
    Writer(arena, graph, false).write(expression);
    return graph;
}

int sweeps_as_written(Arena& arena, const Node* expression)
{
    ValueGraph graph;
    Writer writer(arena, graph, true);
    writer.write(expression);
    const int counted = writer.sweeps() + writer.needs_a_sweep_for_velocities();
    return std::max(counted, Plan(arena, expression, Registry::off).sweeps()); // a lone E_phi is a sweep too
}

} // namespace sweepdyn::algebra
