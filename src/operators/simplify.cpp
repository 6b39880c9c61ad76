#include "value_graph.hpp"

#include <algorithm>

namespace sweepdyn::algebra {
namespace {

void replace(ValueGraph& graph, int old_value, int new_value)
{
    for (Value& v : graph.values) {
        if (v.argument == old_value)
            v.argument = new_value;
        for (Value::Weighted& t : v.terms)
            if (t.value == old_value)
                t.value = new_value;
    }
    if (graph.output == old_value)
        graph.output = new_value;
}

// The same leaf, applied to values of the same space, each read only here: L x and L y.
bool share_a_leaf(const ValueGraph& graph, const std::vector<int>& count, int x, int y)
{
    const Value &a = graph[x], &b = graph[y];
    return a.kind == Value::Kind::apply && b.kind == Value::Kind::apply && a.leaf == b.leaf &&
           a.name == b.name && a.articulated == b.articulated && a.adjoint == b.adjoint &&
           a.inverse == b.inverse && graph[a.argument].space == graph[b.argument].space &&
           count[static_cast<std::size_t>(x)] == 1 && count[static_cast<std::size_t>(y)] == 1;
}

// One step of it at the sum i. False: there is nothing to do.
bool simplify_sum(ValueGraph& graph, const std::vector<int>& count, int i)
{
    graph[i].terms = canonical(graph[i].terms);
    const std::vector<Value::Weighted> terms = graph[i].terms;
    if (terms.size() == 1 && terms[0].coefficient == 1.0 && terms[0].value != i) {
        replace(graph, i, terms[0].value);
        return true;
    }
    for (std::size_t a = 0; a < terms.size(); ++a) {
        const int x = terms[a].value;
        if (graph[x].kind == Value::Kind::sum && count[static_cast<std::size_t>(x)] == 1 &&
            !graph.open.contains(x)) {
            std::vector<Value::Weighted> flat = terms;
            flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(a));
            for (const Value::Weighted& t : graph[x].terms)
                flat.push_back({terms[a].coefficient * t.coefficient, t.value});
            graph[i].terms = canonical(flat);
            return true;
        }
        for (std::size_t b = a + 1; b < terms.size(); ++b) {
            if (!share_a_leaf(graph, count, x, terms[b].value))
                continue;
            Value merged = graph[x];
            merged.argument = graph.add({{terms[a].coefficient, merged.argument},
                                         {terms[b].coefficient, graph[terms[b].value].argument}},
                                        graph[merged.argument].space);
            std::vector<Value::Weighted> rest = terms;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(b));
            rest[a] = {1.0, graph.cons(std::move(merged))};
            graph[i].terms = canonical(rest);
            return true;
        }
    }
    return false;
}

void drop_unused(ValueGraph& graph)
{
    const std::vector<int> count = graph.uses();
    std::vector<int> place(graph.values.size(), -1);
    std::vector<Value> kept;
    for (int i = 0; i < graph.size(); ++i)
        if (count[static_cast<std::size_t>(i)] > 0 || i == graph.operand) {
            place[static_cast<std::size_t>(i)] = static_cast<int>(kept.size());
            kept.push_back(std::move(graph[i]));
        }
    const auto moved = [&](int& v) {
        if (v >= 0)
            v = place[static_cast<std::size_t>(v)];
    };
    for (Value& v : kept) {
        moved(v.argument);
        for (Value::Weighted& t : v.terms)
            moved(t.value);
    }
    graph.values = std::move(kept);
    moved(graph.output), moved(graph.operand);
    graph.open.clear(); // its numbers were of before
}

} // namespace

void simplify(ValueGraph& graph)
{
    for (bool changed = true; changed;) {
        changed = false;
        const std::vector<int> count = graph.uses();
        for (int i = 0; i < graph.size() && !changed; ++i)
            if (graph[i].kind == Value::Kind::sum && count[static_cast<std::size_t>(i)] > 0)
                changed = simplify_sum(graph, count, i);
    }
    drop_unused(graph);
}

} // namespace sweepdyn::algebra
