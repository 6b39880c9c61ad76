// What the loops carry: a multiplier per row, from the hinge forces that a motion needs beyond those given.
//
//     J' lambda = ID(v_dot) - T                   cluster by cluster, at the dependent dofs, by the factors of the elimination
// Rows that take no part in the elimination carry nothing.
//
// O(sum over clusters of rows^2), no allocation. Before: update_closure, with the basis of every cluster.
// Specified by tests/golden/closed_mechanisms.cpp.
#pragma once

#include "sweepdyn/kinematics/closure.hpp"

namespace sweepdyn {

// missing: ID(v_dot) - T, per dof; lambda and room: per row of all loops.
template <class S>
void loop_multipliers(const Closure<S>& closure, std::span<const S> missing, std::span<S> lambda,
                      std::span<S> room)
{
    const auto rows = static_cast<std::size_t>(closure.loops.num_rows);
    require_size("loop_multipliers", "lambda", lambda.size(), rows);
    require_size("loop_multipliers", "room", room.size(), rows);
    for (S& x : lambda)
        x = S(0);
    for (const ClusterClosure<S>& c : closure.clusters) {
        for (int i = 0; i < c.rank; ++i)
            room[i] = missing[c.dofs[c.dependent[i]]];
        detail::solve_dependent_adjoint(c, room.data());
        for (int i = 0; i < c.rank; ++i) {
            const int row = c.pivot_row[i];
            lambda[closure.loops.loops[c.row_loop[row]].first_row + c.row_of_loop[row]] = room[i];
        }
    }
}

} // namespace sweepdyn
