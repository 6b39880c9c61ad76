// The plant: a model with all that acts on it, as an integrator sees it,
//
//     v_dot = FD(q, v, T(t, q, v) - T_passive(v), w),
//
// with T by a controller, at every instant or held over its samples, damping and friction by dynamics/passive_forces.hpp, and
// external wrenches that stay. project() brings a state that an integrator has left by its own error back to where it belongs:
// quaternions to unit length and, when asked for, the momentum of a free-floating system to what it must be:
//
//     h(t) = h(0) + [0; m g t] about the centre of mass,                                                    [001]
//
// which the base's velocity takes up. O(bodies + dofs), allocates nothing.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

struct Instant {
    double t = 0.0;
    std::vector<double> q, v;
};

struct PlantOptions {
    Controller controller{};
    bool passive = true; // damping, and friction where it has a speed
    double friction_speed = 0.0; // v_s of passive_forces
    std::vector<ExternalWrench> external{};
    bool momentum_reset = false;
};

class Plant {
public:
    // Throws RefusedError for a model without dofs, and where the momentum is to be kept and cannot be: no floating base, other
    // trees, external wrenches.
    explicit Plant(const Model& model, PlantOptions options = {});

    const Model& model() const { return kin_.model; }
    const Kinematics<double>& kinematics() const { return kin_; }
    std::span<const double> T() const { return T_; } // of the controller, at the last acceleration()

    // The motion begins here: its momentum is the one to keep, and a sampled controller is asked for the first time.
    void begin(const Instant& start);
    // When a sampled controller is to be asked next: after t; infinity for one that is not sampled.
    double next_sample(double t) const;
    void sample(double t, std::span<const double> q, std::span<const double> v);

    // Throws RefusedError naming a hinge that has nothing to move.
    void acceleration(double t, std::span<const double> q, std::span<const double> v,
                      std::span<double> v_dot);
    void project(double t, std::span<double> q, std::span<double> v);
    bool projects() const { return has_quaternions_ || options_.momentum_reset; }

private:
    void ask(double t, std::span<const double> q, std::span<const double> v, std::span<double> T);
    void refuse_force_on_base() const;

    PlantOptions options_;
    Kinematics<double> kin_;
    Articulation<double> art_;
    BodyForces<double> scratch_;
    std::vector<Force<double>> external_;
    std::vector<double> T_, T_held_, T_total_;
    bool has_quaternions_ = false;
    double begun_ = 0.0;
    Force<double> momentum_{}; // at the beginning, about the centre of mass
    double mass_ = 0.0;
};

} // namespace sweepdyn
