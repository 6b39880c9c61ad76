// Projection: a state that an integrator has left a little open, back onto the loops.
//
//     positions    by Newton, the least step                                              [kinematics/position_projection.hpp]
//     velocities   once:    J dv = -J v, dv the least in the mass metric,
//                           dv = g - P g,   P = E (E'ME)^-1 E'M = respond(M .)                          on the tree of clusters
//
// The second is v - M^-1 J'(J M^-1 J')^+ J v, without M^-1 of the opened tree, which bodies without inertia do not have. Redundant
// rows and those that a singular pose takes away drop out of the elimination. Rows of velocities only take part in the second alone.
// O(sum of clusters), no allocation. Specified by tests/laws/assembly.cpp.
#pragma once

#include "sweepdyn/closed/closed_dynamics.hpp"
#include "sweepdyn/kinematics/position_projection.hpp"

namespace sweepdyn {

class Projection : public PositionProjection {
public:
    explicit Projection(const Model& model);

    // Before: update(kin, q, v), update_inertias, dynamics.update(kin). kin keeps the old v.
    void velocities(const Kinematics<double>& kin, ClosedDynamics& dynamics, std::span<double> v);

private:
    std::vector<double> T_;
    std::vector<Motion<double>> V_;
    std::vector<Force<double>> h_;
};

} // namespace sweepdyn
