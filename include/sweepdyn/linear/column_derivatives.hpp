// What the hinge columns do under a perturbation: the terms that every linearization is made of.
//
// Perturb q by dq (displacements of the hinges, dX_rel = H* dq), v by dv, v_dot by dv_dot. Seen from the bodies themselves,
//     dX(k) = dX(p) + H* dq                                                the displacement
//     th(k) = th(p) + H* dv + Hd dq                                        the velocity
//     be(k) = be(p) + H* dv_dot + Hs dv + Hdd dq                           the acceleration, plus V x th
//     eta(k) = M be + 2 Mbar th - We dX + sum over children (eta + Fh dq)  the force
//     dT(k) = H eta + N dq                                                                   [000 section 3, generalised]
// with the motion V, A before the step that the columns belong to and V+ after it,
//     Hd = crm(V) H*,   Hs = crm(V + V+) H*,   Hdd = crm(A) H* + crm(V) Hd,   Fh = S[H*] f,
// f the force through the hinge, Mbar of spatial/inertia_rate.hpp, We the turning of loads that do not turn with the body. A hinge of one
// column has Hs = 2 Hd: exactly the formulas of 000.
//
// Every dof is treated as a hinge of its own, one after the other; N mends what that gets wrong among columns that move
// together: N(i,j) = -H(i) Fh(j) for i before j in one ball, plane or free step. Columns of a user's functions also change with q:
//     Hd(i) += dH/dq(i) v,   Hs(i) += dH/dq(i) v + H_dot(i),   Hdd(i) += dH/dq(i) v_dot + crm(V + V+) dH/dq(i) v + d(H_dot v)/dq(i),
//     N(i,j) += f dH(i)/dq(j).
//
// Two sweeps, O(bodies + dofs), no allocation after construction. Before: update(kin, q, v), update_inertias.
// Specified by tests/laws/linearized_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/inertia_rate.hpp"

namespace sweepdyn {

template <class S>
struct ColumnDerivatives {
    explicit ColumnDerivatives(const Model& model);

    std::vector<Motion<S>> Hd, Hs, Hdd; // per dof, world axes, about the body's reference point
    std::vector<Force<S>> Fh; // per dof
    std::vector<BiasInertia<S>> M_bar; // per body
    std::vector<BiasInertia<S>> We; // per body; empty without loads that keep their axes
    BodyForces<S> motion; // A: pseudo-accelerations; f: forces through the hinges
    struct Mend {
        int i, j; // dofs
        S N;
    };
    std::vector<Mend> mends;
    std::uint64_t position_version = 0;
};

template <class S>
ColumnDerivatives<S>::ColumnDerivatives(const Model& model) : motion(model)
{
    const auto bodies = static_cast<std::size_t>(model.num_bodies()),
               dofs = static_cast<std::size_t>(model.num_dofs());
    const Vec3<S> nan = detail::poison3<S>();
    for (auto* columns : {&Hd, &Hs, &Hdd})
        columns->assign(dofs, {nan, nan});
    Fh.assign(dofs, {nan, nan});
    M_bar.assign(bodies, {{nan, nan, nan}, nan});
    for (const Step<double>& step : compile_hinges<double>(model).steps)
        for (int j = 0; j < step.num_dofs; ++j)
            for (int i = 0; i < step.num_dofs; ++i)
                if (step.kind == StepKind::user || (step.kind != StepKind::cylinder && i < j))
                    mends.push_back({step.first_dof + i, step.first_dof + j, detail::poison<S>()});
}

namespace detail {

// A user's columns: what dH/dq adds. V is the motion before the step plus that after it.
template <class S>
void add_user_derivatives(const Kinematics<S>& kin, Index k, const Step<S>& step, const Motion<S>& V,
                          std::span<const S> v_dot, ColumnDerivatives<S>& out)
{
    const BodyKinematics<S>& b = kin.body[k];
    const auto n = static_cast<std::size_t>(step.num_dofs);
    const auto here = [&](const Motion<S>& X) { // from the axes and origin of the child
        return PhiAdjoint<S>{kin.r(k) - b.X_WI.p} * rotate(b.X_WI.R, X);
    };
    Dual<double> q[6], v[6];
    for (std::size_t j = 0; j < n; ++j) {
        q[j] = value(kin.q[static_cast<std::size_t>(step.first_coordinate) + j]);
        v[j] = value(kin.v[static_cast<std::size_t>(step.first_dof) + j]);
    }
    Motion<S> dH[6];
    for (std::size_t j = 0; j < n; ++j) {
        const auto dof = static_cast<std::size_t>(step.first_dof) + j;
        step.user->template functions<S>().columns_derivative({kin.q.data() + step.first_coordinate, n},
                                                              static_cast<int>(j), {dH, n});
        Motion<S> dHv{}, dHa{};
        for (std::size_t i = 0; i < n; ++i) {
            dH[i] = here(dH[i]);
            const auto other = static_cast<std::size_t>(step.first_dof) + i;
            dHv += kin.v[other] * dH[i];
            dHa += v_dot[other] * dH[i];
            out.Hs[other] += kin.v[dof] * dH[i]; // H_dot
        }
        q[j].tangent = 1.0; // d(H_dot v)/dq(j)
        const Motion<Dual<double>> rate =
            step.user->template functions<Dual<double>>().columns_rate({q, n}, {v, n});
        q[j].tangent = 0.0;
        const auto tangent = [](const Vec3<Dual<double>>& x) {
            return Vec3<S>{S(x.x.tangent), S(x.y.tangent), S(x.z.tangent)};
        };
        out.Hd[dof] += dHv;
        out.Hs[dof] += dHv;
        out.Hdd[dof] += dHa + crm(V) * dHv + here({tangent(rate.w), tangent(rate.v)});
    }
}

// + f dH(i)/dq(j)
template <class S>
S user_mend(const Kinematics<S>& kin, Index k, const Step<S>& step, int i, int j, const Force<S>& f)
{
    const BodyKinematics<S>& b = kin.body[k];
    const auto n = static_cast<std::size_t>(step.num_dofs);
    Motion<S> dH[6];
    step.user->template functions<S>().columns_derivative({kin.q.data() + step.first_coordinate, n}, j,
                                                          {dH, n});
    return dot(PhiAdjoint<S>{kin.r(k) - b.X_WI.p} * rotate(b.X_WI.R, dH[i]), f);
}

// Body k of the outward sweep, for any hinge: the columns, and A after the hinge.
template <class S>
[[gnu::noinline]] void differentiate_any(const Kinematics<S>& kin, Index k, std::span<const S> v_dot,
                                         Motion<S> V, Motion<S>& A, ColumnDerivatives<S>& out)
{
    const BodyKinematics<S>& b = kin.body[k];
    for (Index s = b.first_step; s < b.end_step; ++s) {
        const Step<S>& step = kin.steps[s];
        const Up dofs{step.first_dof, step.first_dof + step.num_dofs};
        Motion<S> V_after = V, A_after = A;
        for (Index j : dofs)
            V_after += kin.v[j] * kin.H[j];
        for (Index j : dofs) {
            out.Hd[j] = crm(V) * kin.H[j];
            out.Hs[j] = out.Hd[j] + crm(V_after) * kin.H[j];
            out.Hdd[j] = crm(A) * kin.H[j] + crm(V) * out.Hd[j];
            A_after += v_dot[j] * kin.H[j] + kin.v[j] * out.Hd[j];
        }
        if (step.kind == StepKind::user) {
            const auto n = static_cast<std::size_t>(step.num_dofs);
            const Motion<S> rate = step.user->template functions<S>().columns_rate(
                {kin.q.data() + step.first_coordinate, n}, {kin.v.data() + step.first_dof, n});
            A_after += PhiAdjoint<S>{kin.r(k) - b.X_WI.p} * rotate(b.X_WI.R, rate);
            add_user_derivatives<S>(kin, k, step, V + V_after, v_dot, out);
        }
        V = V_after, A = A_after;
    }
}

template <class S> void set_mends(const Kinematics<S>& kin, ColumnDerivatives<S>& out)
{
    for (auto& [i, j, N] : out.mends) {
        N = i < j ? -dot(kin.H[i], out.Fh[j]) : S(0);
        const Index k = kin.tree().body_of_dof[j];
        for (Index s = kin.body[k].first_step; s < kin.body[k].end_step; ++s)
            if (const Step<S>& step = kin.steps[s]; step.kind == StepKind::user && step.first_dof <= j)
                N += user_mend(kin, k, step, i - step.first_dof, j - step.first_dof, out.motion[k].f);
    }
}

} // namespace detail

// At the accelerations v_dot, under the external forces of inverse_dynamics; out.We is the caller's.
template <class S>
void column_derivatives(const Kinematics<S>& kin, std::span<const S> v_dot, ColumnDerivatives<S>& out,
                        std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "column_derivatives",
                          "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "column_derivatives",
                          "update_inertias");
    detail::require_sizes<S>("column_derivatives", kin, v_dot, v_dot, out.motion, external);
    require_size("column_derivatives", "out", out.Hd.size(), kin.H.size());
    out.position_version = out.motion.reaction_version = kin.position_version;
    out.motion[ground] = {kin.A0, {}};

    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> A = out.motion[b.parent].A;
        if (const Index j = b.first_dof; b.parent == ground && b.one_turn >= 0) { // V = 0, and A only falls
            out.Hd[j] = out.Hs[j] = {};
            out.Hdd[j] = {{}, cross(A.v, kin.H[j].w)};
            A += v_dot[j] * kin.H[j];
        } else {
            Motion<S> V = kin.body[b.parent].V;
            if (b.shifts)
                V = PhiAdjoint<S>{b.l} * V, A = PhiAdjoint<S>{b.l} * A;
            if (b.one_turn < 0) [[unlikely]]
                detail::differentiate_any<S>(kin, k, v_dot, V, A, out);
            else { // the commonest hinge in line
                const Motion<S> H = kin.H[j], Hd = crm(V) * H;
                out.Hd[j] = Hd;
                out.Hs[j] = Hd + Hd;
                out.Hdd[j] = crm(A) * H + crm(V) * Hd;
                A += v_dot[j] * H + kin.v[j] * Hd;
            }
        }
        out.motion[k].A = A;
        const BiasInertia<S> M_bar = bias_inertia(kin.M[k], b.V);
        out.M_bar[k] = M_bar;
        out.motion[k].f = kin.M[k] * A + M_bar * b.V; // f = M A + Mbar V - w
        if (!external.empty())
            out.motion[k].f -= external[k];
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Force<S> f = out.motion[k].f;
        for (Index j : b.dofs()) // of a turn on the ground nobody asks
            out.Fh[j] = b.parent != ground || b.one_turn < 0 ? crf(kin.H[j]) * f : Force<S>{};
        if (b.parent != ground)
            out.motion[b.parent].f += b.shifts ? Phi<S>{b.l} * f : f;
    }
    if (!out.mends.empty())
        detail::set_mends(kin, out);
}

extern template struct ColumnDerivatives<double>;
extern template struct ColumnDerivatives<float>;
extern template void column_derivatives(const Kinematics<double>&, std::span<const double>,
                                        ColumnDerivatives<double>&, std::span<const Force<double>>);
extern template void column_derivatives(const Kinematics<float>&, std::span<const float>,
                                        ColumnDerivatives<float>&, std::span<const Force<float>>);

} // namespace sweepdyn
