// Omega = J M^-1 J* of sets of frames, compliances, and what forces on frames change, against dense linear algebra.
#include "sweepdyn/dynamics/operational_space.hpp"

#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"

namespace sweepdyn::test {
namespace {

MatrixXd jacobian_of(const Kinematics<double>& kin, const std::vector<FrameId>& frames)
{
    MatrixXd J(6 * static_cast<Eigen::Index>(frames.size()), static_cast<Eigen::Index>(kin.v.size()));
    std::vector<double> one(6 * kin.v.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        frame_jacobian<double>(kin, frames[i], one);
        J.middleRows(6 * static_cast<Eigen::Index>(i), 6) = Eigen::Map<MatrixXd>(one.data(), 6, J.cols());
    }
    return J;
}

TEST(OperationalSpace, IsJTimesInverseMassTimesDual)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double condition = condition_of(M);
        std::vector<FrameId> frames; // bodies, frames on them, the same one twice, the ground's if there are
        for (std::size_t i = 0; i < c.model.frames().size() && frames.size() < 7;
             i += 1 + c.model.frames().size() / 6)
            frames.push_back(c.model.frame(c.model.frames()[i].name));
        frames.push_back(c.model.frame(c.model.frames().back().name));
        frames.push_back(frames.front());
        for (const ReferenceChoice& choice : reference_choices)
            for (bool single : {true, false}) {
                Stages<double> stages(c.model, choice, c.q, c.v);
                const std::vector<FrameId> set = single ? std::vector<FrameId>{frames.back()} : frames;
                OperationalSpace<double> space(c.model, set);
                operational_space(stages.kin, stages.art, space);
                const MatrixXd J = jacobian_of(stages.kin, set);
                const MatrixXd truth = J * Eigen::LDLT<MatrixXd>(M).solve(MatrixXd(J.transpose()));
                expect_equal("Omega", c.where + ", by " + choice.name, square(space.Omega), truth,
                             {.condition = condition, .terms = 1e-300});
            }
    });
}

TEST(OperationalSpace, CompliancesAreItsBlocks)
{
    for_every_case([](const Case& c) {
        if (c.v.empty() || c.model.num_bodies() > 12)
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        Stages<double> stages(c.model, by_hinges, c.q, c.v);
        Compliances<double> all(c.model);
        compliances(stages.kin, stages.art, all);
        for (int k = 0; k < c.model.num_bodies(); ++k) {
            const FrameId body = c.model.frame(c.model.bodies()[static_cast<std::size_t>(k)].name);
            const MatrixXd J = jacobian_of(stages.kin, {body});
            const Vec3<double> lever = frame_pose(stages.kin, body).p - stages.kin.r(k);
            const Force<double> f{{1.0, -2.0, 0.5}, {0.3, 0.7, -1.1}};
            const Motion<double> A = PhiAdjoint<double>{lever} *
                                     (all.Upsilon[static_cast<std::size_t>(k)] * (Phi<double>{lever} * f));
            const VectorXd dense_f = dense(f);
            expect_equal("Upsilon f", c.where, VectorXd(dense(A)),
                         VectorXd(J * Eigen::LDLT<MatrixXd>(M).solve(VectorXd(J.transpose() * dense_f))),
                         {.condition = condition_of(M), .terms = 1e-300});
        }
        const MatrixXd inverse = Eigen::LDLT<MatrixXd>(M).solve(MatrixXd::Identity(M.rows(), M.rows()));
        expect_equal("diagonal of M^-1", c.where, VectorXd(eigen(all.diagonal)), VectorXd(inverse.diagonal()),
                     {.condition = condition_of(M)});
    });
}

// Forward dynamics with loads is that without, and the correction.
TEST(OperationalSpace, TipForceCorrection)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const auto loads = external_of(stages.kin, c);
            const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
            const VectorXd with = eigen(stages.forward(c.T, loads)), without = eigen(stages.forward(c.T));
            Numbers change(c.v.size());
            tip_force_correction<double>(stages.kin, stages.art, loads, change, stages.forces);
            expect_equal("the change", c.where + ", by " + choice.name, VectorXd(eigen(change)),
                         VectorXd(with - without),
                         {.condition = condition_of(M), .terms = largest(with) + largest(without)});
        }
    });
}

} // namespace
} // namespace sweepdyn::test
