// Poses among the outputs: C is the derivative of what y0 tells, rotation vectors included, far from zero turn too.
#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "support/linear.hpp"
#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/linear/descriptor.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::test {
namespace {

using Numbers = std::vector<double>;

Numbers pose_of(const Model& model, const std::string& frame, const Numbers& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, Numbers(static_cast<std::size_t>(model.num_dofs())));
    const Pose<double> X = frame_pose(kin, model.frame(frame));
    const Vec3<double> turn = log_rotation(X.R);
    return {turn.x, turn.y, turn.z, X.p.x, X.p.y, X.p.z};
}

// Rows 0 to 5 are the pose, the others q:*, which say how all dofs move with a state: central differences along that. A mechanism with
// loops leaves them by h^2 on either side alike, which the difference does not see.
void expect_slopes(const Model& model, const std::string& frame, const Numbers& q, const StateSpace& system,
                   int states)
{
    const double h = 1e-5;
    const int n = model.num_dofs();
    const Numbers at = pose_of(model, frame, q);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(system.y0[static_cast<std::size_t>(i)], at[static_cast<std::size_t>(i)], 1e-12);
    ASSERT_GT(std::hypot(at[0], at[1], at[2]), 0.5) << "turned far enough to tell";
    for (int state = 0; state < states; ++state) {
        Numbers side[2];
        for (int s : {0, 1}) {
            Numbers step, moved(q.size());
            for (int j = 0; j < n; ++j)
                step.push_back((s ? h : -h) * system.C(6 + j, state));
            integrate<double>(model, q, step, moved);
            side[s] = pose_of(model, frame, moved);
        }
        for (int i = 0; i < 6; ++i) {
            const auto k = static_cast<std::size_t>(i);
            EXPECT_NEAR(system.C(i, state), (side[1][k] - side[0][k]) / (2 * h), 1e-8)
                << system.outputs[k] << " by " << system.states[static_cast<std::size_t>(state)];
        }
    }
}

TEST(PoseOutputs, OfAnArm)
{
    const Model model = load_model(std::string(SWEEPDYN_MODELS) + "/arm7.urdf");
    OperatingPoint point(model);
    point.q = {0.4, -0.7, 0.9, 0.6, -0.3, 0.8, 0.2};
    const LinearizeOptions options{.outputs = {"pose:tool", "q:*"}};
    expect_slopes(model, "tool", point.q, linearize(model, point, options), 14);
    expect_slopes(model, "tool", point.q, descriptor(model, point, options).system, 14);
}

TEST(PoseOutputs, OfAMechanismWithLoops)
{
    const ClosedGolden golden = closed_golden("two_arms_box");
    OperatingPoint point(golden.model);
    point.q = golden.q, point.v = golden.v, point.T = golden.T;
    for (const char* frame : {"left6", "box"}) {
        const LinearizeOptions options{.outputs = {std::string("pose:") + frame, "q:*"}};
        const StateSpace system = linearize(golden.model, point, options);
        expect_slopes(golden.model, frame, golden.q, system, system.num_states() / 2);
        expect_slopes(golden.model, frame, golden.q, descriptor(golden.model, point, options).system,
                      golden.model.num_dofs());
    }
}

TEST(PoseOutputs, NearHalfATurnSaySo)
{
    const Model model = load_model(std::string(SWEEPDYN_MODELS) + "/two_link.urdf");
    OperatingPoint point(model);
    const LinearizeOptions options{.outputs = {"pose:tip"}};
    const auto about_jumps = [&](double angle) {
        point.q = {angle, 0.0};
        for (const std::string& note : linearize(model, point, options).notes)
            if (note.find("the rotation vector of 'pose:tip' is 3.14") == 0)
                return true;
        return false;
    };
    EXPECT_TRUE(about_jumps(M_PI - 1e-3));
    EXPECT_FALSE(about_jumps(3.0));
}

} // namespace
} // namespace sweepdyn::test
