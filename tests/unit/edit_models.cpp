#include <gtest/gtest.h>

#include <set>

#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

std::vector<double> random_q(const Model& model, std::uint64_t seed)
{
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()));
    random_configuration(model, seed, q);
    return q;
}
Kinematics<double> at(const Model& model, const std::vector<double>& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, q);
    return kin;
}
double distance(const Pose<double>& X, const Pose<double>& Y)
{
    return (dense(X.R) - dense(Y.R)).norm() + (dense(X.p) - dense(Y.p)).norm();
}
std::vector<std::string> remarks(const Model& model)
{
    std::vector<std::string> out;
    for (const Note& note : model.notes())
        if (note.kind == Note::Kind::remark)
            out.push_back(note.text);
    return out;
}
template <class Error = ModelError> std::string words(auto&& function)
{
    try {
        function();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// jaw_left and jaw_right slide on a palm that turns; right = -1 left + 0.005.
Model gripper()
{
    ModelBuilder builder("gripper");
    for (const char* name : {"palm", "jaw_left", "jaw_right"}) {
        builder.add_body({name, 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        Hinge hinge;
        hinge.child = name;
        hinge.kind = std::string(name) == "palm" ? HingeKind::revolute : HingeKind::prismatic;
        hinge.parent = std::string(name) == "palm" ? "" : "palm";
        hinge.axis = {1, 0, 0};
        builder.add_hinge(hinge);
    }
    builder.add_loop(mimic("jaws", "jaw_right", "jaw_left", -1.0, 0.005));
    builder.add_frame({"grip", "palm", {Mat3<double>::identity(), {0, 0, 0.2}}});
    builder.add_frame({"mount", "", {Mat3<double>::identity(), {1, 0, 0}}});
    builder.add_note({Note::Kind::remark, "from a drawing"});
    return builder.build();
}

TEST(EditLock, KeepsThePoses)
{
    for (int seed = 1; seed <= 20; ++seed) {
        const Model model = *generate_model("random:15:" + std::to_string(seed));
        const std::vector<double> q = random_q(model, 7);
        // Lock every second hinge.
        std::vector<std::string> names;
        std::vector<double> q_left;
        for (int k : model.tree().base_to_tip()) {
            const int first = model.tree().first_coordinate[k], last = model.tree().first_coordinate[k + 1];
            if (k % 2 == 0)
                names.push_back(model.hinges()[k].name);
            else
                q_left.insert(q_left.end(), q.begin() + first, q.begin() + last);
        }
        const Model locked = lock_hinges(model, names, q);
        ASSERT_EQ(locked.num_coordinates(), static_cast<int>(q_left.size()));
        const auto before = at(model, q), after = at(locked, q_left);
        for (int k : model.tree().base_to_tip()) {
            EXPECT_LT(distance(before.X_WB(k), after.X_WB(k)), 1e-13);
            EXPECT_EQ(locked.hinges()[k].name, model.hinges()[k].name);
            EXPECT_EQ(locked.hinges()[k].kind, k % 2 == 0 ? HingeKind::weld : model.hinges()[k].kind);
        }
    }
}

TEST(EditLock, CouplingsPassTheLockOn)
{
    const std::vector<double> q{0.3, 0.02, 0.7};
    const Model by_left = lock_hinges(gripper(), std::vector<std::string>{"jaw_left"}, q);
    EXPECT_EQ(by_left.num_dofs(), 1);
    EXPECT_TRUE(by_left.loops().empty());
    EXPECT_NEAR(by_left.hinges()[2].X_PF.p.x, -0.015, 1e-16);
    EXPECT_EQ(remarks(by_left),
              (std::vector<std::string>{
                  "from a drawing",
                  "hinge 'jaw_right' is locked too, at -0.015: coupling 'jaws' ('jaw_right' = -1 'jaw_left' "
                  "+ 0.005) asks for it",
                  "coupling 'jaws' ('jaw_right' = -1 'jaw_left' + 0.005) is gone: its hinges are locked"}));

    const Model by_right = lock_hinges(gripper(), std::vector<std::string>{"jaw_right"}, q);
    EXPECT_NEAR(by_right.hinges()[1].X_PF.p.x, 0.005 - 0.7, 1e-15);

    const Model by_both = lock_hinges(gripper(), std::vector<std::string>{"jaw_right", "jaw_left"}, q);
    EXPECT_EQ(by_both.hinges()[2].X_PF.p.x, 0.7);
    ASSERT_EQ(by_both.notes().size(), 3u);
    EXPECT_EQ(by_both.notes()[1].kind, Note::Kind::doubt);
    EXPECT_EQ(
        by_both.notes()[1].text,
        "coupling 'jaws' ('jaw_right' = -1 'jaw_left' + 0.005) does not hold where its hinges are locked: "
        "it is off by 0.715");

    EXPECT_EQ(lock_hinges(gripper(), std::vector<std::string>{"palm"}, q).loops().size(), 1u);
    EXPECT_EQ(words<UsageError>([&] { lock_hinges(gripper(), std::vector<std::string>{"jaw_lef"}, q); }),
              "unknown hinge 'jaw_lef'; did you mean 'jaw_left'?");
    EXPECT_THROW(lock_hinges(gripper(), std::vector<std::string>{"palm"}, std::vector<double>{0.0}),
                 UsageError);
    EXPECT_THROW(lock_hinges(gripper(), std::vector<std::string>{"palm"}, std::vector<double>{NAN, 0.0, 0.0}),
                 ModelError);
}

TEST(EditExtract, TakesABodyAndWhatHangsOnIt)
{
    const Model model = *generate_model("tree:15");
    const Model part = extract_subtree(model, "link2");
    EXPECT_EQ(part.name(), "tree:15:link2");
    ASSERT_EQ(part.num_bodies(), 7);
    EXPECT_EQ(part.num_dofs(), 6);
    EXPECT_EQ(part.hinges()[0].name, "joint2");
    EXPECT_EQ(part.hinges()[0].kind, HingeKind::weld);
    EXPECT_EQ(extract_subtree(model, "link2", HingeKind::free).floating_base(), 0);
    EXPECT_EQ(words<UsageError>([&] { extract_subtree(model, "link2", HingeKind::planar); }),
              "extract_subtree: the root's hinge is planar, expected weld or free");

    const Model palm = extract_subtree(gripper(), "palm");
    EXPECT_EQ(palm.loops().size(), 1u);
    EXPECT_NO_THROW(palm.frame("grip"));
    EXPECT_THROW(palm.frame("mount"), UsageError);
    const Model jaw = extract_subtree(gripper(), "jaw_left");
    EXPECT_TRUE(jaw.loops().empty());
    EXPECT_THROW(jaw.frame("grip"), UsageError);
    EXPECT_EQ(remarks(jaw), (std::vector<std::string>{"from a drawing",
                                                      "coupling 'jaws' ('jaw_right' = -1 'jaw_left' + 0.005) "
                                                      "is gone: one of its hinges is not below 'jaw_left'"}));

    ModelBuilder stacked(gripper());
    stacked.loops()[0].terms[1].dof = "palm";
    EXPECT_EQ(remarks(extract_subtree(stacked.build(), "palm")),
              (std::vector<std::string>{"from a drawing",
                                        "coupling 'jaws' ('jaw_right' = -1 'palm' + 0.005) is gone: one of "
                                        "its hinges is not below 'palm'"}));
}

TEST(EditAttach, HangsRootsOnAFrame)
{
    const Model arm = *generate_model("chain:3");
    const Model both = attach(arm, "tip", gripper(), "left_");
    EXPECT_EQ(both.name(), "chain:3");
    EXPECT_EQ(both.num_dofs(), 6);
    EXPECT_EQ(both.hinges()[3].name, "left_palm");
    EXPECT_EQ(both.hinges()[3].parent, "link3");
    EXPECT_EQ(both.loops()[0].name, "left_jaws");
    EXPECT_EQ(equation(both.loops()[0]), "'left_jaw_right' = -1 'left_jaw_left' + 0.005");
    EXPECT_EQ(both.frame_body(both.frame("left_mount")), 2);
    EXPECT_EQ(remarks(both), std::vector<std::string>{"model 'gripper': from a drawing"});

    // Poses: the arm's tip, then the gripper's own.
    const std::vector<double> q{0.1, -0.4, 0.8, 0.3, 0.02, -0.01};
    const auto whole = at(both, q), first = at(arm, {0.1, -0.4, 0.8}),
               second = at(gripper(), {0.3, 0.02, -0.01});
    const Pose<double> X_WT =
        first.X_WB(2) * arm.frames()[static_cast<std::size_t>(arm.frame("tip").index)].X_BF;
    for (int k = 0; k < 3; ++k)
        EXPECT_LT(distance(whole.X_WB(3 + k), X_WT * second.X_WB(k)), 1e-14);

    EXPECT_EQ(attach(arm, "world", gripper()).tree().parent[3], ground);
    const std::string collision = words([&] { attach(gripper(), "grip", gripper()); });
    EXPECT_NE(collision.find("body name 'palm' is used 2 times"), std::string::npos) << collision;
    EXPECT_NE(collision.find("frame name 'grip' is used 2 times"), std::string::npos) << collision;
    EXPECT_EQ(words<UsageError>([&] { attach(arm, "tipp", gripper()); }),
              "unknown frame 'tipp'; did you mean 'tip'?");
    EXPECT_EQ(
        remarks(attach(with_gravity(arm, {}), "tip", extract_subtree(gripper(), "palm"))),
        (std::vector<std::string>{"model 'gripper:palm': from a drawing",
                                  "gravity is that of model 'chain:3'; model 'gripper:palm' had another"}));
}

TEST(EditPayload, IsTheSameAsAWeldedBody)
{
    Random random(3);
    for (int seed = 1; seed <= 10; ++seed) {
        const Model model = *generate_model("random:6:" + std::to_string(seed));
        ModelBuilder with_frame(model);
        const Pose<double> X{random.rotation(), random.vector()};
        with_frame.add_frame({"hand", "body6", X});
        const Vec3<double> com = random.vector(0.3);
        const Sym3<double> J = rotate(random.rotation(), Sym3<double>::diagonal(0.3, 0.4, 0.5));
        const Model loaded = add_payload(with_frame.build(), "hand", 2.5, com, J);
        const Body &before = model.bodies()[5], &after = loaded.bodies()[5];
        const Inertia<double> sum =
            Inertia<double>::about_point(before.mass, before.com, before.inertia_com) +
            Inertia<double>::about_point(2.5, transform_point(X, com), rotate(X.R, J));
        const Inertia<double> got = Inertia<double>::about_point(after.mass, after.com, after.inertia_com);
        EXPECT_LT((dense(sum) - dense(got)).norm(), 1e-14);
    }
    // On a body without mass it is the whole body; a payload without mass changes nothing.
    ModelBuilder light(gripper());
    light.bodies()[1] = {"jaw_left", 0.0, {}, {}};
    const Body alone =
        add_payload(light.build(), "jaw_left", 2.0, {0, 1, 0}, Sym3<double>::diagonal(1, 1, 1)).bodies()[1];
    EXPECT_EQ(alone.com, (Vec3<double>{0, 1, 0}));
    EXPECT_EQ(alone.inertia_com, Sym3<double>::diagonal(1, 1, 1));
    EXPECT_EQ(add_payload(gripper(), "grip", 0.0, {9, 9, 9}, {}).bodies()[0].com, gripper().bodies()[0].com);

    EXPECT_EQ(words<UsageError>([] { add_payload(gripper(), "mount", 1.0, {}, {}); }),
              "add_payload: frame 'mount' is on the ground, expected a frame of a body");
    EXPECT_EQ(words([] { add_payload(gripper(), "grip", -0.5, {}, {}); }),
              "model 'payload on grip': 1 fault\n  - body 'payload': mass is -0.5, expected zero or more");
}

TEST(EditBase, FixesAndFrees)
{
    ModelBuilder builder("box");
    builder.add_body({"trunk", 1.0, {}, Sym3<double>::diagonal(1, 1, 1)});
    Hinge hinge;
    hinge.child = "trunk";
    hinge.X_PF.p = {0, 0, 2};
    hinge.X_CM.p = {0.5, 0, 0};
    const Model fixed = builder.add_hinge(hinge).build();
    const Model floating = with_base(fixed, BaseKind::floating);
    EXPECT_EQ(floating.floating_base(), 0);
    EXPECT_EQ(floating.hinges()[0].name, "base");
    EXPECT_EQ(floating.hinges()[0].X_CM, Pose<double>{});
    EXPECT_EQ(
        remarks(floating),
        std::vector<std::string>{"hinge 'trunk' was a weld and is free now, named 'base': the base floats"});
    EXPECT_LT(distance(at(floating, {1, 0, 0, 0, 0, 0, 0}).X_WB(0), at(fixed, {}).X_WB(0)), 1e-15);

    const Model again = with_base(floating, BaseKind::fixed);
    EXPECT_EQ(again.num_dofs(), 0);
    EXPECT_EQ(remarks(again).back(), "hinge 'base' was free and is a weld now: the base is fixed");
    EXPECT_LT(distance(at(again, {}).X_WB(0), at(fixed, {}).X_WB(0)), 1e-15);

    EXPECT_TRUE(remarks(with_base(fixed, BaseKind::fixed)).empty());
    EXPECT_EQ(words([] { with_base(*generate_model("chain:2"), BaseKind::floating); }),
              "model 'chain:2': 1 fault\n  - a floating base needs a weld to set free; on the ground hang "
              "'link1' by hinge 'joint1' (revolute)");
    const Model two = attach(floating, "world", floating, "other_");
    EXPECT_EQ(
        words([&] { with_base(two, BaseKind::fixed); }),
        "model 'box': 1 fault\n  - a fixed base needs just one free hinge to fix, got 2; on the ground hang "
        "'trunk' by hinge 'base' (free), 'other_trunk' by hinge 'other_base' (free)");
    EXPECT_EQ(words([&] {
                  with_base(attach(fixed, "world", fixed, "other_"), BaseKind::floating);
              }).find("model 'box': 1 fault\n  - a floating base needs just one body on the ground, got 2"),
              0u);
}

TEST(EditCouplings, AreDroppedByName)
{
    const Model free = drop_couplings(gripper());
    EXPECT_TRUE(free.loops().empty());
    EXPECT_EQ(
        remarks(free).back(),
        "coupling 'jaws' ('jaw_right' = -1 'jaw_left' + 0.005) is dropped: its hinges move independently");
    // What the file gave cause to doubt stays in doubt; what follows from the numbers is found anew.
    const auto texts = [](const Model& model) {
        std::multiset<std::string> out;
        for (const Note& note : model.notes())
            if (note.kind == Note::Kind::doubt)
                out.insert(note.text);
        return out;
    };
    ModelBuilder doubtful(gripper());
    doubtful.add_note({Note::Kind::doubt, "units look like millimetres"});
    doubtful.bodies().back().mass = 0.0;
    const Model before = doubtful.build();
    EXPECT_EQ(texts(before).count("units look like millimetres"), 1u);
    EXPECT_GE(texts(before).size(), 2u);
    EXPECT_EQ(texts(drop_couplings(before)), texts(before));
    EXPECT_EQ(with_gravity(gripper(), {0, 0, -1.62}).gravity(), (Vec3<double>{0, 0, -1.62}));
    EXPECT_THROW(with_gravity(gripper(), {0, 0, NAN}), ModelError);
}

TEST(EditBase, ANameThatIsTakenIsSaid)
{
    ModelBuilder builder("arm");
    const Sym3<double> inertia = Sym3<double>::diagonal(1, 1, 1);
    builder.add_body({"trunk", 1.0, {}, inertia}).add_body({"arm", 1.0, {}, inertia});
    Hinge root, other;
    root.name = "root", root.child = "trunk";
    other.name = "base", other.kind = HingeKind::revolute, other.parent = "trunk", other.child = "arm";
    const Model model = builder.add_hinge(root).add_hinge(other).build();
    try {
        with_base(model, BaseKind::floating);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what())
                      .find("a floating base names its hinge 'base', but a hinge has that name already"),
                  std::string::npos)
            << error.what();
    }
}

// Limits on one side only: random configurations keep to that side.
TEST(RandomConfiguration, KeepsToHalfOpenAndPlanarLimits)
{
    ModelBuilder builder("slider");
    const Sym3<double> inertia = Sym3<double>::diagonal(1, 1, 1);
    builder.add_body({"low", 1.0, {}, inertia})
        .add_body({"high", 1.0, {}, inertia})
        .add_body({"plate", 1.0, {}, inertia});
    Hinge low, high, plate;
    low.kind = high.kind = HingeKind::prismatic, plate.kind = HingeKind::planar;
    low.child = "low", high.child = "high", plate.child = "plate";
    low.limits.lower = {2.0}, low.limits.upper = {INFINITY};
    high.limits.lower = {-INFINITY}, high.limits.upper = {-3.0};
    plate.limits.lower = {2, 2, 2}, plate.limits.upper = {3, 3, 3};
    const Model model = builder.add_hinge(low).add_hinge(high).add_hinge(plate).build();
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const std::vector<double> q = random_q(model, seed);
        EXPECT_GE(q[0], 2.0);
        EXPECT_LE(q[0], 4.0);
        EXPECT_LE(q[1], -3.0);
        EXPECT_GE(q[1], -5.0);
        for (std::size_t i = 2; i < 5; ++i) {
            EXPECT_GE(q[i], 2.0);
            EXPECT_LE(q[i], 3.0);
        }
    }
}

} // namespace
} // namespace sweepdyn
