// Laws of the spatial algebra: adjoints, groups, cross operators and inertias against their dense matrices.
#include <Eigen/LU>

#include "support/compare.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::test {
namespace {

struct Sample {
    Random random;
    explicit Sample(int seed) : random(static_cast<std::uint64_t>(seed)) {}
    Vec3<double> vector() { return random.vector(2.0); }
    Motion<double> motion() { return {vector(), vector()}; }
    Force<double> force() { return {vector(), vector()}; }
    Pose<double> pose() { return {random.rotation(), vector()}; }
    Sym3<double> symmetric()
    {
        const Vec3<double> d = random.vector();
        return rotate(random.rotation(), Sym3<double>::diagonal(3 + d.x, 3 + d.y, 3 + d.z));
    }
    Inertia<double> inertia()
    {
        return Inertia<double>::about_point(random.uniform(0.5, 3), vector(), symmetric());
    }
    ArticulatedInertia<double> articulated()
    {
        ArticulatedInertia<double> P(inertia());
        const Motion<double> h = motion();
        const Force<double> Ph = P * h;
        P.rank_one_downdate(1.0 / dot(h, Ph) * Ph, Ph);
        return P;
    }
};
template <class F> void for_every_sample(F f)
{
    for (int seed = 1; seed <= 200; ++seed) {
        Sample sample(seed);
        f(sample, "seed " + std::to_string(seed));
    }
}

TEST(Algebra, PhiIsAGroupWithItsAdjoint)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const Phi<double> a{s.vector()}, b{s.vector()};
        const Force<double> f = s.force();
        const Motion<double> V = s.motion();
        expect_equal("phi f", where, a * f, Vector6<double>(dense(a) * dense(f)));
        expect_equal("phi' V", where, adj(a) * V, Vector6<double>(dense(a).transpose() * dense(V)));
        expect_equal("<V, phi f> = <phi' V, f>", where, dot(V, a * f), dot(adj(a) * V, f), {.terms = 12.0});
        expect_equal("phi phi", where, dense(a * b), Matrix6<double>(dense(a) * dense(b)));
        expect_equal("phi' phi'", where, dense(adj(a) * adj(b)),
                     Matrix6<double>(dense(adj(a)) * dense(adj(b))));
        expect_equal("inverse", where, dense(inverse(a)), Matrix6<double>(dense(a).inverse()));
        expect_equal("inverse of the adjoint", where, dense(inverse(adj(a))),
                     Matrix6<double>(dense(adj(a)).inverse()));
        EXPECT_EQ(adj(adj(a)), a);
        EXPECT_EQ(a * inverse(a), Phi<double>{});
    });
}

TEST(Algebra, CrossOperators)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const Motion<double> X = s.motion(), Y = s.motion();
        const Force<double> f = s.force();
        const double terms = 12.0; // sums of three products of numbers up to 2
        expect_equal("crm", where, crm(X) * Y, Vector6<double>(dense(crm(X)) * dense(Y)), {.terms = terms});
        expect_equal("crf", where, crf(X) * f, Vector6<double>(dense(crf(X)) * dense(f)), {.terms = terms});
        expect_equal("crq", where, crq(f) * X, Vector6<double>(dense(crq(f)) * dense(X)), {.terms = terms});
        expect_equal("S = -crm'", where, dense(crf(X)), Matrix6<double>(-dense(crm(X)).transpose()));
        expect_equal("crm(X)Y = -crm(Y)X", where, crm(X) * Y, -(crm(Y) * X), {.terms = terms});
        expect_equal("Q[F]Y = -S[Y]F", where, crq(f) * Y, -(crf(Y) * f), {.terms = terms});
        expect_equal("S[X]'X = 0", where, crm(X) * X, Motion<double>{}, {.terms = terms});
        expect_equal("<crm(X)Y, F> = -<Y, S[X]F>", where, dot(crm(X) * Y, f), -dot(Y, crf(X) * f),
                     {.terms = 6 * terms});
        // Jacobi, and both cross operators are seen alike from any point.
        const Motion<double> Z = s.motion();
        expect_equal("Jacobi", where, crm(crm(X) * Y) * Z, crm(X) * (crm(Y) * Z) - crm(Y) * (crm(X) * Z),
                     {.terms = 4 * terms});
        const Phi<double> a{s.vector()};
        expect_equal("crm from elsewhere", where, crm(adj(a) * X) * (adj(a) * Y), adj(a) * (crm(X) * Y),
                     {.terms = 4 * terms});
        expect_equal("crf from elsewhere", where, inverse(a) * (crf(X) * f),
                     crf(adj(a) * X) * (inverse(a) * f), {.terms = 4 * terms});
    });
}

TEST(Algebra, Poses)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const Pose<double> X = s.pose(), Y = s.pose();
        expect_equal("product", where, X * Y, MatrixXd(numbers(X) * numbers(Y)));
        expect_equal("inverse", where, inverse(X), MatrixXd(numbers(X).inverse()));
        expect_equal("X X^-1 = 1", where, X * inverse(X), Pose<double>{});
        const Vec3<double> p = s.vector();
        Eigen::Vector4d homogeneous;
        homogeneous << dense(p), 1.0;
        expect_equal("point", where, transform_point(X, p), Vector3d((numbers(X) * homogeneous).head(3)));
        const Motion<double> V = s.motion();
        expect_equal("rotate and back", where, rotate_back(X.R, rotate(X.R, V)), V);
        const Sym3<double> A = s.symmetric();
        const Matrix3<double> R = dense(X.R);
        expect_equal("R A R'", where, rotate(X.R, A), Matrix3<double>(R * dense(A) * R.transpose()));
    });
}

TEST(Algebra, RigidInertias)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const double m = s.random.uniform(0.5, 3);
        const Vec3<double> c = s.vector(), l = s.vector();
        const Sym3<double> Jc = s.symmetric();
        const Inertia<double> M = Inertia<double>::about_point(m, c, Jc), N = s.inertia();
        Matrix6<double> central = m * Matrix6<double>::Identity();
        central.topLeftCorner<3, 3>() = dense(Jc);
        const Matrix6<double> to_c = dense(Phi<double>{c}), to_l = dense(Phi<double>{l});
        expect_equal("phi Mc phi'", where, M, Matrix6<double>(to_c * central * to_c.transpose()));
        const Motion<double> V = s.motion(), A = s.motion();
        expect_equal("M V", where, M * V, Vector6<double>(dense(M) * dense(V)),
                     {.terms = largest(numbers(M))});
        expect_equal("M + N", where, M + N, Matrix6<double>(dense(M) + dense(N)));
        expect_equal("phi M phi'", where, shift(M, l), Matrix6<double>(to_l * dense(M) * to_l.transpose()));
        const Vec3<double> k = s.vector();
        expect_equal("shift of a shift", where, shift(shift(M, l), k), shift(M, l + k));
        expect_equal("M A + S[V] M V", where, newton_euler(M, V, A), M * A + crf(V) * (M * V),
                     {.terms = 4 * largest(numbers(M))});
    });
}

TEST(Algebra, ArticulatedInertias)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const Inertia<double> M = s.inertia();
        ArticulatedInertia<double> P = s.articulated();
        const Matrix6<double> dense_P = dense(P);
        expect_equal("from a rigid one", where, ArticulatedInertia<double>(M), dense(M));
        EXPECT_EQ(dense_P, dense_P.transpose());
        const Motion<double> h = s.motion();
        expect_equal("P V", where, P * h, Vector6<double>(dense_P * dense(h)), {.terms = largest(dense_P)});
        const Vec3<double> l = s.vector();
        const Matrix6<double> phi = dense(Phi<double>{l});
        // Terms: P l l', of which much cancels where P gives way.
        expect_equal("phi P phi'", where, shift(P, l), Matrix6<double>(phi * dense_P * phi.transpose()),
                     {.terms = 12 * largest(dense_P)});
        ArticulatedInertia<double> sum = P;
        sum += M;
        expect_equal("P + M", where, sum, Matrix6<double>(dense_P + dense(M)));
        ArticulatedInertia<double> twice = P;
        twice += P;
        expect_equal("P + P", where, twice, Matrix6<double>(2 * dense_P));
        // P+ = P - G D G*, G = P h D^-1: h moves freely afterwards.
        const Force<double> Ph = sum * h;
        const double D = dot(h, Ph);
        const Force<double> G = 1.0 / D * Ph;
        ArticulatedInertia<double> after = sum;
        after.rank_one_downdate(G, Ph);
        expect_equal("downdate", where, after,
                     Matrix6<double>(dense(sum) - D * dense(G) * dense(G).transpose()),
                     {.terms = largest(dense(sum))});
        expect_equal("P+ h = 0", where, after * h, Force<double>{}, {.terms = largest(dense(sum))});
    });
}

TEST(Algebra, SmallMatrices)
{
    for_every_sample([](Sample& s, const std::string& where) {
        const Sym3<double> A = s.symmetric();
        const Vec3<double> b = s.vector();
        const Mat3<double> R = rotation_about(s.random.direction(), s.random.uniform(-3, 3));
        expect_equal("orthonormal", where, transpose(R) * R, Mat3<double>::identity());
        expect_equal("A'b", where, transpose_times(R, b), Vector3d(dense(R).transpose() * dense(b)));
        expect_equal("tilde", where, tilde(b) * A.full().x, cross(b, A.full().x), {.terms = 8.0});
    });
}

} // namespace
} // namespace sweepdyn::test
