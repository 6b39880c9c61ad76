// Diagonalized dynamics: velocities nu in which the mass matrix is the identity, hinge by hinge.
//
//     D = Ld Ld*,   nu = Ld* (I + H phi K)* v,   eps = Ld^-1 (I - H psi K) T,   nu_dot + C(q, nu) = eps      [004 section 6]
//     nu' nu / 2 is the kinetic energy, eps' nu = T' v the power; without gravity and loads C does no work, nu' C = 0.
//
//     nu_of_v    base to tip:  nu = Ld* (v + G* phi' V(p)),  V = phi' V(p) + H* v          v_of_nu undoes it
//     eps_of_T   tip to base:  e = T - H z,  eps = Ld^-1 e,  z(p) += phi (z + G e)         T_of_eps undoes it
//
// C by one more sweep, tip to base. A prime is a rate seen in the body: P' = dP/dt - S[V] P - P S[V]*, with which it does not matter
// that the reference points move; of the columns, see column_rates. Armature is constant and enters D only.
//
//     y  = S[V] M V - M g - w + sum over children phi (1 - G H)(y + P a)       (PH)' = P' H* + P H'
//     D' = H (PH)' + H'* P H*,     lo = lower half of Ld^-1 D' Ld^-*, its diagonal halved: dLd/dt = Ld lo
//     C  = Ld^-1 (H (y - P' V) - H'* P V) + lo nu
//     P+' = P' - (PH)' G* - G (PH)'* + G D' G*,    P'(p) += phi (P+' + S[H* v] P+ + P+ S[H* v]*) phi*
//
// O(bodies + dofs), no allocation. Before: update(kin, q, v), update_inertias(kin), diagonalize. Specified by
// tests/laws/diagonal_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/kinematics/column_rates.hpp"

namespace sweepdyn {

template <class S>
struct DiagonalDynamics {
    explicit DiagonalDynamics(const Model& model)
        : art(model),
          P_rate(static_cast<std::size_t>(model.num_bodies())),
          rates(model),
          forces(model)
    {
    }
    BlockArticulation<S> art; // P, G, D and Ld, by diagonalize
    std::vector<ArticulatedInertia<S>> P_rate; // P', by diagonal_coriolis
    ColumnRates<S> rates;
    BodyForces<S> forces; // scratch
};

// Throws RefusedError, which names the hinge, where D has no inverse.
template <class S> void diagonalize(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal)
{
    require_size("diagonalize", "diagonal", diagonal.P_rate.size(), kin.M.size());
    articulate(kin, diagonal.art);
}

namespace detail {

template <class S> void require_diagonal(const char* function, const Kinematics<S>& kin,
                                         const DiagonalDynamics<S>& diagonal, std::size_t in, std::size_t out)
{
    require_fresh(diagonal.art.position_version == kin.position_version, function, "diagonalize");
    require_size(function, "in", in, kin.H.size());
    require_size(function, "out", out, kin.H.size());
}
// x := L x and x := L* x, for the n x n lower triangle L, row by row.
template <class S> void times_lower(const S* L, int n, S* x)
{
    for (int i = n - 1; i >= 0; --i) {
        x[i] = L[i * n + i] * x[i];
        for (int j = 0; j < i; ++j)
            x[i] += L[i * n + j] * x[j];
    }
}
template <class S> void times_upper(const S* L, int n, S* x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = L[i * n + i] * x[i];
        for (int j = i + 1; j < n; ++j)
            x[i] += L[j * n + i] * x[j];
    }
}

} // namespace detail

// nu of any velocity v at this configuration. In and out may be the same.
template <class S> void nu_of_v(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal, std::span<const S> v,
                                std::span<S> nu)
{
    detail::require_diagonal("nu_of_v", kin, diagonal, v.size(), nu.size());
    const BlockArticulation<S>& art = diagonal.art;
    BodyForces<S>& scratch = diagonal.forces;
    scratch.reaction_version = 0;
    scratch[ground].A = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Motion<S> V_p = b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A;
        Motion<S> V = V_p;
        for (Index j : b.dofs()) {
            V += v[j] * kin.H[j];
            nu[j] = v[j] + dot(V_p, art.G[j]);
        }
        scratch[k].A = V;
        detail::times_upper(art.L.data() + art.first_block[k], b.end_dof - b.first_dof,
                            nu.data() + b.first_dof);
    }
}

template <class S> void v_of_nu(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal,
                                std::span<const S> nu, std::span<S> v)
{
    detail::require_diagonal("v_of_nu", kin, diagonal, nu.size(), v.size());
    const BlockArticulation<S>& art = diagonal.art;
    BodyForces<S>& scratch = diagonal.forces;
    scratch.reaction_version = 0;
    scratch[ground].A = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Motion<S> V_p = b.shifts ? PhiAdjoint<S>{b.l} * scratch[b.parent].A : scratch[b.parent].A;
        Motion<S> V = V_p;
        for (Index j : b.dofs())
            v[j] = nu[j];
        detail::solve_upper(art.L.data() + art.first_block[k], b.end_dof - b.first_dof,
                            v.data() + b.first_dof);
        for (Index j : b.dofs()) {
            v[j] -= dot(V_p, art.G[j]);
            V += v[j] * kin.H[j];
        }
        scratch[k].A = V;
    }
}

template <class S> void eps_of_T(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal,
                                 std::span<const S> T, std::span<S> eps)
{
    detail::require_diagonal("eps_of_T", kin, diagonal, T.size(), eps.size());
    const BlockArticulation<S>& art = diagonal.art;
    BodyForces<S>& scratch = diagonal.forces;
    scratch.reaction_version = 0;
    for (Index k : kin.tree().base_to_tip())
        scratch[k].f = {};
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch[k].f, z_plus = z;
        for (Index j : b.dofs()) {
            eps[j] = T[j] - dot(kin.H[j], z);
            z_plus += eps[j] * art.G[j];
        }
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z_plus : z_plus;
        detail::solve_lower(art.L.data() + art.first_block[k], b.end_dof - b.first_dof,
                            eps.data() + b.first_dof);
    }
}

template <class S> void T_of_eps(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal,
                                 std::span<const S> eps, std::span<S> T)
{
    detail::require_diagonal("T_of_eps", kin, diagonal, eps.size(), T.size());
    const BlockArticulation<S>& art = diagonal.art;
    BodyForces<S>& scratch = diagonal.forces;
    scratch.reaction_version = 0;
    for (Index k : kin.tree().base_to_tip())
        scratch[k].f = {};
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const Force<S> z = scratch[k].f;
        Force<S> z_plus = z;
        for (Index j : b.dofs())
            T[j] = eps[j];
        detail::times_lower(art.L.data() + art.first_block[k], b.end_dof - b.first_dof,
                            T.data() + b.first_dof);
        for (Index j : b.dofs()) {
            z_plus += T[j] * art.G[j];
            T[j] += dot(kin.H[j], z);
        }
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * z_plus : z_plus;
    }
}

namespace detail {

// S[X] P + P S[X]*: the rate of an inertia that is carried along with X.
template <class S> ArticulatedInertia<S> carried_rate(const Motion<S>& X, const ArticulatedInertia<S>& P)
{
    const auto crossed = [](const Vec3<S>& a, const Mat3<S>& A) -> Mat3<S> { // a~ A
        return {cross(a, A.x), cross(a, A.y), cross(a, A.z)};
    };
    const auto twice_even = [](const Mat3<S>& A) -> Sym3<S> { // A + A'
        return {A.x.x + A.x.x, A.y.x + A.x.y, A.z.x + A.x.z, A.y.y + A.y.y, A.z.y + A.y.z, A.z.z + A.z.z};
    };
    const Mat3<S> Bt = transpose(P.B), M = P.M.full(), aI = crossed(X.w, P.I.full()), bBt = crossed(X.v, Bt),
                  aB = crossed(X.w, P.B), bM = crossed(X.v, M), minus_Ba = transpose(crossed(X.w, Bt));
    return {twice_even({aI.x + bBt.x, aI.y + bBt.y, aI.z + bBt.z}),
            {aB.x + bM.x + minus_Ba.x, aB.y + bM.y + minus_Ba.y, aB.z + bM.z + minus_Ba.z},
            twice_even(crossed(X.w, M))};
}

} // namespace detail

// C at the state of kin, gravity and the external forces on the bodies included.
template <class S> void diagonal_coriolis(const Kinematics<S>& kin, DiagonalDynamics<S>& diagonal,
                                          std::span<S> C, std::span<const Force<S>> external = {})
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "diagonal_coriolis",
                          "update(kin, q, v)");
    detail::require_diagonal("diagonal_coriolis", kin, diagonal, C.size(), C.size());
    if (!external.empty())
        require_size("diagonal_coriolis", "external", external.size(), kin.M.size());
    const BlockArticulation<S>& art = diagonal.art;
    BodyForces<S>& scratch = diagonal.forces;
    scratch.reaction_version = 0;
    column_rates(kin, diagonal.rates);
    for (Index k : kin.tree().base_to_tip()) {
        scratch[k].f = newton_euler(kin.M[k], kin.body[k].V, kin.A0); // S[V] M V - M g - w
        if (!external.empty())
            scratch[k].f -= external[k];
        diagonal.P_rate[k] = {};
    }
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        const int n = b.end_dof - b.first_dof;
        const Motion<S>* H = kin.H.data() + b.first_dof;
        const Force<S>* G = art.G.data() + b.first_dof;
        const S* L = art.L.data() + art.first_block[k];
        const ArticulatedInertia<S>&P = art.P[k], &P_rate = diagonal.P_rate[k];
        // H' = dH*/dt - crm(V) H*: zero of columns that are constant in the child
        const bool turning =
            b.end_step - b.first_step > 1 || (n > 0 && kin.steps[b.first_step].kind == StepKind::user);
        std::array<Motion<S>, 6> H_rate{};
        for (int j = 0; turning && j < n; ++j)
            H_rate[j] = diagonal.rates.H_dot[b.first_dof + j] - crm(b.V) * H[j];

        std::array<Force<S>, 6> PH_rate; // (PH)' = P' H* + P H'
        std::array<S, 36> D_rate, X; // D' = H (PH)' + H'* P H*
        for (int j = 0; j < n; ++j)
            PH_rate[j] = turning ? P_rate * H[j] + P * H_rate[j] : P_rate * H[j];
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i)
                D_rate[i * n + j] = dot(H[i], PH_rate[j]);
            if (turning) {
                const Force<S> PH = P * H[j];
                for (int i = 0; i < n; ++i)
                    D_rate[i * n + j] += dot(H_rate[i], PH);
            }
        }
        // X = Ld^-1 D' Ld^-*: both are symmetric, so columns may stand for rows.
        X = D_rate;
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < n; ++i)
                detail::solve_lower(L, n, X.data() + i * n);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < i; ++j)
                    std::swap(X[i * n + j], X[j * n + i]);
        }
        Motion<S> dV{};
        for (int j = 0; j < n; ++j)
            dV += kin.v[b.first_dof + j] * H[j];
        std::array<S, 6> nu; // Ld* (v + G* phi' V(p))
        for (int j = 0; j < n; ++j)
            nu[j] = kin.v[b.first_dof + j] + dot(b.V - dV, G[j]);
        detail::times_upper(L, n, nu.data());

        // C = Ld^-1 (H (y - P' V) - H'* P V) + lo nu
        Force<S> y = scratch[k].f;
        const Force<S> rest = y - P_rate * b.V;
        S* C_k = C.data() + b.first_dof;
        for (int i = 0; i < n; ++i)
            C_k[i] = turning ? dot(H[i], rest) - dot(H_rate[i], P * b.V) : dot(H[i], rest);
        detail::solve_lower(L, n, C_k);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j)
                C_k[i] += X[i * n + j] * nu[j];
            C_k[i] += S(0.5) * X[i * n + i] * nu[i];
        }
        if (b.parent == ground)
            continue;

        // y(p) += phi (1 - G H)(y + P a)
        y += P * b.a;
        Force<S> y_plus = y;
        for (int j = 0; j < n; ++j)
            y_plus -= dot(H[j], y) * G[j];
        scratch[b.parent].f += b.shifts ? Phi<S>{b.l} * y_plus : y_plus;

        // P+ = P - (G Ld)(G Ld)*,  P+' = P' - Z G* - G Z*, Z = (PH)' - 1/2 G D'
        ArticulatedInertia<S> P_plus = P, Q = P_rate;
        for (int j = 0; j < n; ++j) {
            Force<S> U{}, Z = PH_rate[j];
            for (int i = j; i < n; ++i)
                U += L[i * n + j] * G[i];
            for (int i = 0; i < n; ++i)
                Z -= S(0.5) * D_rate[i * n + j] * G[i];
            P_plus.rank_one_downdate(U, U);
            Q.rank_one_downdate(Z, G[j]);
            Q.rank_one_downdate(G[j], Z);
        }
        // P'(p) += phi (P+' + S[H* v] P+ + P+ S[H* v]*) phi*
        Q += detail::carried_rate(dV, P_plus);
        diagonal.P_rate[b.parent] += b.shifts ? shift(Q, b.l) : Q;
    }
}

extern template struct DiagonalDynamics<double>;
extern template struct DiagonalDynamics<float>;
extern template void nu_of_v(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                             std::span<double>);
extern template void nu_of_v(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                             std::span<float>);
extern template void v_of_nu(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                             std::span<double>);
extern template void v_of_nu(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                             std::span<float>);
extern template void eps_of_T(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                              std::span<double>);
extern template void eps_of_T(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                              std::span<float>);
extern template void T_of_eps(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                              std::span<double>);
extern template void T_of_eps(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                              std::span<float>);
extern template void diagonal_coriolis(const Kinematics<double>&, DiagonalDynamics<double>&,
                                       std::span<double>, std::span<const Force<double>>);
extern template void diagonal_coriolis(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<float>,
                                       std::span<const Force<float>>);

} // namespace sweepdyn
