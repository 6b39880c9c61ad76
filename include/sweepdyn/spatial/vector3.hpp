// Three-dimensional vectors and matrices: the small change that spatial quantities are made of.
#pragma once

#include "sweepdyn/spatial/scalar.hpp"

namespace sweepdyn {

template <class S>
struct Vec3 {
    S x{}, y{}, z{};

    SWEEPDYN_INLINE S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    SWEEPDYN_INLINE const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    friend SWEEPDYN_INLINE Vec3 operator+(const Vec3& a, const Vec3& b)
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend SWEEPDYN_INLINE Vec3 operator-(const Vec3& a, const Vec3& b)
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend SWEEPDYN_INLINE Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend SWEEPDYN_INLINE Vec3 operator*(const S& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
    SWEEPDYN_INLINE Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
    SWEEPDYN_INLINE Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class S> SWEEPDYN_INLINE S dot(const Vec3<S>& a, const Vec3<S>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S> SWEEPDYN_INLINE Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// c + a x b, with one rounding per product where the machine can.
template <class S> SWEEPDYN_INLINE Vec3<S> add_cross(const Vec3<S>& c, const Vec3<S>& a, const Vec3<S>& b)
{
    return {c.x + a.y * b.z - a.z * b.y, c.y + a.z * b.x - a.x * b.z, c.z + a.x * b.y - a.y * b.x};
}
template <class S> SWEEPDYN_INLINE S norm(const Vec3<S>& a) { return sqrt(dot(a, a)); }

// A matrix by its columns. For a rotation R_WB the columns are the axes of B, written in W.
template <class S>
struct Mat3 {
    Vec3<S> x{}, y{}, z{};

    static Mat3 identity() { return {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}}; }

    SWEEPDYN_INLINE const Vec3<S>& column(int i) const { return i == 0 ? x : i == 1 ? y : z; }
    SWEEPDYN_INLINE Vec3<S>& column(int i) { return i == 0 ? x : i == 1 ? y : z; }
    SWEEPDYN_INLINE const S& operator()(int row, int col) const { return column(col)[row]; }
    SWEEPDYN_INLINE S& operator()(int row, int col) { return column(col)[row]; }

    friend SWEEPDYN_INLINE Vec3<S> operator*(const Mat3& A, const Vec3<S>& b)
    {
        return {A.x.x * b.x + A.y.x * b.y + A.z.x * b.z, A.x.y * b.x + A.y.y * b.y + A.z.y * b.z,
                A.x.z * b.x + A.y.z * b.y + A.z.z * b.z};
    }
    friend SWEEPDYN_INLINE Mat3 operator*(const Mat3& A, const Mat3& B)
    {
        return {A * B.x, A * B.y, A * B.z};
    }
    friend SWEEPDYN_INLINE Mat3 operator*(const S& s, const Mat3& A) { return {s * A.x, s * A.y, s * A.z}; }
    friend SWEEPDYN_INLINE Mat3 operator+(const Mat3& A, const Mat3& B)
    {
        return {A.x + B.x, A.y + B.y, A.z + B.z};
    }
    friend SWEEPDYN_INLINE Mat3 operator-(const Mat3& A, const Mat3& B)
    {
        return {A.x - B.x, A.y - B.y, A.z - B.z};
    }
    SWEEPDYN_INLINE Mat3& operator+=(const Mat3& B) { return x += B.x, y += B.y, z += B.z, *this; }
    friend bool operator==(const Mat3&, const Mat3&) = default;
};

template <class S> SWEEPDYN_INLINE Mat3<S> transpose(const Mat3<S>& A)
{
    return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
// A' b without forming A'.
template <class S> SWEEPDYN_INLINE Vec3<S> transpose_times(const Mat3<S>& A, const Vec3<S>& b)
{
    return {dot(A.x, b), dot(A.y, b), dot(A.z, b)};
}
// a~, the matrix of the cross product: tilde(a) b = a x b.
template <class S> SWEEPDYN_INLINE Mat3<S> tilde(const Vec3<S>& a)
{
    return {{S(0), a.z, -a.y}, {-a.z, S(0), a.x}, {a.y, -a.x, S(0)}};
}

// A symmetric matrix: six numbers.
template <class S>
struct Sym3 {
    S xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    static Sym3 diagonal(S a, S b, S c) { return {a, S(0), S(0), b, S(0), c}; }

    friend SWEEPDYN_INLINE Vec3<S> operator*(const Sym3& A, const Vec3<S>& b)
    {
        return {A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
                A.xz * b.x + A.yz * b.y + A.zz * b.z};
    }
    friend SWEEPDYN_INLINE Sym3 operator+(const Sym3& A, const Sym3& B)
    {
        return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
    }
    friend SWEEPDYN_INLINE Sym3 operator-(const Sym3& A, const Sym3& B)
    {
        return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yy - B.yy, A.yz - B.yz, A.zz - B.zz};
    }
    friend SWEEPDYN_INLINE Sym3 operator*(const S& s, const Sym3& A)
    {
        return {s * A.xx, s * A.xy, s * A.xz, s * A.yy, s * A.yz, s * A.zz};
    }
    SWEEPDYN_INLINE Sym3& operator+=(const Sym3& B) { return *this = *this + B; }
    friend bool operator==(const Sym3&, const Sym3&) = default;

    SWEEPDYN_INLINE S trace() const { return xx + yy + zz; }
    Mat3<S> full() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }
};

// R A R' for a symmetric A: the same tensor in other axes.
template <class S> SWEEPDYN_INLINE Sym3<S> rotate(const Mat3<S>& R, const Sym3<S>& A)
{
    const Vec3<S> u = A.xx * R.x + A.xy * R.y + A.xz * R.z; // columns of R A
    const Vec3<S> v = A.xy * R.x + A.yy * R.y + A.yz * R.z;
    const Vec3<S> w = A.xz * R.x + A.yz * R.y + A.zz * R.z;
    return {u.x * R.x.x + v.x * R.y.x + w.x * R.z.x, u.x * R.x.y + v.x * R.y.y + w.x * R.z.y,
            u.x * R.x.z + v.x * R.y.z + w.x * R.z.z, u.y * R.x.y + v.y * R.y.y + w.y * R.z.y,
            u.y * R.x.z + v.y * R.y.z + w.y * R.z.z, u.z * R.x.z + v.z * R.y.z + w.z * R.z.z};
}

} // namespace sweepdyn
