// What the URDF reader notes about a file that it can read.
#include <filesystem>

#include <gtest/gtest.h>

#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;

std::string two_links(const std::string& type, const std::string& inside = "")
{
    return robot(link("a") + link("b") + joint("j", type, "a", "b", inside));
}
std::string inertial(const std::string& mass, const std::string& moment, const std::string& more = "")
{
    return robot("<link name=\"a\"><inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + moment +
                 "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment +
                 "\"/></inertial>" + more + "</link>");
}

TEST(UrdfNotes, nothing_to_say_of_a_good_file)
{
    EXPECT_TRUE(parse(two_links("continuous")).notes().empty());
}

TEST(UrdfNotes, what_has_no_effect_is_counted)
{
    EXPECT_EQ(
        notes(read_urdf(data("every_joint.urdf")), Note::Kind::remark),
        (Texts{
            "mesh file names with package:// kept as written: 1, the first is "
            "'package://plate_description/meshes/plate.stl'; to find the files, "
            "give the folders that hold the packages as package roots (--package-root on the command line)",
            "read but without effect: gazebo x2, transmission (all but its joints) x1"}));
    EXPECT_EQ(remarks(two_links(
                  "fixed",
                  "<limit lower=\"1\"/><dynamics damping=\"1\"/><safety_controller/><mimic joint=\"j\"/>")),
              Texts{"read but without effect: dynamics of a fixed joint x1, limit of a fixed joint x1, mimic "
                    "in a fixed joint x1, "
                    "safety_controller in joint x1"});
    EXPECT_EQ(remarks(two_links("fixed", "<axis xyz=\"0 0 0\"/>")),
              Texts{"read but without effect: axis of a fixed joint x1"});
    EXPECT_EQ(remarks(two_links("floating", "<axis xyz=\"0 0 1\"/>")),
              Texts{"read but without effect: axis of a floating joint x1"});
    EXPECT_EQ(
        remarks(two_links("continuous", "<limit lower=\"-1\" upper=\"1\" jerk=\"1\"/>")),
        Texts{"read but without effect: jerk of limit x1, lower and upper limit of a continuous joint x1"});
}

TEST(UrdfNotes, unknown_elements_and_attributes_are_counted)
{
    EXPECT_EQ(remarks(robot(link("a") +
                            "<drake:settings/><drake:settings/><link name=\"b\" drake_ignore_this=\"1\"/>" +
                            joint("j", "fixed", "a", "b"))),
              Texts{"unknown and ignored: attribute drake_ignore_this in link x1, element drake:settings in "
                    "robot x2"});
}

TEST(UrdfNotes, misspelt_and_repeated_elements_are_doubts)
{
    EXPECT_EQ(
        doubts(robot(link("a") + "<link name=\"b\"><inertail/></link>" + joint("j", "fixed", "a", "b"))),
        Texts{"<inertail> of <link name=\"b\"> (line 3): unknown element 'inertail' is ignored; did you mean "
              "'inertial'?"});
    EXPECT_EQ(doubts(two_links("fixed", "<origin xzy=\"0 0 1\"/>")),
              Texts{"<origin> of <joint name=\"j\"> (line 4): unknown attribute 'xzy' is ignored; did you "
                    "mean 'xyz'?"});
    EXPECT_EQ(doubts(two_links("fixed", "<origin/><origin/>")),
              Texts{"<origin> of <joint name=\"j\"> (line 4): a second <origin> in <joint> is ignored"});
}

TEST(UrdfNotes, limits)
{
    EXPECT_EQ(doubts(two_links("revolute")),
              Texts{"<joint name=\"j\"> (line 4): a revolute joint has no <limit>; expected <limit lower=... "
                    "upper=... effort=... velocity=.../>"});
    EXPECT_EQ(doubts(two_links("prismatic", "<limit effort=\"1\" velocity=\"1\"/>")),
              Texts{"<limit> of <joint name=\"j\"> (line 4): lower and upper are missing, so both are 0 and "
                    "the joint has no range; give them, or make the "
                    "joint continuous"});
    EXPECT_EQ(
        doubts(two_links("revolute", "<limit lower=\"2\" upper=\"2\"/>")),
        Texts{"<limit> of <joint name=\"j\"> (line 4): lower and upper are both 2: the joint has no range"});
    EXPECT_EQ(doubts(two_links("revolute", "<limit lower=\"2\" upper=\"1\"/>")),
              Texts{"hinge 'j': lower limit 2 is above upper limit 1"});
}

TEST(UrdfNotes, negative_damping)
{
    EXPECT_EQ(doubts(two_links("continuous", "<dynamics damping=\"-1\"/>")),
              Texts{"hinge 'j': damping is -1, negative: it feeds energy in"});
}

TEST(UrdfNotes, inertias_that_fit_millimetres)
{
    // A cube of 0.3 m and 2 kg has 0.03 kg m^2, which is 30000 kg mm^2.
    EXPECT_EQ(doubts(inertial("2", "30000")),
              Texts{"<inertial> of <link name=\"a\"> (line 2): inertia of trace 90000 with mass 2 means a "
                    "radius of gyration of 212 m: suspicious units; expected kg m^2 "
                    "and kg (an inertia in kg mm^2 is to be multiplied by 1e-6, in g mm^2 by 1e-9)"});
    EXPECT_TRUE(doubts(inertial("2", "0.03")).empty());
    // Small parts show it only beside their shapes: 3 mm in radius, 1 g, 4e-9 kg m^2 = 4e-3 kg mm^2.
    const std::string ball = "<visual><geometry><sphere radius=\"0.003\"/></geometry></visual>";
    EXPECT_TRUE(doubts(inertial("0.001", "4e-3")).empty());
    EXPECT_EQ(doubts(inertial("0.001", "4e-3", ball)).size(), 1u);
    EXPECT_TRUE(doubts(inertial("0.001", "4e-9", ball)).empty());
}

std::string two_inertials(const std::string& com, const std::string& moment, const std::string& offset)
{
    return robot(link("a") + "<link name=\"b\"><inertial><origin xyz=\"0 0 " + com +
                 "\"/><mass value=\"5\"/><inertia ixx=\"" + moment + "\" ixy=\"0\" ixz=\"0\" iyy=\"" +
                 moment + "\" iyz=\"0\" izz=\"" + moment + "\"/></inertial></link>\n" +
                 joint("j", "continuous", "a", "b", "<origin xyz=\"0 0 " + offset + "\"/>"));
}

TEST(UrdfNotes, inertias_that_fit_millimetres_beside_the_lengths_of_the_file)
{
    EXPECT_EQ(
        doubts(two_inertials("0.1", "200", "0.4")),
        Texts{"<inertial> of <link name=\"b\"> (line 3): inertia of trace 600 with mass 5 means a radius of "
              "gyration of 11 m: suspicious units; expected kg m^2 and kg (an inertia in kg mm^2 is to be "
              "multiplied by 1e-6, in g mm^2 by 1e-9)"});
    EXPECT_TRUE(doubts(two_inertials("0.1", "200", "0.6")).empty()); // a large frame on a short arm
    EXPECT_TRUE(doubts(two_inertials("0.01", "40", "0.01")).empty()); // below 5 m
}

TEST(UrdfNotes, placements_that_fit_millimetres)
{
    EXPECT_EQ(doubts(two_links("fixed", "<origin xyz=\"0 0 333\"/>")),
              Texts{"<origin> of <joint name=\"j\"> (line 4): the joint is 333 m from its parent: suspicious "
                    "units; expected metres"});
    EXPECT_EQ(
        doubts(two_inertials("120", "1", "0.4")),
        Texts{"<inertial> of <link name=\"b\"> (line 3): the centre of mass is 120 m from the link, while no "
              "joint is farther than 0.4 m from its parent: suspicious units; expected metres (millimetres "
              "are to be multiplied by 1e-3)"});
    EXPECT_TRUE(doubts(two_inertials("12", "1", "6")).empty()); // a crane
}

TEST(UrdfNotes, limits_that_fit_degrees)
{
    const auto limit = [](const std::string& type, const std::string& lower, const std::string& upper) {
        return doubts(two_links(type, "<limit lower=\"" + lower + "\" upper=\"" + upper + "\"/>"));
    };
    EXPECT_EQ(
        limit("revolute", "-170", "90"),
        Texts{"<limit> of <joint name=\"j\"> (line 4): a limit of -170 rad is beyond four turns: suspicious "
              "units; expected radians (degrees are to be multiplied by 0.0174533), or a continuous joint"});
    EXPECT_TRUE(limit("revolute", "-25", "25").empty());
    EXPECT_TRUE(limit("revolute", "-1e16", "1e16").empty()); // as good as none
    EXPECT_TRUE(limit("prismatic", "-170", "170").empty());
}

TEST(UrdfNotes, shipped_models_are_in_our_units)
{
    for (const auto& entry : std::filesystem::directory_iterator(SWEEPDYN_MODELS)) {
        if (entry.path().extension() != ".urdf")
            continue;
        for (const std::string& doubt : notes(read_urdf(entry.path().string()), Note::Kind::doubt))
            EXPECT_EQ(doubt.find("suspicious"), std::string::npos) << entry.path() << ": " << doubt;
    }
}

TEST(UrdfNotes, a_mimic_of_a_fixed_joint)
{
    EXPECT_EQ(doubts(robot(link("a") + link("b") + link("c") + joint("i", "fixed", "a", "b") +
                           joint("j", "continuous", "a", "c", "<mimic joint=\"i\"/>"))),
              Texts{"<mimic> of <joint name=\"j\"> (line 6): joint 'i' is fixed, so nothing is left to "
                    "follow and this joint moves by itself"});
}

TEST(UrdfNotes, parts_that_are_missing)
{
    EXPECT_EQ(doubts("<robot><link name=\"a\"><inertial/></link></robot>"),
              (Texts{"<robot> (line 1): attribute name is missing, so the model is called 'r'",
                     "<inertial> of <link name=\"a\"> (line 1): there is no <mass>, so it is 0",
                     "<inertial> of <link name=\"a\"> (line 1): there is no <inertia>, so it is 0"}));
    EXPECT_EQ(
        doubts(robot("<link name=\"a\"><visual/><collision><geometry><cone/></geometry></collision></link>")),
        (Texts{"<visual> of <link name=\"a\"> (line 2): no shape is in its <geometry>, so it is left out; "
               "expected box, cylinder, sphere, capsule or mesh",
               "<collision> of <link name=\"a\"> (line 2): no shape is in its <geometry>, so it is left out; "
               "expected box, cylinder, sphere, capsule or mesh"}));
    EXPECT_EQ(remarks(robot("<link name=\"a\"><visual><geometry><sphere radius=\"1\"/></geometry><material "
                            "name=\"x\"/></visual></link>")),
              Texts{"<material name=\"x\"> (line 2): unknown material 'x'; there is none"});
}

TEST(UrdfNotes, links_without_inertia_load)
{
    const Model model = parse(robot("<link name=\"a\"><visual><geometry><sphere "
                                    "radius=\"1\"/></geometry></visual></link>\n<link name=\"b\"/>\n" +
                                    joint("j", "continuous", "a", "b")));
    EXPECT_EQ(model.num_dofs(), 1);
    EXPECT_EQ(notes(model, Note::Kind::doubt).size(), 2u); // the builder's: no mass, nothing to move
}

TEST(UrdfNotes, strict_makes_doubts_faults)
{
    LoadOptions strict;
    strict.strict = true;
    EXPECT_EQ(faults(two_links("revolute"), strict),
              Texts{"<joint name=\"j\"> (line 4): a revolute joint has no <limit>; expected <limit lower=... "
                    "upper=... effort=... velocity=.../>"});
    EXPECT_TRUE(faults(two_links("fixed", "<safety_controller/>"), strict).empty());
    EXPECT_EQ(faults(two_links("continuous", "<dynamics damping=\"-1\"/>"), strict),
              Texts{"<joint name=\"j\"> (line 4): hinge 'j': damping is -1, negative: it feeds energy in"});
}

} // namespace
