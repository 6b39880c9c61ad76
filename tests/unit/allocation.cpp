// Nothing allocates once the workspaces are made: every call of the C library's allocator is counted, which operator new
// and Eigen end in too. With the address sanitizer, whose allocator is its own, its hooks count.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <functional>

#include "support/cases.hpp"
#include "support/closed_arms.hpp"
#include "support/closed_golden.hpp"
#include "support/contacts.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/closed/ccfd.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/closed/object_inertias.hpp"
#include "sweepdyn/closed/rccfd1.hpp"
#include "sweepdyn/closed/rccfd2.hpp"
#include "sweepdyn/closed/rccfd3.hpp"
#include "sweepdyn/control/pd_gravity.hpp"
#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/kinematics/frame_least_squares.hpp"
#include "sweepdyn/kinematics/inverse_kinematics.hpp"
#include "sweepdyn/kinematics/jacobian_jacobian_adjoint.hpp"
#include "sweepdyn/kinematics/jacobian_times.hpp"
#include "sweepdyn/linear/closed_derivatives.hpp"
#include "sweepdyn/linear/linearization.hpp"
#include "sweepdyn/operators/parse.hpp"
#include "sweepdyn/operators/run.hpp"
#include "sweepdyn/sim/rk4.hpp"
#include "sweepdyn/sim/semi_implicit_euler.hpp"
#include "sweepdyn/sim/signals.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SWEEPDYN_TEST_ASAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SWEEPDYN_TEST_ASAN
#endif

namespace {
// Volatile, because compilers know malloc and believe that it changes no variable.
constinit thread_local volatile long allocations = 0;
void count_allocation() { allocations = allocations + 1; }
} // namespace

#if defined(SWEEPDYN_TEST_ASAN)
// As in sanitizer/allocator_interface.h, which g++ does not bring.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
namespace {
const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { count_allocation(); }, [](const volatile void*) {});
} // namespace
#elif defined(__GLIBC__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept { return count_allocation(), __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept
{
    return count_allocation(), __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept
{
    return count_allocation(), __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept
{
    return count_allocation(), __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept
{
    *memory = memalign(alignment, size);
    return *memory == nullptr && size > 0 ? ENOMEM : 0;
}
}
#else // elsewhere operator new is what can be counted
void* operator new(std::size_t size)
{
    count_allocation();
    if (void* memory = std::malloc(size > 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace sweepdyn {
namespace {

long allocations_of(const auto& work)
{
    const long before = allocations;
    work();
    return allocations - before;
}

TEST(Allocation, IsCounted)
{
    static void* volatile kept = nullptr; // or the compiler would leave pairs of new and delete out
    EXPECT_EQ(allocations_of([] {}), 0);
    EXPECT_EQ(allocations_of([] {
                  int* one = new int(1);
                  kept = one;
                  delete one;
              }),
              1);
    EXPECT_EQ(allocations_of([] {
                  std::vector<double> many(100);
                  kept = many.data();
              }),
              1);
#if defined(SWEEPDYN_TEST_ASAN) || defined(__GLIBC__)
    EXPECT_EQ(allocations_of([] {
                  Eigen::VectorXd many(100);
                  kept = many.data();
              }),
              1);
    EXPECT_EQ(allocations_of([] {
                  kept = std::malloc(10);
                  std::free(kept);
              }),
              1);
    EXPECT_EQ(allocations_of([] {
                  kept = std::aligned_alloc(64, 64);
                  std::free(kept);
              }),
              1);
#endif
}

// A floating base with a chain of every kind of hinge, a branch from each, deeper than one pole; and hinges that have
// nothing to move: a massless tip, a ball joint on a point mass, steps that move alike.
Model every_hinge()
{
    Random random(5);
    ModelBuilder builder("every hinge");
    std::string parent;
    const auto add = [&](const Body& body, const std::string& on, HingeKind kind) -> Hinge& {
        builder.add_body(body);
        builder.add_hinge(test::random_hinge(random, kind, on, body.name));
        return builder.hinges().back();
    };
    add(test::random_body(random, "trunk"), "", HingeKind::free);
    parent = "trunk";
    int number = 0;
    for (const test::HingeCase& which : test::hinge_kinds()) {
        const std::string name = "link" + std::to_string(++number);
        Hinge& hinge = add(test::random_body(random, name), parent, which.kind);
        hinge.steps = which.steps;
        hinge.user = which.user;
        hinge.armature.assign(static_cast<std::size_t>(num_dofs(hinge)), 0.1);
        add(test::random_body(random, name + "_branch"), name, HingeKind::revolute);
        parent = name;
    }
    add({"massless"}, parent, HingeKind::revolute);
    add({"point", 1.0, {0.1, 0.2, 0.3}}, parent, HingeKind::spherical).X_CM = {};
    add(test::random_body(random, "twice"), "trunk", HingeKind::user).steps = {{}, {}};
    builder.add_frame({"tool", parent, {random.rotation(), random.vector()}});
    builder.add_frame({"camera", "", {random.rotation(), random.vector()}});
    return builder.build();
}

template <class S> class AllocationOf : public testing::Test {};
using Scalars = testing::Types<double, float, long double, Dual<double>, Counting>;
TYPED_TEST_SUITE(AllocationOf, Scalars);

TEST(Allocation, NothingByControllers)
{
    const Model model = every_hinge();
    Kinematics<double> kin(model);
    TrackingScratch scratch(model);
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
        v(static_cast<std::size_t>(model.num_dofs()), 0.1), T(v);
    random_configuration(model, 1, q);
    EXPECT_EQ(allocations_of([&] {
                  update<double>(kin, q, v);
                  computed_torque(kin, {q, v, v}, {v, v}, T, scratch);
                  pd_gravity(kin, {q, v, {}}, {v, v}, T, scratch);
              }),
              0);
}

TEST(Allocation, NothingByArmsThatHoldAnObject)
{
    const test::ArmsCase c = test::random_arms(1, 3, 6, test::GripKind::mixed);
    std::vector<Grip> grips;
    std::vector<Contact> contacts;
    ModelBuilder builder(c.open);
    for (std::size_t i = 0; i < c.tips.size(); ++i) {
        grips.push_back({c.open.frame(c.tips[i]), c.free_axes[i]});
        const Loop& loop = c.closed.loops()[i];
        builder.add_frame({"on object " + c.tips[i], loop.body_a, loop.X_Aa});
        contacts.push_back({.kind = i == 0 ? ContactKind::sliding : ContactKind::soft_finger,
                            .hand = c.tips[i],
                            .object = "on object " + c.tips[i],
                            .mu_spin = 0.01});
    }
    Kinematics<double> kin(c.open);
    Articulation<double> art(c.open);
    ArmsOnObject<double> arms(c.open, grips);
    Rccfd3<double> parts(c.open, 3);
    ObjectInertias<double> all(c.open, grips);
    Grasp grasp(builder.build(), contacts);
    std::vector<double> v_dot(c.v.size()), q = c.q, v = c.v;
    EXPECT_EQ(allocations_of([&] {
                  update<double>(kin, c.q, c.v);
                  update_inertias(kin);
                  articulate(kin, art);
                  const HeldObject<double> object = held_object(kin, c.open.num_bodies() - 1);
                  ccfd<double>(kin, art, object, c.T, v_dot, arms);
                  rccfd1<double>(kin, art, object, c.T, v_dot, arms);
                  rccfd2<double>(kin, art, object, c.T, v_dot, arms);
                  rccfd3<double>(kin, art, object, c.T, v_dot, arms, parts);
                  reflect_arms<double>(kin, art, object, c.T, all);
                  all.detach(1);
                  hold<double>(kin, art, object, all, v_dot);
              }),
              0);
    EXPECT_EQ(allocations_of([&] {
                  grasp.set_state(q, v);
                  grasp.attach(0);
                  grasp.attach_here(1);
                  grasp.forward_dynamics(c.T, v_dot);
                  grasp.attach(2);
                  grasp.detach(1);
                  grasp.forward_dynamics(c.T, v_dot);
                  grasp.state(2);
                  grasp.impulse(v);
                  grasp.project(q, v);
                  grasp.follow(q, v);
                  grasp.stick(0);
                  grasp.forward_dynamics(c.T, v_dot);
                  grasp.slide(0);
                  grasp.forward_dynamics(c.T, v_dot);
              }),
              0);
}

TEST(Allocation, NothingByAStepThatSlides)
{
    const Model model = test::box_on_feet();
    PlantOptions options;
    for (const std::string n : {"0", "1", "2"})
        options.contacts.push_back(
            {.kind = ContactKind::sliding, .hand = "foot" + n, .object = "floor" + n, .mu = 0.2});
    Plant plant(model, options);
    Rk4 integrator(plant, 1e-3);
    Instant at{0.0, test::on_floor, {0, 0, 0.3, 0.5, 0, 0}};
    plant.begin(at);
    EXPECT_EQ(allocations_of([&] {
                  for (int step = 1; step < 5; ++step) {
                      plant.begin_step(at);
                      integrator.step(1e-3 * step, at);
                  }
              }),
              0);
}

// Of a mechanism in which everything has mass.
TEST(Allocation, NothingByTheFactorization)
{
    const Model model = *generate_model("random:30:4");
    Kinematics<double> kin(model);
    Innovations<double> factors(model);
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
        x(static_cast<std::size_t>(model.num_dofs()), 1.0);
    neutral(model, q);
    update<double>(kin, q);
    update_inertias(kin);
    EXPECT_EQ(allocations_of([&] {
                  factors.factor(kin);
                  factors.set_payload(kin, model.num_bodies() - 1, {1.0, {}, {}});
                  factors.solve(kin, x, x);
                  factors.multiply(kin, x, x);
                  factors.sample_velocity(kin, x, x);
                  factors.sample_force(kin, x, x);
              }),
              0);
}

TYPED_TEST(AllocationOf, NothingAfterTheWorkspaces)
{
    using S = TypeParam;
    using Span = std::span<const S>;
    const Model model = every_hinge();
    ASSERT_GT(model.num_bodies(), 2 * pole_depth);
    ASSERT_TRUE(model.floating_base());
    const auto dofs = static_cast<std::size_t>(model.num_dofs()),
               bodies = static_cast<std::size_t>(model.num_bodies());

    // The room for all inputs and outputs.
    std::vector<double> neutral_q(static_cast<std::size_t>(model.num_coordinates())), random_q = neutral_q;
    neutral(model, neutral_q);
    random_configuration(model, 3, random_q);
    Random random(4);
    std::vector<S> q(random_q.begin(), random_q.end()), q2(neutral_q.begin(), neutral_q.end()), v, v_dot, T,
        unit(dofs), mass(dofs * dofs), J(6 * dofs), Y(dofs * 10 * bodies);
    for (std::vector<S>* numbers : {&v, &v_dot, &T})
        for (std::size_t i = 0; i < dofs; ++i)
            numbers->push_back(S(random.uniform(-1, 1)));
    std::vector<Force<S>> external(bodies);
    const FrameId frames[] = {model.frame("tool"), model.frame("camera"), model.frame("world"),
                              model.frame("massless")};

    const std::vector<WeightedFrame<S>> weighted{{frames[0]}, {frames[3], S(2), S(3)}};
    std::vector<Motion<S>> frame_motions(std::size(frames));
    std::vector<Force<S>> wrenches(std::size(frames));
    std::vector<S> all_rows(6 * dofs * std::size(frames)), square(36 * std::size(frames) * std::size(frames));

    for (Reference reference : {Reference::automatic, Reference::hinges, Reference::pole}) {
        Kinematics<S> kin(model, reference);
        JacobianScratch<S> sweeps(model);
        JacobianCompliance<S> compliance(model);
        FrameWeights<S> weights(model);
        FrameLeastSquares<S> least_squares(model);
        CompositeInertias<S> composite(model);
        Articulation<S> art(model);
        BodyForces<S> scratch(model);
        ColumnRates<S> rates(model);
        CompositeBiasInertias<S> bias(model);
        CompositeInertiaRates<S> inertia_rates(model);
        ReferenceMotions<S> motions(model);
        std::vector<S> C(dofs);
        std::vector<Motion<S>> alpha(bodies);
        MassMatrixInverse<S> inverse(model);
        OperationalSpace<S> space(model, {std::begin(frames), std::end(frames)});
        const auto expect_none = [&](const char* name, const auto& work) {
            for (int round = 0; round < 2; ++round) // the first call, and the next
                EXPECT_EQ(allocations_of(work), 0) << name << ", reference " << static_cast<int>(reference);
        };

        expect_none("update(q)", [&] { update<S>(kin, q); });
        expect_none("update(q, v)", [&] { update<S>(kin, q, v); });
        expect_none("update_inertias", [&] { update_inertias(kin); });
        expect_none("set_gravity", [&] { kin.set_gravity({S(1), S(2), S(3)}); });

        for (FrameId frame : frames)
            for (FrameAxes axes : {FrameAxes::world_aligned, FrameAxes::body, FrameAxes::spatial}) {
                expect_none("frame_pose", [&] { frame_pose(kin, frame); });
                expect_none("frame_velocity", [&] { frame_velocity(kin, frame, axes); });
                expect_none("frame_acceleration", [&] { frame_acceleration<S>(kin, frame, v_dot, axes); });
                expect_none("frame_acceleration, v_dot = 0",
                            [&] { frame_acceleration<S>(kin, frame, {}, axes); });
                expect_none("frame_jacobian", [&] { frame_jacobian<S>(kin, frame, J, axes); });
            }
        expect_none("jacobian_times", [&] { jacobian_times<S>(kin, frames, v, frame_motions, sweeps); });
        expect_none("jacobian_adjoint_times",
                    [&] { jacobian_adjoint_times<S>(kin, frames, wrenches, T, sweeps); });
        expect_none("jacobian", [&] { jacobian<S>(kin, frames, all_rows); });
        expect_none("jacobian_jacobian_adjoint",
                    [&] { jacobian_jacobian_adjoint<S>(kin, frames, square, compliance); });
        expect_none("jacobian_adjoint_jacobian",
                    [&] { jacobian_adjoint_jacobian<S>(kin, weighted, mass, weights); });
        expect_none("articulate_frames", [&] { articulate_frames(kin, weights, least_squares); });
        EXPECT_FALSE(least_squares.singular.empty()); // found, and still nothing was allocated
        expect_none("solve_least_squares", [&] { solve_least_squares<S>(kin, least_squares, T, unit); });

        for (WrenchAxes axes : {WrenchAxes::world, WrenchAxes::frame})
            expect_none("add_external_wrench", [&] {
                add_external_wrench<S>(kin, frames[0], {{S(1), S(2), S(3)}, {S(4), S(5), S(6)}}, axes,
                                       external);
            });

        expect_none("inverse_dynamics", [&] { inverse_dynamics<S>(kin, v_dot, T, scratch); });
        expect_none("inverse_dynamics, external",
                    [&] { inverse_dynamics<S>(kin, v_dot, T, scratch, external); });
        expect_none("inertial_inverse_dynamics",
                    [&] { inertial_inverse_dynamics<S>(kin, {}, v_dot, T, scratch, external); });
        expect_none("gravity_forces", [&] { gravity_forces<S>(kin, T, scratch); });
        expect_none("passive_forces", [&] { passive_forces<S>(model, v, 0.01, T); });
        expect_none("composite_inertias", [&] { composite_inertias(kin, composite); });
        expect_none("composite_inverse_dynamics",
                    [&] { composite_inverse_dynamics<S>(kin, composite, v_dot, T, scratch, external); });
        expect_none("mass_matrix", [&] { mass_matrix<S>(kin, composite, mass); });
        expect_none("mass_matrix_trace", [&] { mass_matrix_trace(kin, composite); });
        for (const S& x : T)
            EXPECT_TRUE(std::isfinite(value(x)));
        for (const S& x : mass)
            EXPECT_TRUE(std::isfinite(value(x)));
        expect_none("column_rates", [&] { column_rates(kin, rates); });
        expect_none("coriolis_matrix", [&] { coriolis_matrix<S>(kin, rates, composite, mass, bias); });
        expect_none("mass_matrix_rate",
                    [&] { mass_matrix_rate<S>(kin, rates, composite, mass, inertia_rates); });
        expect_none("passivity_inverse_dynamics",
                    [&] { passivity_inverse_dynamics<S>(kin, rates, v, v_dot, T, motions, external); });
        expect_none("regressor", [&] { regressor<S>(kin, v_dot, Y, scratch); });
        expect_none("passivity_regressor", [&] { passivity_regressor<S>(kin, rates, v, v_dot, Y, motions); });
        for (const std::vector<S>* numbers : {&T, &mass, &Y})
            for (const S& x : *numbers)
                EXPECT_TRUE(std::isfinite(value(x)));
        expect_none("articulate", [&] { articulate(kin, art); });
        EXPECT_EQ(art.singular.size(), 3u); // found, and still nothing was allocated
        expect_none("forward_dynamics", [&] { forward_dynamics<S>(kin, art, T, v_dot, scratch); });
        expect_none("forward_dynamics, external",
                    [&] { forward_dynamics<S>(kin, art, T, v_dot, scratch, external); });
        expect_none("fd1", [&] { forward_dynamics_fd1<S>(kin, art, T, v_dot, C, scratch, external); });
        expect_none("fd2", [&] { forward_dynamics_fd2<S>(kin, art, T, v_dot, C, alpha, scratch, external); });
        expect_none("fd4", [&] { forward_dynamics_fd4<S>(kin, art, T, v_dot, scratch, external); });
        expect_none("solve_mass_matrix", [&] { solve_mass_matrix<S>(kin, art, T, v_dot, scratch); });
        expect_none("tip_force_correction",
                    [&] { tip_force_correction<S>(kin, art, external, v_dot, scratch); });
        expect_none("mass_matrix_inverse", [&] { mass_matrix_inverse<S>(kin, art, mass, inverse); });
        expect_none("operational_space", [&] { operational_space<S>(kin, art, space); });
        std::fill(v_dot.begin(), v_dot.end(), S(1));

        expect_none("momentum", [&] { momentum(kin); });
        expect_none("momentum_about_com", [&] { momentum_about_com(kin); });
        expect_none("system_inertia", [&] { system_inertia(kin); });
        expect_none("center_of_mass", [&] { center_of_mass(kin); });
        expect_none("com_velocity", [&] { com_velocity(kin); });
        std::vector<S> v_null = v;
        expect_none("null_momentum", [&] { null_momentum<S>(kin, v_null); });
        expect_none("reset_momentum", [&] { reset_momentum<S>(kin, Force<S>{}, v_null); });
        expect_none("centroidal_momentum_matrix", [&] { centroidal_momentum_matrix<S>(kin, composite, J); });
        expect_none("centroidal_bias", [&] { centroidal_bias(kin, scratch); });
        for (FrameId frame : frames) {
            expect_none("generalized_jacobian", [&] { generalized_jacobian<S>(kin, composite, frame, J); });
            expect_none("generalized_velocity", [&] { generalized_velocity<S>(kin, composite, frame, v); });
            expect_none("generalized_forces",
                        [&] { generalized_forces<S>(kin, composite, frame, Force<S>{}, unit); });
        }
        const Index base = *model.floating_base();
        expect_none("base_velocity", [&] { base_velocity(kin, base); });
        expect_none("set_base_velocity",
                    [&] { set_base_velocity<S>(kin, base, base_velocity(kin, base), v_null); });
        expect_none("base_acceleration", [&] { base_acceleration<S>(kin, base, v_dot); });
        expect_none("set_base_acceleration", [&] {
            set_base_acceleration<S>(kin, base, base_acceleration<S>(kin, base, v_dot), v_null);
        });
        expect_none("base_wrench", [&] { base_wrench<S>(kin, base, T); });
        expect_none("mobile_forward_dynamics", [&] {
            mobile_forward_dynamics<S>(kin, art, base, Force<S>{}, T, v_null, scratch, external);
        });
        expect_none("kinetic_energy", [&] { kinetic_energy(kin); });
        expect_none("potential_energy", [&] { potential_energy(kin); });
        expect_none("mass_matrix_by_inverse_dynamics",
                    [&] { mass_matrix_by_inverse_dynamics<S>(kin, q, mass, unit, scratch); });

        expect_none("integrate", [&] { integrate<S>(model, q, v, q2); });
        expect_none("integrate in place", [&] { integrate<S>(model, Span(q2), v, q2); });
        expect_none("difference", [&] { difference<S>(model, q, q2, T); });
    }
    EXPECT_EQ(allocations_of([&] {
                  neutral(model, neutral_q), random_configuration(model, 9, random_q),
                      normalise(model, random_q);
              }),
              0);
}

// Inverse kinematics that succeeds, and that fails after all its seeds.
TEST(Allocation, InverseKinematicsSolvesWithoutAny)
{
    const Model model = every_hinge();
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())), found = q;
    random_configuration(model, 1, q);
    Kinematics<double> kin(model);
    update<double>(kin, q);
    const FrameId tool = model.frame("tool"), massless = model.frame("massless");
    InverseKinematics near(model, {FrameTask::pose(tool, frame_pose(kin, tool)),
                                   FrameTask::position(massless, frame_pose(kin, massless).p)});
    InverseKinematics far(model, {FrameTask::look_at(tool, {1, 0, 0}, {0, 0, 9}),
                                  FrameTask::position(massless, {1000, 0, 0}),
                                  FrameTask::orientation(tool, Mat3<double>::identity())});
    neutral(model, q);
    random_configuration(model, 1, found);
    for (int i = 0; i < 7; ++i) // the base stays where the tasks were met
        q[static_cast<std::size_t>(i)] = found[static_cast<std::size_t>(i)];
    EXPECT_EQ(allocations_of([&] { near.solve(q, found); }), 0);
    EXPECT_TRUE(near.result().solved) << near.words();
    EXPECT_EQ(allocations_of([&] { far.solve(q, found); }), 0);
    EXPECT_FALSE(far.result().solved);
    EXPECT_EQ(allocations_of([&] { near.set_target(0, frame_pose(kin, tool)); }), 0);
}

// Diagonalized dynamics of every hinge, each with something to move.
TYPED_TEST(AllocationOf, NothingInDiagonalCoordinates)
{
    using S = TypeParam;
    ModelBuilder builder(every_hinge());
    for (Hinge& hinge : builder.hinges())
        hinge.armature.assign(static_cast<std::size_t>(num_dofs(hinge)), 0.1);
    const Model model = builder.build();
    std::vector<double> random_q(static_cast<std::size_t>(model.num_coordinates()));
    random_configuration(model, 3, random_q);
    const std::vector<S> q(random_q.begin(), random_q.end()),
        v(static_cast<std::size_t>(model.num_dofs()), S(0.3));
    std::vector<S> out = v;
    std::vector<Force<S>> external(static_cast<std::size_t>(model.num_bodies()));
    for (Reference reference : {Reference::automatic, Reference::hinges, Reference::pole}) {
        Kinematics<S> kin(model, reference);
        update<S>(kin, q, v);
        update_inertias(kin);
        DiagonalDynamics<S> diagonal(model);
        for (int round = 0; round < 2; ++round)
            EXPECT_EQ(allocations_of([&] {
                          diagonalize(kin, diagonal);
                          nu_of_v<S>(kin, diagonal, v, out);
                          v_of_nu<S>(kin, diagonal, v, out);
                          eps_of_T<S>(kin, diagonal, v, out);
                          T_of_eps<S>(kin, diagonal, v, out);
                          diagonal_coriolis<S>(kin, diagonal, out, external);
                      }),
                      0);
        for (const S& x : out)
            EXPECT_TRUE(std::isfinite(value(x)));
    }
}

// Linearizations of every hinge, each with something to move: after the first round, which sees the loads, none.
TEST(Allocation, LinearizationTakesNone)
{
    ModelBuilder builder(every_hinge());
    for (Hinge& hinge : builder.hinges())
        hinge.armature.assign(static_cast<std::size_t>(num_dofs(hinge)), 0.1);
    const Model model = builder.build();
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
        v(static_cast<std::size_t>(model.num_dofs()), 0.3), out(v), on_dq(v), on_dv(v), on_dT(v);
    random_configuration(model, 3, q);
    const std::vector<ExternalWrench> loads{{model.frame("tool"), {{1, 2, 3}, {4, 5, 6}}, WrenchAxes::world},
                                            {model.frame("tool"), {{1, 2, 3}, {4, 5, 6}}, WrenchAxes::frame}};
    for (Reference reference : {Reference::automatic, Reference::hinges, Reference::pole}) {
        Linearization lin(model, {.damping = true, .friction_speed = 0.1}, reference);
        const auto round = [&] {
            for (const auto& with :
                 {std::span<const ExternalWrench>{}, std::span<const ExternalWrench>(loads)})
                for (bool at_v_dot : {false, true}) {
                    if (at_v_dot)
                        lin.set_at(q, v, v, with);
                    else
                        lin.set(q, v, v, with);
                    lin.apply(v, v, v, out);
                    lin.apply_adjoint(v, on_dq, on_dv, on_dT);
                    lin.inverse_matrices();
                    for (LinearRoute route :
                         {LinearRoute::direct, LinearRoute::by_mass_matrix, LinearRoute::automatic})
                        lin.matrices(route);
                }
        };
        round();
        EXPECT_EQ(allocations_of(round), 0) << "reference " << static_cast<int>(reference);
        for (const std::vector<double>* numbers : {&out, &on_dq, &on_dv, &on_dT})
            for (double x : *numbers)
                EXPECT_TRUE(std::isfinite(x));
    }
}

// Steps of a simulation, driven, damped, pushed, with its momentum kept, and the signals read from it.
TEST(Allocation, FixedStepsTakeNone)
{
    const Model model = load_model(SWEEPDYN_MODELS "/spacecraft.urdf");
    Instant at{0.0, std::vector<double>(static_cast<std::size_t>(model.num_coordinates())),
               std::vector<double>(static_cast<std::size_t>(model.num_dofs()), 0.01)};
    random_configuration(model, 1, at.q);
    const auto drive = [](double t, auto, auto v, auto T) { T.back() = t - v.back(); };
    for (const PlantOptions& options :
         {PlantOptions{.controller = {drive}, .friction_speed = 0.1, .momentum_reset = true},
          PlantOptions{.controller = {drive, 0.01}, .external = {{FrameId{0}, {{}, {1, 2, 3}}}}}}) {
        Plant plant(model, options);
        Rk4 rk4(plant, 1e-3);
        SemiImplicitEuler euler(plant, 1e-3);
        const std::vector<std::string> names{"q:*",        "v:*",    "qdd:*",    "T:*", "pose:*",
                                             "velocity:*", "energy", "momentum", "com"};
        Signals signals(model, names);
        std::vector<double> row(signals.columns().size());
        EXPECT_EQ(allocations_of([&] {
                      plant.begin(at);
                      for (int i = 0; i < 10; ++i) {
                          rk4.step(1.0, at);
                          euler.step(1.0, at);
                      }
                      signals.evaluate(plant, at, row);
                  }),
                  0);
        for (double x : row)
            EXPECT_TRUE(std::isfinite(x));
    }
}

// Loops eliminated by basis and by multipliers, redundant ones, rows of velocities only.
TEST(Allocation, StepsOfMechanismsWithLoopsTakeNone)
{
    for (const char* name : {"four_bar", "bennett", "stewart_6ups", "three_fingers", "rolling_disc"}) {
        const test::ClosedGolden golden = test::closed_golden(name);
        Plant plant(golden.model);
        Rk4 rk4(plant, 1e-3);
        Instant at{0.0, golden.q, golden.v};
        rk4.step(1e-3, at);
        EXPECT_EQ(allocations_of([&] {
                      for (int i = 2; i < 10; ++i)
                          rk4.step(1e-3 * i, at);
                  }),
                  0)
            << name;
    }
}

// Accelerations by every elimination, clusters apart and all in one; the state moves, so that pivots do too.
// Exactly where branches meet, and past it, with stages that are closed.
TEST(Allocation, StepsWhereBranchesMeetTakeNone)
{
    const Model model = test::linkage(
        "flat", 9.81,
        {{"crank", "", 1.0, {}}, {"coupler", "crank", 2.0, {1, 0, 0}}, {"rocker", "", 1.0, {2, 0, 0}}},
        test::pin("coupler", 2.0, "rocker", 1.0));
    Plant plant(model, {});
    Instant at{0.0, {0, 0, 0}, {1, -1, 1}};
    EXPECT_NE(plant.close(at), "");
    Rk4 rk4(plant, 1e-3);
    EXPECT_EQ(allocations_of([&] {
                  for (int i = 1; i < 5; ++i) {
                      plant.begin_step(at);
                      rk4.step(1e-3 * i, at);
                  }
              }),
              0);
}

TEST(Allocation, ForwardDynamicsWithLoopsTakesNone)
{
    for (const char* name : {"four_bar", "bennett", "stewart_6ups", "two_arms_box", "three_fingers",
                             "chain_5_four_bars", "planetary", "leg_floating", "delta"})
        for (Elimination choice : {Elimination::basis, Elimination::multipliers})
            for (bool whole : {false, true}) {
                const test::ClosedGolden golden = test::closed_golden(name);
                Kinematics<double> kin(golden.model);
                Closure<double> closure(golden.model,
                                        whole ? one_cluster(golden.model) : golden.model.topology());
                ClusterArticulation<double> art(golden.model, closure, choice);
                BodyForces<double> scratch(golden.model);
                std::vector<double> v_dot(golden.v.size()), v = golden.v;
                EXPECT_EQ(allocations_of([&] {
                              for (int i = 0; i < 3; ++i) {
                                  update<double>(kin, golden.q, v);
                                  update_inertias(kin);
                                  update_closure(kin, closure);
                                  articulate(kin, closure, art);
                                  forward_dynamics<double>(kin, closure, art, golden.T, v_dot, scratch);
                                  for (double& x : v)
                                      x *= 0.5;
                              }
                          }),
                          0)
                    << name;
            }
}

TEST(Allocation, DerivativesWithLoopsTakeNone)
{
    for (const char* name : {"four_bar", "bennett", "stewart_6ups", "two_arms_box", "chain_5_four_bars",
                             "planetary", "leg_floating", "delta"}) {
        const test::ClosedGolden golden = test::closed_golden(name);
        ClosedDerivatives derivatives(golden.model);
        derivatives.prefer_independent(golden.json["independent_velocity"].get<std::vector<int>>());
        std::vector<double> v = golden.v;
        EXPECT_EQ(allocations_of([&] {
                      for (int i = 0; i < 3; ++i) {
                          derivatives.set(golden.q, v, golden.T);
                          for (double& x : v)
                              x *= 0.5;
                      }
                  }),
                  0)
            << name;
    }
}

// Plans: stages brought to a new state, and every leaf run, on many bodies.
void expect_plans_run_without_allocation(const algebra::BlockTree& over, const std::vector<double>& q,
                                         const std::vector<double>& v)
{
    algebra::Arena arena(over);
    const std::string frame = over.model().frames().back().name;
    for (const std::string& text :
         {std::string("inverse(H*phi*M*adj(phi)*adj(H) + J_a)"),
          "adj(B[" + frame + "])*adj(psi)*adj(H)*inverse(D)*(I - H*psi*K)",
          std::string("E*phi*R*adj(H) + E*phi*M*adj(phi)*adj(H)"), std::string("psi*P*adj(psi)*Upsilon"),
          std::string("inverse(I + 0.5*S)*Delta_psi*tau*R*inverse(P)*M*inverse(R)*P*Upsilon"),
          std::string("inverse(Delta_phi)*E_psi*K*D*adj(G)*adj(E_psi)")}) {
        const algebra::Plan plan(arena, algebra::parse(arena, text));
        algebra::Stages<double> stages(over);
        algebra::Runner<double> run(plan);
        std::vector<double> in(static_cast<std::size_t>(plan.dimension(plan.domain())), 1.0),
            out(static_cast<std::size_t>(plan.dimension(plan.range())));
        for (int round = 0; round < 2; ++round)
            EXPECT_EQ(allocations_of([&] {
                          stages.update(plan, q, v);
                          run(stages, in, out);
                      }),
                      0)
                << text;
        for (double x : out)
            EXPECT_TRUE(std::isfinite(x)) << text;
    }
}

TEST(Allocation, PlansRunWithoutAny)
{
    const Model tree = *generate_model("random:14:5");
    std::vector<double> q(static_cast<std::size_t>(tree.num_coordinates())),
        v(static_cast<std::size_t>(tree.num_dofs()), 0.3);
    random_configuration(tree, 2, q);
    expect_plans_run_without_allocation(tree, q, v);
    const test::ClosedGolden leg = test::closed_golden("leg_floating");
    expect_plans_run_without_allocation(algebra::BlockTree::clusters_at(leg.model, leg.q), leg.q, leg.v);
}

} // namespace
} // namespace sweepdyn
