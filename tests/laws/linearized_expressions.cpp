// The linearizations as products of operators against the kernels, and the identities that lead from one form to the next.
#include "support/compare.hpp"
#include "support/linearized.hpp"
#include "sweepdyn/linear/differentiate_inverse_dynamics.hpp"
#include "sweepdyn/linear/given_blocks.hpp"
#include "sweepdyn/operators/explain.hpp"
#include "sweepdyn/operators/formulas/linearized_dynamics.hpp"
#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::test {
namespace {

namespace formulas = algebra::formulas;

struct At {
    const Case& c;
    std::string where;
    algebra::Operators o;
    formulas::Perturbed x;
    algebra::Stages<double> stages;
    Linearized lin;
    ForwardDerivatives<double> forward;
    Numbers mass, A_D, B_D, M_inverse, A_C, B_C;
    std::map<std::string, Numbers> blocks;
    // What the entries are sums of: rates of inertias, forces through the hinges, and compliances times them.
    double condition, rate, force = 0.0, compliance;

    At(const Case& of, const ReferenceChoice& choice, bool fixed_loads)
        : c(of),
          where(of.where + ", by " + choice.name + (fixed_loads ? ", fixed loads" : ", followers")),
          o(of.model, choice.reference),
          x(o),
          stages(of.model, choice.reference),
          lin(of, choice, fixed_loads),
          forward(of.model),
          mass(of.v.size() * of.v.size()),
          A_D(mass),
          B_D(mass),
          M_inverse(mass),
          A_C(mass),
          B_C(mass)
    {
        const Kinematics<double>& kin = lin.stages.kin;
        CompositeLoads<double> loads(c.model);
        differentiate_inverse_dynamics<double>(kin, lin.stages.composite, lin.d, mass, A_D, B_D, loads);
        differentiate_forward_dynamics<double>(kin, lin.stages.art, lin.d, lin.y, M_inverse, A_C, B_C,
                                               forward);
        blocks = given_blocks(kin, lin.d, lin.y, forward);
        update<double>(stages.kin, c.q, c.v);
        condition = condition_of(square(mass));
        compliance = largest(square(M_inverse));
        rate = largest(square(mass)) * largest(eigen(c.v));
        for (Index k : c.model.tree().base_to_tip())
            force = std::max(force, largest(dense(lin.d.motion[k].f)));
    }

    // The whole matrix, column by column.
    MatrixXd number(const auto& op)
    {
        const algebra::Plan plan(op);
        stages.prepare(plan);
        algebra::Runner<double> run(plan);
        for (const algebra::Value& v : plan.values())
            if (plan.is_named(v))
                run.set(v.name, blocks.at(v.name));
        const int rows = plan.dimension(plan.range()), cols = plan.dimension(plan.domain());
        const MatrixXd units = MatrixXd::Identity(cols, cols);
        MatrixXd out(rows, cols);
        run.many(stages, {units.data(), static_cast<std::size_t>(units.size())},
                 {out.data(), static_cast<std::size_t>(out.size())});
        return out;
    }
    bool is_chain() const
    {
        std::vector<int> children(static_cast<std::size_t>(c.model.num_bodies()));
        for (int parent : c.model.tree().parent)
            if (parent != ground && ++children[static_cast<std::size_t>(parent)] > 1)
                return false;
        return true;
    }
};

// Every hinge case and a dozen forests; both kinds of load; about the hinges and about poles.
template <class F> void for_cases(F f)
{
    const auto all = [&](const Case& c) {
        if (c.v.empty())
            return;
        for (const ReferenceChoice& choice : {by_hinges, by_pole})
            for (bool fixed_loads : {false, true}) {
                At at(c, choice, fixed_loads);
                f(at);
            }
    };
    for (const Case& c : hinge_cases())
        all(c);
    int forests = 0;
    for (const Case& c : forest_cases())
        if (c.model.num_bodies() >= 4 && c.model.num_bodies() <= 12 && ++forests <= 12)
            all(c);
    for (int seed : {1, 2, 3}) {
        const Model chain = deep_chain(8, seed); // of mixed hinges
        all(make_case(chain, chain.name(), Place::random, static_cast<std::uint64_t>(seed)));
    }
}

TEST(LinearizedExpressions, InverseDynamics)
{
    for_cases([](At& at) {
        expect_equal("A_D", at.where, at.number(formulas::A_D(at.x)), square(at.A_D), {.terms = at.rate});
        expect_equal("A_D by composite bodies", at.where, at.number(formulas::A_D_by_composite_bodies(at.x)),
                     square(at.A_D), {.terms = at.rate});
        expect_equal("B_D", at.where, at.number(formulas::B_D(at.x)), square(at.B_D), {.terms = at.force});
    });
}

TEST(LinearizedExpressions, ForwardDynamics)
{
    int chains = 0;
    for_cases([&](At& at) {
        const Rule rate{.condition = at.condition, .terms = at.compliance * at.rate},
            force{.condition = at.condition, .terms = at.compliance * at.force};
        const MatrixXd A_C = square(at.A_C), B_C = square(at.B_C);
        const auto M_inverse = formulas::inverse_mass_matrix(at.o);
        expect_equal("A_C = M^-1 A_D", at.where, at.number(M_inverse * formulas::A_D(at.x)), A_C, rate);
        expect_equal("B_C = M^-1 B_D", at.where, at.number(M_inverse * formulas::B_D(at.x)), B_C, force);
        expect_equal("A_C by P", at.where, at.number(formulas::A_C_by_P(at.x)), A_C, rate);
        expect_equal("B_C by P", at.where, at.number(formulas::B_C_by_P(at.x)), B_C, force);
        expect_equal("A_C articulated", at.where, at.number(formulas::A_C_articulated(at.x)), A_C, rate);
        expect_equal("B_C articulated", at.where, at.number(formulas::B_C_articulated(at.x)), B_C, force);
        const auto K_Omega = formulas::K_Omega(at.o);
        expect_equal("A_C apart", at.where, at.number(formulas::A_C_apart(at.x, K_Omega)), A_C, rate);
        expect_equal("B_C apart", at.where, at.number(formulas::B_C_apart(at.x, K_Omega)), B_C, force);
        if (!at.is_chain())
            return;
        ++chains;
        const auto of_chain = formulas::K_Omega_of_chain(at.o);
        expect_equal("A_C of a chain", at.where, at.number(formulas::A_C_apart(at.x, of_chain)), A_C, rate);
        expect_equal("B_C of a chain", at.where, at.number(formulas::B_C_apart(at.x, of_chain)), B_C, force);
    });
    EXPECT_GT(chains, 100);
}

// Both sides are numbers of the algebra; the blocks P_hat, Pw, J, Jw are those of the kernels.
TEST(LinearizedExpressions, Identities)
{
    for_cases([](At& at) {
        const auto& o = at.o;
        const auto& x = at.x;
        const auto expect = [&](const char* name, const auto& left, const auto& right) {
            expect_equal(name, at.where, at.number(left), at.number(right), {.condition = at.condition});
        };
        const auto apart = [&](const auto& X) { return X + o.psi_tilde * X + X * adj(o.phi_tilde); };
        expect("psi M phi*", o.psi * o.M * adj(o.phi), apart(o.P));
        expect("psi Mbar phi*", o.psi * x.M_bar * adj(o.phi), apart(x.P_hat));
        expect("psi We phi*", o.psi * x.We * adj(o.phi), apart(x.Pw));
        expect("psi* H* Ghat* phi~*", adj(o.psi) * adj(o.H) * x.G_hat_adj * adj(o.phi_tilde),
               x.J * adj(o.phi) - adj(o.psi) * x.J);
        expect("psi* H* Gw* phi~*", adj(o.psi) * adj(o.H) * x.G_w_adj * adj(o.phi_tilde),
               x.Jw * adj(o.phi) - adj(o.psi) * x.Jw);
        expect("L* G* phi~*", adj(x.L) * adj(o.G) * adj(o.phi_tilde), adj(o.K) * adj(o.psi));
        expect("L H phi", x.L * o.H * o.phi, o.H * o.psi);
    });
}

// As the algorithms have them: two sweeps inverse, three forward.
TEST(LinearizedExpressions, Sweeps)
{
    const algebra::Operators o(*generate_model("chain:4"));
    const formulas::Perturbed x(o);
    const auto sweeps = [](const auto& op) { return algebra::Plan(op).sweeps(); };
    EXPECT_EQ(sweeps(formulas::A_D(x)), 2);
    EXPECT_EQ(sweeps(formulas::B_D(x)), 2);
    EXPECT_EQ(sweeps(formulas::A_C_articulated(x)), 2);
    EXPECT_EQ(sweeps(formulas::B_C_articulated(x)), 2);
}

} // namespace
} // namespace sweepdyn::test
