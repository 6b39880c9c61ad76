// Several arms hold one rigid object: what the algorithms of 003 II share.
//
//     M v_dot + C + J* f = T                   the arms; f by the tips on the object, about each tip
//     M(C) alpha(C) + b(C) = A* f              the object about a point C; A = col phi*(C, O_i)
//     J v_dot + Jdot v = A alpha(C) + a(C)     a_i = [0; w x (w x l(C, O_i))]
//     Omega = J M^-1 J* + A M(C)^-1 A*                                                                       [003 II (2.11)-(3.1)]
//
// A grip may leave 1, 2 or 3 turns free, about axes fixed in the object [003 II app. A, B]:
//     V(object) = V(tip) + H0* W,   H0 f = 0,   d/dt H0* W = [w(C) x w_rel; 0],   w_rel = H0* W
//     f = N (N* Omega N)^-1 N* rhs,   N a basis of null(H0): the wrenches that the grip can carry
// so every algorithm solves with N* Omega N, by pivoted Cholesky: where an arm is singular, accelerations are right and `unique` says
// which components of f mean something. H0* W_dot = Omega f - rhs follows.
//
// All accelerations are true and classical, about the tips or about C, world axes. Gravity enters C and b(C).
// Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/dynamics/cluster_articulation.hpp"
#include "sweepdyn/dynamics/operational_space.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

// The object, world axes, about C. Before: update(kin, q, v), update_inertias.
template <class S>
struct HeldObject {
    Vec3<S> C{};
    Mat3<S> R{}; // its axes
    Inertia<S> M{};
    Motion<S> V{};
    Force<S> w{}; // external, gravity apart
};
// A body of the model, on a free hinge or on any other that is not used: C is the origin of its frame.
template <class S> HeldObject<S> held_object(const Kinematics<S>& kin, int body)
{
    detail::require_fresh(kin.velocity_version == kin.position_version, "held_object", "update(kin, q, v)");
    detail::require_fresh(kin.inertia_version == kin.position_version, "held_object", "update_inertias");
    const Pose<S> X = kin.X_WB(body);
    const Vec3<S> l = X.p - kin.r(body);
    return {X.p, X.R, shift(kin.M[body], -l), PhiAdjoint<S>{l} * kin.body[body].V, {}};
}
// Given by its mass properties, where it is and how it moves.
template <class S> HeldObject<S> held_object(const Body& body, const Pose<S>& X, const Motion<S>& V)
{
    return {X.p,
            X.R,
            Inertia<S>::about_point(S(body.mass), X.R * cast<S>(body.com),
                                    rotate(X.R, cast<S>(body.inertia_com))),
            V,
            {}};
}

// One arm's hold.
struct Grip {
    FrameId tip;
    std::vector<Vec3<double>>
        free_axes{}; // turns left free, object axes; at most 3, independent. Empty: a rigid grip
};

template <class S>
struct ArmsOnObject {
    // Throws UsageError: no grip, a tip on the ground, axes that are not independent.
    ArmsOnObject(const Model& model, std::vector<Grip> grips);

    struct Row {
        int arm = 0;
        Force<S> in_object{}; // object axes
    };
    std::vector<Grip> grips;
    std::vector<Row> rows; // of N*
    OperationalSpace<S> space; // J M^-1 J*
    // By place_grips.
    std::vector<Vec3<S>> l; // from C to each tip
    std::vector<Motion<S>> a; // a(C) less the rate of H0* W
    std::vector<Force<S>> N; // per row, world axes
    std::array<S, 36> M_factor{}; // of M(C)
    Force<S> b{}; // b(C), with gravity and what else acts
    // By fill_omega.
    std::vector<S> Omega; // (6 arms) x (6 arms)
    std::vector<S> reduced; // rows x rows
    Semidefinite<S> factor;
    // By the algorithms.
    std::vector<Force<S>> f; // f(0): by each tip on the object, about the tip
    std::vector<Motion<S>> alpha; // alpha(0) of each tip
    Motion<S> alpha_C{}; // of the object
    std::vector<char> unique; // per row of N*
    int rank() const { return factor.rank; }
    int num_arms() const { return static_cast<int>(grips.size()); }

    std::vector<Motion<S>> rhs; // room
    std::vector<S> x, z, u, y, eps;
    BodyForces<S> scratch;
};

namespace detail {

// Unit vectors that span what the axes leave.
std::vector<Vec3<double>> kept_directions(const std::vector<Vec3<double>>& free_axes, const char* where);

} // namespace detail

template <class S>
ArmsOnObject<S>::ArmsOnObject(const Model& model, std::vector<Grip> of)
    : grips(std::move(of)),
      space(model,
            [&] {
                std::vector<FrameId> tips;
                for (const Grip& grip : grips) {
                    if (model.frame_body(grip.tip) == ground)
                        throw UsageError("ArmsOnObject: grip " + std::to_string(tips.size()) + " has tip '" +
                                         model.frame_at(grip.tip).name +
                                         "' on the ground; expected a frame on an arm");
                    tips.push_back(grip.tip);
                }
                if (tips.empty())
                    throw UsageError("ArmsOnObject: got no grip, expected at least one");
                return tips;
            }()),
      factor(6 * static_cast<int>(grips.size())),
      scratch(model)
{
    for (int arm = 0; arm < num_arms(); ++arm) {
        for (int i = 0; i < 3; ++i)
            rows.push_back({arm, Force<S>{{}, detail::unit3<S>(i)}});
        for (const Vec3<double>& n : detail::kept_directions(grips[arm].free_axes, "ArmsOnObject"))
            rows.push_back({arm, Force<S>{cast<S>(n), {}}});
    }
    const std::size_t arms = grips.size(), r = rows.size();
    const Motion<S> nan{detail::poison3<S>(), detail::poison3<S>()};
    l.assign(arms, nan.w);
    a.assign(arms, nan);
    N.assign(r, {nan.w, nan.w});
    Omega.assign(36 * arms * arms, detail::poison<S>());
    reduced.assign(r * r, detail::poison<S>());
    f.assign(arms, {nan.w, nan.w});
    alpha.assign(arms, nan);
    alpha_C = nan;
    unique.assign(r, 0);
    rhs.assign(arms, nan);
    x.assign(r, S(0));
    z.assign(r, S(0));
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    u.assign(dofs, S(0));
    y.assign(dofs, S(0));
    eps.assign(dofs, S(0));
}

namespace detail {

// M(C)^-1 F
template <class S> Motion<S> object_response(const ArmsOnObject<S>& arms, const Force<S>& F)
{
    S x[6] = {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
    solve_factored(arms.M_factor.data(), 6, 6, x);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

// A lower triangle of numbers from a symmetric map Motion -> Force.
template <class S, class Map> void fill_symmetric6(S* out, const Map& map)
{
    for (int c = 0; c < 6; ++c) {
        const Force<S> F = map(c < 3 ? Motion<S>{unit3<S>(c), {}} : Motion<S>{{}, unit3<S>(c - 3)});
        for (int r = c; r < 6; ++r)
            out[6 * r + c] = r < 3 ? F.n[r] : F.f[r - 3];
    }
}

// Levers, N, a(C), b(C), M(C).
template <class S>
void place_grips(const Kinematics<S>& kin, const HeldObject<S>& object, ArmsOnObject<S>& arms)
{
    const Vec3<S>& w = object.V.w;
    for (int i = 0; i < arms.num_arms(); ++i) {
        arms.l[i] = frame_pose(kin, arms.grips[i].tip).p - object.C;
        // a_i = [0; w x (w x l)], less [w x w_rel; 0]
        arms.a[i] = {{}, cross(w, cross(w, arms.l[i]))};
        if (!arms.grips[i].free_axes.empty())
            arms.a[i].w = -cross(w, w - frame_velocity(kin, arms.grips[i].tip).w);
    }
    for (std::size_t r = 0; r < arms.rows.size(); ++r)
        arms.N[r] = rotate(object.R, arms.rows[r].in_object);
    // b = [w x J w; w x (w x h)] - M g - w
    arms.b =
        Force<S>{cross(w, object.M.J * w), cross(w, cross(w, object.M.h))} + object.M * kin.A0 - object.w;
    fill_symmetric6(arms.M_factor.data(), [&](const Motion<S>& X) { return object.M * X; });
    factor(arms.M_factor.data(), 6, 6, 0.0);
}

template <class S> Motion<S> column6(const S* x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

// Omega F of one block row: sum over arms of Omega(i,j) F(j).
template <class S> Motion<S> omega_times(const ArmsOnObject<S>& arms, int i, int j, const Force<S>& F)
{
    const int n = 6 * arms.num_arms();
    const S* column = arms.Omega.data() + 6 * i;
    const S x[6] = {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
    Motion<S> out{};
    for (int c = 0; c < 6; ++c)
        out += x[c] * column6(column + static_cast<std::size_t>(6 * j + c) * n);
    return out;
}

// Omega = J M^-1 J*, which it holds on entry, + A M(C)^-1 A*; then N* Omega N and its factors.
template <class S> void fill_omega(ArmsOnObject<S>& arms)
{
    const int l = arms.num_arms(), n = 6 * l, m = static_cast<int>(arms.rows.size());
    for (int j = 0; j < l; ++j)
        for (int c = 0; c < 6; ++c) {
            const Force<S> e = c < 3 ? Force<S>{unit3<S>(c), {}} : Force<S>{{}, unit3<S>(c - 3)};
            const Motion<S> at_C = object_response(arms, Phi<S>{arms.l[j]} * e);
            for (int i = 0; i < l; ++i) {
                const Motion<S> at_tip = PhiAdjoint<S>{arms.l[i]} * at_C;
                S* out = arms.Omega.data() + static_cast<std::size_t>(6 * j + c) * n + 6 * i;
                for (int r = 0; r < 3; ++r) {
                    out[r] += at_tip.w[r];
                    out[3 + r] += at_tip.v[r];
                }
            }
        }
    for (int r = 0; r < m; ++r)
        for (int s = 0; s <= r; ++s)
            arms.reduced[static_cast<std::size_t>(r) * m + s] =
                dot(arms.N[r], omega_times(arms, arms.rows[r].arm, arms.rows[s].arm, arms.N[s]));
    arms.factor.factor(arms.reduced.data(), m, m);
    arms.factor.unique(arms.unique, arms.z);
}

// f = N (N* Omega N)^-1 N* rhs
template <class S> void solve_contacts(ArmsOnObject<S>& arms, std::span<const Motion<S>> rhs,
                                       std::span<Force<S>> f)
{
    for (std::size_t r = 0; r < arms.rows.size(); ++r)
        arms.x[r] = dot(arms.N[r], rhs[arms.rows[r].arm]);
    arms.factor.solve(arms.x);
    for (Force<S>& each : f)
        each = {};
    for (std::size_t r = 0; r < arms.rows.size(); ++r)
        f[arms.rows[r].arm] += arms.x[r] * arms.N[r];
}

// alpha(C) = M(C)^-1 (A* f - b), and A alpha(C) + a(C) = alpha(0) - H0* W_dot.
template <class S> void move_object(ArmsOnObject<S>& arms)
{
    Force<S> sum = -arms.b;
    for (int i = 0; i < arms.num_arms(); ++i)
        sum += Phi<S>{arms.l[i]} * arms.f[i];
    arms.alpha_C = object_response(arms, sum);
}
// alpha(0) = J v_dot + Jdot v
template <class S>
void move_tips(const Kinematics<S>& kin, std::span<const S> v_dot, ArmsOnObject<S>& arms)
{
    for (int i = 0; i < arms.num_arms(); ++i)
        arms.alpha[i] = frame_acceleration<S>(kin, arms.grips[i].tip, v_dot);
}

// B f, in scratch[k].f, with a sign.
template <class S>
void put_tip_forces(const Kinematics<S>& kin, const ArmsOnObject<S>& arms, std::span<const Force<S>> f,
                    BodyForces<S>& scratch)
{
    for (Index k : kin.tree().base_to_tip())
        scratch[k].f = {};
    for (int i = 0; i < arms.num_arms(); ++i) {
        const Index k = kin.model.frame_body(arms.grips[i].tip);
        scratch[k].f += Phi<S>{frame_pose(kin, arms.grips[i].tip).p - kin.r(k)} * f[i];
    }
}
// B* lambda, of scratch[k].A.
template <class S>
Motion<S> tip_motion(const Kinematics<S>& kin, const ArmsOnObject<S>& arms, const BodyForces<S>& scratch,
                     int i)
{
    const Index k = kin.model.frame_body(arms.grips[i].tip);
    return PhiAdjoint<S>{frame_pose(kin, arms.grips[i].tip).p - kin.r(k)} * scratch[k].A;
}
// T' = T - C, C by inverse dynamics without acceleration.
template <class S>
void bias_free(const Kinematics<S>& kin, std::span<const S> T, std::span<S> T_prime, std::span<S> zeros,
               BodyForces<S>& scratch)
{
    require_size("closed-chain forward dynamics", "T", T.size(), kin.v.size());
    for (S& zero : zeros)
        zero = S(0);
    inverse_dynamics<S>(kin, zeros, T_prime, scratch);
    for (std::size_t j = 0; j < T.size(); ++j)
        T_prime[j] = T[j] - T_prime[j];
}

template <class S> void take_free_omega(ArmsOnObject<S>& arms)
{
    std::copy(arms.space.Omega.begin(), arms.space.Omega.end(), arms.Omega.begin());
}

} // namespace detail

// The dofs of a free body on the ground, from its classical acceleration about C: v_dot = H*^-1 (alpha - [0; w x v]).
template <class S>
void put_object_rates(const Kinematics<S>& kin, int body, const HeldObject<S>& object,
                      const Motion<S>& alpha_C, std::span<S> v_dot)
{
    const Hinge& hinge = kin.model.hinges()[body];
    if (hinge.kind != HingeKind::free || kin.body[body].parent != ground)
        throw UsageError("put_object_rates: body '" + kin.model.bodies()[body].name +
                         "' hangs otherwise; expected a free hinge on the ground");
    const Motion<S> A{alpha_C.w, alpha_C.v - cross(object.V.w, object.V.v)};
    const Pose<S> X_WM = kin.X_WB(body) * cast<S>(hinge.X_CM);
    const Motion<S> rate = rotate_back(X_WM.R, PhiAdjoint<S>{X_WM.p - object.C} * A);
    S* out = v_dot.data() + kin.body[body].first_dof;
    for (int i = 0; i < 3; ++i) {
        out[i] = rate.w[i];
        out[3 + i] = rate.v[i];
    }
}

extern template struct ArmsOnObject<double>;

} // namespace sweepdyn
