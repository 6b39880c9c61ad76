// How the momentum of one tree changes near a state, and how the loads that act on it do: world axes, [angular; linear], the angular
// part about the tree's own centre of mass c.
//
//     about the origin    dh = sum phi(0,k) { R(k) (H* dv + Hd dq) + S[H*] h(k) dq },      h(k): of body k and all that hangs on it
//     about c             dn = dh.n - c x dp - dc x p,   dp = dh.f,   m dc = sum (R(k) H* dq).f
//     of a load           dn = d(moment) + (dr - dc) x force + (r - c) x d(force)          r: where it acts
//
// R: composite inertias; H*, Hd of column_derivatives. About c the momentum does not ask where the tree is, and uniform gravity, which
// changes p by the same amount whatever the tree does, changes no deviation of it.
// O(bodies + dofs + loads times depth). Specified by tests/unit/control_momenta.cpp.
#pragma once

#include "sweepdyn/linear/linearization.hpp"

namespace sweepdyn {

// 6 x dofs each; columns of dofs of other trees are zero.
struct MomentumDerivatives {
    Matrix on_q, on_v;
    Matrix loads_on_q; // of the wrench of all loads on the tree
};
// `root`: the body of the tree that hangs on the ground. Before: lin.set with the same loads.
MomentumDerivatives differentiate_momentum(Linearization& lin, int root,
                                           std::span<const ExternalWrench> loads = {});

} // namespace sweepdyn
