// Computed torque: the forces that make the error obey a law of its own,
//
//     e = difference(q, q_d),    T = inverse dynamics at  v_dot = a_d + kd (v_d - v) + kp e,    so that   e_dd + kd e_d + kp e = 0
//
// near the target; far from it the same holds of turns and slides, and of rotations to first order in e. Displacements are those of
// the tangent space (model/configuration.hpp). Cost: one inverse dynamics, O(bodies + dofs); no allocation.
// Specified by tests/laws/computed_torque.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

// Where the mechanism should be, and how hard it is drawn there: kp (1/s^2) and kd (1/s) per dof.
struct TrackingTarget {
    std::span<const double> q, v, a;
};
struct TrackingGains {
    std::span<const double> kp, kd;
};

struct TrackingScratch {
    explicit TrackingScratch(const Model& model)
        : forces(model),
          error(static_cast<std::size_t>(model.num_dofs())),
          v_dot(error.size())
    {
    }
    BodyForces<double> forces;
    std::vector<double> error, v_dot;
};

namespace detail {
inline void require_tracking(const char* function, const Model& model, const TrackingTarget& target,
                             const TrackingGains& gains)
{
    require_coordinates(model, function, "target.q", target.q.size());
    require_dofs(model, function, "target.v", target.v.size());
    require_dofs(model, function, "gains.kp", gains.kp.size());
    require_dofs(model, function, "gains.kd", gains.kd.size());
}
} // namespace detail

// Before: update(kin, q, v). `external`: wrenches that act, as inverse_dynamics has them.
inline void computed_torque(const Kinematics<double>& kin, const TrackingTarget& target,
                            const TrackingGains& gains, std::span<double> T, TrackingScratch& scratch,
                            std::span<const Force<double>> external = {})
{
    detail::require_tracking("computed_torque", kin.model, target, gains);
    detail::require_dofs(kin.model, "computed_torque", "target.a", target.a.size());
    difference<double>(kin.model, kin.q, target.q, scratch.error);
    for (std::size_t j = 0; j < scratch.v_dot.size(); ++j)
        scratch.v_dot[j] =
            target.a[j] + gains.kd[j] * (target.v[j] - kin.v[j]) + gains.kp[j] * scratch.error[j];
    inverse_dynamics<double>(kin, scratch.v_dot, T, scratch.forces, external);
}

} // namespace sweepdyn
