// Three ways to split the force f on each body by its parent, alpha its acceleration (with a_g at the ground):
//
//     f = M alpha + b + E_phi f  rigid:        the rest depends on the children's forces
//     f = R alpha + y            composite:    y = phi (b + E_phi R (H* v_dot + a)) depends on v_dot outboard
//     f = P alpha + z            articulated:  z = psi (b + E_psi P a + K T) depends on T outboard, not on v_dot
// [001, 003, 004]
#pragma once

#include "sweepdyn/operators/formulas/inverse_dynamics.hpp"

namespace sweepdyn::algebra::formulas {

inline Vector<BodyForce> composite_residual(const Operators& o, const Vector<HingeMotion>& v_dot)
{
    return o.phi * (o.b + o.E_phi * o.R * (adj(o.H) * v_dot + o.a));
}
inline Vector<BodyForce> articulated_residual(const Operators& o, const Vector<HingeForce>& T)
{
    return o.psi * (o.b + o.E_psi * o.P * o.a + o.K * T);
}

} // namespace sweepdyn::algebra::formulas
