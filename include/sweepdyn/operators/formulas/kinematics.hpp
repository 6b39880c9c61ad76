// Velocities and Jacobians, and their duals.
//
//     V = phi* H* v                          velocities of all bodies                         [003 (5.13)]
//     J = B* phi* H*                         Jacobian of the frames that B picks              [003 part II, section 5]
//     T = J* f = H phi B f                   what forces on the frames ask of the hinges
//     A = phi* (H* v_dot + a)                accelerations of all bodies, spatial and true    [003]
//     A_f = B* A = J v_dot + B* phi* a       the same of frames; classical ones add [0; w x v]
#pragma once

#include "sweepdyn/operators/op.hpp"

namespace sweepdyn::algebra::formulas {

inline Op<BodyMotion, HingeMotion> velocities(const Operators& o) { return adj(o.phi) * adj(o.H); }

inline Op<FrameMotion, HingeMotion> jacobian(const Operators& o, const std::vector<std::string>& frames)
{
    return adj(o.B(frames)) * adj(o.phi) * adj(o.H);
}
inline Op<HingeForce, FrameForce> hinge_forces_of(const Operators& o, const std::vector<std::string>& frames)
{
    return o.H * o.phi * o.B(frames);
}
inline Vector<BodyMotion> accelerations(const Operators& o, const Vector<HingeMotion>& v_dot)
{
    return adj(o.phi) * (adj(o.H) * v_dot + o.a);
}
inline Vector<FrameMotion> frame_accelerations(const Operators& o, const std::vector<std::string>& frames,
                                               const Vector<HingeMotion>& v_dot)
{
    return adj(o.B(frames)) * accelerations(o, v_dot);
}

} // namespace sweepdyn::algebra::formulas
