// Laws of the operator algebra: every identity on every kind of hinge and on forests, about hinge origins and about poles, with
// armature and without; and the operators against the kernels and against dense linear algebra.
#include "sweepdyn/operators/identities.hpp"
#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/operators/evaluate.hpp"

namespace sweepdyn::test {
namespace {

algebra::Stages<double> stages_at(const Case& c, const ReferenceChoice& choice)
{
    algebra::Stages<double> stages(c.model, choice.reference);
    stages.kin = make_kinematics<double>(c.model, choice);
    update<double>(stages.kin, c.q, c.v);
    return stages;
}

// A part of the forests: dense matrices of six numbers per body are large.
template <class F> void for_many_cases(F f)
{
    for (const Case& c : hinge_cases())
        f(c);
    for (std::size_t i = 0; i < forest_cases().size(); i += 7)
        if (const Case& c = forest_cases()[i]; c.model.num_bodies() <= 14)
            f(c);
}

TEST(Identities, Hold)
{
    for_many_cases([](const Case& c) {
        for (const ReferenceChoice& choice : {by_hinges, by_pole, renewed_by_three}) {
            algebra::Stages<double> stages = stages_at(c, choice);
            const double condition = condition_of(dense_mass_matrix(c.model, dense_bodies(c.model, c.q)));
            for (const algebra::IdentityResidual& identity : algebra::check_identities(stages)) {
                // Where D is inverted the condition of the mass matrix counts; psi and G have it in them.
                const bool solves = identity.equation.find_first_of("DGKP") != std::string::npos ||
                                    identity.equation.find("psi") != std::string::npos;
                expect_equal(identity.name, c.where + ", by " + choice.name, identity.residual, 0.0,
                             {.condition = solves ? condition : 1.0, .terms = 1.0});
            }
        }
    });
}

// The operators are what the kernels compute.
TEST(Operators, EqualTheKernels)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        using namespace algebra;
        for (const ReferenceChoice& choice : {by_hinges, by_pole}) {
            const algebra::Operators o(c.model, choice.reference);
            const auto Mass = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;
            const auto bias = o.H * o.phi * (o.M * adj(o.phi) * (o.a + o.gravity) + o.b);
            test::Stages<double> kernels(c.model, choice, c.q, c.v);
            algebra::Stages<double> stages = stages_at(c, choice);
            const std::string where = c.where + ", by " + choice.name;
            const MatrixXd M = mass_of(kernels);
            const double condition = condition_of(M);
            const VectorXd v = eigen(c.v), C = eigen(kernels.inverse(Numbers(c.v.size(), 0.0)));
            expect_equal("M v", where, apply(Mass, stages, v), VectorXd(M * v));
            expect_equal("C", where, VectorXd(dense(bias, stages)), C);
            expect_equal("C, its plan interpreted", where, VectorXd(dense(bias, stages, Registry::off)), C);
            expect_equal("M^-1, its plan interpreted", where,
                         dense(algebra::inverse(Mass), stages, Registry::off),
                         dense(algebra::inverse(Mass), stages), {.condition = condition});
            expect_equal("M^-1 (T - C)", where,
                         apply(algebra::inverse(Mass), stages, VectorXd(eigen(c.T) - C)),
                         eigen(kernels.forward(c.T)), {.condition = condition});
            Numbers x(c.v.size());
            solve_mass_matrix<double>(kernels.kin, kernels.art, c.T, x, kernels.forces);
            expect_equal("M^-1 T", where, apply(algebra::inverse(Mass), stages, eigen(c.T)), eigen(x),
                         {.condition = condition});
            // V = phi* H* v, and the momentum E phi R H* v.
            MatrixXd V(6 * c.model.num_bodies(), 1);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                V.middleRows(6 * k, 6) = sweepdyn::dense(kernels.kin.body[k].V);
            expect_equal("V = phi* H* v", where, apply(adj(o.phi) * adj(o.H), stages, v), VectorXd(V));
            expect_equal("h = E phi R H* v", where, apply(o.E * o.phi * o.R * adj(o.H), stages, v),
                         VectorXd(sweepdyn::dense(momentum(kernels.kin))));
        }
    });
}

// The Jacobian of frames, and its adjoint, with fixed frames among them.
TEST(Operators, JacobianOfFrames)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        using namespace algebra;
        const algebra::Operators o(c.model);
        const std::vector<std::string> names{c.model.frames().back().name, c.model.frames().front().name};
        const auto J = adj(o.B(names)) * adj(o.phi) * adj(o.H);
        algebra::Stages<double> stages = stages_at(c, by_hinges);
        MatrixXd expected(12, c.model.num_dofs());
        std::vector<double> one(6 * c.v.size());
        for (int i = 0; i < 2; ++i) {
            frame_jacobian<double>(stages.kin, c.model.frame(names[static_cast<std::size_t>(i)]), one);
            expected.middleRows(6 * i, 6) = Eigen::Map<MatrixXd>(one.data(), 6, c.model.num_dofs());
        }
        expect_equal("J", c.where, algebra::dense(J, stages), expected);
        expect_equal("J*", c.where, algebra::dense(adj(J), stages), MatrixXd(expected.transpose()));
    });
}

// adj is the transpose, inverse the inverse: of what a user may write.
TEST(Operators, AdjointAndInverse)
{
    for_many_cases([](const Case& c) {
        if (c.v.empty())
            return;
        using namespace algebra;
        const algebra::Operators o(c.model);
        algebra::Stages<double> stages = stages_at(c, by_hinges);
        const double condition = condition_of(dense_mass_matrix(c.model, dense_bodies(c.model, c.q)));
        const auto check = [&](const char* name, const auto& op) {
            expect_equal(std::string("adj of ") + name, c.where, algebra::dense(adj(op), stages),
                         MatrixXd(algebra::dense(op, stages).transpose()),
                         {.condition = condition, .terms = 1.0}); // tau_bar of six dofs is 1 - 1
        };
        check("phi", o.phi), check("psi", o.psi), check("K", o.K), check("S", o.S),
            check("Delta_psi", o.Delta_psi);
        check("E", o.E), check("Upsilon", o.Upsilon), check("E_psi", o.E_psi), check("tau", o.tau);
        check("a sum of products", 2.0 * (o.H * o.psi * o.K) - o.H * o.phi * o.E_phi * o.G);
        const auto check_inverse = [&](const char* name, const auto& op) {
            const MatrixXd A = algebra::dense(op, stages), B = algebra::dense(algebra::inverse(op), stages);
            expect_equal(std::string("inverse of ") + name, c.where, MatrixXd(A * B),
                         MatrixXd(MatrixXd::Identity(A.rows(), A.rows())),
                         {.terms = largest(A.cwiseAbs() * B.cwiseAbs())});
        };
        check_inverse("phi", o.phi), check_inverse("adj(psi)", adj(o.psi)), check_inverse("D", o.D);
        check_inverse("M", o.M), check_inverse("R", o.R), check_inverse("P", o.P),
            check_inverse("Delta_phi", o.Delta_phi);
        check_inverse("I + S", I + 0.5 * o.S);
        check_inverse("I - E_phi S", I - o.E_phi * o.S);
        check_inverse("phi psi", o.phi * o.psi);
        check_inverse("I + H phi K", I + o.H * o.phi * o.K);
        check_inverse("the mass operator", o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a);
    });
}

// The answer does not depend on the reference.
TEST(Operators, DoNotDependOnTheReference)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        const auto M_inv_T = [&](const ReferenceChoice& choice) {
            const algebra::Operators o(c.model, choice.reference);
            const auto L = algebra::I - o.H * o.psi * o.K;
            algebra::Stages<double> stages = stages_at(c, choice);
            return apply(adj(L) * algebra::inverse(o.D) * L, stages, eigen(c.T), algebra::Registry::off);
        };
        expect_equal("M^-1 T", c.where, M_inv_T(by_pole), M_inv_T(by_hinges),
                     {.condition = condition_of(dense_mass_matrix(c.model, dense_bodies(c.model, c.q)))});
    });
}

} // namespace
} // namespace sweepdyn::test
