// Forward dynamics: v_dot = M^-1 (T - C), by the factorisation
//     M^-1 = (I - H psi K)* D^-1 (I - H psi K).                                           [003 theorem 4.1, FD3]
//
// A hinge is a run of columns of H*, eliminated one by one, outermost first, so D is a number per column and no kind of
// hinge is ever asked for.
//
//     articulate   tip to base:  D = H P H* + Ja,  G = P H* D^-1,  P+ = P - G D G*,  P(p) += phi P+ phi*
//     solve        base to tip:  zeta = phi' zeta(p) + a,  z = M zeta + S[V] M V - w      (what happens at v_dot = 0)
//                  tip to base:  eps = T - H z,  z+ = z + G eps,  z(p) += phi z+
//                  base to tip:  v_dot = D^-1 eps - G* lambda,  lambda += H* v_dot
//
// Cost: O(bodies + dofs). Allocates nothing. Before: update(kin, q, v), update_inertias(kin).
// Specified by tests/laws/forward_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/singular.hpp"

namespace sweepdyn {

template <class S>
struct Articulation {
    explicit Articulation(const Model& model);

    std::vector<ArticulatedInertia<S>>
        P_plus; // sum over each body's children of phi P+ phi*, about its reference point
    std::vector<S> D_inverse; // per dof, 0 where singular
    std::vector<Force<S>> G; // per dof
    std::vector<char> at_risk; // bodies whose own inertia does not promise D > 0
    bool any_at_risk = false;
    CompositeInertias<S> R; // the scale against which D counts as zero; computed only when any_at_risk
    std::vector<int> singular; // hinges found singular, tip to base; room for all is reserved
    std::uint64_t position_version = 0;
};

template <class S>
Articulation<S>::Articulation(const Model& model) : at_risk(detail::bodies_at_risk(model)),
                                                    R(model)
{
    const auto bodies = static_cast<std::size_t>(model.num_bodies()),
               dofs = static_cast<std::size_t>(model.num_dofs());
    const S nan = detail::poison<S>();
    const Vec3<S> nan3 = detail::poison3<S>();
    const Sym3<S> nan6{nan, nan, nan, nan, nan, nan};
    P_plus.assign(bodies, {nan6, {nan3, nan3, nan3}, nan6});
    D_inverse.assign(dofs, nan);
    G.assign(dofs, {nan3, nan3});
    singular.reserve(bodies);
    for (char risk : at_risk)
        any_at_risk = any_at_risk || risk;
}

namespace detail {
// Frees hinge k: P becomes P+ = P - G D G*. False where the hinge is singular.
template <class S>
SWEEPDYN_INLINE bool free_hinge(const Kinematics<S>& kin, Index k, ArticulatedInertia<S>& P,
                                Articulation<S>& art)
{
    bool regular = true;
    for (Index j : kin.body[k].dofs_reversed()) {
        const Force<S> PH = P * kin.H[j];
        const S D = dot(kin.H[j], PH) + kin.armature[j]; // armature enters D only
        S D_inverse = S(1) / D;
        if (art.at_risk[k])
            [[unlikely]] { // D counts as zero beside its terms about the reference point, all outboard rigid
            const auto& [w, v] = kin.H[j];
            const S scale = art.R.R[k].J.trace() * dot(w, w) + art.R.R[k].m * dot(v, v) + kin.armature[j];
            const auto nonzero = D > S(256 * Precision<S>::epsilon) * scale;
            D_inverse = select(nonzero, D_inverse, S(0));
            regular = regular && all(nonzero);
        }
        art.D_inverse[j] = D_inverse;
        art.G[j] = D_inverse * PH;
        P.rank_one_downdate(art.G[j], PH);
    }
    return regular;
}
} // namespace detail

template <class S> void articulate(const Kinematics<S>& kin, Articulation<S>& art)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "articulate", "update_inertias");
    require_size("articulate", "art", art.P_plus.size(), kin.M.size());
    require_size("articulate", "art", art.G.size(), kin.H.size());
    art.position_version = kin.position_version;
    art.singular.clear();
    if (art.any_at_risk)
        composite_inertias(kin, art.R);

    const Tree& tree = kin.tree();
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        // P = M + what the children, already visited, have handed down
        ArticulatedInertia<S> P = tree.is_leaf[k] ? ArticulatedInertia<S>{} : art.P_plus[k];
        P += kin.M[k];
        if (!detail::free_hinge(kin, k, P, art))
            art.singular.push_back(k);
        if (b.parent != ground) {
            if (b.shifts)
                P = shift(P, b.l); // phi P+ phi*
            if (tree.is_last_child[k])
                art.P_plus[b.parent] = P; // the first to arrive
            else
                art.P_plus[b.parent] += P;
        }
    }
}

namespace detail {
// v_dot = (I - H psi K)* D^-1 ((I - H psi K) T - H psi z), z = scratch[k].f. Leaves lambda in scratch[k].A.
template <class S>
SWEEPDYN_INLINE void solve_articulated(const Kinematics<S>& kin, const Articulation<S>& art,
                                       std::span<const S> T, std::span<S> v_dot, BodyForces<S>& scratch)
{
    const Tree& tree = kin.tree();
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch[k].f;
        for (Index j : b.dofs_reversed()) {
            const S eps = T[j] - dot(kin.H[j], z); // eps = (I - H psi K)(T - bias)
            v_dot[j] = art.D_inverse[j] * eps; // nu  = D^-1 eps
            z += eps * art.G[j]; // z+  = z + G eps
        }
        if (b.shifts)
            z = Phi<S>{b.l} * z;
        scratch[b.parent].f += z; // phi z+
    }
    scratch[ground].A = {};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = scratch[b.parent].A;
        if (b.shifts)
            lambda = PhiAdjoint<S>{b.l} * lambda;
        for (Index j : b.dofs()) {
            v_dot[j] -= dot(lambda, art.G[j]); // v_dot = (I - H psi K)* nu
            lambda += v_dot[j] * kin.H[j];
        }
        scratch[k].A = lambda;
    }
}
} // namespace detail

// T given, v_dot wanted. Check art.singular afterwards: where a hinge is singular its v_dot is not determined.
template <class S>
void forward_dynamics(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                      std::span<S> v_dot, BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "forward_dynamics",
                          "update(kin, q, v)");
    detail::require_fresh(art.position_version == kin.position_version, "forward_dynamics", "articulate");
    detail::require_sizes<S>("forward_dynamics", kin, v_dot, T, scratch, external);
    const Tree& tree = kin.tree();

    scratch.reaction_version = 0; // f is something else here
    scratch[ground] = {kin.A0, {}};
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        // zeta = phi' zeta(p) + a
        const Motion<S> zeta =
            b.a + (b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A);
        scratch[k].A = zeta;
        // z = M zeta + S[V] M V - w
        scratch[k].f = newton_euler(kin.M[k], b.V, zeta);
        if (!external.empty())
            scratch[k].f -= external[k];
    }
    detail::solve_articulated<S>(kin, art, T, v_dot, scratch);
}

extern template struct Articulation<double>;
extern template struct Articulation<float>;
extern template void articulate(const Kinematics<double>&, Articulation<double>&);
extern template void articulate(const Kinematics<float>&, Articulation<float>&);
extern template void forward_dynamics(const Kinematics<double>&, const Articulation<double>&,
                                      std::span<const double>, std::span<double>, BodyForces<double>&,
                                      std::span<const Force<double>>);
extern template void forward_dynamics(const Kinematics<float>&, const Articulation<float>&,
                                      std::span<const float>, std::span<float>, BodyForces<float>&,
                                      std::span<const Force<float>>);

} // namespace sweepdyn
