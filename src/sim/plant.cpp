#include "sweepdyn/sim/plant.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/dynamics/passive_forces.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/sim/grid.hpp"

namespace sweepdyn {
namespace {

void refuse_momentum_reset(const Model& model, const PlantOptions& options)
{
    const std::string reset = "momentum reset of model '" + model.name() + "': ";
    if (!model.floating_base())
        throw RefusedError(reset +
                           "it has no floating base, so its momentum is not kept; load it with a floating "
                           "base, or leave the reset out");
    const Tree& tree = model.tree();
    for (int k : tree.base_to_tip())
        if (!model.is_fixed(k) && tree.root[static_cast<std::size_t>(k)] != *model.floating_base())
            throw RefusedError(
                reset + "body '" + model.bodies()[static_cast<std::size_t>(k)].name +
                "' hangs on the ground beside the floating base, which takes up momentum; leave the "
                "reset out");
    const Topology& topology = model.topology();
    if (!topology.is_open())
        for (int l : topology.clusters[topology.cluster_of[*model.floating_base()]].loops)
            throw RefusedError(reset + "loop '" + model.loops()[static_cast<std::size_t>(l)].name +
                               "' ties the floating base, which takes up momentum; leave the reset out");
    if (!options.external.empty())
        throw RefusedError(reset + "an external wrench acts on frame '" +
                           model.frame_at(options.external.front().frame).name +
                           "', so its momentum is not kept; leave the wrench or the reset out");
    if (!options.contacts.empty())
        throw RefusedError(reset +
                           "contacts push it, so its momentum is not kept; leave them or the reset out");
}

} // namespace

Plant::Plant(const Model& model, PlantOptions options)
    : options_(std::move(options)),
      kin_(model),
      art_(model),
      scratch_(model)
{
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    if (dofs == 0)
        throw RefusedError(
            "model '" + model.name() +
            "' has no dofs, so nothing of it moves in time; expected at least one hinge that is no weld");
    T_.assign(dofs, 0.0);
    answer_ = T_total_ = T_;
    if (const Controller::States& states = options_.controller.states; !states.z0.empty()) {
        if (!states.command || !states.respond)
            throw UsageError("Plant: the controller has states of its own, expected command and respond");
        answer_.assign(states.num_commands, 0.0);
    }
    if (!options_.external.empty())
        external_.resize(static_cast<std::size_t>(model.num_bodies()));
    has_quaternions_ = std::any_of(model.hinges().begin(), model.hinges().end(), has_quaternion);
    if (options_.momentum_reset)
        refuse_momentum_reset(model, options_);
    if (!model.loops().empty()) {
        dynamics_.emplace(model);
        projection_.emplace(model);
        branches_.emplace(model);
    }
    if (!options_.contacts.empty()) {
        grasp_.emplace(model, options_.contacts);
        flown_.resize(options_.contacts.size());
        for (std::size_t i = 0; i < options_.contacts.size(); ++i)
            grasp_->attach(static_cast<int>(i));
        last_v_dot_.resize(dofs);
        last_q_.reserve(static_cast<std::size_t>(model.num_coordinates()));
        last_v_.reserve(dofs);
        last_z_.assign(first_z().begin(), first_z().end());
        last_z_dot_.resize(last_z_.size());
    }
    const double period = options_.controller.sample_time;
    if (!(period >= 0.0) || !std::isfinite(period))
        throw UsageError("Plant: the controller's sample_time is " + number_text(period) +
                         ", expected seconds from 0 on (0: asked at every instant)");
}

void Plant::begin(const Instant& start)
{
    begun_ = start.t;
    last_z_ = start.z;
    forget_forces();
    sample(start);
    if (!options_.momentum_reset)
        return;
    update<double>(kin_, start.q, start.v);
    update_inertias(kin_);
    momentum_ = momentum_about_com(kin_);
    mass_ = model().total_mass();
}

double Plant::next_sample(double t) const
{
    const double period = options_.controller.sample_time;
    if (!(period > 0.0))
        return std::numeric_limits<double>::infinity();
    return begun_ + next_multiple(t - begun_, period);
}

void Plant::ask(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
                std::span<double> answer)
{
    std::fill(answer.begin(), answer.end(), 0.0);
    if (!first_z().empty())
        options_.controller.states.command(t, q, v, z, answer);
    else if (options_.controller.forces)
        options_.controller.forces(t, q, v, answer);
    refuse_unbounded(t, answer);
}

void Plant::refuse_unbounded(double t, std::span<const double> answer) const
{
    for (std::size_t j = 0; j < answer.size(); ++j)
        if (!std::isfinite(answer[j])) [[unlikely]]
            throw RefusedError(
                (first_z().empty() ? "the controller's force on '" + model().dof_names()[j] + "'"
                                   : "the controller's command " + std::to_string(j + 1)) +
                " is not finite (got " + number_text(answer[j]) + ") at t = " + number_text(t) +
                " s; either its law fails there, or the motion that it drives has grown beyond all "
                "numbers");
}

void Plant::refuse_unbounded_motion(double t, std::span<const double> q, std::span<const double> v) const
{
    const auto unbounded = [](double x) { return !(std::abs(x) < 1e100); };
    if (std::any_of(q.begin(), q.end(), unbounded) || std::any_of(v.begin(), v.end(), unbounded))
        throw RefusedError("the motion grows beyond all numbers at t = " + number_text(t) +
                           " s; its velocities or forces are too large, or its steps too long");
}

void Plant::sample(const Instant& at)
{
    if (options_.controller.sample_time > 0.0)
        ask(at.t, at.q, at.v, at.z, answer_);
    forget_forces();
}

Existence Plant::begin_step(const Instant& at, double fixed, VelocityError error)
{
    if (is_closed())
        look_for_branches(at.q);
    bool any = false;
    for (int i = 0; grasp_ && i < static_cast<int>(grasp_->contacts().size()); ++i)
        any = any || (grasp_->attached(i) && grasp_->slides(i));
    if (!any)
        return Existence::unique;
    grasp_->follow(at.q, at.v, error);
    acceleration(at.t, at.q, at.v, last_v_dot_, at.z, last_z_dot_);
    if (let_fly(at.t))
        acceleration(at.t, at.q, at.v, last_v_dot_, at.z, last_z_dot_);
    grasp_->turn_slowly(fixed);
    forget_forces();
    return existence_;
}

// True: branches meet here. Before: project() or close() of this state, which eliminates its loops.
bool Plant::look_for_branches(std::span<const double> q)
{
    const bool here = branches_->meet(projection_->closure(), q);
    near_branch_ = here || projection_->near_branch();
    return here;
}

void Plant::acceleration(double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> v_dot, std::span<const double> z, std::span<double> z_dot)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    if (grasp_) {
        refuse_unbounded_motion(t, q, v);
        grasp_->set_state(q, v);
        if (z.data() != last_z_.data())
            last_z_.assign(z.begin(), z.end());
        last_t_ = t;
        last_q_.assign(q.begin(), q.end());
        last_v_.assign(v.begin(), v.end());
        apply_forces(t, q, v, z, z_dot);
        existence_ = grasp_->forward_dynamics(T_total_, v_dot, external_);
        if (existence_ == Existence::none)
            throw RefusedError("no motion obeys the laws of friction at t = " + number_text(t) + " s: " +
                               sliding_words() + " jam (Painleve); let them stick, or change their friction");
        return;
    }
    if (dynamics_)
        dynamics_->update(kin_);
    else
        articulate(kin_, art_);
    // a motion beyond all numbers shows as hinges without inertia
    if (const std::span<const int> singular = dynamics_ ? dynamics_->singular() : art_.singular;
        !singular.empty()) {
        refuse_unbounded_motion(t, q, v);
        detail::throw_singular(model(), singular, "simulation");
    }
    apply_forces(t, q, v, z, z_dot);
    if (near_branch_ && branches_->meet(projection_->closure(), q) &&
        branches_->acceleration(kin_, T_total_, v_dot, external_))
        return;
    if (dynamics_)
        dynamics_->forward_dynamics(kin_, T_total_, v_dot, external_);
    else
        forward_dynamics<double>(kin_, art_, T_total_, v_dot, scratch_, external_);
}

void Plant::residual(double t, std::span<const double> q, std::span<const double> v,
                     std::span<const double> v_dot, std::span<double> out, std::span<const double> z,
                     std::span<double> z_dot)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    apply_forces(t, q, v, z, z_dot);
    inverse_dynamics<double>(kin_, v_dot, out, scratch_, external_);
    for (std::size_t j = 0; j < out.size(); ++j)
        out[j] -= T_total_[j];
}

void Plant::apply_forces(double t, std::span<const double> q, std::span<const double> v,
                         std::span<const double> z, std::span<double> z_dot)
{
    // T of the controller, less damping and friction
    require_size("Plant", "states of the controller", z.size(), first_z().size());
    if (!(options_.controller.sample_time > 0.0))
        ask(t, q, v, z, answer_);
    if (z.empty())
        std::copy(answer_.begin(), answer_.end(), T_.begin());
    else {
        std::fill(T_.begin(), T_.end(), 0.0);
        options_.controller.states.respond(t, q, v, z, answer_, T_, z_dot);
    }
    if (options_.passive)
        passive_forces<double>(model(), v, options_.friction_speed, T_total_);
    else
        std::fill(T_total_.begin(), T_total_.end(), 0.0);
    for (std::size_t j = 0; j < T_.size(); ++j)
        T_total_[j] = T_[j] - T_total_[j];

    std::fill(external_.begin(), external_.end(), Force<double>{});
    for (const ExternalWrench& held : options_.external)
        add_external_wrench<double>(kin_, held.frame, held.wrench, held.axes, external_);
}

void Plant::refuse_force_on_base() const
{
    for (Index j : model().tree().dofs(*model().floating_base()))
        if (T_total_[static_cast<std::size_t>(j)] != 0.0)
            throw RefusedError(
                "momentum reset of model '" + model().name() + "': a force of " +
                number_text(T_total_[static_cast<std::size_t>(j)]) + " acts on '" +
                model().dof_names()[static_cast<std::size_t>(j)] +
                "' of the floating base, so the momentum is not kept; leave the force or the reset out");
}

Grasp& Plant::grasp_at(double t, std::span<const double> q, std::span<const double> v)
{
    // each event asks: the forces are found once
    if (!(grasp_->solved() && t == last_t_ &&
          std::equal(q.begin(), q.end(), last_q_.begin(), last_q_.end()) &&
          std::equal(v.begin(), v.end(), last_v_.begin(), last_v_.end())))
        acceleration(t, q, v, last_v_dot_, last_z_, last_z_dot_);
    return *grasp_;
}

bool Plant::project(double t, std::span<double> q, std::span<double> v)
{
    if (has_quaternions_)
        normalise(model(), q);
    if ((is_closed() && !keep_loops(q, v)) || (grasp_ && !hold_contacts(t, q, v)))
        return false;
    if (!options_.momentum_reset)
        return true;
    refuse_force_on_base();
    update<double>(kin_, q, v);
    update_inertias(kin_);
    // h(t) = h(0) + [0; m g t]
    const Force<double> wanted{momentum_.n, momentum_.f + (mass_ * (t - begun_)) * model().gravity()};
    reset_momentum(kin_, wanted, v);
    return true;
}

} // namespace sweepdyn
