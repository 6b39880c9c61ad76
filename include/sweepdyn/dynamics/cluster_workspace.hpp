// What the articulation of a mechanism with loops keeps: per cluster the inertia of its free motions, by a basis or by multipliers.
// Equations: cluster_articulation.hpp. Construction decides how each cluster is eliminated.
#pragma once

#include <array>

#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/kinematics/closure.hpp"

namespace sweepdyn {

// How clusters with loops are eliminated; those with bodies that have no inertia of their own always by a basis.
enum class Elimination { basis, multipliers };

template <class S>
struct ClusterArticulation {
    // Decides which clusters of the closure need a basis.
    ClusterArticulation(const Model& model, Closure<S>& closure, Elimination choice = Elimination::basis);

    struct Member { // a body of a cluster with loops
        int body = 0, parent = -1; // parent: its place in the cluster, -1 at the base
        int first_column = 0, end_column = 0; // of its hinge
        bool carries = false, bears = false; // other clusters; the body or one above it does
        std::vector<std::pair<int, int>> rows; // whose wrenches pass through it: runs [first, end)
    };
    struct One { // a cluster with loops
        bool by_basis = true;
        int base = ground;
        bool armature = false, couplings = false; // any
        std::vector<Member> members;
        std::vector<std::array<int, 2>> ends; // per loop: members that it joins, -1 the base, -2 the ground
        // By basis.
        std::vector<Inertia<S>> R; // per member: rigid, what it carries aside
        std::vector<ArticulatedInertia<S>> R_carried; // per member that bears
        std::vector<S> mass; // columns x columns
        std::vector<int> first_related,
            related; // per column: those above and below it in the tree, and itself
        std::vector<Force<S>> F; // per column: R H*, at the base
        std::vector<S> ME; // columns x lanes of the closure
        std::vector<S> L; // of D, lower triangular, by rows of the closure's lanes; diagonal inverted
        std::vector<Force<S>> G; // per independent dof
        std::vector<S> x; // per column
        std::vector<S> u, y; // per independent dof
        // By multipliers.
        std::vector<Force<S>> W; // members x rows
        struct Group { // members one after the other through which the same rows pass
            int first_column = 0, end_column = 0;
            std::vector<std::pair<int, int>> rows;
        };
        std::vector<Group> groups;
        std::vector<S> e; // rows x columns
        std::vector<S> D_e; // per column: D^-1 e of a row
        std::vector<Force<S>> B; // per row
        std::vector<S> S_factor; // rows x rows, as L
        std::vector<int> used; // rows that take part
        std::vector<S> lambda; // per row: multipliers, after forward dynamics
        std::vector<S> rho; // per row
    };
    std::vector<One> clusters; // as in the closure
    Articulation<S> tree; // of plain hinges, and inside the clusters eliminated by multipliers
    std::vector<int> receivers; // bodies that hinges and clusters hand their inertia to
    std::vector<char> by_basis; // per body: whether its cluster is eliminated so
    std::uint64_t position_version = 0;
};

template <class S>
ClusterArticulation<S>::ClusterArticulation(const Model& model, Closure<S>& closure, Elimination choice)
    : tree(model),
      by_basis(static_cast<std::size_t>(model.num_bodies()), 0)
{
    const std::vector<int>& cluster_of = closure.topology.cluster_of;
    std::vector<char> carries(by_basis.size(), 0);
    for (int k : model.tree().base_to_tip())
        if (const int parent = model.tree().parent[k]; parent != ground)
            carries[parent] = carries[parent] || cluster_of[k] != cluster_of[parent];
    std::vector<char> receives = carries;
    for (ClusterClosure<S>& c : closure.clusters) {
        const Cluster& cluster = closure.topology.clusters[c.cluster];
        One one;
        one.base = cluster.base;
        bool at_risk = false;
        std::vector<int> member_of(static_cast<std::size_t>(model.num_bodies()), -1);
        for (int k : cluster.bodies) {
            member_of[k] = static_cast<int>(one.members.size());
            Member member;
            member.body = k;
            const int parent = model.tree().parent[k];
            member.parent = parent == cluster.base ? -1 : member_of[parent];
            member.first_column = one.members.empty() ? 0 : one.members.back().end_column;
            member.end_column = member.first_column + model.tree().num_dofs(k);
            member.carries = carries[k];
            one.members.push_back(std::move(member));
            at_risk = at_risk || tree.at_risk[k];
            for (double Ja : model.hinges()[k].armature)
                one.armature = one.armature || Ja != 0.0;
        }
        for (std::size_t i = one.members.size(); i-- > 0;) {
            Member& member = one.members[i];
            member.bears = member.bears || member.carries;
            if (member.parent >= 0)
                one.members[member.parent].bears = one.members[member.parent].bears || member.bears;
        }
        one.by_basis = choice == Elimination::basis || at_risk;
        c.wants_basis = one.by_basis;
        const auto n = c.dofs.size(), r = static_cast<std::size_t>(c.rows), b = one.members.size();
        const S nan = detail::poison<S>();
        if (one.by_basis) {
            for (int k : cluster.bodies)
                by_basis[k] = 1;
            const auto lanes = static_cast<std::size_t>(c.lanes);
            one.R.assign(b, {});
            one.R_carried.assign(b, {});
            one.ME.assign(n * lanes, S(0));
            one.L.assign(n * lanes, nan);
            one.mass.assign(n * n, S(0));
            one.F.assign(n, {});
            one.G.assign(n, {});
            const auto above = [&](int high,
                                   int low) { // whether the hinge of `high` carries that of `low`, or is it
                while (low > high)
                    low = one.members[low].parent;
                return low == high;
            };
            for (int i = 0; i < static_cast<int>(b); ++i)
                for (int j = one.members[i].first_column; j < one.members[i].end_column; ++j) {
                    one.first_related.push_back(static_cast<int>(one.related.size()));
                    for (int k = 0; k < static_cast<int>(b); ++k)
                        if (above(std::min(i, k), std::max(i, k)))
                            for (int l = one.members[k].first_column; l < one.members[k].end_column; ++l)
                                one.related.push_back(l);
                }
            one.first_related.push_back(static_cast<int>(one.related.size()));
            one.u.assign(lanes, nan);
            one.x.assign(c.dofs.size(), nan);
            one.y.assign(lanes, nan);
        } else {
            for (int k : cluster.bodies)
                if (const int parent = model.tree().parent[k]; parent != ground)
                    receives[parent] = 1;
            // A row passes through all bodies between its ends and the base.
            int row = 0;
            for (int l : c.loops) {
                const LoopOnTree<S>& on = closure.loops.loops[l];
                std::vector<char> passes(b, 0);
                std::vector<int> ends{on.a, on.b};
                if (on.loop.kind == LoopKind::coupling) {
                    ends.clear();
                    for (int j : on.dofs)
                        ends.push_back(model.tree().body_of_dof[j]);
                    one.couplings = true;
                }
                one.ends.push_back({});
                for (std::size_t end = 0; end < 2 && ends.size() == 2; ++end)
                    one.ends.back()[end] = ends[end] == ground         ? -2
                                           : ends[end] == cluster.base ? -1
                                                                       : member_of[ends[end]];
                for (int end : ends)
                    for (int m = end == cluster.base || end == ground ? -1 : member_of[end]; m >= 0;
                         m = one.members[m].parent)
                        passes[m] = 1;
                for (std::size_t m = 0; m < b; ++m)
                    if (auto& runs = one.members[m].rows;
                        passes[m] && !runs.empty() && runs.back().second == row)
                        runs.back().second += on.rows;
                    else if (passes[m])
                        runs.push_back({row, row + on.rows});
                row += on.rows;
            }
            one.W.assign(b * r, {});
            for (const Member& member : one.members) {
                if (!one.groups.empty() && one.groups.back().rows == member.rows)
                    one.groups.back().end_column = member.end_column;
                else
                    one.groups.push_back({member.first_column, member.end_column, member.rows});
            }
            one.e.assign(n * r, nan);
            one.D_e.assign(n, nan);
            one.B.assign(r, {});
            one.S_factor.assign(r * r, nan);
            one.rho.assign(r, nan);
            one.used.reserve(r);
        }
        one.lambda.assign(r, nan);
        clusters.push_back(std::move(one));
    }
    for (int k : model.tree().base_to_tip())
        if (receives[k])
            receivers.push_back(k);
}

} // namespace sweepdyn
