// M^-1 directly, O(dofs^2), without forming or inverting M.
//
//     M^-1(j,j) = D^-1 + G* Upsilon(p) G                                                   by compliances
//     M^-1(j,d) = -Y G(d),  Y = X phi(a,d),  then X = Y (I - G(d) H(d))                    walking outward, from X = U(j) at j
//     and into every branch off the path from j to the ground, from X = -W Upsilon(a) at the branching body a, where
//     W = K*(j) psi*(...) is carried inward along the path                                  [000 (4.23); trees: branch walks]
//
// All rows j walk at once, a row to a lane: lanes are the dofs in depth-first order, and at body d those of its tree before it walk.
// So W is carried only out of branches that another one follows; a chain needs none: that is the serial form.
// Symmetric; what belongs to two trees is zero. No allocation after construction. Before: articulate.
// Specified by tests/laws/mass_matrix_inverse.cpp.
#pragma once

#include "sweepdyn/dynamics/compliance.hpp"
#include "sweepdyn/spatial/lanes.hpp"

namespace sweepdyn {

template <class S>
struct MassMatrixInverse {
    explicit MassMatrixInverse(const Model& model);

    struct Place { // of a body in the walk; lanes are numbers of dofs, depth first
        int body = 0;
        int tree = 0, first = 0, end = 0; // lanes: its tree's first, its own first, and behind its own
        int last_branch = 0, end_outboard = 0; // where its last child begins, and behind all that it carries
        bool carries = false; // whether a branch follows that it is not in: of its own parent, or further in
        int fork = -1, parent_fork = -1; // its number and its parent's, of those with two children or more
    };
    Compliances<S> compliance;
    std::vector<Place> places; // depth first
    std::vector<Index> dof; // of each lane
    Lanes<S> X, W;
    std::vector<Lanes<S>> at_fork; // X at each body with two children or more
    std::vector<S> entries; // a row of the result, by lanes
};

template <class S>
MassMatrixInverse<S>::MassMatrixInverse(const Model& model)
    : compliance(model),
      places(static_cast<std::size_t>(model.num_bodies())),
      dof(static_cast<std::size_t>(model.num_dofs())),
      X(model.num_dofs()),
      W(model.num_dofs()),
      entries(static_cast<std::size_t>(Lanes<S>::round_up(model.num_dofs())))
{
    const Tree& tree = model.tree();
    const int bodies = tree.num_bodies();
    std::vector<int> place(places.size());
    PerBody<int> count(bodies, 1), lanes(bodies, 0); // of each body and its outboard ones
    for (Index k : tree.tip_to_base()) {
        lanes[k] += tree.num_dofs(static_cast<int>(k));
        lanes[tree.parent[k]] += lanes[k], count[tree.parent[k]] += count[k];
    }
    PerBody<int> next_place(bodies, 0), next_lane(bodies, 0); // where a body's next child goes
    for (Index k : tree.base_to_tip()) {
        const int p = tree.parent[k], first = next_lane[p], end = first + tree.num_dofs(static_cast<int>(k));
        place[k] = next_place[p], next_place[k] = place[k] + 1, next_place[p] += count[k];
        next_lane[k] = end, next_lane[p] += lanes[k];
        for (int t = first; t < end; ++t)
            dof[t] = tree.first_dof[k] + t - first;
        Place& at = places[place[k]];
        at.body = static_cast<int>(k);
        at.tree = at.first = first, at.end = end, at.end_outboard = first + lanes[k];
        if (p == ground)
            continue;
        Place& parent = places[place[p]];
        at.tree = parent.tree;
        at.carries = parent.carries || !tree.is_last_child[k];
        if (tree.is_last_child[k])
            parent.last_branch = first;
        else if (parent.fork < 0) {
            parent.fork = static_cast<int>(at_fork.size());
            at_fork.emplace_back(model.num_dofs());
        }
    }
    for (Place& at : places)
        if (const int p = tree.parent[at.body]; p != ground)
            at.parent_fork = places[place[p]].fork;
}

namespace detail {

// X = -W Upsilon at every body a where branches part, for the rows j outboard of it, W beginning as G(j) at j.
template <class S>
void set_branches(const Kinematics<S>& kin, const Articulation<S>& art, MassMatrixInverse<S>& work)
{
    for (auto at = work.places.rbegin(); at != work.places.rend(); ++at) {
        if (at->fork >= 0)
            for (Index t = at->end; t < at->last_branch; ++t)
                work.at_fork[at->fork].set(t, -(work.compliance.Upsilon[at->body] * work.W.force(t)));
        if (!at->carries)
            continue;
        const BodyKinematics<S>& b = kin.body[at->body];
        // Lanes in front are not set yet: what is rounded up goes there.
        const auto rounded = [&](Index first) { return Lanes<S>::round_up(at->end_outboard - first); };
        Index t = at->end;
        for (Index i : b.dofs_reversed()) { // W (I - G H), then the hinge's own
            const Index count = rounded(t);
            work.W.project(at->end_outboard - count, count, kin.H[i], art.G[i], work.entries.data());
            work.W.set(--t, art.G[i]);
        }
        if (const Index count = rounded(t); b.shifts)
            work.W.shift_forces(at->end_outboard - count, count, b.l);
    }
}

} // namespace detail

// inverse: dofs x dofs.
template <class S>
void mass_matrix_inverse(const Kinematics<S>& kin, const Articulation<S>& art, std::span<S> inverse,
                         MassMatrixInverse<S>& work)
{
    require_size("mass_matrix_inverse", "inverse", inverse.size(), kin.v.size() * kin.v.size());
    require_size("mass_matrix_inverse", "work", work.places.size(), kin.M.size());
    compliances(kin, art, work.compliance);
    if (!work.at_fork.empty())
        detail::set_branches(kin, art, work);

    const Index n = kin.tree().num_dofs();
    Lanes<S>& X = work.X;
    S* const entries = work.entries.data();
    for (const auto& at : work.places) {
        const BodyKinematics<S>& b = kin.body[at.body];
        if (at.parent_fork >= 0)
            X.copy(work.at_fork[at.parent_fork], at.tree, at.first - at.tree);
        if (b.shifts)
            X.shift_motions(at.tree, at.first - at.tree, b.l); // Y = X phi
        Index r = at.first;
        for (Index j : b.dofs()) {
            X.project(at.tree, r - at.tree, art.G[j], kin.H[j], entries); // -Y G, X = Y (I - G H)
            S *const row = inverse.data() + j * n, *const column = inverse.data() + j;
            for (Index t = 0; t < at.tree; ++t)
                row[work.dof[t]] = column[work.dof[t] * n] = S(0); // of two trees
            for (Index t = at.tree; t < r; ++t)
                row[work.dof[t]] = column[work.dof[t] * n] = entries[t - at.tree];
            row[j] = work.compliance.diagonal[j];
            X.set(r++, work.compliance.U[j]);
        }
        if (at.fork >= 0)
            work.at_fork[at.fork].copy(X, at.tree, r - at.tree);
    }
}

extern template struct MassMatrixInverse<double>;
extern template struct MassMatrixInverse<float>;
extern template void mass_matrix_inverse(const Kinematics<double>&, const Articulation<double>&,
                                         std::span<double>, MassMatrixInverse<double>&);
extern template void mass_matrix_inverse(const Kinematics<float>&, const Articulation<float>&,
                                         std::span<float>, MassMatrixInverse<float>&);

} // namespace sweepdyn
