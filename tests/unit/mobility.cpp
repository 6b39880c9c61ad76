// Singular poses: told where more moves than nearby, and nowhere else.
#include "sweepdyn/kinematics/mobility.hpp"

#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::test {
namespace {

Model parallelogram()
{
    ModelBuilder builder("parallelogram");
    const auto bar = [&](const std::string& name, const std::string& parent, double x) {
        builder.add_body({name, 1.0, {0.5, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name};
        hinge.X_PF.p = {x, 0, 0};
        builder.add_hinge(hinge);
    };
    bar("crank", "", 0.0);
    bar("coupler", "crank", 1.0);
    bar("rocker", "", 2.0);
    Loop pin{.name = "pin", .kind = LoopKind::planar_pin, .body_a = "coupler", .body_b = "rocker"};
    pin.X_Aa.p = {2, 0, 0};
    pin.X_Bb.p = {1, 0, 0};
    builder.add_loop(pin);
    return builder.build();
}

TEST(Mobility, FlatParallelogramIsSingularAndABentOneIsNot)
{
    const Model model = parallelogram();
    const std::vector<double> flat{0, 0, 0}, bent{0.7, -0.7, 0.7};
    const std::vector<SingularPose> poses = singular_poses(model, flat);
    ASSERT_EQ(poses.size(), 1u);
    EXPECT_EQ(poses[0].mobility, 2);
    EXPECT_EQ(poses[0].mobility_nearby, 1);
    EXPECT_EQ(words(poses), "loop 'pin': its hinges have mobility 2 here, 1 nearby");
    EXPECT_TRUE(singular_poses(model, bent).empty());
}

TEST(Mobility, RedundantRowsAreNoSingularity)
{
    for (const char* name :
         {"four_bar_3d_5dof_closure", "planetary_redundant", "bennett", "stewart_6ups", "two_arms_box"}) {
        const ClosedGolden golden = closed_golden(name);
        EXPECT_TRUE(singular_poses(golden.model, golden.q).empty()) << name;
    }
}

} // namespace
} // namespace sweepdyn::test
