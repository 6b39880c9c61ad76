// An expression applied to a vector, as a graph of values, each computed once; and the passes that it is laid into.
// Between the files of plan.cpp only.
#pragma once

#include <set>

#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {

struct ValueGraph {
    std::vector<Value> values;
    int output = -1, operand = -1;
    std::set<int> open; // sweeps: sums that their own terms read

    const Value& operator[](int i) const { return values[static_cast<std::size_t>(i)]; }
    Value& operator[](int i) { return values[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(values.size()); }
    // The value, or the one that is there already.
    int cons(Value v);
    int add(std::vector<Value::Weighted> terms, SpaceId space);
    // How often each value is read, from the output on; 0: it is not needed.
    std::vector<int> uses() const;
};
// By value, equal ones added up.
std::vector<Value::Weighted> canonical(std::vector<Value::Weighted> terms);

// In primitive leaves, every inverse one that a plan can run.
ValueGraph value_graph(Arena& arena, const Node* expression);
// Fewer values: a sum of one is that one, sums in sums are one, L x + L y is L (x + y).
void simplify(ValueGraph& graph);
// As few passes as the crossings allow, with their instructions but for the articulation that each reads.
std::vector<Pass> lay_into_passes(const ValueGraph& graph);

} // namespace sweepdyn::algebra
