// The kernels of dynamics/ are what the algebra specifies: each beside its expression, interpreted.
#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/dynamics/centroidal.hpp"
#include "sweepdyn/dynamics/diagonal_dynamics.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/formulas/forward_dynamics.hpp"
#include "sweepdyn/operators/formulas/operational_space.hpp"
#include "sweepdyn/operators/formulas/whole_system.hpp"

namespace sweepdyn::test {
namespace {

namespace formulas = algebra::formulas;

struct Pair {
    const Case& c;
    algebra::Operators o;
    algebra::Stages<double> stages;
    test::Stages<double> kernels;
    double condition;

    explicit Pair(const Case& of)
        : c(of),
          o(of.model),
          stages(of.model),
          kernels(of.model, by_hinges, of.q, of.v),
          condition(condition_of(mass_of(kernels)))
    {
        update<double>(stages.kin, c.q, c.v);
    }
    MatrixXd dense(const auto& op) { return algebra::dense(op, stages, algebra::Registry::off); }
    VectorXd apply(const auto& op, const Numbers& x)
    {
        return algebra::apply(op, stages, eigen(x), algebra::Registry::off);
    }
    Rule rule(double terms = 0.0) const { return {.condition = condition, .terms = terms}; }
};

template <class F> void for_pairs(F f)
{
    for_every_case([&](const Case& c) {
        if (!c.v.empty() && c.model.num_bodies() <= 20) {
            Pair pair(c);
            f(pair);
        }
    });
}

TEST(KernelsAndAlgebra, Factorization)
{
    for_pairs([](Pair& p) {
        const auto n = p.c.v.size();
        Numbers inverse(n * n), out(n);
        MassMatrixInverse<double> work(p.c.model);
        mass_matrix_inverse<double>(p.kernels.kin, p.kernels.art, inverse, work);
        expect_equal("M^-1", p.c.where, square(inverse), p.dense(formulas::inverse_mass_matrix(p.o)),
                     p.rule());
        // The factors of whole hinges are those of single columns where every hinge has one dof; their product always.
        Innovations<double> f(p.c.model);
        f.factor(p.kernels.kin);
        f.multiply(p.kernels.kin, p.c.a, out);
        expect_equal("M x", p.c.where, VectorXd(eigen(out)),
                     p.apply(formulas::mass_matrix_by_innovations(p.o), p.c.a), p.rule());
        bool single = true;
        for (int k = 0; k < p.c.model.num_bodies(); ++k)
            single = single && p.c.model.tree().num_dofs(k) <= 1;
        if (!single)
            return;
        f.force_to_innovations(p.kernels.kin, p.c.T, out);
        expect_equal("(I - H psi K) T", p.c.where, VectorXd(eigen(out)),
                     p.apply(formulas::innovations_force(p.o), p.c.T), p.rule(largest(eigen(p.c.T))));
        f.velocity_to_innovations(p.kernels.kin, p.c.v, out);
        expect_equal("(I + H phi K)* v", p.c.where, VectorXd(eigen(out)),
                     p.apply(formulas::innovations_velocity(p.o), p.c.v), p.rule(largest(eigen(p.c.v))));
    });
}

TEST(KernelsAndAlgebra, ForwardDynamicsByName)
{
    for_pairs([](Pair& p) {
        const auto T = p.o.vector<algebra::HingeForce>("T");
        const auto number = [&](const auto& op) {
            const algebra::Plan plan(op, algebra::Registry::off);
            p.stages.prepare(plan);
            algebra::Runner<double> run(plan);
            run.set("T", p.c.T);
            VectorXd out(plan.dimension(plan.range()));
            run(p.stages, {}, {out.data(), static_cast<std::size_t>(out.size())});
            return out;
        };
        Numbers v_dot(p.c.v.size()), C(p.c.v.size());
        std::vector<Motion<double>> alpha(static_cast<std::size_t>(p.c.model.num_bodies()));
        forward_dynamics_fd1<double>(p.kernels.kin, p.kernels.art, p.c.T, v_dot, C, p.kernels.forces);
        expect_equal("FD1", p.c.where, VectorXd(eigen(v_dot)), number(formulas::FD1(p.o, T)), p.rule());
        forward_dynamics_fd4<double>(p.kernels.kin, p.kernels.art, p.c.T, v_dot, p.kernels.forces);
        expect_equal("FD4", p.c.where, VectorXd(eigen(v_dot)), number(formulas::FD4(p.o, T)), p.rule());
        forward_dynamics_fd2<double>(p.kernels.kin, p.kernels.art, p.c.T, v_dot, C, alpha, p.kernels.forces);
        VectorXd bodies(6 * p.c.model.num_bodies());
        for (int k = 0; k < p.c.model.num_bodies(); ++k)
            bodies.segment<6>(6 * k) = sweepdyn::dense(alpha[static_cast<std::size_t>(k)] + p.kernels.kin.A0);
        expect_equal("FD2", p.c.where, bodies, number(formulas::FD2_accelerations(p.o, T)), p.rule());
    });
}

TEST(KernelsAndAlgebra, OperationalSpace)
{
    for_pairs([](Pair& p) {
        const std::vector<std::string> names{p.c.model.frames().back().name, p.c.model.frames().front().name};
        OperationalSpace<double> space(p.c.model, {p.c.model.frame(names[0]), p.c.model.frame(names[1])});
        operational_space(p.kernels.kin, p.kernels.art, space);
        expect_equal("Omega", p.c.where, square(space.Omega),
                     p.dense(formulas::operational_compliance(p.o, names)), p.rule(1e-300));
        Compliances<double> all(p.c.model);
        compliances(p.kernels.kin, p.kernels.art, all);
        const MatrixXd Upsilon = p.dense(p.o.Upsilon);
        const Force<double> f{{1.0, -2.0, 3.0}, {0.5, 0.7, -0.3}};
        const VectorXd six = sweepdyn::dense(f);
        for (int k = 0; k < p.c.model.num_bodies(); ++k)
            expect_equal("Upsilon f", p.c.where,
                         VectorXd(sweepdyn::dense(all.Upsilon[static_cast<std::size_t>(k)] * f)),
                         VectorXd(Upsilon.block(6 * k, 6 * k, 6, 6) * six), p.rule(largest(Upsilon)));
    });
}

TEST(KernelsAndAlgebra, DiagonalCoordinatesAndMomentum)
{
    for_pairs([](Pair& p) {
        DiagonalDynamics<double> diagonal(p.c.model);
        diagonalize(p.kernels.kin, diagonal);
        Numbers out(p.c.v.size());
        nu_of_v<double>(p.kernels.kin, diagonal, p.c.v, out);
        expect_equal("nu", p.c.where, VectorXd(eigen(out)), p.apply(formulas::diagonal_velocity(p.o), p.c.v),
                     p.rule());
        eps_of_T<double>(p.kernels.kin, diagonal, p.c.T, out);
        expect_equal("eps", p.c.where, VectorXd(eigen(out)), p.apply(formulas::diagonal_force(p.o), p.c.T),
                     p.rule(largest(eigen(out))));
        bool fixed = false; // the kernel's centre of mass leaves out what cannot move
        for (int k = 0; k < p.c.model.num_bodies(); ++k)
            fixed = fixed || p.c.model.is_fixed(k);
        if (fixed)
            return;
        Numbers cmm(6 * p.c.v.size());
        centroidal_momentum_matrix<double>(p.kernels.kin, p.kernels.composite, cmm);
        const MatrixXd A = Eigen::Map<const MatrixXd>(cmm.data(), 6, static_cast<Eigen::Index>(p.c.v.size()));
        expect_equal("centroidal momentum", p.c.where, A, p.dense(formulas::centroidal_momentum(p.o)),
                     {.terms = largest(p.dense(formulas::momentum(p.o)))});
    });
}

} // namespace
} // namespace sweepdyn::test
