// Spatial quantities as Eigen vectors and matrices: the border, and what laws are checked with.
#pragma once

#include <Eigen/Core>

#include "sweepdyn/spatial/inertia.hpp"

namespace sweepdyn {

template <class S> using Vector3 = Eigen::Matrix<S, 3, 1>;
template <class S> using Matrix3 = Eigen::Matrix<S, 3, 3>;
template <class S> using Vector6 = Eigen::Matrix<S, 6, 1>;
template <class S> using Matrix6 = Eigen::Matrix<S, 6, 6>;

template <class S> Vector3<S> dense(const Vec3<S>& a) { return {a.x, a.y, a.z}; }
template <class S> Matrix3<S> dense(const Mat3<S>& A)
{
    Matrix3<S> out;
    out << A.x.x, A.y.x, A.z.x, A.x.y, A.y.y, A.z.y, A.x.z, A.y.z, A.z.z;
    return out;
}
template <class S> Matrix3<S> dense(const Sym3<S>& A) { return dense(A.full()); }
template <class S> Vector6<S> dense(const Motion<S>& V)
{
    Vector6<S> out;
    out << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z;
    return out;
}
template <class S> Vector6<S> dense(const Force<S>& F)
{
    Vector6<S> out;
    out << F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z;
    return out;
}
template <class S> Matrix6<S> dense_blocks(const Mat3<S>& A, const Mat3<S>& B, const Mat3<S>& C,
                                           const Mat3<S>& D)
{
    Matrix6<S> out;
    out << dense(A), dense(B), dense(C), dense(D);
    return out;
}
template <class S> Matrix6<S> dense(const Phi<S>& phi)
{
    return dense_blocks(Mat3<S>::identity(), tilde(phi.l), Mat3<S>{}, Mat3<S>::identity());
}
template <class S> Matrix6<S> dense(const PhiAdjoint<S>& phi) { return dense(adj(phi)).transpose(); }
template <class S> Matrix6<S> dense(const Crm<S>& c)
{
    return dense_blocks(tilde(c.X.w), Mat3<S>{}, tilde(c.X.v), tilde(c.X.w));
}
template <class S> Matrix6<S> dense(const Crf<S>& c)
{
    return dense_blocks(tilde(c.X.w), tilde(c.X.v), Mat3<S>{}, tilde(c.X.w));
}
template <class S> Matrix6<S> dense(const Crq<S>& c)
{
    return dense_blocks(tilde(c.F.n), tilde(c.F.f), tilde(c.F.f), Mat3<S>{});
}
template <class S> Matrix6<S> dense(const Inertia<S>& M)
{
    return dense_blocks(M.J.full(), tilde(M.h), S(-1) * tilde(M.h), M.m * Mat3<S>::identity());
}
template <class S> Matrix6<S> dense(const ArticulatedInertia<S>& P)
{
    return dense_blocks(P.I.full(), P.B, transpose(P.B), P.M.full());
}

template <class Derived> auto vec3(const Eigen::MatrixBase<Derived>& a)
{
    return Vec3<typename Derived::Scalar>{a(0), a(1), a(2)};
}
template <class Derived> auto mat3(const Eigen::MatrixBase<Derived>& A)
{
    return Mat3<typename Derived::Scalar>{vec3(A.col(0)), vec3(A.col(1)), vec3(A.col(2))};
}
template <class Derived> auto sym3(const Eigen::MatrixBase<Derived>& A)
{
    return Sym3<typename Derived::Scalar>{A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)};
}
template <class Derived> auto motion(const Eigen::MatrixBase<Derived>& a)
{
    return Motion<typename Derived::Scalar>{{a(0), a(1), a(2)}, {a(3), a(4), a(5)}};
}
template <class Derived> auto force(const Eigen::MatrixBase<Derived>& a)
{
    return Force<typename Derived::Scalar>{{a(0), a(1), a(2)}, {a(3), a(4), a(5)}};
}

} // namespace sweepdyn
