// Kinetic and potential energy (what is welded to the ground counts in neither).
//
//     kinetic = 1/2 sum V(k)' M(k) V(k) + 1/2 sum Ja v^2,      potential = -sum m g.c
//
// O(bodies + dofs). Before: update(kin, q, v) and, for the kinetic part, update_inertias(kin).
// Specified by tests/laws/energy.cpp (power = dE/dt, gravity forces = grad potential).
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

template <class S> S kinetic_energy(const Kinematics<S>& kin)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "kinetic_energy",
                          "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "kinetic_energy",
                          "update_inertias(kin)");
    S twice(0);
    for (Index k : kin.tree().base_to_tip())
        twice += dot(kin.body[k].V, kin.M[k] * kin.body[k].V);
    for (std::size_t j = 0; j < kin.v.size(); ++j)
        twice += kin.armature[j] * kin.v[j] * kin.v[j];
    return S(0.5) * twice;
}

// Zero with the centre of mass at the height of the world origin.
template <class S> S potential_energy(const Kinematics<S>& kin)
{
    detail::require_poses(kin, "potential_energy");
    S energy(0);
    for (Index k : kin.tree().base_to_tip())
        if (!kin.model.is_fixed(k)) {
            const BodyKinematics<S>& b = kin.body[k];
            energy += b.mass * dot(kin.A0.v, transform_point(b.X_WI, b.com));
        }
    return energy;
}

} // namespace sweepdyn
