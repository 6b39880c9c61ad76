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
        Texts{"there is no model with links that can move; expected at least one"});
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
    EXPECT_EQ(faults(pair("<link name=\"c\"><inertial><mass>heavy</mass></inertial></link>")),
              Texts{"Error reading element <mass> (line 2)"});
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
