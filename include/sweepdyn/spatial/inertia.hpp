// Spatial inertias. A rigid body's has ten numbers, an articulated body's twenty-one.
#pragma once

#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

// M = [J, h~; -h~, m 1]: mass m, first moment h = m c, second moment J, all about the reference point.
template <class S>
struct Inertia {
    S m{};
    Vec3<S> h{};
    Sym3<S> J{};

    // From the mass, the centre of mass c and the inertia about it, in the same axes: J = Jc - m c~ c~.
    static SWEEPDYN_INLINE Inertia about_point(const S& mass, const Vec3<S>& c, const Sym3<S>& inertia_com)
    {
        const Vec3<S> h = mass * c;
        const S xx = h.x * c.x, yy = h.y * c.y, zz = h.z * c.z;
        return {mass,
                h,
                {inertia_com.xx + (yy + zz), inertia_com.xy - h.x * c.y, inertia_com.xz - h.x * c.z,
                 inertia_com.yy + (xx + zz), inertia_com.yz - h.y * c.z, inertia_com.zz + (xx + yy)}};
    }

    friend SWEEPDYN_INLINE Force<S> operator*(const Inertia& M, const Motion<S>& V)
    {
        return {add_cross(M.J * V.w, M.h, V.v), add_cross(M.m * V.v, V.w, M.h)};
    }
    friend SWEEPDYN_INLINE Inertia operator+(const Inertia& A, const Inertia& B)
    {
        return {A.m + B.m, A.h + B.h, A.J + B.J};
    }
    SWEEPDYN_INLINE Inertia& operator+=(const Inertia& B) { return *this = *this + B; }
};

// phi M phi', l from the new point to the old one.
template <class S> SWEEPDYN_INLINE Inertia<S> shift(const Inertia<S>& M, const Vec3<S>& l)
{
    const Vec3<S> h = M.h + M.m * l;
    // J - l~ h~ - h1~ l~ with h1 the new first moment; a~ b~ = b a' - (a.b) 1.
    const S lh = dot(l, M.h) + dot(h, l);
    return {M.m,
            h,
            {M.J.xx + lh - (M.h.x * l.x + l.x * h.x), M.J.xy - (M.h.x * l.y + l.x * h.y),
             M.J.xz - (M.h.x * l.z + l.x * h.z), M.J.yy + lh - (M.h.y * l.y + l.y * h.y),
             M.J.yz - (M.h.y * l.z + l.y * h.z), M.J.zz + lh - (M.h.z * l.z + l.z * h.z)}};
}

// The force that moves a rigid body with velocity V and spatial acceleration A:
//     M A + S[V] M V, written out as Newton's and Euler's equations about the reference point.
template <class S> SWEEPDYN_INLINE Force<S> newton_euler(const Inertia<S>& M, const Motion<S>& V,
                                                         const Motion<S>& A)
{
    const Vec3<S> a = add_cross(A.v, V.w, V.v); // the material acceleration at the reference point
    return {add_cross(add_cross(M.J * A.w, V.w, M.J * V.w), M.h, a),
            add_cross(add_cross(M.m * a, A.w, M.h), V.w, cross(V.w, M.h))};
}

// P = [I, B; B', M]: what a body's hinge feels when everything outboard is free to move.
template <class S>
struct ArticulatedInertia {
    Sym3<S> I{};
    Mat3<S> B{};
    Sym3<S> M{};

    ArticulatedInertia() = default;
    explicit SWEEPDYN_INLINE ArticulatedInertia(const Inertia<S>& rigid)
        : I(rigid.J),
          B(tilde(rigid.h)),
          M(Sym3<S>::diagonal(rigid.m, rigid.m, rigid.m))
    {
    }
    SWEEPDYN_INLINE ArticulatedInertia(const Sym3<S>& II, const Mat3<S>& BB, const Sym3<S>& MM)
        : I(II),
          B(BB),
          M(MM)
    {
    }

    friend SWEEPDYN_INLINE Force<S> operator*(const ArticulatedInertia& P, const Motion<S>& V)
    {
        return {P.I * V.w + P.B * V.v, transpose_times(P.B, V.w) + P.M * V.v};
    }
    SWEEPDYN_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& Q)
    {
        I += Q.I, B += Q.B, M += Q.M;
        return *this;
    }
    // Adds a rigid body: the off-diagonal block gains h~, which has no diagonal.
    SWEEPDYN_INLINE ArticulatedInertia& operator+=(const Inertia<S>& rigid)
    {
        I += rigid.J;
        B.x.y += rigid.h.z, B.x.z -= rigid.h.y, B.y.x -= rigid.h.z;
        B.y.z += rigid.h.x, B.z.x += rigid.h.y, B.z.y -= rigid.h.x;
        M.xx += rigid.m, M.yy += rigid.m, M.zz += rigid.m;
        return *this;
    }
    // P - G F', which is symmetric when G is a multiple of F.
    SWEEPDYN_INLINE void rank_one_downdate(const Force<S>& G, const Force<S>& F)
    {
        I.xx -= G.n.x * F.n.x, I.xy -= G.n.x * F.n.y, I.xz -= G.n.x * F.n.z;
        I.yy -= G.n.y * F.n.y, I.yz -= G.n.y * F.n.z, I.zz -= G.n.z * F.n.z;
        B.x -= F.f.x * G.n, B.y -= F.f.y * G.n, B.z -= F.f.z * G.n;
        M.xx -= G.f.x * F.f.x, M.xy -= G.f.x * F.f.y, M.xz -= G.f.x * F.f.z;
        M.yy -= G.f.y * F.f.y, M.yz -= G.f.y * F.f.z, M.zz -= G.f.z * F.f.z;
    }
};

// phi P phi', l from the new point to the old one: N = B + l~ M, I1 = I + l~ B' + N l~'.
template <class S> SWEEPDYN_INLINE ArticulatedInertia<S> shift(const ArticulatedInertia<S>& P,
                                                               const Vec3<S>& l)
{
    // Columns of l~ M, M being symmetric.
    const Vec3<S> mx{P.M.xx, P.M.xy, P.M.xz}, my{P.M.xy, P.M.yy, P.M.yz}, mz{P.M.xz, P.M.yz, P.M.zz};
    const Mat3<S> N{P.B.x + cross(l, mx), P.B.y + cross(l, my), P.B.z + cross(l, mz)};
    // Column j of l~ B' is l x (row j of B); row i of N l~' is l x (row i of N).
    const Vec3<S> b0 = cross(l, Vec3<S>{P.B.x.x, P.B.y.x, P.B.z.x});
    const Vec3<S> b1 = cross(l, Vec3<S>{P.B.x.y, P.B.y.y, P.B.z.y});
    const Vec3<S> b2 = cross(l, Vec3<S>{P.B.x.z, P.B.y.z, P.B.z.z});
    const Vec3<S> n0 = cross(l, Vec3<S>{N.x.x, N.y.x, N.z.x});
    const Vec3<S> n1 = cross(l, Vec3<S>{N.x.y, N.y.y, N.z.y});
    const Vec3<S> n2 = cross(l, Vec3<S>{N.x.z, N.y.z, N.z.z});
    return {{P.I.xx + b0.x + n0.x, P.I.xy + b1.x + n0.y, P.I.xz + b2.x + n0.z, P.I.yy + b1.y + n1.y,
             P.I.yz + b2.y + n1.z, P.I.zz + b2.z + n2.z},
            N,
            P.M};
}

} // namespace sweepdyn
