// How fast a loop opens, as a part of its own motion: rounding of what moves around it is none, and anything more is.
#include "sweepdyn/kinematics/loop_slip.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

// A triangle of bars of 3, 4 and 5 times `size` on a turning arm, or a weld; a flywheel and a gear on the arm are coupled.
Model brace(HingeKind arm, double size = 1.0)
{
    ModelBuilder builder("brace");
    const auto body = [&](const std::string& name, const std::string& parent, HingeKind kind, double x) {
        builder.add_body({name, 1.0, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = kind, .parent = parent, .child = name};
        hinge.X_PF.p = {x * size, 0, 0};
        builder.add_hinge(hinge);
    };
    body("arm", "", arm, 0.0);
    body("p", "arm", HingeKind::revolute, 0.0);
    body("r", "arm", HingeKind::revolute, 5.0);
    body("wheel", "arm", HingeKind::revolute, 6.0);
    body("gear", "arm", HingeKind::revolute, 7.0);
    Loop tip{.name = "tip", .kind = LoopKind::planar_pin, .body_a = "p", .body_b = "r"};
    tip.X_Aa.p = {4 * size, 0, 0};
    tip.X_Bb.p = {3 * size, 0, 0};
    builder.add_loop(tip);
    builder.add_loop(mimic("mesh", "gear", "wheel", -2.0));
    return builder.build();
}

// Of loop l; the dofs of the triangle, the last but two, where it closes.
LoopSlip slip(const Model& model, std::vector<double> v, std::size_t l)
{
    const double at_p = std::acos(0.8), at_r = std::acos(-1.0) - std::acos(0.6);
    std::vector<double> q(v.size(), 0.0);
    q[q.size() - 4] = at_p, q[q.size() - 3] = at_r;
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    Loops<double> loops(model, model.loops());
    update_loops(kin, loops);
    EXPECT_LT(gap_of(kin, loops, loops.loops[l]).part, 1e-15);
    return slip_of(kin, loops, loops.loops[l]);
}

TEST(LoopSlip, IsAPartOfItsOwnMotion)
{
    const Model model = brace(HingeKind::weld);
    for (double speed : {1e-200, 1e-9, 1.0, 1e9}) {
        const LoopSlip out = slip(model, {speed, 0, 0, 0}, 0);
        EXPECT_NEAR(out.slide / speed, 4.0, 1e-14); // p's tip, 4 from its hinge, along the loop's y
        EXPECT_EQ(out.part, 1.0);
    }
    EXPECT_EQ(slip(model, {0, 0, 0, 0}, 0).part, 0.0);
    EXPECT_EQ(slip(model, {0, 0, 1, -2}, 1).part, 0.0); // gear = -2 wheel
    EXPECT_NEAR(slip(model, {0, 0, 1, -2.1}, 1).part, 0.1 / 4.1, 1e-15);
    EXPECT_NEAR(slip(model, {0, 0, 1, -2.1}, 1).coordinate, 0.1, 1e-15);
}

TEST(LoopSlip, RoundingOfWhatCarriesItIsNone)
{
    for (double size : {1e-3, 1.0, 1e3}) {
        const Model model = brace(HingeKind::revolute, size);
        for (double speed : {1e-9, 1.3, 1e9})
            for (double noise : {1e-17, 3e-16, 1e-14}) {
                EXPECT_EQ(slip(model, {speed, noise * speed, 0, 0, 0}, 0).part, 0.0);
                EXPECT_EQ(slip(model, {speed, 0, 0, noise * speed, 0}, 1).part, 0.0);
            }
        for (double real : {1e-11, 1e-6, 1.0}) {
            EXPECT_GT(slip(model, {1.3, 1.3 * real, 0, 0, 0}, 0).part, 0.5);
            EXPECT_EQ(slip(model, {1.3, 0, 0, 1.3 * real, 0}, 1).part, 1.0);
        }
    }
}

// Who projects velocities onto all loops at once has the rounding of the whole everywhere; more than that is a slip, whatever moves elsewhere.
TEST(LoopSlip, RoundingOfWhatMovesElsewhereIsNone)
{
    const Model model = brace(HingeKind::weld);
    for (double noise : {1e-300, 1e-17, 1e-14}) {
        EXPECT_EQ(slip(model, {noise, 0, 1.0, -2.0}, 0).part, 0.0);
        EXPECT_EQ(slip(model, {1.0, 1.0, noise, 0}, 1).part, 0.0);
    }
    EXPECT_EQ(slip(model, {1e-10, 0, 1.0, -2.0}, 0).part, 1.0);
    EXPECT_EQ(slip(model, {1.0, 1.0, 1e-10, 0}, 1).part, 1.0);
}

} // namespace
} // namespace sweepdyn
