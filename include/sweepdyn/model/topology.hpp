// Clusters: which hinges move together. Hinges that lie on a common loop, or are coupled, form one cluster; a hinge on no loop is a
// cluster of its own. [constraint embedding: Jain 2009]
//
// The hinges of a loop are those between body a, body b and their nearest common ancestor; those of a coupling are the coupled ones
// and all between them and the nearest common ancestor of their parents. Loops that share a hinge share a cluster. So a cluster
// hangs on exactly one body, its base, and whatever passes between clusters passes through six numbers.
//
// A coupling that would make one cluster of more than `largest_coupled_cluster` dofs is left out of the clusters: it is `distant`,
// and its multiplier is found globally (closed/closed_dynamics.hpp).
#pragma once

#include <span>
#include <vector>

#include "sweepdyn/model/loop.hpp"
#include "sweepdyn/model/tree.hpp"

namespace sweepdyn {

inline constexpr int largest_coupled_cluster = 24; // dofs

struct Cluster {
    int base = ground; // the body that it hangs on
    std::vector<int> bodies{}; // base to tip
    std::vector<int> dofs{}; // of their hinges, in order
    std::vector<int> loops{}; // of which it is made, in order; empty: a plain hinge
};

struct Topology {
    std::vector<Cluster> clusters{}; // a cluster comes after that of its base
    std::vector<int> cluster_of{}; // of each body
    std::vector<int> distant{}; // loops that belong to no cluster
    std::vector<int> body_a{}, body_b{}; // of each loop; ground for couplings
    std::vector<std::vector<int>> dofs{}; // of each coupling, one per term; empty for other loops
    bool is_open() const { return body_a.empty(); }
};

int common_ancestor(const Tree& tree, int a, int b);
// Bodies from k up to, and without, the ancestor.
std::vector<int> path_up(const Tree& tree, int k, int to);

// The loops must refer to bodies and dofs that there are.
Topology topology_of(const Tree& tree, std::span<const Loop> loops, std::vector<int> body_a,
                     std::vector<int> body_b, std::vector<std::vector<int>> dofs);

} // namespace sweepdyn
