// The blocks of the operators over clusters, at a state. Bodies k, l of a cluster c with base body b; all about each body's own point:
//
//     H(k)    = H(p) phi(p,k) + E' H_k                   p the parent of k within c, or nothing                     base to tip
//     a(k)    = phi*(p,k) a(p) + a_k + H_k* g            v_dot = E u_dot + g
//     R(b)   += sum phi(b,k) R(k) phi*(b,k)                                                                          tip to base
//     D       = sum H(k) P(k) H*(k) + J_a = L L*,   G(k) = P(k) H*(k) D^-1                                           tip to base
//     P(b)   += sum phi(b,k) P(k) phi*(b,k) - Gb D Gb*,   Gb = sum phi(b,k) G(k)
//     Upsilon(k,l) = psi*(b,k) Upsilon(b,b) psi(b,l) + H*(k) D^-1 H(l),   psi(b,k) = phi(b,k) - Gb H(k)              base to tip
//
// It is the articulation by whole hinges (dynamics/block_articulation.hpp), with full blocks. O(sum of the clusters' sizes cubed), no
// allocation after construction, but for D and G of sets of frames. Specified by tests/laws/cluster_algebra.cpp.
#pragma once

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/kinematics/closure.hpp"
#include "sweepdyn/operators/block_tree.hpp"

namespace sweepdyn::algebra {

// D and G of H phi X phi* H* + Y over clusters; X and Y as in BlockArticulation, which holds P, and P with all outboard rigid in R.
template <class S>
struct ClusterGains {
    ClusterGains(const BlockTree& over, typename BlockArticulation<S>::Of of,
                 std::vector<FrameId> frames = {})
        : weights(over.model(), of, std::move(frames)),
          G(static_cast<std::size_t>(over.num_H())),
          D(static_cast<std::size_t>(over.num_square()), S(0)),
          L(D)
    {
    }
    BlockArticulation<S> weights;
    std::vector<Force<S>> G; // as H
    std::vector<S> D, L; // per cluster, by rows
    std::uint64_t position_version = 0;
};

template <class S>
class ClusterBlocks {
public:
    explicit ClusterBlocks(const BlockTree& over);

    BlockTree over;
    std::vector<int> place; // of each body in its cluster
    std::vector<Motion<S>> H; // per cluster bodies x columns
    std::vector<Vec3<S>> l; // per body: from the base's point to its own; the ground's is the world origin
    std::vector<S> J_a; // per cluster columns x columns, by rows
    std::vector<Motion<S>> a; // per body
    std::vector<S> u; // independent velocities
    std::vector<Inertia<S>> R; // per body: with the clusters that hang on it, rigid
    std::vector<Motion<S>> Upsilon; // per cluster: (6 bodies) columns of bodies
    std::uint64_t position_version = 0, velocity_version = 0, inertia_version = 0, upsilon_version = 0;

    // H, l, J_a; with velocities also a and u. Throws RefusedError where the independent dofs are none at this state.
    void update(const Kinematics<S>& kin);
    void update_composite(const Kinematics<S>& kin);
    // Throws RefusedError, which names the hinge, where D has no inverse.
    void articulate(const Kinematics<S>& kin, ClusterGains<S>& gains);
    void spread(const ClusterGains<S>& mass); // Upsilon
    // E: what a dof of the model does per unit of a column of hinge space.
    S motion(int dof, int column) const;

private:
    Closure<S> closure_;
    std::vector<Force<S>> PH_; // bodies x columns of one cluster
    std::vector<S> column_; // of one cluster

    void require_independent(int cluster) const;
    S basis(int cluster, int dof, int i) const;
};

namespace detail {
[[noreturn]] void throw_not_independent(const BlockTree& over, int cluster, std::span<const int> instead);
}

template <class S>
ClusterBlocks<S>::ClusterBlocks(const BlockTree& of)
    : over(of),
      place(static_cast<std::size_t>(of.model().num_bodies()), 0),
      H(static_cast<std::size_t>(of.num_H())),
      l(place.size()),
      J_a(static_cast<std::size_t>(of.num_square()), S(0)),
      a(place.size()),
      u(static_cast<std::size_t>(of.num_columns()), S(0)),
      R(place.size()),
      Upsilon(static_cast<std::size_t>(of.num_full() / 6)),
      closure_(of.model(), of.topology())
{
    std::size_t entries = 0, columns = 0;
    for (const BlockTree::Cluster& c : of.clusters()) {
        for (std::size_t b = 0; b < c.bodies.size(); ++b)
            place[c.bodies[b]] = static_cast<int>(b);
        entries = std::max(entries, c.bodies.size() * c.columns.size());
        columns = std::max(columns, c.columns.size());
    }
    PH_.resize(entries);
    column_.resize(columns);
    closure_.with_gaps = false;
    closure_.prefer(of.independent());
}

// The elimination must have left just the dofs that were chosen.
template <class S> void ClusterBlocks<S>::require_independent(int cluster) const
{
    const int at = closure_.place[cluster];
    if (at < 0)
        return;
    const ClusterClosure<S>& c = closure_.clusters[at];
    const BlockTree::Cluster& node = over.clusters()[cluster];
    bool same = c.mobility() == node.size();
    for (int i = 0; same && i < node.size(); ++i)
        same = c.dofs[c.independent[i]] == over.independent()[node.columns[i]];
    if (same)
        return;
    std::vector<int> instead;
    for (int column : c.independent)
        instead.push_back(c.dofs[column]);
    detail::throw_not_independent(over, cluster, instead);
}

// E of a dof of the cluster and its i-th independent dof.
template <class S> S ClusterBlocks<S>::basis(int cluster, int dof, int i) const
{
    const BlockTree::Cluster& node = over.clusters()[cluster];
    const int at = closure_.place[cluster];
    if (at < 0)
        return S(over.independent()[node.columns[i]] == dof);
    const ClusterClosure<S>& c = closure_.clusters[at];
    return c.basis(c.column_of[dof], i);
}

template <class S> S ClusterBlocks<S>::motion(int dof, int column) const
{
    const int cluster = over.topology().cluster_of[over.model().tree().body_of_dof[dof]];
    const std::vector<int>& columns = over.clusters()[cluster].columns;
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? S(0) : basis(cluster, dof, static_cast<int>(found - columns.begin()));
}

template <class S> void ClusterBlocks<S>::update(const Kinematics<S>& kin)
{
    update_closure(kin, closure_);
    const bool moving = kin.velocity_version == kin.position_version;
    const Topology& topology = over.topology();
    for (int ci = 0; ci < static_cast<int>(over.clusters().size()); ++ci) {
        require_independent(ci);
        const BlockTree::Cluster& c = over.clusters()[ci];
        const int at = closure_.place[ci], m = c.size();
        S* const Ja = J_a.data() + c.first_square;
        std::fill_n(Ja, m * m, S(0));
        for (int k : c.bodies) {
            const BodyKinematics<S>& body = kin.body[k];
            const int parent = kin.tree().parent[k];
            const bool inside = parent != ground && topology.cluster_of[parent] == ci;
            const Vec3<S> from_parent = parent == ground ? kin.r(k) : kin.r(k) - kin.r(parent);
            l[k] = c.base == ground ? kin.r(k) : kin.r(k) - kin.r(c.base);
            Motion<S>* const Hk = H.data() + c.first_H + place[k] * m;
            const Motion<S>* const Hp = inside ? H.data() + c.first_H + place[parent] * m : nullptr;
            for (int i = 0; i < m; ++i) { // phi* H*(p) + H_k* E
                Hk[i] = inside ? PhiAdjoint<S>{from_parent} * Hp[i] : Motion<S>{};
                for (Index j : body.dofs())
                    Hk[i] += basis(ci, static_cast<int>(j), i) * kin.H[j];
            }
            for (Index j : body.dofs()) // E' J_a E
                for (int i = 0; value(kin.armature[j]) != 0.0 && i < m; ++i)
                    for (int n = 0; n < m; ++n)
                        Ja[i * m + n] += kin.armature[j] * basis(ci, static_cast<int>(j), i) *
                                         basis(ci, static_cast<int>(j), n);
            if (!moving)
                continue;
            Motion<S>& ak = a[k];
            ak = body.a;
            if (inside)
                ak += PhiAdjoint<S>{from_parent} * a[parent];
            if (at >= 0)
                for (Index j : body.dofs()) {
                    const ClusterClosure<S>& closed = closure_.clusters[at];
                    ak += closed.g[closed.column_of[j]] * kin.H[j];
                }
        }
    }
    if (moving)
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] = kin.v[over.independent()[i]];
    position_version = kin.position_version;
    velocity_version = kin.velocity_version;
}

template <class S> void ClusterBlocks<S>::update_composite(const Kinematics<S>& kin)
{
    for (std::size_t k = 0; k < R.size(); ++k)
        R[k] = kin.M[static_cast<Index>(k)];
    for (std::size_t i = over.clusters().size(); i-- > 0;)
        if (const BlockTree::Cluster& c = over.clusters()[i]; c.base != ground)
            for (int k : c.bodies)
                R[c.base] += shift(R[k], l[k]);
    inertia_version = kin.position_version;
}

template <class S> void ClusterBlocks<S>::articulate(const Kinematics<S>& kin, ClusterGains<S>& gains)
{
    using Of = typename BlockArticulation<S>::Of;
    BlockArticulation<S>& weights = gains.weights;
    sweepdyn::detail::set_weights(kin, weights);
    std::vector<ArticulatedInertia<S>>&P = weights.P, &rigid = weights.R;
    std::copy(P.begin(), P.end(), rigid.begin());
    const double least = weights.of == Of::frames ? 1e-10 : 256 * Precision<S>::epsilon;
    for (std::size_t ci = over.clusters().size(); ci-- > 0;) {
        const BlockTree::Cluster& c = over.clusters()[ci];
        const int m = c.size(), bodies = static_cast<int>(c.bodies.size());
        const Motion<S>* const Hc = H.data() + c.first_H;
        S *const D = gains.D.data() + c.first_square, *const L = gains.L.data() + c.first_square;
        for (int b = 0; b < bodies; ++b)
            for (int i = 0; i < m; ++i)
                PH_[b * m + i] = P[c.bodies[b]] * Hc[b * m + i];
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j) { // D = sum H P H* + J_a
                S sum = weights.of == Of::mass ? J_a[c.first_square + i * m + j] : S(0);
                for (int b = 0; b < bodies; ++b)
                    sum += dot(Hc[b * m + i], PH_[b * m + j]);
                D[i * m + j] = sum;
            }
        for (int i = 0; i < m; ++i)
            for (int j = 0; j <= i; ++j) { // Cholesky
                S sum = D[i * m + j];
                for (int n = 0; n < j; ++n)
                    sum -= L[i * m + n] * L[j * m + n];
                if (i == j) {
                    S scale = D[i * m + i]; // beside H R H* of all outboard rigid
                    for (int b = 0; b < bodies; ++b)
                        scale += dot(Hc[b * m + i], rigid[c.bodies[b]] * Hc[b * m + i]);
                    if (!(value(sum) > least * value(scale)))
                        sweepdyn::detail::throw_singular_hinge(
                            kin.model, kin.tree().body_of_dof[over.independent()[c.columns[i]]],
                            weights.of == Of::frames);
                }
                L[i * m + j] = i == j ? sqrt(sum) : S(sum / L[j * m + j]);
            }
        // U = P H* L^-T, so that G D G* = U U*; then G = U L^-1.
        for (int b = 0; b < bodies; ++b)
            for (int i = 0; i < m; ++i) {
                Force<S>* const U = PH_.data() + b * m;
                for (int j = 0; j < i; ++j)
                    U[i] -= L[i * m + j] * U[j];
                U[i] = (S(1) / L[i * m + i]) * U[i];
            }
        for (int b = 0; b < bodies; ++b) {
            Force<S>* const G = gains.G.data() + c.first_H + b * m;
            for (int i = m - 1; i >= 0; --i) {
                Force<S> g = PH_[b * m + i];
                for (int j = i + 1; j < m; ++j)
                    g -= L[j * m + i] * G[j];
                G[i] = (S(1) / L[i * m + i]) * g;
            }
        }
        if (c.base == ground)
            continue;
        ArticulatedInertia<S>& to = P[c.base];
        for (int k : c.bodies) {
            to += shift(P[k], l[k]);
            rigid[c.base] += shift(rigid[k], l[k]);
        }
        for (int i = 0; i < m; ++i) {
            Force<S> sum{};
            for (int b = 0; b < bodies; ++b)
                sum += Phi<S>{l[c.bodies[b]]} * PH_[b * m + i];
            to.rank_one_downdate(sum, sum);
        }
    }
    gains.position_version = kin.position_version;
}

template <class S> void ClusterBlocks<S>::spread(const ClusterGains<S>& mass)
{
    for (const BlockTree::Cluster& c : over.clusters()) {
        const int m = c.size(), bodies = static_cast<int>(c.bodies.size());
        const Motion<S>* const Hc = H.data() + c.first_H;
        const S* const L = mass.L.data() + c.first_square;
        const bool grounded = c.base == ground;
        Force<S>* const Gb = PH_.data(); // sum phi(b,k) G(k)
        for (int i = 0; !grounded && i < m; ++i) {
            Gb[i] = {};
            for (int b = 0; b < bodies; ++b)
                Gb[i] += Phi<S>{l[c.bodies[b]]} * mass.G[c.first_H + b * m + i];
        }
        const BlockTree::Cluster* up = nullptr; // the base's cluster
        const Motion<S>* base_block = nullptr; // first column of Upsilon(b,b)
        if (!grounded) {
            up = &over.clusters()[over.topology().cluster_of[c.base]];
            const int there = place[c.base], n = static_cast<int>(up->bodies.size());
            base_block = Upsilon.data() + up->first_full / 6 + 6 * there * n + there;
        }
        for (int b = 0; b < bodies; ++b)
            for (int component = 0; component < 6; ++component) {
                Force<S> e{};
                S* const numbers[6] = {&e.n.x, &e.n.y, &e.n.z, &e.f.x, &e.f.y, &e.f.z};
                *numbers[component] = S(1);
                S* const h = column_.data();
                for (int i = 0; i < m; ++i)
                    h[i] = dot(Hc[b * m + i], e);
                Motion<S> V{}; // Upsilon(b,b) psi(b,l) e
                if (!grounded) {
                    Force<S> f = Phi<S>{l[c.bodies[b]]} * e;
                    for (int i = 0; i < m; ++i)
                        f -= h[i] * Gb[i];
                    const S parts[6] = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
                    for (int i = 0; i < 6; ++i)
                        V += parts[i] * base_block[static_cast<std::size_t>(i) * up->bodies.size()];
                }
                sweepdyn::detail::solve_lower(L, m, h);
                sweepdyn::detail::solve_upper(L, m, h);
                for (int i = 0; !grounded && i < m; ++i)
                    h[i] -= dot(V, Gb[i]);
                Motion<S>* const column = Upsilon.data() + c.first_full / 6 + (6 * b + component) * bodies;
                for (int k = 0; k < bodies; ++k) {
                    column[k] = grounded ? Motion<S>{} : PhiAdjoint<S>{l[c.bodies[k]]} * V;
                    for (int i = 0; i < m; ++i)
                        column[k] += h[i] * Hc[k * m + i];
                }
            }
    }
    upsilon_version = position_version;
}

extern template class ClusterBlocks<double>;

} // namespace sweepdyn::algebra
