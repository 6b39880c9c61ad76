// A rigid body's inertia M = [J, h~; -h~, m 1] while the body moves with the velocity V = [w; u], about a point that stands still.
//
//     M_dot = S[V] M + M S[V]' = [J_dot, p~; -p~, 0]        p = h_dot = m u + w x h, the linear momentum
//     Mbar  = 1/2 (M_dot - Q[M V]) = [L, 0; -p~, 0]         L = w~ (J - 1/2 tr(J) 1) - h~ u~              [000 (2.8), (3.4)]
//
// Mbar is the half of M_dot that works one way:  Mbar + Mbar' = M_dot,  Mbar V = S[V] M V. In particles at r that move with
// the body, Mbar X = sum dm [r x (w_X x r_dot); w_X x r_dot]: what it takes to keep up the velocity field X on the way.
#pragma once

#include "sweepdyn/spatial/inertia.hpp"

namespace sweepdyn {

// M_dot: it shifts as an inertia does, the mass that does not change being zero.
template <class S> SWEEPDYN_INLINE Inertia<S> inertia_rate(const Inertia<S>& M, const Motion<S>& V)
{
    const auto& [w, u] = V;
    const Sym3<S>& J = M.J;
    // Columns of w~ J; J_dot = w~ J + (w~ J)' + 2 (u.h) 1 - u h' - h u'
    const Vec3<S> x = cross(w, Vec3<S>{J.xx, J.xy, J.xz}), y = cross(w, Vec3<S>{J.xy, J.yy, J.yz}),
                  z = cross(w, Vec3<S>{J.xz, J.yz, J.zz}), h = M.h;
    const S xx = u.x * h.x, yy = u.y * h.y, zz = u.z * h.z;
    return {S(0),
            add_cross(M.m * u, w, h),
            {S(2) * (x.x + yy + zz), x.y + y.x - u.x * h.y - u.y * h.x, x.z + z.x - u.x * h.z - u.z * h.x,
             S(2) * (y.y + xx + zz), y.z + z.y - u.y * h.z - u.z * h.y, S(2) * (z.z + xx + yy)}};
}

// Mbar: twelve numbers.
template <class S>
struct BiasInertia {
    Mat3<S> L{};
    Vec3<S> p{};

    // Of the motion X it asks for the angular half only.
    friend SWEEPDYN_INLINE Force<S> operator*(const BiasInertia& B, const Vec3<S>& w)
    {
        return {B.L * w, cross(w, B.p)};
    }
    friend SWEEPDYN_INLINE Force<S> operator*(const BiasInertia& B, const Motion<S>& X) { return B * X.w; }
    // The moment of Mbar' X, about any point: it has no force.
    SWEEPDYN_INLINE Vec3<S> transpose_moment(const Motion<S>& X) const
    {
        return add_cross(transpose_times(L, X.w), p, X.v);
    }
    SWEEPDYN_INLINE BiasInertia& operator+=(const BiasInertia& B) { return L += B.L, p += B.p, *this; }
};

template <class S> SWEEPDYN_INLINE BiasInertia<S> bias_inertia(const Inertia<S>& M, const Motion<S>& V)
{
    const auto& [w, u] = V;
    const Sym3<S>& J = M.J;
    const S half = S(0.5) * J.trace();
    // -h~ u~ = (h.u) 1 - u h'
    const S hu = dot(M.h, u);
    Mat3<S> L{cross(w, Vec3<S>{J.xx - half, J.xy, J.xz}) - M.h.x * u,
              cross(w, Vec3<S>{J.xy, J.yy - half, J.yz}) - M.h.y * u,
              cross(w, Vec3<S>{J.xz, J.yz, J.zz - half}) - M.h.z * u};
    L.x.x += hu, L.y.y += hu, L.z.z += hu;
    return {L, add_cross(M.m * u, w, M.h)};
}

// phi Mbar phi', l from the new point to the old one: L - l~ p~.
template <class S> SWEEPDYN_INLINE BiasInertia<S> shift(const BiasInertia<S>& B, const Vec3<S>& l)
{
    // l~ p~ = p l' - (l.p) 1
    const S lp = dot(l, B.p);
    Mat3<S> L{B.L.x - l.x * B.p, B.L.y - l.y * B.p, B.L.z - l.z * B.p};
    L.x.x += lp, L.y.y += lp, L.z.z += lp;
    return {L, B.p};
}

} // namespace sweepdyn
