// Kinematics: from q, v to poses, hinge columns, velocities, and body inertias in world axes.
//
//     X_WI(k) = X_WI(p) advance(hinge k, q)                                    poses
//     V(k) = phi'(p,k) V(p) + H*(k) v(k)                                       velocities            [003 (2.17)]
//     a(k) = crm(V(k)) H*(k) v(k), step by step through the hinge              bias accelerations    [000, 001]
//     M(k) = phi R blkdiag(J, m) R' phi'                                       inertias in world axes
//
// Everything is in world axes, and about a reference point that each body shares with its neighbours or not:
//     Reference::hinges      body k's own hinge origin (papers 003, 004); l(k) is the vector from the parent's
//     Reference::pole        the origin of the first moving body of its branch (000, 001); further on every phi is the identity
//     Reference::automatic   the same, renewed every `pole_depth` bodies of depth, which keeps the digits
// Sweeps ask whether body[k].shifts and apply phi(l) only where it is not the identity: one algorithm for all three.
// Accelerations are spatial ones; classical = spatial + [0; w x v].
//
// update(kin, q) gives poses and columns, update(kin, q, v) in the same sweep velocities too; update_inertias(kin) follows
// either. Cost: O(bodies + dofs). Allocates nothing after construction. Specified by tests/laws/kinematics.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sweepdyn/kinematics/steps.hpp"

namespace sweepdyn {

enum class Reference { automatic, hinges, pole };
inline constexpr int pole_depth = 8; // docs/decisions/0003-poles.md

// Everything that sweeps read of one body, in one place. World axes.
template <class S>
struct BodyKinematics : BodyConstants<S> {
    Index reference = ground; // the body whose inner origin is this one's reference point
    bool shifts = false; // whether that is not the parent's
    // By update(kin, q).
    Pose<S> X_WI{}; // inner frame
    Vec3<S> l{}; // from the parent's reference point to this one's, where it shifts
    // By update(kin, q, v). About the reference point.
    Motion<S> V{}, a{};
};

template <class S>
struct Kinematics {
    explicit Kinematics(const Model& of_model, Reference reference = Reference::automatic);

    Model model;
    Reference reference;
    PerBody<BodyKinematics<S>> body; // the ground's: identity, at rest
    std::vector<Motion<S>> H; // columns of H*, one per dof, about the body's reference point
    std::vector<Inertia<S>> M; // of each body, world axes, about its reference point; by update_inertias(kin)
    std::vector<S> armature; // per dof, constant
    std::vector<S> q, v; // the state that this was computed from
    std::vector<Step<S>> steps; // of all hinges, constant
    std::vector<Pose<S>> X_WI_steps; // inner frame after each step, where a hinge is more than one turn

    // Acceleration of the ground, minus gravity: how gravity enters every sweep.
    Motion<S> A0;
    void set_gravity(const Vec3<S>& gravity) { A0 = {{}, -gravity}; }

    // Which state this holds, and for which one each part was computed. No two states ever set have the same version,
    // so what was computed from another robot's state is as stale as what was computed from yesterday's.
    std::uint64_t position_version = no_state, velocity_version = 0, inertia_version = 0;
    static constexpr std::uint64_t no_state = 1;

    const Tree& tree() const { return model.tree(); }
    // The reference point of body k, from the world origin.
    const Vec3<S>& r(Index k) const { return body[body[k].reference].X_WI.p; }
    // The user's body frame in the world.
    Pose<S> X_WB(Index k) const { return body[k].X_WI * body[k].X_IB; }
};

namespace detail {
// A number above Kinematics::no_state that was never given before, to any thread.
std::uint64_t new_version();
[[noreturn]] void throw_stale(const char* stage, const char* needed);
inline void require_fresh(bool fresh, const char* stage, const char* needed)
{
    if (!fresh) [[unlikely]]
        throw_stale(stage, needed);
}
template <class S> void require_poses(const Kinematics<S>& kin, const char* stage)
{
    require_fresh(kin.position_version != kin.no_state, stage, "update(kin, q)");
}
// The reference body of each body, see Reference.
PerBody<int> reference_bodies(const Model& model, Reference choice);
template <class S> S poison() { return S(std::numeric_limits<double>::quiet_NaN()); }
template <class S> Vec3<S> poison3() { return {poison<S>(), poison<S>(), poison<S>()}; }
} // namespace detail

template <class S>
Kinematics<S>::Kinematics(const Model& of_model, Reference choice)
    : model(of_model),
      reference(choice),
      body(of_model.num_bodies(), {}),
      A0{{}, -cast<S>(of_model.gravity())}
{
    const auto bodies = static_cast<std::size_t>(model.num_bodies()),
               dofs = static_cast<std::size_t>(model.num_dofs());
    const Vec3<S> nan = detail::poison3<S>();
    CompiledHinges<S> compiled = compile_hinges<S>(model);
    const PerBody<int> references = detail::reference_bodies(model, choice);
    for (int k : tree().base_to_tip()) {
        BodyKinematics<S>& b = body[k];
        static_cast<BodyConstants<S>&>(b) = compiled.bodies[k];
        b.reference = references[k];
        b.shifts = references[k] != references[b.parent];
        b.X_WI = {{nan, nan, nan}, nan};
        b.l = nan;
        b.V = b.a = {nan, nan};
    }
    steps = std::move(compiled.steps);
    X_WI_steps.assign(steps.size(), {{nan, nan, nan}, nan});
    H.assign(dofs, {nan, nan});
    M.assign(bodies, {nan.x, nan, {nan.x, nan.x, nan.x, nan.x, nan.x, nan.x}});
    q.assign(static_cast<std::size_t>(model.num_coordinates()), nan.x);
    v.assign(dofs, nan.x);
    for (const Hinge& hinge : model.hinges())
        for (double inertia : hinge.armature)
            armature.push_back(S(inertia));
}

namespace detail {

// One body of the outward sweep, for any hinge: pose and columns ...
template <class S> [[gnu::noinline]] void place_any(Kinematics<S>& kin, Index k, const S* q)
{
    BodyKinematics<S>& b = kin.body[k];
    b.X_WI = kin.body[b.parent].X_WI;
    for (Index i = b.first_step; i < b.end_step; ++i)
        kin.X_WI_steps[i] = b.X_WI = advance(kin.steps[i], b.X_WI, q + kin.steps[i].first_coordinate);
    for (Index i = b.first_step; i < b.end_step; ++i) // H*(k)
        columns(kin.steps[i], kin.X_WI_steps[i], kin.r(k), q + kin.steps[i].first_coordinate,
                kin.H.data() + kin.steps[i].first_dof);
    if (b.shifts)
        b.l = kin.r(k) - kin.r(b.parent);
}
// ... then velocity and bias acceleration, step by step.
template <class S> [[gnu::noinline]] void move_any(Kinematics<S>& kin, Index k, const S* v)
{
    BodyKinematics<S>& b = kin.body[k];
    Motion<S> V = kin.body[b.parent].V, a{};
    if (b.shifts)
        V = PhiAdjoint<S>{b.l} * V;
    for (Index i = b.first_step; i < b.end_step; ++i) {
        const Step<S>& step = kin.steps[i];
        Motion<S> dV{};
        for (int j = step.first_dof; j < step.first_dof + step.num_dofs; ++j)
            dV += v[j] * kin.H[j];
        V += dV; // V = phi' V(p) + H* v
        a += crm(V) * dV; // a = crm(V) H* v
        if (step.kind == StepKind::user) { // columns that are not constant in the child: + (d/dt H*) v
            const auto n = static_cast<std::size_t>(step.num_dofs);
            const Motion<S> rate = step.user->template functions<S>().columns_rate(
                {kin.q.data() + step.first_coordinate, n}, {v + step.first_dof, n});
            a += PhiAdjoint<S>{kin.r(k) - b.X_WI.p} * rotate(b.X_WI.R, rate);
        }
    }
    b.V = V;
    b.a = a;
}

// The outward sweep. then(k) is called when body k is done: what else a caller wants from the same sweep.
template <bool moving, class S, class Then>
SWEEPDYN_INLINE void sweep_outward(Kinematics<S>& kin, const S* q, const S* v, const Then& then)
{
    for (Index k : kin.tree().base_to_tip()) {
        BodyKinematics<S>& b = kin.body[k];
        const BodyKinematics<S>& parent = kin.body[b.parent];
        if (b.one_turn < 0) [[unlikely]] {
            place_any(kin, k, q);
            if (moving)
                move_any(kin, k, v);
        } else { // the commonest hinge in line
            // R = R(p) R0 rot(z, q), p = p(p) + R(p) p0
            turn(b.placement, parent.X_WI, q[b.one_turn], b.X_WI);
            // H* = [z; (p - r) x z]
            const Motion<S> H{b.X_WI.R.z, cross(b.X_WI.p - kin.r(k), b.X_WI.R.z)};
            kin.H[b.first_dof] = H;
            if (b.shifts)
                b.l = kin.r(k) - kin.r(b.parent);
            if (moving) {
                Motion<S> V = parent.V;
                if (b.shifts)
                    V = PhiAdjoint<S>{b.l} * V;
                const Motion<S> dV = v[b.first_dof] * H;
                V += dV; // V = phi' V(p) + H* v
                b.V = V;
                b.a = crm(V) * dV; // a = crm(V) H* v
            }
        }
        then(k);
    }
}

template <class S> void set_state(Kinematics<S>& kin, const char* function, std::span<const S> q,
                                  std::span<const S> v)
{
    require_size(function, "q", q.size(), kin.q.size());
    require_size(function, "v", v.size(), kin.v.size());
    kin.velocity_version = kin.position_version = new_version();
    std::copy(q.begin(), q.end(), kin.q.begin());
    std::copy(v.begin(), v.end(), kin.v.begin());
}

} // namespace detail

template <class S> void update(Kinematics<S>& kin, std::span<const S> q)
{
    require_size("update", "q", q.size(), kin.q.size());
    kin.position_version = detail::new_version();
    std::copy(q.begin(), q.end(), kin.q.begin());
    detail::sweep_outward<false>(kin, q.data(), q.data(), [](Index) {});
}

template <class S> void update(Kinematics<S>& kin, std::span<const S> q, std::span<const S> v)
{
    detail::set_state(kin, "update", q, v);
    detail::sweep_outward<true>(kin, q.data(), v.data(), [](Index) {});
}

// M(k) = phi R blkdiag(J, m) R' phi'
template <class S> SWEEPDYN_INLINE Inertia<S> body_inertia(const Kinematics<S>& kin, Index k)
{
    const BodyKinematics<S>& b = kin.body[k];
    const Vec3<S> c = (b.X_WI.p - kin.r(k)) + b.X_WI.R * b.com;
    return Inertia<S>::about_point(b.mass, c, rotate(b.X_WI.R, b.inertia_com));
}

template <class S> void update_inertias(Kinematics<S>& kin)
{
    detail::require_poses(kin, "update_inertias");
    kin.inertia_version = kin.position_version;
    for (Index k : kin.tree().base_to_tip())
        kin.M[k] = body_inertia(kin, k);
}

// The force that moves body k with velocity V and spatial acceleration A, M A + S[V] M V, by Newton's and Euler's
// equations about the centre of mass, Euler's in the body's own axes: cheaper than forming M in world axes.
template <class S> SWEEPDYN_INLINE Force<S> body_force(const Kinematics<S>& kin, Index k, const Motion<S>& V,
                                                       const Motion<S>& A)
{
    const BodyKinematics<S>& b = kin.body[k];
    const Mat3<S>& R = b.X_WI.R;
    const Vec3<S> c = (b.X_WI.p - kin.r(k)) + R * b.com;
    const Vec3<S> a = add_cross(add_cross(A.v, A.w, c), V.w, add_cross(V.v, V.w, c)); // of the centre of mass
    const Vec3<S> f = b.mass * a;
    const Vec3<S> w = transpose_times(R, V.w);
    const Vec3<S> n = R * add_cross(b.inertia_com * transpose_times(R, A.w), w, b.inertia_com * w);
    return {add_cross(n, c, f), f};
}

extern template struct Kinematics<double>;
extern template struct Kinematics<float>;
extern template void update(Kinematics<double>&, std::span<const double>);
extern template void update(Kinematics<float>&, std::span<const float>);
extern template void update(Kinematics<double>&, std::span<const double>, std::span<const double>);
extern template void update(Kinematics<float>&, std::span<const float>, std::span<const float>);
extern template void update_inertias(Kinematics<double>&);
extern template void update_inertias(Kinematics<float>&);

} // namespace sweepdyn
