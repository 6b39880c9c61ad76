// Operators as numbers: applied to a vector, or as a dense matrix for looking and checking. These forms make their plan and
// workspaces anew; a loop keeps a Plan, Stages and a Runner (run.hpp). Inline: memory of Eigen values is the user's own.
#pragma once

#include <Eigen/Core>

#include "sweepdyn/operators/op.hpp"
#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {

// One column per unit vector of the domain: dimension(domain) runs.
inline Eigen::MatrixXd dense(const Plan& plan, const Stages<double>& stages)
{
    Runner<double> run(plan);
    const int rows = plan.dimension(plan.range()), cols = plan.dimension(plan.domain());
    Eigen::MatrixXd out(rows, cols);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(cols);
    for (int j = 0; j < cols; ++j) {
        unit[j] = 1.0;
        run(stages, {unit.data(), static_cast<std::size_t>(plan.operand() >= 0 ? cols : 0)},
            {out.data() + static_cast<std::ptrdiff_t>(j) * rows, static_cast<std::size_t>(rows)});
        unit[j] = 0.0;
    }
    return out;
}

// At the state of stages.kin; what else the operator needs is computed.
template <class R, class D> Eigen::MatrixXd dense(const Op<R, D>& op, Stages<double>& stages,
                                                  Registry registry = Registry::on)
{
    const Plan plan(*op.arena, op.node, registry);
    stages.prepare(plan);
    return dense(plan, stages);
}

template <class R, class D>
Eigen::VectorXd apply(const Op<R, D>& op, Stages<double>& stages, const Eigen::VectorXd& x,
                      Registry registry = Registry::on)
{
    const Plan plan(*op.arena, op.node, registry);
    stages.prepare(plan);
    Runner<double> run(plan);
    Eigen::VectorXd out(plan.dimension(plan.range()));
    run(stages, {x.data(), static_cast<std::size_t>(x.size())},
        {out.data(), static_cast<std::size_t>(out.size())});
    return out;
}

} // namespace sweepdyn::algebra
