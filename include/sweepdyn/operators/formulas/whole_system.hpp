// Momentum of the whole system, and the innovations coordinates that make the kinetic energy a sum of squares.
//
//     h = E phi M phi* H* v = E phi R H* v                   about the world origin             [001]
//     V_C = R_0^-1 h,  R_0 = E R E*                          of the whole, as if it were rigid  [001]
//     B_cm* V_C                                              about the centre of mass: its linear part is the CM's velocity
//     B_cm^-1 h                                              centroidal momentum
//     nu = L_D* (I + H phi K)* v,   eps = L_D^-1 (I - H psi K) T,   2 E_kin = nu* W nu            [004 section 6]
//     nu~ = (I + H phi K)* v,   eps = (I - H psi K) T,   2 E_kin = nu~* D nu~                  [004 section 6]
#pragma once

#include "sweepdyn/operators/op.hpp"

namespace sweepdyn::algebra::formulas {

inline Op<WorldForce, HingeMotion> momentum(const Operators& o) { return o.E * o.phi * o.R * adj(o.H); }
inline Op<WorldForce, HingeMotion> momentum_by_bodies(const Operators& o)
{
    return o.E * o.phi * o.M * adj(o.phi) * adj(o.H);
}
inline Op<WorldMotion, HingeMotion> velocity_of_the_whole(const Operators& o)
{
    return inverse(o.E * o.R * adj(o.E)) * momentum(o);
}
inline Op<WorldMotion, HingeMotion> cm_velocity(const Operators& o)
{
    return adj(o.B_cm) * velocity_of_the_whole(o);
}
inline Op<WorldForce, HingeMotion> centroidal_momentum(const Operators& o)
{
    return inverse(o.B_cm) * momentum(o);
}
inline Op<HingeMotion, HingeMotion> diagonal_velocity(const Operators& o)
{
    return adj(o.L_D) * adj(I + o.H * o.phi * o.K);
}
inline Op<HingeForce, HingeForce> diagonal_force(const Operators& o)
{
    return inverse(o.L_D) * (I - o.H * o.psi * o.K);
}
inline Op<HingeMotion, HingeMotion> innovations_velocity(const Operators& o)
{
    return adj(I + o.H * o.phi * o.K);
}
inline Op<HingeForce, HingeForce> innovations_force(const Operators& o) { return I - o.H * o.psi * o.K; }

} // namespace sweepdyn::algebra::formulas
