// Inverse dynamics, and its parts.
//
//     f = phi (M phi* (H* v_dot + a + a_g) + b)        forces on the bodies by their parents      [001, 003]
//     T = H f + Ja v_dot
//     C = H phi (M phi* (a + a_g) + b)                 T at v_dot = 0
//       = H phi (M phi* (a + a_g) + M_dot V)           inertially referenced, V = phi* H* v       [000 (2.8), 001]
//     T_g = H phi M phi* a_g                           T at rest
#pragma once

#include "sweepdyn/operators/op.hpp"

namespace sweepdyn::algebra::formulas {

inline Vector<BodyForce> body_forces(const Operators& o, const Vector<HingeMotion>& v_dot)
{
    return o.phi * (o.M * adj(o.phi) * (adj(o.H) * v_dot + o.a + o.gravity) + o.b);
}
inline Vector<HingeForce> inverse_dynamics(const Operators& o, const Vector<HingeMotion>& v_dot)
{
    return o.H * body_forces(o, v_dot) + o.J_a * v_dot;
}
inline Vector<HingeForce> bias(const Operators& o)
{
    return o.H * o.phi * (o.M * adj(o.phi) * (o.a + o.gravity) + o.b);
}
inline Vector<HingeForce> bias_inertially_referenced(const Operators& o)
{
    const auto V = adj(o.phi) * adj(o.H) * o.v;
    return o.H * o.phi * (o.M * adj(o.phi) * (o.a + o.gravity) + o.M_dot * V);
}
inline Vector<HingeForce> gravity_forces(const Operators& o)
{
    return o.H * o.phi * o.M * adj(o.phi) * o.gravity;
}

} // namespace sweepdyn::algebra::formulas
