// Expressions: nodes of an immutable graph, interned in an arena, so that equal expressions are one node.
//
// An arena belongs to a model, to what its blocks are over (block_tree.hpp) and to a choice of reference points, which all its leaves share. Expressions are made through it; adjoints are pushed down to the leaves, products and sums are
// flat, inverse(I - E_phi) is phi and inverse(I - E_psi) is psi. Spaces are checked: a wrong product throws AlgebraError, which
// says what lands where. Not for use by two threads at once; a finished Plan needs no arena.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/operators/block_tree.hpp"
#include "sweepdyn/operators/leaves.hpp"

namespace sweepdyn::algebra {

struct AlgebraError : UsageError {
    using UsageError::UsageError;
};

// A space, and for frame spaces the set of frames, by its number in the arena.
struct SpaceId {
    Space space = Space::one;
    int frames = -1;
    friend bool operator==(const SpaceId&, const SpaceId&) = default;
};

// Of which H phi X phi* H* + Y the leaves D and G are: of the mass operator (X = M, Y = J_a), of that without armature, or of the
// frames' unit weights (X = B W B*, no Y), by the number of their set.
struct Articulated {
    int of = 0; // 0: mass, 1: mass without armature, 2 + set: frames
    static constexpr Articulated mass() { return {0}; }
    static constexpr Articulated without_armature() { return {1}; }
    static constexpr Articulated frames(int set) { return {2 + set}; }
    constexpr int frame_set() const { return of - 2; } // negative: none
    friend bool operator==(const Articulated&, const Articulated&) = default;
};

class Arena;
struct Node;
struct Term {
    double coefficient = 1.0;
    const Node* node = nullptr;
};
struct Node {
    enum class Kind { leaf, identity, product, sum, inverse };
    Kind kind = Kind::identity;
    SpaceId range, domain;
    int id = 0;
    const Arena* arena = nullptr; // to which it belongs

    Leaf leaf{}; // leaf
    bool adjoint = false; // leaf
    Articulated articulated{}; // leaf D or G
    std::string name; // of a vector or blocks given at run time
    std::vector<const Node*> factors; // product, left to right; of an inverse the one that is inverted
    std::vector<Term> terms; // sum; empty: zero
};

class Arena {
public:
    explicit Arena(const BlockTree& over, Reference reference = Reference::hinges)
        : over_(over),
          reference_(reference)
    {
    }
    const Model& model() const { return over_.model(); }
    const BlockTree& over() const { return over_; }
    Reference reference() const { return reference_; }

    const Node* leaf(Leaf leaf, Articulated of = {});
    const Node* pick_off(const std::vector<std::string>& frames); // B[...]
    const Node* unit_weights(const std::vector<std::string>& frames); // W[...]
    const Node* vector(SpaceId space, const std::string& name); // given at run time
    const Node* blocks(SpaceId range, SpaceId domain, const std::string& name); // given at run time
    const Node* identity(SpaceId space);
    const Node* product(const Node* left, const Node* right);
    const Node* sum(const Node* a, const Node* b, double coefficient_of_b = 1.0);
    const Node* scaled(double coefficient, const Node* a);
    const Node* adjoint(const Node* a);
    const Node* inverse(const Node* a);

    const std::vector<FrameId>& frames(int set) const { return frame_sets_[static_cast<std::size_t>(set)]; }
    // Throws AlgebraError for a node of another arena.
    void require_own(const Node* node) const;
    std::string space_name(SpaceId space) const; // "BodyForce", "FrameForce[tool]"
    int dimension(SpaceId space) const;

private:
    const Node* intern(Node node);
    const Node* product_of(std::vector<const Node*> factors);
    const Node* sum_of(std::vector<Term> terms, SpaceId range, SpaceId domain);

    int frame_set(const char* leaf, const std::vector<std::string>& names);

    BlockTree over_;
    Reference reference_;
    std::vector<std::vector<FrameId>> frame_sets_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::map<std::string, const Node*> index_;
};

// Text that parses back to the same expression, and LaTeX.
std::string to_text(const Arena& arena, const Node* node);
std::string to_latex(const Arena& arena, const Node* node);

// The same expression in primitive leaves, with every inverse one that a plan can run. Throws AlgebraError, which says for
// which inverse no factorization is known.
const Node* expand(Arena& arena, const Node* node);

Direction direction(const Node* node);
// Every path through it crosses from a body to another: then I - it can be inverted by one sweep.
bool strictly_moves(const Node* node);

} // namespace sweepdyn::algebra
