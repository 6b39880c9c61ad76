// FD1, FD2, FD3 and FD4 are one: v_dot of each solves M v_dot = T - C with the dense mass matrix, with loads and without; and what
// each gives besides is right: C, the accelerations of bodies and of frames.
#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

TEST(ForwardDynamicsByName, SolveTheEquationOfMotion)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double condition = condition_of(M);
        for (const ReferenceChoice& choice : reference_choices)
            for (bool loaded : {false, true}) {
                Stages<double> stages(c.model, choice, c.q, c.v);
                const std::string where = c.where + ", by " + choice.name + (loaded ? ", loaded" : "");
                const auto all = external_of(stages.kin, c);
                const std::span<const Force<double>> external =
                    loaded ? std::span(all) : std::span(all).first(0);
                const VectorXd C = eigen(stages.inverse(Numbers(c.v.size(), 0.0), external));
                const VectorXd truth = Eigen::LDLT<MatrixXd>(M).solve(eigen(c.T) - C);
                const Rule tolerance{.condition = condition, .terms = 1e-300};
                Numbers v_dot(c.v.size()), bias(c.v.size());
                std::vector<Motion<double>> alpha(static_cast<std::size_t>(c.model.num_bodies()));

                forward_dynamics_fd1<double>(stages.kin, stages.art, c.T, v_dot, bias, stages.forces,
                                             external);
                expect_equal("FD1", where, VectorXd(eigen(v_dot)), truth, tolerance);
                expect_equal("C of FD1", where, VectorXd(eigen(bias)), C);
                forward_dynamics_fd3<double>(stages.kin, stages.art, c.T, v_dot, stages.forces, external);
                expect_equal("FD3", where, VectorXd(eigen(v_dot)), truth, tolerance);
                forward_dynamics_fd4<double>(stages.kin, stages.art, c.T, v_dot, stages.forces, external);
                expect_equal("FD4", where, VectorXd(eigen(v_dot)), truth, tolerance);
                forward_dynamics_fd2<double>(stages.kin, stages.art, c.T, v_dot, bias, alpha, stages.forces,
                                             external);
                expect_equal("FD2", where, VectorXd(eigen(v_dot)), truth, tolerance);

                // alpha against the sweep of inverse dynamics; a tip against the walk of frame_acceleration.
                stages.inverse(v_dot, external);
                double scale = 0.0;
                VectorXd got(6 * c.model.num_bodies()), expected(got.size());
                for (int k = 0; k < c.model.num_bodies(); ++k) {
                    got.segment<6>(6 * k) = dense(alpha[static_cast<std::size_t>(k)]);
                    expected.segment<6>(6 * k) = dense(stages.forces[k].A - stages.kin.A0);
                }
                scale = largest(expected);
                expect_equal("alpha of FD2", where, got, expected, {.condition = condition, .terms = scale});
                const FrameId tip = c.model.frame(c.model.frames().back().name);
                expect_equal("tip of FD2", where,
                             VectorXd(dense(frame_acceleration_of_bodies<double>(stages.kin, alpha, tip))),
                             VectorXd(dense(frame_acceleration<double>(stages.kin, tip, v_dot))),
                             {.condition = condition, .terms = scale});
            }
    });
}

} // namespace
} // namespace sweepdyn::test
