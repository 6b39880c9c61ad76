// Composite leaves become what they stand for, inverses what a plan can run.
#include <algorithm>
#include <map>

#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {
namespace {

class Expansion {
public:
    explicit Expansion(Arena& arena) : arena_(arena) {}

    const Node* operator()(const Node* node)
    {
        if (const auto found = done_.find(node); found != done_.end())
            return found->second;
        const Node* out = make(node);
        return done_[node] = out;
    }

private:
    const Node* make(const Node* node)
    {
        switch (node->kind) {
        case Node::Kind::identity: return node;
        case Node::Kind::leaf: {
            const Node* out = definition(node->leaf);
            return !out ? node : node->adjoint ? arena_.adjoint(out) : out;
        }
        case Node::Kind::product: {
            const Node* out = (*this)(node->factors.front());
            for (auto factor = node->factors.begin() + 1; factor != node->factors.end(); ++factor)
                out = arena_.product(out, (*this)(*factor));
            return out;
        }
        case Node::Kind::sum: {
            const Node* out = arena_.scaled(0.0, node);
            for (const Term& term : node->terms)
                out = arena_.sum(out, (*this)(term.node), term.coefficient);
            return out;
        }
        case Node::Kind::inverse: break;
        }
        return inverted(node->factors.front());
    }

    // phi and psi stay: they are sweeps, which a plan knows how to run.
    const Node* definition(Leaf which)
    {
        const auto leaf = [&](Leaf l) { return arena_.leaf(l); };
        const Node* I = arena_.identity({Space::body_force});
        const auto tau = [&] { return arena_.product(leaf(Leaf::G), leaf(Leaf::H)); };
        const auto tau_bar = [&] { return arena_.sum(I, tau(), -1.0); };
        switch (which) {
        case Leaf::K: return arena_.product(leaf(Leaf::E_phi), leaf(Leaf::G));
        case Leaf::tau: return tau();
        case Leaf::tau_bar: return tau_bar();
        case Leaf::E_psi: return arena_.product(leaf(Leaf::E_phi), tau_bar());
        case Leaf::Delta_psi: return arena_.product(leaf(Leaf::Delta_phi), tau_bar());
        default: return nullptr;
        }
    }

    const Node* inverted(const Node* inner)
    {
        if (inner->kind == Node::Kind::leaf) {
            const LeafFacts& f = facts(inner->leaf);
            if (f.primitive && f.block_diagonal && f.leaf != Leaf::H && f.leaf != Leaf::G)
                return arena_.inverse(inner);
            if (f.leaf == Leaf::phi || f.leaf == Leaf::psi) {
                const Node* I = arena_.identity(inner->range);
                const Node* E = arena_.leaf(f.leaf == Leaf::phi ? Leaf::E_phi : Leaf::E_psi);
                return (*this)(arena_.sum(I, inner->adjoint ? arena_.adjoint(E) : E, -1.0));
            }
        }
        if (const Node* known = factorization(inner))
            return (*this)(known);
        if (is_sweep(inner))
            return arena_.inverse(inner);
        if (inner->kind == Node::Kind::product) {
            const Node* out = nullptr;
            for (auto factor = inner->factors.rbegin(); factor != inner->factors.rend(); ++factor) {
                if (arena_.dimension((*factor)->range) != arena_.dimension((*factor)->domain))
                    refuse(inner);
                const Node* next = inverted(*factor);
                out = out ? arena_.product(out, next) : next;
            }
            return out;
        }
        refuse(inner);
    }

    // I - X with X from body to body, all one way.
    bool is_sweep(const Node* inner)
    {
        if (inner->kind != Node::Kind::sum || !(inner->range == inner->domain))
            return false;
        const Node* I = arena_.identity(inner->range);
        const Node* X = arena_.sum(I, inner, -1.0);
        const Direction way = direction(X);
        return (way == Direction::causal || way == Direction::anticausal) && strictly_moves(X);
    }

    // The mass operator, and the triangular factors of it.
    const Node* factorization(const Node* inner)
    {
        const auto leaf = [&](Leaf l) { return arena_.leaf(l); };
        const auto times = [&](std::initializer_list<const Node*> factors) {
            const Node* out = *factors.begin();
            for (const Node* factor : std::span(factors).subspan(1))
                out = arena_.product(out, factor);
            return out;
        };
        const Node *H = leaf(Leaf::H), *phi = leaf(Leaf::phi), *psi = leaf(Leaf::psi), *K = leaf(Leaf::K);
        const Node* I = arena_.identity({Space::hinge_force});
        const Node* up = arena_.sum(I, times({H, phi, K}));
        const Node* down = arena_.sum(I, times({H, psi, K}), -1.0);
        for (auto [one, other] : {std::pair{up, down}, {down, up}}) {
            if (inner == one)
                return other;
            if (inner == arena_.adjoint(one))
                return arena_.adjoint(other);
        }
        const Node* rigid = times({H, phi, leaf(Leaf::M), arena_.adjoint(phi), arena_.adjoint(H)});
        const Node* mass = arena_.sum(rigid, leaf(Leaf::J_a));
        const bool without_armature = std::all_of(
            arena_.model().hinges().begin(), arena_.model().hinges().end(), [](const Hinge& hinge) {
                return std::all_of(hinge.armature.begin(), hinge.armature.end(),
                                   [](double x) { return x == 0.0; });
            });
        if (inner == mass || (inner == rigid && without_armature))
            return times({arena_.adjoint(down), arena_.inverse(leaf(Leaf::D)), down});
        if (inner == rigid)
            throw AlgebraError("inverse(" + to_text(arena_, inner) +
                               "): this model has armature, which D, G, K and psi take in; add J_a");
        return nullptr;
    }

    [[noreturn]] void refuse(const Node* inner)
    {
        throw AlgebraError("inverse(" + to_text(arena_, inner) +
                           "): no factorization of it is known. Known are block-diagonal leaves (M, J_a, R, "
                           "P, D, Upsilon, Delta_phi), I - X "
                           "with X from body to body one way (E_phi, E_psi, S, K*H), H*phi*M*adj(phi)*adj(H) "
                           "+ J_a, I + H*phi*K, I - H*psi*K, "
                           "and products of these");
    }

    Arena& arena_;
    std::map<const Node*, const Node*> done_;
};

} // namespace

const Node* expand(Arena& arena, const Node* node) { return Expansion(arena)(node); }

} // namespace sweepdyn::algebra
