// M^-1 by compliances and branch walks against a dense inverse, whose own relative error is the measure.
#include "sweepdyn/dynamics/mass_matrix_inverse.hpp"

#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

MatrixXd inverse_of(const Stages<double>& stages)
{
    const auto n = stages.kin.v.size();
    Numbers out(n * n, 99.0); // all of it is written
    MassMatrixInverse<double> work(stages.kin.model);
    mass_matrix_inverse<double>(stages.kin, stages.art, out, work);
    return square(out);
}

TEST(MassMatrixInverse, IsTheInverse)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const MatrixXd one = MatrixXd::Identity(M.rows(), M.rows());
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd inverse = inverse_of(stages);
            expect_equal("M^-1", c.where + ", by " + choice.name, inverse,
                         MatrixXd(Eigen::LDLT<MatrixXd>(M).solve(one)), {.condition = condition_of(M)});
            EXPECT_EQ(inverse, inverse.transpose()) << c.where;
        }
    });
}

// Branches whose bodies are numbered in turns: not depth first.
TEST(MassMatrixInverse, AnyNumbering)
{
    Random random(5);
    for (int shape = 0; shape < 20; ++shape) {
        ModelBuilder builder("interleaved");
        const int bodies = 12;
        for (int k = 0; k < bodies; ++k) {
            const std::string name = "b" + std::to_string(k);
            builder.add_body(random_body(random, name));
            const int parent =
                k == 0 ? -1
                       : static_cast<int>(random.uniform(0.0, 1.0) * std::min(k, 4)) + std::max(0, k - 4);
            const HingeKind kind = k % 5 == 3 ? HingeKind::spherical
                                   : k % 2    ? HingeKind::revolute
                                              : HingeKind::prismatic;
            builder.add_hinge(
                random_hinge(random, kind, parent < 0 ? "" : "b" + std::to_string(parent), name));
        }
        const Case c = make_case(builder.build(), "interleaved " + std::to_string(shape), Place::random, 3);
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        Stages<double> stages(c.model, by_hinges, c.q, c.v);
        expect_equal("M^-1", c.where, inverse_of(stages),
                     MatrixXd(Eigen::LDLT<MatrixXd>(M).solve(MatrixXd::Identity(M.rows(), M.rows()))),
                     {.condition = condition_of(M)});
    }
}

} // namespace
} // namespace sweepdyn::test
