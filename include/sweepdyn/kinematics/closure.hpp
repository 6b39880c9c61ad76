// Closure: what the loops leave of the motion, cluster by cluster.
//
//     rows of each loop                          [loops_on_tree.hpp]
//     J, gamma, scales of each cluster           [cluster_closure.hpp]
//     v = E u,   v_dot = E u_dot + g             [closure_elimination.hpp]
//
// Dofs asked for as independent are taken so wherever the rest can follow. Without such a wish a loop is closed by hinges of its own where
// these serve well, so that those of several loops stay independent; else the best conditioned. Which dofs are actuated is not asked
// here, for accelerations do not depend on the choice: who shows independent dofs (ClosedMechanism) wishes for those.
// No allocation. Before: update(kin, q, v). Specified by tests/laws/closure.cpp.
#pragma once

#include "sweepdyn/kinematics/closure_elimination.hpp"

namespace sweepdyn {

template <class S>
struct Closure {
    explicit Closure(const Model& model);
    // With other clusters than the model's own, such as all bodies in one.
    Closure(const Model& model, const Topology& topology);

    Topology topology;
    Loops<S> loops; // all of the model
    std::vector<ClusterClosure<S>> clusters; // those with loops
    std::vector<int> place; // of each cluster of the topology in `clusters`, or -1
    bool with_gaps = true; // else update_closure leaves them alone: a state that is known to be closed
    std::uint64_t position_version = 0, velocity_version = 0;

    // Dofs that are to be independent, wherever the rest can follow them. Counts from the next update on.
    void prefer(std::span<const int> dofs);
    int mobility() const; // of the whole mechanism, without distant couplings
};

// The model's forest and loops as one cluster on the ground: the global form.
Topology one_cluster(const Model& model);
namespace detail {
// Rows that are all forces, on hinges that all turn.
bool all_alike(const Model& model, const Cluster& cluster);
// By how much the distances of each loop count more than metres do, where it is small beside the largest of the cluster: a linkage of
// micrometres that a crank of metres drives too. One else, and where hinges slide, so that lengths say nothing.
std::vector<double> loop_weights(const Model& model, const Cluster& cluster);
} // namespace detail

template <class S> Closure<S>::Closure(const Model& model) : Closure(model, model.topology()) {}
template <class S>
Closure<S>::Closure(const Model& model, const Topology& of)
    : topology(of),
      loops(model, model.loops()),
      place(of.clusters.size(), -1)
{
    for (std::size_t c = 0; c < of.clusters.size(); ++c) {
        if (of.clusters[c].loops.empty())
            continue;
        place[c] = static_cast<int>(clusters.size());
        clusters.emplace_back(model.tree(), loops, of.clusters[c], static_cast<int>(c),
                              detail::all_alike(model, of.clusters[c]),
                              detail::loop_weights(model, of.clusters[c]));
    }
}

template <class S> void Closure<S>::prefer(std::span<const int> dofs)
{
    for (ClusterClosure<S>& one : clusters) {
        one.preferred.assign(one.dofs.size(), 0);
        for (int j : dofs)
            if (const int column = one.column_of[j]; column >= 0)
                one.preferred[column] = 1;
    }
}

template <class S> int Closure<S>::mobility() const
{
    int sum = 0;
    for (std::size_t c = 0; c < topology.clusters.size(); ++c)
        sum +=
            place[c] < 0 ? static_cast<int>(topology.clusters[c].dofs.size()) : clusters[place[c]].mobility();
    return sum;
}
template <class S> void update_closure(const Kinematics<S>& kin, Closure<S>& closure)
{
    detail::require_poses(kin, "update_closure");
    if (closure.with_gaps)
        update_loops(kin, closure.loops);
    else
        detail::update_wrenches(kin, closure.loops);
    closure.position_version = kin.position_version;
    closure.velocity_version = kin.velocity_version;
    for (ClusterClosure<S>& c : closure.clusters) {
        if (!c.wants_basis)
            continue;
        detail::collect_rows(kin, closure.loops, c);
        if (kin.velocity_version != kin.position_version)
            std::fill(c.gamma.begin(), c.gamma.end(), S(0));
        detail::eliminate(c);
    }
}
extern template struct Closure<double>;
extern template void update_closure(const Kinematics<double>&, Closure<double>&);
extern template struct Closure<float>;
extern template void update_closure(const Kinematics<float>&, Closure<float>&);

} // namespace sweepdyn
