// A mechanism near an operating point, as linearize sees it: what its states and forces do to dq, dv, dv_dot of all dofs, for trees
// and for mechanisms with loops alike.
//
//     x_dot = A x + (rates of states per generalized force) T,    dq = Q x,   dv = V x,   dv_dot = W x + response(T)
#pragma once

#include <memory>

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn::detail {

// How a force changes: on_x x + on_T dT, rows of 6 or 1.
struct ForceChange {
    Matrix on_x, on_T;
};

class NearPoint {
public:
    virtual ~NearPoint() = default;

    Matrix A, Q, V, W;
    std::vector<std::string> states, notes;
    std::vector<double> x0, f0; // per state: its value at the point, and the rate there
    std::vector<double> v_dot; // at the point
    int num_positions = 0; // of the states, the first

    virtual Linearization& tree() = 0; // under the loops' wrenches, where there are any
    // Per column of generalized forces: dv_dot of all dofs, x_dot.
    virtual Matrix response(const Matrix& T) = 0;
    virtual Matrix on_states(const Matrix& T) = 0;
    // What a loop carries, and its change. Refused on a tree.
    virtual std::vector<double> loop_force(int loop) = 0;
    virtual ForceChange loop_force_change(int loop) = 0;
    // What the loops add to the change of a hinge's reaction beyond the tree's own; empty matrices: nothing.
    virtual ForceChange reaction_change(int hinge) = 0;
    // Per number whether the motion determines it; empty: all.
    virtual std::vector<bool> loop_force_determined(int) { return {}; }
    virtual std::vector<bool> reaction_determined(int) { return {}; }
};

std::unique_ptr<NearPoint> near_point(const Model& model, const OperatingPoint& point,
                                      const LinearizeOptions& options);

// With inputs and outputs by name.
StateSpace system_near_point(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                             NearPoint& near);
void require_point(const Model& model, const OperatingPoint& point, const char* where);

// Of q from the neutral configuration, per dof.
std::vector<double> displacement_of(const Model& model, const OperatingPoint& point);

// a b
Matrix product(const Matrix& a, const Matrix& b);

} // namespace sweepdyn::detail
