// Questions that an expression answers with numbers: diagonal blocks, trace, log of the determinant.
// Inline: memory of Eigen values is the user's own.
#pragma once

#include <optional>

#include "sweepdyn/operators/evaluate.hpp"

namespace sweepdyn::algebra {

// The blocks (k,k) of an operator between spaces of the same family: one per hinge or cluster, body or frame. Of a memoryless expression
// over hinges in one run per column of a block; else by columns, dimension(domain) runs.
template <class R, class D> std::vector<Eigen::MatrixXd> diagonal_blocks(const Op<R, D>& op,
                                                                         Stages<double>& stages)
{
    static_assert(
        (is_hinge(R::space) && is_hinge(D::space)) || (is_body(R::space) && is_body(D::space)) ||
            (is_frame(R::space) && is_frame(D::space)),
        "diagonal blocks are those of an operator between two spaces of hinges, of bodies or of frames");
    const Plan plan(*op.arena, op.node);
    stages.prepare(plan);
    const std::vector<std::vector<int>> places =
        block_places(op.arena->over(), R::space, plan.dimension(plan.range()));
    std::vector<Eigen::MatrixXd> out;
    std::size_t widest = 0;
    for (const std::vector<int>& at : places) {
        out.emplace_back(at.size(), at.size());
        widest = std::max(widest, at.size());
    }
    Runner<double> run(plan);
    Eigen::VectorXd in = Eigen::VectorXd::Zero(plan.dimension(plan.domain())),
                    y(plan.dimension(plan.range()));
    const auto apply_once = [&] {
        run(stages, {in.data(), static_cast<std::size_t>(in.size())},
            {y.data(), static_cast<std::size_t>(y.size())});
    };
    // Bodies of one cluster meet in a memoryless expression, blocks of hinges do not.
    if (!is_frame(R::space) && (is_hinge(R::space) || !op.arena->over().by_clusters()) &&
        direction(op.node) == Direction::memoryless) { // column c of all blocks at once
        for (std::size_t c = 0; c < widest; ++c) {
            in.setZero();
            for (const std::vector<int>& at : places)
                if (c < at.size())
                    in[at[c]] = 1.0;
            apply_once();
            for (std::size_t k = 0; k < places.size(); ++k)
                if (c < places[k].size())
                    out[k].col(static_cast<Eigen::Index>(c)) = y(places[k]);
        }
        return out;
    }
    for (std::size_t k = 0; k < places.size(); ++k)
        for (std::size_t c = 0; c < places[k].size(); ++c) {
            in.setZero();
            in[places[k][c]] = 1.0;
            apply_once();
            out[k].col(static_cast<Eigen::Index>(c)) = y(places[k]);
        }
    return out;
}

template <class R, class D> double trace(const Op<R, D>& op, Stages<double>& stages)
{
    double sum = 0.0;
    for (const Eigen::MatrixXd& block : diagonal_blocks(op, stages))
        sum += block.trace();
    return sum;
}

// log |det|, where a factorization tells it: the mass operator (sum of log det D over the hinges), D, products and inverses of
// these, and operators whose determinant is one because they only add what comes from other bodies. Else nothing.
std::optional<double> log_det(Arena& arena, const Node* node, Stages<double>& stages);
template <class R, class D> std::optional<double> log_det(const Op<R, D>& op, Stages<double>& stages)
{
    return log_det(*op.arena, op.node, stages);
}

} // namespace sweepdyn::algebra
