// Computed torque and PD over gravity as controllers of a plant, and the poles that they achieve.
//
//     computed torque      e_dd + kd e_d + kp e = 0:   roots of s^2 + kd s + kp, dof by dof, along any motion
//     PD over gravity      at rest at its target:      M(q) dv_dot + (kd + damping) dv + kp dq = 0
//
// both exact: at the target gravity's forces and what the controller gives for them change alike. Damping and friction of a plant that
// computed torque is not told of come on top, M^-1 times them. Specified by tests/unit/control_tracking.cpp.
#pragma once

#include <complex>
#include <functional>

#include "sweepdyn/control/computed_torque.hpp"
#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/linear/linearization.hpp"

namespace sweepdyn {

struct TrackingReference {
    std::vector<double> q, v, a; // PD over gravity reads no a
};
using TrackedMotion = std::function<TrackingReference(double t)>;
struct TrackingGainValues {
    std::vector<double> kp,
        kd; // per dof: 1/s^2 and 1/s of computed torque, forces per displacement and per rate of PD
};

// Throw UsageError for gains that are not one per dof. A controller has a workspace of its own, shared by its copies: one thread at a time.
Controller computed_torque_controller(const Model& model, TrackedMotion target, TrackingGainValues gains);
Controller pd_gravity_controller(const Model& model, TrackedMotion target, TrackingGainValues gains);

// In pairs, dof by dof.
std::vector<std::complex<double>> computed_torque_poles(const TrackingGainValues& gains);
// At the target q, at rest.
std::vector<std::complex<double>> pd_gravity_poles(const Model& model, std::span<const double> q,
                                                   const TrackingGainValues& gains,
                                                   const PassiveForces& passive = {});

} // namespace sweepdyn
