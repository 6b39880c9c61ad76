// Laws of a base in inertial rates: they are what dual numbers say of its pose and of themselves, the maps undo each other, a wrench on the
// base does what it does from outside, and the whole obeys Newton and Euler. And three-dof ball joints, anywhere.
#include <Eigen/Cholesky>

#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

// f(case, choice, base) for everything that hangs on the ground by a hinge that moves.
template <class F> void for_every_base(F f)
{
    for_every_case([&](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices)
            for (int k = 0; k < c.model.num_bodies(); ++k) {
                const int p = c.model.tree().parent[k];
                if ((p == ground || c.model.is_fixed(p)) && c.model.tree().num_dofs(k) > 0)
                    f(c, choice, k);
            }
    });
}
// The base's part of a vector of dofs.
Numbers part(const Case& c, int base, const Numbers& a)
{
    return {a.begin() + c.model.tree().first_dof[base], a.begin() + c.model.tree().first_dof[base + 1]};
}
// Of the squares of the base's columns: what the maps inward solve with.
double gram_condition(const Kinematics<double>& kin, int base)
{
    const BodyKinematics<double>& b = kin.body[base];
    MatrixXd H(6, b.end_dof - b.first_dof);
    for (Index j : b.dofs())
        H.col(j - b.first_dof) = dense(PhiAdjoint<double>{b.X_WI.p - kin.r(base)} * kin.H[j]);
    return condition_of(H.transpose() * H);
}

TEST(MobileBase, RatesAreInertial)
{
    int bases = 0, on_welds = 0;
    for_every_base([&](const Case& c, const ReferenceChoice& choice, int base) {
        ++bases;
        on_welds += c.model.tree().parent[base] != ground;
        Stages<double> stages(c.model, choice, c.q, c.v);
        const Stages<Time> moved = moving_stages(c, choice, c.a);
        const Motion<double> V = base_velocity(stages.kin, base);
        const double terms = largest(eigen(part(c, base, c.v)));
        expect_equal("[w; v]", at(c, choice), V, velocity_of(moved.kin.body[base].X_WI), {.terms = terms});
        expect_equal("[w_dot; v_dot]", at(c, choice), base_acceleration<double>(stages.kin, base, c.a),
                     tangent(base_velocity(moved.kin, base)), {.terms = 1.0 + terms * terms});
    });
    EXPECT_GE(bases, 1000);
    EXPECT_GE(on_welds, 10);
}

TEST(MobileBase, MapsUndoEachOther)
{
    for_every_base([](const Case& c, const ReferenceChoice& choice, int base) {
        Stages<double> stages(c.model, choice, c.q, c.v);
        const Rule rule{.condition = gram_condition(stages.kin, base), .terms = 1.0};
        const Motion<double> V = base_velocity(stages.kin, base),
                             A = base_acceleration<double>(stages.kin, base, c.a);
        Numbers v(c.v.size(), 7.0), a = v, T = v;
        set_base_velocity<double>(stages.kin, base, V, v);
        set_base_acceleration<double>(stages.kin, base, A, a);
        expect_equal("v", at(c, choice), part(c, base, v), part(c, base, c.v), rule);
        expect_equal("v_dot", at(c, choice), part(c, base, a), part(c, base, c.a), rule);
        const Force<double> f = base_wrench<double>(stages.kin, base, c.T);
        set_base_wrench<double>(stages.kin, base, f, T);
        expect_equal("T", at(c, choice), part(c, base, T), part(c, base, c.T), rule);
        expect_equal("power", at(c, choice), dot(V, f),
                     eigen(part(c, base, c.T)).dot(eigen(part(c, base, c.v))),
                     {.condition = rule.condition, .terms = 10.0});
        for (int j = 0; j < c.model.num_dofs(); ++j) // nothing else is touched
            if (j < c.model.tree().first_dof[base] || j >= c.model.tree().first_dof[base + 1]) {
                EXPECT_EQ(v[j], 7.0);
                EXPECT_EQ(a[j], 7.0);
                EXPECT_EQ(T[j], 7.0);
            }
        Kinematics<double> kin = make_kinematics<double>(c.model, choice);
        Numbers v_mobile = c.v;
        update_mobile<double>(kin, c.q, base, V, v_mobile);
        expect_equal("state", at(c, choice), base_velocity(kin, base), V,
                     {.condition = rule.condition, .terms = 1.0});
    });
}

// The wrench is that of motors on the base: as well an external force on it, and no force at its hinge.
TEST(MobileBase, ForwardDynamics)
{
    for_every_base([](const Case& c, const ReferenceChoice& choice, int base) {
        Stages<double> stages(c.model, choice, c.q, c.v);
        const double condition = condition_of(mass_of(stages));
        const Force<double> wrench{{3, -1, 2}, {5, 4, -6}};
        auto w = external_of(stages.kin, c);
        Numbers T = c.T, v_dot(T.size());
        const Motion<double> A =
            mobile_forward_dynamics<double>(stages.kin, stages.art, base, wrench, T, v_dot, stages.forces, w);
        w[base] += Phi<double>{stages.kin.body[base].X_WI.p - stages.kin.r(base)} * wrench;
        for (int j = c.model.tree().first_dof[base]; j < c.model.tree().first_dof[base + 1]; ++j)
            T[j] = 0.0;
        const Numbers expected = stages.forward(T, w);
        expect_equal("v_dot", at(c, choice), v_dot, expected, {.condition = condition, .terms = 1.0});
        const Stages<Time> moved = moving_stages(c, choice, expected);
        expect_equal("[w_dot; v_dot]", at(c, choice), A, tangent(base_velocity(moved.kin, base)),
                     {.condition = condition, .terms = 1.0 + largest(eigen(expected))});
    });
}

// d/dt of the momentum of what floats: weights, external forces and the base's wrench, world axes, about the world origin.
TEST(MobileBase, NewtonAndEulerForTheWhole)
{
    int floating = 0;
    for_every_case([&](const Case& c) {
        const auto base = c.model.floating_base();
        const auto& roots = c.model.tree().parent;
        if (!base || std::count(roots.begin(), roots.end(), ground) > 1)
            return;
        ++floating;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Force<double> wrench{{3, -1, 2}, {5, 4, -6}};
            const auto w = external_of(stages.kin, c);
            Numbers T = c.T, v_dot(T.size());
            mobile_forward_dynamics<double>(stages.kin, stages.art, *base, wrench, T, v_dot, stages.forces,
                                            w);
            const Stages<Time> moved = moving_stages(c, choice, v_dot);
            // Armature of the base's own hinge pushes against the ground.
            Numbers armature(v_dot.size());
            for (std::size_t j = 0; j < v_dot.size(); ++j)
                armature[j] = stages.kin.armature[j] * v_dot[j];
            Force<double> outside = Phi<double>{stages.kin.body[*base].X_WI.p} *
                                    (wrench - base_wrench<double>(stages.kin, *base, armature));
            for (int k = 0; k < c.model.num_bodies(); ++k) {
                const Body& body = c.model.bodies()[k];
                const Force<double> weight{{}, body.mass * c.model.gravity()};
                outside += Phi<double>{transform_point(stages.kin.X_WB(k), body.com)} * weight +
                           at_origin(stages.kin, k, w[k]);
            }
            const double terms = largest(mass_of(stages)) * largest(eigen(v_dot));
            expect_equal("dh/dt", at(c, choice), tangent(momentum(moved.kin)), outside,
                         {.condition = condition_of(mass_of(stages)), .terms = terms});
        }
    });
    EXPECT_GE(floating, 10);
}

// One free body, by hand: f = m (v_dot + w_dot x c + w x (w x c)), n = J w_dot + w x J w + c x f about its centre of mass.
TEST(MobileBase, OneFreeBody)
{
    ModelBuilder builder("one");
    const Sym3<double> J = Sym3<double>::diagonal(0.3, 0.2, 0.4);
    Hinge hinge;
    hinge.kind = HingeKind::free, hinge.child = "one";
    builder.add_body({"one", 2.0, {0.1, -0.2, 0.3}, J}).add_hinge(hinge).set_gravity({});
    const Model model = builder.build();
    const Case c = make_case(model, "one", Place::random, 3);
    Kinematics<double> kin(model);
    Numbers v(6), T(6), v_dot(6);
    const Motion<double> V{{0.5, -0.7, 0.2}, {1, 2, 3}};
    update_mobile<double>(kin, c.q, 0, V, v);
    update_inertias(kin);
    Articulation<double> art(model);
    articulate(kin, art);
    BodyForces<double> scratch(model);
    const Force<double> f{{1, 2, -3}, {4, -5, 6}};
    const Motion<double> A = mobile_forward_dynamics<double>(kin, art, 0, f, T, v_dot, scratch);
    const Vec3<double> com = kin.X_WB(0).R * Vec3<double>{0.1, -0.2, 0.3};
    const Sym3<double> J_W = rotate(kin.X_WB(0).R, J);
    expect_equal("Newton", "one", 2.0 * (A.v + cross(A.w, com) + cross(V.w, cross(V.w, com))), f.f);
    expect_equal("Euler", "one", J_W * A.w + cross(V.w, J_W * V.w) + cross(com, f.f), f.n, {.terms = 6.0});
}

// On a submanifold of all placements the whole obeys Newton and Euler in the directions that the hinge leaves free: a gantry of three
// slides in all forces, a planar base in two of them and the moment about its normal, a ball in all moments about its centre.
TEST(MobileBase, NewtonAndEulerOnSubmanifolds)
{
    const HingeStep::Motion slide = HingeStep::Motion::slide;
    for (int seed = 1; seed <= 20; ++seed)
        for (HingeKind kind : {HingeKind::user, HingeKind::planar, HingeKind::spherical, HingeKind::free}) {
            ModelBuilder builder(*generate_model("random:6:" + std::to_string(seed)));
            bool first = true;
            for (Hinge& hinge : builder.hinges()) {
                hinge.limits = {}, hinge.damping.clear(), hinge.friction.clear();
                if (first) {
                    hinge.kind = kind, hinge.armature.clear(), hinge.X_CM = {};
                    if (kind == HingeKind::user)
                        hinge.steps = {
                            {slide, {1, 0, 0}, 0, {}}, {slide, {0, 1, 0}, 0, {}}, {slide, {0, 0, 1}, 0, {}}};
                } else if (hinge.parent.empty())
                    hinge.parent = builder.bodies()[0].name;
                first = false;
            }
            const Model model = builder.build();
            const Case c = make_case(model, model.name() + " on " + std::string(name(kind)), Place::random,
                                     static_cast<std::uint64_t>(seed));
            for (const ReferenceChoice& choice : reference_choices) {
                Stages<double> stages(model, choice, c.q, c.v);
                const Force<double> wrench{{3, -1, 2}, {5, 4, -6}};
                const auto w = external_of(stages.kin, c);
                Numbers T = c.T, v_dot(T.size());
                mobile_forward_dynamics<double>(stages.kin, stages.art, 0, wrench, T, v_dot, stages.forces,
                                                w);
                const Stages<Time> moved = moving_stages(c, choice, v_dot);
                Force<double> lack =
                    Phi<double>{stages.kin.body[0].X_WI.p} * wrench -
                    tangent(momentum(moved.kin)); // what the hinge bears, about the world origin
                for (int k = 0; k < model.num_bodies(); ++k) {
                    const Body& body = model.bodies()[k];
                    const Force<double> weight{{}, body.mass * model.gravity()};
                    lack += Phi<double>{transform_point(stages.kin.X_WB(k), body.com)} * weight +
                            at_origin(stages.kin, k, w[k]);
                }
                for (int j = model.tree().first_dof[0]; j < model.tree().first_dof[1]; ++j)
                    expect_equal("no force where the hinge moves", at(c, choice),
                                 dot(at_origin(stages.kin, 0, stages.kin.H[j]), lack), 0.0,
                                 {.condition = condition_of(mass_of(stages)),
                                  .terms = largest(mass_of(stages)) * largest(eigen(v_dot))});
            }
        }
}

TEST(MobileBase, RefusesWhatTheHingeDoesNotAdmit)
{
    ModelBuilder builder("cart");
    Hinge plane, arm;
    plane.kind = HingeKind::planar, plane.child = "cart";
    arm.kind = HingeKind::revolute, arm.parent = "cart", arm.child = "arm";
    const Sym3<double> J = Sym3<double>::diagonal(1, 1, 1);
    builder.add_body({"cart", 1.0, {}, J}).add_body({"arm", 1.0, {}, J}).add_hinge(plane).add_hinge(arm);
    const Model model = builder.build();
    Kinematics<double> kin(model);
    Numbers q(4), v(4);
    update<double>(kin, q, v);
    set_base_velocity<double>(kin, 0, {{0, 0, 2}, {3, 4, 0}}, v);
    expect_equal("admitted", "cart", v, Numbers{2, 3, 4, 0});
    EXPECT_THROW(set_base_velocity<double>(kin, 0, {{0, 0, 2}, {3, 4, 0.01}}, v), RefusedError);
    try {
        base_velocity(kin, 1);
        ADD_FAILURE() << "the arm is no base";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "base_velocity: body 'arm' is no mobile base, which hangs on the ground by a hinge that "
                     "moves; this model has 'cart'");
    }
    EXPECT_THROW(base_velocity(kin, 7), UsageError);
}

// A ball joint is three turns in a row away from where two of them coincide: the same bodies accelerate alike, wherever the
// joints are, with no force at them but loads on every body.
TEST(BallJoints, AreThreeTurnsAnywhere)
{
    for (int seed = 1; seed <= 40; ++seed) {
        ModelBuilder balls(*generate_model("random:7:" + std::to_string(seed)));
        for (Hinge& hinge : balls.hinges()) {
            hinge.kind = HingeKind::spherical;
            hinge.armature.clear(), hinge.damping.clear(), hinge.friction.clear(), hinge.limits = {};
        }
        ModelBuilder gimbals(balls);
        for (Hinge& hinge : gimbals.hinges()) {
            hinge.kind = HingeKind::user;
            hinge.steps = {{HingeStep::Motion::turn, {0, 0, 1}, 0, {}},
                           {HingeStep::Motion::turn, {0, 1, 0}, 0, {}},
                           {HingeStep::Motion::turn, {1, 0, 0}, 0, {}}};
        }
        const Model ball = balls.build(), gimbal = gimbals.build();
        Case c = make_case(ball, "balls " + ball.name(), Place::random, static_cast<std::uint64_t>(seed));
        Numbers angles(static_cast<std::size_t>(gimbal.num_dofs())), rates(angles);
        Random random(static_cast<std::uint64_t>(seed));
        for (int k = 0; k < ball.num_bodies(); ++k) {
            // R = Rz Ry Rx; in the child's axes w = x rx + Rx' y ry + Rx' Ry' z rz.
            const double z = random.uniform(-3, 3), y = random.uniform(-1, 1), x = random.uniform(-3, 3);
            const Eigen::Quaterniond Rz(Eigen::AngleAxisd(z, Vector3d::UnitZ())),
                Ry(Eigen::AngleAxisd(y, Vector3d::UnitY())), Rx(Eigen::AngleAxisd(x, Vector3d::UnitX())),
                R = Rz * Ry * Rx;
            const int i = ball.tree().first_coordinate[k], j = ball.tree().first_dof[k];
            c.q[i] = R.w(), c.q[i + 1] = R.x(), c.q[i + 2] = R.y(), c.q[i + 3] = R.z();
            angles[j] = z, angles[j + 1] = y, angles[j + 2] = x;
            rates[j] = c.v[j], rates[j + 1] = c.v[j + 1], rates[j + 2] = c.v[j + 2];
            const Vector3d w = rates[j + 2] * Vector3d::UnitX() +
                               Rx.inverse() * (rates[j + 1] * Vector3d::UnitY() +
                                               Ry.inverse() * (rates[j] * Vector3d::UnitZ()));
            c.v[j] = w.x(), c.v[j + 1] = w.y(), c.v[j + 2] = w.z();
        }
        const Numbers none(c.v.size(), 0.0);
        Stages<double> one(ball, automatic, c.q, c.v), other(gimbal, automatic, angles, rates);
        const double condition = std::max(condition_of(mass_of(one)), condition_of(mass_of(other)));
        const Numbers v_dot = one.forward(none, external_of(one.kin, c)),
                      angles_dot = other.forward(none, external_of(other.kin, c));
        double terms = 0.0;
        for (int k = 0; k < ball.num_bodies(); ++k)
            terms = std::max(terms, largest(numbers(frame_acceleration<double>(one.kin, {k}, v_dot))));
        for (int k = 0; k < ball.num_bodies(); ++k)
            expect_equal("acceleration", c.where, frame_acceleration<double>(other.kin, {k}, angles_dot),
                         frame_acceleration<double>(one.kin, {k}, v_dot),
                         {.condition = condition, .terms = terms});
        const MatrixXd M = mass_of(one);
        const VectorXd bias = eigen(one.inverse(none));
        expect_equal("v_dot = M^-1 (T - C)", c.where, one.forward(c.T),
                     VectorXd(M.llt().solve(eigen(c.T) - bias)), {.condition = condition});
    }
}

} // namespace
} // namespace sweepdyn::test
