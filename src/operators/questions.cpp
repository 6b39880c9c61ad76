#include "sweepdyn/operators/questions.hpp"

#include <cmath>

#include "sweepdyn/operators/parse.hpp"

namespace sweepdyn::algebra {
namespace {

double log_det_D(Arena& arena, Stages<double>& stages)
{
    stages.prepare(Plan(arena, arena.leaf(Leaf::D))); // the Cholesky factors
    double sum = 0.0;
    for (Index k : stages.kin.tree().base_to_tip()) {
        const int n = stages.kin.tree().num_dofs(static_cast<int>(k));
        for (int i = 0; i < n; ++i)
            sum += 2.0 * std::log(stages.mass.L[static_cast<std::size_t>(
                             stages.mass.first_block[static_cast<std::size_t>(k)] + i * n + i)]);
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
    const Node* mass = parse(arena, "H*phi*M*adj(phi)*adj(H) + J_a");
    if (node == mass || node == arena.leaf(Leaf::D))
        return log_det_D(arena, stages);
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
