// A mobile base in inertial rates: its velocity as the world's angular velocity w and the velocity of its hinge's origin O, its acceleration as
// their derivatives, and what drives it as one wrench in world axes about O. For a base that hangs on the ground, or on what is
// welded to it, by any hinge: free, or on a submanifold (planar, spherical, slides).             [003 appendix B]
//
//     velocity       [w; v] = H* v_b                              v_b: the hinge's own rates, body axes
//     acceleration   [w_dot; v_dot] = H* v_b_dot + a + [0; w x v]       free: a = 0, so that v_b_dot = R*([w_dot; v_dot] - [0; w x v])
//     wrench         T_b = H f
//
// H* in world axes about O. Inward, v_b is (H H*)^-1 H [w; v]: exact for what the hinge admits, refused for what it does not. Since
// the sweeps run in world axes already, forward dynamics is the same sweeps between these maps.
// O(1) beside the sweeps, no allocation. Specified by tests/laws/mobile_base.cpp.
#pragma once

#include <array>

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {
namespace detail {

[[noreturn]] void throw_no_base(const char* function, const Model& model, int body);
[[noreturn]] void throw_not_admitted(const char* function, const Model& model, int body);

// That the base moves, and nothing before it does.
template <class S> const BodyKinematics<S>& require_base(const char* function, const Kinematics<S>& kin,
                                                         Index base)
{
    require_poses(kin, function);
    if (base < 0 || base >= kin.model.num_bodies() || kin.body[base].first_dof == kin.body[base].end_dof ||
        !(kin.body[base].parent == ground || kin.model.is_fixed(kin.body[base].parent)))
        throw_no_base(function, kin.model, base);
    return kin.body[base];
}
// H* of the base about O.
template <class S> std::array<Motion<S>, 6> base_columns(const Kinematics<S>& kin, Index base)
{
    const BodyKinematics<S>& b = kin.body[base];
    std::array<Motion<S>, 6> H{};
    for (Index j : b.dofs())
        H[j - b.first_dof] = PhiAdjoint<S>{b.X_WI.p - kin.r(base)} * kin.H[j];
    return H;
}
template <class S> S product(const Motion<S>& X, const Motion<S>& Y) { return dot(X.w, Y.w) + dot(X.v, Y.v); }

// x := (H H*)^-1 x.
template <class S> void solve_gram(const char* function, const Kinematics<S>& kin, Index base,
                                   const std::array<Motion<S>, 6>& H, S* x)
{
    const int n = kin.body[base].end_dof - kin.body[base].first_dof;
    std::array<S, 36> L;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            S sum = product(H[i], H[j]);
            for (int m = 0; m < j; ++m)
                sum -= L[i * n + m] * L[j * n + m];
            if (i == j && !(value(sum) > 256 * Precision<S>::epsilon * value(product(H[i], H[i]))))
                throw_not_admitted(function, kin.model, base); // dependent columns
            L[i * n + j] = i == j ? sqrt(sum) : S(sum / L[j * n + j]);
        }
    solve_lower(L.data(), n, x);
    solve_upper(L.data(), n, x);
}
// The hinge's numbers x with H* x = X. `terms` is the square of what X is the difference of.
template <class S> void hinge_numbers(const char* function, const Kinematics<S>& kin, Index base,
                                      const Motion<S>& X, const S& terms, S* x)
{
    const int n = kin.body[base].end_dof - kin.body[base].first_dof;
    const std::array<Motion<S>, 6> H = base_columns(kin, base);
    for (int i = 0; i < n; ++i)
        x[i] = product(H[i], X);
    solve_gram(function, kin, base, H, x);
    Motion<S> left = X;
    for (int i = 0; i < n; ++i)
        left -= x[i] * H[i];
    const double allowed = 1e8 * Precision<S>::epsilon; // rounded numbers are no other direction
    if (!(value(product(left, left)) <= allowed * allowed * value(terms)))
        throw_not_admitted(function, kin.model, base);
}

} // namespace detail

// [w; v] of the base. Before: update(kin, q, v).
template <class S> Motion<S> base_velocity(const Kinematics<S>& kin, Index base)
{
    const BodyKinematics<S>& b = detail::require_base("base_velocity", kin, base);
    detail::require_fresh(kin.velocity_version == kin.position_version, "base_velocity", "update(kin, q, v)");
    return PhiAdjoint<S>{b.X_WI.p - kin.r(base)} * b.V;
}

// The base's numbers of v, from [w; v]. Before: update(kin, q).
template <class S> void set_base_velocity(const Kinematics<S>& kin, Index base, const Motion<S>& velocity,
                                          std::span<S> v)
{
    const BodyKinematics<S>& b = detail::require_base("set_base_velocity", kin, base);
    require_size("set_base_velocity", "v", v.size(), kin.H.size());
    detail::hinge_numbers("set_base_velocity", kin, base, velocity, detail::product(velocity, velocity),
                          v.data() + b.first_dof);
}

// [w_dot; v_dot] of the base, without gravity's pseudo-acceleration. Before: update(kin, q, v).
template <class S> Motion<S> base_acceleration(const Kinematics<S>& kin, Index base, std::span<const S> v_dot)
{
    const Motion<S> V = base_velocity(kin, base);
    require_size("base_acceleration", "v_dot", v_dot.size(), kin.H.size());
    const BodyKinematics<S>& b = kin.body[base];
    Motion<S> A = b.a;
    for (Index j : b.dofs())
        A += v_dot[j] * kin.H[j];
    A = PhiAdjoint<S>{b.X_WI.p - kin.r(base)} * A;
    A.v = add_cross(A.v, V.w, V.v); // classical = spatial + [0; w x v]
    return A;
}

// The base's numbers of v_dot, from [w_dot; v_dot]. Before: update(kin, q, v).
template <class S> void set_base_acceleration(const Kinematics<S>& kin, Index base,
                                              const Motion<S>& acceleration, std::span<S> v_dot)
{
    const Motion<S> V = base_velocity(kin, base);
    require_size("set_base_acceleration", "v_dot", v_dot.size(), kin.H.size());
    const BodyKinematics<S>& b = kin.body[base];
    // H* v_b_dot = [w_dot; v_dot] - [0; w x v] - a
    const Motion<S> bias = Motion<S>{{}, cross(V.w, V.v)} + PhiAdjoint<S>{b.X_WI.p - kin.r(base)} * b.a;
    detail::hinge_numbers("set_base_acceleration", kin, base, acceleration - bias,
                          detail::product(acceleration, acceleration) + detail::product(bias, bias),
                          v_dot.data() + b.first_dof);
}

// The base's numbers of T, from a wrench on it in world axes about O. What the hinge bears itself has no part in them.
template <class S> void set_base_wrench(const Kinematics<S>& kin, Index base, const Force<S>& wrench,
                                        std::span<S> T)
{
    const BodyKinematics<S>& b = detail::require_base("set_base_wrench", kin, base);
    require_size("set_base_wrench", "T", T.size(), kin.H.size());
    for (Index j : b.dofs())
        T[j] = dot(kin.H[j], Phi<S>{b.X_WI.p - kin.r(base)} * wrench);
}

// The wrench along the hinge's own directions that does what the base's numbers of T do: f = H* (H H*)^-1 T_b, moments and forces
// in the numbers of rates. Of a free base it is the only one.
template <class S> Force<S> base_wrench(const Kinematics<S>& kin, Index base, std::span<const S> T)
{
    const BodyKinematics<S>& b = detail::require_base("base_wrench", kin, base);
    require_size("base_wrench", "T", T.size(), kin.H.size());
    const std::array<Motion<S>, 6> H = detail::base_columns(kin, base);
    std::array<S, 6> x{};
    for (Index j : b.dofs())
        x[j - b.first_dof] = T[j];
    detail::solve_gram("base_wrench", kin, base, H, x.data());
    Force<S> wrench{};
    for (int i = 0; i < b.end_dof - b.first_dof; ++i)
        wrench += Force<S>{x[i] * H[i].w, x[i] * H[i].v};
    return wrench;
}

// The state with the base's velocity given as [w; v]: its numbers of v are written, then update(kin, q, v).
template <class S> void update_mobile(Kinematics<S>& kin, std::span<const S> q, Index base,
                                      const Motion<S>& velocity, std::span<S> v)
{
    update(kin, q);
    set_base_velocity(kin, base, velocity, v);
    update(kin, q, std::span<const S>(v));
}

// Forward dynamics: the base's acceleration [w_dot; v_dot], and v_dot of all hinges. The base's numbers of T are written from the wrench.
// Before: update(kin, q, v) or update_mobile, update_inertias, articulate.
template <class S>
Motion<S> mobile_forward_dynamics(const Kinematics<S>& kin, const Articulation<S>& art, Index base,
                                  const Force<S>& wrench, std::span<S> T, std::span<S> v_dot,
                                  BodyForces<S>& scratch, std::span<const Force<S>> external = {})
{
    set_base_wrench(kin, base, wrench, T);
    forward_dynamics(kin, art, std::span<const S>(T), v_dot, scratch, external);
    return base_acceleration(kin, base, std::span<const S>(v_dot));
}

} // namespace sweepdyn
