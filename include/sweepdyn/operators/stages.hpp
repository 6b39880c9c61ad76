// What a state gives to the operators: columns, shifts, inertias, articulation by whole hinges.
//
//     D(k) = H P H* + Ja = L L*,   G(k) = P H* D^-1,   P+ = P - G D G*,   P(p) += phi P+ phi*     tip to base   [003 (4.4)-(4.6)]
//     Upsilon(k) = psi* Upsilon(p) psi + H* D^-1 H                                            base to tip   [003 (6.10), 004 (5.5)]
//
// Unlike dynamics/forward_dynamics.hpp, which eliminates column by column, D, G and L are blocks of whole hinges, as in the
// papers. O(bodies + dofs); allocates nothing after construction. Specified by tests/laws/identities.cpp.
#pragma once

#include <array>

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {

template <class S>
class Stages {
public:
    // By default about the hinge origins, as the papers have it.
    explicit Stages(const Model& model, Reference reference = Reference::hinges);

    Kinematics<S> kin;
    CompositeInertias<S> composite;
    std::vector<ArticulatedInertia<S>> P; // per body, before its hinge is freed
    std::vector<Force<S>> G; // per dof
    std::vector<S> D, L; // per hinge n x n, row by row: D, and its lower Cholesky factor
    std::vector<int> first_block; // of each hinge in D and L
    std::vector<S> D_inverse; // per hinge: 1 / D where it has one dof
    std::vector<std::array<Motion<S>, 6>> Upsilon; // columns

    // Everything that the plan needs, at a state.
    void update(const Plan& plan, std::span<const S> q, std::span<const S> v);
    void update(const Plan& plan, std::span<const S> q);
    // Computes what is missing for the plan, at the state of kin.
    void prepare(const Plan& plan);

    // y = D^-1 x at hinge k; x and y begin at its first dof.
    SWEEPDYN_INLINE void solve_D(Index k, const S* x, S* y) const;

    std::uint64_t articulation_version = 0, upsilon_version = 0;

private:
    void articulate();
    void spread();
};

template <class S>
Stages<S>::Stages(const Model& model, Reference reference)
    : kin(model, reference),
      composite(model),
      P(static_cast<std::size_t>(model.num_bodies())),
      G(static_cast<std::size_t>(model.num_dofs())),
      Upsilon(static_cast<std::size_t>(model.num_bodies()))
{
    int size = 0;
    for (Index k : model.tree().base_to_tip()) {
        first_block.push_back(size);
        size += model.tree().num_dofs(static_cast<int>(k)) * model.tree().num_dofs(static_cast<int>(k));
    }
    D.assign(static_cast<std::size_t>(size), S(0));
    L = D;
    D_inverse.assign(static_cast<std::size_t>(model.num_bodies()), S(0));
}

template <class S> void Stages<S>::update(const Plan& plan, std::span<const S> q, std::span<const S> v)
{
    sweepdyn::update<S>(kin, q, v);
    prepare(plan);
}
template <class S> void Stages<S>::update(const Plan& plan, std::span<const S> q)
{
    sweepdyn::update<S>(kin, q);
    prepare(plan);
}

template <class S> void Stages<S>::prepare(const Plan& plan)
{
    for (Needs needs : plan.needs()) { // in the order in which they build on each other
        if (needs >= Needs::velocities && kin.inertia_version != kin.position_version)
            update_inertias(kin);
        if (needs == Needs::composite && composite.position_version != kin.position_version)
            composite_inertias(kin, composite);
        if (needs >= Needs::articulation && articulation_version != kin.position_version)
            articulate();
        if (needs == Needs::upsilon && upsilon_version != kin.position_version)
            spread();
    }
}

namespace detail {
// x := L^-1 x and x := L^-T x, for the n x n lower triangle L, row by row.
template <class S> void solve_lower(const S* L, int n, S* x)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j)
            x[i] -= L[i * n + j] * x[j];
        x[i] = x[i] / L[i * n + i];
    }
}
template <class S> void solve_upper(const S* L, int n, S* x)
{
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            x[i] -= L[j * n + i] * x[j];
        x[i] = x[i] / L[i * n + i];
    }
}
[[noreturn]] void throw_singular_hinge(const Model& model, int hinge);
} // namespace detail

template <class S> SWEEPDYN_INLINE void Stages<S>::solve_D(Index k, const S* x, S* y) const
{
    const int n = static_cast<int>(kin.body[k].end_dof - kin.body[k].first_dof);
    if (n == 1) [[likely]] {
        y[0] = D_inverse[k] * x[0];
        return;
    }
    for (int i = 0; i < n; ++i)
        y[i] = x[i];
    detail::solve_lower(L.data() + first_block[k], n, y);
    detail::solve_upper(L.data() + first_block[k], n, y);
}

template <class S> void Stages<S>::articulate()
{
    const Tree& tree = kin.tree();
    for (Index k : tree.base_to_tip())
        P[k] = ArticulatedInertia<S>(kin.M[k]);
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& body = kin.body[k];
        const int first = body.first_dof, n = tree.num_dofs(static_cast<int>(k));
        S *Dk = D.data() + first_block[k], *Lk = L.data() + first_block[k];
        std::array<Force<S>, 6> PH; // P H*
        for (int j = 0; j < n; ++j)
            PH[j] = P[k] * kin.H[first + j];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                Dk[i * n + j] = dot(kin.H[first + i], PH[j]) + (i == j ? kin.armature[first + i] : S(0));
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) { // Cholesky
                S sum = Dk[i * n + j];
                for (int c = 0; c < j; ++c)
                    sum -= Lk[i * n + c] * Lk[j * n + c];
                if (i == j && !(value(sum) > 64 * Precision<S>::epsilon * value(Dk[i * n + i])))
                    detail::throw_singular_hinge(kin.model, static_cast<int>(k));
                Lk[i * n + j] = i == j ? sqrt(sum) : S(sum / Lk[j * n + j]);
            }
        if (n == 1)
            D_inverse[k] = S(1) / Dk[0];
        // W = P H* L^-T, so that G D G* = W W*; then G = W L^-1.
        std::array<Force<S>, 6> W = PH;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j)
                W[i] -= Lk[i * n + j] * W[j];
            W[i] = (S(1) / Lk[i * n + i]) * W[i];
        }
        ArticulatedInertia<S> P_plus = P[k];
        for (int i = 0; i < n; ++i)
            P_plus.rank_one_downdate(W[i], W[i]);
        for (int i = n - 1; i >= 0; --i) {
            Force<S> g = W[i];
            for (int j = i + 1; j < n; ++j)
                g -= Lk[j * n + i] * G[first + j];
            G[first + i] = (S(1) / Lk[i * n + i]) * g;
        }
        if (body.parent != ground)
            P[body.parent] += body.shifts ? shift(P_plus, body.l) : P_plus;
    }
    articulation_version = kin.position_version;
}

template <class S> void Stages<S>::spread()
{
    const auto unit = [](int i) {
        Force<S> f{};
        S* const numbers[6] = {&f.n.x, &f.n.y, &f.n.z, &f.f.x, &f.f.y, &f.f.z};
        *numbers[i] = S(1);
        return f;
    };
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& body = kin.body[k];
        const int first = body.first_dof, n = kin.tree().num_dofs(static_cast<int>(k));
        const S* Lk = L.data() + first_block[k];
        for (int c = 0; c < 6; ++c) {
            const Force<S> e = unit(c);
            std::array<S, 6> h{};
            Force<S> f = e; // phi tau_bar e
            for (int j = 0; j < n; ++j) {
                h[j] = dot(kin.H[first + j], e);
                f -= h[j] * G[first + j];
            }
            Motion<S> V{};
            if (body.parent != ground) {
                if (body.shifts)
                    f = Phi<S>{body.l} * f;
                const auto& up = Upsilon[body.parent];
                V = f.n.x * up[0] + f.n.y * up[1] + f.n.z * up[2] + f.f.x * up[3] + f.f.y * up[4] +
                    f.f.z * up[5];
                if (body.shifts)
                    V = PhiAdjoint<S>{body.l} * V;
                Motion<S> turned = V; // tau_bar* phi* ...
                for (int j = 0; j < n; ++j)
                    turned -= dot(G[first + j], V) * kin.H[first + j];
                V = turned;
            }
            detail::solve_lower(Lk, n, h.data());
            detail::solve_upper(Lk, n, h.data());
            for (int j = 0; j < n; ++j)
                V += h[j] * kin.H[first + j];
            Upsilon[k][c] = V;
        }
    }
    upsilon_version = kin.position_version;
}

extern template class Stages<double>;

} // namespace sweepdyn::algebra
