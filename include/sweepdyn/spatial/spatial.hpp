// Spatial vectors [angular; linear], the rigid shift phi, poses, and the cross operators.
// All parts of one expression are about the same point and in the same axes; the names at the call site say which.
#pragma once

#include "sweepdyn/spatial/vector3.hpp"

namespace sweepdyn {

// A velocity or an acceleration of a rigid body: angular w, and linear v of the reference point.
template <class S>
struct Motion {
    Vec3<S> w{}, v{};

    friend SWEEPDYN_INLINE Motion operator+(const Motion& a, const Motion& b)
    {
        return {a.w + b.w, a.v + b.v};
    }
    friend SWEEPDYN_INLINE Motion operator-(const Motion& a, const Motion& b)
    {
        return {a.w - b.w, a.v - b.v};
    }
    friend SWEEPDYN_INLINE Motion operator-(const Motion& a) { return {-a.w, -a.v}; }
    friend SWEEPDYN_INLINE Motion operator*(const S& s, const Motion& a) { return {s * a.w, s * a.v}; }
    SWEEPDYN_INLINE Motion& operator+=(const Motion& b) { return w += b.w, v += b.v, *this; }
    SWEEPDYN_INLINE Motion& operator-=(const Motion& b) { return w -= b.w, v -= b.v, *this; }
    friend bool operator==(const Motion&, const Motion&) = default;
};

// A wrench or a momentum: moment n about the reference point, and force f.
template <class S>
struct Force {
    Vec3<S> n{}, f{};

    friend SWEEPDYN_INLINE Force operator+(const Force& a, const Force& b) { return {a.n + b.n, a.f + b.f}; }
    friend SWEEPDYN_INLINE Force operator-(const Force& a, const Force& b) { return {a.n - b.n, a.f - b.f}; }
    friend SWEEPDYN_INLINE Force operator-(const Force& a) { return {-a.n, -a.f}; }
    friend SWEEPDYN_INLINE Force operator*(const S& s, const Force& a) { return {s * a.n, s * a.f}; }
    SWEEPDYN_INLINE Force& operator+=(const Force& b) { return n += b.n, f += b.f, *this; }
    SWEEPDYN_INLINE Force& operator-=(const Force& b) { return n -= b.n, f -= b.f, *this; }
    friend bool operator==(const Force&, const Force&) = default;
};

// The pairing of the two: power, or virtual work.
template <class S> SWEEPDYN_INLINE S dot(const Motion<S>& V, const Force<S>& F)
{
    return dot(V.w, F.n) + dot(V.v, F.f);
}
template <class S> SWEEPDYN_INLINE S dot(const Force<S>& F, const Motion<S>& V) { return dot(V, F); }

// The rigid shift phi(i,j) = [1, l~; 0, 1], l from point i to point j. It takes a force from j to i;
// its adjoint takes a motion from i to j. A group: phi(l) phi(m) = phi(l + m), inverse phi(-l).
template <class S> struct PhiAdjoint;
template <class S>
struct Phi {
    Vec3<S> l{};

    friend SWEEPDYN_INLINE Force<S> operator*(const Phi& phi, const Force<S>& F)
    {
        return {add_cross(F.n, phi.l, F.f), F.f};
    }
    friend SWEEPDYN_INLINE Phi operator*(const Phi& a, const Phi& b) { return {a.l + b.l}; }
    friend bool operator==(const Phi&, const Phi&) = default;
};
template <class S>
struct PhiAdjoint {
    Vec3<S> l{};

    friend SWEEPDYN_INLINE Motion<S> operator*(const PhiAdjoint& phi, const Motion<S>& V)
    {
        return {V.w, add_cross(V.v, V.w, phi.l)};
    }
    friend SWEEPDYN_INLINE PhiAdjoint operator*(const PhiAdjoint& a, const PhiAdjoint& b)
    {
        return {a.l + b.l};
    }
    friend bool operator==(const PhiAdjoint&, const PhiAdjoint&) = default;
};
template <class S> SWEEPDYN_INLINE PhiAdjoint<S> adj(const Phi<S>& phi) { return {phi.l}; }
template <class S> SWEEPDYN_INLINE Phi<S> adj(const PhiAdjoint<S>& phi) { return {phi.l}; }
template <class S> SWEEPDYN_INLINE Phi<S> inverse(const Phi<S>& phi) { return {-phi.l}; }
template <class S> SWEEPDYN_INLINE PhiAdjoint<S> inverse(const PhiAdjoint<S>& phi) { return {-phi.l}; }

// The cross operators of X = [a; b]. Papers' names on the right.
//     crm(X) = [a~, 0; b~, a~]    motion x motion    V tilde
//     crf(X) = [a~, b~; 0, a~]    motion x force     S[X] = -crm(X)', V bar
//     crq(F) = [n~, f~; f~, 0]    force first        Q[F] Y = -S[Y] F
template <class S>
struct Crm {
    Motion<S> X;
    friend SWEEPDYN_INLINE Motion<S> operator*(const Crm& c, const Motion<S>& Y)
    {
        return {cross(c.X.w, Y.w), add_cross(cross(c.X.v, Y.w), c.X.w, Y.v)};
    }
};
template <class S>
struct Crf {
    Motion<S> X;
    friend SWEEPDYN_INLINE Force<S> operator*(const Crf& c, const Force<S>& F)
    {
        return {add_cross(cross(c.X.w, F.n), c.X.v, F.f), cross(c.X.w, F.f)};
    }
};
template <class S>
struct Crq {
    Force<S> F;
    friend SWEEPDYN_INLINE Force<S> operator*(const Crq& c, const Motion<S>& Y)
    {
        return {add_cross(cross(c.F.n, Y.w), c.F.f, Y.v), cross(c.F.f, Y.w)};
    }
};
template <class S> SWEEPDYN_INLINE Crm<S> crm(const Motion<S>& X) { return {X}; }
template <class S> SWEEPDYN_INLINE Crf<S> crf(const Motion<S>& X) { return {X}; }
template <class S> SWEEPDYN_INLINE Crq<S> crq(const Force<S>& F) { return {F}; }

// The pose X_AB of frame B in frame A: axes R_AB and origin p_AoBo_A.
template <class S>
struct Pose {
    Mat3<S> R = Mat3<S>::identity();
    Vec3<S> p{};

    friend SWEEPDYN_INLINE Pose operator*(const Pose& X_AB, const Pose& X_BC)
    {
        return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
    }
    friend bool operator==(const Pose&, const Pose&) = default;
};
template <class S> SWEEPDYN_INLINE Pose<S> inverse(const Pose<S>& X)
{
    return {transpose(X.R), -transpose_times(X.R, X.p)};
}
template <class S> SWEEPDYN_INLINE Vec3<S> transform_point(const Pose<S>& X_AB, const Vec3<S>& p_B)
{
    return X_AB.p + X_AB.R * p_B;
}

// The same vector about the same point in other axes.
template <class S> SWEEPDYN_INLINE Motion<S> rotate(const Mat3<S>& R, const Motion<S>& V)
{
    return {R * V.w, R * V.v};
}
template <class S> SWEEPDYN_INLINE Force<S> rotate(const Mat3<S>& R, const Force<S>& F)
{
    return {R * F.n, R * F.f};
}
template <class S> SWEEPDYN_INLINE Motion<S> rotate_back(const Mat3<S>& R, const Motion<S>& V)
{
    return {transpose_times(R, V.w), transpose_times(R, V.v)};
}
template <class S> SWEEPDYN_INLINE Force<S> rotate_back(const Mat3<S>& R, const Force<S>& F)
{
    return {transpose_times(R, F.n), transpose_times(R, F.f)};
}

// The same quantity with numbers of another scalar type: constants of a model entering a sweep.
template <class S> Vec3<S> cast(const Vec3<double>& a) { return {S(a.x), S(a.y), S(a.z)}; }
template <class S> Mat3<S> cast(const Mat3<double>& A) { return {cast<S>(A.x), cast<S>(A.y), cast<S>(A.z)}; }
template <class S> Pose<S> cast(const Pose<double>& X) { return {cast<S>(X.R), cast<S>(X.p)}; }
template <class S> Motion<S> cast(const Motion<double>& V) { return {cast<S>(V.w), cast<S>(V.v)}; }
template <class S> Sym3<S> cast(const Sym3<double>& A)
{
    return {S(A.xx), S(A.xy), S(A.xz), S(A.yy), S(A.yz), S(A.zz)};
}

} // namespace sweepdyn
