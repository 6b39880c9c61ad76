// Laws of the diagonalized dynamics: the maps are the one triangular factor of the mass matrix, nu carries the kinetic energy, eps the
// power, and C is what the rate of nu along the motion lacks, that rate by dual numbers.
#include <Eigen/LU>

#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

template <class S> struct Diagonal : Stages<S> {
    DiagonalDynamics<S> diagonal;
    Diagonal(const Model& model, const ReferenceChoice& choice, std::span<const S> q, std::span<const S> v)
        : Stages<S>(model, choice, q, v),
          diagonal(model)
    {
        diagonalize(this->kin, diagonal);
    }
    std::vector<S> nu(std::span<const S> v)
    {
        std::vector<S> out(v.size());
        nu_of_v<S>(this->kin, diagonal, v, out);
        return out;
    }
    std::vector<S> eps(std::span<const S> T)
    {
        std::vector<S> out(T.size());
        eps_of_T<S>(this->kin, diagonal, T, out);
        return out;
    }
    std::vector<S> C(std::span<const Force<S>> external = {})
    {
        std::vector<S> out(this->kin.H.size());
        diagonal_coriolis<S>(this->kin, diagonal, out, external);
        return out;
    }
};

// T = N eps, nu = N* v with N N* = M. N has no block between branches or below its diagonal, which is lower triangular and
// positive: so there is only one such N.
TEST(DiagonalDynamics, FactorsTheMassMatrix)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Diagonal<double> at_c(c.model, choice, c.q, c.v);
            const MatrixXd M = mass_of(at_c);
            const Rule rule{.condition = condition_of(M)};
            const int n = c.model.num_dofs();
            MatrixXd N(n, n), N_adjoint(n, n);
            for (int j = 0; j < n; ++j) {
                Numbers unit(static_cast<std::size_t>(n)), column(unit);
                unit[static_cast<std::size_t>(j)] = 1.0;
                T_of_eps<double>(at_c.kin, at_c.diagonal, unit, column);
                N.col(j) = eigen(column);
                N_adjoint.col(j) = eigen(at_c.nu(unit));
            }
            expect_equal("N N* = M", at(c, choice), MatrixXd(N * N.transpose()), M);
            expect_equal("adjoint", at(c, choice), N_adjoint, MatrixXd(N.transpose()));
            for (int k = 0; k < c.model.num_bodies(); ++k)
                for (int j = c.model.tree().first_dof[k]; j < c.model.tree().first_dof[k + 1]; ++j)
                    for (int m = 0; m < c.model.num_bodies(); ++m)
                        for (int i = c.model.tree().first_dof[m]; i < c.model.tree().first_dof[m + 1]; ++i) {
                            int up = k; // is m on the way from k to the ground?
                            while (up != ground && up != m)
                                up = c.model.tree().parent[up];
                            if (up != m || (m == k && i < j)) {
                                EXPECT_EQ(N(i, j), 0.0) << at(c, choice);
                            }
                            if (i == j) {
                                EXPECT_GT(N(i, j), 0.0) << at(c, choice);
                            }
                        }
            Numbers back(c.v.size());
            v_of_nu<double>(at_c.kin, at_c.diagonal, at_c.nu(c.v), back);
            expect_equal("v(nu(v)) = v", at(c, choice), back, c.v, rule);
            T_of_eps<double>(at_c.kin, at_c.diagonal, at_c.eps(c.T), back);
            expect_equal("T(eps(T)) = T", at(c, choice), back, c.T, rule);
            Numbers in_place = c.v;
            nu_of_v<double>(at_c.kin, at_c.diagonal, in_place, in_place);
            EXPECT_EQ(in_place, at_c.nu(c.v)) << at(c, choice);
        }
    });
}

TEST(DiagonalDynamics, CarriesEnergyAndPower)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Diagonal<double> at_c(c.model, choice, c.q, c.v);
            const Rule rule{.condition = condition_of(mass_of(at_c))};
            const Numbers nu = at_c.nu(c.v), eps = at_c.eps(c.T);
            expect_equal("nu'nu/2", at(c, choice), 0.5 * eigen(nu).squaredNorm(), kinetic_energy(at_c.kin));
            expect_equal("eps'nu = T'v", at(c, choice), eigen(eps).dot(eigen(nu)), eigen(c.T).dot(eigen(c.v)),
                         {.condition = rule.condition, .terms = eigen(c.T).norm() * eigen(c.v).norm()});
        }
    });
}

// eps - d nu/dt along the motion that T, gravity and the loads give.
TEST(DiagonalDynamics, CoriolisIsWhatTheRateLacks)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Diagonal<double> at_c(c.model, choice, c.q, c.v);
            const double condition = condition_of(mass_of(at_c));
            const auto w = external_of(at_c.kin, c);
            const Numbers v_dot = at_c.forward(c.T, w), eps = at_c.eps(c.T), C = at_c.C(w);
            Diagonal<Time> moved(c.model, choice, moving(c.model, c.q, c.v), along(c.v, v_dot));
            const Numbers nu_dot = tangent(moved.nu(along(c.v, v_dot)));
            const double terms = largest(eigen(eps)) + largest(eigen(nu_dot));
            expect_equal("nu_dot + C = eps", at(c, choice), VectorXd(eigen(nu_dot) + eigen(C)), eigen(eps),
                         {.condition = condition, .terms = terms});
        }
    });
}

TEST(DiagonalDynamics, CoriolisDoesNoWork)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Diagonal<double> at_c(c.model, choice, c.q, c.v);
            at_c.kin.set_gravity({});
            const Numbers nu = at_c.nu(c.v), C = at_c.C();
            // Where C itself is nothing but rounding, its terms are: of the size of nu v.
            const double terms = eigen(nu).norm() * (eigen(C).norm() + eigen(nu).norm() * eigen(c.v).norm());
            expect_equal("nu'C = 0", at(c, choice), eigen(nu).dot(eigen(C)), 0.0,
                         {.condition = condition_of(mass_of(at_c)), .terms = terms});
        }
    });
}

// eps = C - c nu stops each coordinate alone, at its own rate: the controller of docs/diagonal-dynamics.md, on everything.
TEST(DiagonalDynamics, ABrakeIsDecoupled)
{
    for_every_case([](const Case& c) {
        Diagonal<double> at_c(c.model, automatic, c.q, c.v);
        const double condition = condition_of(mass_of(at_c));
        const auto w = external_of(at_c.kin, c);
        const Numbers nu = at_c.nu(c.v), C = at_c.C(w);
        Numbers eps(C), T(C), expected(nu);
        for (std::size_t i = 0; i < nu.size(); ++i) {
            expected[i] = -(1.0 + static_cast<double>(i)) * nu[i];
            eps[i] = C[i] + expected[i];
        }
        T_of_eps<double>(at_c.kin, at_c.diagonal, eps, T);
        const Numbers v_dot = at_c.forward(T, w);
        Diagonal<Time> moved(c.model, automatic, moving(c.model, c.q, c.v), along(c.v, v_dot));
        expect_equal("nu_dot = -c nu", c.where, tangent(moved.nu(along(c.v, v_dot))), expected,
                     {.condition = condition, .terms = largest(eigen(C))});
    });
}

// The columns' own rates, by dual numbers: H' = d/dt H* - crm(V) H*, about the world origin.
TEST(DiagonalDynamics, RatesOfColumns)
{
    for (const Case& c : hinge_cases())
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            ColumnRates<double> rates(c.model);
            column_rates(stages.kin, rates);
            for (Index k : c.model.tree().base_to_tip()) {
                const BodyKinematics<double>& b = stages.kin.body[k];
                for (Index j : b.dofs()) {
                    const Motion<double> H = at_origin(stages.kin, k, stages.kin.H[j]),
                                         H_dot = tangent(at_origin(moved.kin, k, moved.kin.H[j])),
                                         turned = crm(at_origin(stages.kin, k, b.V)) * H;
                    expect_equal("H'", at(c, choice),
                                 at_origin(stages.kin, k, rates.H_dot[j] - crm(b.V) * stages.kin.H[j]),
                                 H_dot - turned,
                                 {.terms = largest(numbers(H_dot)) + largest(numbers(turned)) + 1.0});
                }
            }
        }
}

TEST(DiagonalDynamics, CountsGrowExactlyLinearly)
{
    for (const ReferenceChoice& choice : {by_hinges, by_pole}) {
        const auto counted = [&](int n, auto what) {
            const Model model = *generate_model("chain:" + std::to_string(n));
            const std::vector<Counting> x(static_cast<std::size_t>(n), 0.3);
            std::vector<Counting> out = x;
            Diagonal<Counting> at_x(model, choice, x, x);
            const OperationCount before = Counting::count();
            what(at_x, x, out);
            return Counting::count() - before;
        };
        const auto linear = [&](const char* name, auto what) {
            EXPECT_TRUE(counted(20, what) - counted(10, what) == counted(30, what) - counted(20, what))
                << name << ", " << choice.name;
            const OperationCount o = counted(7, what);
            std::printf("chain:7, %-7s %-8s %5ld mul %5ld add %3ld div %3ld sqrt\n", choice.name, name,
                        o.multiplications, o.additions, o.divisions, o.square_roots);
        };
        using Vector = std::vector<Counting>;
        linear("D, Ld", [](auto& s, const Vector&, Vector&) { diagonalize(s.kin, s.diagonal); });
        linear("nu",
               [](auto& s, const Vector& x, Vector& out) { nu_of_v<Counting>(s.kin, s.diagonal, x, out); });
        linear("eps",
               [](auto& s, const Vector& x, Vector& out) { eps_of_T<Counting>(s.kin, s.diagonal, x, out); });
        linear("C", [](auto& s, const Vector&, Vector& out) {
            diagonal_coriolis<Counting>(s.kin, s.diagonal, out);
        });
    }
}

TEST(DiagonalDynamics, SaysWhatIsMissing)
{
    const Model model = *generate_model("chain:3");
    Kinematics<double> kin(model);
    DiagonalDynamics<double> diagonal(model);
    Numbers three(3), two(2);
    EXPECT_THROW(diagonalize(kin, diagonal), UsageError);
    update<double>(kin, three, three);
    update_inertias(kin);
    EXPECT_THROW(nu_of_v<double>(kin, diagonal, three, three), UsageError);
    diagonalize(kin, diagonal);
    EXPECT_THROW(nu_of_v<double>(kin, diagonal, two, three), UsageError);
    EXPECT_THROW(diagonal_coriolis<double>(kin, diagonal, two), UsageError);
    update<double>(kin, three);
    EXPECT_THROW(diagonal_coriolis<double>(kin, diagonal, three), UsageError);
    // A massless tip: D has no inverse there, and the hinge is named.
    ModelBuilder builder(model);
    builder.bodies().back().mass = 0.0, builder.bodies().back().inertia_com = {};
    const Model light = builder.build();
    Kinematics<double> kin_light(light);
    update<double>(kin_light, three, three);
    update_inertias(kin_light);
    DiagonalDynamics<double> none(light);
    EXPECT_THROW(diagonalize(kin_light, none), RefusedError);
}

} // namespace
} // namespace sweepdyn::test
