// Laws of scalars: every scalar runs the same algorithm. float and long double agree to their digits, the real part of a dual
// number is the double, and counted operations grow exactly linearly where the cost is said to be O(n).
#include <functional>

#include "support/compare.hpp"
#include "support/linearized.hpp"
#include "support/time.hpp"
#include "sweepdyn/linear/by_mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/perturb_forward_dynamics.hpp"
#include "sweepdyn/spatial/counting.hpp"

namespace sweepdyn::test {
namespace {

template <class S> std::vector<S> to(const Numbers& a) { return {a.begin(), a.end()}; }
template <class S> Numbers back(const std::vector<S>& a)
{
    Numbers out;
    for (const S& x : a)
        out.push_back(static_cast<double>(x));
    return out;
}

// The rule with another unit round-off.
template <class S> Rule rule_of(double condition)
{
    constexpr double times =
        std::max(1.0, static_cast<double>(std::numeric_limits<S>::epsilon()) / machine_epsilon);
    return {.tolerance = times * tolerance_for(condition)};
}

template <class S> void agrees_with_double(const char* scalar)
{
    for_every_case([&](const Case& rough) {
        // Numbers that S can hold exactly, so that only the arithmetic differs.
        const auto held = [](const Numbers& a) { return back(to<S>(a)); };
        Case c = rough;
        c.q = held(rough.q), c.v = held(rough.v), c.a = held(rough.a), c.T = held(rough.T);
        for (const ReferenceChoice& choice : reference_choices) {
            const std::string where = c.where + ", " + scalar + ", by " + choice.name;
            Stages<double> truth(c.model, choice, c.q, c.v);
            Stages<S> other(c.model, choice, to<S>(c.q), to<S>(c.v));
            expect_equal("M", where, back(other.mass()), truth.mass(), rule_of<S>(1.0));
            expect_equal("T", where, back(other.inverse(to<S>(c.a))), truth.inverse(c.a), rule_of<S>(1.0));
            expect_equal("gravity", where, back(other.gravity()), truth.gravity(), rule_of<S>(1.0));
            expect_equal("v_dot", where, back(other.forward(to<S>(c.T))), truth.forward(c.T),
                         rule_of<S>(condition_of(mass_of(truth))));
        }
    });
}

// What was compiled into the library for double and float alike, by name; conditioned: whether M is solved with.
struct Result {
    const char* name;
    bool conditioned;
    Numbers numbers;
    double terms = 0.0; // see Rule
};
template <class S> std::vector<Result> every_kernel(const Case& c)
{
    Stages<S> s(c.model, automatic, to<S>(c.q), to<S>(c.v));
    const std::vector<S> v = to<S>(c.v), a = to<S>(c.a), T = to<S>(c.T);
    const std::size_t n = v.size(), bodies = s.kin.M.size();
    std::vector<S> x(n), y(n), square(n * n), A(6 * n), Y(n * parameters_per_body * bodies);
    std::vector<Motion<S>> alpha(bodies);
    std::vector<Result> out;
    const double M = largest(numbers(back(s.mass()))), force = largest(numbers(c.T));
    const auto add = [&](const char* name, bool conditioned, const std::vector<S>& got, double terms = 0.0) {
        out.push_back({name, conditioned, back(got), terms});
    };
    const std::vector<Force<S>> w = external_of(s.kin, c);
    forward_dynamics_fd1<S>(s.kin, s.art, T, x, y, s.forces, w), add("FD1", true, x);
    forward_dynamics_fd2<S>(s.kin, s.art, T, x, y, alpha, s.forces, w), add("FD2", true, x);
    forward_dynamics_fd4<S>(s.kin, s.art, T, x, s.forces, w), add("FD4", true, x);
    solve_mass_matrix<S>(s.kin, s.art, T, x, s.forces), add("M^-1 T", true, x);
    MassMatrixInverse<S> inverse(c.model);
    mass_matrix_inverse<S>(s.kin, s.art, square, inverse), add("M^-1", true, square);
    OperationalSpace<S> space(c.model, {c.model.frame(c.model.bodies().back().name)});
    operational_space(s.kin, s.art, space), add("Omega", true, space.Omega);
    Innovations<S> factors(c.model);
    factors.factor(s.kin);
    factors.multiply(s.kin, a, x), add("M a", true, x);
    factors.force_to_innovations(s.kin, T, x), add("(I - H psi K) T", true, x, force);
    add("log det M", true, {factors.log_det()}, static_cast<double>(n));
    DiagonalDynamics<S> diagonal(c.model);
    diagonalize(s.kin, diagonal);
    nu_of_v<S>(s.kin, diagonal, v, x), add("nu", true, x);
    eps_of_T<S>(s.kin, diagonal, T, x), add("eps", true, x);
    diagonal_coriolis<S>(s.kin, diagonal, x), add("C_nu", true, x, std::sqrt(M));

    ColumnRates<S> rates(c.model);
    column_rates(s.kin, rates);
    CompositeBiasInertias<S> bias(c.model);
    coriolis_matrix<S>(s.kin, rates, s.composite, square, bias), add("C", false, square, M);
    CompositeInertiaRates<S> inertia_rates(c.model);
    mass_matrix_rate<S>(s.kin, rates, s.composite, square, inertia_rates), add("M_dot", false, square, M);
    ReferenceMotions<S> motions(c.model);
    passivity_inverse_dynamics<S>(s.kin, rates, v, a, x, motions), add("T of v_r", false, x);
    regressor<S>(s.kin, a, Y, s.forces), add("Y", false, Y);
    passivity_regressor<S>(s.kin, rates, v, a, Y, motions), add("Y of v_r", false, Y);
    centroidal_momentum_matrix<S>(s.kin, s.composite, A), add("A", false, A);
    return out;
}

// The same of linear/, each derivative by every route.
template <class S> std::vector<Result> every_linear_kernel(const Case& c)
{
    LinearizedIn<S> lin(c, automatic, false);
    const Kinematics<S>& kin = lin.stages.kin;
    const std::vector<S> dq = to<S>(c.a), dv = to<S>(c.v), dT = to<S>(c.T);
    const std::size_t n = c.v.size();
    std::vector<S> M(n * n), A(n * n), B(n * n), x(n), y(n), z(n);
    std::vector<Result> out;
    // What the entries are sums of: rates of inertias, forces through the hinges.
    double force = 0.0;
    for (Index k : c.model.tree().base_to_tip()) {
        const Force<S>& f = lin.d.motion[k].f;
        force = std::max({force, static_cast<double>(norm(f.n)), static_cast<double>(norm(f.f))});
    }
    const double rate = largest(numbers(back(lin.stages.mass()))) * (1.0 + largest(numbers(c.v)));
    const double moved = largest(numbers(c.a)) * force + largest(numbers(c.v)) * rate + largest(numbers(c.T));
    double compliance = 0.0;
    const auto add = [&](const char* name, bool conditioned, const std::vector<S>& got, double terms = 0.0) {
        out.push_back({name, conditioned, back(got), terms});
    };
    CompositeLoads<S> loads(c.model);
    differentiate_inverse_dynamics<S>(kin, lin.stages.composite, lin.d, M, A, B, loads);
    add("M of derivatives", false, M), add("A_D", false, A, rate), add("B_D", false, B, force);
    Perturbations<S> scratch(c.model);
    perturb_inverse_dynamics<S>(kin, lin.d, dq, dv, dT, x, scratch);
    add("dT", false, x, moved * (1.0 + rate));
    perturb_inverse_dynamics_adjoint<S>(kin, lin.d, dT, x, y, z, scratch);
    const double pushed = largest(numbers(c.T)) * (force + rate);
    add("B_D' mu", false, x, pushed), add("A_D' mu", false, y, pushed), add("M mu", false, z, pushed);

    ForwardDerivatives<S> work(c.model);
    differentiate_forward_dynamics<S>(kin, lin.stages.art, lin.d, lin.y, M, A, B, work);
    compliance = largest(numbers(back(M)));
    add("M^-1 of derivatives", true, M);
    add("A_C", true, A, compliance * rate), add("B_C", true, B, compliance * force);
    ByMassMatrix<S> by_mass(c.model);
    differentiate_forward_dynamics_by_mass_matrix<S>(kin, lin.stages.composite, lin.d, M, A, B, by_mass);
    add("M^-1 by mass matrix", true, M);
    add("A_C by mass matrix", true, A, compliance * rate),
        add("B_C by mass matrix", true, B, compliance * force);
    const double answered = compliance * moved;
    perturb_forward_dynamics_by_mass_matrix<S>(kin, lin.stages.composite, lin.d, dq, dv, dT, x, scratch,
                                               by_mass);
    add("dqdd by mass matrix", true, x, answered);
    perturb_forward_dynamics_by_articulation<S>(kin, lin.stages.art, lin.d, dq, dv, dT, x, scratch);
    add("dqdd by articulation", true, x, answered);
    perturb_forward_dynamics_by_columns<S>(kin, lin.stages.art, lin.d, lin.y, dq, dv, dT, x, scratch);
    add("dqdd by columns", true, x, answered);
    return out;
}

void expect_float(const std::function<std::vector<Result>(const Case&)>& in_float,
                  const std::function<std::vector<Result>(const Case&)>& in_double)
{
    for_every_case([&](const Case& rough) {
        if (rough.v.empty())
            return;
        const auto held = [](const Numbers& a) { return back(to<float>(a)); };
        Case c = rough;
        c.q = held(rough.q), c.v = held(rough.v), c.a = held(rough.a), c.T = held(rough.T);
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const double condition = condition_of(mass_of(stages));
        const std::vector<Result> got = in_float(c), expected = in_double(c);
        for (std::size_t i = 0; i < got.size(); ++i) {
            Rule rule = rule_of<float>(got[i].conditioned ? condition : 1.0);
            rule.terms = expected[i].terms;
            expect_equal(got[i].name, c.where + ", float", got[i].numbers, expected[i].numbers, rule);
        }
    });
}

TEST(Scalars, EveryKernelInFloat) { expect_float(every_kernel<float>, every_kernel<double>); }
TEST(Scalars, EveryLinearKernelInFloat)
{
    expect_float(every_linear_kernel<float>, every_linear_kernel<double>);
}

TEST(Scalars, FloatAgrees) { agrees_with_double<float>("float"); }
TEST(Scalars, LongDoubleAgrees) { agrees_with_double<long double>("long double"); }

// Bit by bit where the compiler fuses nothing (fused, dual and plain products may round differently: hence 1e-15).
TEST(Scalars, RealPartOfADualIsTheDouble)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            const std::string where = c.where + ", by " + choice.name;
            Stages<double> truth(c.model, choice, c.q, c.v);
            Stages<Time> dual(c.model, choice, along(c.q, Numbers(c.q.size(), 0.7)), along(c.v, c.a));
            const Rule rule{.tolerance = 1e-15};
            expect_equal("M", where, real(dual.mass()), truth.mass(), rule);
            expect_equal("T", where, real(dual.inverse(constant(c.a))), truth.inverse(c.a), rule);
            expect_equal("v_dot", where, real(dual.forward(constant(c.T))), truth.forward(c.T),
                         {.tolerance = 1e-15 * std::max(1.0, condition_of(mass_of(truth)))});
            expect_equal("kinetic energy", where, kinetic_energy(dual.kin).real, kinetic_energy(truth.kin),
                         rule);
        }
    });
}

// Forward mode through the whole of forward dynamics: d v_dot = M^-1 (dT - dID), by inverse dynamics at the dual state.
TEST(Scalars, DerivativesOfForwardDynamics)
{
    for_every_case([](const Case& c) {
        Stages<Time> moved = moving_stages(c, automatic, c.a);
        const std::vector<Time> v_dot = moved.forward(constant(c.T)), T = moved.inverse(v_dot);
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const MatrixXd M = mass_of(stages);
        // Terms: M dv_dot, of which dT = 0 is the small difference.
        const double terms = std::max(largest(eigen(c.T)), largest(M) * largest(eigen(tangent(v_dot))));
        expect_equal("d ID(FD(T)) = 0", c.where, tangent(T), Numbers(c.T.size(), 0.0),
                     {.condition = condition_of(M), .terms = terms});
    });
}

OperationCount operator+(const OperationCount& a, const OperationCount& b)
{
    return a - (OperationCount{} - b);
}

struct Counts {
    OperationCount kinematics, inverse, inertias, articulation, forward, mass;
};
Counts counted(int n, const ReferenceChoice& choice)
{
    const Model model = *generate_model("chain:" + std::to_string(n));
    Stages<Counting> stages(model, choice);
    const std::vector<Counting> x(static_cast<std::size_t>(n), 0.3);
    const auto count = [](auto what) {
        const OperationCount before = Counting::count();
        what();
        return Counting::count() - before;
    };
    Counts out;
    out.kinematics = count([&] { update<Counting>(stages.kin, x, x); });
    out.inverse = count([&] { stages.inverse(x); });
    out.inertias = count([&] { update_inertias(stages.kin); });
    out.articulation = count([&] { articulate(stages.kin, stages.art); });
    out.forward = count([&] { stages.forward(x); });
    out.mass = count([&] { composite_inertias(stages.kin, stages.composite), stages.mass(); });
    return out;
}

TEST(Scalars, CountsGrowExactlyLinearly)
{
    for (const ReferenceChoice& choice : {by_hinges, by_pole}) {
        const Counts ten = counted(10, choice), twenty = counted(20, choice), thirty = counted(30, choice);
        const auto linear = [](auto part, const Counts& a, const Counts& b, const Counts& c) {
            return b.*part - a.*part == c.*part - b.*part;
        };
        for (auto part : {&Counts::kinematics, &Counts::inverse, &Counts::inertias, &Counts::articulation,
                          &Counts::forward})
            EXPECT_TRUE(linear(part, ten, twenty, thirty)) << choice.name;
        EXPECT_FALSE(linear(&Counts::mass, ten, twenty, thirty)); // O(n depth)

        const Counts seven = counted(7, choice);
        const auto print = [&](const char* what, const OperationCount& o) {
            std::printf("chain:7, %-7s %-18s %5ld mul %5ld add %3ld div %3ld sqrt %3ld trig\n", choice.name,
                        what, o.multiplications, o.additions, o.divisions, o.square_roots, o.trigonometric);
        };
        print("kinematics", seven.kinematics);
        print("inverse dynamics", seven.kinematics + seven.inverse);
        print("forward dynamics", seven.kinematics + seven.inertias + seven.articulation + seven.forward);
        print("mass matrix", seven.kinematics + seven.inertias + seven.mass);
        EXPECT_EQ(seven.kinematics.trigonometric, 7);
        EXPECT_EQ(seven.articulation.divisions, 7); // one per column: D^-1
        EXPECT_EQ((seven.inverse + seven.inertias + seven.forward + seven.mass).divisions, 0);
        EXPECT_EQ(
            (seven.inverse + seven.inertias + seven.articulation + seven.forward + seven.mass).comparisons,
            0); // no branch on a scalar
    }
}

} // namespace
} // namespace sweepdyn::test
