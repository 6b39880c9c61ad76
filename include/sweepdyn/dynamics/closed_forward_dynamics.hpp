// Forward dynamics of a mechanism with loops, on the tree of clusters: v_dot of all dofs, which keeps every loop closed.
//
//     base to tip:  zeta = phi' zeta(p) + a, by a basis also + H* g,   z = M zeta + S[V] M V - w
//     tip to base:  a plain hinge    eps = T - H z,  z+ = z + G eps                                    [forward_dynamics.hpp]
//                   a basis          u = E'(T - Ja g - H z),  z(p) += phi z,  z(base) += G u
//                   multipliers      nu = D^-1 eps inside,  rho = gamma + e' nu,  z(base) += z(tree) + B S^-1 rho
//     base to tip:  lambda the acceleration beyond zeta
//                   a basis          y = D^-1 u - G' lambda(base),  v_dot = E y + g
//                   multipliers      mu = -S^-1 (rho + B' lambda(base)),  nu += D^-1 e mu, then as in a tree
//
// Before: update(kin, q, v), update_inertias, update_closure, articulate. O(sum of clusters), no allocation.
// Specified by tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/cluster_articulation.hpp"

namespace sweepdyn {

namespace detail {

template <class S>
void gather_by_basis(const Kinematics<S>& kin, const ClusterClosure<S>& c, bool with_bias,
                     std::span<const S> T, typename ClusterArticulation<S>::One& one, BodyForces<S>& scratch)
{
    const int m = c.mobility();
    for (std::size_t b = one.members.size(); b-- > 0;) {
        const auto& member = one.members[b];
        const BodyKinematics<S>& body = kin.body[member.body];
        const Force<S> z = scratch[member.body].f;
        for (int j = member.first_column; j < member.end_column; ++j) {
            S x = T[c.dofs[j]] - dot(kin.H[c.dofs[j]], z);
            if (with_bias)
                x -= kin.armature[c.dofs[j]] * c.g[j];
            one.x[j] = x; // T - Ja g - H z
        }
        scratch[body.parent].f += body.shifts ? Phi<S>{body.l} * z : z;
    }
    combine<S>(
        one.u.data(), m, Onto::zero, 0, c.num_columns(), [&](int j) { return one.x[j]; },
        [&](int j) { return c.basis_row(j); }); // u = E' x
    if (one.base != ground)
        for (int i = 0; i < m; ++i)
            scratch[one.base].f += one.u[i] * one.G[i];
    for (int i = 0; i < m; ++i)
        one.y[i] = one.u[i];
    solve_factored(one.L.data(), m, static_cast<int>(c.lanes), one.y.data()); // D^-1 u
}

template <class S>
void spread_by_basis(const Kinematics<S>& kin, const ClusterClosure<S>& c, bool with_bias,
                     typename ClusterArticulation<S>::One& one, std::span<S> v_dot, BodyForces<S>& scratch)
{
    const int m = c.mobility();
    if (one.base != ground)
        for (int i = 0; i < m; ++i)
            one.y[i] -= dot(scratch[one.base].A, one.G[i]); // y = D^-1 u - G' lambda(base)
    for (const auto& member : one.members) {
        const BodyKinematics<S>& body = kin.body[member.body];
        Motion<S> lambda = scratch[body.parent].A;
        if (body.shifts)
            lambda = PhiAdjoint<S>{body.l} * lambda;
        for (int j = member.first_column; j < member.end_column; ++j) { // v_dot = E y + g
            const S* const e = c.basis_row(j);
            S x{};
            for (int i = 0; i < m; ++i)
                x += e[i] * one.y[i];
            lambda += x * kin.H[c.dofs[j]];
            v_dot[c.dofs[j]] = with_bias ? x + c.g[j] : x;
        }
        scratch[member.body].A = lambda;
    }
}

// One hinge inward: nu in v_dot, z+ to the parent.
template <class S>
SWEEPDYN_INLINE void gather_hinge(const Kinematics<S>& kin, const Articulation<S>& art, Index k,
                                  std::span<const S> T, std::span<S> v_dot, BodyForces<S>& scratch)
{
    const BodyKinematics<S>& b = kin.body[k];
    Force<S> z = scratch[k].f;
    for (Index j : b.dofs_reversed()) {
        const S eps = T[j] - dot(kin.H[j], z);
        v_dot[j] = art.D_inverse[j] * eps;
        z += eps * art.G[j];
    }
    scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
}
// ... and outward: v_dot = nu - G' lambda.
template <class S>
SWEEPDYN_INLINE void spread_hinge(const Kinematics<S>& kin, const Articulation<S>& art, Index k,
                                  std::span<S> v_dot, BodyForces<S>& scratch)
{
    const BodyKinematics<S>& b = kin.body[k];
    Motion<S> lambda = scratch[b.parent].A;
    if (b.shifts)
        lambda = PhiAdjoint<S>{b.l} * lambda;
    for (Index j : b.dofs()) {
        v_dot[j] -= dot(lambda, art.G[j]);
        lambda += v_dot[j] * kin.H[j];
    }
    scratch[k].A = lambda;
}

template <class S>
void gather_by_multipliers(const Kinematics<S>& kin, const Loops<S>& loops, const ClusterClosure<S>& c,
                           const Articulation<S>& tree, bool with_bias, std::span<const S> T,
                           std::span<S> v_dot, typename ClusterArticulation<S>::One& one,
                           BodyForces<S>& scratch)
{
    const int r = c.rows, n = c.num_columns();
    for (int row = 0; row < r; ++row)
        one.rho[row] =
            with_bias ? loops.gamma[loops.loops[c.row_loop[row]].first_row + c.row_of_loop[row]] : S(0);
    for (std::size_t b = one.members.size(); b-- > 0;)
        gather_hinge(kin, tree, one.members[b].body, T, v_dot, scratch);
    for (const auto& group : one.groups)
        for (const auto& [first, end] : group.rows)
            for (int row = first; row < end; ++row) {
                const S* const e = one.e.data() + row * n;
                S sum = one.rho[row];
                for (int j = group.first_column; j < group.end_column; ++j)
                    sum += e[j] * v_dot[c.dofs[j]]; // rho = gamma + e' nu
                one.rho[row] = sum;
            }
    // S^-1 rho, and what it leaves at the base
    const int used = static_cast<int>(one.used.size());
    for (int i = 0; i < used; ++i)
        one.lambda[i] = one.rho[one.used[i]];
    solve_factored(one.S_factor.data(), used, r, one.lambda.data());
    if (one.base != ground)
        for (int i = 0; i < used; ++i)
            scratch[one.base].f += one.lambda[i] * one.B[one.used[i]];
}

template <class S>
void spread_by_multipliers(const Kinematics<S>& kin, const ClusterClosure<S>& c, const Articulation<S>& tree,
                           typename ClusterArticulation<S>::One& one, std::span<S> v_dot,
                           BodyForces<S>& scratch)
{
    const int r = c.rows, n = c.num_columns(), used = static_cast<int>(one.used.size());
    if (one.base != ground) { // mu = -S^-1 (rho + B' lambda)
        for (int i = 0; i < used; ++i)
            one.lambda[i] = one.rho[one.used[i]] + dot(scratch[one.base].A, one.B[one.used[i]]);
        solve_factored(one.S_factor.data(), used, r, one.lambda.data());
    }
    for (int row = 0; row < r; ++row)
        one.rho[row] = S(0); // is done with: it takes the multipliers to their rows
    for (int i = 0; i < used; ++i)
        one.rho[one.used[i]] = -one.lambda[i];
    std::copy(one.rho.begin(), one.rho.end(), one.lambda.begin());
    for (const auto& member : one.members) {
        for (int j = member.first_column; j < member.end_column; ++j) {
            S sum{};
            for (const auto& [first, end] : member.rows)
                for (int row = first; row < end; ++row)
                    sum += one.e[row * n + j] * one.lambda[row];
            v_dot[c.dofs[j]] += tree.D_inverse[c.dofs[j]] * sum; // nu += D^-1 e mu
        }
        spread_hinge(kin, tree, member.body, v_dot, scratch);
    }
}

// v_dot from T and the forces z in scratch[k].f; leaves lambda in scratch[k].A.
template <class S>
void solve_clusters(const Kinematics<S>& kin, const Closure<S>& closure, ClusterArticulation<S>& art,
                    bool with_bias, std::span<const S> T, std::span<S> v_dot, BodyForces<S>& scratch)
{
    const auto& clusters = closure.topology.clusters;
    for (Index i = static_cast<Index>(clusters.size()) - 1; i >= 0; --i) {
        const int place = closure.place[i];
        if (place < 0)
            gather_hinge(kin, art.tree, clusters[i].bodies.front(), T, v_dot, scratch);
        else if (art.clusters[place].by_basis)
            gather_by_basis<S>(kin, closure.clusters[place], with_bias, T, art.clusters[place], scratch);
        else
            gather_by_multipliers<S>(kin, closure.loops, closure.clusters[place], art.tree, with_bias, T,
                                     v_dot, art.clusters[place], scratch);
    }
    scratch[ground].A = {};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const int place = closure.place[i];
        if (place < 0)
            spread_hinge(kin, art.tree, clusters[i].bodies.front(), v_dot, scratch);
        else if (art.clusters[place].by_basis)
            spread_by_basis<S>(kin, closure.clusters[place], with_bias, art.clusters[place], v_dot, scratch);
        else
            spread_by_multipliers<S>(kin, closure.clusters[place], art.tree, art.clusters[place], v_dot,
                                     scratch);
    }
}

} // namespace detail

// T given, v_dot wanted. Check art.tree.singular afterwards.
template <class S>
void forward_dynamics(const Kinematics<S>& kin, const Closure<S>& closure, ClusterArticulation<S>& art,
                      std::span<const S> T, std::span<S> v_dot, BodyForces<S>& scratch,
                      std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "forward_dynamics",
                          "update(kin, q, v)");
    detail::require_fresh(closure.velocity_version == kin.velocity_version, "forward_dynamics",
                          "update_closure");
    detail::require_fresh(art.position_version == kin.position_version, "forward_dynamics", "articulate");
    detail::require_sizes<S>("forward_dynamics", kin, v_dot, T, scratch, external);
    scratch.reaction_version = 0; // f is something else here
    scratch[ground] = {kin.A0, {}};
    for (std::size_t i = 0; i < art.clusters.size(); ++i)
        if (const ClusterClosure<S>& c = closure.clusters[i]; art.clusters[i].by_basis)
            for (int j = 0; j < c.num_columns(); ++j)
                v_dot[c.dofs[j]] = c.g[j];
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> zeta = b.a + (b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A);
        if (art.by_basis[k])
            for (Index j : b.dofs())
                zeta += v_dot[j] * kin.H[j];
        scratch[k].A = zeta;
        scratch[k].f = newton_euler(kin.M[k], b.V, zeta);
        if (!external.empty())
            scratch[k].f -= external[k];
    }
    detail::solve_clusters<S>(kin, closure, art, true, T, v_dot, scratch);
}

// The accelerations that forces cause by themselves: T on the hinges, w on the bodies; all else at rest and without gravity.
template <class S>
void respond(const Kinematics<S>& kin, const Closure<S>& closure, ClusterArticulation<S>& art,
             std::span<const S> T, std::span<S> v_dot, BodyForces<S>& scratch,
             std::span<const Force<S>> external = {})
{
    detail::require_fresh(art.position_version == kin.position_version, "respond", "articulate");
    detail::require_sizes<S>("respond", kin, v_dot, T, scratch, external);
    scratch.reaction_version = 0;
    scratch[ground].f = {};
    for (Index k : kin.tree().base_to_tip())
        scratch[k].f = external.empty() ? Force<S>{} : -external[k];
    detail::solve_clusters<S>(kin, closure, art, false, T, v_dot, scratch);
}

extern template void forward_dynamics(const Kinematics<double>&, const Closure<double>&,
                                      ClusterArticulation<double>&, std::span<const double>,
                                      std::span<double>, BodyForces<double>&, std::span<const Force<double>>);
extern template void respond(const Kinematics<double>&, const Closure<double>&, ClusterArticulation<double>&,
                             std::span<const double>, std::span<double>, BodyForces<double>&,
                             std::span<const Force<double>>);
extern template void forward_dynamics(const Kinematics<float>&, const Closure<float>&,
                                      ClusterArticulation<float>&, std::span<const float>, std::span<float>,
                                      BodyForces<float>&, std::span<const Force<float>>);
extern template void respond(const Kinematics<float>&, const Closure<float>&, ClusterArticulation<float>&,
                             std::span<const float>, std::span<float>, BodyForces<float>&,
                             std::span<const Force<float>>);

} // namespace sweepdyn
