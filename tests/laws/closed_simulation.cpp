// Laws of simulation with loops: motions of the golden files, loops that stay closed and energy that stays for a minute, all integrators
// on one motion, distant couplings, starts that are off.
#include <cmath>

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/closed_golden.hpp"
#include "support/compare.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

Controller constant_forces(std::vector<double> T)
{
    return {[T = std::move(T)](double, auto, auto, std::span<double> out) {
        std::copy(T.begin(), T.end(), out.begin());
    }};
}

// --- loops that slide --------------------------------------------------------------------------------------------------

// A lever that a block slides along, by every method: closed throughout, and energy stays.
TEST(ClosedSimulation, SlidingLoopsStayClosed)
{
    for (const LoopKind kind : {LoopKind::prismatic, LoopKind::cylindrical})
        for (const double offset : {0.0, 5.0})
            for (Method method : {Method::rk4, Method::adaptive, Method::stiff, Method::dae}) {
                if (method != Method::rk4 && !has_sundials())
                    continue;
                Plant plant(quick_return(kind, offset), {});
                SimulationOptions how;
                how.method = method;
                how.time = 2.0;
                how.step = 5e-3;
                how.every = 0.01;
                how.tolerances.relative = method == Method::adaptive ? 1e-6 : 1e-8;
                how.signals = {"closure", "energy"};
                const Simulation done = simulate(plant, {0.0, quick_return_at(0.5), {0, 0, 0}}, how);
                EXPECT_TRUE(done.notes.empty());
                EXPECT_LT(largest(done.recording, "closure"), 1e-13) << name(kind) << ", " << offset;
                EXPECT_LT(energy_drift(done.recording), 1e-4);
            }
}

// --- motions known to many digits ------------------------------------------------------------------------------------

TEST(ClosedSimulation, GoldenTrajectories)
{
    for (const char* name : {"four_bar", "gripper_mimic_gear", "stewart_6ups", "two_arms_box"}) {
        const ClosedGolden golden = closed_golden(name);
        const nlohmann::json traj = closed_json(std::string("traj_") + name);
        const auto independent = traj["independent"].get<std::vector<int>>();
        for (Method method : {Method::rk4, Method::adaptive, Method::stiff, Method::dae}) {
            if (method != Method::rk4 && !has_sundials())
                continue;
            PlantOptions acts;
            acts.controller = constant_forces(traj["tau"].get<std::vector<double>>());
            Plant plant(golden.model, acts);
            SimulationOptions how;
            how.method = method;
            how.signals = {"closure"};
            how.step = 2.5e-4;
            // Backward differentiation leaves some hundred times what it is asked for.
            how.tolerances.relative = method == Method::stiff || method == Method::dae ? 1e-13 : 1e-12;
            double worst = 0.0;
            Instant at{0.0, golden.q, golden.v};
            for (const auto& sample : traj["samples"]) {
                how.time = sample["t"].get<double>() - at.t;
                how.every = 1.0;
                if (how.time <= 0.0)
                    continue;
                const Simulation done = simulate(plant, at, how);
                EXPECT_TRUE(done.notes.empty()) << name << ": " << done.notes.front();
                EXPECT_LT(largest(done.recording, "closure"), 1e-13) << name;
                at = done.last;
                for (std::size_t i = 0; i < independent.size(); ++i) {
                    // independent dofs of these files have a coordinate each, the last ones of free bodies apart
                    const int j = independent[i], k = golden.model.tree().body_of_dof[j];
                    const double q =
                        at.q[golden.model.tree().first_coordinate[k] + j - golden.model.tree().first_dof[k]];
                    const double q_true = sample["q_ind"][i], v_true = sample["v_ind"][i];
                    worst = worse(worst, std::abs(q - q_true) / (1 + std::abs(q_true)));
                    worst = worse(worst, std::abs(at.v[j] - v_true) / (1 + std::abs(v_true)));
                }
            }
            std::printf("%-20s method %d: %.1e\n", name, static_cast<int>(method), worst);
            EXPECT_LT(worst, 1e-9) << name << " " << static_cast<int>(method);
        }
    }
}

// Total energy against the integral of T v, by Simpson's rule over equal steps: t, closure, energy, v.
void expect_energy_is_work(const Recording& recording, const std::vector<double>& T)
{
    const std::size_t rows = recording.num_rows();
    ASSERT_EQ(rows % 2, 1u);
    ASSERT_EQ(recording.columns.size(), 3 + T.size());
    double work = 0.0, size = std::abs(recording(0, 2));
    for (std::size_t i = 0; i < rows; ++i) {
        double power = 0.0;
        for (std::size_t j = 0; j < T.size(); ++j)
            power += T[j] * recording(i, 3 + j);
        const double h = i == 0 ? recording(1, 0) : recording(i, 0) - recording(i - 1, 0);
        work += h / 3.0 * (i == 0 || i + 1 == rows ? 1.0 : i % 2 ? 4.0 : 2.0) * power;
        size = std::max({size, std::abs(recording(i, 2)), std::abs(work)});
    }
    // 3e-8 of it is the error of the steps themselves, on a leg that swings fast: it falls as h^5
    EXPECT_NEAR(recording(rows - 1, 2) - recording(0, 2), work, 1e-7 * size);
}

// Every golden mechanism, redundant loops, rolling and soft fingers among them: all methods agree, loops stay closed, and energy is the
// work of T.
TEST(ClosedSimulation, AllMethodsAgreeOnEveryMechanism)
{
    if (!has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    for (const std::string& name : closed_names()) {
        const ClosedGolden golden = closed_golden(name);
        if (golden.model.num_dofs() > 100)
            continue; // a dense Jacobian of 500 unknowns
        Instant truth;
        for (Method method : {Method::adaptive, Method::rk4, Method::stiff, Method::dae}) {
            SCOPED_TRACE(name + ", method " + std::to_string(static_cast<int>(method)));
            PlantOptions acts;
            acts.controller = constant_forces(golden.T);
            acts.passive = false;
            Plant plant(golden.model, acts);
            SimulationOptions how;
            how.time = name == "belt" ? 0.03 : 0.1; // a whip of 26 links makes 1e5 of an error in 0.1 s
            how.method = method;
            how.step = 1e-4;
            how.tolerances.relative = method == Method::rk4 || method == Method::adaptive ? 1e-12 : 1e-9;
            how.signals = {"closure", "energy:total", "v:*"};
            Simulation done;
            ASSERT_NO_THROW(done = simulate(plant, {0.0, golden.q, golden.v}, how));
            EXPECT_LT(largest(done.recording, "closure"), 1e-13);
            if (method == Method::rk4)
                expect_energy_is_work(done.recording, golden.T);
            if (method == Method::adaptive) {
                truth = done.last;
                continue;
            }
            std::vector<double> d(golden.v.size());
            difference<double>(golden.model, truth.q, done.last.q, d);
            double off = 0.0, size = 1.0;
            for (std::size_t j = 0; j < d.size(); ++j) {
                off = worse(off, worse(std::abs(d[j]), std::abs(truth.v[j] - done.last.v[j])));
                size = std::max(size, std::abs(truth.v[j]));
            }
            EXPECT_LT(off, 1e-6 * size);
        }
    }
}

// Damping of a thousand times what the mechanism needs to stand still in a second: implicit methods step over what is gone.
TEST(ClosedSimulation, StiffMechanisms)
{
    if (!has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    const ClosedGolden golden = closed_golden("four_bar");
    PlantOptions acts;
    acts.controller = {[](double, auto, auto v, std::span<double> T) {
        for (std::size_t j = 0; j < T.size(); ++j)
            T[j] = -2e4 * v[j];
    }};
    Instant last[2];
    for (Method method : {Method::stiff, Method::dae}) {
        Plant plant(golden.model, acts);
        SimulationOptions how;
        how.time = 100.0;
        how.method = method;
        how.tolerances.relative = 1e-8;
        how.every = 10.0;
        how.signals = {"closure"};
        const Simulation done = simulate(plant, {0.0, golden.q, golden.v}, how);
        EXPECT_LT(done.steps, 2000);
        EXPECT_LT(largest(done.recording, "closure"), 1e-13);
        last[method == Method::dae] = done.last;
        std::printf("stiff four-bar, method %d: %ld steps\n", static_cast<int>(method), done.steps);
    }
    EXPECT_NEAR(last[0].q[0], last[1].q[0], 1e-6);
    EXPECT_GT(std::abs(last[0].q[0] - golden.q[0]), 1e-3); // it creeps
}

// Short steps end where rounding leaves a sliver of the way; it is no step.
TEST(ClosedSimulation, SliversAreNoSteps)
{
    if (!has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    const ClosedGolden golden = closed_golden("stewart_6ups");
    for (Method method : {Method::adaptive, Method::stiff, Method::dae}) {
        Plant plant(golden.model);
        SimulationOptions how;
        how.time = 0.01;
        how.method = method;
        how.tolerances = {1e-6, 0.0, 1e-5};
        how.every = 0.01;
        EXPECT_EQ(simulate(plant, {0.0, golden.q, golden.v}, how).last.t, 0.01) << static_cast<int>(method);
    }
}

// --- a minute --------------------------------------------------------------------------------------------------------

void expect_a_minute(const std::string& name, Method method, double step_or_tolerance)
{
    if (method == Method::adaptive && !has_sundials())
        GTEST_SKIP() << "without SUNDIALS";
    const ClosedGolden golden = closed_golden(name);
    PlantOptions acts;
    acts.passive = false;
    Plant plant(golden.model, acts);
    SimulationOptions how;
    how.time = SWEEPDYN_TEST_ADDRESS_SANITIZER ? 1.0 : 60.0; // there the point is memory
    how.method = method;
    how.step = how.tolerances.relative = step_or_tolerance;
    how.signals = {"closure", "energy"};
    const Simulation done = simulate(plant, {0.0, golden.q, golden.v}, how);
    const double closure = largest(done.recording, "closure"), drift = energy_drift(done.recording);
    std::printf("%-20s %ld steps: closure %.1e, energy drift %.1e\n", name.c_str(), done.steps, closure,
                drift);
    EXPECT_LT(closure, 1e-12) << name;
    EXPECT_LT(drift, 1e-8) << name;
    EXPECT_EQ(done.last.t, how.time);
}
TEST(ClosedSimulation, AMinuteOfAFourBar) { expect_a_minute("four_bar", Method::rk4, 1e-3); }
TEST(ClosedSimulation, AMinuteOfAStewartPlatform) { expect_a_minute("stewart_6ups", Method::rk4, 1e-3); }
// The arms swing about for a minute, at times fast: steps as the tolerance wants them.
TEST(ClosedSimulation, AMinuteOfTwoArmsWithABox) { expect_a_minute("two_arms_box", Method::adaptive, 1e-12); }

// --- starts ----------------------------------------------------------------------------------------------------------

TEST(ClosedSimulation, StartsAreClosedOrRefused)
{
    const ClosedGolden golden = closed_golden("four_bar");
    Plant plant(golden.model);
    SimulationOptions how;
    how.time = 0.01;
    how.signals = {"closure", "closure:*"};
    Instant off{0.0, golden.q, golden.v};
    off.q[1] += 1e-4;
    Simulation done = simulate(plant, off, how);
    ASSERT_EQ(done.notes.size(), 1u);
    EXPECT_NE(done.notes[0].find("loop 'loop0' was open by"), std::string::npos) << done.notes[0];
    EXPECT_LT(largest(done.recording, "closure"), 1e-13);
    EXPECT_EQ(largest(done.recording, "closure"), largest(done.recording, "closure:loop0"));
    Instant fast{0.0, golden.q, {1.3, 0, 0}};
    done = simulate(plant, fast, how);
    ASSERT_EQ(done.notes.size(), 1u);
    EXPECT_NE(done.notes[0].find("velocities"), std::string::npos) << done.notes[0];
    off.q[1] += 0.5;
    try {
        simulate(plant, off, how);
        FAIL();
    } catch (const RefusedError& error) {
        EXPECT_NE(std::string(error.what()).find("loop 'loop0' is open by"), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("sweepdyn assemble"), std::string::npos) << error.what();
    }
    how.signals = {"closure:loop1"};
    EXPECT_THROW(simulate(plant, {0.0, golden.q, golden.v}, how), UsageError);
}

// --- distant couplings -----------------------------------------------------------------------------------------------

// Two long chains whose tips are coupled: too many dofs for a cluster. The same, coupled at the root only, is one cluster; a coupling
// of first hinges with 30 dofs between is not. Energy and the coupling stay.
TEST(ClosedSimulation, DistantCouplingsStay)
{
    ModelBuilder builder("two_chains");
    for (const char* side : {"l", "r"})
        for (int i = 0; i < 15; ++i) {
            const std::string name = side + std::to_string(i);
            builder.add_body({name, 1.0, {0.05, 0.02, 0.0}, Sym3<double>::diagonal(0.01, 0.02, 0.02)});
            Hinge hinge;
            hinge.name = name;
            hinge.kind = HingeKind::revolute;
            hinge.parent = i == 0 ? "" : side + std::to_string(i - 1);
            hinge.child = name;
            hinge.X_PF.p = {0.1, i == 0 ? (side[0] == 'l' ? 0.5 : -0.5) : 0.0, 0};
            hinge.axis = i % 2 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
            builder.add_hinge(hinge);
        }
    builder.add_loop(mimic("tips", "l14", "r14", -1.5, 0.1));
    const Model model = builder.build();
    ASSERT_EQ(model.topology().distant.size(), 1u);
    Instant start{0.0, std::vector<double>(30, 0.0), std::vector<double>(30, 0.0)};
    start.q[14] = 0.1;
    start.v[29] = 1.0;
    Plant plant(model);
    SimulationOptions how;
    how.time = 1.0;
    how.step = 2e-4;
    how.every = 0.01;
    how.signals = {"closure", "energy", "q:*"};
    const Simulation done = simulate(plant, start, how);
    EXPECT_LT(largest(done.recording, "closure"), 1e-13);
    EXPECT_LT(energy_drift(done.recording), 1e-8);
    EXPECT_NEAR(done.last.q[14], -1.5 * done.last.q[29] + 0.1, 1e-13);
    EXPECT_NEAR(done.last.v[14], -1.5 * done.last.v[29], 1e-11);
    EXPECT_GT(std::abs(done.last.q[29]), 1e-3);
}

} // namespace
} // namespace sweepdyn::test
