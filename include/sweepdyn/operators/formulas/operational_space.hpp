// Operational space of any set of frames, with all their cross terms.
//
//     Omega = J M^-1 J* = B* psi* H* D^-1 H psi B                                               [003 (6.8), 004]
//     J M^-1 = B* psi* H* D^-1 (I - H psi K)
//     tip-force correction: v_dot changes by M^-1 J* f = (I - H psi K)* D^-1 H psi B f          [004 (5.3), 003 (6.3)]
#pragma once

#include "sweepdyn/operators/op.hpp"

namespace sweepdyn::algebra::formulas {

inline Op<FrameMotion, FrameForce> operational_compliance(const Operators& o,
                                                          const std::vector<std::string>& frames)
{
    const auto B = o.B(frames);
    return adj(B) * adj(o.psi) * adj(o.H) * inverse(o.D) * o.H * o.psi * B;
}
inline Op<FrameMotion, HingeForce> frame_acceleration_of_hinge_forces(const Operators& o,
                                                                      const std::vector<std::string>& frames)
{
    return adj(o.B(frames)) * adj(o.psi) * adj(o.H) * inverse(o.D) * (I - o.H * o.psi * o.K);
}
inline Op<HingeMotion, FrameForce> tip_force_correction(const Operators& o,
                                                        const std::vector<std::string>& frames)
{
    return adj(I - o.H * o.psi * o.K) * inverse(o.D) * o.H * o.psi * o.B(frames);
}

} // namespace sweepdyn::algebra::formulas
