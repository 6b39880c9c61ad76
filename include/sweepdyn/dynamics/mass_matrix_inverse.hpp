// M^-1 directly, O(dofs^2), without forming or inverting M.
//
//     M^-1(j,j) = D^-1 + G* Upsilon(p) G                                                   by compliances
//     M^-1(j,d) = -Y G(d),  Y = X phi(a,d),  then X = Y (I - G(d) H(d))                    walking outward, from X = U(j) at j
//     and into every branch off the path from j to the ground, from X = -W Upsilon(a) at the branching body a, where
//     W = K*(j) psi*(...) is carried inward along the path                                  [000 (4.23); trees: branch walks]
//
// A chain has no branches and needs no W: that is the serial form. Symmetric; what belongs to two trees is zero.
// No allocation after construction. Before: articulate. Specified by tests/laws/mass_matrix_inverse.cpp.
#pragma once

#include <algorithm>

#include "sweepdyn/dynamics/compliance.hpp"

namespace sweepdyn {

template <class S>
struct MassMatrixInverse {
    explicit MassMatrixInverse(const Model& model);

    Compliances<S> compliance;
    std::vector<Motion<S>> X; // per body: what walks outward
    std::vector<char> on_path; // per body: from the row's body to the ground
    std::vector<int> last_below; // per body: the last one outboard of it
    std::vector<char> forks; // per body: whether it has two children or more
    std::vector<char> branches; // per body: whether it forks, or an ancestor does
    bool depth_first = true; // whether every body's outboard ones follow it without a gap
};

template <class S>
MassMatrixInverse<S>::MassMatrixInverse(const Model& model)
    : compliance(model),
      X(static_cast<std::size_t>(model.num_bodies())),
      on_path(X.size(), 0),
      forks(X.size(), 0),
      branches(X.size(), 0)
{
    const Tree& tree = model.tree();
    std::vector<int> children(X.size(), 0), count(X.size(), 1);
    for (int k = 0; k < tree.num_bodies(); ++k)
        last_below.push_back(k);
    for (Index k : tree.tip_to_base())
        if (const int p = tree.parent[k]; p != ground) {
            ++children[p];
            count[p] += count[k];
            last_below[p] = std::max(last_below[p], last_below[k]);
        }
    for (Index k : tree.base_to_tip()) {
        const int p = tree.parent[k];
        forks[k] = children[k] > 1;
        branches[k] = forks[k] || (p != ground && branches[p]);
        depth_first = depth_first && last_below[k] - k + 1 == count[k];
    }
}

namespace detail {

// Row j of body k: what X has become at body d.
template <class S>
void walk_over(const Kinematics<S>& kin, const Articulation<S>& art, Index j, Index d,
               std::vector<Motion<S>>& X, S* inverse, Index n)
{
    const BodyKinematics<S>& b = kin.body[d];
    Motion<S> Y = X[b.parent];
    if (b.shifts)
        Y = PhiAdjoint<S>{b.l} * Y;
    for (Index i : b.dofs()) {
        const S entry = -dot(Y, art.G[i]);
        inverse[i * n + j] = inverse[j * n + i] = entry;
        Y += entry * kin.H[i];
    }
    X[d] = Y;
}

// X = -W Upsilon at the ancestors of body k from which branches go, W beginning as G(j) at hinge k.
template <class S>
void set_branches(const Kinematics<S>& kin, const Articulation<S>& art, Index j, Index k,
                  MassMatrixInverse<S>& work)
{
    Force<S> W = art.G[j];
    for (Index i = j - 1; i >= kin.body[k].first_dof; --i)
        W -= dot(kin.H[i], W) * art.G[i];
    while (kin.body[k].parent != ground) {
        if (kin.body[k].shifts)
            W = Phi<S>{kin.body[k].l} * W;
        k = kin.body[k].parent;
        if (!work.branches[k])
            return; // nor further in
        if (work.forks[k])
            work.X[k] = -(work.compliance.Upsilon[k] * W);
        for (Index i : kin.body[k].dofs_reversed())
            W -= dot(kin.H[i], W) * art.G[i];
    }
}

} // namespace detail

// inverse: dofs x dofs.
template <class S>
void mass_matrix_inverse(const Kinematics<S>& kin, const Articulation<S>& art, std::span<S> inverse,
                         MassMatrixInverse<S>& work)
{
    require_size("mass_matrix_inverse", "inverse", inverse.size(), kin.v.size() * kin.v.size());
    require_size("mass_matrix_inverse", "work", work.X.size(), kin.M.size());
    compliances(kin, art, work.compliance);
    const Tree& tree = kin.tree();
    const Index n = tree.num_dofs(), bodies = tree.num_bodies();
    for (S& x : inverse)
        x = S(0); // of two trees
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        for (Index a = k; a != ground; a = kin.body[a].parent)
            work.on_path[a] = 1;
        // In a depth-first numbering the bodies before k were rows before; all that follow in the same tree are walked.
        const Index first = work.depth_first ? k + 1 : tree.root[k] + 1;
        const bool branched = b.parent != ground && work.branches[b.parent];
        const Index last = branched ? work.last_below[tree.root[k]] : work.last_below[k];
        for (Index j : b.dofs()) {
            inverse[j * n + j] = work.compliance.diagonal[j];
            Motion<S> X = work.compliance.U[j];
            for (Index i = j + 1; i < b.end_dof; ++i) { // outer columns of the same hinge
                const S entry = -dot(X, art.G[i]);
                inverse[i * n + j] = inverse[j * n + i] = entry;
                X += entry * kin.H[i];
            }
            work.X[k] = X;
            if (branched)
                detail::set_branches(kin, art, j, k, work);
            for (Index d = first; d <= last && d < bodies; ++d)
                if (!work.on_path[d] && tree.root[d] == tree.root[k])
                    detail::walk_over(kin, art, j, d, work.X, inverse.data(), n);
        }
        for (Index a = k; a != ground; a = kin.body[a].parent)
            work.on_path[a] = 0;
    }
}

extern template struct MassMatrixInverse<double>;
extern template void mass_matrix_inverse(const Kinematics<double>&, const Articulation<double>&,
                                         std::span<double>, MassMatrixInverse<double>&);

} // namespace sweepdyn
