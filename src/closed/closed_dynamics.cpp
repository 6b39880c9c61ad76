#include "sweepdyn/closed/closed_dynamics.hpp"

#include <algorithm>

namespace sweepdyn {

ClosedDynamics::ClosedDynamics(const Model& model, Elimination choice)
    : closure_(model),
      art_(model, closure_, choice),
      scratch_(model),
      dofs_(static_cast<std::size_t>(model.num_dofs())),
      Jd_(closure_.topology.distant.size() * dofs_),
      Y_(Jd_.size()),
      lambda_(closure_.topology.distant.size()),
      response_(dofs_),
      S_(lambda_.size() * lambda_.size()),
      S_factor_(static_cast<int>(lambda_.size()))
{
    closure_.with_gaps = false; // Projection keeps it closed
}

void ClosedDynamics::update(const Kinematics<double>& kin)
{
    update_closure(kin, closure_);
    articulate(kin, closure_, art_);
    std::fill(Jd_.begin(), Jd_.end(), 0.0);
    for (std::size_t d = 0; d < lambda_.size(); ++d) {
        const std::span<double> Jd(Jd_.data() + d * dofs_, dofs_), Y(Y_.data() + d * dofs_, dofs_);
        const auto& on = closure_.loops.loops[static_cast<std::size_t>(closure_.topology.distant[d])];
        loop_jacobian<double>(kin, closure_.loops, on, [&](int, int dof, double x) { Jd[dof] += x; });
        sweepdyn::respond<double>(kin, closure_, art_, Jd, Y, scratch_);
    }
    for (std::size_t d = 0; d < lambda_.size(); ++d)
        for (std::size_t e = 0; e < lambda_.size(); ++e) {
            double sum = 0.0;
            for (std::size_t j = 0; j < dofs_; ++j)
                sum +=
                    0.5 * (Jd_[d * dofs_ + j] * Y_[e * dofs_ + j] + Jd_[e * dofs_ + j] * Y_[d * dofs_ + j]);
            S_[d * lambda_.size() + e] = sum;
        }
    const int distant = static_cast<int>(lambda_.size());
    S_factor_.factor(S_.data(), distant, distant, omega_rank_tolerance, DiagonalScale::largest);
}

void ClosedDynamics::meet_distant(std::span<double> x)
{
    for (std::size_t d = 0; d < lambda_.size(); ++d)
        for (std::size_t j = 0; j < dofs_; ++j)
            lambda_[d] -= Jd_[d * dofs_ + j] * x[j];
    S_factor_.solve(lambda_);
    for (std::size_t d = 0; d < lambda_.size(); ++d)
        for (std::size_t j = 0; j < dofs_; ++j)
            x[j] += Y_[d * dofs_ + j] * lambda_[d];
}

void ClosedDynamics::forward_dynamics(const Kinematics<double>& kin, std::span<const double> T,
                                      std::span<double> v_dot, std::span<const Force<double>> external)
{
    sweepdyn::forward_dynamics<double>(kin, closure_, art_, T, v_dot, scratch_, external);
    for (std::size_t d = 0; d < lambda_.size(); ++d)
        lambda_[d] = -closure_.loops.gamma[closure_.loops.loops[closure_.topology.distant[d]].first_row];
    meet_distant(v_dot);
}

void ClosedDynamics::respond(const Kinematics<double>& kin, std::span<const double> T,
                             std::span<double> v_dot, std::span<const Force<double>> external)
{
    sweepdyn::respond<double>(kin, closure_, art_, T, v_dot, scratch_, external);
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    meet_distant(v_dot);
}

void ClosedDynamics::make_least(const Kinematics<double>& kin, std::span<const double> v,
                                std::span<const double> M_d, std::span<const Force<double>> M_d_bodies,
                                std::span<double> d)
{
    sweepdyn::respond<double>(kin, closure_, art_, M_d, response_, scratch_, M_d_bodies);
    for (std::size_t j = 0; j < dofs_; ++j)
        d[j] -= response_[j];
    for (std::size_t i = 0; i < lambda_.size(); ++i) {
        lambda_[i] = 0.0;
        for (std::size_t j = 0; j < dofs_; ++j)
            lambda_[i] -= Jd_[i * dofs_ + j] * v[j];
    }
    meet_distant(d);
}

} // namespace sweepdyn
