// The change of the accelerations under a perturbation: dv_dot = M^-1 (dT - A_D dv - B_D dq), in O(bodies + dofs).
//
// by_articulation (the default; our variant of 000 Algorithm 5): the sweeps of forward dynamics on perturbed bodies.
//     base to tip:  th, dX, be as in perturb_inverse_dynamics at dv_dot = 0
//     tip to base:  z = M be + 2 Mbar th - We dX + sum over children phi (z + G eps + Fh dq),   eps = dT - N dq - H z
//     base to tip:  dv_dot = D^-1 eps - G* lambda(p),   lambda = phi' lambda(p) + H* dv_dot
//
// by_columns (000 Algorithm 5): with YA, YB, Ghat of articulated_derivatives, worth it for many perturbations of one state.
//     tip to base:  z = YA dv + YB dq + sum over children phi (z + G eps),   eps = dT - N dq - H z
//     base to tip:  dv_dot = D^-1 eps - 2 Ghat' th(p) + Gw' dX(p) - G* be(p),   be, th, dX as above
//
// No allocation. Before: articulate, column_derivatives (and articulated_derivatives). Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/linear/articulated_derivatives.hpp"
#include "sweepdyn/linear/perturb_inverse_dynamics.hpp"

namespace sweepdyn {

namespace detail {
template <class S>
void start_perturbation(const char* function, const Kinematics<S>& kin, const ColumnDerivatives<S>& d,
                        std::span<const S> dq, std::span<const S> dv, std::span<const S> dT,
                        std::span<S> dv_dot)
{
    require_derivatives(function, kin, d);
    for (auto size : {dq.size(), dv.size(), dv_dot.size(), dT.size()})
        require_size(function, "dq, dv, dT, dv_dot", size, kin.v.size());
    std::copy(dT.begin(), dT.end(), dv_dot.begin());
    for (const auto& [i, j, N] : d.mends)
        dv_dot[i] -= N * dq[j];
}
} // namespace detail

template <class S>
void perturb_forward_dynamics_by_articulation(const Kinematics<S>& kin, const Articulation<S>& art,
                                              const ColumnDerivatives<S>& d, std::span<const S> dq,
                                              std::span<const S> dv, std::span<const S> dT,
                                              std::span<S> dv_dot, Perturbations<S>& work)
{
    detail::start_perturbation<S>("perturb_forward_dynamics_by_articulation", kin, d, dq, dv, dT, dv_dot);
    const Tree& tree = kin.tree();
    work[ground] = {};
    for (Index k : tree.base_to_tip()) {
        Perturbation<S>& here = work[k];
        detail::perturb_motion(kin, d, k, dq, dv, work[kin.body[k].parent], here);
        here.eta = kin.M[k] * here.be + detail::perturbed_force(d, k, here);
    }
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = work[k].eta;
        for (Index j : b.dofs_reversed()) {
            const S eps = dv_dot[j] - dot(kin.H[j], z);
            dv_dot[j] = art.D_inverse[j] * eps;
            z += eps * art.G[j] + dq[j] * d.Fh[j];
        }
        if (b.parent != ground)
            work[b.parent].eta += b.shifts ? Phi<S>{b.l} * z : z;
    }
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = work[b.parent].be;
        if (b.shifts && b.parent != ground)
            lambda = PhiAdjoint<S>{b.l} * lambda;
        for (Index j : b.dofs()) {
            dv_dot[j] -= dot(lambda, art.G[j]);
            lambda += dv_dot[j] * kin.H[j];
        }
        work[k].be = lambda;
    }
}

template <class S>
void perturb_forward_dynamics_by_columns(const Kinematics<S>& kin, const Articulation<S>& art,
                                         const ColumnDerivatives<S>& d, const ArticulatedDerivatives<S>& y,
                                         std::span<const S> dq, std::span<const S> dv, std::span<const S> dT,
                                         std::span<S> dv_dot, Perturbations<S>& work)
{
    detail::require_fresh(y.position_version == kin.position_version, "perturb_forward_dynamics_by_columns",
                          "articulated_derivatives");
    detail::start_perturbation<S>("perturb_forward_dynamics_by_columns", kin, d, dq, dv, dT, dv_dot);
    const Tree& tree = kin.tree();
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z{};
        for (Index j : b.dofs_reversed()) {
            const Force<S> own = dv[j] * y.YA[j] + dq[j] * y.YB[j];
            const bool outermost = j + 1 == b.end_dof;
            z = !outermost ? z + own : tree.is_leaf[k] ? own : work[k].eta + own;
            const S eps = dv_dot[j] - dot(kin.H[j], z);
            dv_dot[j] = art.D_inverse[j] * eps;
            if (j > b.first_dof || b.parent != ground) // the ground asks for none
                z += eps * art.G[j];
        }
        if (b.parent == ground)
            continue;
        if (b.first_dof == b.end_dof)
            z = tree.is_leaf[k] ? Force<S>{} : work[k].eta;
        if (b.shifts)
            z = Phi<S>{b.l} * z;
        if (tree.is_last_child[k])
            work[b.parent].eta = z; // the first to arrive
        else
            work[b.parent].eta += z;
    }
    for (Index k : tree.base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> be{};
        Vec3<S> th{}, dX{};
        bool still = b.parent == ground;
        if (!still) {
            be = work[b.parent].be, th = work[b.parent].th, dX = work[b.parent].dX;
            if (b.shifts)
                be = PhiAdjoint<S>{b.l} * be;
        }
        for (Index j : b.dofs()) {
            if (!still) {
                dv_dot[j] -= S(2) * dot(y.G_hat[j], th) + dot(be, art.G[j]);
                if (!d.We.empty())
                    dv_dot[j] += dot(y.G_w[j], dX);
            }
            const Motion<S> d_be = dv_dot[j] * kin.H[j] + dv[j] * d.Hs[j] + dq[j] * d.Hdd[j];
            const Vec3<S> d_th = dv[j] * kin.H[j].w + dq[j] * d.Hd[j].w;
            be = still ? d_be : be + d_be;
            th = still ? d_th : th + d_th;
            if (!d.We.empty())
                dX += dq[j] * kin.H[j].w;
            still = false;
        }
        work[k].be = be, work[k].th = th, work[k].dX = dX;
    }
}

extern template void perturb_forward_dynamics_by_articulation(
    const Kinematics<double>&, const Articulation<double>&, const ColumnDerivatives<double>&,
    std::span<const double>, std::span<const double>, std::span<const double>, std::span<double>,
    Perturbations<double>&);
extern template void perturb_forward_dynamics_by_articulation(const Kinematics<float>&,
                                                              const Articulation<float>&,
                                                              const ColumnDerivatives<float>&,
                                                              std::span<const float>, std::span<const float>,
                                                              std::span<const float>, std::span<float>,
                                                              Perturbations<float>&);
extern template void perturb_forward_dynamics_by_columns(
    const Kinematics<double>&, const Articulation<double>&, const ColumnDerivatives<double>&,
    const ArticulatedDerivatives<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<double>, Perturbations<double>&);
extern template void perturb_forward_dynamics_by_columns(const Kinematics<float>&, const Articulation<float>&,
                                                         const ColumnDerivatives<float>&,
                                                         const ArticulatedDerivatives<float>&,
                                                         std::span<const float>, std::span<const float>,
                                                         std::span<const float>, std::span<float>,
                                                         Perturbations<float>&);

} // namespace sweepdyn
