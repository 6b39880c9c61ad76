// Proportional and derivative forces over gravity's: T = g(q) + kp e + kd (v_d - v), e = difference(q, q_d).
//
// With kp, kd > 0 (N m/rad, N m s/rad, or N/m, N s/m) and v_d = 0 every mechanism comes to rest at q_d, from anywhere if its
// hinges turn or slide: kinetic energy + e' kp e / 2 never grows.                                    [Takegaki and Arimoto 1981]
// Cost: one sweep, O(bodies + dofs); no allocation. Specified by tests/laws/computed_torque.cpp.
#pragma once

#include "sweepdyn/control/computed_torque.hpp"
#include "sweepdyn/dynamics/gravity_forces.hpp"

namespace sweepdyn {

// Before: update(kin, q, v). target.a is not read.
inline void pd_gravity(const Kinematics<double>& kin, const TrackingTarget& target,
                       const TrackingGains& gains, std::span<double> T, TrackingScratch& scratch)
{
    detail::require_tracking("pd_gravity", kin.model, target, gains);
    detail::require_fresh(kin.velocity_version == kin.position_version, "pd_gravity", "update(kin, q, v)");
    difference<double>(kin.model, kin.q, target.q, scratch.error);
    gravity_forces<double>(kin, T, scratch.forces);
    for (std::size_t j = 0; j < T.size(); ++j)
        T[j] += gains.kp[j] * scratch.error[j] + gains.kd[j] * (target.v[j] - kin.v[j]);
}

} // namespace sweepdyn
