// A plan: an expression as fused sweeps. Plans are data: they hold no numbers of a state, and one serves many states and
// threads. run.hpp runs them, explain.hpp prints them.
//
// An expression applied to a vector becomes a graph of values, each computed once: an input, a leaf applied to a value, a
// weighted sum. Leaves distribute: L x + L y is L (x + y), which is how phi and K share one sweep. A sweep y = x + X y is a loop in
// that graph, cut where it crosses from body to body. Values are then laid into passes over the bodies, each tip to base or base
// to tip, as few as the crossings allow.
#pragma once

#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {

struct Value {
    enum class Kind { input, apply, sum };
    struct Weighted {
        double coefficient = 1.0;
        int value = -1;
        friend bool operator==(const Weighted&, const Weighted&) = default;
    };
    Kind kind = Kind::input;
    SpaceId space;
    Leaf leaf{}; // of an input that the state gives (a, b, gravity), or the one applied
    Articulated articulated{}; // of D and G
    bool adjoint = false, inverse = false;
    int argument = -1; // apply
    std::vector<Weighted> terms; // sum
    std::string name; // of an input or blocks given at run time; empty: the operand
    friend bool operator==(const Value&, const Value&) = default;
};

// target(k) = base(k) + c op(source(k)); base -1: nothing. push adds to the parent's block, pull reads it.
struct Instruction {
    enum class Op {
        copy_hinge,
        copy_body,
        copy_frame,
        copy_world, // also zero, with c = 0
        H,
        H_adj,
        M,
        R,
        P,
        Upsilon,
        J_a,
        D,
        L_D,
        L_D_adj,
        L_D_inv,
        L_D_adj_inv,
        G,
        G_adj,
        Delta,
        Delta_adj,
        B,
        B_adj,
        E_adj,
        M_dot,
        R_0,
        B_cm,
        B_cm_adj,
        R_0_inv,
        B_cm_inv,
        B_cm_adj_inv,
        M_inv,
        R_inv,
        P_inv,
        Upsilon_inv,
        J_a_inv,
        D_inv,
        Delta_inv,
        Delta_adj_inv,
        given,
        given_adj,
        push_phi,
        push_S,
        push_E,
        pull_phi,
        pull_S
    };
    Op op = Op::copy_hinge;
    int target = -1, source = -1, base = -1;
    double c = 1.0;
    int frames = -1;
    Articulated articulated{}; // of D and G
    int given = -1; // the value that applies these blocks
};

struct Pass {
    Direction direction = Direction::causal;
    bool crosses = false; // whether anything goes from body to body: else it is no sweep
    std::vector<int> cleared; // values that the pass gathers into
    std::vector<Instruction> instructions; // per body
};

// A hand-written kernel that an expression is: then it runs that instead of its passes.
enum class Kernel { none, solve_mass_matrix, inverse_dynamics, gravity_forces };
enum class Registry { on, off };
Kernel known_kernel(Arena& arena, const Node* expression);
std::string_view name(Kernel kernel);
Needs needs_of(Kernel kernel);

class Plan {
public:
    // Throws AlgebraError where an inverse is not known.
    Plan(Arena& arena, const Node* expression, Registry registry = Registry::on);
    // Of an Op (op.hpp).
    template <class Operator>
        requires requires(const Operator& op) { *op.arena, op.node; }
    explicit Plan(const Operator& op, Registry registry = Registry::on) : Plan(*op.arena, op.node, registry)
    {
    }

    const Model& model() const { return over_.model(); }
    const BlockTree& over() const { return over_; }
    Reference reference() const { return reference_; }
    Kernel kernel() const { return kernel_; }
    SpaceId range() const { return range_; }
    SpaceId domain() const { return domain_; }
    const std::vector<Value>& values() const { return values_; }
    const std::vector<Pass>& passes() const { return passes_; }
    const std::vector<std::vector<FrameId>>& frame_sets() const { return frame_sets_; }
    int output() const { return output_; }
    // The value that is the domain's vector; -1: the expression is a vector.
    int operand() const { return operand_; }
    // In the order in which they build on each other.
    const std::vector<Needs>& needs() const { return needs_; }
    // Of which D and G are needed.
    const std::vector<Articulated>& articulated() const { return articulated_; }
    int sweeps() const; // passes that cross
    std::vector<Direction> sweep_directions() const; // of these
    int dimension(SpaceId space) const;
    // How many numbers Runner::set wants for what the expression names; of blocks each block's, column by column.
    bool is_named(const Value& value) const;
    int dimension(const Value& named) const;

private:
    void find_needs();
    BlockTree over_;
    Reference reference_;
    SpaceId range_, domain_;
    Kernel kernel_;
    std::vector<Value> values_;
    std::vector<Pass> passes_;
    std::vector<Needs> needs_;
    std::vector<Articulated> articulated_;
    std::vector<std::vector<FrameId>> frame_sets_;
    int output_ = -1, operand_ = -1;
};

// How many sweeps the expression takes as it is written, each phi, psi or inverse(I - X) one, those of equal arguments once;
// the sweep that makes a and b is counted, unless a phi* of what the state gives goes along with it.
int sweeps_as_written(Arena& arena, const Node* expression);

} // namespace sweepdyn::algebra
