// From a mechanism at an operating point to A, B, C, D with a name for every state, input and output.
//
//     dq_dot = dv - Cb dq,        H* Cb dq = crm(H* v) H* dq within one hinge: not zero only where rotations do not commute
//     dv_dot = M^-1 dT - A_C dv - B_C dq + ...                                                       [002; 000 section 4]
//     A = [-Cb, 1; -B_C, -A_C]
//
// Inputs    T:DOF             hinge forces                         outputs   q:DOF, v:DOF
//           wrench:FRAME      6: moment, force; world axes,                  pose:FRAME          6: rotation vector log R, position
//                             about the frame's origin                       velocity:FRAME      6: angular, linear; world axes
//           gravity           3                                              acceleration:FRAME  6: the same, true accelerations
//           base_accel        3: the ground's acceleration                   accel:FRAME         3: accelerometer R'(a - g)
//                                                                            gyro:FRAME          3
//                                                                            reaction:HINGE      6: moment, force on the child, its axes
//                                                                            loop:LOOP           6: moment, force on body a, axes and origin
//                                                                                                of frame a; a coupling's multiplier: 1
// A mechanism with loops has its independent dofs for states (linear/closed_linearization.hpp), all dofs for outputs.
// A * stands for any text: "T:*", "pose:left_*".
// Specified by tests/laws/state_space.cpp.
#pragma once

#include "sweepdyn/linear/linearization.hpp"
#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct OperatingPoint {
    explicit OperatingPoint(const Model& model); // neutral, at rest, free of forces
    std::vector<double> q, v, T;
    std::vector<ExternalWrench> external{};
};

struct LinearizeOptions {
    std::vector<std::string> inputs{"T:*"}, outputs{"q:*", "v:*"};
    PassiveForces passive{};
    // Of a mechanism with loops: the dofs that are to be its states, by name; else the best conditioned, with those preferred (none:
    // the model's actuated ones) where the rest can follow them.
    std::vector<std::string> independent{};
    std::vector<int> preferred{};
};

// Throws UsageError with every signal that the model does not have, RefusedError where a hinge has no inertia.
StateSpace linearize(const Model& model, const OperatingPoint& point, const LinearizeOptions& options = {});
// The same, with quaternions in the place of rotation vectors among the states, for export: redundant, each quaternion brings a
// mode that no motion excites, with the eigenvalue 0; a note says which.
StateSpace with_quaternion_states(const Model& model, const StateSpace& system);

// A alone, at the state that is set.
Matrix deviation_rate(Linearization& lin);
// Cb, dofs x dofs. Before: update(kin, q, v).
Matrix displacement_rate(const Kinematics<double>& kin);

} // namespace sweepdyn
