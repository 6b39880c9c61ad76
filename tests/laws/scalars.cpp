// Laws of scalars: every scalar runs the same algorithm. float and long double agree to their digits, the real part of a dual
// number is the double, and counted operations grow exactly linearly where the cost is said to be O(n).
#include "support/compare.hpp"
#include "support/time.hpp"
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
