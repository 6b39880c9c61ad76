// What a built model holds: order of the bodies, dofs and their names, floating base, frames; and that it never changes.
#include <gtest/gtest.h>

#include <type_traits>

#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

Body solid(const std::string& name)
{
    return {name, 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.25, 0.25, 0.25)};
}
Hinge hinge(const std::string& name, HingeKind kind, const std::string& parent, const std::string& child)
{
    Hinge out;
    out.name = name, out.kind = kind, out.parent = parent, out.child = child;
    if (kind == HingeKind::universal)
        out.axis2 = {1, 0, 0};
    return out;
}
// Bodies in the order given, each with its parent, on revolute hinges of the same name.
Model forest(const std::vector<std::pair<std::string, std::string>>& bodies_and_parents)
{
    ModelBuilder builder("forest");
    for (const auto& [name, parent] : bodies_and_parents) {
        builder.add_body(solid(name));
        builder.add_hinge(hinge("", HingeKind::revolute, parent, name));
    }
    return builder.build();
}
Texts names(const auto& items)
{
    Texts out;
    for (const auto& item : items)
        out.push_back(item.name);
    return out;
}
template <class T> std::vector<T> list(std::span<const T> items) { return {items.begin(), items.end()}; }

TEST(BuilderModel, KeepsTheOrderWhenParentsComeFirst)
{
    // Breadth first: not the order that depth first would give.
    const Model model = forest({{"a", ""}, {"b", ""}, {"a1", "a"}, {"b1", "b"}, {"a2", "a"}, {"a11", "a1"}});
    EXPECT_EQ(names(model.bodies()), (Texts{"a", "b", "a1", "b1", "a2", "a11"}));
    EXPECT_EQ(names(model.hinges()), (Texts{"a", "b", "a1", "b1", "a2", "a11"}));
    const Tree& tree = model.tree();
    EXPECT_EQ(tree.parent, (std::vector<int>{-1, -1, 0, 1, 0, 2}));
    EXPECT_EQ(tree.depth, (std::vector<int>{0, 0, 1, 1, 1, 2}));
    EXPECT_EQ(tree.is_leaf, (std::vector<char>{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(tree.is_last_child, (std::vector<char>{0, 0, 0, 1, 1, 1}));
}

TEST(BuilderModel, ElsePutsThemDepthFirst)
{
    const Model model =
        forest({{"a1", "a"}, {"b", ""}, {"a", ""}, {"b2", "b"}, {"a11", "a1"}, {"b1", "b"}, {"a2", "a"}});
    EXPECT_EQ(names(model.bodies()), (Texts{"b", "b2", "b1", "a", "a1", "a11", "a2"}));
    EXPECT_EQ(model.tree().parent, (std::vector<int>{-1, 0, 0, -1, 3, 4, 3}));
    for (int k : model.tree().base_to_tip()) {
        EXPECT_LT(model.tree().parent[k], k);
        EXPECT_EQ(model.hinges()[k].child, model.bodies()[k].name); // hinge k carries body k
    }
}

TEST(BuilderModel, HingesMayComeInAnyOrder)
{
    ModelBuilder builder("arm");
    builder.add_body(solid("upper")).add_body(solid("lower"));
    builder.add_hinge(hinge("elbow", HingeKind::prismatic, "upper", "lower"));
    builder.add_hinge(hinge("shoulder", HingeKind::spherical, "", "upper"));
    const Model model = builder.build();
    EXPECT_EQ(names(model.hinges()), (Texts{"shoulder", "elbow"}));
    EXPECT_EQ(list(model.dof_names()), (Texts{"shoulder.wx", "shoulder.wy", "shoulder.wz", "elbow"}));
}

TEST(BuilderModel, NumbersAndNamesDofsOfEveryKind)
{
    ModelBuilder builder("every");
    std::string parent;
    for (HingeKind kind : {HingeKind::weld, HingeKind::revolute, HingeKind::continuous, HingeKind::prismatic,
                           HingeKind::helical, HingeKind::cylindrical, HingeKind::universal,
                           HingeKind::planar, HingeKind::spherical, HingeKind::free, HingeKind::user}) {
        const std::string body = std::string(name(kind)) + "_body";
        builder.add_body(solid(body));
        builder.add_hinge(hinge(std::string(name(kind)), kind, parent, body));
        parent = body;
    }
    builder.hinges().back().steps = {{}, {HingeStep::Motion::slide, {1, 0, 0}, 0.0, {}}};
    const Model model = builder.build();
    EXPECT_EQ(list(model.dof_names()), (Texts{"revolute",     "continuous",        "prismatic",
                                              "helical",      "cylindrical.angle", "cylindrical.slide",
                                              "universal.1",  "universal.2",       "planar.wz",
                                              "planar.vx",    "planar.vy",         "spherical.wx",
                                              "spherical.wy", "spherical.wz",      "free.wx",
                                              "free.wy",      "free.wz",           "free.vx",
                                              "free.vy",      "free.vz",           "user.1",
                                              "user.2"}));
    EXPECT_EQ(model.num_dofs(), 22);
    EXPECT_EQ(model.num_coordinates(), 24);
    EXPECT_EQ(model.tree().first_dof, (std::vector<int>{0, 0, 1, 2, 3, 4, 6, 8, 11, 14, 20, 22}));
    EXPECT_EQ(model.tree().first_coordinate, (std::vector<int>{0, 0, 1, 2, 3, 4, 6, 8, 11, 15, 22, 24}));
    EXPECT_EQ(model.tree().body_of_dof,
              (std::vector<int>{1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 9, 9, 9, 10, 10}));
    EXPECT_FALSE(model.floating_base()); // its free hinge is not on the ground
}

TEST(BuilderModel, FloatingBase)
{
    ModelBuilder builder("robot");
    builder.add_body(solid("trunk")).add_body(solid("leg"));
    builder.add_hinge(hinge("root", HingeKind::free, "", "trunk"));
    builder.add_hinge(hinge("hip", HingeKind::revolute, "trunk", "leg"));
    const Texts base{"base.wx", "base.wy", "base.wz", "base.vx", "base.vy", "base.vz"};

    Texts expected = base;
    expected.push_back("hip");
    Model model = builder.build();
    EXPECT_EQ(model.floating_base(), 0);
    EXPECT_EQ(list(model.dof_names()), expected);
    EXPECT_EQ(model.hinge("root"), 0); // the hinge itself keeps its name

    // Other bodies on the ground, by other hinges, change nothing.
    builder.add_body(solid("table")).add_body(solid("door"));
    builder.add_hinge(hinge("floor", HingeKind::weld, "", "table"));
    builder.add_hinge(hinge("jamb", HingeKind::revolute, "", "door"));
    expected.push_back("jamb");
    model = builder.build();
    EXPECT_EQ(model.floating_base(), 0);
    EXPECT_EQ(list(model.dof_names()), expected);

    // With two there is no base, and both go by their names.
    builder.add_body(solid("ball"));
    builder.add_hinge(hinge("ball_free", HingeKind::free, "", "ball"));
    model = builder.build();
    EXPECT_FALSE(model.floating_base());
    EXPECT_EQ(model.dof_names()[0], "root.wx");
    EXPECT_EQ(model.dof_names().back(), "ball_free.vz");
}

TEST(BuilderModel, FloatingBaseNeedNotComeFirst)
{
    ModelBuilder builder("robot");
    builder.add_body(solid("table")).add_body(solid("trunk"));
    builder.add_hinge(hinge("jamb", HingeKind::revolute, "", "table"));
    builder.add_hinge(hinge("", HingeKind::free, "", "trunk"));
    const Model model = builder.build();
    EXPECT_EQ(model.floating_base(), 1);
    EXPECT_EQ(model.dof_names()[0], "jamb");
    EXPECT_EQ(model.dof_names()[1], "base.wx");
}

TEST(BuilderModel, FixedBodiesAndTotalMass)
{
    ModelBuilder builder("cell");
    builder.add_body({"pedestal", 100.0})
        .add_body({"plate", 20.0})
        .add_body(solid("arm"))
        .add_body(solid("tool"));
    builder.add_hinge(hinge("floor", HingeKind::weld, "", "pedestal"));
    builder.add_hinge(hinge("bolts", HingeKind::weld, "pedestal", "plate"));
    builder.add_hinge(hinge("joint", HingeKind::revolute, "plate", "arm"));
    builder.add_hinge(hinge("flange", HingeKind::weld, "arm", "tool"));
    const Model model = builder.build();
    EXPECT_TRUE(model.is_fixed(0));
    EXPECT_TRUE(model.is_fixed(1));
    EXPECT_FALSE(model.is_fixed(2));
    EXPECT_FALSE(model.is_fixed(3));
    EXPECT_EQ(model.total_mass(), 2.0);
}

TEST(BuilderModel, Frames)
{
    ModelBuilder builder("arm");
    builder.add_body(solid("lower")).add_body(solid("upper")); // put in order by the builder
    builder.add_hinge(hinge("", HingeKind::revolute, "upper", "lower"));
    builder.add_hinge(hinge("", HingeKind::revolute, "", "upper"));
    const Pose<double> X{Mat3<double>::identity(), {1, 2, 3}};
    builder.add_frame({"tip", "lower", X}).add_frame({"camera", "", X});
    const Model model = builder.build();
    EXPECT_EQ(names(model.frames()), (Texts{"upper", "lower", "world", "tip", "camera"}));
    const int bodies[] = {0, 1, ground, 1, ground};
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(model.frame_body({i}), bodies[i]);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(model.frames()[i].X_BF, Pose<double>{});
    EXPECT_EQ(model.frame("tip"), FrameId{3});
    EXPECT_EQ(model.frames()[3].X_BF, X);
    EXPECT_EQ(model.frame("world"), FrameId{2});
    EXPECT_EQ(model.frame("upper"), FrameId{0});
}

TEST(BuilderModel, FramesNamedWorld)
{
    // A body's name is stronger than the ground's.
    ModelBuilder builder("planet");
    builder.add_body(solid("world"));
    builder.add_hinge(hinge("", HingeKind::revolute, "", "world"));
    EXPECT_EQ(names(builder.build().frames()), Texts{"world"});
    EXPECT_EQ(builder.build().frame_body(builder.build().frame("world")), 0);

    // So is a frame's, and editing keeps it.
    builder = ModelBuilder("arm");
    builder.add_body(solid("link"));
    builder.add_hinge(hinge("", HingeKind::revolute, "", "link"));
    const Pose<double> X{Mat3<double>::identity(), {1, 2, 3}};
    builder.add_frame({"world", "", X});
    const Model model = builder.build();
    EXPECT_EQ(names(model.frames()), (Texts{"link", "world"}));
    const Model again = ModelBuilder(model).build();
    EXPECT_EQ(names(again.frames()), (Texts{"link", "world"}));
    EXPECT_EQ(again.frames()[1].X_BF, X);
}

TEST(BuilderModel, UnknownNamesGetASuggestion)
{
    const Model model = forest({{"shoulder", ""}, {"elbow", "shoulder"}});
    const auto words = [](auto&& ask) -> std::string {
        try {
            ask();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(words([&] { model.body("elbo"); }), "unknown body 'elbo'; did you mean 'elbow'?");
    EXPECT_EQ(words([&] { model.hinge("Shoulde"); }), "unknown hinge 'Shoulde'; did you mean 'shoulder'?");
    EXPECT_EQ(words([&] { model.frame("wolrd"); }), "unknown frame 'wolrd'; did you mean 'world'?");
    EXPECT_EQ(words([&] { model.frame("camera_link"); }),
              "unknown frame 'camera_link'; known: shoulder, elbow, world");
    EXPECT_EQ(model.body("elbow"), BodyId{1});
    EXPECT_EQ(model.hinge("elbow"), 1);
}

TEST(BuilderModel, PutsNumbersInOrder)
{
    ModelBuilder builder("arm");
    builder.add_body(solid("link"));
    Hinge pivot = hinge("", HingeKind::universal, "", "link");
    pivot.axis = {0, 3, 4}, pivot.axis2 = {-5, 0, 0};
    const Mat3<double> R = Random(1).rotation();
    pivot.X_PF.R = R;
    pivot.X_PF.R.x.y += 1e-8; // as from a text with eight digits
    pivot.X_CM.R = R;
    builder.add_hinge(pivot);
    const Model model = builder.build();
    const Hinge& built = model.hinges()[0];
    EXPECT_EQ(built.name, "link"); // the child's
    EXPECT_DOUBLE_EQ(norm(built.axis), 1.0);
    EXPECT_DOUBLE_EQ(built.axis.y, 0.6);
    EXPECT_EQ(built.axis2, (Vec3<double>{-1, 0, 0}));
    EXPECT_EQ(built.X_CM.R, R); // right already: not touched
    const Mat3<double> defect = transpose(built.X_PF.R) * built.X_PF.R - Mat3<double>::identity();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            EXPECT_LE(std::abs(defect(i, j)), 1e-15);
            EXPECT_NEAR(built.X_PF.R(i, j), R(i, j), 2e-8);
        }
    EXPECT_EQ(built.armature, (std::vector<double>{0, 0}));
    EXPECT_EQ(built.damping, (std::vector<double>{0, 0}));
    EXPECT_EQ(built.friction, (std::vector<double>{0, 0}));
    EXPECT_TRUE(built.limits.lower.empty());
}

TEST(BuilderModel, KeepsWhatItIsGiven)
{
    ModelBuilder builder("arm");
    builder.set_gravity({0, -1.62, 0});
    Body body = solid("upper");
    body.visuals.push_back({Shape::Kind::sphere, {0.1}, {}, {1, 0, 0, 1}, "", "ball"});
    body.collisions.push_back({Shape::Kind::mesh, {1, 1, 1}, {}, {}, "package://arm/upper.stl", ""});
    builder.add_body(body).add_body(solid("lower"));
    Hinge shoulder = hinge("shoulder", HingeKind::revolute, "", "upper");
    shoulder.limits = {{-1}, {2}, {3}, {4}};
    shoulder.armature = {0.1}, shoulder.damping = {0.2}, shoulder.friction = {0.3};
    builder.add_hinge(shoulder).add_hinge(hinge("elbow", HingeKind::helical, "upper", "lower"));
    builder.hinges()[1].pitch = -0.01;
    builder.add_loop(mimic("gear", "elbow", "shoulder", -2.0, 0.5));
    builder.add_note({Note::Kind::remark, "a remark"});
    const Model model = builder.build();
    EXPECT_EQ(model.name(), "arm");
    EXPECT_EQ(model.gravity(), (Vec3<double>{0, -1.62, 0}));
    EXPECT_EQ(model.bodies()[0].visuals[0].name, "ball");
    EXPECT_EQ(model.bodies()[0].collisions[0].file, "package://arm/upper.stl");
    EXPECT_EQ(model.hinges()[0].limits, shoulder.limits);
    EXPECT_EQ(model.hinges()[0].armature, shoulder.armature);
    EXPECT_EQ(model.hinges()[0].damping, shoulder.damping);
    EXPECT_EQ(model.hinges()[0].friction, shoulder.friction);
    EXPECT_EQ(model.hinges()[1].pitch, -0.01);
    ASSERT_EQ(model.loops().size(), 1u);
    EXPECT_EQ(equation(model.loops()[0]), "'elbow' = -2 'shoulder' + 0.5");
    EXPECT_EQ(model.notes()[0].text, "a remark");
    EXPECT_EQ(forest({{"a", ""}}).gravity(), (Vec3<double>{0, 0, -9.81})); // unless said otherwise
}

TEST(BuilderModel, IsSharedByItsCopies)
{
    const Model model = forest({{"a", ""}, {"b", "a"}});
    const Model copy = model;
    EXPECT_EQ(copy.bodies().data(), model.bodies().data());
    EXPECT_EQ(&copy.tree(), &model.tree());
    static_assert(sizeof(Model) <= 2 * sizeof(void*));
}

TEST(BuilderModel, NeverChanges)
{
    static_assert(std::is_same_v<decltype(std::declval<Model&>().bodies()), std::span<const Body>>);
    static_assert(std::is_same_v<decltype(std::declval<Model&>().hinges()), std::span<const Hinge>>);
    static_assert(std::is_same_v<decltype(std::declval<Model&>().frames()), std::span<const Frame>>);
    static_assert(std::is_same_v<decltype(std::declval<Model&>().tree()), const Tree&>);

    ModelBuilder builder("arm");
    builder.add_body(solid("link"));
    builder.add_hinge(hinge("pivot", HingeKind::revolute, "", "link"));
    const Model model = builder.build();
    builder.set_name("other").set_gravity({}).bodies()[0].mass = 5.0;
    builder.hinges()[0].kind = HingeKind::free;
    const Model other = builder.build();
    EXPECT_EQ(model.name(), "arm");
    EXPECT_EQ(model.bodies()[0].mass, 1.0);
    EXPECT_EQ(model.num_dofs(), 1);
    EXPECT_EQ(model.gravity().z, -9.81);
    EXPECT_EQ(other.name(), "other");
    EXPECT_EQ(other.num_dofs(), 6);
}

TEST(BuilderModel, StartsFromAModel)
{
    ModelBuilder builder("arm");
    builder.set_gravity({1, 2, 3});
    builder.add_body(solid("upper")).add_body(solid("lower"));
    builder.add_hinge(hinge("shoulder", HingeKind::revolute, "", "upper"))
        .add_hinge(hinge("elbow", HingeKind::revolute, "upper", "lower"));
    builder.add_frame({"tip", "lower", {}}).add_loop(mimic("gear", "elbow", "shoulder", 1, 0));
    const Model model = builder.build(), again = ModelBuilder(model).build();
    EXPECT_EQ(again.name(), model.name());
    EXPECT_EQ(again.gravity(), model.gravity());
    EXPECT_EQ(names(again.bodies()), names(model.bodies()));
    EXPECT_EQ(names(again.hinges()), names(model.hinges()));
    EXPECT_EQ(names(again.frames()), names(model.frames()));
    EXPECT_EQ(again.loops().size(), 1u);
    EXPECT_EQ(list(again.dof_names()), list(model.dof_names()));
}

// A body may be called world and move; then the model says that the ground has no frame of that name.
TEST(BuilderModel, AWorldThatMovesIsRemarked)
{
    const auto remarks = [](HingeKind kind) {
        ModelBuilder builder("w");
        Hinge root;
        root.name = "root", root.kind = kind, root.child = "world";
        builder.add_body({"world", 1.0, {}, Sym3<double>::diagonal(1, 1, 1)}).add_hinge(root);
        std::vector<std::string> out;
        const Model model = builder.build();
        for (const Note& note : model.notes())
            out.push_back(note.text);
        return out;
    };
    EXPECT_TRUE(remarks(HingeKind::weld).empty());
    EXPECT_EQ(remarks(HingeKind::free),
              std::vector<std::string>{
                  "body 'world' moves; it is not the ground, which has no frame of its own in this model"});
}

} // namespace
} // namespace sweepdyn
