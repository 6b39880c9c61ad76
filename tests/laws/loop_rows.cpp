// Laws of the rows of one loop, of every kind: where it is closed, gap and wrenches say the same of every motion; the rates of its wrenches are
// their derivatives. Truth: dual numbers.
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sweepdyn/kinematics/loop_rows.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

using std::numbers::pi;

Mat3<double> about_z(double angle) { return exp_rotation(Vec3<double>{0, 0, angle}); }
Vec3<double> any(Random& random, double size = 1.0)
{
    return {size * random.uniform(-1, 1), size * random.uniform(-1, 1), size * random.uniform(-1, 1)};
}

struct Closed {
    Loop loop;
    Pose<double> X_ab;
};
// Each kind at a relative pose that closes it.
std::vector<Closed> closed_loops(Random& random)
{
    const Mat3<double> R = exp_rotation(any(random, 1.5)), Rz = about_z(random.uniform(-pi, pi));
    const Vec3<double> on_z{0, 0, random.uniform(-1, 1)};
    const auto of = [](LoopKind kind) {
        Loop loop;
        loop.kind = kind;
        return loop;
    };
    const auto rows = [&](std::vector<LoopRow> which) {
        Loop loop = of(LoopKind::rows);
        loop.rows = std::move(which);
        return loop;
    };
    // x of a perpendicular to y of b: a turn about x, then one about the new y
    const Mat3<double> cross_joint = exp_rotation(Vec3<double>{random.uniform(-1, 1), 0, 0}) *
                                     exp_rotation(Vec3<double>{0, random.uniform(-1, 1), 0});
    Loop sphere = of(LoopKind::rolling_sphere), disc = of(LoopKind::rolling_disc);
    sphere.radius = disc.radius = 0.4;
    const double tilt = random.uniform(0.3, 1.2); // of the disc's axle from the vertical
    const Mat3<double> rolling =
        Rz * exp_rotation(Vec3<double>{tilt, 0, 0}) * about_z(random.uniform(-pi, pi));
    const Vec3<double> beside{random.uniform(-1, 1), random.uniform(-1, 1), 0};
    return {
        {of(LoopKind::weld), {Mat3<double>::identity(), {}}},
        {of(LoopKind::ball), {R, {}}},
        {of(LoopKind::soft_finger), {R, {}}},
        {of(LoopKind::revolute), {Rz, {}}},
        {of(LoopKind::prismatic), {Mat3<double>::identity(), on_z}},
        {of(LoopKind::cylindrical), {Rz, on_z}},
        {of(LoopKind::universal), {cross_joint, {}}},
        {of(LoopKind::planar_pin), {R, on_z}},
        {rows({LoopRow::z}), {R, beside}},
        {rows({LoopRow::rx, LoopRow::ry, LoopRow::rz}), {Mat3<double>::identity(), any(random)}},
        {rows({LoopRow::rx, LoopRow::ry, LoopRow::z}), {Rz, beside}},
        {rows({LoopRow::rz, LoopRow::x, LoopRow::y, LoopRow::z}), {cross_joint, {}}},
        {sphere, {R, beside + Vec3<double>{0, 0, sphere.radius}}},
        {disc, {rolling, beside + Vec3<double>{0, 0, disc.radius * std::sin(tilt)}}},
    };
}

TEST(LoopRows, GapsAreClosedWhereTheyShouldBe)
{
    Random random(3);
    for (int round = 0; round < 20; ++round)
        for (const auto& [loop, X_ab] : closed_loops(random)) {
            std::array<double, most_rows> c{};
            const int holonomic = loop_gap<double>(loop, X_ab, c);
            EXPECT_EQ(holonomic, num_holonomic_rows(loop)) << name(loop.kind);
            for (int i = 0; i < holonomic; ++i)
                EXPECT_NEAR(c[static_cast<std::size_t>(i)], 0.0, 1e-14) << name(loop.kind) << ", row " << i;
        }
}

// c_dot = -A'(V_a - V_b) = A' u
TEST(LoopRows, GapsChangeAsTheWrenchesSay)
{
    Random random(4);
    for (int round = 0; round < 20; ++round)
        for (const auto& [loop, X_ab] : closed_loops(random)) {
            const int holonomic = num_holonomic_rows(loop);
            std::array<Force<double>, most_rows> A{};
            EXPECT_EQ(loop_wrenches<double>(loop, LoopFrames<double>::seen_from_a(X_ab), A), num_rows(loop));
            Eigen::MatrixXd by_gap(holonomic, 6), by_wrench(holonomic, 6); // a column per unit twist
            for (int j = 0; j < 6; ++j) {
                Motion<double> u{};
                (j < 3 ? u.w : u.v)[j % 3] = 1.0;
                std::array<Dual<double>, most_rows> c{};
                loop_gap<Dual<double>>(loop, detail::moved(X_ab, u), c);
                for (int i = 0; i < holonomic; ++i) {
                    by_gap(i, j) = c[static_cast<std::size_t>(i)].tangent;
                    by_wrench(i, j) = dot(u, A[static_cast<std::size_t>(i)]);
                }
            }
            EXPECT_LE((by_gap - by_wrench).cwiseAbs().maxCoeff(), 1e-12) << name(loop.kind);
        }
}

// Also where the loop is open: A is a function of the relative pose everywhere.
TEST(LoopRows, RatesAreDerivativesOfTheWrenches)
{
    Random random(5);
    for (int round = 0; round < 20; ++round)
        for (const auto& [loop, closed] : closed_loops(random)) {
            const Pose<double> X_ab{exp_rotation(any(random, 0.3)) * closed.R, closed.p + any(random, 0.1)};
            const Motion<double> u{any(random), any(random)};
            std::array<Force<Dual<double>>, most_rows> moved{};
            const int rows = loop_wrenches<Dual<double>>(
                loop, LoopFrames<Dual<double>>::seen_from_a(detail::moved(X_ab, u)), moved);
            std::array<Force<double>, most_rows> rates{};
            EXPECT_EQ(loop_wrench_rates<double>(loop, LoopFrames<double>::seen_from_a(X_ab), u, rates), rows);
            for (int i = 0; i < rows; ++i) {
                const auto& [n, f] = moved[static_cast<std::size_t>(i)];
                const Force<double> truth{{n.x.tangent, n.y.tangent, n.z.tangent},
                                          {f.x.tangent, f.y.tangent, f.z.tangent}};
                const Force<double> error = rates[static_cast<std::size_t>(i)] - truth;
                EXPECT_LE(norm(error.n) + norm(error.f), 1e-12) << name(loop.kind) << ", row " << i;
                if (!wrenches_move(loop)) {
                    EXPECT_EQ(norm(truth.n) + norm(truth.f), 0.0) << name(loop.kind);
                }
            }
        }
}

} // namespace
} // namespace sweepdyn
