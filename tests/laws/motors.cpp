// Laws of motors in simulation: a mechanism that is linear by itself, its motors and its regulator are one linear system, whose
// exact answer is an exponential; every integrator gives it. Sampled, it is the recursion of zero_order_hold.
#include <gtest/gtest.h>

#include "sweepdyn/control/actuators.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Two slides, one on the other, upward in gravity and across.
Model slides()
{
    ModelBuilder builder("slides");
    builder.set_gravity({0, 0, -10});
    for (const char* name : {"lift", "carriage"})
        builder.add_body({name, 2.0, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    for (const auto& [name, parent, child] :
         {std::tuple{"up", "", "lift"}, std::tuple{"across", "lift", "carriage"}}) {
        Hinge hinge;
        hinge.name = name;
        hinge.kind = HingeKind::prismatic;
        hinge.parent = parent;
        hinge.child = child;
        hinge.axis = std::string(name) == "up" ? Vec3<double>{0, 0, 1} : Vec3<double>{0.6, 0, 0.8};
        hinge.damping = {0.3};
        builder.add_hinge(hinge);
    }
    return builder.build();
}

struct Loop {
    StateSpace system;
    Regulator regulator;
};
Loop closed_loop(const Model& model, double sample_time)
{
    Loop out;
    const OperatingPoint point = trim_forces(model, OperatingPoint(model)).point;
    const std::vector<Motor> motors{{"T:across", 0.05, 8.0, 0.02}, {"T:up", 0.02, 12.0, 0.01}};
    out.system = with_actuators(linearize(model, point), motors);
    if (sample_time > 0.0)
        out.system = zero_order_hold(out.system, sample_time);
    const StateSpace& s = out.system;
    const std::vector<double> one{1.0};
    Gain gain = (sample_time > 0.0 ? discrete_lqr : lqr)(s, diagonal_weights(one, s.num_states(), "Q"),
                                                         diagonal_weights(one, s.num_inputs(), "R"));
    out.regulator = {gain.K, s.states, s.inputs, s.q0, s.v0, s.u0, {}, {}, sample_time, motors};
    return out;
}

VectorXd deviation(const Loop& loop, const Instant& at)
{
    VectorXd x(6);
    x << at.q[0], at.q[1], at.v[0], at.v[1], at.z[0], at.z[1];
    for (Eigen::Index i = 0; i < 6; ++i)
        x[i] -= loop.system.x0[static_cast<std::size_t>(i)];
    return x;
}

TEST(Motors, AreOneLinearSystemWithTheirMechanism)
{
    const Model model = slides();
    const Loop loop = closed_loop(model, 0.0);
    ASSERT_EQ(loop.system.states,
              (std::vector<std::string>{"q:up", "q:across", "v:up", "v:across", "motor:across", "motor:up"}));
    const MatrixXd closed = dense(loop.system.A) - dense(loop.system.B) * dense(loop.regulator.K);
    const Instant start{0.0, {0.1, -0.2}, {0.3, 0.0}};
    std::vector<Method> methods{Method::rk4, Method::semi_implicit_euler};
    if (has_sundials())
        methods.insert(methods.end(), {Method::adaptive, Method::stiff});
    for (Method method : methods) {
        Plant plant(model, {.controller = controller(model, loop.regulator)});
        SimulationOptions options{.time = 1.5, .method = method, .step = 1e-3};
        options.tolerances.relative = 1e-11;
        if (method == Method::semi_implicit_euler)
            options.step = 1e-5, options.every = 1.5;
        const Simulation done = simulate(plant, start, options);
        Instant first = start;
        first.z.assign(plant.first_z().begin(), plant.first_z().end());
        const VectorXd x0 = deviation(loop, first);
        EXPECT_NEAR(x0.tail(2).norm(), 0.0, 1e-12); // the motors begin with what holds the lift
        const VectorXd exact = dense(exponential(matrix(1.5 * closed))) * x0;
        const double tolerance = method == Method::semi_implicit_euler ? 1e-3
                                 : method == Method::stiff             ? 1e-7
                                                                       : 1e-9;
        EXPECT_LT((deviation(loop, done.last) - exact).norm(), tolerance * x0.norm())
            << "method " << static_cast<int>(method);
    }
}

TEST(Motors, HoldTheirCommandOverASample)
{
    const Model model = slides();
    const double h = 0.02;
    const Loop loop = closed_loop(model, h);
    const MatrixXd closed = dense(loop.system.A) - dense(loop.system.B) * dense(loop.regulator.K);
    Plant plant(model, {.controller = controller(model, loop.regulator)});
    SimulationOptions options{.time = 50 * h, .method = Method::rk4, .step = 1e-3};
    Instant start{0.0, {0.1, -0.2}, {0.3, 0.0}};
    const Simulation done = simulate(plant, start, options);
    start.z.assign(plant.first_z().begin(), plant.first_z().end());
    VectorXd x = deviation(loop, start);
    const double size = x.norm();
    for (int k = 0; k < 50; ++k)
        x = (closed * x).eval();
    EXPECT_LT((deviation(loop, done.last) - x).norm(), 1e-8 * size);
}

} // namespace
} // namespace sweepdyn::test
