// Laws of inverse kinematics: what it says it solved is solved, by poses of another road, within the limits, with what should
// stay left alone; what cannot be solved is told with names.
#include "sweepdyn/kinematics/inverse_kinematics.hpp"

#include "support/cases.hpp"
#include "support/truth.hpp"
#include "sweepdyn/functions.hpp"
#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn::test {
namespace {

using Kind = FrameTask::Kind;

Model shipped(const std::string& name)
{
    return load_model(std::string(SWEEPDYN_MODELS) + "/" + name + ".urdf");
}

Matrix4d pose_of(const Model& model, const Numbers& q, FrameId frame)
{
    const int body = model.frame_body(frame);
    const Matrix4d X_BF = numbers(model.frame_at(frame).X_BF);
    return body == ground ? X_BF : Matrix4d(dense_bodies(model, q)[body].X_WB * X_BF);
}
Vec3<double> column(const Matrix4d& X, int i) { return {X(0, i), X(1, i), X(2, i)}; }
Pose<double> as_pose(const Matrix4d& X) { return {{column(X, 0), column(X, 1), column(X, 2)}, column(X, 3)}; }

// The largest error of a task at q, by dense products.
double miss(const Model& model, const FrameTask& task, const Numbers& q)
{
    const Matrix4d X = pose_of(model, q, task.frame), target = numbers(task.target);
    const Eigen::Matrix3d off = X.topLeftCorner<3, 3>().transpose() * target.topLeftCorner<3, 3>();
    const Vector3d to = (target - X).topRightCorner<3, 1>();
    const double angle = Eigen::AngleAxisd(off).angle(), distance = to.norm();
    switch (task.kind) {
    case Kind::pose: return std::max(angle, distance);
    case Kind::orientation: return angle;
    case Kind::position: return distance;
    case Kind::look_at: break;
    }
    const Vector3d u = X.topLeftCorner<3, 3>() * dense(task.axis);
    return std::atan2(u.cross(to).norm(), u.dot(to));
}

// The task that the frame meets at a configuration.
FrameTask met_at(const Model& model, Kind kind, FrameId frame, const Numbers& q, Random& random)
{
    const Pose<double> X = as_pose(pose_of(model, q, frame));
    switch (kind) {
    case Kind::pose: return FrameTask::pose(frame, X);
    case Kind::position: return FrameTask::position(frame, X.p);
    case Kind::orientation: return FrameTask::orientation(frame, X.R);
    case Kind::look_at: break;
    }
    const Vec3<double> axis = random.direction();
    return FrameTask::look_at(frame, axis, X.p + random.uniform(0.5, 2.0) * (X.R * axis));
}

void expect_within_limits(const Model& model, const Numbers& q, const std::string& where)
{
    for (int k : model.tree().base_to_tip()) {
        const Hinge& hinge = model.hinges()[k];
        for (std::size_t i = 0; i < hinge.limits.lower.size(); ++i) {
            const double x = q[static_cast<std::size_t>(model.tree().first_coordinate[k]) + i];
            EXPECT_GE(x, hinge.limits.lower[i]) << where << ", " << hinge.name;
            EXPECT_LE(x, hinge.limits.upper[i]) << where << ", " << hinge.name;
        }
    }
}

Numbers random_q(const Model& model, std::uint64_t seed)
{
    Numbers q(static_cast<std::size_t>(model.num_coordinates()));
    random_configuration(model, seed, q);
    return q;
}
Numbers neutral_q(const Model& model)
{
    Numbers q(static_cast<std::size_t>(model.num_coordinates()));
    neutral(model, q);
    return q;
}

// Solved, truly.
void expect_solved(InverseKinematics& ik, const Numbers& first, const std::string& where)
{
    Numbers q(first.size());
    const InverseKinematicsResult& result = ik.solve(first, q);
    EXPECT_TRUE(result.solved) << where << ": " << ik.words();
    EXPECT_LE(result.residual, 1e-8) << where;
    double worst = 0.0;
    for (const FrameTask& task : ik.tasks())
        worst = worse(worst, miss(ik.model(), task, q));
    EXPECT_LE(worst, 1.1e-8) << where;
    expect_within_limits(ik.model(), q, where);
}

TEST(InverseKinematics, ArmsReachWhatTheyReached)
{
    for (const auto& [name, frame] : {std::pair{"arm7", "tool"}, {"puma560", "tool0"}}) {
        const Model model = shipped(name);
        Random random(3);
        for (Kind kind : {Kind::pose, Kind::position, Kind::orientation, Kind::look_at})
            for (std::uint64_t i = 0; i < 50; ++i) {
                InverseKinematics ik(
                    model, {met_at(model, kind, model.frame(frame), random_q(model, 100 + i), random)});
                expect_solved(ik, random_q(model, 500 + i),
                              std::string(name) + ", kind " + std::to_string(static_cast<int>(kind)) +
                                  ", target " + std::to_string(i));
            }
    }
}

TEST(InverseKinematics, EveryKindOfHinge)
{
    for (const HingeCase& which : hinge_kinds())
        for (bool alone : {true, false}) {
            const Model model = hinge_model(which, alone, false);
            InverseKinematicsOptions options;
            options.move_base = true;
            Random random(9);
            for (Kind kind : {Kind::pose, Kind::position, Kind::orientation, Kind::look_at})
                for (std::uint64_t i = 0; i < 4; ++i) {
                    InverseKinematics ik(
                        model, {met_at(model, kind, model.frame("tool"), random_q(model, i), random)},
                        options);
                    expect_solved(ik, random_q(model, 50 + i),
                                  model.name() + ", kind " + std::to_string(static_cast<int>(kind)));
                }
        }
}

// Two hands of a body that stands still, and one of them looking: hinges that carry neither are left alone.
TEST(InverseKinematics, SeveralFramesOfATree)
{
    const Model model = shipped("humanoid");
    const FrameId left = model.frame("left_hand"), right = model.frame("right_hand");
    Random random(4);
    for (std::uint64_t i = 0; i < 10; ++i) {
        Numbers goal = random_q(model, i), first = random_q(model, 70 + i);
        for (std::size_t j = 0; j < 7; ++j) // the base stays
            goal[j] = first[j];
        InverseKinematics ik(model, {met_at(model, Kind::position, left, goal, random),
                                     met_at(model, Kind::orientation, left, goal, random),
                                     met_at(model, Kind::position, right, goal, random),
                                     met_at(model, Kind::look_at, right, goal, random)});
        expect_solved(ik, first, "hands, target " + std::to_string(i));
        Numbers q(first.size());
        ik.solve(first, q);
        for (int k : model.tree().base_to_tip()) {
            bool carries = false;
            for (FrameId hand : {left, right})
                for (int b = model.frame_body(hand); b != ground; b = model.tree().parent[b])
                    carries = carries || b == k;
            for (int j = model.tree().first_coordinate[k]; j < model.tree().first_coordinate[k + 1]; ++j)
                EXPECT_TRUE((carries && k != model.floating_base()) || q[j] == first[j])
                    << model.hinges()[k].name;
        }
    }
}

TEST(InverseKinematics, AFloatingBaseMovesWhenAsked)
{
    const Model model = shipped("spacecraft");
    const FrameTask far = FrameTask::pose(model.frame("tool"), {Random(3).rotation(), {30.0, -20.0, 10.0}});
    InverseKinematicsOptions options;
    options.move_base = true;
    InverseKinematics moves(model, {far}, options), stays(model, {far});
    expect_solved(moves, neutral_q(model), "far away");
    Numbers q = neutral_q(model);
    EXPECT_FALSE(stays.solve(q, q).solved);
    EXPECT_GT(stays.result().residual, 10.0);
}

TEST(InverseKinematics, LockedHingesStay)
{
    const Model model = shipped("arm7");
    InverseKinematicsOptions options;
    options.locked = {"arm_roll"};
    Random random(1);
    for (std::uint64_t i = 0; i < 20; ++i) {
        const Numbers goal = random_q(model, i);
        Numbers first = random_q(model, 90 + i), q(first.size());
        const auto dof = static_cast<std::size_t>(model.tree().first_coordinate[model.hinge("arm_roll")]);
        first[dof] = goal[dof];
        InverseKinematics ik(model, {met_at(model, Kind::pose, model.frame("tool"), goal, random)}, options);
        expect_solved(ik, first, "locked, target " + std::to_string(i));
        ik.solve(first, q);
        EXPECT_EQ(q[dof], first[dof]);
    }
}

// Near the solution few steps suffice, whatever the task, because the steps are those of Gauss and Newton; they stay on its
// branch. A singular pose, the arm stretched out, takes more, but not many.
TEST(InverseKinematics, TheEndIsQuick)
{
    const Model model = shipped("arm7");
    InverseKinematicsOptions options;
    options.seeds = 1;
    Random random(2);
    for (bool singular : {false, true})
        for (Kind kind : {Kind::pose, Kind::position, Kind::orientation, Kind::look_at}) {
            const Numbers goal = singular ? neutral_q(model) : random_q(model, 5);
            InverseKinematics ik(model, {met_at(model, kind, model.frame("tool"), goal, random)}, options);
            Numbers first(goal.size()), q(goal.size());
            integrate<double>(model, goal, random_numbers(random, model.num_dofs(), 1e-2), first);
            EXPECT_TRUE(ik.solve(first, q).solved) << ik.words();
            EXPECT_LE(ik.result().iterations, singular ? 20 : 4) << static_cast<int>(kind);
            for (std::size_t i = 0; i < q.size(); ++i)
                EXPECT_NEAR(q[i], goal[i], 0.1);
        }
}

TEST(InverseKinematics, IsTheSameEveryTimeAndInPlace)
{
    const Model model = shipped("puma560");
    Random random(1);
    InverseKinematics ik(model,
                         {met_at(model, Kind::pose, model.frame("tool0"), random_q(model, 77), random)});
    const Numbers first = random_q(model, 78);
    Numbers once(first.size()), again = first;
    ik.solve(first, once);
    const int iterations = ik.result().iterations;
    ik.solve(again, again);
    EXPECT_EQ(once, again);
    EXPECT_EQ(ik.result().iterations, iterations);
}

// --- what cannot be -----------------------------------------------------------------------------------------------------
// Links of 1 m that turn about z by at most one radian each way.
Model planar_arm(int links)
{
    ModelBuilder builder("planar");
    for (int k = 0; k < links; ++k) {
        const std::string name = "link" + std::to_string(k + 1);
        builder.add_body({name, 1.0, {}, Sym3<double>::diagonal(1, 1, 1)});
        Hinge hinge;
        hinge.name = "turn" + std::to_string(k + 1);
        hinge.kind = HingeKind::revolute;
        hinge.parent = k == 0 ? "" : "link" + std::to_string(k);
        hinge.child = name;
        hinge.X_PF.p = {k == 0 ? 0.0 : 1.0, 0, 0};
        hinge.limits.lower = {-1.0};
        hinge.limits.upper = {1.0};
        builder.add_hinge(hinge);
    }
    builder.add_frame({"tip", "link" + std::to_string(links), {Mat3<double>::identity(), {1, 0, 0}}});
    return builder.build();
}

TEST(InverseKinematics, OutOfReachIsTold)
{
    const Model model = planar_arm(2);
    InverseKinematics ik(model, {FrameTask::position(model.frame("tip"), {3, 0, 0})});
    Numbers q = {0.3, -0.5};
    EXPECT_FALSE(ik.solve(q, q).solved);
    EXPECT_NEAR(ik.result().residual, 1.0, 1e-6); // stretched out is best
    EXPECT_NEAR(ik.result().tasks[0].distance, 1.0, 1e-6);
    EXPECT_EQ(ik.result().tasks[0].angle, 0.0);
    EXPECT_EQ(ik.result().seeds, 10);
    EXPECT_TRUE(ik.result().limits.empty());
    EXPECT_NEAR(q[0], 0.0, 1e-3);
    EXPECT_NEAR(q[1], 0.0, 1e-3);
    EXPECT_NE(ik.words().find("no solution found within 1e-08 (10 seeds, "), std::string::npos) << ik.words();
    EXPECT_NE(ik.words().find("); the best misses\n  'tip', position: by 1 m"), std::string::npos)
        << ik.words();
}

TEST(InverseKinematics, LimitsInTheWayAreTold)
{
    const Model model = planar_arm(1);
    const FrameTask task = FrameTask::position(model.frame("tip"), {std::cos(1.5), std::sin(1.5), 0});
    InverseKinematics ik(model, {task});
    Numbers q = {0.0};
    EXPECT_FALSE(ik.solve(q, q).solved);
    EXPECT_EQ(q[0], 1.0);
    ASSERT_EQ(ik.result().limits.size(), 1u);
    EXPECT_TRUE(ik.result().limits[0].upper);
    EXPECT_NE(ik.words().find("in the way: hinge 'turn1' at its upper limit 1"), std::string::npos)
        << ik.words();

    InverseKinematicsOptions options;
    options.limits = false;
    InverseKinematics free(model, {task}, options);
    q = {0.0};
    EXPECT_TRUE(free.solve(q, q).solved);
    EXPECT_NEAR(q[0], 1.5, 1e-8);
    EXPECT_EQ(free.words().find("solved to "), 0u);
    // A first seed outside its limits is brought inside.
    InverseKinematics near(model,
                           {FrameTask::position(model.frame("tip"), {std::cos(0.9), std::sin(0.9), 0})});
    q = {40.0};
    EXPECT_TRUE(near.solve(q, q).solved);
    EXPECT_NEAR(q[0], 0.9, 1e-8);
}

TEST(InverseKinematics, LimitsTouchedOnTheWayAreLeftAgain)
{
    // Only the three-link pose with the first hinge at its limit reaches; seeds start everywhere.
    const Model model = planar_arm(3);
    const Numbers goal = {1.0, 0.4, -0.9};
    const FrameId tip = model.frame("tip");
    InverseKinematics ik(model, {FrameTask::pose(tip, as_pose(pose_of(model, goal, tip)))});
    for (std::uint64_t i = 0; i < 20; ++i)
        expect_solved(ik, random_q(model, i), "on the limit");
}

TEST(InverseKinematics, FramesThatNothingMoves)
{
    const Model model = planar_arm(2);
    InverseKinematics ik(model, {FrameTask::position(model.frame("world"), {1, 0, 0}),
                                 FrameTask::position(model.frame("tip"), {1.4, 1.2, 0})});
    Numbers q = {0.0, 0.0};
    EXPECT_FALSE(ik.solve(q, q).solved);
    EXPECT_NE(ik.words().find("'world', position: by 1 m; no hinge that may move carries this frame"),
              std::string::npos)
        << ik.words();
    EXPECT_LE(ik.result().tasks[1].distance, 1e-3); // the other is met as well as can be
}

template <class F> std::string refused(F f)
{
    try {
        f();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(InverseKinematics, WrongUseIsTold)
{
    const Model model = planar_arm(2);
    const FrameId tip = model.frame("tip");
    const auto make = [&](std::vector<FrameTask> tasks, InverseKinematicsOptions options = {}) {
        return refused([&] { InverseKinematics ik(model, tasks, options); });
    };
    EXPECT_EQ(make({}), "InverseKinematics: no task; give at least one frame and where it should be");
    EXPECT_EQ(make({FrameTask::position(tip, {0, NAN, 0})}),
              "InverseKinematics: task of frame 'tip': the target position has a number that is not finite");
    EXPECT_EQ(make({FrameTask::orientation(tip, Mat3<double>{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}})}),
              "InverseKinematics: task of frame 'tip': the target orientation is no rotation: expected "
              "right-handed "
              "axes of unit length");
    EXPECT_EQ(make({FrameTask::look_at(tip, {0, 0, 0}, {1, 2, 3})}),
              "InverseKinematics: task of frame 'tip': the axis to look along has no direction, expected one "
              "such as "
              "0 0 1");
    InverseKinematicsOptions options;
    options.locked = {"turn3"};
    EXPECT_EQ(make({FrameTask::position(tip, {})}, options), "unknown hinge 'turn3'; did you mean 'turn1'?");
    options.locked = {};
    options.seeds = 0;
    EXPECT_EQ(make({FrameTask::position(tip, {})}, options),
              "InverseKinematics: seeds and iterations are 0 and 100, expected at least 1 each");
    options.seeds = 1;
    options.tolerance = 0.0;
    EXPECT_EQ(make({FrameTask::position(tip, {})}, options),
              "InverseKinematics: tolerance and length are 0 and 1, expected numbers above zero");
    InverseKinematics ik(model, {FrameTask::position(tip, {})});
    Numbers q = {0.0, NAN};
    EXPECT_EQ(refused([&] { ik.solve(q, q); }),
              "InverseKinematics: the first seed has a number that is not finite");
    q = {0.0};
    EXPECT_EQ(refused([&] { ik.solve(q, q); }), "InverseKinematics::solve: first has size 1, expected 2");
    EXPECT_EQ(refused([&] { ik.set_target(1, {}); }),
              "InverseKinematics: task 1 of 1, expected a number below that");
}

TEST(InverseKinematics, AsAFunction)
{
    const Model model = planar_arm(2);
    const FrameId tip = model.frame("tip");
    const VectorXd q = inverse_kinematics(model, {FrameTask::position(tip, {1.4, 1.2, 0})}, neutral(model));
    EXPECT_NEAR((frame_position(model, q, "tip") - Vector3d(1.4, 1.2, 0)).norm(), 0.0, 1e-8);
    EXPECT_THROW(inverse_kinematics(model, {FrameTask::position(tip, {3, 0, 0})}, neutral(model)),
                 RefusedError);
}

} // namespace
} // namespace sweepdyn::test
