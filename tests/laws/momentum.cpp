// Laws of momentum and of the centre of mass: sums over the bodies, rates by dual numbers, and the velocity V_C that one rigid
// body of the same inertia and momentum would have.
#include <Eigen/LU>

#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

// What is welded to the ground counts in none of these.
struct Sums {
    VectorXd h = VectorXd::Zero(6);
    MatrixXd R = MatrixXd::Zero(6, 6);
    double mass = 0.0;
};
Sums sums(const Case& c)
{
    Sums out;
    const auto truth = dense_bodies(c.model, c.q);
    for (int k = 0; k < c.model.num_bodies(); ++k)
        if (!c.model.is_fixed(k)) {
            out.R += truth[k].M;
            out.mass += c.model.bodies()[k].mass;
            if (!c.v.empty())
                out.h += truth[k].M * (truth[k].J * eigen(c.v));
        }
    return out;
}

TEST(Momentum, IsTheSum)
{
    for_every_case([](const Case& c) {
        const Sums truth = sums(c);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            expect_equal("h", at(c, choice), momentum(stages.kin), truth.h);
            expect_equal("system inertia", at(c, choice), system_inertia(stages.kin), truth.R);
            expect_equal("total mass", at(c, choice), c.model.total_mass(), truth.mass);
            if (truth.mass == 0.0)
                continue;
            const Vec3<double> com = center_of_mass(stages.kin);
            const Vector3d first = {truth.R(2, 4), truth.R(0, 5), truth.R(1, 3)}; // m c~
            expect_equal("m c", at(c, choice), Vector3d(truth.mass * dense(com)), first);
            VectorXd about_com = truth.h;
            about_com.head(3) -= dense(com).cross(Vector3d(truth.h.tail(3)));
            expect_equal("h about the centre of mass", at(c, choice), momentum_about_com(stages.kin),
                         about_com, {.terms = largest(truth.h)});
        }
    });
}

// V_C about c: the linear part is the velocity of c, by dual numbers; the angular part Jc^-1 hc; and R V_C = h.
TEST(Momentum, VelocityOfTheCentreOfMass)
{
    for_every_case([](const Case& c) {
        if (c.model.total_mass() == 0.0)
            return;
        const Sums truth = sums(c);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            const Motion<double> V_C = com_velocity(stages.kin);
            const Vec3<double> com = center_of_mass(stages.kin);
            expect_equal("dc/dt", at(c, choice), V_C.v, tangent(center_of_mass(moved.kin)),
                         {.terms = largest(truth.h) / truth.mass});
            // Jc need not be well conditioned: its own condition stands where the rule has that of M.
            const Matrix3<double> Jc = dense(shift(system_inertia(stages.kin), -com).J);
            const Rule rule{.condition = condition_of(Jc), .terms = largest(truth.h)};
            const VectorXd V_origin = dense(PhiAdjoint<double>{-com} * V_C);
            expect_equal("R V_C = h", at(c, choice), VectorXd(truth.R * V_origin), truth.h, rule);
            const Vector3d hc = dense(momentum_about_com(stages.kin).n);
            expect_equal("Jc w = hc", at(c, choice), Vector3d(Jc * dense(V_C.w)), hc, rule);
        }
    });
}

// d/dt h = weights + external forces + what the ground gives: its reaction in inverse dynamics.
TEST(Momentum, RateIsWhatActsFromOutside)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            const auto w = external_of(stages.kin, c);
            stages.inverse(c.a, w);
            VectorXd outside = dense(stages.forces[ground].f);
            double terms = largest(outside);
            for (int k = 0; k < c.model.num_bodies(); ++k) {
                const Body& body = c.model.bodies()[k];
                const Force<double> weight{{}, body.mass * c.model.gravity()};
                outside += dense(Phi<double>{transform_point(stages.kin.X_WB(k), body.com)} * weight) +
                           dense(at_origin(stages.kin, k, w[k]));
                terms = std::max(terms, largest(outside));
            }
            expect_equal("dh/dt", at(c, choice), outside, tangent(momentum(moved.kin)), {.terms = terms});
        }
    });
}

// Nobody pushes and nothing is pulled: a floating system keeps its momentum, whatever its hinges do.
TEST(Momentum, FloatingSystemsKeepIt)
{
    for (int seed = 1; seed <= 40; ++seed) {
        ModelBuilder builder(*generate_model("random:9:" + std::to_string(seed)));
        for (Hinge& hinge : builder.hinges())
            if (hinge.parent.empty()) {
                hinge.kind = HingeKind::free, hinge.X_CM = {};
                hinge.armature.clear(), hinge.damping.clear(), hinge.friction.clear(), hinge.limits = {};
            }
        builder.set_gravity({});
        const Model model = builder.build();
        Case c =
            make_case(model, "floating " + model.name(), Place::random, static_cast<std::uint64_t>(seed));
        for (const Hinge& hinge : model.hinges()) // motors inside only
            if (hinge.parent.empty())
                std::fill_n(c.T.begin() + model.tree().first_dof[model.hinge(hinge.name)], 6, 0.0);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(model, choice, c.q, c.v);
            const double condition = condition_of(mass_of(stages));
            const Numbers v_dot = stages.forward(c.T);
            const Stages<Time> moved = moving_stages(c, choice, v_dot);
            const double terms = largest(eigen(c.T)) + largest(mass_of(stages)) * largest(eigen(v_dot));
            expect_equal("dh/dt = 0", at(c, choice), tangent(momentum(moved.kin)),
                         VectorXd(VectorXd::Zero(6)), {.condition = condition, .terms = terms});
        }
    }
}

// The floating base takes up the momentum of everything, of other trees on the ground too.
TEST(Momentum, NullMomentumLeavesNone)
{
    int floating = 0, forests = 0;
    for_every_case([&](const Case& c) {
        if (!c.model.floating_base())
            return;
        const int base = *c.model.floating_base(), dof = c.model.tree().first_dof[base];
        ++floating;
        forests += std::count(c.model.tree().parent.begin(), c.model.tree().parent.end(), ground) > 1;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Sums before = sums(c);
            // The inertia of the base's tree is solved with: its condition stands where the rule has that of M.
            const double condition = condition_of(dense(stages.composite.R[base]));
            Numbers v = c.v;
            null_momentum<double>(stages.kin, v);
            stages.set(c.q, v);
            expect_equal("h = 0", at(c, choice), momentum(stages.kin), VectorXd(VectorXd::Zero(6)),
                         {.condition = condition, .terms = largest(before.h)});
            for (int j = 0; j < c.model.num_dofs(); ++j)
                if (j < dof || j >= dof + 6) {
                    EXPECT_EQ(v[j], c.v[j]);
                }
        }
    });
    EXPECT_GE(floating, 20);
    EXPECT_GE(forests, 5);
    const Model fixed = *generate_model("chain:3");
    Stages<double> stages(fixed, automatic, Numbers(3), Numbers(3));
    Numbers v(3);
    EXPECT_THROW(null_momentum<double>(stages.kin, v), RefusedError);
}

// A point mass turns about itself without momentum: V_C is not determined, and says so instead of giving NaN.
TEST(Momentum, OfAPointMass)
{
    ModelBuilder builder("point");
    Hinge hinge;
    hinge.kind = HingeKind::free, hinge.child = "point";
    const Model model = builder.add_body({"point", 2.0, {0.1, 0.2, 0.3}, {}}).add_hinge(hinge).build();
    const Case c = make_case(model, "point", Place::random, 1);
    Stages<double> stages(model, automatic, c.q, c.v);
    EXPECT_THROW(com_velocity(stages.kin), RefusedError);
    Numbers v = c.v;
    EXPECT_THROW(null_momentum<double>(stages.kin, v), RefusedError);
    expect_equal("momentum about the centre", "point", momentum_about_com(stages.kin).n, Vec3<double>{},
                 {.terms = largest(numbers(momentum(stages.kin)))});
}

// 1000 m from the world origin V_C keeps the digits that the place has there.
TEST(Momentum, FarFromTheWorldOrigin)
{
    for (const char* spec : {"chain:7", "random:10:1", "random:10:2", "random:10:3"}) {
        const Model near = *generate_model(spec);
        ModelBuilder builder(near);
        for (Hinge& hinge : builder.hinges())
            if (hinge.parent.empty())
                hinge.X_PF.p += {600.0, -640.0, 480.0};
        const Model far = builder.build();
        const Case c = make_case(near, spec, Place::random, 1);
        Stages<double> here(near, automatic, c.q, c.v), there(far, automatic, c.q, c.v);
        const double condition =
            condition_of(dense(shift(system_inertia(here.kin), -center_of_mass(here.kin)).J));
        // A place 1000 m off is known to 1000 eps m, so levers of 0.3 m to 1000 / 0.3 eps: the rule, for that.
        expect_equal("V_C", c.where, com_velocity(there.kin), com_velocity(here.kin),
                     {.condition = condition * 1000.0 / 0.3});
        expect_equal("h about the centre of mass", c.where, momentum_about_com(there.kin),
                     momentum_about_com(here.kin), {.condition = 1000.0 / 0.3});
    }
}

// Two links of 10 kg, 2 m long, hanging: numbers worked by hand.
TEST(Momentum, TwoLinksByHand)
{
    ModelBuilder builder("two links");
    for (const char* name : {"upper", "lower"})
        builder.add_body({name, 10.0, {1, 0, 0}, Sym3<double>::diagonal(20, 20, 20)});
    Hinge first, second;
    first.kind = second.kind = HingeKind::revolute;
    first.child = second.parent = "upper", second.child = "lower";
    first.X_PF.R = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}; // x down
    second.X_PF.p = {2, 0, 0};
    builder.add_hinge(first).add_hinge(second).set_gravity({0, -9.8066, 0});
    const Model model = builder.build();
    Stages<double> stages(model, automatic, Numbers{0, 0}, Numbers{1, 0});
    MatrixXd M(2, 2);
    M << 140, 50, 50, 30;
    expect_equal("mass matrix", "two links", mass_of(stages), M);
    expect_equal("centre of mass", "two links", center_of_mass(stages.kin), Vec3<double>{0, -2, 0});
    // Both links turn as one at 1 rad/s: h.f = 20 kg times 2 m/s along x, h.n = M(0,0) = 140 about z.
    expect_equal("momentum", "two links", momentum(stages.kin), Force<double>{{0, 0, 140}, {40, 0, 0}});
    expect_equal("about the centre", "two links", momentum_about_com(stages.kin),
                 Force<double>{{0, 0, 60}, {40, 0, 0}});
    expect_equal("V_C", "two links", com_velocity(stages.kin), Motion<double>{{0, 0, 1}, {2, 0, 0}});
    expect_equal("kinetic energy", "two links", kinetic_energy(stages.kin), 70.0);
    expect_equal("potential energy", "two links", potential_energy(stages.kin), -20 * 9.8066 * 2);
}

// What is welded to the ground is no part of the system, however far or heavy.
TEST(Momentum, WhatIsWeldedToTheGroundDoesNotCount)
{
    ModelBuilder builder("far ground");
    builder.add_body({"planet", 1e6, {}, Sym3<double>::diagonal(1e9, 1e9, 1e9)});
    builder.add_body({"craft", 2.0, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.2, 0.15)});
    Hinge weld, free;
    weld.child = "planet", weld.X_PF.p = {6.4e6, 0, 0};
    free.kind = HingeKind::free, free.child = "craft";
    builder.add_hinge(weld).add_hinge(free);
    const Model model = builder.build();
    Stages<double> stages(model, automatic, Numbers{1, 0, 0, 0, 0.2, 0.3, 0.4},
                          Numbers{0.1, 0.2, 0.3, 1, 2, 3});
    // Velocity of the centre of mass, 0.1 m from the origin of the craft.
    expect_equal("V_C of a rigid body", "far ground", com_velocity(stages.kin),
                 Motion<double>{{0.1, 0.2, 0.3}, {1, 2 + 0.3 * 0.1, 3 - 0.2 * 0.1}});
    Numbers v = stages.kin.v;
    null_momentum<double>(stages.kin, v);
    expect_equal("at rest", "far ground", v, Numbers(6, 0.0), {.terms = 3.0});
}

} // namespace
} // namespace sweepdyn::test
