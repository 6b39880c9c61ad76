// Laws of simulation: motions known in closed form, energy and momentum, orders of convergence for every hinge, agreement of all
// integrators, and the same bits from the same input.
#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/rk4.hpp"
#include "sweepdyn/sim/semi_implicit_euler.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

Model shipped(const std::string& name) { return load_model(SWEEPDYN_MODELS "/" + name); }

Instant start_of(const Case& c) { return {0.0, c.q, c.v}; }

// The state after `time` in `steps` equal steps.
template <class Stepper> Instant after(const Model& model, Instant at, double time, int steps)
{
    Plant plant(model);
    plant.begin(at);
    Stepper stepper(plant, time / steps);
    for (int i = 0; i < steps; ++i)
        stepper.step(time * (i + 1) / steps, at);
    return at;
}

// How far two states are apart, the largest of all dofs.
double distance(const Model& model, const Instant& a, const Instant& b)
{
    Numbers d(a.v.size());
    difference<double>(model, a.q, b.q, d);
    double out = 0.0;
    for (std::size_t i = 0; i < d.size(); ++i)
        out = worse(out, worse(std::abs(d[i]), std::abs(a.v[i] - b.v[i])));
    return out;
}

Simulation run(const Model& model, const Instant& start, const SimulationOptions& options,
               const PlantOptions& plant_options = {})
{
    Plant plant(model, plant_options);
    return simulate(plant, start, options);
}

// --- motions known in closed form: forces of time alone ---------------------------------------------------------------

// x_ddot = F sin(w t) / m, from rest: x = F (w t - sin(w t)) / (m w^2). An error estimate must see what depends on time alone.
TEST(Simulation, ForcesOfTimeAlone)
{
    const double F = 7.0, w = 30.0, m = 2.0, time = 10.0;
    ModelBuilder builder("cart");
    builder.add_body({.name = "cart", .mass = m, .inertia_com = {1, 0, 0, 1, 0, 1}});
    builder.add_hinge({.kind = HingeKind::prismatic, .child = "cart", .axis = {1, 0, 0}});
    const Model model = builder.build();
    const PlantOptions pushed{
        .controller = {[=](double t, auto, auto, auto T) { T[0] = F * std::sin(w * t); }}};
    const double x = F * (w * time - std::sin(w * time)) / (m * w * w),
                 v = F * (1 - std::cos(w * time)) / (m * w);
    for (const auto method : {Method::adaptive, Method::stiff, Method::dae})
        for (const double rtol : {1e-6, 1e-9, 1e-12}) {
            SimulationOptions options{.time = time, .method = method, .every = time};
            options.tolerances.relative = options.tolerances.absolute = rtol;
            const Simulation done = run(model, {0.0, {0.0}, {0.0}}, options, pushed);
            // errors of a step add up; those of many orders in the stiff methods more so
            const double near = (method == Method::adaptive ? 100 : 1e4) * rtol;
            EXPECT_NEAR(done.last.q[0], x, near * x) << static_cast<int>(method) << " " << rtol;
            EXPECT_NEAR(done.last.v[0], v, near * F / (m * w)) << static_cast<int>(method) << " " << rtol;
        }
}

// --- order -----------------------------------------------------------------------------------------------------------

// Twice the steps, a sixteenth of the error: on every kind of hinge, alone and in a tree, against a far finer run.
TEST(Simulation, ErrorOfRk4FallsAsTheFourthPower)
{
    int tried = 0;
    for (const HingeCase& which : hinge_kinds())
        for (bool alone : {true, false}) {
            const Model model = hinge_model(which, alone, false);
            if (model.num_dofs() == 0)
                continue;
            const Case c = make_case(model, model.name(), Place::random, 17);
            Instant start = start_of(c);
            for (double& v : start.v)
                v *= 2.0;
            const Instant truth = after<Rk4>(model, start, 0.4, 1280);
            const double coarse = distance(model, after<Rk4>(model, start, 0.4, 40), truth),
                         fine = distance(model, after<Rk4>(model, start, 0.4, 80), truth);
            if (fine < 1e-12)
                continue; // exact but for rounding, such as a slide in a constant field
            ++tried;
            EXPECT_GT(std::log2(coarse / fine), 3.7) << c.where << ": " << coarse << ", " << fine;
            EXPECT_LT(std::log2(coarse / fine), 4.6) << c.where << ": " << coarse << ", " << fine;
        }
    EXPECT_GE(tried, 20);
}

TEST(Simulation, ErrorOfSemiImplicitEulerFallsAsTheStep)
{
    for (const HingeCase& which : hinge_kinds()) {
        const Model model = hinge_model(which, false, false);
        const Case c = make_case(model, model.name(), Place::random, 17);
        const Instant truth = after<Rk4>(model, start_of(c), 0.4, 640);
        const double coarse = distance(model, after<SemiImplicitEuler>(model, start_of(c), 0.4, 800), truth),
                     fine = distance(model, after<SemiImplicitEuler>(model, start_of(c), 0.4, 1600), truth);
        EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.1) << c.where;
    }
}

// --- motions in closed form ------------------------------------------------------------------------------------------

// A body of two equal inertias spins free: its axis and its spin turn about the angular momentum, at constant rates.
TEST(Simulation, SymmetricTopPrecesses)
{
    ModelBuilder builder("top");
    builder.set_gravity({0, 0, 0});
    builder.add_body({"top", 2.0, {}, Sym3<double>::diagonal(0.3, 0.3, 0.5)});
    Hinge hinge;
    hinge.kind = HingeKind::free;
    hinge.child = "top";
    builder.add_hinge(hinge);
    const Model model = builder.build();
    const double w3 = 4.0, w1 = 1.0, rate = (0.5 - 0.3) / 0.3 * w3, time = 3.0;
    const Vec3<double> L{0.3 * w1, 0.0, 0.5 * w3};
    const Instant start{0.0, {1, 0, 0, 0, 0, 0, 0}, {w1, 0, w3, 0.1, 0.2, 0.3}};
    // In body axes w turns about z by rate t; the body is exp(L t / 0.3) exp(-z rate t).
    const Mat3<double> R = exp_rotation((time / 0.3) * L) * exp_rotation(Vec3<double>{0, 0, -rate * time});
    for (Method method : {Method::rk4, Method::adaptive, Method::stiff}) {
        if ((method == Method::adaptive || method == Method::stiff) && !has_sundials())
            continue;
        SimulationOptions options{.time = time, .method = method, .step = 1e-3};
        options.tolerances.relative = method == Method::stiff ? 1e-10 : 1e-12;
        options.every = time;
        const Instant last = run(model, start, options).last;
        const Rule rule{.tolerance = method == Method::stiff ? 1e-6 : 1e-9};
        const Mat3<double> got =
            rotation_matrix(Quaternion<double>{last.q[0], last.q[1], last.q[2], last.q[3]});
        expect_equal("R", "method " + std::to_string(static_cast<int>(method)), got, R, rule);
        expect_equal("w", "method " + std::to_string(static_cast<int>(method)),
                     Numbers(last.v.begin(), last.v.begin() + 3),
                     Numbers{w1 * std::cos(rate * time), w1 * std::sin(rate * time), w3}, rule);
        expect_equal("p", "method " + std::to_string(static_cast<int>(method)),
                     Numbers(last.q.begin() + 4, last.q.end()), Numbers{0.1 * time, 0.2 * time, 0.3 * time},
                     rule);
    }
}

// A damped mass on a slide: v = v0 exp(-b t / m), with and without its damping.
TEST(Simulation, DampingTakesWhatItMust)
{
    ModelBuilder builder("slider");
    builder.set_gravity({0, 0, -9.81});
    builder.add_body({"mass", 2.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    Hinge hinge;
    hinge.kind = HingeKind::prismatic;
    hinge.child = "mass";
    hinge.axis = {1, 0, 0};
    hinge.damping = {0.6};
    hinge.friction = {0.5};
    hinge.armature = {1.0};
    builder.add_hinge(hinge);
    const Model model = builder.build();
    const Instant start{0.0, {0.0}, {1.5}};
    const SimulationOptions options{.time = 2.0, .step = 0.01};
    expect_equal("damped", "slider", run(model, start, options).last.v[0], 1.5 * std::exp(-0.6 * 2.0 / 3.0),
                 {.tolerance = 1e-10});
    expect_equal("undamped", "slider", run(model, start, options, {.passive = false}).last.v[0], 1.5);
    // with friction over a small speed, nearly constant: v_dot = -(0.6 v + 0.5)/3
    const double v = (1.5 + 0.5 / 0.6) * std::exp(-0.6 * 2.0 / 3.0) - 0.5 / 0.6;
    expect_equal("friction", "slider", run(model, start, options, {.friction_speed = 1e-3}).last.v[0], v,
                 {.tolerance = 1e-9});
    // a wrench that pushes: v_dot = (F - 0.6 v)/3
    const PlantOptions pushed{.external = {{model.frame("mass"), {{}, {3.0, 0, 0}}}}};
    expect_equal("pushed", "slider", run(model, start, options, pushed).last.v[0],
                 5.0 + (1.5 - 5.0) * std::exp(-0.4), {.tolerance = 1e-9});
}

// --- energy and momentum ---------------------------------------------------------------------------------------------

TEST(Simulation, EnergyOfAFreeArmStays)
{
    if (!has_sundials())
        GTEST_SKIP() << "built without SUNDIALS";
    const Model model = shipped("arm7.urdf");
    Instant start{0.0, Numbers(7), Numbers(7)};
    random_configuration(model, 3, start.q);
    SimulationOptions options{.time = 10.0, .method = Method::adaptive, .every = 0.1, .signals = {"energy"}};
    options.tolerances.relative = 1e-12;
    const Simulation done = run(model, start, options, {.passive = false});
    double most = 0.0, drift = 0.0;
    for (std::size_t i = 0; i < done.recording.num_rows(); ++i) {
        most = std::max(most, done.recording(i, 1));
        drift = worse(drift, std::abs(done.recording(i, 3) - done.recording(0, 3)));
    }
    RecordProperty("drift", std::to_string(drift / most));
    std::printf(
        "[  figure  ] energy of a free arm7 in 10 s: drift %.2g of the largest kinetic energy, %ld steps\n",
        drift / most, done.steps);
    EXPECT_GT(most, 10.0);
    EXPECT_LT(drift, 1e-9 * most);
}

// A free-floating craft with moving appendages, thrown: momentum stays within 1e-10 of sum m |v|, 1e-12 with the reset.
TEST(Simulation, MomentumOfAFreeFloatingCraftStays)
{
    for (const Vec3<double>& gravity : {Vec3<double>{}, Vec3<double>{0.1, 0.2, -0.3}}) {
        ModelBuilder builder(shipped("spacecraft.urdf"));
        builder.set_gravity(gravity);
        const Model model = builder.build();
        ASSERT_TRUE(model.floating_base());
        Instant start{0.0, Numbers(static_cast<std::size_t>(model.num_coordinates())), {}};
        random_configuration(model, 2, start.q);
        Random random(3);
        start.v = random_numbers(random, model.num_dofs(), 0.5);
        double scale = 0.0; // sum m |v|
        Kinematics<double> kin(model);
        update<double>(kin, start.q, start.v);
        for (int k = 0; k < model.num_bodies(); ++k)
            scale +=
                model.bodies()[static_cast<std::size_t>(k)].mass * norm(frame_velocity(kin, FrameId{k}).v);
        EXPECT_GT(scale, 1.0);
        // Hinges driven against one another; the base floats.
        const Controller wave{[&](double t, auto, auto, auto T) {
            for (std::size_t j = 6; j < T.size(); ++j)
                T[j] = 0.5 * std::sin(2.0 * t + static_cast<double>(j));
        }};
        for (Method method : {Method::rk4, Method::adaptive, Method::stiff})
            for (bool reset : {false, true}) {
                if ((method == Method::adaptive || method == Method::stiff) && !has_sundials())
                    continue;
                Plant plant(model, {.controller = wave, .momentum_reset = reset});
                SimulationOptions options{
                    .time = 5.0, .method = method, .step = 1e-3, .every = 0.05, .signals = {"momentum"}};
                options.tolerances.relative = method == Method::stiff ? 1e-10 : 1e-12;
                const Simulation done = simulate(plant, start, options);
                double error = 0.0;
                for (std::size_t i = 0; i < done.recording.num_rows(); ++i)
                    for (std::size_t j = 1; j <= 6; ++j) {
                        double expected = done.recording(0, j);
                        if (j > 3)
                            expected +=
                                model.total_mass() * gravity[static_cast<int>(j) - 4] * done.recording(i, 0);
                        error = worse(error, std::abs(done.recording(i, j) - expected));
                    }
                std::printf("[  figure  ] momentum, method %d, reset %d: %.2g of sum m |v|\n",
                            static_cast<int>(method), reset, error / scale);
                const double allowed = reset                     ? 1e-12
                                       : method == Method::stiff ? 1e-8
                                                                 : 1e-10; // BDF errs more
                EXPECT_LT(error, allowed * scale) << "method " << static_cast<int>(method);
            }
    }
}

TEST(Simulation, MomentumResetIsRefusedWhereMomentumIsNotKept)
{
    const Model craft = shipped("spacecraft.urdf"), arm = shipped("arm7.urdf");
    const auto words = [](const auto& work) -> std::string {
        try {
            work();
        } catch (const RefusedError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(words([&] { Plant(arm, {.momentum_reset = true}); }).find("no floating base"),
              std::string::npos);
    EXPECT_NE(words([&] {
                  Plant(craft, {.external = {{FrameId{0}, {{}, {1, 0, 0}}}}, .momentum_reset = true});
              }).find("external wrench"),
              std::string::npos);
    const Controller thruster{[](double, auto, auto, auto T) { T[3] = 1.0; }};
    Instant start{0.0, Numbers(static_cast<std::size_t>(craft.num_coordinates())),
                  Numbers(static_cast<std::size_t>(craft.num_dofs()))};
    neutral(craft, start.q);
    for (Method method : {Method::rk4, Method::adaptive, Method::stiff}) {
        if (method != Method::rk4 && !has_sundials())
            continue;
        const std::string said = words([&] {
            run(craft, start, {.time = 0.1, .method = method},
                {.controller = thruster, .momentum_reset = true});
        });
        EXPECT_NE(said.find("acts on"), std::string::npos) << said;
    }
}

// --- agreement and determinism ---------------------------------------------------------------------------------------

TEST(Simulation, AllIntegratorsAgree)
{
    if (!has_sundials())
        GTEST_SKIP() << "built without SUNDIALS";
    for (int seed = 1; seed <= 8; ++seed) {
        const Model model =
            *generate_model("random:" + std::to_string(2 + seed) + ":" + std::to_string(seed));
        const Case c = make_case(model, model.name(), Place::random, static_cast<std::uint64_t>(seed));
        const Controller pull{[&](double t, auto, auto v, auto T) {
            for (std::size_t j = 0; j < T.size(); ++j)
                T[j] = std::cos(3 * t) - 2.0 * v[j];
        }};
        const auto last = [&](Method method, double step, double rtol) {
            SimulationOptions options{.time = 0.25, .method = method, .step = step, .every = 0.25};
            options.tolerances.relative = rtol;
            return run(model, start_of(c), options, {.controller = pull}).last;
        };
        const Instant truth = last(Method::adaptive, 0, 1e-13);
        const double size = 1.0 + *std::max_element(truth.v.begin(), truth.v.end());
        EXPECT_LT(distance(model, truth, last(Method::adaptive, 0, 1e-6)), 1e-4 * size) << c.where;
        EXPECT_LT(distance(model, truth, last(Method::rk4, 2e-4, 0)), 1e-7 * size) << c.where;
        EXPECT_LT(distance(model, truth, last(Method::stiff, 0, 1e-9)), 1e-5 * size) << c.where;
        EXPECT_LT(distance(model, truth, last(Method::semi_implicit_euler, 1e-5, 0)), 1e-2 * size) << c.where;
    }
}

TEST(Simulation, SameInputSameBits)
{
    const Model model = *generate_model("random:9:4");
    const Case c = make_case(model, model.name(), Place::random, 5);
    for (Method method : {Method::rk4, Method::semi_implicit_euler, Method::adaptive, Method::stiff}) {
        if ((method == Method::adaptive || method == Method::stiff) && !has_sundials())
            continue;
        const SimulationOptions options{.time = 0.3,
                                        .method = method,
                                        .every = 0.01,
                                        .signals = {"q:*", "v:*", "qdd:*", "energy", "com"}};
        const Simulation first = run(model, start_of(c), options), second = run(model, start_of(c), options);
        EXPECT_EQ(first.recording.values, second.recording.values);
        EXPECT_EQ(first.recording.columns, second.recording.columns);
        EXPECT_EQ(first.recording.num_rows(), 31u);
    }
}

// A sampled controller is asked at its samples and held between them, by all integrators alike.
TEST(Simulation, SampledForcesAreHeld)
{
    ModelBuilder builder("slider");
    builder.set_gravity({0, 0, 0});
    builder.add_body({"mass", 2.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    Hinge hinge;
    hinge.kind = HingeKind::prismatic;
    hinge.child = "mass";
    builder.add_hinge(hinge);
    const Model model = builder.build();
    // x_dot = v, v_dot = u/m held: exact by v += T u/m, x += T v + T^2/2 u/m
    double x = 1.0, v = 0.0;
    for (int i = 0; i < 10; ++i) {
        const double u = -3.0 * x - 1.0 * v;
        x += 0.1 * v + 0.005 * u / 2.0;
        v += 0.1 * u / 2.0;
    }
    for (Method method : {Method::rk4, Method::adaptive, Method::stiff}) {
        if (method != Method::rk4 && !has_sundials())
            continue;
        int asked = 0;
        const Controller digital{[&](double, auto q, auto speed, auto T) {
                                     ++asked;
                                     T[0] = -3.0 * q[0] - speed[0];
                                 },
                                 0.1};
        SimulationOptions options{.time = 1.0, .method = method, .step = 0.03, .every = 0.25};
        options.tolerances.relative = 1e-11;
        const Instant last = run(model, {0.0, {1.0}, {0.0}}, options, {.controller = digital}).last;
        const Rule rule{.tolerance = method == Method::stiff ? 1e-8 : 1e-10};
        expect_equal("x", "method " + std::to_string(static_cast<int>(method)), last.q[0], x, rule);
        expect_equal("v", "method " + std::to_string(static_cast<int>(method)), last.v[0], v, rule);
        EXPECT_EQ(asked, 11);
    }
}

// A controller that fails is told as such, by the dof and the time.
TEST(Simulation, ForcesThatAreNoNumbersAreRefused)
{
    const Model model = shipped("two_link.urdf");
    const Controller bad{[](double t, auto, auto, auto T) { T[1] = t < 0.1 ? 0.0 : std::nan(""); }};
    for (Method method : {Method::rk4, Method::adaptive, Method::stiff}) {
        if (method != Method::rk4 && !has_sundials())
            continue;
        try {
            run(model, {0.0, {0.1, 0.1}, {0.0, 0.0}}, {.time = 1.0, .method = method}, {.controller = bad});
            ADD_FAILURE() << "not refused";
        } catch (const RefusedError& error) {
            EXPECT_NE(std::string(error.what()).find("force on 'elbow' is not finite (got nan)"),
                      std::string::npos)
                << error.what();
        }
    }
}

// Stiff where the explicit method would crawl: a strongly damped hinge.
TEST(Simulation, StiffNeedsFewSteps)
{
    if (!has_sundials())
        GTEST_SKIP() << "built without SUNDIALS";
    ModelBuilder builder(shipped("two_link.urdf"));
    for (Hinge& hinge : builder.hinges())
        if (num_dofs(hinge) == 1)
            hinge.damping = {1e5};
    const Model model = builder.build();
    SimulationOptions options{.time = 1.0, .method = Method::stiff, .every = 1.0};
    options.tolerances.relative = 1e-6;
    const Instant start{0.0, Numbers(2, 0.3), Numbers(2, 1.0)};
    const Simulation stiff = run(model, start, options);
    options.method = Method::adaptive;
    const Simulation explicit_one = run(model, start, options);
    EXPECT_LT(10 * stiff.steps, explicit_one.steps);
    EXPECT_LT(distance(model, stiff.last, explicit_one.last), 1e-4);
}

} // namespace
} // namespace sweepdyn::test
