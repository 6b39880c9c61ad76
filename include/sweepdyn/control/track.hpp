// Following a motion: hinge forces of the motion itself, by inverse dynamics, and feedback of the deviation from it,
//
//     T = T(t) - K(t) [difference(q(t), q); v - v(t)]
//
// with gains that are constant, or vary along the motion (control/tvlqr.hpp). Specified by tests/laws/along_trajectory.cpp.
#pragma once

#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/control/tvlqr.hpp"
#include "sweepdyn/linear/along_trajectory.hpp"

namespace sweepdyn {

// Gains of the least cost along the motion; the points need T (set_feedforward). Inputs are all hinge forces.
TrajectoryGains tvlqr_along(const Model& model, std::span<const TrajectoryPoint> points, const Matrix& Q,
                            const Matrix& R, const Matrix& Qf, const PassiveForces& passive = {});

// K is dofs x 2 dofs.
Controller track(const Model& model, std::vector<TrajectoryPoint> points, TrajectoryGains gains);

} // namespace sweepdyn
