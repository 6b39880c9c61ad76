// Laws of simulation where loops are singular: dead centres and flat parallelograms are passed, at any distance; energy stays where branches
// of a motion meet.
#include <cmath>

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/robot.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

// Through both dead centres, many times: the crank turns on, energy stays.
TEST(SingularPoses, SliderCrankPassesItsDeadCentres)
{
    const Model model = linkage("slider_crank", 0.0,
                                {{"crank", "", 1.0, {}},
                                 {"rod", "crank", 2.0, {1, 0, 0}},
                                 {"slider", "", 0.2, {}, HingeKind::prismatic, {1, 0, 0}}},
                                pin("rod", 2.0, "slider", 0.0));
    // exactly at the outer dead centre; the slider stands
    for (double step : {1e-3, 7e-4}) {
        Plant plant(model);
        SimulationOptions how;
        how.time = 10.0;
        how.step = step;
        how.signals = {"closure", "energy", "q:crank"};
        const Simulation done = simulate(plant, {0.0, {0, 0, 3}, {6.0, -9.0, 0.0}}, how);
        EXPECT_TRUE(done.notes.empty());
        EXPECT_LT(largest(done.recording, "closure"), 1e-13);
        EXPECT_LT(energy_drift(done.recording), 1e-8);
        EXPECT_GT(done.last.q[0], 30.0); // five turns, ten dead centres
        EXPECT_NEAR(done.last.q[0] + done.last.q[1], std::asin(-std::sin(done.last.q[0]) / 2.0), 1e-9);
    }
}

// A rocker whose crank swings between limits of its own: the crank is no coordinate there.
TEST(SingularPoses, RockerPassesTheEndsOfItsCrank)
{
    const Model model = linkage(
        "rocker", 9.81,
        {{"crank", "", 2.5, {}}, {"coupler", "crank", 2.0, {2.5, 0, 0}}, {"rocker", "", 1.2, {3, 0, 0}}},
        pin("coupler", 2.0, "rocker", 1.2));
    Plant plant(model);
    // closed by hand: crank 0.6
    const Vec3<double> diagonal{3 - 2.5 * std::cos(0.6), -2.5 * std::sin(0.6), 0};
    const double length = norm(diagonal), along = std::atan2(diagonal.y, diagonal.x);
    const double coupler = along + std::acos((length * length + 4 - 1.44) / (4 * length));
    const double x = 2.5 * std::cos(0.6) + 2 * std::cos(coupler) - 3,
                 y = 2.5 * std::sin(0.6) + 2 * std::sin(coupler);
    SimulationOptions how;
    how.time = 10.0;
    how.step = 5e-4;
    how.signals = {"closure", "energy", "v:crank"};
    const Simulation done = simulate(plant, {0.0, {0.6, coupler - 0.6, std::atan2(y, x)}, {0, 0, 0}}, how);
    EXPECT_LT(largest(done.recording, "closure"), 1e-13);
    EXPECT_LT(energy_drift(done.recording), 1e-8);
    const std::size_t v = column(done.recording, "v:crank");
    int turned = 0;
    for (std::size_t i = 1; i < done.recording.num_rows(); ++i)
        turned += done.recording(i, v) * done.recording(i - 1, v) < 0.0;
    EXPECT_GT(turned, 4);
}

// Equal opposite sides and no gravity: the crank turns at constant speed, through the flat pose where the coupler might as well fold.
// The steps of 2 pi / 5000 of a turn end exactly on it.
TEST(SingularPoses, ParallelogramPassesTheFlatPose)
{
    const Model model = linkage(
        "parallelogram", 0.0,
        {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
        pin("coupler", 2.0, "rocker", 1.0));
    for (const auto& [start, step] : {std::pair{1.2, 1e-3}, {1.2, 2e-3}, {0.0, 1e-3}, {-0.5, 1e-3}}) {
        Plant plant(model);
        SimulationOptions how;
        how.time = 5.0;
        how.step = step;
        how.signals = {"closure", "energy", "q:crank", "q:coupler", "q:rocker", "v:crank"};
        const Simulation done = simulate(plant, {0.0, {start, -start, start}, {5.0, -5.0, 5.0}}, how);
        EXPECT_LT(largest(done.recording, "closure"), 1e-12) << start;
        EXPECT_LT(energy_drift(done.recording), 1e-8) << start;
        EXPECT_NEAR(done.last.q[0], start + 25.0, 1e-6) << start << " " << step;
        EXPECT_NEAR(done.last.q[0], done.last.q[2], 1e-7) << start; // still a parallelogram
        EXPECT_NEAR(done.last.v[0], 5.0, 1e-6) << start;
        std::printf("flat parallelogram from %.1f: q %.1e, v %.1e, energy %.1e\n", start,
                    done.last.q[0] - start - 25.0, done.last.v[0] - 5.0, energy_drift(done.recording));
    }
}

// By any distance from the flat pose that a step may end at, and under gravity too: the rows are all but dependent there.
TEST(SingularPoses, ParallelogramPassesNearTheFlatPose)
{
    for (double gravity : {0.0, 9.81}) {
        const Model model = linkage(
            "parallelogram", gravity,
            {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
            pin("coupler", 2.0, "rocker", 1.0));
        for (double miss : {1e-3, 3e-4, 1e-4, 1e-5, 3e-6, 1.1e-6, 9e-7, 1e-7, 1e-8, 1e-10, 1e-12}) {
            Plant plant(model);
            SimulationOptions how;
            how.time = 0.2;
            how.step = 1e-3;
            how.signals = {"closure", "energy"};
            const double start = -0.5 + miss; // a hundred steps of 5 mrad before it, without gravity
            const Simulation done = simulate(plant, {0.0, {start, -start, start}, {5.0, -5.0, 5.0}}, how);
            EXPECT_LT(largest(done.recording, "closure"), 1e-13) << miss;
            EXPECT_LT(energy_drift(done.recording), 1e-10) << miss;
            EXPECT_NEAR(done.last.q[0], done.last.q[2], 1e-9) << miss;
            EXPECT_NEAR(done.last.v[0], done.last.v[2], 1e-6) << miss;
        }
    }
}

// Where rows become dependent the differential-algebraic form has no single solution: it passes, or stops with words; no silence.
TEST(SingularPoses, DaeAtAFlatPoseTellsOrPasses)
{
    if (!has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    const Model model = linkage(
        "parallelogram", 0.0,
        {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
        pin("coupler", 2.0, "rocker", 1.0));
    for (Method method : {Method::adaptive, Method::stiff, Method::dae}) {
        Plant plant(model);
        SimulationOptions how;
        how.time = 1.0;
        how.method = method;
        how.signals = {"closure", "energy"};
        try {
            const Simulation done = simulate(plant, {0.0, {1.2, -1.2, 1.2}, {5.0, -5.0, 5.0}}, how);
            EXPECT_LT(largest(done.recording, "closure"), 1e-9);
            std::printf("flat, method %d: q %.1e, energy %.1e\n", static_cast<int>(method),
                        done.last.q[0] - 6.2, energy_drift(done.recording));
            if (method != Method::dae) {
                EXPECT_NEAR(done.last.q[0], 6.2, 1e-5);
            }
        } catch (const RefusedError& error) {
            std::printf("flat, method %d: %s\n", static_cast<int>(method), error.what());
            EXPECT_EQ(method, Method::dae) << error.what();
        }
    }
}

// Let go by gravity at or near the flat pose, rows become independent on the way: it goes on with all of them, or stops with words.
TEST(SingularPoses, DaeFromAFlatPoseTellsOrGoesOnRightly)
{
    if (!has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    const Model model = linkage(
        "parallelogram", -9.81,
        {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
        pin("coupler", 2.0, "rocker", 1.0));
    for (const double off : {0.0, 1e-9, 1e-6, 1e-4}) {
        Plant plant(model);
        SimulationOptions how;
        how.time = 0.6;
        how.method = Method::dae;
        how.tolerances.relative = 1e-9;
        how.signals = {"energy"};
        try {
            const Simulation done = simulate(plant, {0.0, {off, -off, off}, {0, 0, 0}}, how);
            EXPECT_LT(energy_drift(done.recording), 1e-6) << off;
        } catch (const RefusedError& error) {
            EXPECT_NE(std::string(error.what()).find("become dependent"), std::string::npos) << error.what();
            EXPECT_LT(off, 1e-5);
        }
    }
}

Model equal_bars()
{
    return linkage("equal_bars", 9.81,
                   {{"crank", "", 1.0, {}},
                    {"rod", "crank", 1.0, {1, 0, 0}},
                    {"slider", "", 0.2, {}, HingeKind::prismatic, {1, 0, 0}}},
                   pin("rod", 1.0, "slider", 0.0));
}

// A slider-crank of equal bars: where the slider is at the crank's pivot, crank and rod might as well turn together about it. From anywhere
// motions come by at any distance, and keep their energy.
TEST(SingularPoses, EnergyStaysWhereBranchesMeet)
{
    const Model model = equal_bars();
    struct Way {
        Method method;
        double step_or_tolerance, drift;
    };
    for (const Way& way : {Way{Method::rk4, 1e-3, 3e-8}, Way{Method::rk4, 5e-4, 2e-9},
                           Way{Method::adaptive, 1e-11, 5e-12}, Way{Method::stiff, 1e-9, 1e-6}}) {
        if (way.method != Method::rk4 && !has_sundials())
            continue;
        Random random(1);
        double worst = 0.0;
        for (int trial = 0; trial < (SWEEPDYN_TEST_ADDRESS_SANITIZER ? 3 : 25); ++trial) {
            const double q = random.uniform(-3.0, 3.0), v = random.uniform(2.5, 5.0);
            Plant plant(model);
            SimulationOptions how;
            how.time = 1.5;
            how.method = way.method;
            how.step = how.tolerances.relative = way.step_or_tolerance;
            how.signals = {"closure", "energy"};
            const Simulation done =
                simulate(plant, {0.0, {q, -2 * q, 2 * std::cos(q)}, {v, -2 * v, -2 * std::sin(q) * v}}, how);
            EXPECT_LT(largest(done.recording, "closure"), 1e-13);
            EXPECT_NEAR(std::remainder(done.last.q[1] + 2 * done.last.q[0], 2 * M_PI), 0.0,
                        1e-9); // its branch
            worst = worse(worst, energy_drift(done.recording));
        }
        std::printf("equal bars, method %d at %.0e: energy %.1e\n", static_cast<int>(way.method),
                    way.step_or_tolerance, worst);
        EXPECT_LT(worst, way.drift) << static_cast<int>(way.method);
    }
}

// Exactly where they meet, velocities tell the branch; those between them are of no motion, and that is told.
TEST(SingularPoses, StartsWhereBranchesMeetAreTold)
{
    const Model model = equal_bars();
    const std::vector<double> q{M_PI / 2, -M_PI, 0};
    SimulationOptions how;
    how.time = 0.5;
    how.signals = {"energy", "closure"};
    const auto note = [&](std::vector<double> v) {
        Plant plant(model);
        const Simulation done = simulate(plant, {0.0, q, std::move(v)}, how);
        EXPECT_EQ(done.notes.size(), 1u);
        const std::string told =
            "the motion begins at a singular pose: loop 'pin': its hinges have mobility 2 here, 1 nearby; ";
        EXPECT_TRUE(done.notes[0].starts_with(told)) << done.notes[0];
        if (done.notes[0].find("between") == std::string::npos) {
            EXPECT_LT(energy_drift(done.recording), 1e-8);
        }
        return done.notes[0].substr(told.size());
    };
    EXPECT_EQ(note({3, -6, -6}), "its velocities tell which way it goes on");
    EXPECT_EQ(note({3, 0, 0}), "its velocities tell which way it goes on");
    EXPECT_EQ(note({0, 0, 0}), "at rest there, rounding tells which way it goes on");
    EXPECT_EQ(
        note({3, -4, -4}),
        "its velocities lie between the branches that meet there, the first step takes it to one of them");
}

// --- accelerations where branches meet -------------------------------------------------------------------------------

Model flat_parallelogram()
{
    return linkage(
        "flat", 9.81,
        {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
        pin("coupler", 2.0, "rocker", 1.0));
}

// Flat, with bars of 1, 2, 1 that turn by a, u = a + b, c: the pin's height a + 2u - c stays, and so does its place along, whose third
// derivative is a a' + 2 u u' - c c'; the forces' power is what kinetic energy gains. Three equations for three accelerations, on either branch:
// b = -a, the parallelogram, and u = -2a, the crossed one.
TEST(SingularPoses, AccelerationsAreThoseOfTheBranch)
{
    Robot robot(flat_parallelogram());
    const std::vector<double> q{0, 0, 0};
    for (double w : {2.0, -0.7, 1e-6})
        for (const std::vector<double>& v : {std::vector<double>{w, -w, w}, {w, -3 * w, -3 * w}}) {
            const Eigen::Vector3d v_E(v[0], v[1], v[2]), T(5, 0.3, -0.8);
            robot.set_state(Eigen::Vector3d::Zero(), v_E);
            const Eigen::VectorXd a = robot.forward_dynamics(T);
            const double u = v[0] + v[1], u_dot = a[0] + a[1], size = a.cwiseAbs().maxCoeff();
            EXPECT_NEAR(a[0] + 2 * u_dot, a[2], 1e-9 * size) << w;
            EXPECT_NEAR((v[0] * a[0] + 2 * u * u_dot - v[2] * a[2]) / (w * w), 0.0, 1e-9 * size / std::abs(w))
                << w;
            Kinematics<double> kin(robot.model()); // of the tree: what the loop does is without power
            BodyForces<double> scratch(robot.model());
            Eigen::Vector3d needed;
            update<double>(kin, q, v);
            update_inertias(kin);
            inverse_dynamics<double>(kin, {a.data(), 3}, {needed.data(), 3}, scratch);
            EXPECT_NEAR((needed - T).dot(v_E) / w, 0.0, 1e-9 * size) << w;
        }
}

// Two of them, apart: each has the accelerations that it has alone, whether the other moves, creeps or rests.
TEST(SingularPoses, EachClusterHasItsOwnBranch)
{
    ModelBuilder builder(flat_parallelogram());
    const Model twin = flat_parallelogram();
    for (Body body : twin.bodies()) {
        body.name += "2";
        builder.add_body(body);
    }
    for (Hinge hinge : twin.hinges()) {
        for (std::string* name : {&hinge.name, &hinge.parent, &hinge.child})
            *name += name->empty() ? "" : "2";
        builder.add_hinge(hinge);
    }
    Loop loop = twin.loops().front();
    for (std::string* name : {&loop.name, &loop.body_a, &loop.body_b})
        *name += "2";
    Robot robot(builder.add_loop(loop).build()), alone(twin);
    const Eigen::Vector3d T(5, 0.3, -0.8), v(2, -2, 2);
    alone.set_state(Eigen::Vector3d::Zero(), v);
    const Eigen::VectorXd truth = alone.forward_dynamics(T);
    for (double w : {0.0, 1e-12, 0.01, 30.0}) {
        Eigen::VectorXd both(6), forces(6);
        both << v, w, -w, w;
        forces << T, 0, 0, 0;
        robot.set_state(Eigen::VectorXd::Zero(6), both);
        EXPECT_LE((robot.forward_dynamics(forces).head(3) - truth).cwiseAbs().maxCoeff(),
                  1e-9 * truth.cwiseAbs().maxCoeff())
            << w;
    }
}

// A motion that begins exactly there under a torque on one bar alone: every method of any step keeps to the work of that torque, to its order.
TEST(SingularPoses, MotionsBeginWhereBranchesMeet)
{
    const Model model = flat_parallelogram();
    const auto off = [&](Method method, double step_or_tolerance) {
        PlantOptions acts;
        acts.controller = {[](double, auto, auto, std::span<double> T) { T[0] = 5.0; }};
        Plant plant(model, acts);
        SimulationOptions how;
        how.time = 0.5;
        how.method = method;
        how.step = how.tolerances.relative = step_or_tolerance;
        how.signals = {"energy:total", "q:crank"};
        const Simulation done = simulate(plant, {0.0, {0, 0, 0}, {1, -1, 1}}, how);
        const Recording& r = done.recording;
        const std::size_t last = r.num_rows() - 1;
        EXPECT_LT(r(last, 2), -0.5);
        return std::abs(r(last, 1) - r(0, 1) - 5.0 * r(last, 2));
    };
    const double coarse = off(Method::rk4, 2e-2), fine = off(Method::rk4, 1e-2);
    EXPECT_LT(coarse, 1e-5);
    EXPECT_GT(coarse, 12.0 * fine); // fourth order
    EXPECT_LT(off(Method::rk4, 1e-3), 1e-10);
    if (has_sundials()) {
        EXPECT_LT(off(Method::adaptive, 1e-11), 1e-10);
        EXPECT_LT(off(Method::stiff, 1e-10),
                  1e-6); // of 14 J; backward differentiation leaves some hundred tolerances
    }
}

// Three bars in one line between two pins move to first order, and not at all: there is no motion to follow.
TEST(SingularPoses, StructuresThatMoveToFirstOrderAreRefused)
{
    const Model model =
        linkage("line", 9.81, {{"a", "", 1.0, {}}, {"b", "a", 1.0, {1, 0, 0}}, {"c", "", 1.0, {3, 0, 0}}},
                pin("b", 1.0, "c", 1.0));
    for (const Method method : {Method::rk4, Method::adaptive}) {
        if (method != Method::rk4 && !has_sundials())
            continue;
        Plant plant(model);
        SimulationOptions how;
        how.time = 1.0;
        how.method = method;
        try {
            simulate(plant, {0.0, {0, 0, M_PI}, {0, 0, 0}}, how);
            FAIL();
        } catch (const RefusedError& error) {
            EXPECT_EQ(
                std::string(error.what()),
                "model 'line': loop 'pin': its hinges have mobility 2 here to first order only; no motion of "
                "finite size was found, so that nothing tells how it moves or what it carries; begin "
                "elsewhere, or weld it");
        }
    }
}

} // namespace
} // namespace sweepdyn::test
