// Laws of assembly and projection: golden states that were pulled apart close again, branches are distinct, what cannot close is
// refused by loop name and distance, limits and held dofs are kept, and projection and closing velocities are
// the dense formula.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "support/compare.hpp"
#include "support/linkages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/closed/closing_velocities.hpp"
#include "sweepdyn/closed/projection.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn::test {
namespace {

double largest_gap(const Model& model, const std::vector<double>& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, q);
    Projection projection(model);
    return projection.largest_gap(kin).first;
}

std::vector<double> pulled_apart(const Model& model, const std::vector<double>& q, double size,
                                 std::uint64_t seed)
{
    Random random(seed);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), out(q.size());
    for (double& x : d)
        x = random.uniform(-size, size);
    integrate<double>(model, q, d, out);
    return out;
}

// A planar four-bar a, b, c on a ground link d, in the plane xy; the coupler's end and the rocker's are pinned.
Model four_bar(double a, double b, double c, double d, double crank_lower = -10, double crank_upper = 10)
{
    ModelBuilder builder("bars");
    const auto bar = [&](const std::string& name, const std::string& parent, double length,
                         const Vec3<double>& place) {
        builder.add_body({name, 1.0, {0.5 * length, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge;
        hinge.name = name;
        hinge.kind = HingeKind::revolute;
        hinge.parent = parent;
        hinge.child = name;
        hinge.X_PF.p = place;
        if (name == "crank")
            hinge.limits = {{crank_lower}, {crank_upper}, {}, {}};
        builder.add_hinge(hinge);
    };
    bar("crank", "", a, {0, 0, 0});
    bar("coupler", "crank", b, {a, 0, 0});
    bar("rocker", "", c, {d, 0, 0});
    Loop pin;
    pin.name = "pin";
    pin.kind = LoopKind::planar_pin;
    pin.body_a = "coupler";
    pin.body_b = "rocker";
    pin.X_Aa.p = {b, 0, 0};
    pin.X_Bb.p = {c, 0, 0};
    builder.add_loop(pin);
    return builder.build();
}

// --- assembly --------------------------------------------------------------------------------------------------------

TEST(Assembly, GoldenStatesPulledApartCloseAgain)
{
    int tried = 0, first = 0;
    for (const std::string& name : closed_names()) {
        const ClosedGolden golden = closed_golden(name);
        EXPECT_LT(largest_gap(golden.model, golden.q), 2e-15) << name;
        for (double size : {1e-6, 0.02, 0.2}) {
            if (golden.model.num_dofs() > 100 && size > 0.1)
                continue;
            const Assembly got =
                assemble(golden.model, pulled_apart(golden.model, golden.q, size, 5), {.starts = 20});
            ++tried;
            ASSERT_TRUE(got.closed()) << name << " " << size << ": " << words(golden.model, got);
            EXPECT_LT(largest_gap(golden.model, got.branches.front()), 1e-13) << name << " " << size;
            first += got.starts == 1;
            if (size < 1e-3) { // and stays where it was
                std::vector<double> d(golden.v.size());
                difference<double>(golden.model, golden.q, got.branches.front(), d);
                for (double x : d)
                    EXPECT_LT(std::abs(x), 1e-4) << name;
            }
        }
    }
    EXPECT_GE(tried, 100);
    std::printf("%d of %d from the guess itself\n", first, tried);
}

TEST(Assembly, HeldDofsStay)
{
    const ClosedGolden golden = closed_golden("stewart_6ups");
    const std::vector<double> guess = pulled_apart(golden.model, golden.q, 0.1, 3);
    AssemblyOptions options;
    for (int j : golden.json["independent_velocity"].get<std::vector<int>>())
        options.hold.push_back(golden.model.dof_names()[static_cast<std::size_t>(j)]);
    const Assembly got = assemble(golden.model, guess, options);
    ASSERT_TRUE(got.closed()) << words(golden.model, got);
    EXPECT_LT(largest_gap(golden.model, got.branches.front()), 1e-13);
    std::vector<double> d(golden.v.size());
    difference<double>(golden.model, guess, got.branches.front(), d);
    for (int j : got.held)
        EXPECT_EQ(d[static_cast<std::size_t>(j)], 0.0);
    EXPECT_EQ(got.held.size(), 6u);
}

// A four-bar with its crank held closes in two ways, mirror images about the diagonal.
TEST(Assembly, BothBranchesOfAFourBar)
{
    const Model model = four_bar(1, 2.5, 2, 3);
    const Assembly got = assemble(model, std::vector{1.0, 0.0, 1.0}, {.hold = {"crank"}, .branches = 5});
    ASSERT_EQ(got.branches.size(), 2u);
    const Vec3<double> diagonal = Vec3<double>{3, 0, 0} - Vec3<double>{std::cos(1.0), std::sin(1.0), 0};
    const double length = norm(diagonal);
    const double at_crank = std::acos((length * length + 2.5 * 2.5 - 4) / (2 * length * 2.5)),
                 along = std::atan2(diagonal.y, diagonal.x);
    std::vector<double> found{got.branches[0][1] + 1.0 - along, got.branches[1][1] + 1.0 - along};
    std::sort(found.begin(), found.end());
    EXPECT_NEAR(std::remainder(found[0] + at_crank, 6.283185307179586), 0.0, 1e-12);
    EXPECT_NEAR(std::remainder(found[1] - at_crank, 6.283185307179586), 0.0, 1e-12);
    for (const auto& q : got.branches)
        EXPECT_EQ(q[0], 1.0);
    // without a hold the first closure's independent dof stays for the others
    EXPECT_EQ(assemble(model, std::vector{1.0, 0.0, 1.0}, {.branches = 5}).branches.size(), 2u);
}

TEST(Assembly, ALinkTooLongIsRefusedByNameAndDistance)
{
    const Model model = four_bar(1, 1, 1, 4.25);
    const Assembly got = assemble(model, std::vector{1.0, 0.3, 2.0});
    ASSERT_FALSE(got.closed());
    ASSERT_EQ(got.open.size(), 1u);
    EXPECT_NEAR(got.open[0].gap.distance, 1.25, 1e-6); // the three in a line miss 4.25 - 3
    EXPECT_TRUE(got.at_minimum);
    try {
        assembled(model, std::vector{1.0, 0.3, 2.0});
        FAIL();
    } catch (const RefusedError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("loop 'pin' stays open by 1.25 m"), text.npos) << text;
        EXPECT_NE(text.find("the gap is least"), text.npos) << text;
    }
}

TEST(Assembly, LimitsAreKept)
{
    // The rocker of 1, 2.5, 2, 3 reaches everywhere; the crank is kept to a range.
    const Model kept = four_bar(1, 2.5, 2, 3, 0.4, 0.9);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        const std::vector<double> guess{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
        const Assembly got = assemble(kept, guess);
        ASSERT_TRUE(got.closed()) << words(kept, got);
        EXPECT_GE(got.branches[0][0], 0.4);
        EXPECT_LE(got.branches[0][0], 0.9);
        EXPECT_LT(largest_gap(kept, got.branches[0]), 1e-13);
    }
    // A rocker crank 2.5, 2, 1.2, 3 cannot stand at 2 rad: the distance left over there is that of a line.
    const Model never = four_bar(2.5, 2, 1.2, 3, 2.0, 2.5);
    const Assembly got = assemble(never, std::vector{2.2, 0.0, 0.0});
    ASSERT_FALSE(got.closed());
    const double reach = std::hypot(3 - 2.5 * std::cos(2.0), 2.5 * std::sin(2.0)) - 2 - 1.2;
    EXPECT_NEAR(got.open.at(0).gap.distance, reach, 1e-6);
    ASSERT_EQ(got.limits.size(), 1u);
    EXPECT_EQ(got.limits[0].limit, 2.0);
    EXPECT_NE(words(never, got).find("'crank' is stopped by its lower limit 2"), std::string::npos)
        << words(never, got);
    // Without limits it does.
    EXPECT_TRUE(assemble(never, std::vector{2.2, 0.0, 0.0}, {.limits = false}).closed());
}

// A hinge of five rows closes a plane linkage whose mount is turned by a rounded number: three rows contradict the others by what the
// rounding says, and no motion helps. Below the tolerance of rank that counts as closed, with a word; above it, it does not.
TEST(Assembly, RoundedNumbersOfRedundantRowsAreToldAndAccepted)
{
    const auto tilted = [](double turn) {
        ModelBuilder builder(four_bar(1, 2.5, 2, 3));
        builder.loops()[0].kind = LoopKind::revolute;
        const double c = std::cos(turn),
                     s = std::sin(turn); // crank and rocker on mounts that should be alike
        builder.hinges()[0].X_PF.R = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
        builder.hinges()[2].X_PF.R = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
        return builder.build();
    };
    const std::vector<double> guess{1.0, -0.5, 1.6}, nearest = assembled(tilted(1.5707963267948966), guess);
    for (double off : {5e-12, 1e-9, 1e-7}) {
        const Model model = tilted(1.5707963267948966 + off);
        const Assembly found = assemble(model, guess);
        ASSERT_TRUE(found.closed()) << off << words(model, found);
        ASSERT_EQ(found.contradictions.size(), 1u) << off;
        EXPECT_LT(found.contradictions[0].gap.part, 3 * off);
        EXPECT_GT(found.contradictions[0].gap.part, 0.1 * off);
        EXPECT_NE(words(model, found).find("loop 'pin' stays open by"), std::string::npos);
        EXPECT_EQ(found.starts, 5);
        EXPECT_NEAR(found.branches[0][0], nearest[0],
                    5e-3); // as near to the guess as without it: no way along the contradiction
    }
    EXPECT_TRUE(assemble(tilted(1.5707963267948966), guess).contradictions.empty());
    EXPECT_FALSE(assemble(tilted(1.58), guess).closed());
}

// Loops that share no hinge do not keep each other open: the one that cannot close is named alone.
TEST(Assembly, OneImpossibleLoopIsNamedAlone)
{
    ModelBuilder builder(closed_golden("chain_5_four_bars").model);
    Loop& bad = builder.loops()[2];
    bad.X_Bb.p.x += 30.0;
    const Model model = builder.build();
    const ClosedGolden golden = closed_golden("chain_5_four_bars");
    const Assembly found = assemble(model, pulled_apart(model, golden.q, 0.1, 3));
    ASSERT_FALSE(found.closed());
    ASSERT_EQ(found.open.size(), 1u) << words(model, found);
    EXPECT_EQ(found.open[0].loop, 2);
}

// A distant coupling joins all loops of the cluster that it is tied to: none is closed while another opens.
TEST(Assembly, DistantCouplingsCloseWithTheLoopsOfTheirCluster)
{
    const ClosedGolden golden = closed_golden("stewart_6ups");
    ModelBuilder builder(golden.model);
    builder.add_body({.name = "gauge", .mass = 1.0, .inertia_com = Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    builder.add_hinge({.name = "gauge", .kind = HingeKind::revolute, .child = "gauge", .axis = {0, 0, 1}});
    std::string slide; // the last leg's
    for (const Hinge& hinge : golden.model.hinges())
        if (hinge.kind == HingeKind::prismatic)
            slide = hinge.name;
    builder.add_loop(mimic("display", "gauge", slide, 2.0));
    const Model model = builder.build();
    ASSERT_EQ(model.topology().distant.size(), 1u);
    std::vector<double> guess(static_cast<std::size_t>(model.num_coordinates()), 0.0);
    std::copy(golden.q.begin(), golden.q.end(), guess.begin());
    guess.back() = 1.0;
    guess = pulled_apart(model, guess, 0.05, 5);
    const Assembly found = assemble(model, guess);
    ASSERT_TRUE(found.closed()) << words(model, found);
    EXPECT_LT(largest_gap(model, found.branches.front()), 1e-13);
    PositionProjection projection(model);
    Kinematics<double> kin(model);
    EXPECT_LT(projection.positions(kin, guess).after, 1e-14);
    EXPECT_GT(projection.positions(kin, guess).iterations + 1, 0);
}

// A quick-return: a block on a crank that slides along a lever, far beside the size of what carries it; nearly closed, it closes.
TEST(Assembly, SlidingLoopsCloseWhereverTheyAre)
{
    for (const LoopKind kind : {LoopKind::prismatic, LoopKind::cylindrical})
        for (const double offset : {0.0, 5.0}) {
            const Model model = quick_return(kind, offset);
            PositionProjection projection(model);
            Kinematics<double> kin(model);
            Random random(3);
            for (int round = 0; round < 100; ++round) {
                std::vector<double> q = quick_return_at(random.uniform(-3.0, 3.0));
                EXPECT_LT(largest_gap(model, q), 1e-14);
                for (double size : {1e-10, 1e-6, 1e-3}) {
                    std::vector<double> off = q;
                    for (double& x : off)
                        x += size * random.uniform(-1.0, 1.0);
                    EXPECT_LT(projection.positions(kin, off).after, 1e-14) << size;
                }
            }
        }
}

// Gears and screws close however far they have to turn: a rotor behind 160:1, a spindle of 5 mm a turn that pushes a sled.
TEST(Assembly, GearsAndScrewsTurnAsFarAsTheyMust)
{
    for (double ratio : {1.0, 160.0, -3000.0}) {
        ModelBuilder builder(four_bar(1.0, 2.5, 2.0, 3.0));
        builder.add_body({"rotor", 0.1, {}, Sym3<double>::diagonal(1e-4, 1e-4, 1e-4)});
        builder.add_hinge({.name = "rotor", .kind = HingeKind::revolute, .child = "rotor"});
        builder.add_loop(mimic("gear", "rotor", "crank", ratio));
        const Model model = builder.build();
        AssemblyOptions how;
        how.hold = {"crank"};
        const Assembly found = assemble(model, std::vector<double>{1.0, 0, 1.0, 0}, how);
        ASSERT_TRUE(found.closed()) << words(model, found);
        EXPECT_NEAR(found.branches[0][3], ratio, 1e-12 * std::abs(ratio));
    }
    ModelBuilder builder("jack");
    builder.add_body({"spindle", 1.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    builder.add_body({"sled", 1.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    Hinge screw{.name = "spindle", .kind = HingeKind::helical, .child = "spindle", .axis = {0, 0, 1}};
    screw.pitch = 0.005 / 6.283185307179586;
    builder.add_hinge(screw);
    builder.add_hinge({.name = "sled", .kind = HingeKind::prismatic, .child = "sled", .axis = {0, 0, 1}});
    Loop push{.name = "push", .kind = LoopKind::rows, .body_a = "sled", .body_b = "spindle"};
    push.rows = {LoopRow::z};
    builder.add_loop(push);
    const Model model = builder.build();
    AssemblyOptions how;
    how.hold = {"sled"};
    const Assembly found = assemble(model, std::vector<double>{0.0, 0.5}, how);
    ASSERT_TRUE(found.closed()) << words(model, found);
    EXPECT_NEAR(found.branches[0][0], 100 * 6.283185307179586, 1e-8);
}

// A loop hangs on what carries it, wherever that is: its gap has the same digits a light second away.
TEST(Assembly, GapsDoNotDependOnWhereTheBaseIs)
{
    ModelBuilder builder("satellite");
    const Model bars = four_bar(1.0, 2.5, 2.0, 3.0);
    builder.add_body({"bus", 100.0, {}, Sym3<double>::diagonal(10, 10, 10)});
    builder.add_hinge({.name = "base", .kind = HingeKind::free, .child = "bus"});
    builder.add_frame({.name = "mount", .body = "bus"});
    const Model model = attach(builder.build(), "mount", bars);
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()), 0.0);
    const std::vector<double> at_home = assembled(bars, std::vector<double>{1.0, 0, 1.0});
    for (double far : {0.0, 7e6, 3e8}) {
        neutral(model, q);
        q[4] = far, q[5] = -far, q[6] = 0.3 * far;
        std::copy(at_home.begin(), at_home.end(), q.end() - 3);
        EXPECT_LT(largest_gap(model, q), 1e-15) << far;
        q.back() += 1e-7;
        EXPECT_NEAR(
            largest_gap(model, q),
            [&] {
                std::vector<double> moved = at_home;
                moved.back() += 1e-7;
                return largest_gap(bars, moved);
            }(),
            1e-15)
            << far;
        std::vector<double> off = q;
        off[static_cast<std::size_t>(model.num_coordinates()) - 1] += 0.1;
        AssemblyOptions how;
        how.hold = {"crank", "base"};
        const std::vector<double> closed = assembled(model, off, how);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(closed[closed.size() - 3 + i], at_home[i], 1e-12) << far;
    }
}

// Axes that point in opposite directions are half a turn apart, and a disc that lies flat has no lowest point: neither is closed.
TEST(Assembly, GapsWithoutADirectionAreOpen)
{
    ModelBuilder builder(four_bar(1, 2.5, 2, 3));
    builder.loops()[0].kind = LoopKind::revolute;
    builder.loops()[0].X_Bb.R = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const Model opposite = builder.build();
    const std::vector<double> q = assembled(four_bar(1, 2.5, 2, 3), std::vector<double>{1.0, -0.5, 1.6});
    EXPECT_NEAR(largest_gap(opposite, q), 3.141592653589793, 1e-9);
    const Assembly found = assemble(opposite, q);
    EXPECT_FALSE(found.closed());

    ModelBuilder rolling("disc");
    rolling.add_body({"disc", 1.0, {}, Sym3<double>::diagonal(0.02, 0.02, 0.04)});
    rolling.add_hinge({.name = "disc", .kind = HingeKind::free, .child = "disc"});
    rolling.add_loop({.name = "rim", .kind = LoopKind::rolling_disc, .body_b = "disc", .radius = 0.3});
    const Model disc = rolling.build();
    const std::vector<double> flat{1, 0, 0, 0, 0, 0, 0}; // its axle upright, its centre in the plane
    EXPECT_TRUE(std::isinf(largest_gap(disc, flat)));
    const std::vector<double> standing = assembled(disc, flat); // from another start
    EXPECT_LT(largest_gap(disc, standing), 1e-12);
}

TEST(Assembly, WrongUseIsToldInWords)
{
    const Model model = four_bar(1, 2.5, 2, 3);
    const std::vector<double> q{1, 0, 1};
    EXPECT_THROW(assemble(model, std::vector{1.0}), UsageError);
    EXPECT_THROW(assemble(model, std::vector{1.0, 0.0, std::nan("")}), UsageError);
    EXPECT_THROW(assemble(model, q, {.branches = 0}), UsageError);
    EXPECT_THROW(assemble(model, q, {.tolerance = 0.0}), UsageError);
    try {
        assemble(model, q, {.hold = {"cranck"}});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("'crank'"), std::string::npos) << error.what();
    }
}

// --- projection ------------------------------------------------------------------------------------------------------

TEST(Projection, PositionsCloseAndStayNear)
{
    for (const std::string& name : closed_names()) {
        const ClosedGolden golden = closed_golden(name);
        Projection projection(golden.model);
        Kinematics<double> kin(golden.model);
        std::vector<double> q = pulled_apart(golden.model, golden.q, 1e-4, 11);
        const Projection::Report report = projection.positions(kin, q);
        EXPECT_LT(report.after, 1e-14) << name << " after " << report.iterations << ", was " << report.before;
        EXPECT_LE(report.iterations, 6) << name;
        EXPECT_EQ(largest_gap(golden.model, q), report.after) << name;
        std::vector<double> d(golden.v.size());
        difference<double>(golden.model, golden.q, q, d);
        for (double x : d)
            EXPECT_LT(std::abs(x), name.find("dead_centre") == name.npos ? 5e-3 : 0.1) << name;
    }
}

// Of all velocities with rows * v = values the nearest to v in the metric of M: by the pseudo-inverse of rows L^-T.
VectorXd nearest_velocities(const Model& model, const std::vector<double>& q, const MatrixXd& rows,
                            const VectorXd& v, const VectorXd& values)
{
    const MatrixXd L = dense_mass_matrix(model, dense_bodies(model, q)).llt().matrixL();
    const MatrixXd scaled = L.triangularView<Eigen::Lower>().solve(rows.transpose()).transpose();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(1e-7);
    cod.compute(scaled);
    return v - L.transpose().triangularView<Eigen::Upper>().solve(VectorXd(cod.solve(rows * v - values)));
}

MatrixXd dense_loop_rows(const Model& model, const Kinematics<double>& kin)
{
    Loops<double> loops(model, model.loops());
    update_loops(kin, loops);
    MatrixXd J = MatrixXd::Zero(loops.num_rows, model.num_dofs());
    for (const auto& on : loops.loops)
        loop_jacobian<double>(kin, loops, on,
                              [&](int i, int dof, double x) { J(on.first_row + i, dof) += x; });
    return J;
}

// v - M^-1 J'(J M^-1 J')^+ J v, by dense algebra.
TEST(Projection, VelocitiesAreTheDenseFormula)
{
    for (const std::string& name : closed_names()) {
        const ClosedGolden golden = closed_golden(name);
        const Model& model = golden.model;
        Kinematics<double> kin(model);
        Random random(3);
        std::vector<double> v = golden.v;
        for (double& x : v)
            x += random.uniform(-1, 1);
        update<double>(kin, golden.q, v);
        update_inertias(kin);
        ClosedDynamics dynamics(model);
        dynamics.update(kin);
        Projection projection(model);
        std::vector<double> got = v;
        projection.velocities(kin, dynamics, got);

        const MatrixXd J = dense_loop_rows(model, kin);
        const Eigen::Map<const VectorXd> before(v.data(), model.num_dofs()),
            after(got.data(), model.num_dofs());
        const VectorXd expected = nearest_velocities(model, golden.q, J, before, VectorXd::Zero(J.rows()));
        const double size = expected.lpNorm<Eigen::Infinity>();
        EXPECT_LT((after - expected).lpNorm<Eigen::Infinity>(), 1e-9 * size) << name;
        EXPECT_LT((J * after).lpNorm<Eigen::Infinity>(), 1e-13 * (1 + size) * (1 + J.cwiseAbs().maxCoeff()))
            << name;
    }
}

// --- closing velocities ----------------------------------------------------------------------------------------------

// Every other of the independent dofs is held: likewise, with rows that hold them.
TEST(ClosingVelocities, AreTheNearestWithSomeHeld)
{
    int tried = 0;
    for (const std::string& name : closed_names()) {
        const ClosedGolden golden = closed_golden(name);
        const Model& model = golden.model;
        Random random(8);
        std::vector<double> v = golden.v;
        for (double& x : v)
            x += random.uniform(-1, 1);
        std::vector<int> held;
        std::vector<std::string> names;
        const std::vector<int> independent = golden.json["independent_velocity"];
        for (std::size_t i = 0; i < independent.size(); i += 2) {
            held.push_back(independent[i]);
            names.push_back(model.dof_names()[static_cast<std::size_t>(independent[i])]);
        }
        const ClosingVelocities got = closing_velocities(model, golden.q, v, names);
        EXPECT_TRUE(got.not_held.empty()) << name;

        Kinematics<double> kin(model);
        update<double>(kin, golden.q, v);
        const MatrixXd J = dense_loop_rows(model, kin);
        MatrixXd rows = MatrixXd::Zero(J.rows() + static_cast<Eigen::Index>(held.size()), J.cols());
        VectorXd values = VectorXd::Zero(rows.rows());
        rows.topRows(J.rows()) = J;
        for (std::size_t i = 0; i < held.size(); ++i) {
            const Eigen::Index row = J.rows() + static_cast<Eigen::Index>(i);
            rows(row, held[i]) = 1.0;
            values[row] = v[static_cast<std::size_t>(held[i])];
        }
        const VectorXd expected = nearest_velocities(
            model, golden.q, rows, Eigen::Map<const VectorXd>(v.data(), model.num_dofs()), values);
        const double worst =
            (Eigen::Map<const VectorXd>(got.v.data(), model.num_dofs()) - expected).lpNorm<Eigen::Infinity>();
        EXPECT_LT(worst, 1e-9 * expected.lpNorm<Eigen::Infinity>()) << name;
        tried += independent.size() > 1;
    }
    EXPECT_GE(tried, 20);
}

// The rocker follows from the crank, so that one of the two gives way, and is told.
TEST(ClosingVelocities, HeldDofsThatFollowFromOthersAreTold)
{
    const ClosedGolden golden = closed_golden("four_bar");
    const std::vector<double> v{1.0, 0.0, 5.0};
    const ClosingVelocities got = closing_velocities(
        golden.model, golden.q, v, {golden.model.hinges()[0].name, golden.model.hinges()[2].name});
    ASSERT_EQ(got.not_held.size(), 1u);
    Kinematics<double> kin(golden.model);
    update<double>(kin, golden.q, got.v);
    EXPECT_LT((dense_loop_rows(golden.model, kin) * Eigen::Map<const VectorXd>(got.v.data(), 3))
                  .lpNorm<Eigen::Infinity>(),
              1e-14);
    EXPECT_THROW(closing_velocities(golden.model, golden.q, v, {"no such dof"}), UsageError);
}

} // namespace
} // namespace sweepdyn::test
