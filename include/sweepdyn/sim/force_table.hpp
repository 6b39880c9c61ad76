// Hinge forces in time, from a table: linear between its rows, the first and the last row held before and after.
//
// Columns are "time", then "T:DOF" or plainly DOF; a dof without a column has no force. Beside "T:" columns, those of other
// signals (what a simulation recorded) are left alone.
#pragma once

#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/model/model.hpp"
#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn {

// Throws UsageError: no time, times that do not grow, a dof that the model does not have.
Controller forces_in_time(const Model& model, const Recording& table);

} // namespace sweepdyn
