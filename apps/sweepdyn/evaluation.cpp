#include "evaluation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "model_argument.hpp"

namespace sweepdyn::app {

void Evaluation::set(const State& state)
{
    state_ = &state;
    linearized_at_ = LinearizedAt::nothing;
    update<double>(kin, state.q, state.v);
    update_inertias(kin);
    external_.clear();
    if (!state.external.empty())
        external_.resize(static_cast<std::size_t>(model.num_bodies()));
    for (const ExternalWrench& w : state.external)
        add_external_wrench<double>(kin, w.frame, w.wrench, w.axes, external_);
    if (closed_)
        closed_->set(state, external_,
                     passive_.in_dynamics ? passive_forces() : std::vector<double>(state.v.size(), 0.0));
}

std::vector<int> Evaluation::independent()
{
    if (closed_) {
        std::vector<int> dofs;
        for (int place : closed_->places())
            dofs.push_back(closed_->mechanism().independent()[static_cast<std::size_t>(place)]);
        return dofs;
    }
    std::vector<int> all(state_->v.size());
    std::iota(all.begin(), all.end(), 0);
    if (choices_.independent_typed && choices_.independent != all)
        throw RefusedError(fmt::format("--independent: model '{}' has no loops, so all of its {} dofs are "
                                       "independent; leave it out",
                                       model.name(), all.size()));
    return all;
}

std::vector<double> Evaluation::hinge_forces()
{
    if (closed_)
        return closed_->actuation().T;
    const std::vector<double> T = inverse_dynamics(state_->a);
    if (!choices_.actuated)
        return T;
    std::vector<double> left = T;
    double largest = 0.0, most_left = 0.0;
    for (double x : T)
        largest = std::max(largest, std::abs(x));
    for (int j : *choices_.actuated)
        left[static_cast<std::size_t>(j)] = 0.0;
    for (double x : left)
        most_left = std::max(most_left, std::abs(x));
    const bool enough = most_left <= 1e-9 * std::max(1e-12, largest);
    if (!choices_.actuated_typed) {
        if (!enough && !std::exchange(told_not_actuated_, true))
            note(fmt::format("T: these accelerations ask for forces on dofs that have no actuator: {}",
                             forces_by_dof(model, left)));
        return T;
    }
    if (!enough)
        throw RefusedError(fmt::format("the actuated dofs cannot give these accelerations; forces that stay "
                                       "unbalanced, by dof: {}; --actuated names others",
                                       forces_by_dof(model, left)));
    std::vector<double> out(T.size(), 0.0);
    for (int j : *choices_.actuated)
        out[static_cast<std::size_t>(j)] = T[static_cast<std::size_t>(j)];
    return out;
}

std::vector<double> Evaluation::inverse_dynamics(std::span<const double> a)
{
    std::vector<double> T(state_->v.size());
    sweepdyn::inverse_dynamics<double>(kin, a, T, scratch_, external());
    if (passive_.in_dynamics) {
        const std::vector<double> passive = passive_forces();
        for (std::size_t j = 0; j < T.size(); ++j)
            T[j] += passive[j];
    }
    return T;
}

std::vector<double> Evaluation::accelerations()
{
    if (moved_by_T())
        return forward_dynamics();
    return closed_ ? closed_->completed_accelerations() : state_->a;
}

std::vector<double> Evaluation::gravity_forces()
{
    std::vector<double> T(state_->v.size());
    sweepdyn::gravity_forces<double>(kin, T, scratch_);
    return T;
}

const Articulation<double>& Evaluation::articulation(const char* of)
{
    if (!articulation_)
        articulation_.emplace(model);
    articulate(kin, *articulation_);
    if (!articulation_->singular.empty())
        detail::throw_singular(model, articulation_->singular, of);
    return *articulation_;
}

std::vector<double> Evaluation::forward_dynamics(int which)
{
    if (closed_)
        return closed_->forward_dynamics();
    const Articulation<double>& art = articulation("qdd");
    const std::vector<double> T = driving_forces();
    std::vector<double> qdd(T.size()), bias(T.size());
    std::vector<Motion<double>> alpha(static_cast<std::size_t>(model.num_bodies()));
    switch (which) {
    case 1: forward_dynamics_fd1<double>(kin, art, T, qdd, bias, scratch_, external()); break;
    case 2: forward_dynamics_fd2<double>(kin, art, T, qdd, bias, alpha, scratch_, external()); break;
    case 4: forward_dynamics_fd4<double>(kin, art, T, qdd, scratch_, external()); break;
    default: forward_dynamics_fd3<double>(kin, art, T, qdd, scratch_, external());
    }
    return qdd;
}

std::vector<double> Evaluation::driving_forces() const
{
    std::vector<double> T = state_->T;
    if (passive_.in_dynamics) {
        const std::vector<double> passive = passive_forces();
        for (std::size_t j = 0; j < T.size(); ++j)
            T[j] -= passive[j];
    }
    return T;
}

DiagonalDynamics<double>& Evaluation::diagonal()
{
    if (!diagonal_)
        diagonal_.emplace(model);
    if (diagonal_->art.position_version != kin.position_version)
        diagonalize(kin, *diagonal_);
    return *diagonal_;
}

std::vector<double> Evaluation::nu()
{
    std::vector<double> nu(state_->v.size());
    nu_of_v<double>(kin, diagonal(), state_->v, nu);
    return nu;
}

std::vector<double> Evaluation::eps()
{
    std::vector<double> eps(state_->v.size());
    eps_of_T<double>(kin, diagonal(), driving_forces(), eps);
    return eps;
}

std::vector<double> Evaluation::C_nu()
{
    std::vector<double> C(state_->v.size());
    diagonal_coriolis<double>(kin, diagonal(), C, external());
    return C;
}

std::vector<double> Evaluation::centroidal_momentum_matrix()
{
    std::vector<double> A(6 * state_->v.size());
    composite_inertias(kin, composite_);
    sweepdyn::centroidal_momentum_matrix<double>(kin, composite_, A);
    return A;
}

std::vector<double> Evaluation::generalized_jacobian(FrameId frame)
{
    std::vector<double> J(6 * state_->v.size());
    composite_inertias(kin, composite_);
    sweepdyn::generalized_jacobian<double>(kin, composite_, frame, J);
    return J;
}

Linearization& Evaluation::inverse_linearization()
{
    if (!linearization_)
        linearization_.emplace(model, PassiveForces{passive_.in_dynamics, passive_.friction_speed});
    if (linearized_at_ != LinearizedAt::accelerations)
        linearization_->set_at(state_->q, state_->v, state_->a, state_->external);
    linearized_at_ = LinearizedAt::accelerations;
    return *linearization_;
}

Linearization& Evaluation::forward_linearization()
{
    if (!linearization_)
        linearization_.emplace(model, PassiveForces{passive_.in_dynamics, passive_.friction_speed});
    if (linearized_at_ != LinearizedAt::forces)
        linearization_->set(state_->q, state_->v, state_->T, state_->external);
    linearized_at_ = LinearizedAt::forces;
    return *linearization_;
}

namespace {
std::vector<double> entries(const Eigen::MatrixXd& m) { return {m.data(), m.data() + m.size()}; }
} // namespace

std::vector<double> Evaluation::mass_matrix_inverse()
{
    if (closed_)
        return entries(closed_->response());
    std::vector<double> out(state_->v.size() * state_->v.size());
    MassMatrixInverse<double> work(model);
    sweepdyn::mass_matrix_inverse<double>(kin, articulation("M_inv"), out, work);
    return out;
}

double Evaluation::log_det_mass_matrix()
{
    Innovations<double> factors(model);
    factors.factor(kin);
    return factors.log_det();
}

std::vector<double> Evaluation::operational_compliance(const std::vector<FrameId>& frames)
{
    if (closed_)
        return closed_->mechanism().compliance(frames);
    OperationalSpace<double> space(model, frames);
    operational_space(kin, articulation("Omega"), space);
    return space.Omega;
}

std::vector<double> Evaluation::operational_inertia(const std::vector<FrameId>& frames)
{
    if (closed_)
        return closed_->mechanism().operational_inertia(frames);
    OperationalDynamics task(model, frames);
    task.set(kin, articulation("Lambda"));
    if (const std::string lost = task.singular(kin); !lost.empty())
        throw RefusedError("Omega has no inverse at this state: " + lost);
    return {task.Lambda().data(), task.Lambda().data() + task.Lambda().size()};
}

std::vector<double> Evaluation::passive_forces() const
{
    std::vector<double> T(state_->v.size());
    sweepdyn::passive_forces<double>(model, state_->v, passive_.friction_speed, T);
    return T;
}

std::vector<double> Evaluation::mass_matrix()
{
    std::vector<double> mass(state_->v.size() * state_->v.size());
    composite_inertias(kin, composite_);
    sweepdyn::mass_matrix<double>(kin, composite_, mass);
    return mass;
}

std::vector<double> Evaluation::mass_matrix_rate()
{
    std::vector<double> M_dot(state_->v.size() * state_->v.size());
    column_rates(kin, rates_);
    composite_inertias(kin, composite_);
    sweepdyn::mass_matrix_rate<double>(kin, rates_, composite_, M_dot, inertia_rates_);
    return M_dot;
}

std::vector<double> Evaluation::coriolis_matrix()
{
    std::vector<double> C(state_->v.size() * state_->v.size());
    column_rates(kin, rates_);
    composite_inertias(kin, composite_);
    sweepdyn::coriolis_matrix<double>(kin, rates_, composite_, C, bias_inertias_);
    return C;
}

std::vector<double> Evaluation::regressor()
{
    std::vector<double> Y(state_->v.size() * parameters_per_body * kin.M.size());
    sweepdyn::regressor<double>(kin, accelerations(), Y, scratch_);
    return Y;
}

// With loops the forces are the least that cause a, but with T alone those of T.
Force<double> Evaluation::reaction(int k)
{
    if (state_->gives_T && state_->gives_a && !std::exchange(told_both_, true))
        note(fmt::format(
            "reaction: the state gives a and T; reactions are those at a{}; leave a out for those at T",
            closed_ ? ", under the least forces of the actuated dofs" : ""));
    const std::vector<double> a = accelerations();
    std::vector<double> T(state_->v.size());
    if (closed_)
        sweepdyn::inverse_dynamics<double>(kin, a, T, scratch_, closed_->all_forces(a, moved_by_T()));
    else
        sweepdyn::inverse_dynamics<double>(kin, a, T, scratch_, external());
    return hinge_reaction(kin, scratch_, k);
}

} // namespace sweepdyn::app
