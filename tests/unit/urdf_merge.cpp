// Merging welds leaves the motion alone.
#include <gtest/gtest.h>

#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/merge.hpp"
#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;

struct State {
    Kinematics<double> kin;
    std::vector<double> mass;

    State(const Model& model, std::uint64_t seed)
        : kin(model),
          mass(static_cast<std::size_t>(model.num_dofs() * model.num_dofs()))
    {
        std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()));
        random_configuration(model, seed, q);
        update(kin, std::span<const double>(q));
        update_inertias(kin);
        CompositeInertias<double> composite(model);
        composite_inertias(kin, composite);
        mass_matrix(kin, composite, std::span<double>(mass));
    }
    Pose<double> X_WF(const std::string& frame) const
    {
        const FrameId id = kin.model.frame(frame);
        const int body = kin.model.frame_body(id);
        const Pose<double>& X_BF = kin.model.frames()[static_cast<std::size_t>(id.index)].X_BF;
        return body == ground ? X_BF : kin.X_WB(body) * X_BF;
    }
};

void expect_same_motion(const Model& whole, const Model& merged)
{
    ASSERT_EQ(whole.num_dofs(), merged.num_dofs());
    EXPECT_NEAR(whole.total_mass(), merged.total_mass(), 1e-12 * whole.total_mass());
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const State a(whole, seed), b(merged, seed);
        const double largest = std::abs(*std::max_element(a.mass.begin(), a.mass.end()));
        for (std::size_t i = 0; i < a.mass.size(); ++i)
            EXPECT_NEAR(a.mass[i], b.mass[i], 1e-12 * largest);
        for (const Frame& frame : whole.frames()) {
            const Pose<double> X = a.X_WF(frame.name), Y = b.X_WF(frame.name);
            EXPECT_LT(norm(X.p - Y.p) + norm(X.R.x - Y.R.x) + norm(X.R.y - Y.R.y), 1e-12) << frame.name;
        }
    }
}

Model load(const std::string& path, bool merge)
{
    LoadOptions options;
    options.merge_fixed = merge;
    return read_urdf(path, options);
}

TEST(UrdfMerge, the_models_move_as_before)
{
    for (const char* name : {"arm7", "humanoid", "quadruped", "spacecraft", "two_link", "scara", "puma560",
                             "cart_double_pendulum"}) {
        SCOPED_TRACE(name);
        const std::string path = std::string(SWEEPDYN_MODELS) + "/" + name + ".urdf";
        const Model merged = load(path, true);
        const Model whole = load(path, false);
        expect_same_motion(whole, merged);
        EXPECT_EQ(Texts(whole.dof_names().begin(), whole.dof_names().end()),
                  Texts(merged.dof_names().begin(), merged.dof_names().end()));
        for (const Hinge& hinge : merged.hinges())
            EXPECT_NE(hinge.kind, HingeKind::weld) << hinge.name;
    }
}

TEST(UrdfMerge, every_joint_moves_as_before)
{
    const Model whole = load(data("every_joint.urdf"), false), merged = load(data("every_joint.urdf"), true);
    expect_same_motion(whole, merged);
    // What floated on a welded body floats on the ground, and alone there it is the base.
    EXPECT_FALSE(whole.floating_base());
    EXPECT_EQ(merged.floating_base(), merged.body("drone_link").index);
}

TEST(UrdfMerge, inertias_and_shapes_by_hand)
{
    // Two point masses of 1 and 3 kg, 2 m apart on x: the centre is at 1.5, the moment about it 1 * 1.5^2 + 3 * 0.5^2.
    const std::string point =
        "<inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>";
    LoadOptions options;
    options.merge_fixed = true;
    const Model model = parse(
        robot("<link name=\"root\"/><link name=\"a\"><inertial><mass value=\"1\"/>" + point +
              "</link><link name=\"b\"><inertial><mass value=\"3\"/>" + point +
              "<visual><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"1\"/></geometry></visual></link>" +
              joint("j", "continuous", "root", "a") +
              joint("w", "fixed", "a", "b", "<origin xyz=\"2 0 0\"/>")),
        options);
    ASSERT_EQ(model.num_bodies(), 1);
    const Body& body = model.bodies()[0];
    EXPECT_EQ(body.mass, 4);
    EXPECT_EQ(body.com, (Vec3<double>{1.5, 0, 0}));
    EXPECT_EQ(body.inertia_com, (Sym3<double>::diagonal(0, 3, 3)));
    ASSERT_EQ(body.visuals.size(), 1u);
    EXPECT_EQ(body.visuals[0].X_BS.p, (Vec3<double>{2, 0, 1}));
    EXPECT_EQ(model.frames()[static_cast<std::size_t>(model.frame("b").index)].body, "a");
}

TEST(UrdfMerge, notes_of_the_reader_stay)
{
    const Texts remarks = notes(load(data("every_joint.urdf"), true), Note::Kind::remark);
    ASSERT_EQ(remarks.size(), 3u);
    EXPECT_EQ(remarks[1], "read but without effect: gazebo x2, transmission (all but its joints) x1");
    EXPECT_EQ(remarks[2], "merging left out 2 visual and collision shapes of what is welded to the ground");
}

TEST(UrdfMerge, doubts_are_those_of_the_merged_model)
{
    // A massless link, and its mass on another one welded to it.
    const std::string text = robot("<link name=\"root\"/><link name=\"a\"/>" + link("b") +
                                   joint("j", "continuous", "root", "a") + joint("w", "fixed", "a", "b"));
    LoadOptions options;
    options.strict = true;
    EXPECT_EQ(faults(text, options), Texts{"<link name=\"a\"> (line 2): body 'a' has no mass"});
    options.merge_fixed = true;
    EXPECT_TRUE(faults(text, options).empty());
}

TEST(UrdfMerge, a_model_that_cannot_move_stays)
{
    const Model model = merge_welds(parse(robot(link("a"))));
    EXPECT_EQ(model.num_bodies(), 1);
    EXPECT_EQ(notes(model, Note::Kind::remark), Texts{"nothing can move, so no weld was merged"});
}

} // namespace
