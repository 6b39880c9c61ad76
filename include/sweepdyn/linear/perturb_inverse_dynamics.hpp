// The change of the hinge forces under a perturbation of motion: dT = M dv_dot + A_D dv + B_D dq, by two sweeps.
//                                                                                                     [000 Algorithm 1]
//     base to tip:  be = phi' be(p) + H* dv_dot + Hs dv + Hdd dq,   th = phi' th(p) + H* dv + Hd dq,   dX = phi' dX(p) + H* dq
//     tip to base:  eta = M be + 2 Mbar th - We dX + sum over children phi (eta + Fh dq),   dT = H eta + Ja dv_dot + N dq
// and, for gradients, the adjoint: from a weight mu on dT to the weights on dv_dot, dv, dq,
//     base to tip:  y = phi' y(p) + H* mu
//     tip to base:  the weights M y on be, 2 Mbar' y on th, -We' y on dX, gathered by phi and read off by the columns.
//
// O(bodies + dofs), no allocation. Before: column_derivatives. Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/linear/column_derivatives.hpp"

namespace sweepdyn {

template <class S>
struct Perturbation {
    Motion<S> be{};
    Vec3<S> th{}, dX{}; // their angular halves, all that Mbar and We ask for
    Force<S> eta{};
};
template <class S>
struct Perturbations : PerBody<Perturbation<S>> {
    explicit Perturbations(const Model& model) : PerBody<Perturbation<S>>(model.num_bodies(), {}) {}
};

namespace detail {
template <class S>
void require_derivatives(const char* function, const Kinematics<S>& kin, const ColumnDerivatives<S>& d)
{
    require_fresh(d.position_version == kin.position_version, function, "column_derivatives");
}
// th, dX, and be at dv_dot = 0 of this hinge, at body k. The ground, which stands still, needs no shift.
template <class S>
SWEEPDYN_INLINE void perturb_motion(const Kinematics<S>& kin, const ColumnDerivatives<S>& d, Index k,
                                    std::span<const S> dq, std::span<const S> dv,
                                    const Perturbation<S>& parent, Perturbation<S>& here)
{
    const BodyKinematics<S>& b = kin.body[k];
    Motion<S> be = parent.be;
    Vec3<S> th = parent.th;
    if (b.shifts && b.parent != ground)
        be = PhiAdjoint<S>{b.l} * be;
    for (Index j : b.dofs()) {
        be += dv[j] * d.Hs[j] + dq[j] * d.Hdd[j];
        th += dv[j] * kin.H[j].w + dq[j] * d.Hd[j].w;
    }
    here.be = be, here.th = th;
    if (!d.We.empty()) {
        here.dX = parent.dX;
        for (Index j : b.dofs())
            here.dX += dq[j] * kin.H[j].w;
    }
}
// 2 Mbar th - We dX
template <class S> SWEEPDYN_INLINE Force<S> perturbed_force(const ColumnDerivatives<S>& d, Index k,
                                                            const Perturbation<S>& here)
{
    const Force<S> f = d.M_bar[k] * (here.th + here.th);
    return d.We.empty() ? f : f - d.We[k] * here.dX;
}
} // namespace detail

template <class S>
void perturb_inverse_dynamics(const Kinematics<S>& kin, const ColumnDerivatives<S>& d, std::span<const S> dq,
                              std::span<const S> dv, std::span<const S> dv_dot, std::span<S> dT,
                              Perturbations<S>& work)
{
    detail::require_derivatives("perturb_inverse_dynamics", kin, d);
    for (auto size : {dq.size(), dv.size(), dv_dot.size(), dT.size()})
        require_size("perturb_inverse_dynamics", "dq, dv, dv_dot, dT", size, kin.v.size());
    work[ground] = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Perturbation<S>& here = work[k];
        detail::perturb_motion(kin, d, k, dq, dv, work[b.parent], here);
        for (Index j : b.dofs())
            here.be += dv_dot[j] * kin.H[j];
        here.eta = kin.M[k] * here.be + detail::perturbed_force(d, k, here);
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> eta = work[k].eta;
        for (Index j : b.dofs_reversed()) {
            dT[j] = dot(kin.H[j], eta) + kin.armature[j] * dv_dot[j];
            eta += dq[j] * d.Fh[j];
        }
        if (b.parent != ground)
            work[b.parent].eta += b.shifts ? Phi<S>{b.l} * eta : eta;
    }
    for (const auto& [i, j, N] : d.mends)
        dT[i] += N * dq[j];
}

// mu*(M dv_dot + A_D dv + B_D dq) = on_dv_dot* dv_dot + on_dv* dv + on_dq* dq.
template <class S>
void perturb_inverse_dynamics_adjoint(const Kinematics<S>& kin, const ColumnDerivatives<S>& d,
                                      std::span<const S> mu, std::span<S> on_dq, std::span<S> on_dv,
                                      std::span<S> on_dv_dot, Perturbations<S>& work)
{
    detail::require_derivatives("perturb_inverse_dynamics_adjoint", kin, d);
    for (auto size : {mu.size(), on_dq.size(), on_dv.size(), on_dv_dot.size()})
        require_size("perturb_inverse_dynamics_adjoint", "mu, on_dq, on_dv, on_dv_dot", size, kin.v.size());
    work[ground] = {};
    // Here be is y; the weights: eta on be, th and dX (moments) on th and dX.
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> y = b.shifts ? PhiAdjoint<S>{b.l} * work[b.parent].be : work[b.parent].be;
        for (Index j : b.dofs()) {
            on_dq[j] = dot(y, d.Fh[j]); // strictly inward of column j
            y += mu[j] * kin.H[j];
        }
        Perturbation<S>& here = work[k];
        here.be = y;
        here.eta = kin.M[k] * y;
        here.th = S(2) * d.M_bar[k].transpose_moment(y);
        here.dX = d.We.empty() ? Vec3<S>{} : -d.We[k].transpose_moment(y);
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Perturbation<S>& here = work[k];
        for (Index j : b.dofs()) {
            on_dv_dot[j] = dot(kin.H[j], here.eta) + kin.armature[j] * mu[j];
            on_dv[j] = dot(d.Hs[j], here.eta) + dot(kin.H[j].w, here.th);
            on_dq[j] += dot(d.Hdd[j], here.eta) + dot(d.Hd[j].w, here.th) + dot(kin.H[j].w, here.dX);
        }
        Perturbation<S>& parent = work[b.parent];
        parent.eta += b.shifts ? Phi<S>{b.l} * here.eta : here.eta;
        parent.th += here.th;
        parent.dX += here.dX;
    }
    for (const auto& [i, j, N] : d.mends)
        on_dq[j] += N * mu[i];
}

extern template void perturb_inverse_dynamics(const Kinematics<double>&, const ColumnDerivatives<double>&,
                                              std::span<const double>, std::span<const double>,
                                              std::span<const double>, std::span<double>,
                                              Perturbations<double>&);
extern template void perturb_inverse_dynamics(const Kinematics<float>&, const ColumnDerivatives<float>&,
                                              std::span<const float>, std::span<const float>,
                                              std::span<const float>, std::span<float>,
                                              Perturbations<float>&);
extern template void perturb_inverse_dynamics_adjoint(const Kinematics<double>&,
                                                      const ColumnDerivatives<double>&,
                                                      std::span<const double>, std::span<double>,
                                                      std::span<double>, std::span<double>,
                                                      Perturbations<double>&);
extern template void perturb_inverse_dynamics_adjoint(const Kinematics<float>&,
                                                      const ColumnDerivatives<float>&, std::span<const float>,
                                                      std::span<float>, std::span<float>, std::span<float>,
                                                      Perturbations<float>&);

} // namespace sweepdyn
