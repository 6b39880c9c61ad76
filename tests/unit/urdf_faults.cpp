// What the URDF reader says to a bad file: element, line, what it found, what it expected.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;
namespace fs = std::filesystem;

// A folder of our own, gone at the end.
struct Scratch {
    fs::path path = fs::temp_directory_path() / ("sweepdyn_urdf_" + std::to_string(::getpid()));
    Scratch() { fs::create_directories(path); }
    ~Scratch() { fs::remove_all(path); }
    std::string file(const std::string& name, const std::string& text) const
    {
        std::ofstream(path / name, std::ios::binary) << text;
        return (path / name).string();
    }
};

std::string error_of(const std::string& path)
{
    try {
        read_urdf(path);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "";
}

TEST(UrdfFaults, files)
{
    const Scratch scratch;
    const std::string folder = scratch.path.string();
    scratch.file("robot.urdf", robot(link("a")));
    const std::string empty = scratch.file("empty.urdf", "");
    EXPECT_EQ(error_of(folder), folder + ": 1 fault\n  - this is a directory; give a file in it");
    EXPECT_EQ(error_of(empty), empty + ": 1 fault\n  - the file is empty; expected XML with <robot>, "
                                       "<sdf> or <mujoco>, or a native model in JSON");
    EXPECT_EQ(error_of(folder + "/robto.urdf"),
              folder + "/robto.urdf: 1 fault\n  - no such file; did you mean '" + folder + "/robot.urdf'?");
    EXPECT_EQ(error_of(folder + "/none/a.urdf"),
              folder + "/none/a.urdf: 1 fault\n  - no such file: there is no folder '" + folder + "/none'");
}

TEST(UrdfFaults, text_that_is_no_xml)
{
    EXPECT_EQ(faults(" \n "), Texts{"the file is empty; expected XML with a <robot> element"});
    EXPECT_EQ(faults("\n  solid part"),
              Texts{"line 2: not XML, it begins with \"solid part\"; expected <robot ...>"});
    EXPECT_EQ(faults(std::string("<\0r\0", 4)), Texts{"the file is encoded in UTF-16; save it as UTF-8"});
    EXPECT_EQ(faults(std::string("\0<\0r\0o", 6)), Texts{"the file is encoded in UTF-16; save it as UTF-8"});
    EXPECT_EQ(faults("\xFF\xFE<"), Texts{"the file is encoded in UTF-16; save it as UTF-8"});
    const auto binary = [](const std::string& text) { return faults(text).at(0); };
    const std::string rest = "; expected a model as URDF or JSON";
    EXPECT_EQ(binary(std::string(100, '\0')),
              "line 1: this is not a text file, it holds the byte 0x00" + rest);
    EXPECT_EQ(binary(std::string("\0\1\2\3\4\5", 6)),
              "line 1: this is not a text file, it holds the byte 0x00" + rest);
    EXPECT_EQ(binary("\x7f"
                     "ELF\2\1\1"),
              "line 1: this is not a text file, it holds the byte 0x02" + rest);
    EXPECT_EQ(binary("<robot name=\"r\">\n<link name=\"a" + std::string(1, '\0') + "\"/>\n</robot>"),
              "line 2: this is not a text file, it holds the byte 0x00" + rest);
    EXPECT_EQ(faults("<!-- nothing -->"), Texts{"the file has no element; expected <robot>"});
}

TEST(UrdfFaults, broken_xml)
{
    EXPECT_EQ(faults("<robot name=\"r\">\n<link name=\"a\">\n</robot>"),
              Texts{"line 2: broken XML, an element is not closed, or closed by another name; got \"<link "
                    "name=\"a\">\""});
    EXPECT_EQ(
        faults("<robot name=\"r\">\n<link name=a/>\n</robot>"),
        Texts{
            "line 2: broken XML, an attribute is given twice, or not written as name=\"value\"; got \"<link "
            "name=a/>\""});
    EXPECT_EQ(faults("<robot name=\"r\">\n<link name=\"a\" name=\"b\"/>\n</robot>"),
              Texts{"line 2: broken XML, an attribute is given twice, or not written as name=\"value\"; got "
                    "\"<link name=\"a\" name=\"b\"/>\""});
    EXPECT_EQ(faults("<robot>\n<!-- "),
              Texts{"line 2: broken XML, a comment that nothing ends; got \"<!-- \""});
    EXPECT_EQ(faults("<robot/>\n<robot/>"),
              Texts{"<robot> (line 2): a second root element; everything belongs into one <robot>"});
}

TEST(UrdfFaults, other_formats)
{
    EXPECT_EQ(faults("<sdf version=\"1.7\"/>"), Texts{"<sdf> (line 1): this is SDF, the format of Gazebo, "
                                                      "expected URDF; load_model reads both"});
    EXPECT_EQ(faults("<mujoco/>"), Texts{"<mujoco> (line 1): this is MJCF, the format of MuJoCo, expected "
                                         "URDF; load_model reads both"});
    EXPECT_EQ(faults("<html/>"),
              Texts{"<html> (line 1): this is not URDF; expected the root element <robot>"});
}

TEST(UrdfFaults, xacro_with_the_command_to_type)
{
    const Scratch scratch;
    const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
    const std::string macro = robot("<xacro:property name=\"m\" value=\"1\"/>");
    ::setenv("PATH", scratch.path.c_str(), 1);
    const Texts without = faults(macro);
    fs::permissions(scratch.file("xacro", "#!/bin/sh\n"), fs::perms::owner_all);
    const Texts with = faults(macro);
    ::setenv("PATH", path.c_str(), 1);

    EXPECT_EQ(without, Texts{"<xacro:property name=\"m\"> (line 2): this is xacro, to be expanded into URDF "
                             "first; install it (pip install xacro, or "
                             "the xacro package of your ROS), then type: xacro r.urdf > r.expanded.urdf"});
    EXPECT_EQ(with, Texts{"<xacro:property name=\"m\"> (line 2): this is xacro, to be expanded into URDF "
                          "first; type: xacro r.urdf > r.expanded.urdf"});
}

TEST(UrdfFaults, xacro_by_its_expressions_or_by_its_name)
{
    const auto fault = [](const std::string& text, const char* name) {
        try {
            parse_urdf(text, name);
        } catch (const ModelError& error) {
            return error.faults.at(0);
        }
        return std::string();
    };
    EXPECT_TRUE(fault(robot("<link name=\"a\"><inertial><mass value=\"${m}\"/></inertial></link>"), "r.urdf")
                    .starts_with("<mass> of <link name=\"a\"> (line 2): this is xacro"));
    EXPECT_TRUE(
        fault(robot(link("a")), "my arm.urdf.xacro").ends_with("xacro 'my arm.urdf.xacro' > 'my arm.urdf'"));
    EXPECT_TRUE(fault(robot(link("a")), "x/arm.xacro").ends_with("xacro x/arm.xacro > x/arm.urdf"));
    // What xacro has expanded keeps the declaration, and Gazebo's part may hold anything.
    EXPECT_EQ(fault("<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\"><gazebo a=\"$(x)\"/>" +
                        link("a") + "</robot>",
                    "r.urdf"),
              "");
}

TEST(UrdfFaults, numbers)
{
    const auto origin = [](const std::string& xyz) {
        return faults(
            robot(link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin xyz=\"" + xyz + "\"/>")));
    };
    const std::string at = "<origin> of <joint name=\"j\"> (line 4): xyz is ",
                      expected = ", expected 3 finite numbers separated by spaces: ";
    EXPECT_EQ(origin("1 2"), Texts{at + "\"1 2\"" + expected + "got 2"});
    EXPECT_EQ(origin("1 2 3 4"), Texts{at + "\"1 2 3 4\"" + expected + "got 4"});
    EXPECT_EQ(origin(""), Texts{at + "\"\"" + expected + "got 0"});
    EXPECT_EQ(origin("0 nan 0"), Texts{at + "\"0 nan 0\"" + expected + "'nan' is not finite"});
    EXPECT_EQ(origin("0 0 -inf"), Texts{at + "\"0 0 -inf\"" + expected + "'-inf' is not finite"});
    EXPECT_EQ(origin("1.0abc 0 0"), Texts{at + "\"1.0abc 0 0\"" + expected + "'1.0abc' is not a number"});
    EXPECT_EQ(origin("0x10 0 0"), Texts{at + "\"0x10 0 0\"" + expected + "'0x10' is not a number"});
    EXPECT_EQ(origin("1,5 0 0"),
              Texts{at + "\"1,5 0 0\"" + expected +
                    "'1,5' is not a number: write a decimal point, and spaces between numbers"});
    EXPECT_EQ(origin("1e999 0 0"),
              Texts{at + "\"1e999 0 0\"" + expected + "'1e999' is outside of what a double can hold"});
    EXPECT_EQ(faults(robot("<link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link>")),
              Texts{"<mass> of <link name=\"a\"> (line 2): value is \"heavy\", expected 1 finite number: "
                    "'heavy' is not a number"});
}

TEST(UrdfFaults, turns)
{
    const auto origin = [](const std::string& attributes) {
        return faults(
            robot(link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin " + attributes + "/>")));
    };
    const std::string at = "<origin> of <joint name=\"j\"> (line 4): ";
    EXPECT_EQ(origin("rpy=\"0 0 0\" quat_xyzw=\"0 0 0 1\""),
              Texts{at + "rpy and quat_xyzw are both given; keep one"});
    EXPECT_EQ(origin("quat_xyzw=\"0 0 0 0\""), Texts{at + "quat_xyzw has length 0, expected 1"});
}

TEST(UrdfFaults, missing_attributes_and_elements)
{
    EXPECT_EQ(faults(robot("<link/>\n<joint/>")),
              (Texts{"<link> (line 2): attribute name is missing; write name=\"...\"",
                     "<joint> (line 3): attribute name is missing; write name=\"...\"",
                     "<joint> (line 3): attribute type is missing; write type=\"...\"",
                     "<joint> (line 3): <parent> is missing; write <parent link=\"...\"/>",
                     "<joint> (line 3): <child> is missing; write <child link=\"...\"/>"}));
    EXPECT_EQ(faults(robot("<material name=\"m\"/>")),
              Texts{"there is no <link> in <robot>; expected at least one"});
    EXPECT_EQ(
        faults(robot("<link name=\"a\"><inertial><mass/><inertia ixx=\"1\" iyy=\"1\"/></inertial></link>")),
        (Texts{"<mass> of <link name=\"a\"> (line 2): attribute value is missing; write value=\"NUMBER\"",
               "<inertia> of <link name=\"a\"> (line 2): missing ixy, ixz, iyz, izz; expected ixx, ixy, ixz, "
               "iyy, iyz, izz"}));
    EXPECT_EQ(faults(robot("<link name=\"a\"><visual><geometry><box/></geometry></visual></link>")),
              Texts{"<box> of <link name=\"a\"> (line 2): attribute size is missing; write size=\"X Y Z\""});
}

TEST(UrdfFaults, misspelt_links_and_joints)
{
    EXPECT_EQ(faults(robot("<Link name=\"a\"/>\n<material name=\"m\"/>")),
              (Texts{"there is no <link> in <robot>; expected at least one",
                     "<Link name=\"a\"> (line 2): unknown element 'Link' is ignored; did you mean 'link'?"}));
    EXPECT_EQ(faults(robot(link("a") + link("b") + "<Joint name=\"j\"/>")).at(1),
              "<Joint name=\"j\"> (line 4): unknown element 'Joint' is ignored; did you mean 'joint'?");
    EXPECT_EQ(faults(robot("<link name=\"\xE9\"/>")),
              Texts{"<link name=\"?\"> (line 2): name is \"?\", expected printable text in UTF-8"});
}

TEST(UrdfFaults, two_parents_or_children_of_a_joint)
{
    const std::string links = link("a") + link("b") + link("c");
    EXPECT_EQ(
        faults(robot(links + joint("i", "fixed", "a", "c") +
                     joint("j", "fixed", "a", "b", "\n<parent link=\"c\"/>"))),
        Texts{"<parent> of <joint name=\"j\"> (line 7): the joint has two parents, 'a' and 'c'; expected "
              "one, so remove the other"});
    EXPECT_EQ(
        faults(robot(links + joint("j", "fixed", "a", "b", "\n<child link=\"c\"/>"))).at(0),
        "<child> of <joint name=\"j\"> (line 6): the joint has two children, 'b' and 'c'; expected one, so "
        "remove the other");
}

TEST(UrdfFaults, joint_type_and_axis)
{
    EXPECT_EQ(faults(robot(link("a") + link("b") + joint("j", "revolut", "a", "b"))),
              Texts{"<joint name=\"j\"> (line 4): unknown joint type 'revolut'; did you mean 'revolute'?"});
    EXPECT_EQ(faults(robot(link("a") + link("b") + joint("j", "spherical", "a", "b"))),
              Texts{"<joint name=\"j\"> (line 4): unknown joint type 'spherical'; known: fixed, revolute, "
                    "continuous, prismatic, planar, floating"});
    EXPECT_EQ(
        faults(robot(link("a") + link("b") + joint("j", "continuous", "a", "b", "\n<axis xyz=\"0 0 0\"/>"))),
        Texts{"<axis> of <joint name=\"j\"> (line 5): xyz is \"0 0 0\", which has no direction; expected the "
              "axis that the joint moves about or along"});
}

TEST(UrdfFaults, names)
{
    EXPECT_EQ(
        faults(robot(link("a") + link("b") + link("a") + joint("j", "fixed", "a", "b"))),
        Texts{
            "<link name=\"a\"> (line 4): the name 'a' is taken by <link name=\"a\"> (line 2); give another"});
    EXPECT_EQ(faults(robot(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b") +
                           joint("j", "fixed", "a", "c"))),
              Texts{"<joint name=\"j\"> (line 6): the name 'j' is taken by <joint name=\"j\"> (line 5); give "
                    "another"});
    EXPECT_EQ(faults(robot("<link name=\"a\xE9\"/>" + link("b"))),
              Texts{"<link name=\"a?\"> (line 2): name is \"a?\", expected printable text in UTF-8"});
    EXPECT_EQ(parse(robot(link("\xC3\xA9paule"))).bodies()[0].name, "\xC3\xA9paule");
}

TEST(UrdfFaults, unknown_links)
{
    EXPECT_EQ(
        faults(robot(link("upper_arm") + link("hand") + joint("j", "fixed", "uper_arm", "hand"))),
        Texts{"<parent> of <joint name=\"j\"> (line 4): unknown link 'uper_arm'; did you mean 'upper_arm'?"});
    EXPECT_EQ(faults(robot(link("a") + joint("j", "fixed", "a", "gripper_link"))),
              Texts{"<child> of <joint name=\"j\"> (line 3): unknown link 'gripper_link'; known: a"});
}

TEST(UrdfFaults, several_roots)
{
    EXPECT_EQ(faults(robot(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b"))),
              Texts{"2 links are the child of no joint: <link name=\"a\"> (line 2), <link name=\"c\"> (line "
                    "4); expected one root link: connect the "
                    "others by joints (type=\"fixed\" if they do not move) or remove them"});
}

TEST(UrdfFaults, cycles_and_two_parents)
{
    EXPECT_EQ(
        faults(robot(link("a") + link("b") + joint("i", "fixed", "a", "b") + joint("j", "fixed", "b", "a"))),
        Texts{"<link name=\"a\"> (line 2): the link hangs on itself, through <joint name=\"j\"> (line 5), "
              "<joint name=\"i\"> (line 4); a URDF is a "
              "tree, so remove one of them"});
    EXPECT_EQ(faults(robot(link("a") + link("b") + joint("i", "fixed", "b", "b"))),
              Texts{"<link name=\"b\"> (line 3): the link hangs on itself, through <joint name=\"i\"> (line "
                    "4); a URDF is a tree, so remove one of them"});
    EXPECT_EQ(faults(robot(link("a") + link("b") + link("c") + joint("i", "fixed", "a", "b") +
                           joint("j", "fixed", "a", "c") + joint("k", "fixed", "b", "c"))),
              Texts{"<link name=\"c\"> (line 4): the link has two parents: it is the child of <joint "
                    "name=\"j\"> (line 6) and of <joint name=\"k\"> "
                    "(line 7); a URDF is a tree, so remove one"});
}

TEST(UrdfFaults, mimics)
{
    const auto two = [](const std::string& of, const std::string& type, const std::string& inside = "") {
        return faults(robot(link("a") + link("b") + link("c") + joint("lead", type, "a", "b", inside) +
                            joint("follow", "continuous", "a", "c", "<mimic joint=\"" + of + "\"/>")));
    };
    const std::string at = "<mimic> of <joint name=\"follow\"> (line 6): ";
    EXPECT_EQ(two("led", "continuous"), Texts{at + "unknown joint 'led'; did you mean 'lead'?"});
    EXPECT_EQ(two("lead", "planar"),
              Texts{at + "joint 'lead' is planar, with 3 dofs; both joints of a mimic must have one"});
    EXPECT_EQ(two("follow", "continuous"), Texts{at + "joint 'follow' ends up following itself"});
    EXPECT_EQ(two("lead\"/><mimic joint=\"follow", "continuous"),
              Texts{at + "a second <mimic> in <joint>: a joint follows one other; keep one"});
    EXPECT_EQ(two("lead", "continuous", "<mimic joint=\"follow\"/>"),
              (Texts{"<mimic> of <joint name=\"lead\"> (line 5): joint 'lead' ends up following itself",
                     at + "joint 'follow' ends up following itself"}));
}

TEST(UrdfFaults, what_the_builder_finds_gets_its_line)
{
    EXPECT_EQ(faults(robot(link("a") + "<link name=\"b\"><inertial><mass value=\"-2\"/></inertial></link>\n" +
                           joint("j", "fixed", "a", "b"))),
              Texts{"<link name=\"b\"> (line 3): body 'b': mass is -2, expected zero or more"});
}

TEST(UrdfFaults, all_at_once)
{
    const Texts all = faults(
        robot("<link name=\"a\"><inertial><mass value=\"-2\"/></inertial></link>\n" + link("b") + link("c") +
              joint("i", "hinge", "a", "b", "<origin xyz=\"x\"/>") + joint("j", "fixed", "b", "cc")));
    ASSERT_EQ(all.size(), 5u);
    EXPECT_TRUE(all[0].starts_with("<joint name=\"i\"> (line 5): unknown joint type 'hinge'")) << all[0];
    EXPECT_TRUE(all[1].starts_with("<origin> of <joint name=\"i\"> (line 5): xyz is \"x\"")) << all[1];
    EXPECT_TRUE(all[2].starts_with("<child> of <joint name=\"j\"> (line 6): unknown link 'cc'")) << all[2];
    EXPECT_TRUE(all[3].starts_with("2 links are the child of no joint")) << all[3];
    EXPECT_TRUE(all[4].starts_with("<link name=\"a\"> (line 2): body 'a': mass is -2")) << all[4];
}

} // namespace
