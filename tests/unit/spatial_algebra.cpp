// Vectors, matrices, spatial vectors, shifts, cross operators, poses and inertias against Eigen's dense ones,
// for every scalar. With dual numbers the same comparison covers the derivatives.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dense.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {
namespace {

template <class S> long double size(const S& a) { return std::abs(static_cast<long double>(a)); }
template <class S> long double size(const Dual<S>& a) { return std::max(size(a.real), size(a.tangent)); }

template <class Matrix> long double largest(const Matrix& A)
{
    long double out = 0;
    for (int i = 0; i < A.size(); ++i)
        if (const long double entry = size(A.reshaped()[i]); !(entry <= out))
            out = entry;
    return out;
}
template <class Got, class Expected>
testing::AssertionResult same(const Eigen::MatrixBase<Got>& got, const Eigen::MatrixBase<Expected>& expected)
{
    const long double error = largest((got - expected).eval()), scale = largest(expected.eval());
    if (error <= 50 * Precision<typename Got::Scalar>::epsilon * scale)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "off by " << error << ", largest entry " << scale;
}
template <class S> testing::AssertionResult same(const S& got, const S& expected, long double scale)
{
    const long double error = size(S(got - expected));
    if (error <= 50 * Precision<S>::epsilon * scale)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "off by " << error << " of " << scale;
}

// Random quantities of any scalar.
template <class S>
class Algebra : public testing::Test {
protected:
    S number()
    {
        if constexpr (std::floating_point<S>)
            return static_cast<S>(random.uniform(-1, 1));
        else
            return S(random.uniform(-1, 1), random.uniform(-1, 1));
    }
    Vec3<S> vector() { return {number(), number(), number()}; }
    Mat3<S> matrix() { return {vector(), vector(), vector()}; }
    Sym3<S> symmetric() { return {number(), number(), number(), number(), number(), number()}; }
    Motion<S> motion() { return {vector(), vector()}; }
    Force<S> force() { return {vector(), vector()}; }
    Mat3<S> rotation() { return exp_rotation(S(3) * vector()); }
    Inertia<S> inertia() { return {number(), vector(), symmetric()}; }
    ArticulatedInertia<S> articulated() { return {symmetric(), matrix(), symmetric()}; }

    Random random{1};
    static constexpr int trials = 20;
};
using Scalars = testing::Types<double, float, long double, Dual<double>>;
TYPED_TEST_SUITE(Algebra, Scalars);

TYPED_TEST(Algebra, Vectors)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto a = this->vector(), b = this->vector(), c = this->vector();
        const auto s = this->number();
        const auto A = dense(a), B = dense(b), C = dense(c);
        EXPECT_TRUE(same(dense(a + b), (A + B).eval()));
        EXPECT_TRUE(same(dense(a - b), (A - B).eval()));
        EXPECT_TRUE(same(dense(-a), (-A).eval()));
        EXPECT_TRUE(same(dense(s * a), (s * A).eval()));
        EXPECT_TRUE(same(dense(cross(a, b)), A.cross(B).eval()));
        EXPECT_TRUE(same(dense(add_cross(c, a, b)), (C + A.cross(B)).eval()));
        EXPECT_TRUE(same(dot(a, b), A.dot(B), 3));
        const auto length = norm(a);
        EXPECT_TRUE(same(length * length, A.dot(A), 3));
        auto sum = a, rest = a;
        sum += b, rest -= b;
        EXPECT_TRUE(same(dense(sum), dense(a + b)));
        EXPECT_TRUE(same(dense(rest), dense(a - b)));
        for (int i = 0; i < 3; ++i)
            EXPECT_TRUE(same(a[i], A(i), 0));
        EXPECT_TRUE(same(dense(vec3(A)), A));
    }
}

TYPED_TEST(Algebra, Matrices)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto a = this->matrix(), b = this->matrix();
        const auto u = this->vector(), v = this->vector();
        const auto s = this->number();
        const auto A = dense(a), B = dense(b);
        EXPECT_TRUE(same(dense(a * b), (A * B).eval()));
        EXPECT_TRUE(same(dense(a + b), (A + B).eval()));
        EXPECT_TRUE(same(dense(a - b), (A - B).eval()));
        EXPECT_TRUE(same(dense(s * a), (s * A).eval()));
        EXPECT_TRUE(same(dense(a * u), (A * dense(u)).eval()));
        EXPECT_TRUE(same(dense(transpose(a)), A.transpose().eval()));
        EXPECT_TRUE(same(dense(transpose_times(a, u)), (A.transpose() * dense(u)).eval()));
        EXPECT_TRUE(same(dense(tilde(u) * v), dense(cross(u, v))));
        EXPECT_TRUE(same(dense(tilde(u)), (-dense(tilde(u)).transpose()).eval()));
        auto sum = a;
        sum += b;
        EXPECT_TRUE(same(dense(sum), dense(a + b)));
        EXPECT_TRUE(same(dense(a * Mat3<TypeParam>::identity()), A));
        EXPECT_TRUE(same(dense(mat3(A)), A));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                EXPECT_TRUE(same(a(i, j), A(i, j), 0));
        auto written = a;
        written(1, 2) = s;
        written.column(0) = u;
        EXPECT_TRUE(same(dense(written)(1, 2), s, 0));
        EXPECT_TRUE(same(dense(written.x), dense(u)));
    }
}

TYPED_TEST(Algebra, SymmetricMatrices)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto a = this->symmetric(), b = this->symmetric();
        const auto u = this->vector();
        const auto s = this->number();
        const auto r = this->matrix(); // the congruence holds for any matrix
        const auto A = dense(a), B = dense(b), R = dense(r);
        EXPECT_TRUE(same(A, A.transpose().eval()));
        EXPECT_TRUE(same(dense(a + b), (A + B).eval()));
        EXPECT_TRUE(same(dense(a - b), (A - B).eval()));
        EXPECT_TRUE(same(dense(s * a), (s * A).eval()));
        EXPECT_TRUE(same(dense(a * u), (A * dense(u)).eval()));
        EXPECT_TRUE(same(dense(rotate(r, a)), (R * A * R.transpose()).eval()));
        EXPECT_TRUE(same(a.trace(), TypeParam(A(0, 0) + A(1, 1) + A(2, 2)), 3));
        EXPECT_TRUE(same(dense(sym3(A)), A));
        auto sum = a;
        sum += b;
        EXPECT_TRUE(same(dense(sum), dense(a + b)));
        const auto diagonal = dense(Sym3<TypeParam>::diagonal(u.x, u.y, u.z));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                EXPECT_TRUE(same(diagonal(i, j), i == j ? u[i] : TypeParam(0), 0));
    }
}

TYPED_TEST(Algebra, SpatialVectors)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto V = this->motion(), W = this->motion();
        const auto F = this->force(), G = this->force();
        const auto s = this->number();
        EXPECT_TRUE(same(dense(V + W), (dense(V) + dense(W)).eval()));
        EXPECT_TRUE(same(dense(V - W), (dense(V) - dense(W)).eval()));
        EXPECT_TRUE(same(dense(-V), (-dense(V)).eval()));
        EXPECT_TRUE(same(dense(s * V), (s * dense(V)).eval()));
        EXPECT_TRUE(same(dense(F + G), (dense(F) + dense(G)).eval()));
        EXPECT_TRUE(same(dense(F - G), (dense(F) - dense(G)).eval()));
        EXPECT_TRUE(same(dense(-F), (-dense(F)).eval()));
        EXPECT_TRUE(same(dense(s * F), (s * dense(F)).eval()));
        auto V_sum = V, V_rest = V;
        V_sum += W, V_rest -= W;
        EXPECT_TRUE(same(dense(V_sum), dense(V + W)));
        EXPECT_TRUE(same(dense(V_rest), dense(V - W)));
        auto F_sum = F, F_rest = F;
        F_sum += G, F_rest -= G;
        EXPECT_TRUE(same(dense(F_sum), dense(F + G)));
        EXPECT_TRUE(same(dense(F_rest), dense(F - G)));
        EXPECT_TRUE(same(dot(V, F), dense(V).dot(dense(F)), 6));
        EXPECT_TRUE(same(dot(F, V), dot(V, F), 0));
        // [angular; linear], and back.
        EXPECT_TRUE(same(dense(V).template head<3>().eval(), dense(V.w)));
        EXPECT_TRUE(same(dense(F).template tail<3>().eval(), dense(F.f)));
        EXPECT_TRUE(same(dense(sweepdyn::motion(dense(V))), dense(V)));
        EXPECT_TRUE(same(dense(sweepdyn::force(dense(F))), dense(F)));
    }
}

TYPED_TEST(Algebra, RigidShiftsAreAGroup)
{
    using S = TypeParam;
    for (int trial = 0; trial < this->trials; ++trial) {
        const Phi<S> phi{this->vector()}, other{this->vector()};
        const auto V = this->motion();
        const auto F = this->force();
        EXPECT_TRUE(same(dense(phi * F), (dense(phi) * dense(F)).eval()));
        EXPECT_TRUE(same(dense(adj(phi) * V), (dense(phi).transpose() * dense(V)).eval()));
        EXPECT_TRUE(same(dense(adj(phi)), dense(phi).transpose().eval()));
        EXPECT_TRUE(same(dense(adj(adj(phi))), dense(phi)));
        EXPECT_TRUE(same(dense(phi * other), (dense(phi) * dense(other)).eval()));
        EXPECT_TRUE(same(dense(adj(phi) * adj(other)), (dense(adj(phi)) * dense(adj(other))).eval()));
        EXPECT_TRUE(same(dense(phi * inverse(phi)), Matrix6<S>::Identity().eval()));
        EXPECT_TRUE(same(dense(adj(phi) * inverse(adj(phi))), Matrix6<S>::Identity().eval()));
        // <phi' V, F> = <V, phi F>: power does not depend on the point.
        EXPECT_TRUE(same(dot(adj(phi) * V, F), dot(V, phi * F), 12));
    }
}

TYPED_TEST(Algebra, CrossOperators)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto X = this->motion(), Y = this->motion(), Z = this->motion();
        const auto F = this->force();
        EXPECT_TRUE(same(dense(crm(X) * Y), (dense(crm(X)) * dense(Y)).eval()));
        EXPECT_TRUE(same(dense(crf(X) * F), (dense(crf(X)) * dense(F)).eval()));
        EXPECT_TRUE(same(dense(crq(F) * Y), (dense(crq(F)) * dense(Y)).eval()));
        EXPECT_TRUE(same(dense(crf(X)), (-dense(crm(X)).transpose()).eval())); // S[X] = -crm(X)'
        EXPECT_TRUE(same(dense(crq(F) * Y), dense(-(crf(Y) * F)))); // Q[F] Y = -S[Y] F
        EXPECT_TRUE(same(dense(crm(X) * Y), dense(-(crm(Y) * X))));
        // Jacobi: crm(crm(X) Y) = crm(X) crm(Y) - crm(Y) crm(X).
        EXPECT_TRUE(same(dense(crm(crm(X) * Y) * Z), dense(crm(X) * (crm(Y) * Z) - crm(Y) * (crm(X) * Z))));
        // A shift carries the brackets along.
        const Phi<TypeParam> phi{this->vector()};
        EXPECT_TRUE(same(dense(adj(phi) * (crm(X) * Y)), dense(crm(adj(phi) * X) * (adj(phi) * Y))));
    }
}

TYPED_TEST(Algebra, Poses)
{
    using S = TypeParam;
    const auto homogeneous = [](const Pose<S>& X) {
        Eigen::Matrix<S, 4, 4> out = Eigen::Matrix<S, 4, 4>::Identity();
        out.template topLeftCorner<3, 3>() = dense(X.R);
        out.template topRightCorner<3, 1>() = dense(X.p);
        return out;
    };
    for (int trial = 0; trial < this->trials; ++trial) {
        const Pose<S> X{this->rotation(), this->vector()}, Y{this->rotation(), this->vector()};
        const auto p = this->vector();
        EXPECT_TRUE(same(homogeneous(X * Y), (homogeneous(X) * homogeneous(Y)).eval()));
        EXPECT_TRUE(same(homogeneous(X * inverse(X)), homogeneous(Pose<S>{})));
        EXPECT_TRUE(same(homogeneous(inverse(X) * X), homogeneous(Pose<S>{})));
        EXPECT_TRUE(same(dense(transform_point(X, p)), (dense(X.R) * dense(p) + dense(X.p)).eval()));
        const auto V = this->motion();
        const auto F = this->force();
        EXPECT_TRUE(same(dense(rotate(X.R, V).w), (dense(X.R) * dense(V.w)).eval()));
        EXPECT_TRUE(same(dense(rotate(X.R, V).v), (dense(X.R) * dense(V.v)).eval()));
        EXPECT_TRUE(same(dense(rotate(X.R, F).n), (dense(X.R) * dense(F.n)).eval()));
        EXPECT_TRUE(same(dense(rotate(X.R, F).f), (dense(X.R) * dense(F.f)).eval()));
        EXPECT_TRUE(same(dense(rotate_back(X.R, rotate(X.R, V))), dense(V)));
        EXPECT_TRUE(same(dense(rotate_back(X.R, rotate(X.R, F))), dense(F)));
    }
}

TYPED_TEST(Algebra, Inertias)
{
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto M = this->inertia(), N = this->inertia();
        const auto V = this->motion(), A = this->motion();
        const auto l = this->vector();
        EXPECT_TRUE(same(dense(M), dense(M).transpose().eval()));
        EXPECT_TRUE(same(dense(M * V), (dense(M) * dense(V)).eval()));
        EXPECT_TRUE(same(dense(M + N), (dense(M) + dense(N)).eval()));
        auto sum = M;
        sum += N;
        EXPECT_TRUE(same(dense(sum), dense(M + N)));
        const auto phi = dense(Phi<TypeParam>{l});
        EXPECT_TRUE(same(dense(shift(M, l)), (phi * dense(M) * phi.transpose()).eval()));
        EXPECT_TRUE(same(dense(newton_euler(M, V, A)), dense(M * A + crf(V) * (M * V))));
        // From the centre of mass: phi(c) blkdiag(Jc, m) phi(c)'.
        const auto c = this->vector();
        const Inertia<TypeParam> central{M.m, {}, M.J};
        EXPECT_TRUE(same(dense(Inertia<TypeParam>::about_point(M.m, c, M.J)), dense(shift(central, c))));
    }
}

TYPED_TEST(Algebra, ArticulatedInertias)
{
    using S = TypeParam;
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto P = this->articulated(), Q = this->articulated();
        const auto M = this->inertia();
        const auto V = this->motion();
        const auto l = this->vector();
        EXPECT_TRUE(same(dense(P), dense(P).transpose().eval()));
        EXPECT_TRUE(same(dense(P * V), (dense(P) * dense(V)).eval()));
        EXPECT_TRUE(same(dense(ArticulatedInertia<S>(M)), dense(M)));
        auto sum = P;
        sum += Q;
        EXPECT_TRUE(same(dense(sum), (dense(P) + dense(Q)).eval()));
        auto with_body = P;
        with_body += M;
        EXPECT_TRUE(same(dense(with_body), (dense(P) + dense(M)).eval()));
        const auto phi = dense(Phi<S>{l});
        EXPECT_TRUE(same(dense(shift(P, l)), (phi * dense(P) * phi.transpose()).eval()));
        EXPECT_TRUE(same(dense(shift(ArticulatedInertia<S>(M), l)), dense(shift(M, l))));
        const auto F = this->force();
        const auto s = this->number();
        auto less = P;
        less.rank_one_downdate(s * F, F);
        EXPECT_TRUE(same(dense(less), (dense(P) - s * dense(F) * dense(F).transpose()).eval()));
    }
}

// Worked by hand: a rod of 2 kg, centre at (1, 0, 0), central inertia 0, 1/2, 1/2.
TEST(SpatialInertia, OfARod)
{
    const auto M = Inertia<double>::about_point(2.0, {1, 0, 0}, Sym3<double>::diagonal(0, 0.5, 0.5));
    EXPECT_EQ(M.h, (Vec3<double>{2, 0, 0}));
    EXPECT_EQ(M.J, Sym3<double>::diagonal(0, 2.5, 2.5));
    // Turning at 3 rad/s about z through the end: momentum m w l along y, angular momentum J w.
    const Force<double> h = M * Motion<double>{{0, 0, 3}, {}};
    EXPECT_EQ(h, (Force<double>{{0, 0, 7.5}, {0, 6, 0}}));
    // Held on its circle by the centripetal force -m w^2 l.
    const Force<double> f = newton_euler(M, {{0, 0, 3}, {}}, {});
    EXPECT_EQ(f, (Force<double>{{0, 0, 0}, {-18, 0, 0}}));
}

} // namespace
} // namespace sweepdyn
