// Articulated inertias of a mechanism with loops: the tree of clusters (constraint embedding).
//
// A cluster hands its base body six by six numbers, as a hinge does. A plain hinge is freed column by column, as ever. A cluster with
// loops is freed as a whole, by one of two eliminations, P(k) = M(k) + what hangs on body k:
//
//   basis        D = E' M E,   G = X D^-1,   P(base) += sum phi R phi' - G X'                        [articulate_by_basis.hpp]
//   multipliers  S = e' D^-1 e,   P(base) += P(tree) + B S^-1 B'                                      [articulate_by_multipliers.hpp]
//                S is Omega of 003 II, of one cluster
//
// The basis loses the digits that the condition of J takes, multipliers twice as many, for S squares it; the basis also serves bodies without
// inertia of their own, and is faster for nearly all clusters. Multipliers need no elimination of J, and serve many rows on many columns (the
// whole of a model in one cluster). O(sum of clusters), no allocation.
// Before: update_inertias, update_closure. Specified by tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/articulate_by_basis.hpp"
#include "sweepdyn/dynamics/articulate_by_multipliers.hpp"

namespace sweepdyn {

template <class S>
void articulate(const Kinematics<S>& kin, Closure<S>& closure, ClusterArticulation<S>& art)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "articulate", "update_inertias");
    detail::require_fresh(closure.position_version == kin.position_version, "articulate", "update_closure");
    Articulation<S>& tree = art.tree;
    require_size("articulate", "art", tree.P_plus.size(), kin.M.size());
    art.position_version = tree.position_version = kin.position_version;
    tree.singular.clear();
    if (tree.any_at_risk)
        composite_inertias(kin, tree.R);
    for (int k : art.receivers)
        tree.P_plus[k] = {};
    for (Index i = static_cast<Index>(closure.topology.clusters.size()) - 1; i >= 0; --i) {
        if (const int place = closure.place[i]; place >= 0) {
            auto& one = art.clusters[place];
            if (one.by_basis)
                detail::articulate_by_basis<S>(kin, closure.clusters[place], tree, one);
            else
                detail::articulate_by_multipliers<S>(kin, closure.loops, closure.clusters[place], tree, one);
            continue;
        }
        const int k = closure.topology.clusters[i].bodies.front(); // a plain hinge
        const BodyKinematics<S>& b = kin.body[k];
        ArticulatedInertia<S> P = kin.tree().is_leaf[k] ? ArticulatedInertia<S>{} : tree.P_plus[k];
        P += kin.M[k];
        if (!detail::free_hinge(kin, k, P, tree))
            tree.singular.push_back(k);
        if (b.parent != ground)
            tree.P_plus[b.parent] += b.shifts ? shift(P, b.l) : P;
    }
}

extern template struct ClusterArticulation<double>;
extern template void articulate(const Kinematics<double>&, Closure<double>&, ClusterArticulation<double>&);
extern template struct ClusterArticulation<float>;
extern template void articulate(const Kinematics<float>&, Closure<float>&, ClusterArticulation<float>&);

} // namespace sweepdyn
