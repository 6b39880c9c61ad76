// Questions that an expression answers with numbers: diagonal blocks, trace, log of the determinant.
// Inline: memory of Eigen values is the user's own.
#pragma once

#include <optional>

#include "sweepdyn/operators/evaluate.hpp"

namespace sweepdyn::algebra {

// The blocks (k,k) of an operator between spaces of the same family: one per hinge, body or frame. Of a memoryless expression in
// one run per column of a block; else by columns, dimension(domain) runs.
template <class R, class D> std::vector<Eigen::MatrixXd> diagonal_blocks(const Op<R, D>& op,
                                                                         Stages<double>& stages)
{
    static_assert(
        (is_hinge(R::space) && is_hinge(D::space)) || (is_body(R::space) && is_body(D::space)) ||
            (is_frame(R::space) && is_frame(D::space)),
        "diagonal blocks are those of an operator between two spaces of hinges, of bodies or of frames");
    const Plan plan(*op.arena, op.node);
    stages.prepare(plan);
    const Tree& tree = op.arena->model().tree();
    std::vector<int> first{0}; // of each block
    if (is_hinge(R::space))
        first.assign(tree.first_dof.begin(), tree.first_dof.end());
    else
        for (int end = 6; end <= plan.dimension(plan.range()); end += 6)
            first.push_back(end);
    const std::size_t blocks = first.size() - 1;
    std::vector<Eigen::MatrixXd> out(blocks);
    for (std::size_t k = 0; k < blocks; ++k)
        out[k].resize(first[k + 1] - first[k], first[k + 1] - first[k]);

    Runner<double> run(plan);
    Eigen::VectorXd in = Eigen::VectorXd::Zero(first.back()), y(first.back());
    const auto apply_once = [&] {
        run(stages, {in.data(), static_cast<std::size_t>(in.size())},
            {y.data(), static_cast<std::size_t>(y.size())});
    };
    if (!is_frame(R::space) &&
        direction(op.node) == Direction::memoryless) { // column c of all blocks at once
        for (int c = 0; c < 6; ++c) {
            in.setZero();
            for (std::size_t k = 0; k < blocks; ++k)
                if (first[k] + c < first[k + 1])
                    in[first[k] + c] = 1.0;
            apply_once();
            for (std::size_t k = 0; k < blocks; ++k)
                if (first[k] + c < first[k + 1])
                    out[k].col(c) = y.segment(first[k], first[k + 1] - first[k]);
        }
        return out;
    }
    for (std::size_t k = 0; k < blocks; ++k)
        for (int c = first[k]; c < first[k + 1]; ++c) {
            in.setZero();
            in[c] = 1.0;
            apply_once();
            out[k].col(c - first[k]) = y.segment(first[k], first[k + 1] - first[k]);
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
