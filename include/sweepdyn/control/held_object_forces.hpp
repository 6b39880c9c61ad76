// What arms that hold one object must do for it to accelerate as wanted, with internal forces as wanted: fills x_dd and w of MotionAndForce.
//
//     w(C) = M(C) alpha(C) + b(C),   f_i = phi^-1(C, O_i) (share_i w(C)) + internal_i,   sum of phi internal_i = 0            [003 II; 004 section 6]
//     x_dd_i = phi*(C, O_i) alpha(C) + a_i,   w_i = -f_i
//
// share: how much of the load each arm takes, of their sum; internal: forces on the object about the tips, of which what would move it is
// taken away, arm by arm as the shares. alpha_C is classical, about C. The frames of c are the tips. Grips that leave turns free carry no
// moment about these: what the shares ask of it the grips carry together instead,
//
//     f_i += share_i P_i phi*(C, O_i) x,   sum of phi f_i = w(C),   P_i without the free moments
//
// and the turns that are free go on at their rates. No allocation. Specified by tests/laws/contact_control.cpp.
#pragma once

#include "sweepdyn/closed/held_object.hpp"
#include "sweepdyn/control/motion_and_force.hpp"

namespace sweepdyn {

// All grips rigid.
void held_object_forces(const Kinematics<double>& kin, const HeldObject<double>& object,
                        const Motion<double>& alpha_C, std::span<const double> share,
                        std::span<const Force<double>> internal, MotionAndForce& c);
// Grips of any kind, in the order of the frames of c. Throws RefusedError where they cannot carry what the object needs.
void held_object_forces(const Kinematics<double>& kin, const HeldObject<double>& object,
                        const Motion<double>& alpha_C, std::span<const double> share,
                        std::span<const Force<double>> internal, std::span<const Grip> grips,
                        MotionAndForce& c);

} // namespace sweepdyn
