// What becomes of the root link.
#include <gtest/gtest.h>

#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;
using Base = LoadOptions::Base;

LoadOptions with(Base base)
{
    LoadOptions options;
    options.base = base;
    return options;
}
const std::string arm = robot(link("a") + link("b") + joint("j", "continuous", "a", "b"));
const std::string on_empty_root =
    robot("<link name=\"root\"/>\n" + link("a") + joint("j", "continuous", "root", "a"));
const std::string named_base = robot(link("a") + link("b") + joint("base", "continuous", "a", "b"));

Model floating_file(Base base) { return read_urdf(data("floating.urdf"), with(base)); }

TEST(UrdfBase, a_root_link_with_substance_is_welded_to_the_ground)
{
    for (Base base : {Base::from_file, Base::fixed}) {
        const Model model = parse(arm, with(base));
        EXPECT_EQ(model.num_bodies(), 2);
        EXPECT_EQ(model.hinges()[0].name, "base");
        EXPECT_EQ(model.hinges()[0].kind, HingeKind::weld);
        EXPECT_FALSE(model.floating_base());
    }
}

TEST(UrdfBase, the_weld_gives_way_to_a_joint_of_its_name)
{
    EXPECT_EQ(parse(named_base).hinges()[0].name, "base_weld");
}

TEST(UrdfBase, an_empty_root_link_is_the_ground)
{
    const Model model = parse(on_empty_root);
    EXPECT_EQ(model.num_bodies(), 1);
    EXPECT_EQ(model.hinges()[0].parent, "");
    EXPECT_EQ(model.frame_body(model.frame("root")), ground);
    EXPECT_EQ(model.frame_body(model.frame("world")), ground);
}

TEST(UrdfBase, a_root_link_called_world_adds_no_second_frame)
{
    const Model model =
        parse(robot("<link name=\"world\"/>\n" + link("a") + joint("j", "continuous", "world", "a")));
    EXPECT_EQ(model.frames().size(), 2u);
}

TEST(UrdfBase, floating_on_request)
{
    const Model model = parse(arm, with(Base::floating));
    EXPECT_EQ(model.floating_base(), 0);
    EXPECT_EQ(model.hinges()[0].name, "base");
    EXPECT_EQ(model.dof_names()[0], "base.wx");
    EXPECT_EQ(model.num_dofs(), 7);
}

TEST(UrdfBase, an_empty_root_link_can_float_without_mass)
{
    const Model model = parse(on_empty_root, with(Base::floating));
    EXPECT_EQ(model.floating_base(), 0);
    EXPECT_EQ(model.bodies()[0].name, "root");
    EXPECT_EQ(model.bodies()[0].mass, 0);
    EXPECT_EQ(model.num_dofs(), 7);
}

TEST(UrdfBase, what_floats_already_stays)
{
    for (Base base : {Base::from_file, Base::floating}) {
        const Model model = floating_file(base);
        EXPECT_EQ(model.floating_base(), 0);
        EXPECT_EQ(model.bodies()[0].name, "trunk");
        EXPECT_EQ(model.hinges()[0].name, "root_joint");
        EXPECT_EQ(model.num_dofs(), 7);
        EXPECT_TRUE(model.notes().empty());
    }
}

TEST(UrdfBase, a_floating_base_can_be_fixed)
{
    const Model model = floating_file(Base::fixed);
    EXPECT_FALSE(model.floating_base());
    EXPECT_EQ(model.hinges()[0].name, "root_joint");
    EXPECT_EQ(model.hinges()[0].kind, HingeKind::weld);
    EXPECT_EQ(model.num_dofs(), 1);
    EXPECT_EQ(notes(model, Note::Kind::remark),
              Texts{"the floating joint 'root_joint' is welded, as a fixed base was asked for"});
}

TEST(UrdfBase, several_floating_bodies)
{
    const std::string two = robot("<link name=\"root\"/>\n" + link("a") + link("b") +
                                  joint("i", "floating", "root", "a") + joint("j", "floating", "root", "b"));
    EXPECT_FALSE(parse(two).floating_base());
    EXPECT_EQ(notes(parse(two, with(Base::fixed)), Note::Kind::remark),
              Texts{"2 bodies float, so none is the base; all of them stay free"});
    EXPECT_EQ(faults(two, with(Base::floating)),
              Texts{"<link name=\"root\"> (line 2): a floating base was asked for, but 2 joints float on "
                    "this link already, 'i' and 'j' among them; "
                    "load it with the base of the file"});
}

TEST(UrdfBase, the_name_of_a_floating_base_must_be_free)
{
    EXPECT_EQ(faults(named_base, with(Base::floating)),
              Texts{"<joint name=\"base\"> (line 4): a floating base is asked for, and its hinge is to be "
                    "called 'base'; rename this joint"});
}

TEST(UrdfBase, one_empty_link_is_no_model)
{
    EXPECT_EQ(faults(robot("<link name=\"only\"/>")),
              Texts{"<link name=\"only\"> (line 2): the only link is empty, so nothing is there to move; "
                    "give it an <inertial>, or links that hang on it"});
    EXPECT_EQ(parse(robot("<link name=\"only\"/>"), with(Base::floating)).num_bodies(), 1);
}

} // namespace
