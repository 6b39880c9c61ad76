// One cluster by the basis of its free motions, v = E u:                                                  [closure_elimination.hpp]
//
//     R(k) = P(k) + sum phi R phi',  F = R H*,  M(i,j) = H(i) phi F(j) + Ja         hinges of different branches share nothing
//     D = E' M E,   X = phi F E at the base,   G = X D^-1,   P(base) += sum phi R phi' - G X'
//
// O(columns * depth * mobility), no allocation. Specified by tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/cluster_workspace.hpp"
#include "sweepdyn/dynamics/small_cholesky.hpp"
#include "sweepdyn/spatial/combine.hpp"

namespace sweepdyn {

namespace detail {

// The mass matrix of the cluster, column by column of the composite inertias, and what all members hand to the base.
template <class S>
void cluster_mass_matrix(const Kinematics<S>& kin, const ClusterClosure<S>& c, Articulation<S>& tree,
                         typename ClusterArticulation<S>::One& one)
{
    const int n = c.num_columns();
    for (std::size_t b = 0; b < one.members.size(); ++b) {
        const auto& member = one.members[b];
        one.R[b] = kin.M[member.body];
        if (member.bears)
            one.R_carried[b] = member.carries ? tree.P_plus[member.body] : ArticulatedInertia<S>{};
    }
    for (std::size_t b = one.members.size(); b-- > 0;) {
        const auto& member = one.members[b];
        for (int j = member.first_column; j < member.end_column; ++j) {
            const Motion<S>& H = kin.H[c.dofs[j]];
            Force<S> F = one.R[b] * H;
            if (member.bears)
                F += one.R_carried[b] * H;
            one.mass[j * n + j] = dot(H, F) + kin.armature[c.dofs[j]];
            for (int i = member.first_column; i < j; ++i)
                one.mass[j * n + i] = one.mass[i * n + j] = dot(kin.H[c.dofs[i]], F);
            const auto* below = &member;
            while (below->parent >= 0) {
                if (const BodyKinematics<S>& body = kin.body[below->body]; body.shifts)
                    F = Phi<S>{body.l} * F;
                below = &one.members[below->parent];
                for (int i = below->first_column; i < below->end_column; ++i)
                    one.mass[j * n + i] = one.mass[i * n + j] = dot(kin.H[c.dofs[i]], F);
            }
            if (one.base != ground)
                one.F[j] = kin.body[below->body].shifts ? Phi<S>{kin.body[below->body].l} * F : F;
        }
        const BodyKinematics<S>& body = kin.body[member.body];
        if (member.parent >= 0) {
            one.R[member.parent] += body.shifts ? shift(one.R[b], body.l) : one.R[b];
            if (member.bears)
                one.R_carried[member.parent] +=
                    body.shifts ? shift(one.R_carried[b], body.l) : one.R_carried[b];
        } else if (one.base != ground) {
            tree.P_plus[one.base] += body.shifts ? shift(one.R[b], body.l) : one.R[b];
            if (member.bears)
                tree.P_plus[one.base] += body.shifts ? shift(one.R_carried[b], body.l) : one.R_carried[b];
        }
    }
}

template <class S>
void articulate_by_basis(const Kinematics<S>& kin, const ClusterClosure<S>& c, Articulation<S>& tree,
                         typename ClusterArticulation<S>::One& one)
{
    const int m = c.mobility(), n = c.num_columns(), width = static_cast<int>(c.lanes);
    cluster_mass_matrix(kin, c, tree, one);
    for (int j = 0; j < n; ++j) { // M E
        const int* const related = one.related.data() + one.first_related[j];
        const S* const M = one.mass.data() + j * n;
        combine<S>(
            one.ME.data() + j * width, m, Onto::zero, 0, one.first_related[j + 1] - one.first_related[j],
            [&](int k) { return M[related[k]]; }, [&](int k) { return c.basis_row(related[k]); });
    }
    for (int i = 0; i < m; ++i) { // D = E' M E, and E is 1 at the independent dofs
        S* const row = one.L.data() + i * width;
        std::copy_n(one.ME.data() + c.independent[i] * width, Lanes<S>::round_up(m), row);
        combine<S>(
            row, m, Onto::old, 0, c.rank, [&](int k) { return c.basis(c.dependent[k], i); },
            [&](int k) { return one.ME.data() + c.dependent[k] * width; });
    }
    if (!factor(one.L.data(), m, width, 256 * Precision<S>::epsilon))
        tree.singular.push_back(one.members.back().body);
    if (one.base == ground)
        return;
    // G = X L^-T L^-1, P - G X' by columns of X L^-T
    for (int i = 0; i < m; ++i) {
        Force<S> x{};
        for (int j = 0; j < n; ++j) // X = F E
            x += c.basis(j, i) * one.F[j];
        for (int j = 0; j < i; ++j)
            x -= one.L[i * width + j] * one.G[j];
        one.G[i] = one.L[i * width + i] * x;
        tree.P_plus[one.base].rank_one_downdate(one.G[i], one.G[i]);
    }
    for (int i = m - 1; i >= 0; --i) {
        Force<S> x = one.G[i];
        for (int j = i + 1; j < m; ++j)
            x -= one.L[j * width + i] * one.G[j];
        one.G[i] = one.L[i * width + i] * x;
    }
}

} // namespace detail

} // namespace sweepdyn
