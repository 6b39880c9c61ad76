// Grasps: contacts made and broken on one model give what a model with those loops gives.
#include <functional>

#include "support/closed_arms.hpp"
#include "support/contacts.hpp"
#include "sweepdyn/closed/base_placements.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/robot.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

TEST(Grasps, ThreeFingersOfTheGoldenFile)
{
    const GoldenMechanism golden = golden_mechanism("three_fingers");
    const AsContacts as = as_contacts(golden.open, golden.closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.set_state(golden.q, golden.v);
    Numbers v_dot(golden.v.size());
    grasp.forward_dynamics(golden.T, v_dot); // none attached yet
    for (int i = 0; i < 3; ++i)
        grasp.attach(i);
    EXPECT_EQ(grasp.forward_dynamics(golden.T, v_dot), Existence::unique);
    expect_equal("v_dot", "three_fingers", v_dot, golden.v_dot, {.tolerance = 1e-11}); // as promised
    Numbers got, expected;
    for (std::size_t i = 0; i < 3; ++i) {
        Force<double> w = grasp.wrench(static_cast<int>(i));
        if (grasp.contacts()[i].kind == ContactKind::line)
            w = rotate_back(line_axes.R, w);
        for (double x : six(w))
            got.push_back(x);
        expected.insert(expected.end(), golden.wrench[i].begin(), golden.wrench[i].end());
        EXPECT_TRUE(grasp.state(static_cast<int>(i)).unique);
    }
    expect_equal("wrenches", "three_fingers", got, expected, {.tolerance = 1e-11});
    EXPECT_TRUE(grasp.well_posedness().well_posed());
}

TEST(Grasps, AnySetOfContactsIsThatModelWithLoops)
{
    for (int seed = 1; seed <= 6; ++seed) {
        const ArmsCase c = random_arms(200 + seed, 4, 6, GripKind::mixed, seed % 2 == 0);
        const AsContacts as = as_contacts(c.open, c.closed.loops());
        Grasp grasp(as.model, as.contacts);
        grasp.set_state(c.q, c.v);
        for (unsigned set : {0b0001u, 0b1011u, 0b0110u, 0b1111u, 0b0000u, 0b1000u}) {
            ModelBuilder builder(c.open);
            for (int i = 0; i < 4; ++i)
                if (set >> i & 1u) {
                    grasp.attach(i);
                    builder.add_loop(c.closed.loops()[static_cast<std::size_t>(i)]);
                } else
                    grasp.detach(i);
            const DenseClosed truth = dense_closed(builder.build(), c.q, c.v, c.T);
            Numbers v_dot(c.v.size());
            grasp.forward_dynamics(c.T, v_dot);
            expect_equal("v_dot", c.where, v_dot, truth.v_dot, {.tolerance = 1e-9}); // of the dense system
        }
    }
}

// One of the two welds of the golden box is the model's own loop, the other a contact.
TEST(Grasps, OnTopOfLoops)
{
    for (std::size_t own : {0u, 1u}) {
        const GoldenMechanism golden = golden_mechanism("two_arms_box");
        const Loop kept = golden.closed.loops()[own], other = golden.closed.loops()[1 - own];
        ModelBuilder builder(golden.open);
        builder.add_loop(kept);
        const AsContacts as = as_contacts(builder.build(), {&other, 1});
        Grasp grasp(as.model, as.contacts);
        grasp.attach(0);
        grasp.set_state(golden.q, golden.v);
        Numbers v_dot(golden.v.size());
        grasp.forward_dynamics(golden.T, v_dot);
        expect_equal("v_dot", "two_arms_box", v_dot, golden.v_dot, {.tolerance = 1e-11});
        expect_equal("wrench", "two_arms_box", six(grasp.wrench(0)), golden.wrench[1 - own],
                     {.tolerance = 1e-10});
    }
}

// A box with a lid: one hand on the box, the others on the lid.
TEST(Grasps, ArticulatedObjects)
{
    const ArmsCase c = random_arms(71, 3, 7, GripKind::mixed);
    Random random(8);
    ModelBuilder builder(c.open);
    builder.add_body(random_body(random, "lid"));
    builder.add_hinge({.name = "lid",
                       .kind = HingeKind::revolute,
                       .parent = "object",
                       .child = "lid",
                       .X_PF = {random.rotation(), random.vector(0.2)},
                       .axis = random.direction()});
    const Model bare = builder.build();
    Numbers q = c.q;
    q.push_back(0.4);
    Kinematics<double> kin(bare);
    update<double>(kin, q);
    const Pose<double> X_LC = inverse(kin.X_WB(bare.body("lid").index)) * kin.X_WB(bare.body("object").index);
    for (Loop loop : c.closed.loops()) {
        if (loop.name != "grip0") {
            loop.body_a = "lid";
            loop.X_Aa = X_LC * loop.X_Aa;
        }
        builder.add_loop(loop);
    }
    const Model closed = builder.build();
    const Numbers v = consistent_velocity(closed, q, random_numbers(random, closed.num_dofs(), 1.0)),
                  T = random_numbers(random, closed.num_dofs(), 5.0);
    const DenseClosed truth = dense_closed(closed, q, v, T);
    const AsContacts as = as_contacts(bare, closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.set_state(q, v);
    for (int i = 0; i < 3; ++i)
        grasp.attach(i);
    Numbers v_dot(v.size());
    grasp.forward_dynamics(T, v_dot);
    expect_equal("v_dot", "box with a lid", v_dot, truth.v_dot, {.tolerance = 1e-10});
    const std::vector<int> dofs = grasp.object_dofs();
    ASSERT_EQ(dofs.size(), 7u);
    EXPECT_EQ(grasp.force_closure(dofs).rank, 7);
    // internal forces move neither the box nor the lid
    const Grasp::Split split = grasp.split(dofs);
    MatrixXd each = MatrixXd::Zero(7, 1);
    for (int i = 0; i < 3; ++i) {
        const Loop& loop = closed.loops()[static_cast<std::size_t>(i)];
        const int a = as.model.body(loop.body_a).index;
        const Pose<double> X =
            grasp.kinematics().X_WB(a) *
            as.model.frame_at(as.model.frame(as.contacts[static_cast<std::size_t>(i)].object)).X_BF;
        const Force<double> w = rotate(X.R, split.internal[static_cast<std::size_t>(i)]);
        for (int k = a; k != ground; k = as.model.tree().parent[static_cast<std::size_t>(k)])
            for (std::size_t d = 0; d < dofs.size(); ++d)
                if (as.model.tree().body_of_dof[static_cast<std::size_t>(dofs[d])] == k)
                    each(static_cast<Eigen::Index>(d), 0) +=
                        dot(PhiAdjoint<double>{X.p - grasp.kinematics().r(k)} *
                                grasp.kinematics().H[static_cast<std::size_t>(dofs[d])],
                            w);
    }
    expect_equal("internal", "box with a lid", each, MatrixXd::Zero(7, 1).eval(),
                 {.terms = 100.0, .tolerance = 1e-10});
}

TEST(Grasps, ImpulsesTakeHoldAtOnce)
{
    const ArmsCase c = random_arms(41, 3, 7, GripKind::ball);
    const AsContacts as = as_contacts(c.open, c.closed.loops());
    Grasp grasp(as.model, as.contacts);
    Random random(5);
    const Numbers before = random_numbers(random, c.open.num_dofs(), 1.0);
    for (double e : {0.0, 0.6}) {
        grasp.set_state(c.q, before);
        for (int i = 0; i < 3; ++i)
            grasp.attach_here(i);
        Robot robot(c.open);
        robot.set_state(VectorXd::Map(c.q.data(), static_cast<Eigen::Index>(c.q.size())));
        const MatrixXd M = robot.mass_matrix();
        Numbers after = before;
        grasp.impulse(after, e);
        const VectorXd v0 = VectorXd::Map(before.data(), M.rows()),
                       v1 = VectorXd::Map(after.data(), M.rows());
        EXPECT_LE(v1.dot(M * v1), v0.dot(M * v0));
        const auto approach = [&](const Numbers& v, int i) { // along the inward normal: positive opens
            grasp.set_state(c.q, v);
            const LoopOnTree<double>& on = grasp.loops().loops[static_cast<std::size_t>(i)];
            return rotate_back(on.R, on.V_a - on.V_b).v;
        };
        for (int i = 0; i < 3; ++i) {
            const Vec3<double> u0 = approach(before, i), u1 = approach(after, i);
            EXPECT_NEAR(u1.x, 0.0, 1e-10);
            EXPECT_NEAR(u1.y, 0.0, 1e-10);
            EXPECT_NEAR(u1.z, u0.z < 0 ? -e * u0.z : 0.0,
                        1e-10); // what opens is pulled to rest, what closes bounces
        }
        // M dv = J* impulses: the object takes what the wrenches say
        const VectorXd change = M * (v1 - v0);
        grasp.set_state(c.q, before);
        Numbers again = before;
        grasp.impulse(again, e);
        const std::vector<int> dofs = grasp.object_dofs();
        const std::vector<double> G = grasp.grasp_map(dofs);
        for (std::size_t d = 0; d < dofs.size(); ++d) {
            double sum = 0.0;
            for (std::size_t r = 0; r < grasp.multipliers().size(); ++r)
                sum += G[d * grasp.multipliers().size() + r] * grasp.multipliers()[r];
            EXPECT_NEAR(sum, change[dofs[d]], 1e-9 * change.cwiseAbs().maxCoeff());
        }
        for (int i = 0; i < 3; ++i)
            grasp.detach(i);
    }
}

// A coupling of hinges too far apart for a cluster is kept beside contacts.
TEST(Grasps, DistantCouplingsAreKept)
{
    ModelBuilder builder("two_chains");
    for (const std::string side : {"l", "r"})
        for (int i = 0; i < 15; ++i) {
            const std::string name = side + std::to_string(i);
            builder.add_body({name, 1.0, {0.05, 0.02, 0.0}, Sym3<double>::diagonal(0.01, 0.02, 0.02)});
            Hinge hinge{.name = name,
                        .kind = HingeKind::revolute,
                        .parent = i == 0 ? "" : side + std::to_string(i - 1),
                        .child = name};
            hinge.X_PF.p = {0.1, i == 0 ? (side == "l" ? 0.5 : -0.5) : 0.0, 0};
            hinge.axis = i % 2 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
            builder.add_hinge(hinge);
        }
    builder.add_loop(mimic("tips", "l14", "r14", -1.5, 0.0));
    Numbers q(30, 0.2), v(30, 0.0), T(30, 0.0);
    q[14] = -1.5 * q[29];
    for (std::size_t j = 0; j < 30; ++j)
        T[j] = 0.3 * static_cast<double>(j % 5) - 0.5;
    const Model without = builder.build();
    Kinematics<double> kin(without);
    update<double>(kin, q);
    builder.add_frame({"spot", "", frame_pose(kin, without.frame("l7"))});
    const Model model = builder.build();
    ASSERT_EQ(model.topology().distant.size(), 1u);
    const std::vector<Contact> contacts{{.name = "held", .hand = "l7", .object = "spot"}};
    Grasp grasp(model, contacts);
    grasp.attach(0);
    grasp.set_state(q, v);
    Numbers v_dot(30);
    grasp.forward_dynamics(T, v_dot);
    const DenseClosed truth = dense_closed(with_contacts(model, contacts), q, v, T);
    expect_equal("beside a distant coupling", "", v_dot, truth.v_dot,
                 {.terms = truth.v_dot.cwiseAbs().maxCoeff(), .tolerance = 1e-9});
    EXPECT_NEAR(v_dot[14], -1.5 * v_dot[29], 1e-9 * truth.v_dot.cwiseAbs().maxCoeff());
}

// Contacts that last are loops: the linear model with them is that of the closed mechanism, contact forces among its outputs.
TEST(Grasps, LinearModelsWithContacts)
{
    const GoldenMechanism golden = golden_mechanism("two_arms_box");
    const AsContacts as = as_contacts(golden.open, golden.closed.loops());
    const Model held = with_contacts(as.model, as.contacts);
    const auto system_of = [&](const Model& model) {
        OperatingPoint point(model);
        point.q = golden.q, point.v = golden.v, point.T = golden.T;
        LinearizeOptions options;
        options.outputs = {"q:*", "loop:*"};
        return linearize(model, point, options);
    };
    const StateSpace one = system_of(held), other = system_of(golden.closed);
    const auto same = [](const char* name, const Matrix& a, const Matrix& b) {
        const Rule rule{.tolerance = 1e-9};
        expect_equal(name, "two arms", MatrixXd(MatrixXd::Map(a.data(), a.rows(), a.columns())),
                     MatrixXd(MatrixXd::Map(b.data(), b.rows(), b.columns())), rule);
    };
    same("A", one.A, other.A);
    same("B", one.B, other.B);
    same("C", one.C, other.C);
    same("D", one.D, other.D);
    EXPECT_THROW(with_contacts(as.model, std::vector<Contact>{{.name = "s",
                                                               .kind = ContactKind::sliding,
                                                               .hand = as.contacts[0].hand,
                                                               .object = as.contacts[0].object}}),
                 UsageError);
}

// A contact made where the hand happens to be is there until it is broken; the object's own surface stays where it is.
TEST(Grasps, ContactsMadeHereLeaveTheSurface)
{
    const Model model = box_on_feet();
    Grasp grasp(model, {{.hand = "foot0", .object = "floor0"}});
    const Numbers deep{1, 0, 0, 0, 0, 0, 0.049};
    grasp.set_state(deep, Numbers(6, 0.0));
    EXPECT_NEAR(grasp.depth(0), 0.001, 1e-15);
    for (int landing = 0; landing < 3; ++landing) {
        grasp.attach_here(0);
        EXPECT_NEAR(grasp.depth(0), 0.001, 1e-15);
        grasp.set_state(deep, Numbers(6, 0.0));
        Numbers v_dot(6);
        grasp.forward_dynamics(Numbers(6, 0.0), v_dot);
        EXPECT_NEAR(grasp.state(0).wrench.n.x, 0.0, 1e-14);
        grasp.detach(0);
    }
    grasp.set_state(on_floor, Numbers(6, 0.0));
    EXPECT_NEAR(grasp.depth(0), 0.0, 1e-15);
}

TEST(Grasps, PositionsAreProjected)
{
    const ArmsCase c = random_arms(43, 2, 7, GripKind::mixed);
    const AsContacts as = as_contacts(c.open, c.closed.loops());
    Grasp grasp(as.model, as.contacts);
    grasp.attach(0);
    grasp.attach(1);
    Random random(3);
    Numbers q = c.q;
    const Numbers off = random_numbers(random, c.open.num_dofs(), 0.01);
    integrate<double>(c.open, q, off, q);
    Numbers v = random_numbers(random, c.open.num_dofs(), 1.0);
    EXPECT_LT(grasp.project(q, v).after, 1e-12);
    grasp.set_state(q, v);
    EXPECT_LT(grasp.largest_slip(), 1e-12);
}

TEST(Grasps, BasePlacements)
{
    // 004: almost any placement of the arms' bases is well-posed, rank of Omega as many as rows; with arms of two hinges, none is.
    for (int dofs : {6, 2}) {
        const ArmsCase c = random_arms(51, 2, dofs, GripKind::rigid);
        const AsContacts as = as_contacts(c.open, c.closed.loops());
        const WellPosedTrials trials = try_base_placements(as.model, as.contacts, 200, 1);
        EXPECT_EQ(trials.trials, 200);
        EXPECT_EQ(trials.well_posed, dofs == 6 ? 200 : 0);
    }
}

TEST(Grasps, ClearErrors)
{
    const Model model = box_on_feet();
    const auto text = [&](std::vector<Contact> contacts) -> std::string {
        try {
            Grasp(model, std::move(contacts));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(text({{.hand = "foot0", .object = "foot1"}}),
              "contact 'contact0' (point): frames 'foot0' and 'foot1' lie in one body; expected two");
    EXPECT_EQ(text({{.name = "a", .hand = "foot0", .object = "floor0", .mu = 0.0}}),
              "contact 'a' (point): mu is 0, expected a number above 0; without friction use frictionless");
    EXPECT_NE(text({{.hand = "fot0", .object = "floor0"}}).find("did you mean 'foot0'"), std::string::npos);
    EXPECT_EQ(text({{.name = "a", .hand = "foot0", .object = "floor0"},
                    {.name = "a", .hand = "foot1", .object = "floor1"}}),
              "Grasp: contacts 0 and 1 are both called 'a'");
    EXPECT_NE(text({{.kind = ContactKind::soft_finger, .hand = "foot0", .object = "floor0"}}).find("mu_spin"),
              std::string::npos);
    Grasp grasp(model, {{.hand = "foot0", .object = "floor0"}});
    EXPECT_THROW(grasp.attach(1), UsageError);
    EXPECT_THROW(grasp.contact("nobody"), UsageError);
    Numbers v_dot(6);
    EXPECT_THROW(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), UsageError); // no state yet
}

namespace {
template <class F> std::string refusal(const F& f)
{
    try {
        f();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}
} // namespace

// Forces are those of the last forward_dynamics or impulse, and of no other state nor other contacts.
TEST(Grasps, ForcesThatNobodyHasFound)
{
    Grasp grasp(box_on_feet(),
                {{.hand = "foot0", .object = "floor0"}, {.hand = "foot1", .object = "floor1"}});
    const Numbers rest(6, 0.0);
    Numbers v_dot(6), v(6, 0.0), q = on_floor;
    const std::vector<int> dofs{0, 1, 2, 3, 4, 5};
    const std::pair<const char*, std::function<void()>> questions[] = {
        {"Grasp::wrench", [&] { grasp.wrench(0); }},
        {"Grasp::state", [&] { grasp.state(0); }},
        {"Grasp::multipliers", [&] { grasp.multipliers(); }},
        {"Grasp::feasibility", [&] { grasp.feasibility(); }},
        {"Grasp::split", [&] { grasp.split(dofs); }},
        {"Grasp::independent_rows", [&] { grasp.independent_rows(true); }},
        {"Grasp::turn_slowly", [&] { grasp.turn_slowly(1e-3); }},
        {"Grasp::slide", [&] { grasp.slide(0); }},
    };
    const std::pair<const char*, std::function<void()>> changes[] = {
        {"set_state", [&] { grasp.set_state(on_floor, rest); }},
        {"attach", [&] { grasp.attach(1); }},
        {"detach", [&] { grasp.detach(1); }},
        {"attach_here", [&] { grasp.attach_here(1); }},
        {"slide", [&] { grasp.slide(1, {1, 0, 0}); }},
        {"stick", [&] { grasp.stick(1); }},
        {"project", [&] { grasp.project(q, v), grasp.set_state(q, v); }},
    };
    grasp.set_state(on_floor, rest);
    grasp.attach(0);
    for (const auto& [change, make] : changes)
        for (const bool impulse : {false, true}) {
            if (impulse)
                grasp.impulse(v);
            else
                grasp.forward_dynamics(rest, v_dot);
            grasp.state(0);
            if (!impulse || change == std::string("set_state"))
                make();
            else
                grasp.set_state(on_floor, rest);
            for (const auto& [question, ask] : questions)
                EXPECT_EQ(refusal(ask),
                          std::string(question) +
                              ": the stage that it reads is stale; call Grasp::forward_dynamics or "
                              "Grasp::impulse first, for this state")
                    << change;
        }
    grasp.detach(0);
    EXPECT_EQ(grasp.state(0).normal, 0.0); // what does not hold does not push, whoever asks
    grasp.forward_dynamics(rest, v_dot);
    EXPECT_EQ(refusal([&] { grasp.wrench_of(0, Numbers(99)); }),
              "Grasp::wrench_of: lambda has size 99, expected " + std::to_string(grasp.num_rows()));
}

// After project and rows_at the stage is another state's: whatever is asked at a state is refused until it is set again.
TEST(Grasps, StatesThatAreNoLongerHere)
{
    Grasp grasp(box_on_feet(),
                {{.hand = "foot0", .object = "floor0"}, {.hand = "foot1", .object = "floor1"}});
    const Numbers rest(6, 0.0);
    Numbers v_dot(6), v(6, 0.1), q = on_floor;
    Kinematics<double> elsewhere(grasp.model());
    update<double>(elsewhere, on_floor, v);
    grasp.attach(0);
    for (const auto& leave : {std::function<void()>([&] { grasp.project(q, v); }),
                              std::function<void()>([&] { grasp.rows_at(elsewhere); })}) {
        grasp.set_state(on_floor, rest);
        grasp.forward_dynamics(rest, v_dot);
        leave();
        for (const auto& ask :
             {std::function<void()>([&] { grasp.forward_dynamics(rest, v_dot); }),
              std::function<void()>([&] { grasp.impulse(v); }), std::function<void()>([&] { grasp.Omega(); }),
              std::function<void()>([&] { grasp.largest_slip(); }),
              std::function<void()>([&] { grasp.attach_here(1); })})
            EXPECT_NE(refusal(ask).find("call Grasp::set_state first"), std::string::npos) << refusal(ask);
    }
}

TEST(Grasps, NumbersThatAreNotFinite)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Grasp grasp(box_on_feet(), {{.hand = "foot0", .object = "floor0"}});
    Numbers q = on_floor, v(6, 0.0), T(6, 0.0), v_dot(6);
    const std::vector<int> dofs{0, 1, 2, 3, 4, 5};
    grasp.attach(0);
    grasp.set_state(q, v);
    grasp.forward_dynamics(T, v_dot);
    Numbers bad_q = q, bad(6, 0.0);
    bad_q[4] = inf, bad[2] = nan;
    std::vector<Force<double>> external(1);
    external[0].f.x = nan;
    const auto expected = [](const std::string& what) { return what + ", expected finite numbers"; };
    EXPECT_EQ(refusal([&] { grasp.set_state(bad_q, v); }), expected("Grasp::set_state: q[4] is inf"));
    EXPECT_EQ(refusal([&] { grasp.set_state(q, bad); }), expected("Grasp::set_state: v[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.follow(q, bad); }), expected("Grasp::set_state: v[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.forward_dynamics(bad, v_dot); }),
              expected("Grasp::forward_dynamics: T[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.forward_dynamics(T, v_dot, external); }),
              expected("Grasp::forward_dynamics: external force[3] is nan"));
    EXPECT_EQ(refusal([&] { grasp.impulse(bad); }), expected("Grasp::impulse: v[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.project(bad_q, v); }), expected("Grasp::project: q[4] is inf"));
    EXPECT_EQ(refusal([&] { grasp.project(q, bad); }), expected("Grasp::project: v[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.can_exert(dofs, bad); }), expected("Grasp::can_exert: w[2] is nan"));
    EXPECT_EQ(refusal([&] { grasp.slide(0, {0, nan, 0}); }), expected("Grasp::slide: way[1] is nan"));
    EXPECT_EQ(refusal([&] { grasp.turn_slowly(nan); }), expected("Grasp::turn_slowly: step[0] is nan"));
    EXPECT_EQ(refusal([&] { grasp.feasibility(inf); }),
              "Grasp::feasibility: most_normal_force is inf, expected newtons, or 0 where nothing limits it");
    EXPECT_EQ(refusal([&] { grasp.can_exert(dofs, T, nan); }),
              "Grasp::can_exert: most_normal_force is nan, expected newtons, or 0 where nothing limits it");
    EXPECT_NEAR(grasp.state(0).normal, grasp.feasibility().wrench[0].f.z, 1e-9); // nothing of it has counted
}
