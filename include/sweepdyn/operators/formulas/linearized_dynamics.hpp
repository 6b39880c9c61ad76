// Linearized dynamics: dT = M dv_dot + A_D dv + B_D dq and dv_dot = M^-1 dT - A_C dv - B_C dq, as products.
//
//     A_D = H phi (M phi* Hs + 2 Mbar phi* H*)                                                             [000 lemma 3.1]
//     B_D = H phi (M phi* Hdd + 2 Mbar phi* Hd - We phi* H*) + H phi~ Fh + N                               [000 lemma 3.1]
// by composite bodies, phi M phi* = phi R + R phi~* and phi Mbar phi* = phi Rbar + Rbar phi~*:
//     A_D = H phi (R Hs + 2 Rbar H*) + H (R phi~* Hs + 2 Rbar phi~* H*)                                    [000 lemma 3.2]
//
// Articulated, with L = I - H psi K: from  L H phi = H psi  and  M^-1 H phi M phi* = L* D^-1 H psi P + K* psi*,
//     A_C = L* D^-1 H psi (P Hs + 2 Mbar phi* H*) + K* psi* Hs                                             [000 lemma 4.6]
//     B_C = L* D^-1 H psi (P Hdd + 2 Mbar phi* Hd - We phi* H*) + K* psi* Hdd + M^-1 (H phi~ Fh + N)
// and from  psi Mbar phi* = Phat + psi~ Phat + Phat phi~*,  the same for We and Pw,
//     A_C = L* (D^-1 H psi YA + G* phi~* Hs + 2 Ghat* phi~* H*)                                            [000 lemma 4.7]
//     B_C = L* (D^-1 (H psi YB - L (H Fh - N)) + G* phi~* Hdd + 2 Ghat* phi~* Hd - Gw* phi~* H*)
//         YA = P Hs + 2 Phat H*,   YB = P Hdd + 2 Phat Hd + Fh - Pw H*,   Ghat* = D^-1 H Phat,   Gw* = D^-1 H Pw
// Taken apart, entry by entry: from  L* G* phi~* = K* psi*,  psi* H* Ghat* phi~* = J phi* - psi* J,  Omega = psi* H* D^-1 H psi,
//     A_C = D^-1 H psi YA - K* Omega YA + K* psi* (Hs + 2 J H*) + 2 (Ghat* phi~* - K* J phi*) H*           [000 lemma 4.9]
//     B_C = D^-1 H psi YB - K* Omega YB + K* psi* (Hdd + 2 J Hd - Jw H*) + 2 (Ghat* phi~* - K* J phi*) Hd
//           - (Gw* phi~* - K* Jw phi*) H* - M^-1 (H Fh - N)
// and on a chain Omega = Upsilon + psi~* Upsilon + Upsilon psi~, so that EA = Hs + 2 J H* - Upsilon YA is one column per hinge.
//
// The columns of linear/column_derivatives.hpp and what is made of them are blocks given at run time; linear/given_blocks.hpp
// gives them. N is theirs of one hinge: 000 has hinges of one dof, where it and H Fh are zero. Specified by
// tests/laws/linearized_expressions.cpp.
#pragma once

#include "sweepdyn/operators/formulas/mass_matrix.hpp"

namespace sweepdyn::algebra::formulas {

struct Perturbed {
    using Columns = Op<BodyMotion, HingeMotion>;
    using Inertias = Op<BodyForce, BodyMotion>;
    using Motions = Op<BodyMotion, BodyMotion>;

    explicit Perturbed(const Operators& of)
        : o(of),
          Hd(of.blocks<BodyMotion, HingeMotion>("Hd")),
          Hs(of.blocks<BodyMotion, HingeMotion>("Hs")),
          Hdd(of.blocks<BodyMotion, HingeMotion>("Hdd")),
          Fh(of.blocks<BodyForce, HingeMotion>("Fh")),
          N(of.blocks<HingeForce, HingeMotion>("N")),
          M_bar(of.blocks<BodyForce, BodyMotion>("M_bar")),
          We(of.blocks<BodyForce, BodyMotion>("We")),
          R_bar(of.blocks<BodyForce, BodyMotion>("R_bar")),
          P_hat(of.blocks<BodyForce, BodyMotion>("P_hat")),
          Pw(of.blocks<BodyForce, BodyMotion>("Pw")),
          J(of.blocks<BodyMotion, BodyMotion>("J")),
          Jw(of.blocks<BodyMotion, BodyMotion>("Jw"))
    {
    }
    Operators o;
    Columns Hd, Hs, Hdd;
    Op<BodyForce, HingeMotion> Fh;
    Op<HingeForce, HingeMotion> N;
    Inertias M_bar, We, R_bar, P_hat, Pw;
    Motions J, Jw;

    Op<HingeForce, HingeForce> L = I - o.H * o.psi * o.K;
    Op<BodyForce, HingeMotion> YA = o.P * Hs + 2.0 * (P_hat * adj(o.H)),
                               YB = o.P * Hdd + 2.0 * (P_hat * Hd) + Fh - Pw * adj(o.H);
    Op<HingeMotion, BodyMotion> G_hat_adj = inverse(o.D) * o.H * P_hat, G_w_adj = inverse(o.D) * o.H * Pw;
};

inline Op<HingeForce, HingeMotion> A_D(const Perturbed& x)
{
    const Operators& o = x.o;
    return o.H * o.phi * (o.M * adj(o.phi) * x.Hs + 2.0 * (x.M_bar * adj(o.phi) * adj(o.H)));
}
inline Op<HingeForce, HingeMotion> B_D(const Perturbed& x)
{
    const Operators& o = x.o;
    return o.H * o.phi *
               (o.M * adj(o.phi) * x.Hdd + 2.0 * (x.M_bar * adj(o.phi) * x.Hd) -
                x.We * adj(o.phi) * adj(o.H)) +
           o.H * o.phi_tilde * x.Fh + x.N;
}

inline Op<HingeForce, HingeMotion> A_D_by_composite_bodies(const Perturbed& x)
{
    const Operators& o = x.o;
    return o.H * o.phi * (o.R * x.Hs + 2.0 * (x.R_bar * adj(o.H))) +
           o.H * (o.R * adj(o.phi_tilde) * x.Hs + 2.0 * (x.R_bar * adj(o.phi_tilde) * adj(o.H)));
}

inline Op<HingeMotion, HingeMotion> A_C_by_P(const Perturbed& x)
{
    const Operators& o = x.o;
    return adj(x.L) * inverse(o.D) * o.H * o.psi * (o.P * x.Hs + 2.0 * (x.M_bar * adj(o.phi) * adj(o.H))) +
           adj(o.K) * adj(o.psi) * x.Hs;
}
inline Op<HingeMotion, HingeMotion> B_C_by_P(const Perturbed& x)
{
    const Operators& o = x.o;
    return adj(x.L) * inverse(o.D) * o.H * o.psi *
               (o.P * x.Hdd + 2.0 * (x.M_bar * adj(o.phi) * x.Hd) - x.We * adj(o.phi) * adj(o.H)) +
           adj(o.K) * adj(o.psi) * x.Hdd + inverse_mass_matrix(o) * (o.H * o.phi_tilde * x.Fh + x.N);
}
inline Op<HingeMotion, HingeMotion> A_C_articulated(const Perturbed& x)
{
    const Operators& o = x.o;
    return adj(x.L) * (inverse(o.D) * o.H * o.psi * x.YA + adj(o.G) * adj(o.phi_tilde) * x.Hs +
                       2.0 * (x.G_hat_adj * adj(o.phi_tilde) * adj(o.H)));
}
inline Op<HingeMotion, HingeMotion> B_C_articulated(const Perturbed& x)
{
    const Operators& o = x.o;
    return adj(x.L) * (inverse(o.D) * (o.H * o.psi * x.YB - x.L * (o.H * x.Fh - x.N)) +
                       adj(o.G) * adj(o.phi_tilde) * x.Hdd + 2.0 * (x.G_hat_adj * adj(o.phi_tilde) * x.Hd) -
                       x.G_w_adj * adj(o.phi_tilde) * adj(o.H));
}

// K* Omega, of any tree; and with Omega taken apart, of a chain.
inline Op<HingeMotion, BodyForce> K_Omega(const Operators& o)
{
    return adj(o.K) * adj(o.psi) * adj(o.H) * inverse(o.D) * o.H * o.psi;
}
inline Op<HingeMotion, BodyForce> K_Omega_of_chain(const Operators& o)
{
    return adj(o.K) * (o.Upsilon + adj(o.psi_tilde) * o.Upsilon + o.Upsilon * o.psi_tilde);
}

inline Op<HingeMotion, HingeMotion> A_C_apart(const Perturbed& x, const Op<HingeMotion, BodyForce>& K_Omega)
{
    const Operators& o = x.o;
    return (inverse(o.D) * o.H * o.psi - K_Omega) * x.YA +
           adj(o.K) * adj(o.psi) * (x.Hs + 2.0 * (x.J * adj(o.H))) +
           2.0 * ((x.G_hat_adj * adj(o.phi_tilde) - adj(o.K) * x.J * adj(o.phi)) * adj(o.H));
}
inline Op<HingeMotion, HingeMotion> B_C_apart(const Perturbed& x, const Op<HingeMotion, BodyForce>& K_Omega)
{
    const Operators& o = x.o;
    return (inverse(o.D) * o.H * o.psi - K_Omega) * x.YB +
           adj(o.K) * adj(o.psi) * (x.Hdd + 2.0 * (x.J * x.Hd) - x.Jw * adj(o.H)) +
           2.0 * ((x.G_hat_adj * adj(o.phi_tilde) - adj(o.K) * x.J * adj(o.phi)) * x.Hd) -
           (x.G_w_adj * adj(o.phi_tilde) - adj(o.K) * x.Jw * adj(o.phi)) * adj(o.H) -
           inverse_mass_matrix(o) * (o.H * x.Fh - x.N);
}

} // namespace sweepdyn::algebra::formulas
