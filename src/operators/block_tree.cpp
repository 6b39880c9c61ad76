#include "sweepdyn/operators/block_tree.hpp"

#include <algorithm>

#include "sweepdyn/kinematics/closure.hpp"

namespace sweepdyn::algebra {
namespace {

// Couplings of distant hinges belong to no cluster: then all bodies are one.
Topology topology_of(const Model& model)
{
    return model.topology().distant.empty() ? model.topology() : one_cluster(model);
}

} // namespace

BlockTree BlockTree::clusters_at(const Model& model, std::span<const double> q,
                                 std::span<const int> preferred)
{
    for (int j : preferred)
        if (j < 0 || j >= model.num_dofs())
            throw UsageError("BlockTree::clusters_at: got " + std::to_string(j) +
                             " among the preferred dofs, expected 0 to " +
                             std::to_string(model.num_dofs() - 1));
    Kinematics<double> kin(model);
    update<double>(kin, q);
    Closure<double> closure(model, topology_of(model));
    const auto& actuated = model.actuated_dofs();
    closure.prefer(preferred.empty() && actuated ? std::span<const int>(*actuated) : preferred);
    update_closure(kin, closure);

    ClusterTree tree{closure.topology, {q.begin(), q.end()}};
    for (std::size_t c = 0; c < closure.topology.clusters.size(); ++c) {
        const std::vector<int>& dofs = closure.topology.clusters[c].dofs;
        if (const int place = closure.place[c]; place < 0)
            tree.independent.insert(tree.independent.end(), dofs.begin(), dofs.end());
        else
            for (int column : closure.clusters[place].independent)
                tree.independent.push_back(dofs[column]);
    }
    std::sort(tree.independent.begin(), tree.independent.end());
    for (const sweepdyn::Cluster& of : tree.topology.clusters) {
        Cluster one{of.base, of.bodies, {}, tree.num_H, tree.num_square, tree.num_full};
        for (std::size_t i = 0; i < tree.independent.size(); ++i)
            if (std::find(of.dofs.begin(), of.dofs.end(), tree.independent[i]) != of.dofs.end())
                one.columns.push_back(static_cast<int>(i));
        const int bodies = static_cast<int>(one.bodies.size());
        tree.num_H += bodies * one.size();
        tree.num_square += one.size() * one.size();
        tree.num_full += 36 * bodies * bodies;
        tree.clusters.push_back(std::move(one));
    }
    BlockTree out(model);
    out.tree_ = std::make_shared<const ClusterTree>(std::move(tree));
    return out;
}

bool BlockTree::same_as(const BlockTree& other) const
{
    if (!model_.same_as(other.model_) || by_clusters() != other.by_clusters())
        return false;
    return tree_ == other.tree_ || tree_->independent == other.tree_->independent;
}

int BlockTree::num_columns() const
{
    return by_clusters() ? static_cast<int>(tree_->independent.size()) : model_.num_dofs();
}

std::vector<std::string> BlockTree::column_names() const
{
    if (!by_clusters())
        return {model_.dof_names().begin(), model_.dof_names().end()};
    std::vector<std::string> out;
    for (int j : tree_->independent)
        out.push_back(model_.dof_names()[j]);
    return out;
}

int dimension(const BlockTree& over, Space space, std::size_t frames)
{
    if (space == Space::one)
        return 1;
    if (is_hinge(space))
        return over.num_columns();
    if (is_body(space))
        return 6 * over.model().num_bodies();
    return is_frame(space) ? 6 * static_cast<int>(frames) : 6;
}

std::vector<std::vector<int>> block_places(const BlockTree& over, Space space, int dimension)
{
    std::vector<std::vector<int>> out;
    const auto run = [&](int first, int end) {
        out.emplace_back();
        for (int i = first; i < end; ++i)
            out.back().push_back(i);
    };
    if (is_hinge(space) && over.by_clusters())
        for (const BlockTree::Cluster& c : over.clusters())
            out.push_back(c.columns);
    else if (is_hinge(space))
        for (int k : over.model().tree().base_to_tip())
            run(over.model().tree().first_dof[k], over.model().tree().first_dof[k + 1]);
    else
        for (int end = 6; end <= dimension; end += 6)
            run(end - 6, end);
    return out;
}

} // namespace sweepdyn::algebra
