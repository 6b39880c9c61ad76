// Quaternions, exponential and logarithm of SO(3) and SE(3): exact inverses to round-off from zero to half a turn.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dense.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {
namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;

template <class S> long double size(const S& a) { return std::abs(static_cast<long double>(a)); }
template <class S> long double size(const Dual<S>& a) { return std::max(size(a.real), size(a.tangent)); }
template <class S> long double largest(const Vec3<S>& a)
{
    return std::max({size(a.x), size(a.y), size(a.z)});
}
template <class S> long double largest(const Motion<S>& V) { return std::max(largest(V.w), largest(V.v)); }
template <class S> long double largest(const Mat3<S>& A)
{
    return std::max({largest(A.x), largest(A.y), largest(A.z)});
}
template <class S> long double largest(const Quaternion<S>& q)
{
    return std::max({size(q.w), size(q.x), size(q.y), size(q.z)});
}
template <class S> long double distance(const Quaternion<S>& a, const Quaternion<S>& b)
{
    return largest(Quaternion<S>{a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z});
}
// q and -q are the same rotation.
template <class S> long double turn_between(const Quaternion<S>& a, const Quaternion<S>& b)
{
    return std::min(distance(a, b), distance(a, Quaternion<S>{-b.w, -b.x, -b.y, -b.z}));
}

// Directions, with dual parts where the scalar has them.
template <class S>
class Rotations : public testing::Test {
protected:
    static constexpr double eps = Precision<S>::epsilon;
    S number(double a) { return with_tangent(a, random.uniform(-1, 1)); }
    static S with_tangent(double a, double tangent)
    {
        if constexpr (std::floating_point<S>)
            return static_cast<S>(a);
        else
            return S(a, tangent);
    }
    Vec3<S> vector()
    {
        return {number(random.uniform(-1, 1)), number(random.uniform(-1, 1)), number(random.uniform(-1, 1))};
    }
    // A vector of the given length; with duals its tangent is of the same size, in any direction.
    Vec3<S> vector_of_length(long double length)
    {
        Vec3<S> v = vector();
        const S scale = S(length) / norm(v);
        v = scale * v;
        if constexpr (!std::floating_point<S>)
            for (int i = 0; i < 3; ++i)
                v[i].tangent = static_cast<double>(length == 0 ? 1 : length) * random.uniform(-1, 1);
        return v;
    }
    static std::vector<long double> lengths_below_pi()
    {
        return {0,     1e-300L, 1e-38L,  1e-20L, 1e-8L, 1e-5L, 0.999e-3L,  1e-3L,     1.001e-3L,
                0.01L, 0.1999L, 0.2001L, 1,      2,     3,     pi - 1e-2L, pi - 1e-4L};
    }
    Random random{1};
    static constexpr int trials = 20;
};
using Scalars = testing::Types<double, float, long double, Dual<double>>;
TYPED_TEST_SUITE(Rotations, Scalars);

TYPED_TEST(Rotations, QuaternionProductIsTheProductOfMatrices)
{
    using S = TypeParam;
    for (int trial = 0; trial < this->trials; ++trial) {
        const auto a = exp_quaternion(S(2) * this->vector()), b = exp_quaternion(S(2) * this->vector());
        const Mat3<S> A = rotation_matrix(a), B = rotation_matrix(b);
        EXPECT_LE(largest(rotation_matrix(a * b) - A * B), 50 * this->eps);
        EXPECT_LE(largest(rotation_matrix(conjugate(a)) - transpose(A)), 50 * this->eps);
        EXPECT_LE(largest(A * transpose(A) - Mat3<S>::identity()), 50 * this->eps);
        EXPECT_LE(size(S(dot(cross(A.x, A.y), A.z) - S(1))), 50 * this->eps);
        EXPECT_LE(size(S(norm(a * b) - S(1))), 50 * this->eps);
        // Any length will do.
        const S s(3.5);
        EXPECT_LE(largest(rotation_matrix(Quaternion<S>{s * a.w, s * a.x, s * a.y, s * a.z}) - A),
                  50 * this->eps);
        EXPECT_LE(distance(normalized(Quaternion<S>{s * a.w, s * a.x, s * a.y, s * a.z}), a), 50 * this->eps);
    }
    EXPECT_EQ(largest(rotation_matrix(Quaternion<S>{}) - Mat3<S>::identity()), 0);
}

// Of the four formulas, each is the best somewhere: a small turn, and turns near pi about x, y and z.
TYPED_TEST(Rotations, QuaternionOfAMatrixInEveryBranch)
{
    using S = TypeParam;
    int hits[4] = {};
    for (int trial = 0; trial < this->trials; ++trial)
        for (int branch = 0; branch < 4; ++branch)
            for (double angle : {0.0, 1e-8, 0.3, 2.0, 3.0, 3.14159, 3.1415926}) {
                Vec3<S> v = S(0.2) * this->vector();
                if (branch > 0)
                    v[branch - 1] = this->number(trial % 2 == 0 ? 1.0 : -1.0);
                v = (S(branch == 0 ? 0.3 * angle : angle) / norm(v)) * v;
                const Quaternion<S> q = exp_quaternion(v);
                const Mat3<S> R = rotation_matrix(q);
                const Quaternion<S> found = quaternion(R);
                EXPECT_LE(turn_between(found, q), 50 * this->eps)
                    << "angle " << angle << " branch " << branch;
                EXPECT_GE(value(found.w), 0.0);
                EXPECT_LE(size(S(norm(found) - S(1))), 50 * this->eps);
                const double options[4] = {value(R.x.x + R.y.y + R.z.z), value(R.x.x), value(R.y.y),
                                           value(R.z.z)};
                ++hits[std::max_element(options, options + 4) - options];
            }
    for (int count : hits)
        EXPECT_GT(count, this->trials);
}

TYPED_TEST(Rotations, QuaternionOfExactHalfTurns)
{
    using S = TypeParam;
    const S o(0), i(1), h = sqrt(S(0.5));
    for (const Quaternion<S>& q : {Quaternion<S>{o, i, o, o},
                                   {o, o, i, o},
                                   {o, o, o, i},
                                   {o, -i, o, o},
                                   {o, o, -i, o},
                                   {o, o, o, -i},
                                   {o, h, h, o},
                                   {o, o, h, -h},
                                   {o, h, o, h},
                                   {h, h, o, o},
                                   {h, o, -h, o},
                                   {i, o, o, o}}) {
        const Quaternion<S> found = quaternion(rotation_matrix(q));
        EXPECT_LE(turn_between(found, q), 5 * this->eps);
        // The rotation vector has the length of the turn, and gives the rotation back.
        const Vec3<S> v = log_quaternion(q);
        EXPECT_LE(turn_between(exp_quaternion(v), q), 5 * this->eps);
        if (value(q.w) == 0.0) {
            EXPECT_LE(size(S(norm(v) - S(pi))), 5 * this->eps);
        }
    }
}

TYPED_TEST(Rotations, LogarithmInvertsTheExponential)
{
    for (long double length : this->lengths_below_pi())
        for (int trial = 0; trial < this->trials; ++trial) {
            const auto v = this->vector_of_length(length);
            const auto scale = 50 * this->eps * largest(v); // relative, however small v is
            const auto again = log_quaternion(exp_quaternion(v));
            EXPECT_LE(largest(again - v), scale) << "length " << static_cast<double>(length);
            // -q is the same rotation.
            const auto q = exp_quaternion(v);
            EXPECT_LE(largest(log_quaternion(decltype(q){-q.w, -q.x, -q.y, -q.z}) - v), scale)
                << "length " << static_cast<double>(length);
            // Through the matrix the digits of a turn near pi are those of its sine: absolute.
            EXPECT_LE(largest(log_rotation(exp_rotation(v)) - v), scale)
                << "length " << static_cast<double>(length);
        }
}

TYPED_TEST(Rotations, ExponentialInvertsTheLogarithm)
{
    for (int trial = 0; trial < 200; ++trial) {
        const auto v =
            this->vector_of_length(4.0L * this->random.uniform()); // longer than pi comes back shorter
        const auto q = exp_quaternion(v);
        const auto w = log_quaternion(q);
        EXPECT_LE(turn_between(exp_quaternion(w), q), 50 * this->eps);
        EXPECT_LE(largest(exp_rotation(log_rotation(exp_rotation(v))) - exp_rotation(v)), 50 * this->eps);
        EXPECT_LE(value(norm(w)), static_cast<double>(pi) * (1 + 5 * this->eps));
    }
}

// At half a turn v and -v are one rotation, and the nearest number may lie on either side.
TYPED_TEST(Rotations, AtHalfATurn)
{
    using S = TypeParam;
    for (long double less : {1e-6L, 1e-8L, 1e-12L, 1e-16L, 0.0L})
        for (int trial = 0; trial < this->trials; ++trial) {
            Vec3<S> v = this->vector();
            v = (S(pi - less) / norm(v)) * v;
            const Vec3<S> by_quaternion = log_quaternion(exp_quaternion(v)),
                          by_matrix = log_rotation(exp_rotation(v));
            for (const Vec3<S>& again : {by_quaternion, by_matrix}) {
                EXPECT_LE(std::min(largest(again - v), largest(again + v)), 50 * this->eps + 4 * less);
                EXPECT_LE(turn_between(exp_quaternion(again), exp_quaternion(v)), 50 * this->eps);
                EXPECT_LE(size(S(norm(again) - S(pi - less))), 50 * this->eps);
            }
        }
}

TEST(RotationsOfDoubles, KeepTheirSideOfHalfATurn)
{
    // double(pi) is below pi, so its logarithm does not change sign.
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0, -0.8}, {-1, 0, 0}})
        for (double less : {1e-8, 1e-12, 1e-15, 0.0}) {
            const Vec3<double> v = (static_cast<double>(pi) - less) * axis;
            EXPECT_LE(largest(log_quaternion(exp_quaternion(v)) - v), 1e-15);
        }
}

TYPED_TEST(Rotations, ZeroIsExact)
{
    using S = TypeParam;
    EXPECT_EQ(distance(exp_quaternion(Vec3<S>{}), Quaternion<S>{}), 0);
    EXPECT_EQ(largest(log_quaternion(Quaternion<S>{})), 0);
    EXPECT_EQ(largest(exp_rotation(Vec3<S>{}) - Mat3<S>::identity()), 0);
    EXPECT_EQ(largest(log_rotation(Mat3<S>::identity())), 0);
    const Pose<S> X = exp_pose(Motion<S>{});
    EXPECT_EQ(largest(X.R - Mat3<S>::identity()), 0);
    EXPECT_EQ(largest(X.p), 0);
    EXPECT_EQ(largest(log_pose(X)), 0);
}

// The sum of the powers of the 4 x 4 matrix of a twist, in long double.
Pose<long double> series_exp(const Motion<long double>& xi)
{
    using Matrix4 = Eigen::Matrix<long double, 4, 4>;
    Matrix4 A = Matrix4::Zero(), sum = Matrix4::Identity(), power = sum;
    A.topLeftCorner<3, 3>() = dense(tilde(xi.w));
    A.topRightCorner<3, 1>() = dense(xi.v);
    for (int n = 1; n < 60; ++n) {
        power = (power * A / static_cast<long double>(n)).eval();
        sum += power;
    }
    return {mat3(sum.topLeftCorner<3, 3>()), vec3(sum.topRightCorner<3, 1>())};
}

TYPED_TEST(Rotations, ExponentialOfATwistIsItsSeries)
{
    using S = TypeParam;
    for (long double length : {0.0L, 1e-8L, 1e-3L, 0.1L, 0.199L, 0.201L, 1.0L, 2.0L, 3.1L})
        for (int trial = 0; trial < this->trials; ++trial) {
            const Motion<S> xi{this->vector_of_length(length), this->vector()};
            const Pose<S> X = exp_pose(xi);
            const auto real = [](const auto& a) {
                if constexpr (requires { a.real; })
                    return static_cast<long double>(a.real);
                else
                    return static_cast<long double>(a);
            };
            const auto reals = [&](const Vec3<S>& a) {
                return Vec3<long double>{real(a.x), real(a.y), real(a.z)};
            };
            const Pose<long double> expected = series_exp({reals(xi.w), reals(xi.v)});
            EXPECT_LE(largest(Mat3<long double>{reals(X.R.x), reals(X.R.y), reals(X.R.z)} - expected.R),
                      50 * this->eps);
            EXPECT_LE(largest(reals(X.p) - expected.p), 50 * this->eps)
                << "length " << static_cast<double>(length);
            if constexpr (!std::floating_point<
                              S>) { // the tangent: d exp along d xi, by a central difference in long double
                const auto tangents = [](const Vec3<S>& a) {
                    return Vec3<long double>{a.x.tangent, a.y.tangent, a.z.tangent};
                };
                const long double h = 1e-6L;
                const Motion<long double> step{h * tangents(xi.w), h * tangents(xi.v)};
                const Motion<long double> at{reals(xi.w), reals(xi.v)};
                const Pose<long double> more = series_exp(at + step), less = series_exp(at - step);
                EXPECT_LE(largest((0.5L / h) * (more.p - less.p) - tangents(X.p)), 1e-10);
                EXPECT_LE(largest((0.5L / h) * (more.R.x - less.R.x) - tangents(X.R.x)), 1e-10);
            }
        }
}

TYPED_TEST(Rotations, LogarithmOfAPoseInvertsTheExponential)
{
    using S = TypeParam;
    for (long double length : this->lengths_below_pi())
        for (int trial = 0; trial < this->trials; ++trial) {
            const Motion<S> xi{this->vector_of_length(length), this->vector()};
            const Motion<S> again = log_pose(exp_pose(xi));
            EXPECT_LE(largest(again - xi), 100 * this->eps * largest(xi))
                << "length " << static_cast<double>(length);
            EXPECT_LE(largest(again.w - xi.w), 100 * this->eps * largest(xi.w))
                << "length " << static_cast<double>(length);
        }
}

TYPED_TEST(Rotations, ExponentialOfAPoseInvertsTheLogarithm)
{
    using S = TypeParam;
    for (int trial = 0; trial < 200; ++trial) {
        const Pose<S> X{exp_rotation(this->vector_of_length(3.14L * this->random.uniform())), this->vector()};
        const Pose<S> again = exp_pose(log_pose(X));
        EXPECT_LE(largest(again.R - X.R), 100 * this->eps);
        EXPECT_LE(largest(again.p - X.p), 100 * this->eps);
    }
}

TYPED_TEST(Rotations, AboutAnAxis)
{
    using S = TypeParam;
    for (int trial = 0; trial < this->trials; ++trial) {
        const S angle = this->number(this->random.uniform(-3, 3));
        S s, c;
        sincos(angle, s, c);
        const S o(0), i(1);
        EXPECT_LE(
            largest(rotation_about(Vec3<S>{o, o, i}, angle) - Mat3<S>{{c, s, o}, {-s, c, o}, {o, o, i}}),
            50 * this->eps);
        EXPECT_LE(
            largest(rotation_about(Vec3<S>{i, o, o}, angle) - Mat3<S>{{i, o, o}, {o, c, s}, {o, -s, c}}),
            50 * this->eps);
    }
}

TEST(RotationsOfDoubles, AreEigens)
{
    Random random(2);
    for (int trial = 0; trial < 100; ++trial) {
        const Quaternion<double> q = random.quaternion();
        const Eigen::Quaterniond e(q.w, q.x, q.y, q.z);
        EXPECT_LE((dense(rotation_matrix(q)) - e.toRotationMatrix()).cwiseAbs().maxCoeff(), 1e-14);
        const Eigen::AngleAxisd turn(e);
        const Vec3<double> v = log_quaternion(q);
        const double sign =
            turn.angle() > static_cast<double>(pi) ? -1.0 : 1.0; // Eigen's may go the long way
        const double angle = sign > 0 ? turn.angle() : 2 * static_cast<double>(pi) - turn.angle();
        EXPECT_LE((dense(v) - sign * angle * turn.axis()).cwiseAbs().maxCoeff(), 1e-14);
    }
}

// d/dt exp(t w) = exp(t w) w~, at t = 0 too, where the angle has no derivative.
TEST(RotationsOfDuals, DeriveAtZero)
{
    using D = Dual<double>;
    const Vec3<D> v{D(0, 0.3), D(0, -0.7), D(0, 1.1)};
    const Mat3<D> R = exp_rotation(v);
    EXPECT_LE(largest(R - (Mat3<D>::identity() + tilde(v))), 1e-16);
    EXPECT_LE(largest(log_rotation(R) - v), 1e-16);
    const Motion<D> xi{v, {D(0.5), D(0, 2.0), D(-1)}};
    EXPECT_LE(largest(log_pose(exp_pose(xi)) - xi), 1e-15);
}

TEST(FrameWithZ, PutsZOnTheAxis)
{
    Random random(3);
    for (int trial = 0; trial < 1000; ++trial) {
        Vec3<double> axis = random.direction();
        if (trial % 3 == 0) { // beside the coordinate axes
            axis = 1e-9 * axis;
            axis[trial / 3 % 3] = trial % 2 == 0 ? 1.0 : -1.0;
            axis = (1.0 / norm(axis)) * axis;
        }
        const Mat3<double> R = frame_with_z(axis);
        EXPECT_EQ(R.z, axis);
        EXPECT_LE(largest(transpose(R) * R - Mat3<double>::identity()), 1e-15);
        EXPECT_NEAR(dot(cross(R.x, R.y), R.z), 1.0, 1e-15);
    }
}

TEST(FrameWithZ, KeepsTheCyclicOrderOfTheAxes)
{
    const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    EXPECT_EQ(frame_with_z(z), Mat3<double>::identity());
    EXPECT_EQ(frame_with_z(x), (Mat3<double>{y, z, x}));
    EXPECT_EQ(frame_with_z(y), (Mat3<double>{z, x, y}));
    EXPECT_EQ(frame_with_z(-z), (Mat3<double>{x, -y, -z}));
    EXPECT_EQ(frame_with_z(-x), (Mat3<double>{y, -z, -x}));
    EXPECT_EQ(frame_with_z(-y), (Mat3<double>{z, -x, -y}));
    // Ties, where two or three components are the largest.
    for (double sx : {-1.0, 0.0, 1.0})
        for (double sy : {-1.0, 0.0, 1.0})
            for (double sz : {-1.0, 0.0, 1.0})
                if (const Vec3<double> v{sx, sy, sz}; norm(v) > 0.0) {
                    const Mat3<double> R = frame_with_z((1.0 / norm(v)) * v);
                    EXPECT_LE(largest(transpose(R) * R - Mat3<double>::identity()), 1e-15);
                }
}

} // namespace
} // namespace sweepdyn
