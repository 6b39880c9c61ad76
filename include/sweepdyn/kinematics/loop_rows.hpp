// The rows of one loop, from the relative pose X_ab of its frames alone.
//
//     A(X_ab)   the wrenches that the loop can carry, a column per row, in the axes of a about its origin; the row is
//               A'(V_a - V_b) = 0
//     c(X_ab)   how far the holonomic rows are from closed:  c_dot = -A'(V_a - V_b) at c = 0. Where o_b may be away from o_a while turns
//               are kept (prismatic, cylindrical), distances are measured with those turns taken back, as the forces through o_a do
//     A°        the rate of A seen from body a, where b moves with the twist u = V_b - V_a; zero for most kinds
//
// Orientations close by rotation vectors, never by dot products, which have false roots. One turn alone is closed by two axes that
// stay perpendicular. Specified by tests/laws/loop_rows.cpp.
#pragma once

#include <array>
#include <span>

#include "sweepdyn/model/loop.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

inline constexpr int most_rows = 6;

// Both frames, in any common axes: a's own, or the world's.
template <class S>
struct LoopFrames {
    Mat3<S> R_a, R_b;
    Vec3<S> p; // from the origin of a to that of b

    static LoopFrames seen_from_a(const Pose<S>& X_ab) { return {Mat3<S>::identity(), X_ab.R, X_ab.p}; }
};

namespace detail {

template <class S> Vec3<S> unit3(int i)
{
    Vec3<S> e{};
    e[i] = S(1);
    return e;
}
template <class S> const Vec3<S>& column(const Mat3<S>& R, int i)
{
    return i == 0 ? R.x : i == 1 ? R.y : R.z;
}

// Which of the turns rx, ry, rz and of the distances x, y, z the kind keeps at zero.
struct KeptRows {
    std::array<bool, 3> turn{}, distance{};
    int num_turns() const { return turn[0] + turn[1] + turn[2]; }
};
inline KeptRows kept_rows(const Loop& loop)
{
    switch (loop.kind) {
    case LoopKind::weld: return {{true, true, true}, {true, true, true}};
    case LoopKind::revolute: return {{true, true, false}, {true, true, true}};
    case LoopKind::prismatic: return {{true, true, true}, {true, true, false}};
    case LoopKind::cylindrical: return {{true, true, false}, {true, true, false}};
    case LoopKind::universal: return {{false, false, true}, {true, true, true}};
    case LoopKind::planar_pin: return {{}, {true, true, false}};
    case LoopKind::ball:
    case LoopKind::soft_finger: return {{}, {true, true, true}};
    case LoopKind::rows: {
        KeptRows kept;
        for (LoopRow row : loop.rows)
            (row <= LoopRow::rz ? kept.turn : kept.distance)[static_cast<std::size_t>(row) % 3] = true;
        return kept;
    }
    default: return {};
    }
}

// The lowest point of what rolls, from the origin of a, whose plane xy it touches; and its rate, seen from a. Of a disc that lies flat
// there is none: not a number.
template <class S> Vec3<S> contact_point(const Loop& loop, const LoopFrames<S>& at)
{
    const Vec3<S>& up = at.R_a.z;
    if (loop.kind == LoopKind::rolling_sphere)
        return at.p - S(loop.radius) * up;
    const Vec3<S>& axle = at.R_b.z;
    const Vec3<S> in_disc = up - dot(axle, up) * axle; // up, along the disc
    return at.p - (S(loop.radius) / sqrt(dot(in_disc, in_disc))) * in_disc;
}
template <class S> Vec3<S> contact_rate(const Loop& loop, const LoopFrames<S>& at, const Motion<S>& u)
{
    const Vec3<S> p_dot = add_cross(u.v, u.w, at.p);
    if (loop.kind == LoopKind::rolling_sphere)
        return p_dot;
    const Vec3<S>&up = at.R_a.z, &axle = at.R_b.z;
    const Vec3<S> axle_dot = cross(u.w, axle), in_disc = up - dot(axle, up) * axle;
    const Vec3<S> in_disc_dot = -(dot(axle_dot, up) * axle) - dot(axle, up) * axle_dot;
    const S size2 = dot(in_disc, in_disc);
    return p_dot -
           (S(loop.radius) / sqrt(size2)) * (in_disc_dot - (dot(in_disc, in_disc_dot) / size2) * in_disc);
}

// The turn that brings the axis (0, 1, 2: x, y, z) to the direction d, about an axis perpendicular to both; of the opposite direction
// half a turn about any.
template <class S> Vec3<S> turn_to(int axis, const Vec3<S>& d)
{
    const Vec3<S> z = unit3<S>(axis), c = cross(z, d);
    const S sine2 = dot(c, c);
    if (value(sine2) < 1e-24)
        return value(dot(z, d)) > 0.0 ? c : S(3.141592653589793) * unit3<S>((axis + 1) % 3);
    const S sine = sqrt(sine2);
    return (atan2(sine, dot(z, d)) / sine) * c;
}

// p with the turn of turn_to taken back: x - c x + c (c x)/(1 + d), c = z x d.
template <class S> Vec3<S> turned_back(int axis, const Vec3<S>& d, const Vec3<S>& p)
{
    const Vec3<S> z = unit3<S>(axis), c = cross(z, d), cp = cross(c, p);
    if (const S cosine = dot(z, d); value(cosine) > -1.0 + 1e-12)
        return p - cp + (S(1) / (S(1) + cosine)) * cross(c, cp);
    const int half = (axis + 1) % 3;
    return S(2) * p[half] * unit3<S>(half) - p;
}

} // namespace detail

inline bool wrenches_move(const Loop& loop)
{
    switch (loop.kind) {
    case LoopKind::universal:
    case LoopKind::planar_pin:
    case LoopKind::rolling_sphere:
    case LoopKind::rolling_disc: return true;
    case LoopKind::rows: {
        const detail::KeptRows kept = detail::kept_rows(loop);
        const bool all_distances = kept.distance[0] && kept.distance[1] && kept.distance[2];
        const bool any_distance = kept.distance[0] || kept.distance[1] || kept.distance[2];
        return kept.num_turns() == 1 || (any_distance && !all_distances && kept.num_turns() < 3);
    }
    default: return false;
    }
}

// The columns of A, in the axes that the frames are given in; returns how many.
template <class S> int loop_wrenches(const Loop& loop, const LoopFrames<S>& at, std::span<Force<S>> A)
{
    std::size_t rows = 0;
    if (loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc) {
        const Vec3<S> c = detail::contact_point(loop, at);
        for (int i : {2, 0, 1}) // the normal first: it is holonomic
            A[rows++] = {cross(c, at.R_a.column(i)), at.R_a.column(i)};
        return 3;
    }
    const detail::KeptRows kept = detail::kept_rows(loop);
    const bool moving = wrenches_move(loop);
    for (int i = 0; i < 3; ++i)
        if (kept.distance[static_cast<std::size_t>(
                i)]) // a force through the origin of b, which a constant one meets
            A[rows++] = {moving ? cross(at.p, at.R_a.column(i)) : Vec3<S>{}, at.R_a.column(i)};
    for (int i = 0; i < 3; ++i)
        if (kept.turn[static_cast<std::size_t>(i)])
            A[rows++] = {kept.num_turns() == 1 ? cross(at.R_a.column((i + 1) % 3), at.R_b.column((i + 2) % 3))
                                               : at.R_a.column(i),
                         {}};
    if (loop.kind == LoopKind::soft_finger)
        A[rows++] = {at.R_a.z, {}};
    return static_cast<int>(rows);
}

// c, of the holonomic rows.
template <class S> int loop_gap(const Loop& loop, const Pose<S>& X_ab, std::span<S> c)
{
    std::size_t rows = 0;
    if (loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc) {
        c[0] = detail::contact_point(loop, LoopFrames<S>::seen_from_a(X_ab)).z;
        return 1;
    }
    const detail::KeptRows kept = detail::kept_rows(loop);
    const int turns = kept.num_turns(), axis = !kept.turn[0]   ? 0
                                               : !kept.turn[1] ? 1
                                                               : 2; // of two turns, the free one
    const bool slides = !wrenches_move(loop) && !(kept.distance[0] && kept.distance[1] && kept.distance[2]);
    const Vec3<S> p = !slides || turns < 2 ? X_ab.p
                      : turns == 3         ? transpose(X_ab.R) * X_ab.p
                                           : detail::turned_back(axis, detail::column(X_ab.R, axis), X_ab.p);
    for (int i = 0; i < 3; ++i)
        if (kept.distance[static_cast<std::size_t>(i)])
            c[rows++] = p[i];
    switch (turns) {
    case 0: break;
    case 1:
        for (int i = 0; i < 3; ++i)
            if (kept.turn[static_cast<std::size_t>(i)])
                c[rows++] = -detail::column(X_ab.R, (i + 2) % 3)[(i + 1) % 3];
        break;
    case 2: {
        const Vec3<S> turn = detail::turn_to(axis, detail::column(X_ab.R, axis));
        for (int i = 0; i < 3; ++i)
            if (i != axis)
                c[rows++] = turn[i];
        break;
    }
    default: {
        const Vec3<S> turn = log_rotation(X_ab.R);
        for (int i = 0; i < 3; ++i)
            c[rows++] = turn[i];
    }
    }
    return static_cast<int>(rows);
}

namespace detail {
// X moved along the twist u (axes and origin of a), to first order.
template <class S> Pose<Dual<S>> moved(const Pose<S>& X, const Motion<S>& u)
{
    const auto dual = [](const Vec3<S>& a, const Vec3<S>& rate) {
        return Vec3<Dual<S>>{{a.x, rate.x}, {a.y, rate.y}, {a.z, rate.z}};
    };
    return {{dual(X.R.x, cross(u.w, X.R.x)), dual(X.R.y, cross(u.w, X.R.y)), dual(X.R.z, cross(u.w, X.R.z))},
            dual(X.p, u.v + cross(u.w, X.p))};
}
} // namespace detail

// The columns of A°, for b that moves with the twist u seen from a; all in the axes that the frames are given in.
template <class S>
int loop_wrench_rates(const Loop& loop, const LoopFrames<S>& at, const Motion<S>& u,
                      std::span<Force<S>> rates)
{
    std::size_t rows = 0;
    if (loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc) {
        const Vec3<S> c_dot = detail::contact_rate(loop, at, u);
        for (int i : {2, 0, 1})
            rates[rows++] = {cross(c_dot, at.R_a.column(i)), {}};
        return 3;
    }
    const detail::KeptRows kept = detail::kept_rows(loop);
    const bool moving = wrenches_move(loop);
    const Vec3<S> p_dot = add_cross(u.v, u.w, at.p);
    for (int i = 0; i < 3; ++i)
        if (kept.distance[static_cast<std::size_t>(i)])
            rates[rows++] = {moving ? cross(p_dot, at.R_a.column(i)) : Vec3<S>{}, {}};
    for (int i = 0; i < 3; ++i)
        if (kept.turn[static_cast<std::size_t>(i)])
            rates[rows++] = {kept.num_turns() == 1
                                 ? cross(at.R_a.column((i + 1) % 3), cross(u.w, at.R_b.column((i + 2) % 3)))
                                 : Vec3<S>{},
                             {}};
    if (loop.kind == LoopKind::soft_finger)
        rates[rows++] = {};
    return static_cast<int>(rows);
}

} // namespace sweepdyn
