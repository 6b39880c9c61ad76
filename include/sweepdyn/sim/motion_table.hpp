// A motion from a table, as a trajectory to follow: columns "time", q:NAME of every coordinate, v:DOF and qdd:DOF of every dof, as
// `simulate --signals 'q:*,v:*,qdd:*'` records them. Without any v: and qdd: the motion is refused, not guessed.
#pragma once

#include "sweepdyn/linear/along_trajectory.hpp"
#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn {

// T of the points is empty (set_feedforward gives it). Throws UsageError: columns that are missing, times that do not grow.
std::vector<TrajectoryPoint> motion_in_time(const Model& model, const Recording& table);

} // namespace sweepdyn
