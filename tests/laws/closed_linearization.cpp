// Linear models of mechanisms with loops on trees of clusters: Algorithm 6 against the reduced mass matrix, and the outputs of linearize
// against differences of the mechanism itself, re-closed by Newton.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sweepdyn/linear/closed_linearization.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/linear/trim.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

// A floating trunk that carries plain hinges and four-bars side by side and one on the other: every walk of Algorithm 6. With rows that
// no cluster takes in: a tail of twenty links whose tip is coupled to a crank, and a body held by a soft finger, which carries another.
Model crowd(bool floating, bool further_rows, Random& random)
{
    ModelBuilder builder("crowd");
    const auto body = [&](const std::string& name, double length) {
        builder.add_body({.name = name,
                          .mass = random.uniform(0.5, 2.0),
                          .com = {0.5 * length, random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)},
                          .inertia_com = {0.02, 0.001, -0.002, 0.03, 0.001, 0.04}});
    };
    const auto hinge = [&](const std::string& child, const std::string& parent, const Vec3<double>& at,
                           HingeKind kind) {
        Hinge h;
        h.kind = kind;
        h.parent = parent;
        h.child = child;
        h.X_PF.p = at;
        if (kind == HingeKind::revolute) {
            h.armature = {random.uniform(0.0, 0.02)};
            h.damping = {random.uniform(0.0, 0.3)};
        }
        builder.add_hinge(h);
    };
    body("trunk", 1.0);
    hinge("trunk", "", {}, floating ? HingeKind::free : HingeKind::revolute);
    // Crank 1, coupler 2.5, rocker 2, ground 3, scaled; its plane is that of the parent.
    const auto four_bar = [&](const std::string& name, const std::string& on, const Vec3<double>& at,
                              double s) {
        body(name + "_crank", s);
        hinge(name + "_crank", on, at, HingeKind::revolute);
        body(name + "_coupler", 2.5 * s);
        hinge(name + "_coupler", name + "_crank", {s, 0, 0}, HingeKind::revolute);
        body(name + "_rocker", 2.0 * s);
        hinge(name + "_rocker", on, at + Vec3<double>{3.0 * s, 0, 0}, HingeKind::revolute);
        Loop loop;
        loop.name = name;
        loop.kind = name.size() % 2 == 0 ? LoopKind::revolute : LoopKind::planar_pin;
        loop.body_a = name + "_coupler", loop.body_b = name + "_rocker";
        loop.X_Aa.p = {2.5 * s, 0, 0}, loop.X_Bb.p = {2.0 * s, 0, 0};
        builder.add_loop(loop);
    };
    four_bar("left", "trunk", {0.2, 0.1, 0.0}, 0.2);
    four_bar("right", "trunk", {0.1, -0.1, 0.3}, 0.15);
    four_bar("upper", "left_coupler", {0.1, 0.05, 0.1}, 0.1);
    body("wrist", 0.3);
    hinge("wrist", "left_rocker", {0.4, 0, 0}, HingeKind::spherical);
    body("pan", 0.2);
    hinge("pan", "right_coupler", {0.2, 0, 0}, HingeKind::universal);
    builder.hinges().back().axis2 = {1, 0, 0};
    body("tip", 0.2);
    hinge("tip", "pan", {0.2, 0, 0.1}, HingeKind::prismatic);
    Loop gear = mimic("gear", "tip", "upper_crank", 0.02, 0.0);
    gear.terms[1].polynomial.push_back(-0.01);
    builder.add_loop(gear);
    if (further_rows) {
        std::string on = "trunk";
        for (int i = 0; i < 20; ++i) {
            const std::string name = "tail" + std::to_string(i);
            body(name, 0.1);
            hinge(name, on, {0.1, 0.02, 0.01}, HingeKind::revolute);
            builder.hinges().back().axis = {std::sin(1.0 * i), std::cos(1.0 * i), 0.3};
            on = name;
        }
        Loop belt = mimic("belt", "tail19", "left_crank", -0.4, 0.1);
        belt.terms[0].polynomial.push_back(0.05);
        belt.terms[1].polynomial.push_back(0.03);
        builder.add_loop(belt);
        body("ball", 0.2);
        hinge("ball", "", {0.1, 0.2, 0.3}, HingeKind::free);
        body("bob", 0.2);
        hinge("bob", "ball", {0.0, 0.1, 0.1}, HingeKind::revolute);
        Loop finger{.name = "finger", .kind = LoopKind::soft_finger, .body_a = "ball", .body_b = "trunk"};
        finger.X_Aa.p = {0.1, 0.0, 0.05};
        finger.X_Bb.p = {0.3, 0.2, 0.3};
        builder.add_loop(finger);
    }
    return builder.build();
}

// Newton with the bases of the closure: dependent positions follow, then velocities.
void close_state(const Model& model, std::span<const int> held, std::vector<double>& q,
                 std::vector<double>& v)
{
    Kinematics<double> kin(model);
    Closure<double> closure(model, model.topology().distant.empty() ? model.topology() : one_cluster(model));
    closure.prefer(held);
    std::vector<double> step(v.size());
    for (int iteration = 0; iteration < 60; ++iteration) {
        update<double>(kin, q, v);
        update_loops(kin, closure.loops); // gaps
        update_closure(kin, closure);
        double largest = 0.0;
        std::fill(step.begin(), step.end(), 0.0);
        for (const ClusterClosure<double>& c : closure.clusters) {
            Eigen::MatrixXd J(c.rows, c.rank);
            for (int i = 0; i < c.rows; ++i)
                for (int j = 0; j < c.rank; ++j)
                    J(i, j) = c.entry(i, c.dependent[j]);
            const Eigen::VectorXd dq =
                J.colPivHouseholderQr().solve(Eigen::Map<const Eigen::VectorXd>(c.gap.data(), c.rows));
            for (int j = 0; j < c.rank; ++j)
                step[c.dofs[c.dependent[j]]] = std::clamp(dq[j], -0.3, 0.3);
            for (double gap : c.gap)
                largest = std::max(largest, std::abs(gap));
        }
        integrate<double>(model, q, step, q);
        if (largest < 1e-15)
            break;
    }
    update<double>(kin, q, v);
    update_closure(kin, closure);
    for (const ClusterClosure<double>& c : closure.clusters)
        for (int d = 0; d < c.rank; ++d) {
            double sum = 0.0;
            for (int i = 0; i < c.mobility(); ++i)
                sum += c.basis(c.dependent[d], i) * v[c.dofs[c.independent[i]]];
            v[c.dofs[c.dependent[d]]] = sum;
        }
}

struct Case {
    Model model;
    std::vector<double> q, v, T;
    std::vector<int> independent;
};
Case closed_case(bool floating, std::uint64_t seed, bool further_rows = false)
{
    Random random(seed);
    Case c{crowd(floating, further_rows, random), {}, {}, {}, {}};
    const Model& model = c.model;
    c.q.resize(static_cast<std::size_t>(model.num_coordinates()));
    neutral(model, c.q);
    c.v.resize(static_cast<std::size_t>(model.num_dofs()));
    for (double& x : c.v)
        x = random.uniform(-1, 1);
    c.T = c.v;
    for (double& x : c.T)
        x = random.uniform(-5, 5);
    std::vector<double> step(c.v.size());
    for (double& x : step)
        x = random.uniform(-0.2, 0.2);
    for (const char* name : {"left", "right", "upper"}) { // an open branch of each four-bar
        step[model.dof(std::string(name) + "_crank")] = 1.0 + random.uniform(-0.3, 0.3);
        step[model.dof(std::string(name) + "_coupler")] = -0.52;
        step[model.dof(std::string(name) + "_rocker")] = 1.7;
    }
    integrate<double>(model, c.q, step, c.q);
    for (int j = 0; j < model.num_dofs(); ++j) {
        const std::string& name = model.dof_names()[j];
        const auto is = [&](const char* part) { return name.find(part) != name.npos; };
        const bool held =
            model.bodies()[model.tree().body_of_dof[j]].name == "ball" && !is(".wx") && !is(".wy");
        if (!is("_coupler") && !is("_rocker") && !is("tip") && !is("tail19") && !held)
            c.independent.push_back(j);
    }
    close_state(model, c.independent, c.q, c.v);
    return c;
}

double largest(const Matrix& m)
{
    double out = 0.0;
    for (double x : m.values())
        out = std::max(out, std::abs(x));
    return out;
}
void expect_near(const Matrix& a, const Matrix& b, double relative, const char* what)
{
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.columns(), b.columns());
    double worst = 0.0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        worst = std::max(worst, std::abs(a.values()[i] - b.values()[i]));
    EXPECT_LE(worst, relative * std::max(largest(b), 1e-12)) << what;
}

void expect_one_answer(const Case& c, std::span<const ExternalWrench> loads)
{
    ClosedLinearization direct(c.model, {}, LinearRoute::direct),
        reduced(c.model, {}, LinearRoute::by_mass_matrix);
    for (ClosedLinearization* lin : {&direct, &reduced}) {
        lin->set_independent(c.independent);
        for (int twice = 0; twice < 2; ++twice) // nothing of a state is left behind
            lin->set(c.q, c.v, c.T, loads);
    }
    ASSERT_EQ(direct.route(), LinearRoute::direct);
    ASSERT_EQ(reduced.route(), LinearRoute::by_mass_matrix);
    // cond(M_ind) times round-off; the lightest parts are a thousandth of the whole.
    expect_near(direct.M_ind_inverse, reduced.M_ind_inverse, 1e-10, "M^-1");
    expect_near(direct.w_dot_w, reduced.w_dot_w, 1e-10, "A_C");
    expect_near(direct.w_dot_u, reduced.w_dot_u, 1e-10, "B_C");
}

TEST(ClosedLinearization, algorithm_6_is_the_reduced_mass_matrix)
{
    for (const bool floating : {false, true})
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            expect_one_answer(closed_case(floating, seed), {});
}

// Rows on top of the clusters, and loads that keep their axes.
TEST(ClosedLinearization, what_no_cluster_takes_in_stands_on_top)
{
    for (const bool floating : {false, true})
        for (const bool further_rows : {false, true})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const Case c = closed_case(floating, seed, further_rows);
                EXPECT_EQ(c.model.topology().distant.size(), further_rows ? 1u : 0u);
                std::vector<ExternalWrench> loads;
                expect_one_answer(c, loads);
                for (const char* frame : {"tip", "right_rocker", "trunk"})
                    loads.push_back(
                        {c.model.frame(frame), {{1.0, -2.0, 0.5}, {3.0, 2.0, -4.0}}, WrenchAxes::world});
                loads.back().axes = WrenchAxes::frame;
                expect_one_answer(c, loads);
            }
}

// y(x + h) - y(x - h) over 2 h, of every output that linearize knows.
TEST(ClosedLinearization, outputs_are_differences_of_the_mechanism)
{
    const Case c = closed_case(true, 3);
    LinearizeOptions options;
    options.outputs = {"q:*",
                       "v:*",
                       "pose:tip",
                       "velocity:pan",
                       "acceleration:tip",
                       "accel:wrist",
                       "gyro:tip",
                       "reaction:left_crank",
                       "reaction:trunk",
                       "reaction:right_rocker",
                       "reaction:tip",
                       "loop:*"};
    options.inputs = {"T:*", "wrench:tip"};
    for (int j : c.independent)
        options.independent.push_back(c.model.dof_names()[j]);
    OperatingPoint point(c.model);
    point.q = c.q, point.v = c.v, point.T = c.T;
    const StateSpace system = linearize(c.model, point, options);
    const int nq = static_cast<int>(c.independent.size());
    ASSERT_EQ(system.num_states(), 2 * nq);
    // Positions deviate along the dofs: a turn's y is the displacement from the operating point.
    const auto read = [&](int state, double h) {
        OperatingPoint moved = point;
        std::vector<double> step(c.v.size(), 0.0);
        if (state < nq)
            step[c.independent[state]] = h;
        else
            moved.v[c.independent[state - nq]] += h;
        integrate<double>(c.model, moved.q, step, moved.q);
        close_state(c.model, c.independent, moved.q, moved.v);
        StateSpace there = linearize(c.model, moved, options);
        std::vector<double> displacement(c.v.size());
        difference<double>(c.model, point.q, moved.q, displacement);
        for (std::size_t i = 0; i < displacement.size(); ++i)
            there.y0[i] = displacement[i];
        return there.y0;
    };
    const double h = 1e-5;
    for (int state = 0; state < system.num_states(); ++state) {
        const std::vector<double> plus = read(state, h), minus = read(state, -h);
        for (int i = 0; i < system.num_outputs(); ++i) {
            const std::string& name = system.outputs[i];
            const double slope = (plus[i] - minus[i]) / (2 * h);
            // Differences of step h: h^2 of third derivatives, and round-off over h.
            EXPECT_NEAR(system.C(i, state), slope,
                        1e-5 * (1.0 + std::abs(slope)) + 1e-7 * std::abs(system.y0[i]))
                << name << " by " << system.states[state];
        }
    }
    // Inputs: the mechanism is linear in its forces.
    for (int input = 0; input < system.num_inputs(); ++input) {
        OperatingPoint pushed = point;
        if (input < c.model.num_dofs())
            pushed.T[input] += 1.0;
        else {
            Force<double> w{};
            const int i = input - c.model.num_dofs();
            (i < 3 ? w.n : w.f)[i % 3] = 1.0;
            pushed.external.push_back({c.model.frame("tip"), w, WrenchAxes::world});
        }
        const StateSpace there = linearize(c.model, pushed, options);
        for (int i = 0; i < system.num_outputs(); ++i)
            EXPECT_NEAR(system.D(i, input), there.y0[i] - system.y0[i], 1e-9 * (1.0 + std::abs(system.y0[i])))
                << system.outputs[i] << " by " << system.inputs[input];
        for (int i = 0; i < system.num_states(); ++i)
            EXPECT_NEAR(system.B(i, input), there.f0[i] - system.f0[i],
                        1e-9 * (1.0 + std::abs(system.f0[i])));
    }
}

// One motor per four-bar holds it up; the loops' own hinges need none.
TEST(ClosedLinearization, trimmed_forces_hold_the_mechanism)
{
    Case c = closed_case(false, 2);
    std::fill(c.v.begin(), c.v.end(), 0.0);
    OperatingPoint point(c.model);
    point.q = c.q;
    TrimOptions options;
    options.inputs = {"T:trunk", "T:*_crank", "T:wrist*", "T:pan*"};
    const Trim trim = trim_forces(c.model, point, options);
    EXPECT_EQ(trim.inputs.size(), 9u);
    ClosedMechanism mechanism(c.model);
    mechanism.set(c.q, c.v);
    std::vector<double> v_dot(c.v.size());
    mechanism.forward_dynamics(trim.point.T, v_dot);
    for (double a : v_dot)
        EXPECT_NEAR(a, 0.0, 1e-9);
    // Without the motor of one four-bar its crank is named.
    options.inputs = {"T:trunk", "T:left_crank", "T:right_crank", "T:wrist*", "T:pan*"};
    try {
        trim_forces(c.model, point, options);
        FAIL();
    } catch (const RefusedError& error) {
        EXPECT_NE(std::string(error.what()).find("upper_"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace sweepdyn
