// Forward dynamics four ways; T are the hinge forces. L = I - H psi K.
//
//     FD1   v_dot = L* D^-1 L (T - C),  C by inverse dynamics                                   [003 (4.17)-(4.22)]
//     FD2   the same, and the accelerations of the bodies alpha = psi* H* nu + zeta,
//           nu = D^-1 L (T - C),  zeta = phi* (a + a_g)                                         [003]
//     FD3   v_dot = L* D^-1 (T - H psi (K T + M zeta + b)),  zeta = phi* (a + a_g)              [003]
//     FD4   v_dot = nu - K* lambda - G* (a + a_g),  lambda = psi* (H* nu + tau_bar* (a + a_g)),
//           nu = D^-1 (T - H psi (b + E_psi P (a + a_g) + K T))                                 [003 (5.16)-(5.17)]
#pragma once

#include "sweepdyn/operators/formulas/inverse_dynamics.hpp"
#include "sweepdyn/operators/formulas/mass_matrix.hpp"

namespace sweepdyn::algebra::formulas {

inline Vector<HingeMotion> FD1(const Operators& o, const Vector<HingeForce>& T)
{
    return inverse_mass_matrix(o) * (T - bias(o));
}
inline Vector<BodyMotion> FD2_accelerations(const Operators& o, const Vector<HingeForce>& T)
{
    const auto nu = inverse(o.D) * (I - o.H * o.psi * o.K) * (T - bias(o));
    return adj(o.psi) * adj(o.H) * nu + adj(o.phi) * (o.a + o.gravity);
}
// Accelerations of frames, from those of the bodies.
inline Vector<FrameMotion> FD2_frame_accelerations(const Operators& o, const std::vector<std::string>& frames,
                                                   const Vector<HingeForce>& T)
{
    return adj(o.B(frames)) * FD2_accelerations(o, T);
}
inline Vector<HingeMotion> FD3(const Operators& o, const Vector<HingeForce>& T)
{
    const auto L = I - o.H * o.psi * o.K;
    const auto zeta = adj(o.phi) * (o.a + o.gravity);
    return adj(L) * inverse(o.D) * (T - o.H * o.psi * (o.K * T + o.M * zeta + o.b));
}
inline Vector<HingeMotion> FD4(const Operators& o, const Vector<HingeForce>& T)
{
    const auto A = o.a + o.gravity;
    const auto nu = inverse(o.D) * (T - o.H * o.psi * (o.b + o.E_psi * o.P * A + o.K * T));
    const auto lambda = adj(o.psi) * (adj(o.H) * nu + adj(o.tau_bar) * A);
    return nu - adj(o.K) * lambda - adj(o.G) * A;
}

} // namespace sweepdyn::algebra::formulas
