// Products of a Jacobian J = B* phi* H* with its dual. A motion times a motion needs weights between them; W are unit ones.
//
//     J W^-1 J* = B* phi* H* W^-1 H phi B                                   of the frames
//     J* W J = H phi B W B* phi* H*                                         of the hinges: a mass operator whose bodies
//                                                                           weigh only at the frames
//     (J* W J)^-1 = (I - H psi K)* D^-1 (I - H psi K)                       with the D, G, psi of those weights: by sweeps,
//                                                                           where the columns of J are independent   [003]
#pragma once

#include "sweepdyn/operators/formulas/kinematics.hpp"

namespace sweepdyn::algebra::formulas {

inline Op<FrameMotion, FrameForce> jacobian_times_dual(const Operators& o,
                                                       const std::vector<std::string>& frames)
{
    const auto J = jacobian(o, frames);
    return J * inverse(o.W) * adj(J);
}
inline Op<HingeForce, HingeMotion> dual_times_jacobian(const Operators& o,
                                                       const std::vector<std::string>& frames)
{
    const auto J = jacobian(o, frames);
    return adj(J) * o.W_of(frames) * J;
}
inline Op<HingeMotion, HingeForce> inverse_dual_times_jacobian(const Operators& o,
                                                               const std::vector<std::string>& frames)
{
    return inverse(dual_times_jacobian(o, frames));
}

} // namespace sweepdyn::algebra::formulas
