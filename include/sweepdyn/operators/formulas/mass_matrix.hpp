// The mass matrix and its inverse, by the two factorizations.
//
//     Newton-Euler     M = H phi M phi* H* + Ja                                                 [003]
//     composite        M = H (R + phi~ R + R phi~*) H* + Ja                                     [001]
//     innovations      M = (I + H phi K) D (I + H phi K)*                                       [003 theorem 4.1]
//     inverse          M^-1 = (I - H psi K)* D^-1 (I - H psi K)
#pragma once

#include "sweepdyn/operators/op.hpp"

namespace sweepdyn::algebra::formulas {

inline Op<HingeForce, HingeMotion> mass_matrix(const Operators& o)
{
    return o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;
}
inline Op<HingeForce, HingeMotion> mass_matrix_by_composites(const Operators& o)
{
    return o.H * (o.R + o.phi_tilde * o.R + o.R * adj(o.phi_tilde)) * adj(o.H) + o.J_a;
}
inline Op<HingeForce, HingeMotion> mass_matrix_by_innovations(const Operators& o)
{
    const auto L = I + o.H * o.phi * o.K;
    return L * o.D * adj(L);
}
inline Op<HingeMotion, HingeForce> inverse_mass_matrix(const Operators& o)
{
    const auto L = I - o.H * o.psi * o.K;
    return adj(L) * inverse(o.D) * L;
}

} // namespace sweepdyn::algebra::formulas
