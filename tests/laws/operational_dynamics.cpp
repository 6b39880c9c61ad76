// Operational space dynamics against dense linear algebra, and what it says at singular poses.
#include "sweepdyn/dynamics/operational_dynamics.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn::test {
namespace {

TEST(OperationalDynamics, IsTheEquationOfMotionOfTheFrames)
{
    int regular = 0;
    for_every_case([&](const Case& c) {
        if (c.v.empty())
            return;
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const std::string name = c.model.frames().back().name;
        OperationalDynamics task(c.model, std::vector<std::string>{name});
        task.set(stages.kin, stages.art);
        if (task.rank() < 6) {
            EXPECT_NE(task.singular(stages.kin).find("'" + name + "'"), std::string::npos) << c.where;
            return;
        }
        const MatrixXd M = mass_of(stages), W = task.Omega();
        const double condition = condition_of(M) * condition_of(W);
        if (condition > 1e9)
            return;
        ++regular;
        MatrixXd J(6, M.rows());
        Numbers entries(6 * c.v.size());
        frame_jacobian<double>(stages.kin, c.model.frame(name), entries);
        J = Eigen::Map<MatrixXd>(entries.data(), 6, J.cols());
        const Eigen::LDLT<MatrixXd> solver(M);
        const MatrixXd Lambda = MatrixXd(J * solver.solve(MatrixXd(J.transpose()))).inverse();
        const Rule rule{.condition = condition, .terms = 1e-300};
        expect_equal("Lambda", c.where, task.Lambda(), Lambda, rule);
        // Forward dynamics of any T: Lambda x_dd + mu + p = J#* T.
        const VectorXd v_dot = eigen(stages.forward(c.T));
        const Numbers given = plain(v_dot);
        const VectorXd x_dd = dense(frame_acceleration<double>(stages.kin, c.model.frame(name), given));
        const VectorXd left =
            Lambda * x_dd + task.coriolis(stages.kin, stages.art) + task.gravity(stages.kin, stages.art);
        const VectorXd f = task.force_of(stages.kin, stages.art, eigen(c.T));
        const VectorXd g = eigen(stages.gravity());
        const double terms = largest(Lambda) * (largest(J) * largest(v_dot) + largest(x_dd)) + largest(f);
        expect_equal("Lambda x_dd + mu + p = f", c.where, left, f, {.condition = condition, .terms = terms});
        expect_equal("p", c.where, task.gravity(stages.kin, stages.art),
                     VectorXd(Lambda * (J * solver.solve(g))), {.condition = condition, .terms = terms});
        expect_equal("J* f", c.where, task.hinge_forces(stages.kin, f), VectorXd(J.transpose() * f),
                     {.condition = condition, .terms = largest(J) * largest(f)});
        const VectorXd x = VectorXd::LinSpaced(6, -1.0, 1.5);
        expect_equal("J J# = 1", c.where, VectorXd(J * task.consistent_inverse(stages.kin, stages.art, x)), x,
                     {.condition = condition});
        const VectorXd free = task.null_space_part(stages.kin, stages.art, eigen(c.T));
        expect_equal(
            "null space", c.where, VectorXd(J * solver.solve(free)), VectorXd::Zero(6),
            {.condition = condition, .terms = largest(J) * largest(VectorXd(solver.solve(eigen(c.T))))});
    });
    EXPECT_GT(regular, 100 / forest_step);
}

// A stretched arm, two hinges with one axis, a massless tip: named.
TEST(OperationalDynamics, SingularPosesAreNamed)
{
    const Model arm = load_model(SWEEPDYN_MODELS "/arm7.urdf");
    Stages<double> stages(arm, automatic, Numbers(7, 0.0), Numbers(7, 0.0)); // straight up
    OperationalDynamics task(arm, std::vector<std::string>{"tool"});
    task.set(stages.kin, stages.art);
    EXPECT_LT(task.rank(), 6);
    const std::string words = task.singular(stages.kin);
    EXPECT_NE(words.find("'tool' move along z"), std::string::npos) << words;
    EXPECT_NE(words.find("'forearm_roll'"), std::string::npos)
        << words; // turns as shoulder_roll and arm_roll do
    EXPECT_TRUE(task.Lambda().allFinite());
    // Nothing lost, nothing said.
    stages.set(Numbers{0.3, 0.5, -0.4, 0.9, 0.2, -0.7, 0.1}, Numbers(7, 0.0));
    task.set(stages.kin, stages.art);
    EXPECT_EQ(task.rank(), 6);
    EXPECT_EQ(task.singular(stages.kin), "");
    EXPECT_THROW(OperationalDynamics(arm, std::vector<std::string>{"toool"}), UsageError);
    // Stale.
    stages.set(Numbers(7, 0.1), Numbers(7, 0.0));
    EXPECT_THROW(task.coriolis(stages.kin, stages.art), UsageError);
}

} // namespace
} // namespace sweepdyn::test
