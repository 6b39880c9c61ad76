// MJCF: what becomes part of the model, and the faults. Numbers of arm.xml are those of MuJoCo's own compiler (4.0).
#include <gtest/gtest.h>

#include "sweepdyn/functions.hpp"
#include "sweepdyn/io/model/mjcf.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

std::string data(const std::string& file) { return std::string(SWEEPDYN_TEST_DATA) + "/data/mjcf/" + file; }
Texts notes(const Model& model, Note::Kind kind = Note::Kind::remark)
{
    Texts out;
    for (const Note& note : model.notes())
        if (note.kind == kind)
            out.push_back(note.text);
    return out;
}
// A body with an inertia that nobody could doubt; what stands inside is on line 2.
std::string body(const std::string& inside, const std::string& rest = "", const std::string& before = "")
{
    return "<mujoco>" + before + "<worldbody><body name=\"b\">\n" + inside +
           "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody>" + rest +
           "</mujoco>";
}
Model parse(const std::string& text) { return parse_mjcf(text, "m.xml"); }
Texts faults(const std::string& text)
{
    try {
        parse(text);
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).find("m.xml"), 0u);
        return error.faults;
    }
    return {};
}

TEST(MjcfRead, AsMuJoCoReadsIt)
{
    const Model model = read_mjcf(data("arm.xml"));
    ASSERT_EQ(model.num_dofs(), 19);
    EXPECT_EQ(model.gravity(), (Vec3<double>{0, 0, -9.8}));
    Eigen::VectorXd q(21), diagonal(19), gravity(19);
    q << -0.8287016657127513, -0.5263789868078006, 0.6025489304127938, 0.16432407212873557,
        -0.21015742294130613, -0.49911545786975614, -0.7883314586685591, -0.2919779590510803,
        -0.8117427155192016, -0.1337461195270524, -0.04189740371833195, -0.6805221707258429,
        0.46915430281842907, -0.7726559601571932, 0.431686825248298, -0.21367659392333452, 0.8578810456421802,
        -0.1789662248700781, 0.024259565076664623, 1.545820851212812, 0.5451055226876446;
    diagonal << 1.3865076533743457, 3.6446950415446104, 0.046965884228549276, 0.03786743691577142,
        0.020184560714416766, 0.020220681175951414, 0.020184560714416766, 0.72, 0.04342055740275522, 0.72,
        0.02767666666666667, 0.024, 0.22, 0.013333333333333336, 0.013333333333333336, 0.021333333333333343,
        3.2, 3.2, 3.2;
    gravity << -2.082751510907, 12.444448227755, -0.674390083471, 1.025588327344, -0.016096653421, 0.0,
        -0.015195505553, -4.899966498928, -0.603607017421, -1.460142587935, -0.411195693605, 0.0,
        1.351863759042, 0.0, 0.0, 0.0, -20.829001641144, -15.414888994245, -17.663054320483;
    EXPECT_LT((mass_matrix(model, q).diagonal() - diagonal).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((gravity_forces(model, q) - gravity).cwiseAbs().maxCoeff(), 2e-12);
}

TEST(MjcfRead, Parts)
{
    const Model model = read_mjcf(data("arm.xml"));
    EXPECT_EQ(model.name(), "arm");
    EXPECT_EQ(std::vector<std::string>(model.dof_names().begin(), model.dof_names().begin() + 13),
              (Texts{"turn", "lift", "wrist.1", "wrist.2", "spin.wx", "spin.wy", "spin.wz", "stage.1",
                     "stage.2", "stage.3", "stage.4", "body6.angle", "body6.slide"}));
    const Hinge& turn = model.hinges()[0];
    EXPECT_EQ(turn.kind, HingeKind::revolute);
    EXPECT_NEAR(turn.limits.lower[0], -105.0 * M_PI / 180, 1e-15); // from ref
    EXPECT_NEAR(turn.limits.upper[0], 105.0 * M_PI / 180, 1e-15);
    EXPECT_EQ(turn.armature, std::vector<double>{0.02});
    EXPECT_EQ(model.actuated_dofs(), std::vector<int>{0});
    const Hinge& lift = model.hinges()[1]; // of a class
    EXPECT_EQ(lift.armature, std::vector<double>{0.5});
    EXPECT_EQ(lift.damping, std::vector<double>{0.05});
    EXPECT_EQ(lift.friction, std::vector<double>{0.1});
    EXPECT_EQ(model.hinges()[2].kind, HingeKind::universal);
    EXPECT_EQ(model.hinges()[2].damping, (std::vector<double>{0.05, 0.05})); // of the childclass
    EXPECT_EQ(model.hinges()[3].damping, (std::vector<double>{0.3, 0.3, 0.3})); // back in main
    EXPECT_EQ(model.hinges()[4].kind, HingeKind::user);
    EXPECT_EQ(model.hinges()[5].kind, HingeKind::cylindrical);
    EXPECT_EQ(model.hinges()[6].kind, HingeKind::free);
    EXPECT_EQ(model.frame_body(model.frame("tip")), 2);
    EXPECT_EQ(model.frame_body(model.frame("dock")), ground);
    EXPECT_EQ(model.bodies()[0].visuals[0].size, (std::vector<double>{0.1, 0.2, 0.4}));
    EXPECT_EQ(
        notes(model).back(),
        "read but without effect: actuator (all but its joints) x1, geom of the world x1, keyframe x1, light "
        "x1, shape of ellipsoid geoms x1");
    EXPECT_TRUE(notes(model, Note::Kind::doubt).empty());
}

TEST(MjcfRead, EqualityBecomesLoops)
{
    const Model model = read_mjcf(data("linkage.xml"));
    ASSERT_EQ(model.loops().size(), 4u);
    const Loop& pin = model.loops()[0]; // of two connects
    EXPECT_EQ(pin.kind, LoopKind::revolute);
    EXPECT_EQ(pin.body_a, "coupler");
    EXPECT_EQ(pin.body_b, "rocker");
    EXPECT_EQ(pin.X_Aa.p, (Vec3<double>{2, 0, 0}));
    EXPECT_EQ(pin.X_Bb.p, (Vec3<double>{0, 1, 0}));
    EXPECT_NEAR(pin.X_Aa.R.z.z, 1.0, 1e-15);
    EXPECT_NEAR(pin.X_Bb.R.z.z, 1.0, 1e-15);
    EXPECT_EQ(equation(model.loops()[1]), "'gear' - 2 'motor' + 0.5 'motor'^3 = 0.1");
    const Loop& glue = model.loops()[2]; // as drawn
    EXPECT_EQ(glue.kind, LoopKind::weld);
    EXPECT_NEAR(glue.X_Aa.p.z, 1.0, 1e-15);
    EXPECT_NEAR(glue.X_Aa.R.x.y, -std::sin(0.3), 1e-15);
    const Loop& stay = model.loops()[3]; // to the world
    EXPECT_EQ(stay.kind, LoopKind::ball);
    EXPECT_EQ(stay.body_b, "");
    EXPECT_NEAR(stay.X_Bb.p.y, 2.0 + 0.1 * std::cos(0.3), 1e-15);
    EXPECT_EQ(notes(model),
              (Texts{"equality: connects 'pin' and 'equality1' are one hinge loop, 'pin'",
                     "equality: constraints are rigid here; their softness (solref, solimp) is dropped",
                     "read but without effect: equality that is not active x1"}));
    // By sites, and with the pose written out.
    const std::string two =
        "<body name=\"c\"><joint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"
        "<site name=\"t\" pos=\"0 0 2\"/></body><site name=\"s\" pos=\"1 0 0\"/>";
    const Model sites =
        parse(body("<joint/>" + two, "<equality><connect site1=\"s\" site2=\"t\"/><weld body1=\"b\" "
                                     "body2=\"c\" relpose=\"0 0 1 0 0 0 2\"/></equality>"));
    EXPECT_EQ(sites.loops()[0].X_Aa.p, (Vec3<double>{1, 0, 0}));
    EXPECT_EQ(sites.loops()[0].X_Bb.p, (Vec3<double>{0, 0, 2}));
    EXPECT_EQ(sites.loops()[1].X_Aa.p, (Vec3<double>{0, 0, 1}));
    EXPECT_EQ(sites.loops()[1].X_Aa.R.x, (Vec3<double>{-1, 0, 0}));
}

// MuJoCo's residual of a weld is p1 + R1 r - (p2 + R2 anchor), with r the position in relpose, and R2 = R1 R(quaternion) when closed.
// At qpos0 the bodies below have the same residual, efc_pos, in MuJoCo 4.0.0.
TEST(MjcfRead, TheAnchorOfAWeld)
{
    const auto weld = [](const std::string& more) {
        const Model model = parse("<mujoco><compiler angle=\"radian\"/><worldbody>"
                                  "<body name=\"b\" pos=\"0.3 -0.2 0.5\"><joint/>"
                                  "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
                                  "<body name=\"c\" pos=\"-0.4 0.1 0.7\" quat=\"0 0 0 1\"><joint/>"
                                  "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
                                  "</worldbody><equality><weld body1=\"b\" body2=\"c\" " +
                                  more + "/></equality></mujoco>");
        return model.loops()[0];
    };
    const Pose<double> X_WA{Mat3<double>::identity(), {0.3, -0.2, 0.5}},
        X_WB{rotation_matrix(Quaternion<double>{0, 0, 0, 1}), {-0.4, 0.1, 0.7}};
    const std::string anchor = "anchor=\"0.3 0.4 -0.2\"";
    // A quarter turn about x: the anchor, at (0.1, 0.2, 0.3) in b, is R (0.3, 0.4, -0.2) = (0.3, 0.2, 0.4) from the origin of c.
    const Loop both = weld(anchor + " relpose=\"0.1 0.2 0.3 1 1 0 0\"");
    const Pose<double> X_AB = both.X_Aa * inverse(both.X_Bb);
    const Vec3<double> expected{-0.2, 0.0, -0.1};
    EXPECT_LT(norm(X_AB.p - expected), 1e-15);
    EXPECT_LT(norm(X_AB.R.x - Vec3<double>{1, 0, 0}), 1e-15);
    EXPECT_LT(norm(X_AB.R.y - Vec3<double>{0, 0, 1}), 1e-15);
    const Vec3<double> residual = (X_WA * both.X_Aa).p - (X_WB * both.X_Bb).p;
    EXPECT_LT(norm(residual - Vec3<double>{1.1, 0.3, 0.3}), 1e-15);
    // Without relpose, or with a quaternion of 0 in it: as drawn, whatever the anchor.
    for (const std::string& drawn : {anchor, anchor + " relpose=\"1 2 3 0 0 0 0\"", std::string()}) {
        const Loop loop = weld(drawn);
        const Pose<double> X = X_WA * loop.X_Aa * inverse(loop.X_Bb) * inverse(X_WB);
        EXPECT_LT(norm(X.p), 1e-15);
        EXPECT_LT(norm(X.R.x - Vec3<double>{1, 0, 0}), 1e-15);
    }
    const std::string sites =
        "<joint/><site name=\"t\"/><body name=\"c\"><joint/><inertial pos=\"0 0 0\" mass=\"1\" "
        "diaginertia=\"1 1 1\"/><site name=\"s\"/></body>";
    EXPECT_EQ(
        faults(body(sites, "<equality><weld site1=\"s\" site2=\"t\" relpose=\"0 0 0 1 0 0 0\"/></equality>")),
        Texts{"<weld> (line 2): relpose goes with bodies, and sites are given; remove one"});
}

TEST(MjcfRead, FaultsOfJoints)
{
    const std::string at = "<joint> of <body name=\"b\"> (line 2): ";
    EXPECT_EQ(faults(body("<joint type=\"hing\"/>")),
              Texts{at + "unknown joint type 'hing'; did you mean 'hinge'?"});
    EXPECT_EQ(faults(body("<joint axis=\"0 0 0\"/>")), Texts{at + "axis has no direction"});
    EXPECT_EQ(faults(body("<joint stiffness=\"3\"/>")),
              Texts{at + "stiffness: a joint has no spring here; remove it"});
    EXPECT_EQ(faults(body("<joint limited=\"true\"/>")),
              Texts{at + "it is limited and has no range; write range=\"LOWER UPPER\""});
    EXPECT_EQ(
        faults(body("<joint type=\"ball\"/><joint/>")),
        Texts{at +
              "a ball joint beside other joints of one body has no equal here; give it a body of its own"});
    EXPECT_EQ(faults(body("<joint/><joint/><joint/><joint/><joint/><joint/><joint/>")),
              Texts{at + "the body has 7 joints, expected at most 6"});
    EXPECT_EQ(faults(body("<joint name=\"j\"/><body name=\"c\"><joint name=\"j\"/></body>")),
              Texts{"<joint name=\"j\"> (line 2): the name 'j' is taken by another joint; give another"});
    EXPECT_EQ(faults(body("<joint/><body name=\"c\"><freejoint/></body>")).front(),
              "<freejoint> of <body name=\"c\"> (line 2): a free joint stands on a body of the world only");
    EXPECT_EQ(faults(body("<joint class=\"big\"/>")), Texts{at + "unknown default class 'big'; known: main"});
    EXPECT_EQ(faults(body("<joint damping=\"a\"/>")),
              Texts{at + "damping is \"a\", expected 1 finite number: 'a' is not a number"});
}

TEST(MjcfRead, FaultsOfBodiesAndGeoms)
{
    EXPECT_EQ(
        faults("<mujoco><worldbody><body name=\"b\"><joint/>\n<geom type=\"mesh\" "
               "mesh=\"m\"/></body></worldbody></mujoco>"),
        Texts{"<geom> of <body name=\"b\"> (line 2): the body has no <inertial>, and that of a mesh is not "
              "computed here; write it, or give the geom mass=\"0\""});
    const std::string at = "<geom> of <body name=\"b\"> (line 2): ";
    EXPECT_EQ(faults(body("<geom type=\"bx\" size=\"1 1 1\"/>")).front(),
              at + "unknown geom type 'bx'; did you mean 'box'?");
    EXPECT_EQ(faults(body("<geom type=\"box\" size=\"1 1\"/>")),
              Texts{at + "size is \"1 1\", expected 3 finite numbers separated by spaces: got 2"});
    EXPECT_EQ(faults(body("<geom size=\"-1\"/>")), Texts{at + "size is \"-1\", expected lengths above 0"});
    EXPECT_EQ(faults(body("<geom/>")), Texts{at + "size is missing"});
    EXPECT_EQ(faults(body("<geom size=\"1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>")),
              Texts{at + "more than one of quat, axisangle, xyaxes, zaxis, euler is given; keep one"});
    EXPECT_EQ(faults(body("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>")),
              Texts{"<inertial> of <body name=\"b\"> (line 2): a second <inertial>; expected one"});
    EXPECT_EQ(faults("<mujoco><worldbody/></mujoco>"),
              Texts{"<worldbody> (line 1): there is no <body> in <worldbody>; expected at least one"});
    EXPECT_EQ(faults("<robot/>"),
              Texts{"<robot> (line 1): this is not MJCF; expected the root element <mujoco>"});
}

TEST(MjcfRead, WhatHasNoEqualIsAFault)
{
    EXPECT_EQ(faults(body("", "<tendon/>")),
              Texts{"<tendon> (line 2): this element in <mujoco> has no equal here"});
    EXPECT_EQ(faults(body("", "<include file=\"x.xml\"/>")),
              Texts{"<include> (line 2): includes are not followed; give one whole file (MuJoCo saves one)"});
    EXPECT_EQ(faults(body("<composite/>")),
              Texts{"<composite> of <body name=\"b\"> (line 2): this element in <body> has no equal here"});
    EXPECT_EQ(faults(body("<joint armatur=\"1\"/>")),
              Texts{"<joint> of <body name=\"b\"> (line 2): attribute 'armatur' is not read; did you mean "
                    "'armature'?"});
    EXPECT_EQ(
        faults(body("", "<compiler coordinate=\"global\"/>")),
        Texts{"<compiler> (line 2): coordinate is \"global\", which MuJoCo itself gave up; expected local "
              "coordinates"});
    EXPECT_EQ(
        faults(body("", "<compiler settotalmass=\"3\"/>")),
        Texts{
            "<compiler> (line 2): settotalmass changes masses while the file is read, which is not followed; "
            "write the masses that are meant"});
    EXPECT_EQ(faults(body("", "<option density=\"1.2\"/>")),
              Texts{"<option> (line 2): density of a medium has no equal here; remove it"});
}

// Bodies b and c on joints j and k, side by side.
std::string two_bodies(const std::string& rest, const std::string& before = "")
{
    return "<mujoco>" + before +
           "<worldbody><body name=\"b\"><joint name=\"j\" damping=\"1\" frictionloss=\"2\"/><inertial "
           "pos=\"0 0 0\" "
           "mass=\"1\" diaginertia=\"1 1 1\"/></body><body name=\"c\" pos=\"1 0 0\"><joint "
           "name=\"k\"/><inertial "
           "pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody>\n" +
           rest + "</mujoco>";
}

TEST(MjcfRead, EqualityWithDefaults)
{
    const std::string gear = "<equality><joint joint1=\"j\" joint2=\"k\"/></equality>";
    const auto loops = [](const std::string& rest, const std::string& defaults) {
        return parse(two_bodies(rest, defaults)).loops().size();
    };
    EXPECT_EQ(loops(gear, ""), 1u);
    EXPECT_EQ(loops(gear, "<default><equality active=\"false\"/></default>"), 0u);
    const std::string off =
        "<default><default class=\"off\"><equality active=\"false\"/></default></default>";
    EXPECT_EQ(loops(gear, off), 1u);
    EXPECT_EQ(loops("<equality><joint joint1=\"j\" joint2=\"k\" class=\"off\"/></equality>", off), 0u);
    EXPECT_EQ(
        loops("<equality><joint joint1=\"j\" joint2=\"k\" class=\"off\" active=\"true\"/></equality>", off),
        1u);
    EXPECT_EQ(faults(two_bodies("<equality><joint joint1=\"j\" joint2=\"k\" active=\"maybe\"/></equality>")),
              Texts{"<joint> (line 2): unknown value of active 'maybe'; known: true, false"});
    EXPECT_EQ(faults(two_bodies("<equality><joint joint1=\"j\" joint2=\"k\" class=\"of\"/></equality>", off)),
              Texts{"<joint> (line 2): unknown default class 'of'; did you mean 'off'?"});
    EXPECT_EQ(faults(two_bodies("<equality active=\"false\"><joint joint1=\"j\" joint2=\"k\"/></equality>")),
              Texts{"<equality> (line 2): attribute 'active' is not read; write it in each constraint, or in "
                    "<default><equality/></default>"});
    EXPECT_EQ(
        faults("<mujoco><worldbody>\n<body name=\"b\" childclass=\"big\"><inertial pos=\"0 0 0\" mass=\"1\" "
               "diaginertia=\"1 1 1\"/></body></worldbody></mujoco>"),
        Texts{"<body name=\"b\"> (line 2): unknown default class 'big'; known: main"});
}

TEST(MjcfRead, SeveralSectionsOfEquality)
{
    const Model model = parse(two_bodies(
        "<equality><connect body1=\"b\" body2=\"c\" anchor=\"0 0 0\"/><joint name=\"equality2\" "
        "joint1=\"j\" joint2=\"k\"/></equality><equality><connect body1=\"b\" body2=\"c\" anchor=\"0 0 1\"/>"
        "<weld body1=\"b\" body2=\"c\"/></equality>"));
    ASSERT_EQ(model.loops().size(), 3u);
    EXPECT_EQ(model.loops()[0].kind, LoopKind::revolute); // of a connect in each section
    EXPECT_EQ(model.loops()[0].name, "equality1");
    EXPECT_EQ(model.loops()[1].name, "equality2"); // the file's own
    EXPECT_EQ(model.loops()[2].name, "equality4");
}

// As MuJoCo: coefficients that are missing are those of the identity.
TEST(MjcfRead, PolynomialsOfFewCoefficients)
{
    const auto read = [](const std::string& polycoef) {
        return equation(parse(two_bodies("<equality><joint joint1=\"j\" joint2=\"k\" polycoef=\"" + polycoef +
                                         "\"/></equality>"))
                            .loops()[0]);
    };
    EXPECT_EQ(read("2"), "'j' = 1 'k' + 2");
    EXPECT_EQ(read("3 4"), "'j' = 4 'k' + 3");
    EXPECT_EQ(read("5 6 7 8 9"), "'j' - 6 'k' - 7 'k'^2 - 8 'k'^3 - 9 'k'^4 = 5");
    EXPECT_EQ(
        faults(
            two_bodies("<equality><joint joint1=\"j\" joint2=\"k\" polycoef=\"1 2 3 4 5 6\"/></equality>")),
        Texts{"<joint> (line 2): polycoef is \"1 2 3 4 5 6\", expected 1 to 5 finite numbers separated by "
              "spaces: got 6"});
}

TEST(MjcfRead, FlagsThatSwitchOff)
{
    const auto flag = [](const std::string& attributes) {
        return two_bodies("<equality><joint name=\"gear\" joint1=\"j\" joint2=\"k\"/></equality>",
                          "<option gravity=\"0 0 -5\"><flag " + attributes + "/></option>");
    };
    const Model light = parse(flag("gravity=\"disable\" warmstart=\"disable\""));
    EXPECT_EQ(light.gravity(), Vec3<double>{});
    EXPECT_EQ(notes(light).back(), "there is no gravity here, because a <flag> disables it");
    EXPECT_EQ(light.loops().size(), 1u);
    const Model cut = parse(flag("equality=\"disable\""));
    EXPECT_TRUE(cut.loops().empty());
    EXPECT_EQ(notes(cut).back(), "equality: 'gear' is left out, because a <flag> disables it");
    EXPECT_EQ(cut.gravity(), (Vec3<double>{0, 0, -5}));
    const Model smooth = parse(flag("constraint=\"disable\""));
    EXPECT_TRUE(smooth.loops().empty());
    EXPECT_EQ(smooth.hinges()[0].friction, std::vector<double>{0});
    EXPECT_EQ(smooth.hinges()[0].damping, std::vector<double>{1});
    const Model undamped = parse(flag("passive=\"disable\""));
    EXPECT_EQ(undamped.hinges()[0].friction, std::vector<double>{2});
    EXPECT_EQ(undamped.hinges()[0].damping, std::vector<double>{0});
    EXPECT_EQ(faults(flag("gravity=\"off\"")),
              Texts{"<flag> (line 1): unknown value of gravity 'off'; known: enable, disable"});
    EXPECT_EQ(faults(flag("gravty=\"disable\"")),
              Texts{"<flag> (line 1): attribute 'gravty' is not read; did you mean 'gravity'?"});
}

// Names that are made up keep out of the way of those in the file.
TEST(MjcfRead, NamesMadeUp)
{
    const std::string inertial = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
    const Model model =
        parse("<mujoco><worldbody><body><joint/>" + inertial +
              "</body><body name=\"body1\"><joint "
              "name=\"a\"/>" +
              inertial + "</body><body name=\"a\"><joint/>" + inertial + "</body></worldbody></mujoco>");
    EXPECT_EQ(model.bodies()[0].name, "body1_");
    EXPECT_EQ(model.hinges()[1].name, "a");
    EXPECT_EQ(model.hinges()[2].name, "a_hinge");
}

TEST(MjcfRead, FaultsOfEquality)
{
    const auto equality = [](const std::string& inside) {
        return faults(body("<joint name=\"j\"/>", "<equality>" + inside + "</equality>"));
    };
    EXPECT_EQ(equality("<connect body1=\"x\" anchor=\"0 0 0\"/>"),
              Texts{"<connect> (line 2): body1: unknown body 'x'; known: b, world"});
    EXPECT_EQ(equality("<connect body1=\"b\"/>"),
              Texts{"<connect> (line 2): anchor is missing; write anchor=\"X Y Z\", in the first body"});
    EXPECT_EQ(equality("<connect body1=\"b\" body2=\"b\" anchor=\"0 0 0\"/>"),
              Texts{"<connect> (line 2): loop 'equality1' closes on itself: both its ends are on body 'b', "
                    "expected two bodies"});
    EXPECT_EQ(equality("<joint joint1=\"j\"/>"), Texts{"<joint> (line 2): without joint2 it holds joint1 at "
                                                       "a constant, for which there is no loop; remove "
                                                       "the joint instead"});
    EXPECT_EQ(equality("<joint joint1=\"k\" joint2=\"j\"/>"),
              Texts{"<joint> (line 2): joint1: unknown joint 'k'; known: j"});
    EXPECT_EQ(equality("<tendon tendon1=\"t\"/>"),
              Texts{"<tendon> (line 2): this element in <equality> has no equal here"});
}

} // namespace
} // namespace sweepdyn
