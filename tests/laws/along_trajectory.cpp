// Transition matrices against motions side by side; a motion followed by the nonlinear mechanism.
#include "sweepdyn/linear/along_trajectory.hpp"

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/control/track.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/sim/rk4.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

// The state after `time`, by small steps, under constant hinge forces.
Instant moved(const Model& model, Instant at, const Numbers& T, double time)
{
    Plant plant(model, {.controller = {[&](double, auto, auto, std::span<double> out) {
                            std::copy(T.begin(), T.end(), out.begin());
                        }}});
    plant.begin(at);
    Rk4 integrator(plant, 5e-4);
    const double end = at.t + time;
    while (at.t < end - 1e-12)
        integrator.step(end, at);
    return at;
}

TEST(AlongTrajectory, TransitionsAreThoseOfNeighbouringMotions)
{
    for (const HingeCase& kind : hinge_kinds()) {
        const Model model = hinge_model(kind, false, true);
        const Case c = make_case(model, model.name(), Place::random, 5);
        const auto n = c.v.size();
        std::vector<TrajectoryPoint> points;
        Instant at{0.0, c.q, c.v};
        for (int i = 0; i <= 10; ++i) {
            points.push_back({at.t, at.q, at.v, {}, c.T});
            at = moved(model, at, c.T, 0.01);
        }
        MatrixXd Phi = MatrixXd::Identity(static_cast<Eigen::Index>(2 * n), static_cast<Eigen::Index>(2 * n));
        for (const Matrix& step : transition_matrices(model, points))
            Phi = dense(step) * Phi;
        MatrixXd expected = Phi;
        const double h = 1e-5;
        for (std::size_t j = 0; j < 2 * n; ++j) {
            VectorXd deviation[2];
            for (int side : {0, 1}) {
                Instant start{0.0, c.q, c.v};
                Numbers step(n);
                if (j < n) {
                    step[j] = side ? h : -h;
                    integrate<double>(model, c.q, step, start.q);
                } else
                    start.v[j - n] += side ? h : -h;
                const Instant end = moved(model, start, c.T, 0.1);
                Numbers d(n);
                difference<double>(model, points.back().q, end.q, d);
                deviation[side].resize(static_cast<Eigen::Index>(2 * n));
                deviation[side] << eigen(d), eigen(end.v) - eigen(points.back().v);
            }
            expected.col(static_cast<Eigen::Index>(j)) = (deviation[1] - deviation[0]) / (2 * h);
        }
        // the difference quotient loses h^2 and eps/h, Runge and Kutta's steps of 10 ms 1e-8
        expect_equal("Phi", model.name(), Phi, expected, {.tolerance = 1e-6});
    }
}

// A swing of the arm in a second, begun beside its way: feedback brings it back, feedforward alone does not.
TEST(AlongTrajectory, AMotionIsFollowed)
{
    const Model arm = load_model(std::string(SWEEPDYN_MODELS) + "/arm7.urdf");
    const int n = arm.num_dofs();
    std::vector<TrajectoryPoint> points;
    for (int i = 0; i <= 100; ++i) {
        const double t = 0.01 * i, w = 3.0;
        TrajectoryPoint point{t,
                              Numbers(static_cast<std::size_t>(n)),
                              Numbers(static_cast<std::size_t>(n)),
                              Numbers(static_cast<std::size_t>(n)),
                              {}};
        for (std::size_t j = 0; j < point.q.size(); ++j) {
            const double size = 0.3 * std::cos(static_cast<double>(j));
            point.q[j] = size * (1.0 - std::cos(w * t));
            point.v[j] = size * w * std::sin(w * t);
            point.v_dot[j] = size * w * w * std::cos(w * t);
        }
        points.push_back(std::move(point));
    }
    set_feedforward(arm, points);
    Matrix Q = Matrix::identity(2 * n);
    for (int j = 0; j < n; ++j)
        Q(j, j) = 1e3, Q(n + j, n + j) = 1e-4;
    const TrajectoryGains gains = tvlqr_along(arm, points, Q, Matrix::identity(n), Q);
    const auto error_at_end = [&](const TrajectoryGains& with) {
        Plant plant(arm, {.controller = track(arm, points, with)});
        Instant start{0.0, points[0].q, points[0].v};
        for (double& x : start.q)
            x += 0.05;
        const Simulation run = simulate(plant, start, {.time = 1.0, .step = 2e-4, .every = 0.1});
        Numbers d(start.v.size());
        difference<double>(arm, points.back().q, run.last.q, d);
        return largest(eigen(d));
    };
    TrajectoryGains none = gains;
    for (Matrix& K : none.K)
        K = Matrix(n, 2 * n);
    EXPECT_LT(error_at_end(gains), 5e-3);
    EXPECT_GT(error_at_end(none), 2e-2);
}

TEST(AlongTrajectory, PointsBetweenSamples)
{
    const Model arm = *generate_model("chain:2");
    std::vector<TrajectoryPoint> points;
    for (double t : {0.0, 0.1, 0.25}) // a cubic is met exactly
        points.push_back({t, {t * t * t, t}, {3 * t * t, 1.0}, {6 * t, 0.0}, {}});
    const TrajectoryPoint at = point_at(arm, points, 0.17);
    expect_equal("q", "cubic", at.q, Numbers{0.17 * 0.17 * 0.17, 0.17});
    expect_equal("v", "cubic", at.v, Numbers{3 * 0.17 * 0.17, 1.0});
    expect_equal("v_dot", "cubic", at.v_dot, Numbers{6 * 0.17, 0.0}, {.terms = 1.0});
    EXPECT_EQ(point_at(arm, points, 9.0).t, 0.25);
    points[2].t = 0.1;
    EXPECT_THROW(transition_matrices(arm, points), UsageError);
}

} // namespace
} // namespace sweepdyn::test
