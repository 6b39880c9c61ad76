// Laws of forward dynamics: the inverse of inverse dynamics, the dense solution, M^-1 column by column, and linearity in T.
#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

TEST(ForwardDynamics, InverseOfInverseDynamics)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const auto w = external_of(stages.kin, c);
            EXPECT_TRUE(stages.art.singular.empty()) << at(c, choice);
            // The condition of M has no say here; but T is a sum of M v_dot and C, whose terms may be larger.
            const MatrixXd M = mass_of(stages);
            const Numbers v_dot = stages.forward(c.T, w), zero(c.v.size(), 0.0);
            const VectorXd bias = eigen(stages.inverse(zero, w)).cwiseAbs();
            const double terms = largest(M.cwiseAbs() * eigen(v_dot).cwiseAbs()) + largest(bias);
            expect_equal("ID(FD(T)) = T", at(c, choice), stages.inverse(v_dot, w), c.T, {.terms = terms});
            // M^-1 (T - C), where a small robot under large forces has terms that are larger than a.
            expect_equal("FD(ID(a)) = a", at(c, choice), stages.forward(stages.inverse(c.a, w), w), c.a,
                         {.condition = condition_of(M),
                          .terms = c.v.empty() ? 0.0 : largest(M.inverse().cwiseAbs() * bias)});
        }
    });
}

TEST(ForwardDynamics, DenseSolution)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double condition = condition_of(M);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const auto w = external_of(stages.kin, c);
            const VectorXd bias = eigen(stages.inverse(Numbers(c.v.size(), 0.0), w)),
                           rest = eigen(c.T) - bias;
            const VectorXd v_dot = eigen(stages.forward(c.T, w));
            expect_equal("v_dot = M^-1 (T - C)", at(c, choice), v_dot,
                         VectorXd(Eigen::LDLT<MatrixXd>(M).solve(rest)), {.condition = condition});
            expect_equal("M v_dot + C = T", at(c, choice), VectorXd(M * v_dot + bias), eigen(c.T),
                         {.condition = condition});
        }
    });
}

TEST(ForwardDynamics, InverseMassMatrixByColumns)
{
    for_every_case([](const Case& c) {
        const int n = c.model.num_dofs();
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double condition = condition_of(M);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, Numbers(c.v.size(), 0.0));
            stages.kin.set_gravity({});
            MatrixXd inverse(n, n);
            for (int j = 0; j < n; ++j)
                inverse.col(j) = eigen(stages.forward(plain(VectorXd::Unit(n, j))));
            if (n == 0)
                continue;
            expect_equal("M^-1", at(c, choice), inverse,
                         MatrixXd(Eigen::LDLT<MatrixXd>(M).solve(MatrixXd::Identity(n, n))),
                         {.condition = condition});
            expect_equal("M^-1 symmetric", at(c, choice), inverse, MatrixXd(inverse.transpose()),
                         {.condition = condition});
        }
    });
}

// det M is the product of D over all dofs: the factorisation M = (I + H phi K) D (I + H phi K)* has unit triangles.
TEST(ForwardDynamics, DeterminantIsTheProductOfD)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double log_determinant =
            2.0 * Eigen::LLT<MatrixXd>(M).matrixL().toDenseMatrix().diagonal().array().log().sum();
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const double sum = -eigen(stages.art.D_inverse).array().log().sum();
            // Each logarithm is near one in size; their sum may be near zero.
            expect_equal("log det M", at(c, choice), sum, log_determinant,
                         {.condition = condition_of(M), .terms = static_cast<double>(c.v.size())});
        }
    });
}

// v_dot(T) - v_dot(0) grows with T, a million times up and down.
TEST(ForwardDynamics, IndependentOfTheScaleOfT)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, Numbers(c.v.size(), 0.0));
            stages.kin.set_gravity({});
            const VectorXd one = eigen(stages.forward(c.T));
            for (double scale : {0x1.0p-20, 0x1.0p20})
                EXPECT_EQ(eigen(stages.forward(plain(scale * eigen(c.T)))), scale * one)
                    << at(c, choice); // powers of two: exactly
        }
    });
}

// The work of T on the motion that it causes is never negative, and reciprocal: T1 . M^-1 T2 = T2 . M^-1 T1.
TEST(ForwardDynamics, Reciprocity)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        Stages<double> stages(c.model, automatic, c.q, Numbers(c.v.size(), 0.0));
        stages.kin.set_gravity({});
        const VectorXd T1 = eigen(c.T), T2 = eigen(c.a), a1 = eigen(stages.forward(c.T)),
                       a2 = eigen(stages.forward(c.a));
        EXPECT_GT(T1.dot(a1), 0.0) << c.where;
        expect_equal("reciprocity", c.where, T1.dot(a2), T2.dot(a1),
                     {.condition = condition_of(mass_of(stages)),
                      .terms = std::max(T1.norm() * a2.norm(), T2.norm() * a1.norm())});
    });
}

} // namespace
} // namespace sweepdyn::test
