// Everything that ModelBuilder refuses, word by word, and that it finds all of it at once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

Texts faults(const ModelBuilder& builder)
{
    try {
        builder.build();
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}
bool contains(const Texts& texts, const std::string& text)
{
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

Body solid(const std::string& name)
{
    return {name, 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.25, 0.25, 0.25)};
}
Hinge hinge(const std::string& name, HingeKind kind, const std::string& parent, const std::string& child)
{
    Hinge out;
    out.name = name, out.kind = kind, out.parent = parent, out.child = child;
    return out;
}
// Two bodies, `upper` on hinge `shoulder` and `lower` on hinge `elbow`. Nothing is wrong with it.
ModelBuilder arm(HingeKind elbow = HingeKind::revolute)
{
    ModelBuilder builder("arm");
    builder.add_body(solid("upper")).add_body(solid("lower"));
    builder.add_hinge(hinge("shoulder", HingeKind::revolute, "", "upper"));
    builder.add_hinge(hinge("elbow", elbow, "upper", "lower"));
    if (elbow == HingeKind::universal)
        builder.hinges()[1].axis2 = {1, 0, 0};
    if (elbow == HingeKind::user)
        builder.hinges()[1].steps = {{}};
    return builder;
}

TEST(BuilderFaults, AGoodModelHasNone)
{
    for (HingeKind kind : {HingeKind::weld, HingeKind::revolute, HingeKind::continuous, HingeKind::prismatic,
                           HingeKind::helical, HingeKind::cylindrical, HingeKind::universal,
                           HingeKind::planar, HingeKind::spherical, HingeKind::free, HingeKind::user}) {
        EXPECT_EQ(faults(arm(kind)), Texts{}) << name(kind);
        EXPECT_TRUE(arm(kind).build().notes().empty()) << name(kind);
    }
}

TEST(BuilderFaults, NoBodies)
{
    EXPECT_EQ(faults(ModelBuilder("nothing")), Texts{"the model has no bodies"});
}

TEST(BuilderFaults, TwoParents)
{
    ModelBuilder builder = arm();
    builder.add_hinge(hinge("strut", HingeKind::revolute, "", "lower"));
    EXPECT_EQ(faults(builder), Texts{"body 'lower' has two parents: by hinge 'elbow' and by hinge 'strut'"});
}

TEST(BuilderFaults, NoParent)
{
    ModelBuilder builder = arm();
    builder.add_body(solid("loose"));
    EXPECT_EQ(faults(builder), Texts{"body 'loose' hangs on no hinge: add one (a weld or a free hinge to the "
                                     "ground, if nothing else)"});
}

TEST(BuilderFaults, Cycles)
{
    ModelBuilder builder = arm();
    builder.hinges()[0].parent = "lower";
    EXPECT_EQ(faults(builder),
              Texts{"cycle: the bodies 'upper', 'lower' hang on one another and not on the ground"});

    builder = arm();
    builder.hinges()[1].parent = "lower"; // on itself
    EXPECT_EQ(faults(builder), Texts{"cycle: the bodies 'lower' hang on one another and not on the ground"});
}

TEST(BuilderFaults, NamesUsedTwice)
{
    ModelBuilder builder = arm();
    builder.add_body(solid("upper"));
    EXPECT_TRUE(contains(faults(builder), "body name 'upper' is used 2 times"));

    builder = arm();
    builder.hinges()[1].name = "shoulder";
    EXPECT_EQ(faults(builder), Texts{"hinge name 'shoulder' is used 2 times"});

    builder = arm();
    for (int i = 0; i < 3; ++i)
        builder.add_frame({"tip", "lower", {}});
    EXPECT_EQ(faults(builder), Texts{"frame name 'tip' is used 3 times"});

    builder = arm();
    builder.add_frame({"upper", "lower", {}});
    EXPECT_EQ(faults(builder), Texts{"frame 'upper' has the name of a body"});
}

TEST(BuilderFaults, NamesMissing)
{
    ModelBuilder builder = arm();
    builder.add_body(solid(""));
    builder.add_hinge(hinge("", HingeKind::weld, "", ""));
    EXPECT_EQ(faults(builder), (Texts{"a body has no name", "a hinge has no name"}));

    builder = arm();
    builder.add_frame({"", "lower", {}});
    EXPECT_EQ(faults(builder), Texts{"a frame has no name"});
}

TEST(BuilderFaults, UnknownNames)
{
    ModelBuilder builder = arm();
    builder.hinges()[1].parent = "uper";
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow', parent: unknown body 'uper'; did you mean 'upper'?"});

    builder = arm();
    builder.hinges()[1].parent = "torso_link";
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow', parent: unknown body 'torso_link'; known: upper, lower"});

    builder = arm();
    builder.add_hinge(hinge("wrist", HingeKind::revolute, "lower", "loewr"));
    EXPECT_EQ(faults(builder), Texts{"hinge 'wrist', child: unknown body 'loewr'; did you mean 'lower'?"});

    builder = arm();
    builder.add_frame({"tip", "Lowr", {}});
    EXPECT_EQ(faults(builder), Texts{"frame 'tip': unknown body 'Lowr'; did you mean 'lower'?"});

    builder = arm();
    builder.add_loop(mimic("gear", "elbow", "shuolder", 1.0, 0.0));
    EXPECT_EQ(faults(builder), Texts{"coupling 'gear': unknown dof 'shuolder'; did you mean 'shoulder'?"});
}

TEST(BuilderFaults, CouplingsOfHingesWithSeveralDofs)
{
    ModelBuilder builder = arm(HingeKind::spherical);
    builder.add_loop(mimic("gear", "elbow", "shoulder", 1.0, 0.0));
    EXPECT_EQ(faults(builder),
              Texts{"coupling 'gear': hinge 'elbow' has 3 dofs, expected 1, or the name of one dof"});
    builder = arm(HingeKind::weld);
    builder.add_loop(mimic("gear", "shoulder", "elbow", 1.0, 0.0));
    EXPECT_EQ(faults(builder),
              Texts{"coupling 'gear': hinge 'elbow' has 0 dofs, expected 1, or the name of one dof"});
}

TEST(BuilderFaults, NumbersThatAreNotFinite)
{
    ModelBuilder builder = arm();
    builder.bodies()[0].mass = nan_;
    EXPECT_EQ(faults(builder), Texts{"body 'upper': mass nan, com [0, 0, 0.1] or its inertia is not finite"});

    builder = arm();
    builder.bodies()[0].com.y = -infinity;
    EXPECT_EQ(faults(builder),
              Texts{"body 'upper': mass 1, com [0, -inf, 0.1] or its inertia is not finite"});

    for (double Sym3<double>::* entry : {&Sym3<double>::xx, &Sym3<double>::xy, &Sym3<double>::xz,
                                         &Sym3<double>::yy, &Sym3<double>::yz, &Sym3<double>::zz}) {
        builder = arm();
        builder.bodies()[0].inertia_com.*entry = infinity;
        EXPECT_EQ(faults(builder),
                  Texts{"body 'upper': mass 1, com [0, 0, 0.1] or its inertia is not finite"});
    }

    builder = arm();
    builder.set_gravity({0, nan_, -9.81});
    EXPECT_EQ(faults(builder), Texts{"gravity is [0, nan, -9.81], expected finite numbers"});

    builder = arm();
    builder.hinges()[1].X_PF.p.z = nan_;
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow', placement in the parent: placement has a number that is not finite"});

    builder = arm();
    builder.hinges()[1].X_CM.R.z.z = nan_;
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow', placement in the child: placement has a number that is not finite"});

    builder = arm();
    builder.hinges()[1].axis = {0, nan_, 0};
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis is [0, nan, 0], expected finite numbers"});

    builder = arm(HingeKind::helical);
    builder.hinges()[1].pitch = infinity;
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': pitch is not finite"});

    builder = arm();
    builder.add_frame({"tip", "lower", {Mat3<double>::identity(), {0, infinity, 0}}});
    EXPECT_EQ(faults(builder), Texts{"frame 'tip': placement has a number that is not finite"});

    builder = arm();
    builder.hinges()[1].armature = {nan_};
    builder.hinges()[1].damping = {infinity};
    builder.hinges()[1].friction = {nan_};
    EXPECT_EQ(faults(builder),
              (Texts{"hinge 'elbow': armature is not finite", "hinge 'elbow': damping is not finite",
                     "hinge 'elbow': friction is not finite"}));

    builder = arm();
    builder.hinges()[1].limits = {{nan_}, {nan_}, {nan_}, {nan_}};
    EXPECT_EQ(faults(builder), (Texts{"hinge 'elbow': limit lower is not a number",
                                      "hinge 'elbow': limit upper is not a number",
                                      "hinge 'elbow': limit velocity is not a number",
                                      "hinge 'elbow': limit effort is not a number"}));
    builder.hinges()[1].limits = {{-infinity}, {infinity}, {infinity}, {infinity}}; // no limit at all
    EXPECT_EQ(faults(builder), Texts{});

    builder = arm();
    builder.add_loop(mimic("gear", "elbow", "shoulder", nan_, 0.5));
    EXPECT_EQ(faults(builder),
              Texts{"coupling 'gear', dof 'shoulder': coefficient nan, expected a finite number"});
    builder.loops()[0] = mimic("gear", "elbow", "shoulder", 2.0, -infinity);
    EXPECT_EQ(faults(builder), Texts{"coupling 'gear': offset is -inf, expected a finite number"});
}

TEST(BuilderFaults, NegativeMass)
{
    ModelBuilder builder = arm();
    builder.bodies()[1].mass = -0.5;
    EXPECT_EQ(faults(builder), Texts{"body 'lower': mass is -0.5, expected zero or more"});
}

TEST(BuilderFaults, NegativePrincipalMoments)
{
    ModelBuilder builder = arm();
    builder.bodies()[1].inertia_com = Sym3<double>::diagonal(2, -1, 4);
    EXPECT_EQ(faults(builder), Texts{"body 'lower': inertia about the centre of mass has principal moments "
                                     "[-1, 2, 4], expected none negative"});

    // A billionth of the trace is round-off, more is not.
    builder.bodies()[1].inertia_com = Sym3<double>::diagonal(-0.9e-9, 0.5, 0.5);
    EXPECT_EQ(faults(builder), Texts{});
    builder.bodies()[1].inertia_com = Sym3<double>::diagonal(-1.1e-9, 0.5, 0.5);
    ASSERT_EQ(faults(builder).size(), 1u);
    EXPECT_NE(faults(builder)[0].find("expected none negative"), std::string::npos);
    // Hidden in the products of inertia: eigenvalues 1 - 2, 1, 1 + 2.
    builder.bodies()[1].inertia_com = {1, 2, 0, 1, 0, 1};
    ASSERT_EQ(faults(builder).size(), 1u);
    EXPECT_NE(faults(builder)[0].find("expected none negative"), std::string::npos);
    // All negative.
    builder.bodies()[1].inertia_com = Sym3<double>::diagonal(-1, -1, -1);
    EXPECT_EQ(faults(builder).size(), 1u);
}

TEST(BuilderFaults, MatricesThatAreNotRotations)
{
    const Mat3<double> stretched{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}, mirrored{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        none{};
    ModelBuilder builder = arm();
    builder.hinges()[1].X_PF.R = stretched;
    builder.hinges()[1].X_CM.R = mirrored;
    builder.add_frame({"tip", "lower", {none, {}}});
    EXPECT_EQ(
        faults(builder),
        (Texts{"hinge 'elbow', placement in the parent: not a rotation matrix (off by 3); rows must be "
               "orthonormal and right-handed",
               "hinge 'elbow', placement in the child: not a rotation matrix (off by 2); rows must be "
               "orthonormal and right-handed",
               "frame 'tip': not a rotation matrix (off by 1); rows must be orthonormal and right-handed"}));
    builder = arm();
    builder.hinges()[1].X_PF.R.x.y = 2e-6;
    EXPECT_EQ(faults(builder).size(), 1u);
    builder.hinges()[1].X_PF.R.x.y = 0.5e-6; // text with few digits: made orthonormal
    EXPECT_EQ(faults(builder), Texts{});
}

TEST(BuilderFaults, AxesWithoutDirection)
{
    for (HingeKind kind : {HingeKind::revolute, HingeKind::continuous, HingeKind::prismatic,
                           HingeKind::helical, HingeKind::cylindrical, HingeKind::planar}) {
        ModelBuilder builder = arm(kind);
        builder.hinges()[1].axis = {0, 0, 0};
        EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis is [0, 0, 0], expected a direction"})
            << name(kind);
        builder.hinges()[1].axis = {0, 1e-10, 0};
        EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis is [0, 1e-10, 0], expected a direction"})
            << name(kind);
        builder.hinges()[1].axis = {1e200, 0, 0}; // its length overflows
        EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis is [1e200, 0, 0], expected a direction"})
            << name(kind);
    }
    ModelBuilder builder = arm(HingeKind::universal);
    builder.hinges()[1].axis2 = {0, 0, 0};
    EXPECT_TRUE(contains(faults(builder), "hinge 'elbow': axis2 is [0, 0, 0], expected a direction"));
    builder = arm(HingeKind::spherical);
    builder.hinges()[1].axis = {0, 0, 0}; // it has none
    EXPECT_EQ(faults(builder), Texts{});
}

TEST(BuilderFaults, ParallelAxesOfAUniversalHinge)
{
    ModelBuilder builder = arm(HingeKind::universal);
    for (const Vec3<double>& axis2 : {Vec3<double>{0, 0, 1}, {0, 0, -2}, {0.5e-6, 0, 1}}) {
        builder.hinges()[1].axis2 = axis2;
        EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis and axis2 of a universal hinge are parallel"});
    }
    builder.hinges()[1].axis2 = {0.1, 0, 1}; // oblique is allowed
    EXPECT_EQ(faults(builder), Texts{});
}

TEST(BuilderFaults, WrongSizes)
{
    ModelBuilder builder = arm(HingeKind::cylindrical);
    Hinge& elbow = builder.hinges()[1];
    elbow.armature = {0.1};
    elbow.damping = {0.1, 0.2, 0.3};
    elbow.friction = {0.1, 0.1, 0.1, 0.1};
    elbow.limits = {{-1}, {1, 1, 1}, {2}, {3}};
    elbow.actuated = {true, false, true};
    EXPECT_EQ(faults(builder), (Texts{"hinge 'elbow': armature has 1 numbers, expected 2, one per dof",
                                      "hinge 'elbow': damping has 3 numbers, expected 2, one per dof",
                                      "hinge 'elbow': friction has 4 numbers, expected 2, one per dof",
                                      "hinge 'elbow': limit lower has 1 numbers, expected 2, one per dof",
                                      "hinge 'elbow': limit upper has 3 numbers, expected 2, one per dof",
                                      "hinge 'elbow': limit velocity has 1 numbers, expected 2, one per dof",
                                      "hinge 'elbow': limit effort has 1 numbers, expected 2, one per dof",
                                      "hinge 'elbow': actuated has 3 entries, expected 2, one per dof"}));
    builder = arm(HingeKind::weld);
    builder.hinges()[1].armature = {0.1};
    builder.hinges()[1].actuated = {false};
    EXPECT_EQ(faults(builder), (Texts{"hinge 'elbow': armature has 1 numbers, expected 0, one per dof",
                                      "hinge 'elbow': actuated has 1 entry, expected 0, one per dof"}));
}

TEST(BuilderFaults, NegativeArmature)
{
    ModelBuilder builder = arm(HingeKind::cylindrical);
    builder.hinges()[1].armature = {0.1, -0.25};
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': armature is -0.25, expected zero or more"});
}

TEST(BuilderFaults, UserHingesBySteps)
{
    ModelBuilder builder = arm(HingeKind::user);
    Hinge& elbow = builder.hinges()[1];
    elbow.steps.clear();
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow': a user hinge needs its functions or one to six steps, got 0 steps"});
    elbow.steps.resize(7);
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow': a user hinge needs its functions or one to six steps, got 7 steps"});
    elbow.steps.assign(1, {});
    elbow.steps[0].axis = {0, 0, 0};
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': axis of a step is [0, 0, 0], expected a direction"});
    elbow.steps[0] = {HingeStep::Motion::screw, {0, 0, 1}, nan_, {}};
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': pitch of a step is not finite"});
    elbow.steps[0] = {};
    elbow.steps[0].placement.p.x = nan_;
    EXPECT_EQ(faults(builder),
              Texts{"hinge 'elbow': placement of a step: placement has a number that is not finite"});
    elbow.steps[0] = {};
    elbow.steps[0].placement.R.x.x = -1;
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': placement of a step: not a rotation matrix (off by 2); "
                                     "rows must be orthonormal and right-handed"});
}

TEST(BuilderFaults, OfAReaderComeFirst)
{
    ModelBuilder builder = arm();
    builder.add_fault("line 3: what is this?");
    builder.bodies()[0].mass = -1;
    EXPECT_EQ(faults(builder),
              (Texts{"line 3: what is this?", "body 'upper': mass is -1, expected zero or more"}));
}

TEST(BuilderFaults, AllAtOnce)
{
    ModelBuilder builder = arm();
    builder.set_gravity({0, 0, infinity});
    builder.bodies()[0].mass = -1;
    builder.bodies()[1].inertia_com = Sym3<double>::diagonal(-1, 2, 4);
    builder.hinges()[0].axis = {0, 0, 0};
    builder.hinges()[1].damping = {1, 2};
    builder.add_hinge(hinge("strut", HingeKind::revolute, "uper", "lower"));
    builder.add_body(solid("loose"));
    builder.add_body(solid("left")).add_body(solid("right"));
    builder.add_hinge(hinge("a", HingeKind::revolute, "left", "right"));
    builder.add_hinge(hinge("b", HingeKind::revolute, "right", "left"));
    builder.add_frame({"tip", "hand", {}}).add_frame({"tip", "lower", {}});
    const Texts expected{
        "gravity is [0, 0, inf], expected finite numbers",
        "body 'upper': mass is -1, expected zero or more",
        "body 'lower': inertia about the centre of mass has principal moments [-1, 2, 4], expected none "
        "negative",
        "hinge 'shoulder': axis is [0, 0, 0], expected a direction",
        "hinge 'elbow': damping has 2 numbers, expected 1, one per dof",
        "hinge 'strut', parent: unknown body 'uper'; did you mean 'upper'?",
        "body 'lower' has two parents: by hinge 'elbow' and by hinge 'strut'",
        "body 'loose' hangs on no hinge: add one (a weld or a free hinge to the ground, if nothing else)",
        "cycle: the bodies 'left', 'right' hang on one another and not on the ground",
        "frame 'tip': unknown body 'hand'; known: upper, lower, loose, left, right",
        "frame name 'tip' is used 2 times",
    };
    EXPECT_EQ(faults(builder), expected);
    std::string text = "model 'arm': 11 faults";
    for (const std::string& fault : expected)
        text += "\n  - " + fault;
    try {
        builder.build();
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(error.what(), text);
    }
}

TEST(BuilderFaults, DofNamesMustDiffer)
{
    ModelBuilder builder("two");
    builder.add_body(solid("hull")).add_body(solid("head"));
    builder.add_hinge(hinge("root", HingeKind::free, "", "hull"));
    builder.add_hinge(hinge("base", HingeKind::spherical, "hull", "head"));
    const Texts got = faults(builder);
    ASSERT_EQ(got.size(), 3u);
    EXPECT_EQ(got[0], "dof name 'base.wx' is that of two: of hinge 'root' and of hinge 'base'; rename one of "
                      "the hinges");
}

TEST(BuilderFaults, ACouplingNeedsTwoHinges)
{
    ModelBuilder builder = arm();
    builder.add_loop(mimic("self", "elbow", "elbow", 1.0, 0.0));
    EXPECT_EQ(faults(builder),
              Texts{"coupling 'self', dof 'elbow' is coupled with itself, expected another dof"});
}

TEST(BuilderFaults, ShapesAreFinite)
{
    ModelBuilder builder = arm();
    Shape box;
    box.size = {1.0, nan_, 1.0};
    builder.bodies()[0].visuals = {box};
    box.size = {1.0, 1.0, 1.0};
    box.X_BS.p.x = infinity;
    builder.bodies()[1].collisions = {box};
    EXPECT_EQ(faults(builder),
              (Texts{"body 'upper': a visual shape has a placement, size or colour that is not finite",
                     "body 'lower': a collision shape has a placement, size or colour that is not finite"}));
}

// One cause, one fault.
TEST(BuilderFaults, NoneIsSaidTwice)
{
    ModelBuilder twice = arm();
    twice.add_body(solid("lower"));
    EXPECT_EQ(faults(twice), Texts{"body name 'lower' is used 2 times"});

    ModelBuilder cross = arm(HingeKind::universal);
    cross.hinges()[1].axis2 = {0, 0, 0};
    EXPECT_EQ(faults(cross), Texts{"hinge 'elbow': axis2 is [0, 0, 0], expected a direction"});
}

TEST(BuilderFaults, NamesCanBePrinted)
{
    ModelBuilder builder = arm();
    builder.add_frame({"a\x1b[31m", "upper", {}});
    EXPECT_EQ(faults(builder),
              Texts{"a frame name has a control character: 'a\\x1b[31m'; use letters that can "
                    "be printed"});
}

TEST(BuilderFaults, StepsAreForUserHingesOnly)
{
    ModelBuilder builder = arm();
    builder.hinges()[1].steps = {{}};
    EXPECT_EQ(faults(builder), Texts{"hinge 'elbow': functions or steps are given, but the kind is revolute, "
                                     "expected user"});
}

TEST(BuilderFaults, AFloatingBaseIsPlacedByItsBodyFrame)
{
    ModelBuilder builder("box");
    builder.add_body(solid("box")).add_hinge(hinge("root", HingeKind::free, "", "box"));
    EXPECT_EQ(faults(builder), Texts{});
    builder.hinges()[0].X_CM.p = {0, 0, 1};
    EXPECT_EQ(
        faults(builder),
        Texts{"hinge 'root', placement in the child: a floating base is placed and moved by its body frame; "
              "expected no placement in the child"});
}

TEST(BuilderFaults, TheTotalMassIsFinite)
{
    ModelBuilder builder = arm();
    for (Body& body : builder.bodies())
        body.mass = 1e308;
    EXPECT_EQ(faults(builder), Texts{"the masses of the bodies sum up to more than a double can hold"});
}

} // namespace
} // namespace sweepdyn
