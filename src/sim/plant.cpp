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
    if (!options.external.empty())
        throw RefusedError(reset + "an external wrench acts on frame '" +
                           model.frame_at(options.external.front().frame).name +
                           "', so its momentum is not kept; leave the wrench or the reset out");
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
    T_held_ = T_total_ = T_;
    if (!options_.external.empty())
        external_.resize(static_cast<std::size_t>(model.num_bodies()));
    has_quaternions_ = std::any_of(model.hinges().begin(), model.hinges().end(), [](const Hinge& hinge) {
        return hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free;
    });
    if (options_.momentum_reset)
        refuse_momentum_reset(model, options_);
    const double period = options_.controller.sample_time;
    if (!(period >= 0.0) || !std::isfinite(period))
        throw UsageError("Plant: the controller's sample_time is " + number_text(period) +
                         ", expected seconds from 0 on (0: asked at every instant)");
}

void Plant::begin(const Instant& start)
{
    begun_ = start.t;
    sample(start.t, start.q, start.v);
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

void Plant::ask(double t, std::span<const double> q, std::span<const double> v, std::span<double> T)
{
    std::fill(T.begin(), T.end(), 0.0);
    if (options_.controller.forces)
        options_.controller.forces(t, q, v, T);
    for (std::size_t j = 0; j < T.size(); ++j)
        if (!std::isfinite(T[j])) [[unlikely]]
            throw RefusedError(
                "the controller's force on '" + model().dof_names()[j] + "' is not finite (got " +
                number_text(T[j]) + ") at t = " + number_text(t) +
                " s; either its law fails there, or the motion that it drives has grown beyond all "
                "numbers");
}

void Plant::sample(double t, std::span<const double> q, std::span<const double> v)
{
    if (options_.controller.sample_time > 0.0)
        ask(t, q, v, T_held_);
}

void Plant::acceleration(double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> v_dot)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    articulate(kin_, art_);
    if (!art_.singular.empty())
        detail::throw_singular(model(), art_.singular, "simulation");

    // T of the controller, less damping and friction
    if (options_.controller.sample_time > 0.0)
        std::copy(T_held_.begin(), T_held_.end(), T_.begin());
    else
        ask(t, q, v, T_);
    if (options_.passive)
        passive_forces<double>(model(), v, options_.friction_speed, T_total_);
    else
        std::fill(T_total_.begin(), T_total_.end(), 0.0);
    for (std::size_t j = 0; j < T_.size(); ++j)
        T_total_[j] = T_[j] - T_total_[j];

    std::fill(external_.begin(), external_.end(), Force<double>{});
    for (const ExternalWrench& held : options_.external)
        add_external_wrench<double>(kin_, held.frame, held.wrench, held.axes, external_);
    forward_dynamics<double>(kin_, art_, T_total_, v_dot, scratch_, external_);
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

void Plant::project(double t, std::span<double> q, std::span<double> v)
{
    if (has_quaternions_)
        normalise(model(), q);
    if (!options_.momentum_reset)
        return;
    refuse_force_on_base();
    update<double>(kin_, q, v);
    update_inertias(kin_);
    // h(t) = h(0) + [0; m g t]
    const Force<double> wanted{momentum_.n, momentum_.f + (mass_ * (t - begun_)) * model().gravity()};
    reset_momentum(kin_, wanted, v);
}

} // namespace sweepdyn
