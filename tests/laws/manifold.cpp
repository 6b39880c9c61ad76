// Laws of the configuration manifold: integrate and difference are inverse to each other on every kind of hinge, from the
// smallest displacement to turns near pi; interpolation, normalisation, and poses that follow exactly.
#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::test {
namespace {

constexpr double pi = 3.14159265358979323846;

struct Manifold {
    std::string name;
    Model model;
};
const std::vector<Manifold>& manifolds()
{
    static const std::vector<Manifold> all = [] {
        std::vector<Manifold> out;
        for (const HingeCase& which : hinge_kinds())
            out.push_back({which.name, hinge_model(which, true, false)});
        out.push_back({"forest", *generate_model("random:20:5")});
        return out;
    }();
    return all;
}

// Which dofs turn in space or in a plane with their neighbours: their length must stay below pi.
VectorXd displacement(const Model& model, Random& random, double turn, double slide)
{
    VectorXd d(model.num_dofs());
    for (int k = 0; k < model.num_bodies(); ++k) {
        const int first = model.tree().first_dof[k], dofs = model.tree().num_dofs(k);
        for (int i = 0; i < dofs; ++i)
            d[first + i] = slide * random.uniform(-1, 1);
        const HingeKind kind = model.hinges()[k].kind;
        if (kind == HingeKind::spherical || kind == HingeKind::free)
            d.segment(first, 3) = turn * dense(random.direction());
        else if (dofs > 0 && kind != HingeKind::prismatic)
            d[first] = random.integer(0, 1) ? turn : -turn;
    }
    return d;
}

constexpr double turns[] = {0.0, 1e-300, 1e-160, 1e-20, 1e-8, 1e-4,      1e-3,     0.19,
                            0.2, 0.21,   1.0,    2.0,   3.0,  pi - 1e-6, pi - 1e-9};

TEST(Manifold, DifferenceUndoesIntegrate)
{
    for (const auto& [name, model] : manifolds())
        for (double turn : turns)
            for (int seed = 1; seed <= 10; ++seed) {
                Random random(static_cast<std::uint64_t>(seed));
                const VectorXd q = seed == 1 ? neutral(model)
                                             : random_configuration(model, static_cast<std::uint64_t>(seed));
                const VectorXd d = displacement(model, random, turn, turn == 0.0 ? 0.0 : 1.0);
                const std::string where =
                    name + ", turn " + std::to_string(turn) + ", seed " + std::to_string(seed);
                // Terms: coordinates of order one are what is moved; a displacement far below eps is lost in them, but at
                // neutral it is not (below).
                expect_equal("difference(q, integrate(q, d)) = d", where,
                             difference(model, q, integrate(model, q, d)), d, {.terms = 1.0});
                expect_equal("difference(q, q) = 0", where, difference(model, q, q),
                             VectorXd(VectorXd::Zero(d.size())), {.terms = 1.0});
            }
}

// From neutral nothing hides a small displacement: all its digits come back, down to 1e-300.
TEST(Manifold, SmallDisplacementsKeepTheirDigits)
{
    for (const auto& [name, model] : manifolds())
        for (double size : {1e-300, 1e-200, 1e-150, 1e-100, 1e-20, 1e-10, 1e-8, 1e-5, 1e-3}) {
            Random random(3);
            const VectorXd q = neutral(model), d = displacement(model, random, size, size);
            const std::string where = name + ", " + std::to_string(std::log10(size));
            expect_equal("small", where, difference(model, q, integrate(model, q, d)), d);
            EXPECT_TRUE(integrate(model, q, d).allFinite());
        }
}

// At pi and just beyond, the way back is the other way round; the place is the same.
TEST(Manifold, TurnsOfPiComeBackToTheSamePlace)
{
    const auto& kinds = hinge_kinds();
    for (HingeKind kind : {HingeKind::spherical, HingeKind::free})
        for (double turn : {pi - 1e-12, pi, pi + 1e-12, pi + 1e-9, pi + 1e-6, 4.0})
            for (int seed = 1; seed <= 20; ++seed) {
                const Model model = hinge_model(kinds[static_cast<std::size_t>(kind)], true, false);
                Random random(static_cast<std::uint64_t>(seed));
                const VectorXd q = random_configuration(model, static_cast<std::uint64_t>(seed)),
                               r = integrate(model, q, displacement(model, random, turn, 1.0));
                const VectorXd d = difference(model, q, r);
                Kinematics<double> there(model), expected(model);
                update<double>(there, plain(integrate(model, q, d)));
                update<double>(expected, plain(r));
                const std::string where = std::string(name(kind)) + ", turn " + std::to_string(turn);
                expect_equal("place", where, there.X_WB(0), expected.X_WB(0));
                EXPECT_LE(d.head(3).norm(), pi * (1.0 + 1e-15)) << where;
            }
}

TEST(Manifold, IntegrateUndoesDifference)
{
    for (const auto& [name, model] : manifolds())
        for (int seed = 1; seed <= 50; ++seed) {
            const VectorXd q = random_configuration(model, static_cast<std::uint64_t>(seed)),
                           r = random_configuration(model, static_cast<std::uint64_t>(seed + 100));
            const VectorXd s = integrate(model, q, difference(model, q, r));
            const std::string where = name + ", seed " + std::to_string(seed);
            // q and -q are one rotation: compare poses.
            Kinematics<double> there(model), expected(model);
            update<double>(there, plain(s));
            update<double>(expected, plain(r));
            for (int k = 0; k < model.num_bodies(); ++k)
                expect_equal("integrate(q, difference(q, r)) = r", where, there.X_WB(k), expected.X_WB(k),
                             {.terms = 3.0}); // slides of a screw
            expect_equal("there and back, twists in their own frames", where, difference(model, s, r),
                         VectorXd(VectorXd::Zero(model.num_dofs())), {.terms = 3.0});
        }
}

// One step of v for t, or two of v for t/2: the same place, since twists are constant in the moving frame.
TEST(Manifold, StepsAddUpAndInterpolate)
{
    for (const auto& [name, model] : manifolds())
        for (double turn : turns) {
            Random random(9);
            const VectorXd q = random_configuration(model, 4), d = displacement(model, random, turn, 1.0);
            const VectorXd whole = integrate(model, q, d), half = integrate(model, q, 0.5 * d);
            const std::string where = name + ", turn " + std::to_string(turn);
            expect_equal("two halves", where, difference(model, whole, integrate(model, half, 0.5 * d)),
                         VectorXd(VectorXd::Zero(d.size())), {.terms = 1.0 + largest(q)});
            expect_equal("interpolate, half", where,
                         difference(model, half, interpolate(model, q, whole, 0.5)),
                         VectorXd(VectorXd::Zero(d.size())), {.terms = 1.0 + largest(q)});
            expect_equal("interpolate, ends", where, difference(model, q, interpolate(model, q, whole, 0.0)),
                         VectorXd(VectorXd::Zero(d.size())), {.terms = 1.0});
            expect_equal("interpolate, end", where,
                         difference(model, whole, interpolate(model, q, whole, 1.0)),
                         VectorXd(VectorXd::Zero(d.size())), {.terms = 1.0 + largest(q)});
        }
}

TEST(Manifold, Normalise)
{
    for (const auto& [name, model] : manifolds()) {
        VectorXd q = random_configuration(model, 6);
        EXPECT_EQ(normalise(model, q), q) << name; // of unit length already
        VectorXd long_q = q;
        for (int k = 0; k < model.num_bodies(); ++k)
            if (const HingeKind kind = model.hinges()[k].kind;
                kind == HingeKind::spherical || kind == HingeKind::free)
                long_q.segment(model.tree().first_coordinate[k], 4) *= 3.0;
        expect_equal("normalise", name, normalise(model, long_q), q);
        // Poses do not depend on the length, so they need no normalised q.
        Kinematics<double> kin(model), long_kin(model);
        update<double>(kin, plain(q));
        update<double>(long_kin, plain(long_q));
        expect_equal("pose", name, long_kin.X_WB(0), kin.X_WB(0));
    }
    const Model ball =
        hinge_model(hinge_kinds()[static_cast<std::size_t>(HingeKind::spherical)], true, false);
    EXPECT_THROW(normalise(ball, VectorXd::Zero(4)), UsageError);
    EXPECT_THROW(integrate(ball, VectorXd::Zero(3), VectorXd::Zero(3)), UsageError);
    EXPECT_THROW(difference(ball, VectorXd::Zero(4), VectorXd::Zero(3)), UsageError);
}

// Rotation vectors, quaternions and matrices: exp and log, up to the edge.
TEST(Manifold, ExpAndLog)
{
    for (double turn : turns)
        for (int seed = 1; seed <= 50; ++seed) {
            Random random(static_cast<std::uint64_t>(seed));
            const Vec3<double> w = turn * random.direction(), v = random.vector();
            const std::string where = "turn " + std::to_string(turn) + ", seed " + std::to_string(seed);
            expect_equal("log exp, quaternion", where, log_quaternion(exp_quaternion(w)), w);
            expect_equal("log exp, matrix", where, log_rotation(exp_rotation(w)), w);
            const Quaternion<double> r = exp_quaternion(w), minus{-r.w, -r.x, -r.y, -r.z};
            expect_equal("q and -q", where, log_quaternion(minus), w);
            const Motion<double> xi{w, v};
            expect_equal("log exp, pose", where, log_pose(exp_pose(xi)), xi);
            // exp against the series of the 4 x 4 matrix, summed in long double.
            Eigen::Matrix<long double, 4, 4> X = Eigen::Matrix<long double, 4, 4>::Zero(), term, sum;
            X.topLeftCorner<3, 3>() = dense(tilde(w)).cast<long double>();
            X.topRightCorner<3, 1>() = dense(v).cast<long double>();
            sum = term = Eigen::Matrix<long double, 4, 4>::Identity();
            for (int i = 1; i < 60; ++i) {
                term = (term * X / static_cast<long double>(i)).eval();
                sum += term;
            }
            expect_equal("exp, by its series", where, exp_pose(xi), MatrixXd(sum.cast<double>()));
        }
}

// A planar hinge turns the shorter way: a full turn is no turn.
TEST(Manifold, PlanarTurnsTheShorterWay)
{
    const Model planar = hinge_model(hinge_kinds()[static_cast<std::size_t>(HingeKind::planar)], true, false);
    const double full = 2 * M_PI;
    const VectorXd from = Vector3d(0.3, 0.1, -0.2);
    for (double turns_off : {-3.0, -1.0, 1.0, 2.0}) {
        const VectorXd to = Vector3d(0.5 + turns_off * full, 0.4, 0.7), near = Vector3d(0.5, 0.4, 0.7);
        expect_equal("full turns more", "planar", difference(planar, from, to),
                     difference(planar, from, near), {.terms = std::abs(turns_off) * full});
    }
    const VectorXd half = interpolate(planar, Vector3d(0, 0, 0), Vector3d(full, 1, 0), 0.5);
    expect_equal("half of the way", "planar", half, VectorXd(Vector3d(0, 0.5, 0)));
}

} // namespace
} // namespace sweepdyn::test
