// Op<Range, Domain>: an operator as a value. The type carries the two spaces, so that a wrong product does not compile; the
// value is a node of an inspectable graph (graph.hpp).
//
//     Operators o(model);
//     auto Mass = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;       // HingeForce <- HingeMotion
//     auto L    = I - o.H * o.psi * o.K;
//     auto qdd  = adj(L) * inverse(o.D) * L * (T - C);
//
// A vector is an operator from One. Specified by tests/laws/identities.cpp.
#pragma once

#include <concepts>

#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {

template <class R, class D>
struct Op {
    using Range = R;
    using Domain = D;
    std::shared_ptr<Arena> arena;
    const Node* node = nullptr;
};
template <class X> using Vector = Op<X, One>;

namespace detail {
template <class R, class D> Arena& common(const Op<R, D>& a, const auto& b)
{
    if (a.arena != b.arena)
        throw AlgebraError("these operators belong to two models, '" + a.arena->model().name() + "' and '" +
                           b.arena->model().name() + "'; make both from one Operators");
    return *a.arena;
}
// What the compiler shows when spaces do not meet.
template <class Left, class Right> inline constexpr bool right_factor_lands_where_left_acts =
    std::same_as<Left, Right>;
} // namespace detail

template <class R, class X, class Y, class D> Op<R, D> operator*(const Op<R, X>& a, const Op<Y, D>& b)
{
    static_assert(detail::right_factor_lands_where_left_acts<X, Y>,
                  "wrong product: the right factor must land in the space on which the left one acts");
    return {a.arena, detail::common(a, b).product(a.node, b.node)};
}
template <class R, class D> Op<R, D> operator*(double c, const Op<R, D>& a)
{
    return {a.arena, a.arena->scaled(c, a.node)};
}
template <class R1, class D1, class R2, class D2> Op<R1, D1> operator+(const Op<R1, D1>& a,
                                                                       const Op<R2, D2>& b)
{
    static_assert(std::same_as<R1, R2> && std::same_as<D1, D2>,
                  "wrong sum: both terms must act between the same spaces");
    return {a.arena, detail::common(a, b).sum(a.node, b.node)};
}
template <class R1, class D1, class R2, class D2> Op<R1, D1> operator-(const Op<R1, D1>& a,
                                                                       const Op<R2, D2>& b)
{
    static_assert(std::same_as<R1, R2> && std::same_as<D1, D2>,
                  "wrong difference: both terms must act between the same spaces");
    return {a.arena, detail::common(a, b).sum(a.node, b.node, -1.0)};
}
template <class R, class D> Op<R, D> operator-(const Op<R, D>& a) { return -1.0 * a; }
template <class R, class D> Op<Dual<D>, Dual<R>> adj(const Op<R, D>& a)
{
    return {a.arena, a.arena->adjoint(a.node)};
}
template <class R, class D> Op<D, R> inverse(const Op<R, D>& a)
{
    return {a.arena, a.arena->inverse(a.node)};
}

template <class R, class D> Op<R, D> operator*(const Op<R, D>& a, double c) { return c * a; }
template <class R, class D> Op<R, D> operator/(const Op<R, D>& a, double c) { return (1.0 / c) * a; }

// A multiple of the identity of whatever space it meets.
struct Identity {
    double coefficient = 1.0;
};
inline constexpr Identity I{};
constexpr Identity operator*(double c, Identity i) { return {c * i.coefficient}; }
constexpr Identity operator-(Identity i) { return {-i.coefficient}; }
template <class R, class D> Op<R, R> identity_like(const Op<R, D>& a, Identity i)
{
    static_assert(std::same_as<R, D>,
                  "wrong sum: the identity maps a space to itself, the other term does not");
    return i.coefficient * Op<R, R>{a.arena, a.arena->identity(a.node->range)};
}
template <class R, class D> auto operator+(Identity i, const Op<R, D>& a) { return identity_like(a, i) + a; }
template <class R, class D> auto operator-(Identity i, const Op<R, D>& a) { return identity_like(a, i) - a; }
template <class R, class D> auto operator+(const Op<R, D>& a, Identity i) { return a + identity_like(a, i); }
template <class R, class D> auto operator-(const Op<R, D>& a, Identity i) { return a - identity_like(a, i); }
template <class R, class D> Op<R, D> operator*(Identity i, const Op<R, D>& a) { return i.coefficient * a; }
template <class R, class D> Op<R, D> operator*(const Op<R, D>& a, Identity i) { return i.coefficient * a; }

template <class R, class D> std::string to_text(const Op<R, D>& op) { return to_text(*op.arena, op.node); }
template <class R, class D> std::string to_latex(const Op<R, D>& op) { return to_latex(*op.arena, op.node); }
template <class R, class D> Direction direction(const Op<R, D>& op) { return direction(op.node); }

// The leaves of one model, by the papers' names; a block per hinge and about the hinge origins, unless other choices are made:
// Operators(BlockTree::clusters_at(model, q)) has the loops in it.
class Operators {
public:
    explicit Operators(const BlockTree& over, Reference reference = Reference::hinges)
        : arena(std::make_shared<Arena>(over, reference))
    {
    }
    std::shared_ptr<Arena> arena;

    Op<BodyForce, BodyForce> E_phi = leaf(Leaf::E_phi), phi = leaf(Leaf::phi), S = leaf(Leaf::S),
                             Delta_phi = leaf(Leaf::Delta_phi), tau = leaf(Leaf::tau),
                             tau_bar = leaf(Leaf::tau_bar), E_psi = leaf(Leaf::E_psi), psi = leaf(Leaf::psi),
                             Delta_psi = leaf(Leaf::Delta_psi);
    Op<BodyForce, BodyForce> phi_tilde = phi - I, psi_tilde = psi - I;
    Op<HingeForce, BodyForce> H = leaf(Leaf::H);
    Op<BodyForce, BodyMotion> M = leaf(Leaf::M), M_dot = leaf(Leaf::M_dot), R = leaf(Leaf::R),
                              P = leaf(Leaf::P);
    Op<HingeForce, HingeMotion> J_a = leaf(Leaf::J_a), D = leaf(Leaf::D), W = leaf(Leaf::W);
    Op<HingeForce, HingeForce> L_D = leaf(Leaf::L_D);
    Op<BodyForce, HingeForce> G = leaf(Leaf::G), K = leaf(Leaf::K);
    Op<BodyMotion, BodyForce> Upsilon = leaf(Leaf::Upsilon);
    Op<WorldForce, BodyForce> E = leaf(Leaf::E);
    Op<WorldForce, WorldMotion> R_0 = leaf(Leaf::R_0);
    Op<WorldForce, WorldForce> B_cm = leaf(Leaf::B_cm);
    Vector<HingeMotion> v = leaf(Leaf::v);
    Vector<BodyMotion> a = leaf(Leaf::a), gravity = leaf(Leaf::gravity);
    Vector<BodyForce> b = leaf(Leaf::b);

    Op<BodyForce, FrameForce> B(const std::vector<std::string>& frames) const
    {
        return {arena, arena->pick_off(frames)};
    }
    Op<FrameForce, FrameMotion> W_of(const std::vector<std::string>& frames) const
    {
        return {arena, arena->unit_weights(frames)};
    }
    // A block-diagonal operator whose numbers are given when a plan runs.
    template <class R, class D> Op<R, D> blocks(const std::string& name) const
    {
        static_assert((is_hinge(R::space) || is_body(R::space)) && (is_hinge(D::space) || is_body(D::space)),
                      "blocks are per body: between spaces of hinges and bodies");
        return {arena, arena->blocks({R::space}, {D::space}, name)};
    }
    // A vector whose numbers are given when a plan runs.
    template <class X> Vector<X> vector(const std::string& name) const
    {
        static_assert(!is_frame(X::space), "a vector over frames needs its frames: vector<X>(name, frames)");
        return {arena, arena->vector({X::space}, name)};
    }
    template <class X> Vector<X> vector(const std::string& name, const std::vector<std::string>& frames) const
    {
        static_assert(is_frame(X::space), "only a vector over frames has frames: vector<X>(name)");
        return {arena, arena->vector({X::space, arena->pick_off(frames)->domain.frames}, name)};
    }

private:
    struct Untyped {
        std::shared_ptr<Arena> arena;
        const Node* node;
        template <class R, class D> operator Op<R, D>() const { return {arena, node}; }
    };
    Untyped leaf(Leaf which) const { return {arena, arena->leaf(which)}; }
};

} // namespace sweepdyn::algebra
