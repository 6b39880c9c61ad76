// SDF through sdformat: what becomes part of the model, and the faults.
#include <numbers>

#include <gtest/gtest.h>

#include "sweepdyn/functions.hpp"
#include "sweepdyn/io/model/sdf.hpp"
#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

std::string data(const std::string& file) { return std::string(SWEEPDYN_TEST_DATA) + "/data/sdf/" + file; }
Texts faults(const std::string& text)
{
    try {
        parse_sdf(text, "m.sdf");
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).find("m.sdf"), 0u);
        return error.faults;
    }
    return {};
}
// Links a and b, the joint on line 2.
std::string pair(const std::string& joint)
{
    return "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"><inertial/></link><link "
           "name=\"b\"><inertial/></link>\n" +
           joint + "</model></sdf>";
}

class SdfRead : public testing::Test {
protected:
    void SetUp() override
    {
        if (!reads_sdf())
            GTEST_SKIP() << "built without sdformat";
    }
};

// What a joint's type has no use for is told, whatever it says.
TEST_F(SdfRead, NothingOfAJointGoesInSilence)
{
    const auto doubts = [](const std::string& joint) {
        Texts out;
        const Model model = parse_sdf(pair(joint), "m.sdf");
        for (const Note& note : model.notes())
            if (note.text.find("ignored") != note.text.npos)
                out.push_back(note.text);
        return out;
    };
    const auto joint = [](const std::string& type, const std::string& what) {
        return "<joint name=\"j\" type=\"" + type + "\"><parent>a</parent><child>b</child>" + what +
               "</joint>";
    };
    const std::string axis = "<axis><xyz>0 0 1</xyz></axis>", second = "<axis2><xyz>0 1 0</xyz></axis2>";
    for (const auto& [type, what, name] :
         {std::tuple{"ball", axis, "axis"},
          {"fixed", axis, "axis"},
          {"revolute", axis + second, "axis2"},
          {"revolute", axis + "<thread_pitch>-20</thread_pitch>", "thread_pitch"},
          {"prismatic", axis + "<gearbox_ratio>2</gearbox_ratio>", "gearbox_ratio"}}) {
        const Texts told = doubts(joint(type, what));
        ASSERT_EQ(told.size(), 1u) << type << " " << name;
        EXPECT_NE(told[0].find("a " + std::string(type) + " joint has no " + name + "; it is ignored"),
                  std::string::npos)
            << told[0];
    }
    EXPECT_EQ(
        doubts(joint("screw",
                     axis + "<thread_pitch>-20</thread_pitch><screw_thread_pitch>0.02</screw_thread_pitch>"))
            .size(),
        1u);
    EXPECT_TRUE(doubts(joint("universal", axis + second)).empty());
}

TEST_F(SdfRead, ALinkWithTwoParentsClosesALoop)
{
    const Model model = read_sdf(data("four_bar.sdf"));
    EXPECT_EQ(model.name(), "four_bar");
    ASSERT_EQ(model.num_dofs(), 3);
    const Hinge& A = model.hinges()[0];
    EXPECT_EQ(A.kind, HingeKind::revolute);
    EXPECT_EQ(A.damping, std::vector<double>{0.1});
    EXPECT_EQ(A.friction, std::vector<double>{0.2});
    EXPECT_EQ(A.limits.lower, std::vector<double>{-2});
    EXPECT_EQ(A.limits.effort, std::vector<double>{5});
    EXPECT_TRUE(A.limits.velocity.empty());
    EXPECT_EQ(model.hinges()[1].kind, HingeKind::continuous);
    ASSERT_EQ(model.loops().size(), 1u);
    const Loop& D = model.loops()[0];
    EXPECT_EQ(D.name, "D");
    EXPECT_EQ(D.kind, LoopKind::revolute);
    EXPECT_EQ(D.body_a, "");
    EXPECT_EQ(D.body_b, "CD");
    EXPECT_EQ(model.topology().clusters.size(), 1u);
    // As drawn, the loop is closed: frames a and b are one.
    Kinematics<double> kin(model);
    update<double>(kin, std::vector<double>(3));
    const Pose<double> X_Wb = kin.X_WB(2) * D.X_Bb;
    EXPECT_LT((dense(D.X_Aa.p) - dense(X_Wb.p)).norm() + (dense(D.X_Aa.R) - dense(X_Wb.R)).norm(), 1e-14);
    // CD hangs on C, at (2, 0, 0) of BC, which is turned by 0.5 at (1, 0, 1).
    EXPECT_NEAR(kin.X_WB(2).p.x, 1 + 2 * std::cos(0.5), 1e-14);
    EXPECT_NEAR(kin.X_WB(2).p.z, 1, 1e-14);
    EXPECT_NEAR(model.bodies()[1].inertia_com.xx,
                0.1 * std::pow(std::cos(0.3), 2) + 0.9 * std::pow(std::sin(0.3), 2), 1e-15);
    EXPECT_EQ(model.bodies()[1].visuals[0].size, (std::vector<double>{2, 0.1, 0.1}));
    EXPECT_EQ(model.frame_body(model.frame("C")), 1);
}

TEST_F(SdfRead, WorldsScrewsGearsAndMimics)
{
    const Model model = read_sdf(data("gears.sdf"));
    EXPECT_EQ(model.gravity(), (Vec3<double>{0, 0, -1.62}));
    EXPECT_EQ(model.num_bodies(), 8);
    EXPECT_TRUE(model.floating_base());
    EXPECT_EQ(model.hinges()[static_cast<std::size_t>(*model.floating_base())].name, "base");
    // -50 rad/m, left-handed positive: 0.02 m/rad, right-handed.
    const Hinge& thread = model.hinges()[static_cast<std::size_t>(model.hinge("tool::thread"))];
    EXPECT_EQ(thread.kind, HingeKind::helical);
    EXPECT_NEAR(thread.pitch, 0.02, 1e-16);
    EXPECT_EQ(model.hinges()[static_cast<std::size_t>(model.hinge("tool::cardan"))].kind,
              HingeKind::universal);
    EXPECT_EQ(model.hinges()[static_cast<std::size_t>(model.hinge("tool::socket"))].kind,
              HingeKind::spherical);
    // theta2 = -3 theta1, and j_out counts theta2 backwards.
    const Loop& teeth = model.loops()[static_cast<std::size_t>(model.loop("gearbox::teeth"))];
    EXPECT_EQ(equation(teeth), "'gearbox::j_out' = 3 'gearbox::j_in'");
    const Loop& dial = model.loops()[static_cast<std::size_t>(model.loop("gearbox::j_dial"))];
    EXPECT_EQ(dial.terms[1].polynomial, std::vector<double>{-0.5});
    EXPECT_NEAR(dial.offset, 0.2 - 0.5 * 0.1, 1e-16);
    // SDF 1.10 has another way to say it: metres per turn.
    const Model newer = parse_sdf("<sdf version=\"1.10\"><model name=\"m\"><link "
                                  "name=\"a\"><inertial/></link><link name=\"b\"><inertial/></link><joint "
                                  "name=\"j\" "
                                  "type=\"screw\"><parent>a</parent><child>b</child><screw_thread_pitch>0.5</"
                                  "screw_thread_pitch><axis><xyz>0 0 1"
                                  "</xyz></axis></joint></model></sdf>",
                                  "m.sdf");
    EXPECT_NEAR(newer.hinges()[1].pitch, 0.5 / (2 * std::numbers::pi), 1e-16);
}

TEST_F(SdfRead, JointsThatCloseLoopsByKind)
{
    for (const auto& [type, kind] : {std::pair{"revolute", LoopKind::revolute},
                                     {"prismatic", LoopKind::prismatic},
                                     {"ball", LoopKind::ball},
                                     {"universal", LoopKind::universal},
                                     {"fixed", LoopKind::weld}}) {
        const Model model = parse_sdf(
            pair("<joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child><axis><xyz>0 1 "
                 "0</xyz></axis></joint>"
                 "<joint name=\"k\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 1 "
                 "0</xyz></axis></joint>"
                 "<joint name=\"l\" type=\"" +
                 std::string(type) +
                 "\"><parent>world</parent><child>b</child><axis><xyz>1 0 0</xyz>"
                 "</axis><axis2><xyz>0 1 0</xyz></axis2></joint>"),
            "m.sdf");
        ASSERT_EQ(model.loops().size(), 1u);
        EXPECT_EQ(model.loops()[0].kind, kind);
        if (kind == LoopKind::revolute || kind == LoopKind::prismatic) {
            EXPECT_EQ(model.loops()[0].X_Aa.R.z, (Vec3<double>{1, 0, 0}));
        }
    }
    // A circle without the world: one of its joints closes it, and the rest floats.
    const Model ring =
        parse_sdf(pair("<joint name=\"j\" type=\"ball\"><parent>a</parent><child>b</child></joint>"
                       "<joint name=\"k\" type=\"ball\"><parent>b</parent><child>a</child></joint>"),
                  "m.sdf");
    EXPECT_EQ(ring.loops()[0].name, "k");
    EXPECT_EQ(ring.num_dofs(), 9);
}

TEST_F(SdfRead, Faults)
{
    const auto joint = [](const std::string& type, const std::string& inside) {
        return pair("<joint name=\"j\" type=\"" + type + "\"><parent>a</parent><child>b</child>" + inside +
                    "</joint>");
    };
    const std::string at = "<joint name=\"j\"> (line 2): ", axis = "<axis><xyz>0 0 1</xyz></axis>";
    EXPECT_EQ(
        faults(joint("screw", axis + "<thread_pitch>0</thread_pitch>")),
        Texts{
            at +
            "thread_pitch is 0, so a turn would move it infinitely far; expected radians per metre, positive "
            "for a left-handed thread"});
    EXPECT_EQ(
        faults(joint(
            "revolute",
            "<axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>3</spring_stiffness></dynamics></axis>")),
        Texts{at + "spring_stiffness: a joint has no spring here; remove it"});
    EXPECT_EQ(faults(joint("gearbox", axis + "<axis2><xyz>0 0 1</xyz></axis2>")),
              Texts{at + "<gearbox_reference_body> is missing"});
    EXPECT_EQ(faults(joint("ball", "")
                         .replace(joint("ball", "").find("</model>"), 0,
                                  "<joint name=\"k\" type=\"screw\"><parent>world</parent><child>b</child>" +
                                      axis + "</joint>")),
              Texts{"<joint name=\"k\"> (line 2): it closes a loop, for which a helical joint has no equal "
                    "here; let it carry its "
                    "child, and another joint close the loop"});
    EXPECT_FALSE(
        faults(joint("revolute", axis).replace(joint("revolute", axis).find("<child>b"), 8, "<child>c"))
            .empty());
    EXPECT_EQ(faults("<robot/>"),
              Texts{"<robot> (line 1): this is not SDF; expected the root element <sdf>"});
    EXPECT_EQ(
        faults("<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><model name=\"n\"><link "
               "name=\"b\"/></model></model></sdf>")
            .front(),
        "<model name=\"m\"> (line 1): nested model 'n' has no equal here; give one model with all links");
    EXPECT_EQ(
        faults("<sdf version=\"1.9\"><model name=\"m\"><static>1</static><link name=\"a\"/></model></sdf>"),
        Texts{"<sdf> (line 1): there is no model with links that can move; expected at least one"});
}

// What the library would throw, take silently, or tell ten times with the whole file.
TEST_F(SdfRead, VersionsAndValuesThatCannotBeRead)
{
    const auto versions = [](const std::string& version) {
        return Texts{"<sdf> (line 1): version is '" + version + "', expected one from 1.0 to 1.12"};
    };
    const std::string model = "<model name=\"m\"><link name=\"a\"><inertial/></link></model></sdf>";
    for (const char* version : {"9.9", "abc", "1.13"})
        EXPECT_EQ(faults("<sdf version=\"" + std::string(version) + "\">" + model), versions(version));
    EXPECT_EQ(faults("<sdf>" + model),
              Texts{"<sdf> (line 1): attribute version is missing; write version=\"...\""});
    EXPECT_EQ(
        faults(pair("<link name=\"c\"><inertial><mass>heavy</mass></inertial></link>")),
        Texts{"<mass> of <link name=\"c\"> (line 2): it holds \"heavy\", expected 1 finite number: 'heavy' "
              "is not a number"});
    EXPECT_EQ(
        faults(pair("<link name=\"c\"><inertial><mass>2 3</mass><inertia><ixx>2x</ixx></inertia></inertial>"
                    "<visual name=\"v\"><geometry><box><size>1 1</size></box></geometry></visual></link>")),
        (Texts{
            "<mass> of <link name=\"c\"> (line 2): it holds \"2 3\", expected 1 finite number: got 2",
            "<ixx> of <link name=\"c\"> (line 2): it holds \"2x\", expected 1 finite number: '2x' is not a "
            "number",
            "<size> of <visual name=\"v\"> (line 2): it holds \"1 1\", expected 3 finite numbers separated "
            "by spaces: got 2"}));
    // What only sdformat finds wrong is told in its words.
    EXPECT_EQ(faults(pair("<link name=\"c\"><pose>1 2</pose><inertial/></link>")),
              Texts{"Error reading element <pose> (line 2)"});
}

// Whatever sdformat would only log, or read and nobody take.
TEST_F(SdfRead, WhatHasNoEqualIsAFault)
{
    const auto link = [](const std::string& inside) {
        return faults(pair("<link name=\"c\">" + inside + "</link>"));
    };
    const auto model = [](const std::string& inside) { return faults(pair(inside)); };
    const auto joint = [](const std::string& inside, const std::string& axis = "") {
        return faults(pair("<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child>" + inside +
                           "<axis><xyz>0 0 1</xyz>" + axis + "</axis></joint>"));
    };
    const auto world = [](const std::string& inside) {
        return faults("<sdf version=\"1.9\"><world name=\"w\"><model name=\"m\"><link name=\"a\"><inertial/>"
                      "</link></model>\n" +
                      inside + "</world></sdf>");
    };
    const std::string c = " of <link name=\"c\"> (line 2): ", j = " of <joint name=\"j\"> (line 2): ",
                      w = " of <world name=\"w\"> (line 2): ", m = " of <model name=\"m\"> (line 2): ";
    EXPECT_EQ(
        link("<gravity>0</gravity>"),
        Texts{"<gravity>" + c + "gravity is off for this link, but all bodies feel it here; remove it"});
    EXPECT_EQ(link("<gravity>true</gravity><kinematic>0</kinematic><enable_wind>false</enable_wind>"
                   "<velocity_decay><linear>0</linear></velocity_decay>"),
              Texts{});
    EXPECT_EQ(link("<kinematic>true</kinematic>"),
              Texts{"<kinematic>" + c + "a kinematic link is moved from outside, which has no equal here"});
    EXPECT_EQ(link("<enable_wind>1</enable_wind>"),
              Texts{"<enable_wind>" + c + "there is no wind here; remove it"});
    EXPECT_EQ(
        link("<velocity_decay><linear>0.1</linear></velocity_decay>"),
        Texts{"<linear>" + c + "a link's velocity does not decay here; expected 0, or damping in joints"});
    EXPECT_EQ(link("<inertial><fluid_added_mass><xx>1</xx><yy>0</yy></fluid_added_mass></inertial>"),
              Texts{"<xx>" + c + "there is no fluid that would add mass here; expected 0"});
    EXPECT_EQ(link("<inertial auto=\"true\"/>"),
              Texts{"<inertial>" + c + "auto inertias are not computed here; write mass and inertia"});
    EXPECT_EQ(link("<inertial><mass value=\"3\"/></inertial>"),
              (Texts{"<mass>" + c + "it holds \"\", expected 1 finite number: got 0",
                     "<mass>" + c + "attribute 'value' is not read"}));
    EXPECT_EQ(link("<inertal/>"),
              Texts{"<inertal>" + c + "this element in <link> has no equal here; did you mean <inertial>?"});
    EXPECT_EQ(joint("<physics><ode><velocity>2</velocity></ode></physics>"),
              Texts{"<velocity>" + j + "a motor that holds a velocity has no equal here; expected 0"});
    EXPECT_EQ(joint("", "<mimick joint=\"k\"/>"),
              Texts{"<mimick>" + j + "this element in <axis> has no equal here; did you mean <mimic>?"});
    EXPECT_EQ(joint("<spring/>"), Texts{"<spring>" + j + "this element in <joint> has no equal here"});
    EXPECT_EQ(model("<include><uri>model://arm</uri></include>").front(),
              "<include>" + m + "includes are not followed; give one whole file (gz sdf -p FILE prints one)");
    const auto world_joint = [&](const std::string& ends) {
        return world("<joint name=\"k\" type=\"ball\">" + ends + "</joint>");
    };
    const std::string k = "<joint name=\"k\"> (line 2): ";
    EXPECT_EQ(world_joint("<parent>world</parent><child>m::b</child>"),
              Texts{k + "unknown link 'm::b'; did you mean 'm::a'?"});
    EXPECT_EQ(
        world_joint("<parent>world</parent><child>m::a</child><pose relative_to=\"m\">0 0 0 0 0 0</pose>"),
        Texts{k + "relative_to and expressed_in are not read in a joint between models; give pose and "
                  "axes in the child link"});
    EXPECT_EQ(world("<population name=\"p\"/>").front(),
              "<population name=\"p\"> (line 2): populations are not made; write the models that are meant");
    EXPECT_EQ(world("<gravty>0 0 0</gravty>"),
              Texts{"<gravty>" + w + "this element in <world> has no equal here; did you mean <gravity>?"});
    EXPECT_EQ(world("<gravity>0 0 0</gravity><gravity>0 0 1</gravity>"),
              Texts{"<gravity>" + w + "a second <gravity> in <world>; keep one"});
}

TEST_F(SdfRead, WhatHasNoEffectIsNoted)
{
    const Model model = parse_sdf(
        "<sdf version=\"1.9\"><world name=\"w\"><plugin name=\"p\" filename=\"f\"/><wind><linear_velocity>1 "
        "0 0"
        "</linear_velocity></wind><frame name=\"dock\"><pose>0 0 2 0 0 0</pose></frame>"
        "<frame name=\"tool\" attached_to=\"m\"><pose relative_to=\"m\">0 0 1 0 0 0</pose></frame>"
        "<frame name=\"shelf\" attached_to=\"wall\"/>"
        "<model name=\"wall\"><static>1</static><pose>3 0 0 0 0 0</pose><link "
        "name=\"s\"><kinematic>1</kinematic>"
        "</link></model>"
        "<model name=\"m\"><pose>0 5 0 0 0 0</pose><gripper name=\"g\"/><link name=\"a\"><pose>1 0 0 0 0 "
        "0</pose>"
        "<inertial/><sensor name=\"s\" type=\"imu\"/></link><link name=\"b\"><inertial/></link>"
        "<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 0 "
        "1</xyz><dynamics>"
        "<spring_reference>1</spring_reference><spring_stiffness>0</spring_stiffness></dynamics></axis>"
        "<physics><ode><erp>0.1</erp></ode></physics></joint></model>"
        "<state world_name=\"w\"/></world></sdf>",
        "m.sdf");
    EXPECT_EQ(model.notes()[1].text,
              "read but without effect: erp in ode x1, gripper in model x1, plugin in world x1, sensor in "
              "link x1, spring_reference in dynamics x1, state in world x1, wind in world x1");
    // Frames of the world: on the ground, on a link by way of its model, on a static model.
    const Frame& tool = model.frame_at(model.frame("tool"));
    EXPECT_EQ(tool.body, "a");
    EXPECT_LT(norm(tool.X_BF.p - Vec3<double>{-1, 0, 1}), 1e-15);
    EXPECT_EQ(model.frame_body(model.frame("dock")), ground);
    EXPECT_EQ(model.frame_at(model.frame("dock")).X_BF.p, (Vec3<double>{0, 0, 2}));
    EXPECT_EQ(model.frame_body(model.frame("shelf")), ground);
    EXPECT_EQ(model.frame_at(model.frame("shelf")).X_BF.p, (Vec3<double>{3, 0, 0}));
    // Elements of other formats are left to others, and doubted.
    const Model foreign =
        parse_sdf("<sdf version=\"1.9\" xmlns:drake=\"http://drake\"><model name=\"m\"><link "
                  "name=\"a\"><inertial/><drake:bushing/></link></model></sdf>",
                  "m.sdf");
    EXPECT_EQ(foreign.notes()[0].kind, Note::Kind::doubt);
    EXPECT_EQ(foreign.notes()[0].text, "<drake:bushing> of <link name=\"a\"> (line 1): an element of another "
                                       "format in <link> is ignored");
}

// An arm on a static table, and a hook that both hold: joints between models carry what nothing carries, and close loops.
TEST_F(SdfRead, JointsBetweenModels)
{
    const Model model = parse_sdf(
        "<sdf version=\"1.10\"><world name=\"w\">"
        "<model name=\"table\"><static>1</static><pose>0 0 1 0 0 0</pose><link name=\"top\"/></model>"
        "<model name=\"arm\"><pose>1 0 1 0 0 0</pose><link name=\"rod\"><inertial/></link></model>"
        "<model name=\"hook\"><pose>1 0 3 0 0 0</pose><link name=\"eye\"><inertial/></link></model>"
        "<joint name=\"shoulder\" "
        "type=\"revolute\"><parent>table::top</parent><child>arm::rod</child><pose>0 0 0.5 0 "
        "0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"
        "<joint name=\"wrist\" type=\"ball\"><parent>arm::rod</parent><child>hook::eye</child></joint>"
        "<joint name=\"rope\" type=\"ball\"><parent>world</parent><child>hook::eye</child></joint>"
        "</world></sdf>",
        "m.sdf");
    ASSERT_EQ(model.num_bodies(), 2);
    const Hinge& shoulder = model.hinges()[static_cast<std::size_t>(model.hinge("shoulder"))];
    EXPECT_EQ(shoulder.kind, HingeKind::continuous);
    EXPECT_EQ(shoulder.parent, "");
    EXPECT_EQ(shoulder.X_PF.p, (Vec3<double>{1, 0, 1.5}));
    EXPECT_EQ(shoulder.X_CM.p, (Vec3<double>{0, 0, 0.5}));
    const Hinge& wrist = model.hinges()[static_cast<std::size_t>(model.hinge("wrist"))];
    EXPECT_EQ(wrist.parent, "arm::rod");
    EXPECT_EQ(wrist.X_PF.p, (Vec3<double>{0, 0, 2}));
    ASSERT_EQ(model.loops().size(), 1u);
    EXPECT_EQ(model.loops()[0].name, "rope");
    EXPECT_EQ(model.loops()[0].body_b, "hook::eye");
    EXPECT_EQ(model.loops()[0].X_Aa.p, (Vec3<double>{1, 0, 3}));
}

TEST_F(SdfRead, FaultsOfMimics)
{
    const auto mimic = [](const std::string& text) {
        return faults(pair("<link name=\"c\"><inertial/></link>"
                           "<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child><axis>"
                           "<xyz>0 0 1</xyz></axis></joint>"
                           "<joint name=\"k\" type=\"revolute\"><parent>b</parent><child>c</child><axis>"
                           "<xyz>0 0 1</xyz>" +
                           text + "</axis></joint>"));
    };
    const std::string at = " of <joint name=\"k\"> (line 2): ";
    EXPECT_EQ(mimic("<mimic joint=\"j\" axis=\"axis\"/>"), Texts{});
    EXPECT_EQ(mimic("<mimic joint=\"j\" axis=\"axis3\"/>"),
              Texts{"<mimic>" + at + "axis is \"axis3\", expected \"axis\" or \"axis2\""});
    EXPECT_EQ(
        mimic("<mimic joint=\"j\"><multiplyer>2</multiplyer></mimic>"),
        Texts{"<multiplyer>" + at + "this element in <mimic> has no equal here; did you mean <multiplier>?"});
    EXPECT_EQ(mimic("<mimic joint=\"j\"><multiplier>2 3</multiplier></mimic>"),
              Texts{"<multiplier>" + at + "it holds \"2 3\", expected 1 finite number: got 2"});
    EXPECT_EQ(mimic("<mimic joint=\"j\"/><mimic joint=\"j\"/>"),
              Texts{"<mimic>" + at + "a second <mimic> in <axis>; keep one"});
}

// Without a pitch the version of the file says which: 1 rad/m left-handed up to 1.9, then 1 m per turn right-handed.
TEST_F(SdfRead, PitchesOfScrews)
{
    const auto screw = [](const std::string& version, const std::string& pitch) {
        return "<sdf version=\"" + version +
               "\"><model name=\"m\"><link name=\"a\"><inertial/></link><link name=\"b\"><inertial/></link>\n"
               "<joint name=\"j\" type=\"screw\"><parent>a</parent><child>b</child><axis><xyz>0 0 "
               "1</xyz></axis>" +
               pitch + "</joint></model></sdf>";
    };
    const Model old = parse_sdf(screw("1.9", ""), "m.sdf"), newer = parse_sdf(screw("1.10", ""), "m.sdf");
    EXPECT_EQ(old.hinges()[1].pitch, -1.0);
    EXPECT_EQ(newer.hinges()[1].pitch, 1.0 / (2 * std::numbers::pi));
    const std::string at = "<joint name=\"j\"> (line 2): ";
    EXPECT_EQ(old.notes()[0].kind, Note::Kind::doubt);
    EXPECT_EQ(old.notes()[0].text,
              at + "there is no <thread_pitch>, so it is SDF's own: 1 rad per metre, left-handed");
    EXPECT_EQ(newer.notes()[1].text,
              at + "there is no <screw_thread_pitch>, so it is SDF's own: 1 m per turn, right-handed");
    EXPECT_EQ(parse_sdf(screw("1.10", "<thread_pitch>-50</thread_pitch>"), "m.sdf").hinges()[1].pitch, 0.02);
    EXPECT_EQ(faults(screw("1.9", "<thread_pitch>1e-200</thread_pitch>")),
              Texts{at +
                    "thread_pitch is 1e-200, so a turn would move it more than 1e100 m; expected radians "
                    "per metre, positive for a left-handed thread"});
    EXPECT_EQ(faults(screw("1.10", "<screw_thread_pitch>1e200</screw_thread_pitch>")).size(), 1u);
}

TEST(SdfWithoutSdformat, IsRefusedInWords)
{
    if (reads_sdf())
        GTEST_SKIP() << "built with sdformat";
    EXPECT_EQ(faults("<sdf/>").size(), 1u);
    EXPECT_NE(faults("<sdf/>")[0].find("libsdformat-dev"), std::string::npos);
}

} // namespace
} // namespace sweepdyn
