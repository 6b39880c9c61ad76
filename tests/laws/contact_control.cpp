// Control of what is in contact: the motion and the forces that were asked for are those that come about.
#include "support/closed_arms.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/closed/rccfd1.hpp"
#include "sweepdyn/control/closed_pd_gravity.hpp"
#include "sweepdyn/control/held_object_forces.hpp"
#include "sweepdyn/dynamics/energy.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

// Several arms on one object: acceleration of the object, shares of the load and internal forces, all at once.
TEST(ContactControl, ArmsGiveTheObjectMotionAndInternalForces)
{
    for (int seed = 1; seed <= 8; ++seed) {
        const ArmsCase c =
            random_arms(300 + seed, 2 + seed % 3, 6 + seed % 2, GripKind::rigid, seed % 4 == 0);
        Kinematics<double> kin(c.open);
        update<double>(kin, c.q, c.v);
        update_inertias(kin);
        Articulation<double> art(c.open);
        articulate(kin, art);
        const int body = c.open.body(c.object).index;
        const HeldObject<double> object = held_object(kin, body);
        std::vector<Grip> grips;
        std::vector<FrameId> tips;
        for (const std::string& tip : c.tips)
            tips.push_back(c.open.frame(tip)), grips.push_back({tips.back()});
        Random random(seed);
        const std::size_t arms = tips.size();
        MotionAndForce control(c.open, tips);
        std::vector<double> share(arms);
        std::vector<Force<double>> internal(arms);
        Force<double> sum{};
        for (std::size_t i = 0; i < arms; ++i) {
            share[i] = random.uniform(0.1, 1.0);
            internal[i] = {random.vector(5.0), random.vector(20.0)};
            const Vec3<double> l = frame_pose(kin, tips[i]).p - object.C;
            if (i + 1 == arms) // balances
                internal[i] = Phi<double>{-l} * -sum;
            sum += Phi<double>{l} * internal[i];
        }
        const Motion<double> alpha{random.vector(3.0), random.vector(3.0)};
        held_object_forces(kin, object, alpha, share, internal, control);
        Numbers T(c.v.size()), v_dot(c.v.size());
        const Numbers a0 = random_numbers(random, c.open.num_dofs(), 1.0);
        motion_and_force(kin, art, a0, control, T);
        for (int j = 0; j < 6; ++j)
            T[T.size() - 6 + static_cast<std::size_t>(j)] = 0.0; // the object is not driven
        ArmsOnObject<double> held(c.open, grips);
        rccfd1<double>(kin, art, object, T, v_dot, held);
        const auto six = [](const auto& x) {
            const auto d = dense(x);
            return Numbers(d.begin(), d.end());
        };
        expect_equal("alpha(C)", c.where, six(held.alpha_C), six(alpha),
                     {.tolerance = 1e-10}); // random arms near singular ones
        const double total = [&] {
            double s = 0.0;
            for (double x : share)
                s += x;
            return s;
        }();
        const Force<double> load =
            object.M * (alpha + kin.A0) + Force<double>{cross(object.V.w, object.M.J * object.V.w),
                                                        cross(object.V.w, cross(object.V.w, object.M.h))};
        for (std::size_t i = 0; i < arms; ++i) {
            const Force<double> wanted =
                Phi<double>{object.C - frame_pose(kin, tips[i]).p} * ((share[i] / total) * load) +
                internal[i];
            expect_equal("f(0)", c.where, six(held.f[i]), six(wanted), {.terms = 100.0, .tolerance = 1e-10});
        }
    }
}

// Grips that leave turns free: the object moves as wanted, and no grip is asked for a moment that it cannot carry.
TEST(ContactControl, GripsThatLeaveTurnsFree)
{
    int tried = 0;
    for (const GripKind kind : {GripKind::hinge, GripKind::two_axes, GripKind::ball, GripKind::mixed})
        for (int seed = 1; seed <= 4; ++seed) {
            const ArmsCase c = random_arms(340 + seed, 3 + seed % 2, 7, kind);
            Kinematics<double> kin(c.open);
            update<double>(kin, c.q, c.v);
            update_inertias(kin);
            Articulation<double> art(c.open);
            articulate(kin, art);
            const HeldObject<double> object = held_object(kin, c.open.body(c.object).index);
            std::vector<Grip> grips;
            std::vector<FrameId> tips;
            for (std::size_t i = 0; i < c.tips.size(); ++i)
                tips.push_back(c.open.frame(c.tips[i])), grips.push_back({tips.back(), c.free_axes[i]});
            Random random(seed);
            MotionAndForce control(c.open, tips);
            std::vector<double> share;
            std::vector<Force<double>> internal;
            for (std::size_t i = 0; i < tips.size(); ++i) {
                share.push_back(random.uniform(0.1, 1.0));
                internal.push_back({random.vector(5.0), random.vector(20.0)});
            }
            const Motion<double> alpha{random.vector(3.0), random.vector(3.0)};
            held_object_forces(kin, object, alpha, share, internal, grips, control);
            Numbers T(c.v.size()), v_dot(c.v.size());
            motion_and_force(kin, art, {}, control, T);
            for (int j = 0; j < 6; ++j)
                T[T.size() - 6 + static_cast<std::size_t>(j)] = 0.0;
            ArmsOnObject<double> held(c.open, grips);
            rccfd1<double>(kin, art, object, T, v_dot, held);
            const auto six = [](const auto& x) {
                const auto d = dense(x);
                return Numbers(d.begin(), d.end());
            };
            expect_equal("alpha(C)", c.where, six(held.alpha_C), six(alpha), {.tolerance = 1e-9}); // as above
            for (std::size_t i = 0; i < tips.size(); ++i)
                for (const Vec3<double>& axis : c.free_axes[i])
                    EXPECT_NEAR(dot(object.R * axis, control.w[i].n), 0.0, 1e-10) << c.where;
            ++tried;
        }
    EXPECT_EQ(tried, 16);
    // two balls hold no moment about the line between them
    const ArmsCase c = random_arms(351, 2, 7, GripKind::ball);
    Kinematics<double> kin(c.open);
    update<double>(kin, c.q, c.v);
    update_inertias(kin);
    const std::vector<FrameId> tips{c.open.frame(c.tips[0]), c.open.frame(c.tips[1])};
    MotionAndForce control(c.open, tips);
    const std::vector<Grip> grips{{tips[0], c.free_axes[0]}, {tips[1], c.free_axes[1]}};
    const std::vector<Force<double>> none(2);
    EXPECT_THROW(held_object_forces(kin, held_object(kin, c.open.body(c.object).index), {{1, 2, 3}, {}},
                                    std::vector<double>{1, 1}, none, grips, control),
                 RefusedError);
}

// A tool on a surface, sliding with friction: the force across and the motion along are as asked.
TEST(ContactControl, HybridOnASlidingContact)
{
    Random random(9);
    ModelBuilder builder("arm");
    for (int k = 0; k < 6; ++k) {
        const std::string name = "link" + std::to_string(k);
        builder.add_body(random_body(random, name));
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .child = name, .axis = random.direction()};
        if (k > 0)
            hinge.parent = "link" + std::to_string(k - 1);
        hinge.X_PF = {random.rotation(), random.vector(0.4)};
        builder.add_hinge(hinge);
    }
    builder.add_frame({"tool", "link5", {Mat3<double>::identity(), {0.1, 0.0, 0.2}}});
    Numbers q(6);
    random_configuration(builder.build(), 4, q);
    Kinematics<double> at(builder.build());
    update<double>(at, q);
    const Mat3<double> R = random.rotation();
    builder.add_frame({"surface", "", {R, frame_pose(at, at.model.frame("tool")).p}});
    const Model model = builder.build();
    const double mu = 0.35;
    Grasp grasp(model, {{.kind = ContactKind::sliding, .hand = "tool", .object = "surface", .mu = mu}});
    grasp.attach(0);
    Kinematics<double> kin(model);
    update<double>(kin, q);
    MatrixXd J(6, 6);
    frame_jacobian<double>(kin, model.frame("tool"), {J.data(), 36});
    Eigen::Matrix<double, 6, 1> twist; // slides along x of the surface, turning as it goes
    twist << 0.1, -0.2, 0.3, dense(Vec3<double>(0.5 * R.x - 0.2 * R.y));
    const VectorXd v = J.fullPivLu().solve(twist);
    update<double>(kin, q, {v.data(), 6});
    update_inertias(kin);
    Articulation<double> art(model);
    articulate(kin, art);
    MotionAndForce control(model, {model.frame("tool")});
    const double f_n = 12.0;
    const Vec3<double> along = frame_velocity(kin, model.frame("tool")).v;
    const Vec3<double> a_along = 0.7 * R.x + 1.1 * R.y;
    control.x_dd[0] = {{0.4, 0.5, -0.6}, a_along};
    control.w[0] = {{}, -f_n * R.z - (mu * f_n / norm(along)) * along}; // on the tool
    Numbers T(6), v_dot(6);
    motion_and_force(kin, art, {}, control, T);
    grasp.set_state(q, {v.data(), 6});
    EXPECT_EQ(grasp.forward_dynamics(T, v_dot), Existence::unique);
    EXPECT_NEAR(grasp.state(0).normal, f_n, 1e-8 * f_n);
    EXPECT_NEAR(grasp.state(0).tangential, mu * f_n, 1e-8 * f_n);
    const Motion<double> got = frame_acceleration<double>(kin, model.frame("tool"), v_dot);
    EXPECT_NEAR(norm(got.v - a_along), 0.0, 1e-8);
    EXPECT_NEAR(norm(got.w - Vec3<double>{0.4, 0.5, -0.6}), 0.0, 1e-8);
}

// W = kinetic energy + kp e^2 / 2 falls by kd v^2 of the independent dof and by nothing else.
TEST(ContactControl, PassivityOnClosedChains)
{
    for (const std::string name : {"four_bar", "leg_fixed"}) {
        const GoldenMechanism golden = golden_mechanism(name);
        const Model& model = golden.closed;
        Kinematics<double> kin(model);
        Closure<double> closure(model);
        ClusterArticulation<double> art(model, closure, Elimination::basis);
        update<double>(kin, golden.q, golden.v);
        update_inertias(kin);
        update_closure(kin, closure);
        articulate(kin, closure, art);
        const std::size_t n = golden.v.size();
        Numbers q_d = golden.q, zeros(n, 0.0), kp(n, 30.0), kd(n, 4.0), T(n), v_dot(n);
        for (double& x : q_d)
            x += 0.3;
        TrackingScratch scratch(model);
        closed_pd_gravity(kin, closure, {q_d, zeros, {}}, {kp, kd}, T, scratch);
        BodyForces<double> forces(model);
        forward_dynamics<double>(kin, closure, art, T, v_dot, forces);
        // d/dt of kinetic energy = v' (M v_dot + C - g) = power of T and gravity, by inverse dynamics of the spanning tree
        Numbers with(n), g(n);
        inverse_dynamics<double>(kin, v_dot, with, forces);
        gravity_forces<double>(kin, g, forces);
        double rate = 0.0, expected = 0.0, size = 0.0;
        for (std::size_t j = 0; j < n; ++j) {
            rate += golden.v[j] * (with[j] - g[j]);
            size += std::abs(golden.v[j] * with[j]);
        }
        for (const ClusterClosure<double>& cluster : closure.clusters)
            for (int i : cluster.independent) {
                const int j = cluster.dofs[i];
                rate -= kp[j] * 0.3 * golden.v[j]; // of kp e^2 / 2
                expected -= kd[j] * golden.v[j] * golden.v[j];
            }
        for (std::size_t c = 0; c < closure.place.size(); ++c)
            if (closure.place[c] < 0)
                for (int j : closure.topology.clusters[c].dofs) {
                    rate -= kp[j] * 0.3 * golden.v[j];
                    expected -= kd[j] * golden.v[j] * golden.v[j];
                }
        EXPECT_NEAR(rate, expected, 1e-10 * size) << name;
        EXPECT_LT(expected, 0.0);
    }
}
