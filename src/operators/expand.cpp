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
            if (f.primitive && f.block_diagonal && f.leaf != Leaf::H && f.leaf != Leaf::G &&
                f.leaf != Leaf::M_dot && f.leaf != Leaf::blocks)
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

    const Node* times(std::initializer_list<const Node*> factors)
    {
        const Node* out = *factors.begin();
        for (const Node* factor : std::span(factors).subspan(1))
            out = arena_.product(out, factor);
        return out;
    }
    // H phi X phi* H*
    const Node* gathered(const Node* X)
    {
        const Node *H = arena_.leaf(Leaf::H), *phi = arena_.leaf(Leaf::phi);
        return times({H, phi, X, arena_.adjoint(phi), arena_.adjoint(H)});
    }
    // (I - H psi K)* D^-1 (I - H psi K), with the D, G of which psi = inverse(I - E_phi (I - G H)) and K = E_phi G are.
    const Node* innovations(Articulated of)
    {
        const Node *H = arena_.leaf(Leaf::H), *E_phi = arena_.leaf(Leaf::E_phi),
                   *psi = arena_.leaf(Leaf::psi), *K = arena_.leaf(Leaf::K);
        if (of != Articulated::mass()) {
            const Node* I = arena_.identity({Space::body_force});
            K = arena_.product(E_phi, arena_.leaf(Leaf::G, of));
            psi = arena_.inverse(arena_.sum(arena_.sum(I, E_phi, -1.0), arena_.product(K, H)));
        }
        const Node* down = arena_.sum(arena_.identity({Space::hinge_force}), times({H, psi, K}), -1.0);
        return times({arena_.adjoint(down), arena_.inverse(arena_.leaf(Leaf::D, of)), down});
    }
    bool has_armature() const
    {
        const auto hinges = arena_.model().hinges();
        return std::any_of(hinges.begin(), hinges.end(), [](const Hinge& hinge) {
            return std::any_of(hinge.armature.begin(), hinge.armature.end(),
                               [](double x) { return x != 0.0; });
        });
    }

    // The mass operator and the triangular factors of it, J* W J of a set of frames, the inertia of the whole.
    const Node* factorization(const Node* inner)
    {
        const auto leaf = [&](Leaf l) { return arena_.leaf(l); };
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
        const Node* rigid = gathered(leaf(Leaf::M));
        if (inner == arena_.sum(rigid, leaf(Leaf::J_a)) || inner == arena_.sum(leaf(Leaf::J_a), rigid))
            return innovations(Articulated::mass());
        if (inner == rigid)
            return innovations(has_armature() ? Articulated::without_armature() : Articulated::mass());
        if (inner->kind == Node::Kind::product && inner->factors.size() == 7)
            if (const Node *B = inner->factors[2], *W = inner->factors[3];
                B->leaf == Leaf::B && W->leaf == Leaf::W &&
                inner == gathered(times({B, W, arena_.adjoint(B)})))
                return innovations(Articulated::frames(B->domain.frames));
        const Node* E = leaf(Leaf::E);
        if (inner == times({E, leaf(Leaf::R), arena_.adjoint(E)}) ||
            inner == times({E, phi, leaf(Leaf::M), arena_.adjoint(phi), arena_.adjoint(E)}))
            return arena_.inverse(leaf(Leaf::R_0));
        return nullptr;
    }

    [[noreturn]] void refuse(const Node* inner)
    {
        throw AlgebraError(
            "inverse(" + to_text(arena_, inner) +
            "): no factorization of it is known. Known are block-diagonal leaves (M, J_a, R, "
            "P, D, L_D, W, Upsilon, Delta_phi), I - X with X from body to body one way (E_phi, "
            "E_psi, S, K*H), H*phi*M*adj(phi)*adj(H) with and without J_a, "
            "H*phi*B[f]*W[f]*adj(B[f])*adj(phi)*adj(H), E*R*adj(E), I + H*phi*K, I - H*psi*K, "
            "and products of these");
    }

    Arena& arena_;
    std::map<const Node*, const Node*> done_;
};

} // namespace

const Node* expand(Arena& arena, const Node* node) { return Expansion(arena)(node); }

} // namespace sweepdyn::algebra
