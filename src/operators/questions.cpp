#include "sweepdyn/operators/questions.hpp"

#include <cmath>

#include "sweepdyn/operators/parse.hpp"

namespace sweepdyn::algebra {
namespace {

double log_det_D(Arena& arena, Stages<double>& stages, Articulated of)
{
    const Plan plan(arena, arena.leaf(Leaf::D, of));
    stages.prepare(plan); // the Cholesky factors
    double sum = 0.0;
    if (arena.over().by_clusters()) {
        const std::vector<double>& L = stages.find_gains(plan, of)->L;
        for (const BlockTree::Cluster& c : arena.over().clusters())
            for (int i = 0; i < c.size(); ++i)
                sum += 2.0 * std::log(L[static_cast<std::size_t>(c.first_square + i * c.size() + i)]);
        return sum;
    }
    const BlockArticulation<double>& art = *stages.find(plan, of);
    for (Index k : stages.kin.tree().base_to_tip()) {
        const int n = stages.kin.tree().num_dofs(static_cast<int>(k));
        for (int i = 0; i < n; ++i)
            sum += 2.0 * std::log(art.L[static_cast<std::size_t>(
                             art.first_block[static_cast<std::size_t>(k)] + i * n + i)]);
    }
    return sum;
}

} // namespace

std::optional<double> log_det(Arena& arena, const Node* node, Stages<double>& stages)
{
    if (node->kind == Node::Kind::identity)
        return 0.0;
    if (node->kind == Node::Kind::inverse) {
        const auto inner = log_det(arena, node->factors.front(), stages);
        return inner ? std::optional(-*inner) : std::nullopt;
    }
    if (node->kind == Node::Kind::sum && node->terms.size() == 1) { // c X
        const auto inner = log_det(arena, node->terms.front().node, stages);
        const int n = arena.dimension(node->range);
        return inner ? std::optional(*inner + n * std::log(std::abs(node->terms.front().coefficient)))
                     : std::nullopt;
    }
    const Node* rigid = parse(arena, "H*phi*M*adj(phi)*adj(H)");
    const Node* mass = arena.sum(rigid, arena.leaf(Leaf::J_a));
    if (node == arena.leaf(Leaf::W))
        return 0.0;
    if (node == mass || node == arena.leaf(Leaf::D))
        return log_det_D(arena, stages, Articulated::mass());
    if (node == rigid)
        return log_det_D(arena, stages, Articulated::without_armature());
    if (node->kind == Node::Kind::leaf &&
        (node->leaf == Leaf::phi || node->leaf == Leaf::psi || node->leaf == Leaf::Delta_phi))
        return 0.0;
    if (node->kind == Node::Kind::sum &&
        node->range == node->domain) { // I + what crosses one way: unit triangular
        const Node* X = arena.sum(node, arena.identity(node->range), -1.0);
        const Direction way = direction(X);
        if ((way == Direction::causal || way == Direction::anticausal) && strictly_moves(X))
            return 0.0;
    }
    if (node->kind == Node::Kind::product) {
        double sum = 0.0;
        for (const Node* factor : node->factors) {
            const auto one = log_det(arena, factor, stages);
            if (!one)
                return std::nullopt;
            sum += *one;
        }
        return sum;
    }
    return std::nullopt;
}

} // namespace sweepdyn::algebra
