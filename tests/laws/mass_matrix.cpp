// Laws of the mass matrix: three roads to it, its shape, and what it is the energy of.
#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

TEST(MassMatrix, ThreeRoadsAgree)
{
    for_every_case([](const Case& c) {
        const MatrixXd truth = dense_mass_matrix(c.model, dense_bodies(c.model, c.q)); // sum J' M J + Ja
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd M = mass_of(stages);
            expect_equal("M = sum J' M J", at(c, choice), M, truth);
            EXPECT_EQ(M, M.transpose());
            expect_equal("trace", at(c, choice), mass_matrix_trace(stages.kin, stages.composite),
                         truth.trace());
            const Motion<double> A0 = stages.kin.A0;
            Numbers by_columns(static_cast<std::size_t>(M.size())), unit(c.v.size());
            mass_matrix_by_inverse_dynamics<double>(stages.kin, c.q, by_columns, unit, stages.forces);
            expect_equal("M by inverse dynamics", at(c, choice), square(by_columns), truth);
            EXPECT_EQ(stages.kin.A0, A0); // gravity is back
        }
    });
}

TEST(MassMatrix, PositiveDefinite)
{
    for_every_case([](const Case& c) {
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const MatrixXd M = mass_of(stages);
        if (M.size() > 0) {
            EXPECT_EQ(Eigen::LLT<MatrixXd>(M).info(), Eigen::Success) << c.where;
        }
    });
}

TEST(MassMatrix, UnrelatedBranchesAreExactlyZero)
{
    long zeros = 0;
    for_every_case([&](const Case& c) {
        const Tree& tree = c.model.tree();
        const auto carries = [&](int a, int b) { // a is b or an ancestor of b
            while (b > a)
                b = tree.parent[b];
            return a == b;
        };
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd M = mass_of(stages);
            for (int i = 0; i < M.rows(); ++i)
                for (int j = 0; j < i; ++j)
                    if (!carries(tree.body_of_dof[j], tree.body_of_dof[i])) {
                        EXPECT_EQ(M(i, j), 0.0) << at(c, choice);
                        ++zeros;
                    }
        }
    });
    EXPECT_GT(zeros, 10000);
}

TEST(MassMatrix, CompositeInertiaIsTheSum)
{
    for_every_case([](const Case& c) {
        auto truth = dense_bodies(c.model, c.q);
        for (int k = c.model.num_bodies() - 1; k >= 0; --k)
            if (const int parent = c.model.tree().parent[k]; parent != ground)
                truth[parent].M += truth[k].M;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                expect_equal("R", at(c, choice), shift(stages.composite.R[k], stages.kin.r(k)), truth[k].M);
        }
    });
}

TEST(MassMatrix, KineticEnergy)
{
    for_every_case([](const Case& c) {
        const MatrixXd truth = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const VectorXd v = eigen(c.v);
            expect_equal("v'Mv/2", at(c, choice), kinetic_energy(stages.kin),
                         v.size() ? 0.5 * v.dot(truth * v) : 0.0);
        }
    });
}

} // namespace
} // namespace sweepdyn::test
