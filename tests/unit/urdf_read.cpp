// What the URDF reader makes of a good file.
#include <clocale>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;

Model every_joint(const LoadOptions& options = {}) { return read_urdf(data("every_joint.urdf"), options); }

const Hinge& hinge(const Model& model, const char* name)
{
    return model.hinges()[static_cast<std::size_t>(model.hinge(name))];
}
const Body& body(const Model& model, const char* name)
{
    return model.bodies()[static_cast<std::size_t>(model.body(name).index)];
}

Texts hinge_names(const Model& model)
{
    Texts names;
    for (const Hinge& h : model.hinges())
        names.push_back(h.name);
    return names;
}

void expect_near(const Vec3<double>& a, const Vec3<double>& b)
{
    EXPECT_LT(norm(a - b), 1e-15) << a.x << " " << a.y << " " << a.z;
}

TEST(UrdfRead, order_is_depth_first_with_siblings_as_in_the_file)
{
    EXPECT_EQ(hinge_names(every_joint()),
              (Texts{"base", "shoulder", "wrist_slide", "tool_mount", "wheel", "table", "drone"}));
    EXPECT_EQ(every_joint().name(), "every_joint");
}

TEST(UrdfRead, joint_types)
{
    const Model model = every_joint();
    EXPECT_EQ(hinge(model, "base").kind, HingeKind::weld);
    EXPECT_EQ(hinge(model, "tool_mount").kind, HingeKind::weld);
    EXPECT_EQ(hinge(model, "shoulder").kind, HingeKind::revolute);
    EXPECT_EQ(hinge(model, "wheel").kind, HingeKind::continuous);
    EXPECT_EQ(hinge(model, "wrist_slide").kind, HingeKind::prismatic);
    EXPECT_EQ(hinge(model, "table").kind, HingeKind::planar);
    EXPECT_EQ(hinge(model, "drone").kind, HingeKind::free);
}

TEST(UrdfRead, placement_and_axis)
{
    const Model model = every_joint();
    expect_near(hinge(model, "shoulder").axis, {0, 2 / std::sqrt(5.0), 1 / std::sqrt(5.0)});
    expect_near(hinge(model, "wrist_slide").axis, {1, 0, 0}); // what URDF says when nothing is said
    expect_near(hinge(model, "shoulder").X_PF.p, {0, 0, 0.5});
    // Turned by -90 degrees about x: y goes to -z, z to y.
    expect_near(hinge(model, "wheel").X_PF.R * Vec3<double>{0, 1, 0}, {0, 0, -1});
    expect_near(hinge(model, "wheel").X_PF.R * Vec3<double>{0, 0, 1}, {0, 1, 0});
    EXPECT_EQ(hinge(model, "shoulder").X_CM, Pose<double>{});
}

TEST(UrdfRead, roll_pitch_yaw_turn_about_fixed_axes_in_that_order)
{
    const Model model = parse(
        robot(link("a") + link("b") +
              joint("j", "fixed", "a", "b", "<origin rpy=\"1.5707963267948966 0 1.5707963267948966\"/>")));
    // x stays under the roll and goes to y by the yaw; y goes to z by the roll and stays.
    expect_near(hinge(model, "j").X_PF.R.x, {0, 1, 0});
    expect_near(hinge(model, "j").X_PF.R.y, {0, 0, 1});
}

TEST(UrdfRead, quaternions_of_newer_files)
{
    const Model model =
        parse(robot(link("a") + link("b") +
                    joint("j", "fixed", "a", "b", "<origin xyz=\"1 2 3\" quat_xyzw=\"0 0 0.6 0.8\"/>")));
    expect_near(hinge(model, "j").X_PF.R.x, {0.28, 0.96, 0});
    expect_near(hinge(model, "j").X_PF.p, {1, 2, 3});
}

TEST(UrdfRead, limits_and_dynamics)
{
    const Model model = every_joint();
    EXPECT_EQ(hinge(model, "shoulder").limits, (Limits{{-1.5}, {2}, {3}, {30}}));
    EXPECT_EQ(hinge(model, "wheel").limits, (Limits{{}, {}, {20}, {5}}));
    EXPECT_EQ(hinge(model, "shoulder").damping, std::vector<double>{0.7});
    EXPECT_EQ(hinge(model, "shoulder").friction, std::vector<double>{0.2});
    EXPECT_EQ(hinge(model, "wheel").damping, std::vector<double>{0});
}

TEST(UrdfRead, mimic)
{
    const Model model = every_joint();
    ASSERT_EQ(model.loops().size(), 1u);
    EXPECT_EQ(model.loops()[0].name, "wrist_slide");
    EXPECT_EQ(model.loops()[0].kind, LoopKind::coupling);
    EXPECT_EQ(equation(model.loops()[0]), "'wrist_slide' = -0.05 'shoulder' + 0.01");
}

TEST(UrdfRead, inertia_is_turned_into_link_axes)
{
    // A quarter turn about z swaps the moments about x and y and moves the product with z.
    const Model model = parse(
        robot(R"(<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="5"/>
        <inertia ixx="1" ixy="0" ixz="0.1" iyy="2" iyz="0" izz="2.5"/></inertial></link>)"));
    const Body& a = body(model, "a");
    EXPECT_EQ(a.mass, 5);
    expect_near(a.com, {1, 2, 3});
    EXPECT_NEAR(a.inertia_com.xx, 2, 1e-15);
    EXPECT_NEAR(a.inertia_com.yy, 1, 1e-15);
    EXPECT_NEAR(a.inertia_com.yz, 0.1, 1e-15);
    EXPECT_NEAR(a.inertia_com.xz, 0, 1e-15);
}

TEST(UrdfRead, shapes_and_colours)
{
    const Model model = every_joint();
    const Shape& box = body(model, "base_link").visuals.at(0);
    EXPECT_EQ(box.kind, Shape::Kind::box);
    EXPECT_EQ(box.size, (std::vector<double>{0.2, 0.3, 0.4}));
    EXPECT_EQ(box.name, "body");
    EXPECT_EQ(box.color, (std::vector<double>{0.8, 0.1, 0.1, 1})); // of the robot's material
    expect_near(box.X_BS.p, {0, 0, 0.1});
    const Shape& cylinder = body(model, "base_link").collisions.at(0);
    EXPECT_EQ(cylinder.kind, Shape::Kind::cylinder);
    EXPECT_EQ(cylinder.size, (std::vector<double>{0.2, 0.5}));
    EXPECT_TRUE(cylinder.color.empty());
    const Shape& mesh = body(model, "arm").visuals.at(0);
    EXPECT_EQ(mesh.kind, Shape::Kind::mesh);
    EXPECT_EQ(mesh.size, (std::vector<double>{0.001, 0.001, 0.001}));
    EXPECT_EQ(mesh.color, (std::vector<double>{0, 1, 0, 0.5}));                             // on the spot
    EXPECT_EQ(body(model, "wrist").visuals.at(0).color,
              (std::vector<double>{0, 1, 0, 0.5})); // by the name given there
}

TEST(UrdfRead, capsule)
{
    const Model model = parse(robot(
        R"(<link name="a"><collision><geometry><capsule radius="0.1" length="0.4"/></geometry></collision></link>)"));
    EXPECT_EQ(body(model, "a").collisions.at(0).kind, Shape::Kind::capsule);
    EXPECT_EQ(body(model, "a").collisions.at(0).size, (std::vector<double>{0.1, 0.4}));
}

TEST(UrdfRead, packages_are_found_in_their_roots)
{
    const std::string written = "package://plate_description/meshes/plate.stl";
    EXPECT_EQ(body(every_joint(), "arm").visuals[0].file, written);
    for (const std::string& root : {data("packages"), data("packages/"), data("packages/plate_description"),
                                    data("packages/plate_description/")}) {
        LoadOptions options;
        options.package_roots = {data("nowhere"), root};
        const std::string file = body(every_joint(options), "arm").visuals[0].file;
        EXPECT_NE(file, written);
        EXPECT_TRUE(file.starts_with(data("packages"))) << file;
        EXPECT_TRUE(file.ends_with("meshes/plate.stl")) << file;
    }
    // Whoever reads the model from another folder is to find it too.
    LoadOptions options;
    options.package_roots = {
        std::filesystem::relative(data("packages/../packages/plate_description/meshes/..")).string()};
    EXPECT_EQ(body(every_joint(options), "arm").visuals[0].file,
              std::filesystem::path(data("packages/plate_description/meshes/plate.stl")).lexically_normal());
}

TEST(UrdfRead, gravity_is_an_option)
{
    LoadOptions options;
    EXPECT_EQ(every_joint().gravity(), (Vec3<double>{0, 0, -9.81}));
    options.gravity = Vec3<double>{1, 2, 3};
    EXPECT_EQ(every_joint(options).gravity(), (Vec3<double>{1, 2, 3}));
}

TEST(UrdfRead, numbers_are_read_as_written_in_every_locale)
{
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* comma : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"})
        if (std::setlocale(LC_ALL, comma))
            break;
    const Model model = parse(robot(link("a") + link("b") +
                                    joint("j", "fixed", "a", "b", "<origin xyz=\" +1.5e0\t.25 \n -2. \"/>")));
    std::setlocale(LC_ALL, before.c_str());
    expect_near(hinge(model, "j").X_PF.p, {1.5, 0.25, -2});
}

TEST(UrdfRead, a_long_chain_does_not_exhaust_the_stack)
{
    const auto name = [](char letter, int i) { return std::string(1, letter).append(std::to_string(i)); };
    std::string text = link(name('l', 0));
    for (int i = 1; i <= 20000; ++i)
        text += link(name('l', i)) + joint(name('j', i), "continuous", name('l', i - 1), name('l', i));
    EXPECT_EQ(parse(robot(text)).num_dofs(), 20000);
}

} // namespace
