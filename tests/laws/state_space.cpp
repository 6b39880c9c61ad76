// A, B, C, D against dual numbers through the mechanism itself; the motion of deviations against two motions side by side.
#include "sweepdyn/kinematics/coordinate_names.hpp"
#include "sweepdyn/linear/linearize.hpp"

#include "support/dual_dynamics.hpp"
#include "support/truth.hpp"
#include "sweepdyn/linear/frame_derivatives.hpp"

namespace sweepdyn::test {
namespace {

using D = DualNumber;
using Names = std::vector<std::string>;

OperatingPoint point_of(const Case& c)
{
    OperatingPoint out(c.model);
    out.q = c.q, out.v = c.v, out.T = c.T;
    return out;
}

TEST(StateSpace, IsTheDerivative)
{
    for (std::size_t which = 2; which < hinge_cases().size(); which += 4) {
        const Case& c = hinge_cases()[which];
        const auto n = c.v.size();
        if (n == 0)
            continue;
        const std::string frame = c.model.frames().back().name, hinge = c.model.hinges().back().name;
        const OperatingPoint point = point_of(c);
        const StateSpace system =
            linearize(c.model, point,
                      {.inputs = {"T:*", "wrench:" + frame, "gravity", "base_accel"},
                       .outputs = {"q:*", "v:*", "pose:" + frame, "velocity:" + frame, "accel:" + frame,
                                   "gyro:" + frame, "acceleration:" + frame, "reaction:" + hinge},
                       .passive = {.damping = false}});
        const auto columns = 2 * n + n + 6 + 3 + 3;
        ASSERT_EQ(system.num_inputs(), static_cast<int>(n) + 12);
        ASSERT_EQ(system.num_outputs(), static_cast<int>(2 * n) + 30);

        // One column of [A B; C D], its rows v_dot and the sensors.
        MatrixXd got(static_cast<Eigen::Index>(n) + 30, static_cast<Eigen::Index>(columns)), expected = got;
        const auto N = static_cast<Eigen::Index>(n);
        got << dense(system.A).bottomRows(N), dense(system.B).bottomRows(N), dense(system.C).bottomRows(30),
            dense(system.D).bottomRows(30);
        for (std::size_t j = 0; j < columns; ++j) {
            const Numbers zero(n);
            DualState state(c, j < n ? unit(n, j) : zero, j >= n && j < 2 * n ? unit(n, j - n) : zero);
            const FrameId id = c.model.frame(frame);
            const std::size_t input = j - 2 * n;
            Numbers dT(n);
            if (j >= 2 * n && input < n)
                dT[input] = 1.0;
            if (j >= 2 * n && input >= n + 6)
                state.stages.kin.A0.v[static_cast<int>((input - n - 6) % 3)].tangent =
                    input < n + 9 ? -1.0 : 1.0;
            state.update_all();
            std::vector<Force<D>> external(c.wrench.size());
            if (j >= 2 * n && input >= n && input < n + 6) {
                Force<D> wrench{};
                (input < n + 3 ? wrench.n : wrench.f)[static_cast<int>((input - n) % 3)].tangent = 1.0;
                add_external_wrench<D>(state.stages.kin, id, wrench, WrenchAxes::world, external);
            }
            const std::vector<D> v_dot = state.stages.forward(dual(c.T, dT), external);
            state.stages.inverse(v_dot, external);
            const Kinematics<D>& kin = state.stages.kin;
            const Pose<D> X = frame_pose(kin, id);
            const Motion<D> V = frame_velocity(kin, id), A = frame_acceleration<D>(kin, id, v_dot);
            const Force<D> f = hinge_reaction(kin, state.stages.forces, c.model.num_bodies() - 1);
            const Vec3<D> parts[] = {
                log_rotation(X.R),         X.p, V.w, V.v, transpose_times(X.R, A.v + kin.A0.v),
                transpose_times(X.R, V.w), A.w, A.v, f.n, f.f};
            const auto column = static_cast<Eigen::Index>(j);
            expected.col(column).head(N) = change_of(v_dot);
            Eigen::Index row = N;
            for (const Vec3<D>& part : parts)
                for (int i = 0; i < 3; ++i)
                    expected(row++, column) = part[i].tangent;
        }
        Stages<double> stages(c.model, by_hinges, c.q, c.v);
        const double condition = condition_of(mass_of(stages));
        for (Eigen::Index j = 0; j < got.cols(); ++j)
            expect_equal("[A B; C D]", c.where + ", column " + std::to_string(j), MatrixXd(got.col(j)),
                         MatrixXd(expected.col(j)), {.condition = condition, .terms = largest(expected)});
        // The rest of A and B is what states are.
        const MatrixXd upper = dense(system.A).topRows(N);
        EXPECT_EQ(upper.rightCols(N), MatrixXd::Identity(N, N));
        EXPECT_EQ(dense(system.B).topRows(N), MatrixXd::Zero(N, system.num_inputs()));
        EXPECT_EQ(dense(system.C).topRows(2 * N), MatrixXd::Identity(2 * N, 2 * N));
    }
}

// Two motions of constant velocity from neighbouring configurations: their displacement changes by dv - Cb dq.
TEST(StateSpace, DeviationsTurnWithTheMotion)
{
    for (std::size_t which = 2; which < hinge_cases().size(); which += 4) {
        const Case& c = hinge_cases()[which];
        const auto n = c.v.size();
        if (n == 0)
            continue;
        Kinematics<double> kin(c.model);
        update<double>(kin, c.q, c.v);
        const MatrixXd Cb = dense(displacement_rate(kin));
        Random random(4);
        const Numbers dq = random_numbers(random, static_cast<int>(n), 1.0),
                      dv = random_numbers(random, static_cast<int>(n), 1.0);
        const double h = 1e-4;
        const auto displaced = [&](double time) { // of the dual part, after that time
            const Numbers zero(n);
            std::vector<D> q = dual(c.q), r = q, step = dual(zero, dq), one, other, out(n);
            integrate<D>(c.model, r, step, r);
            for (std::size_t i = 0; i < n; ++i) {
                one.push_back(D(time * c.v[i]));
                other.push_back(D(time * c.v[i], time * dv[i]));
            }
            integrate<D>(c.model, q, one, q);
            integrate<D>(c.model, r, other, r);
            difference<D>(c.model, q, r, out);
            return change_of(out);
        };
        const VectorXd rate = (displaced(h) - displaced(-h)) / (2 * h);
        expect_equal("dq_dot", c.where, MatrixXd(eigen(dv) - Cb * eigen(dq)), MatrixXd(rate),
                     {.tolerance = 1e-7}); // the difference quotient's own error is h^2
    }
}

TEST(StateSpace, NamesEverything)
{
    const Model arm = *generate_model("chain:2");
    const StateSpace system =
        linearize(arm, OperatingPoint(arm),
                  {.inputs = {"T:*", "gravity"}, .outputs = {"v:*", "gyro:" + arm.frames().back().name}});
    const std::string a = arm.dof_names()[0], b = arm.dof_names()[1], frame = arm.frames().back().name;
    EXPECT_EQ(system.states, (Names{"q:" + a, "q:" + b, "v:" + a, "v:" + b}));
    EXPECT_EQ(system.inputs, (Names{"T:" + a, "T:" + b, "gravity.x", "gravity.y", "gravity.z"}));
    EXPECT_EQ(system.outputs, (Names{"v:" + a, "v:" + b, "gyro:" + frame + ".x", "gyro:" + frame + ".y",
                                     "gyro:" + frame + ".z"}));
    EXPECT_EQ(system.u0, (Numbers{0, 0, 0, 0, -9.81}));
}

TEST(StateSpace, WrongSignalsAreNamedAllAtOnce)
{
    const Model arm = *generate_model("chain:2");
    try {
        linearize(arm, OperatingPoint(arm),
                  {.inputs = {"T:elbow", "push:tool", "gravity:x", "wrench"}, .outputs = {"q:*"}});
        FAIL();
    } catch (const UsageError& error) {
        for (const char* text :
             {"unknown dof 'elbow'", "unknown input 'push'", "gravity is of the whole", "names no frame"})
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

// Coordinates with quaternions: their linear model carries the tangent one inside.
TEST(StateSpace, QuaternionStatesHoldTheTangentOnes)
{
    for (std::size_t which = 2; which < hinge_cases().size(); which += 4) {
        const Case& c = hinge_cases()[which];
        if (c.v.empty())
            continue;
        const StateSpace tangent_states = linearize(c.model, point_of(c)),
                         coordinates = with_quaternion_states(c.model, tangent_states);
        for (std::size_t i = 0; i < c.q.size(); ++i) // the names that a simulation records
            EXPECT_EQ(coordinates.states[i], "q:" + coordinate_names(c.model)[i]) << c.where;
        const auto n = static_cast<Eigen::Index>(c.v.size()), m = static_cast<Eigen::Index>(c.q.size());
        ASSERT_EQ(coordinates.A.rows(), m + n);
        for (const Hinge& hinge : c.model.hinges()) // a quaternion's length: the eigenvalue 0, in any motion
            if (hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free) {
                const auto first = static_cast<std::size_t>(
                    c.model.tree()
                        .first_coordinate[static_cast<std::size_t>(c.model.body(hinge.child).index)]);
                VectorXd length = VectorXd::Zero(m + n);
                for (std::size_t i = first; i < first + 4; ++i)
                    length(static_cast<Eigen::Index>(i)) = c.q[i];
                expect_equal("A c", c.where, MatrixXd(dense(coordinates.A) * length),
                             MatrixXd(MatrixXd::Zero(m + n, 1)), {.terms = largest(dense(coordinates.A))});
            }
        for (Eigen::Index j = 0; j < n; ++j) { // displaced along dof j
            std::vector<D> q = dual(c.q), v = dual(c.v);
            integrate<D>(c.model, q, dual(Numbers(c.v.size()), unit(c.v.size(), static_cast<std::size_t>(j))),
                         q);
            const VectorXd dc = change_of(q);
            expect_equal("dv_dot", c.where, MatrixXd(dense(coordinates.A).bottomLeftCorner(n, m) * dc),
                         MatrixXd(dense(tangent_states.A).block(n, j, n, 1)),
                         {.terms = largest(dense(tangent_states.A))});
            expect_equal("C", c.where, MatrixXd(dense(coordinates.C).leftCols(m) * dc),
                         MatrixXd(dense(tangent_states.C).col(j)));
            // c_dot = N(c) v, by a small step of time
            const double h = 1e-4;
            const auto moved = [&](double time) {
                std::vector<D> step, to = q;
                for (const D& number : v)
                    step.push_back(D(time) * number);
                integrate<D>(c.model, q, step, to);
                return change_of(to);
            };
            expect_equal("dc_dot", c.where, MatrixXd(dense(coordinates.A).topLeftCorner(m, m) * dc),
                         MatrixXd((moved(h) - moved(-h)) / (2 * h)),
                         {.terms = 1.0, .tolerance = 1e-7}); // its own error is h^2
        }
    }
}

} // namespace
} // namespace sweepdyn::test
