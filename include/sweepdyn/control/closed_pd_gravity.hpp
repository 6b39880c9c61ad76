// Proportional and derivative forces over gravity's, on the independent dofs of a mechanism with loops:
//
//     T_ind = E* g(q) + kp e + kd (v_d - v),   e = q_d - q at the independent dofs,   T = 0 elsewhere
//
// Loops do no work, so W = kinetic energy + sum kp e^2 / 2 obeys W_dot = -sum kd v^2 (v_d = 0, nothing else acting): a passivity law, whatever the
// mechanism. The independent dofs must be of hinges that turn or slide, and drive all the rest: closure.prefer() them.
// O(sum of clusters), no allocation. Before: update(kin, q, v), update_closure. Specified by tests/laws/contact_control.cpp.
#pragma once

#include "sweepdyn/control/computed_torque.hpp"
#include "sweepdyn/dynamics/gravity_forces.hpp"
#include "sweepdyn/kinematics/closure.hpp"

namespace sweepdyn {

// target.q, target.v: of all dofs, read at the independent ones. Clusters eliminated by multipliers have no basis E: refused.
inline void closed_pd_gravity(const Kinematics<double>& kin, const Closure<double>& closure,
                              const TrackingTarget& target, const TrackingGains& gains, std::span<double> T,
                              TrackingScratch& scratch)
{
    detail::require_tracking("closed_pd_gravity", kin.model, target, gains);
    detail::require_fresh(closure.velocity_version == kin.velocity_version, "closed_pd_gravity",
                          "update_closure");
    gravity_forces<double>(kin, scratch.v_dot, scratch.forces);
    difference<double>(kin.model, kin.q, target.q, scratch.error);
    const auto pull = [&](int j) {
        return gains.kp[j] * scratch.error[j] + gains.kd[j] * (target.v[j] - kin.v[j]);
    };
    for (std::size_t c = 0; c < closure.topology.clusters.size(); ++c) {
        const int place = closure.place[c];
        if (place < 0) {
            for (int j : closure.topology.clusters[c].dofs)
                T[j] = scratch.v_dot[j] + pull(j);
            continue;
        }
        const ClusterClosure<double>& cluster = closure.clusters[place];
        if (!cluster.wants_basis)
            throw UsageError("closed_pd_gravity: the cluster of hinge '" +
                             kin.model.hinges()[kin.tree().body_of_dof[cluster.dofs.front()]].name +
                             "' is eliminated by multipliers; expected Elimination::basis");
        for (int j : cluster.dofs)
            T[j] = 0.0;
        for (int i = 0; i < cluster.mobility(); ++i) {
            const int j = cluster.dofs[cluster.independent[i]];
            double sum = 0.0;
            for (int k = 0; k < cluster.num_columns(); ++k) // E* g
                sum += cluster.basis(k, i) * scratch.v_dot[cluster.dofs[k]];
            T[j] = sum + pull(j);
        }
    }
}

} // namespace sweepdyn
