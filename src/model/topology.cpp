#include "sweepdyn/model/topology.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace sweepdyn {

int common_ancestor(const Tree& tree, int a, int b)
{
    while (a != b)
        (a > b ? a : b) = tree.parent[static_cast<std::size_t>(std::max(a, b))];
    return a;
}

std::vector<int> path_up(const Tree& tree, int k, int to)
{
    std::vector<int> bodies;
    for (; k != to; k = tree.parent[static_cast<std::size_t>(k)])
        bodies.push_back(k);
    return bodies;
}

namespace {

// Bodies whose hinges lie between the ends and their common ancestor.
std::vector<int> path(const Tree& tree, const std::vector<int>& ends, int to)
{
    std::vector<int> bodies;
    for (int end : ends)
        for (int k : path_up(tree, end, to))
            bodies.push_back(k);
    return bodies;
}

class Classes {
public:
    explicit Classes(int bodies) : parent_(static_cast<std::size_t>(bodies))
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int of(int k) const
    {
        while (parent_[static_cast<std::size_t>(k)] != k)
            k = parent_[static_cast<std::size_t>(k)];
        return k;
    }
    void merge(const std::vector<int>& bodies)
    {
        for (int k : bodies) {
            const int a = of(bodies.front()), b = of(k);
            parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b); // the name is the first body
        }
    }

private:
    std::vector<int> parent_;
};

} // namespace

Topology topology_of(const Tree& tree, std::span<const Loop> loops, std::vector<int> body_a,
                     std::vector<int> body_b, std::vector<std::vector<int>> dofs)
{
    Topology out;
    Classes classes(tree.num_bodies());
    std::vector<std::vector<int>> through(loops.size());
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (loops[i].kind != LoopKind::coupling) {
            through[i] = path(tree, {body_a[i], body_b[i]}, common_ancestor(tree, body_a[i], body_b[i]));
            classes.merge(through[i]);
        }
    // Couplings only where the cluster stays small.
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].kind != LoopKind::coupling)
            continue;
        std::vector<int> ends;
        for (int j : dofs[i])
            ends.push_back(tree.body_of_dof[static_cast<std::size_t>(j)]);
        int base = tree.parent[static_cast<std::size_t>(ends.front())];
        for (int end : ends)
            base = common_ancestor(tree, base, tree.parent[static_cast<std::size_t>(end)]);
        Classes merged = classes;
        through[i] = path(tree, ends, base);
        merged.merge(through[i]);
        int size = 0;
        for (int k : tree.base_to_tip())
            if (merged.of(k) == merged.of(ends.front()))
                size += tree.num_dofs(k);
        const bool one_already = std::all_of(through[i].begin(), through[i].end(), [&](int k) {
            return classes.of(k) == classes.of(ends.front());
        });
        if (size <= largest_coupled_cluster || one_already)
            classes = std::move(merged);
        else {
            out.distant.push_back(static_cast<int>(i));
            through[i].clear();
        }
    }

    out.cluster_of.resize(static_cast<std::size_t>(tree.num_bodies()));
    std::map<int, int> place;
    for (int k : tree.base_to_tip()) {
        const auto [found, is_new] = place.emplace(classes.of(k), static_cast<int>(out.clusters.size()));
        if (is_new)
            out.clusters.push_back({tree.parent[static_cast<std::size_t>(k)]});
        Cluster& cluster = out.clusters[static_cast<std::size_t>(found->second)];
        cluster.bodies.push_back(k);
        for (Index j : tree.dofs(k))
            cluster.dofs.push_back(static_cast<int>(j));
        out.cluster_of[static_cast<std::size_t>(k)] = found->second;
    }
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (!through[i].empty())
            out.clusters[static_cast<std::size_t>(
                             out.cluster_of[static_cast<std::size_t>(through[i].front())])]
                .loops.push_back(static_cast<int>(i));
    out.body_a = std::move(body_a);
    out.body_b = std::move(body_b);
    out.dofs = std::move(dofs);
    return out;
}

} // namespace sweepdyn
