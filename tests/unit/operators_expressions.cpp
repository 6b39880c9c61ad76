// Expressions as values: interned nodes, text and LaTeX, what is refused and in which words, how many sweeps a plan takes.
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/explain.hpp"
#include "sweepdyn/operators/parse.hpp"
#include "sweepdyn/operators/questions.hpp"
#include "sweepdyn/operators/stacked.hpp"

namespace sweepdyn::algebra {
namespace {

class Expressions : public testing::Test {
protected:
    Model model = load_model(SWEEPDYN_MODELS "/arm7.urdf");
    Operators o{model};

    std::string refused(const std::string& text)
    {
        try {
            const Plan plan(*o.arena, parse(*o.arena, text));
        } catch (const AlgebraError& error) {
            return error.what();
        }
        return "";
    }
    const Node* parsed(const std::string& text) { return parse(*o.arena, text); }
};

TEST_F(Expressions, EqualOnesAreOneNode)
{
    EXPECT_EQ((o.H * (o.phi * o.M)).node, ((o.H * o.phi) * o.M).node);
    EXPECT_EQ(adj(adj(o.H * o.psi)).node, (o.H * o.psi).node);
    EXPECT_EQ(adj(o.M).node, o.M.node);
    EXPECT_EQ(inverse(inverse(o.D)).node, o.D.node);
    EXPECT_EQ((o.P - o.P + o.M).node, o.M.node);
    EXPECT_EQ((2.0 * (3.0 * o.M)).node, (6.0 * o.M).node);
    EXPECT_EQ(inverse(I - o.E_phi).node, o.phi.node);
    EXPECT_EQ(inverse(I - (o.E_phi - o.K * o.H)).node, o.psi.node);
    EXPECT_EQ(inverse(I - adj(o.E_psi)).node, adj(o.psi).node);
    EXPECT_EQ((o.phi_tilde + I).node, o.phi.node);
}

TEST_F(Expressions, TextReadsBack)
{
    for (const char* text :
         {"H*phi*M*adj(phi)*adj(H) + J_a", "adj(B[tool])*adj(psi)*adj(H)*inverse(D)*(I - H*psi*K)",
          "-2*P + 0.5*(M - R)", "inverse(I + 0.25*S)*tau_bar", "E*phi*R*adj(H)",
          "adj(B[tool,flange])*Upsilon*B[flange]", "Delta_psi*E_psi - Delta_phi*tau"}) {
        const Node* node = parsed(text);
        EXPECT_EQ(parsed(to_text(*o.arena, node)), node) << text << " became " << to_text(*o.arena, node);
    }
    EXPECT_EQ(parsed(" H * phi*M *adj( phi)*adj(H)+J_a "),
              (o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a).node);
    EXPECT_EQ(parsed("adj(B[tool])*adj(phi)*adj(H)"), (adj(o.B({"tool"})) * adj(o.phi) * adj(o.H)).node);
    EXPECT_EQ(to_latex(*o.arena, parsed("adj(B[tool])*adj(psi)*inverse(M)")),
              "B_{\\textnormal{tool}}^{*}\\,\\psi^{*}\\,M^{-1}");
    EXPECT_EQ(to_latex(*o.arena, parsed("inverse(adj(psi)) + 1e-7*I")), "\\psi^{-*} + 10^{-7}\\,I");
    EXPECT_EQ(to_latex(*o.arena, o.vector<HingeForce>("v_dot").node), "\\textit{v\\_dot}");
}

TEST_F(Expressions, RefusedWithColumnSpacesAndAHint)
{
    EXPECT_EQ(refused("H*phi*adj(phi)*adj(H)"), "column 7: cannot multiply: adj(phi) lands in BodyMotion, "
                                                "but phi acts on BodyForce; an inertia (M, R or P) "
                                                "belongs between them\n  H*phi*adj(phi)*adj(H)\n        ^");
    EXPECT_EQ(
        refused("H*phi*M*H").substr(0, 93),
        "column 9: cannot multiply: H lands in HingeForce, but M acts on BodyMotion; did you mean adj(");
    EXPECT_EQ(
        refused("M + phi").substr(0, 92),
        "column 3: cannot add: left is BodyForce <- BodyMotion, right is BodyForce <- BodyForce\n  M +");
    EXPECT_EQ(
        refused("H + adj(H)").substr(0, 96),
        "column 3: cannot add: left is HingeForce <- BodyForce, right is BodyMotion <- HingeMotion; did y");
    EXPECT_EQ(refused("phy").substr(0, 47), "column 1: unknown leaf 'phy'; did you mean 'phi");
    EXPECT_EQ(refused("B[tol]*B").substr(0, 57),
              "column 3: unknown frame 'tol'; did you mean 'tool'?\n  B[t");
    EXPECT_EQ(refused("I").substr(0, 37), "column 1: the identity of which space");
    EXPECT_EQ(refused("2").substr(0, 37), "column 1: a number alone is no operat");
    EXPECT_EQ(refused("M + 2").substr(0, 34), "column 5: a number cannot be added");
    EXPECT_EQ(refused("I - H").substr(0, 36), "column 1: I cannot be added to H, wh");
    EXPECT_EQ(refused("H*(phi").substr(0, 48), "column 7: expected ')' to close what begins at c");
    EXPECT_EQ(refused("H*").substr(0, 36), "column 3: the expression ends where ");
    EXPECT_EQ(refused("").substr(0, 36), "column 1: the expression ends where ");
    EXPECT_EQ(refused("H phi").substr(0, 25), "column 3: unexpected 'p';");
    EXPECT_EQ(refused("H*?").substr(0, 25), "column 3: unexpected '?';");
    EXPECT_EQ(refused("inverse(H)").substr(0, 60),
              "column 1: inverse(H): it maps BodyForce (54 numbers) to Hing");
    EXPECT_EQ(refused("1e999*M").substr(0, 31), "column 1: not a number that a d");
    EXPECT_EQ(refused("B*M").substr(0, 32), "column 2: B needs its frames, as");
    EXPECT_EQ(refused("inverse(tau)").substr(0, 47), "inverse(tau): no factorization of it is known. ");
    EXPECT_EQ(refused("inverse(phi + psi)").substr(0, 53),
              "inverse(phi + psi): no factorization of it is known. ");
    EXPECT_EQ(refused("inverse(I - E_phi*adj(S))").substr(0, 10), "column 19:");
}

TEST_F(Expressions, TwoModelsDoNotMix)
{
    const Operators other(load_model("chain:3"));
    try {
        const auto wrong = o.H * other.phi;
        FAIL() << to_text(*wrong.arena, wrong.node);
    } catch (const AlgebraError& error) {
        EXPECT_STREQ(
            error.what(),
            "these operators belong to two models, 'arm7' and 'chain:3'; make both from one Operators");
    }
    const Plan plan(*o.arena, o.phi.node);
    Runner<double> run(plan);
    Stages<double> stages(load_model("chain:9"));
    std::vector<double> q(9), x(54), y(54);
    const std::string words =
        "run: the plan is of model 'arm7', the stages are of model 'chain:9'; use stages made "
        "from the plan's model";
    const auto refused_with = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refused_with([&] { stages.update(plan, q); }), words);
    EXPECT_EQ(refused_with([&] { run(stages, x, y); }), words);
    Stages<double> about_a_pole(model, Reference::pole);
    EXPECT_EQ(refused_with([&] { about_a_pole.update(plan, std::vector<double>(7)); }),
              "run: the operators are about Reference::hinges, the stages about Reference::pole; make "
              "Operators and "
              "Stages with the same choice");
}

TEST_F(Expressions, StaleStagesAreRefused)
{
    const auto L = I - o.H * o.psi * o.K;
    const Plan plan(*o.arena, L.node);
    Runner<double> run(plan);
    Stages<double> stages(model);
    std::vector<double> q(7), x(7), y(7);
    EXPECT_THROW(run(stages, x, y), UsageError); // never set
    update<double>(stages.kin, q);
    EXPECT_THROW(run(stages, x, y), UsageError); // not articulated
    stages.prepare(plan);
    EXPECT_NO_THROW(run(stages, x, y));
    update<double>(stages.kin, q);
    EXPECT_THROW(run(stages, x, y), UsageError); // articulated for another state
    EXPECT_THROW(run(stages, std::span(x).first(3), y), UsageError);
}

struct Sweeps {
    int fused, written;
};
Sweeps sweeps(const auto& op)
{
    return {Plan(*op.arena, op.node).sweeps(), sweeps_as_written(*op.arena, op.node)};
}

TEST_F(Expressions, SweepsOfTheFamousOnes)
{
    const auto L = I - o.H * o.psi * o.K;
    const auto M_inv = adj(L) * inverse(o.D) * L;
    const auto T = o.vector<HingeForce>("T");
    const auto A = o.a + o.gravity;
    const auto C = o.H * o.phi * (o.M * adj(o.phi) * A + o.b);
    const auto expect = [](const Sweeps& got, int fused, int written) {
        EXPECT_EQ(got.fused, fused);
        EXPECT_EQ(got.written, written);
    };
    expect(sweeps(o.M), 0, 0);
    expect(sweeps(o.phi), 1, 1);
    expect(sweeps(o.H * o.phi * o.M * adj(o.phi) * adj(o.H)), 2, 2);
    expect(sweeps(M_inv), 2, 2);
    expect(sweeps(inverse(o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a)), 2, 2);
    expect(sweeps(C), 2, 2);
    expect(sweeps(M_inv * (T - C)), 3, 4); // FD1: phi and psi share a sweep
    expect(sweeps(adj(L) * inverse(o.D) * (T - o.H * o.psi * (o.K * T + o.M * adj(o.phi) * A + o.b))), 3,
           3); // FD3
    expect(sweeps(adj(o.psi) * adj(o.H) * inverse(o.D) * o.H * o.psi), 2, 2);
    expect(sweeps(o.phi * o.psi), 1, 2);
}

TEST_F(Expressions, ExplainTellsTheSweepsAsLoops)
{
    const auto Mass = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;
    const std::string text = explain(*o.arena, inverse(Mass).node);
    EXPECT_NE(text.find("maps HingeForce to HingeMotion"), std::string::npos) << text;
    EXPECT_NE(text.find("sweeps: 2 fused, 2 as written"), std::string::npos) << text;
    EXPECT_NE(
        text.find("1. for k from tip to base:\n     e1(k) = x(k) - H(k) z2(k)\n     e2(k) = D^-1(k) e1(k)\n"
                  "     z1(k) = z2(k) + G(k) e1(k)\n     z2(p) += phi(p,k) z1(k)\n"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find(
            "2. for k from base to tip:\n     y1(k) = phi*(p,k) y2(p)\n     e3(k) = e2(k) - G*(k) y1(k)\n"
            "     y2(k) = y1(k) + H*(k) e3(k)\n\nresult: e3\n"),
        std::string::npos)
        << text;
}

TEST_F(Expressions, CostGrowsWithTheBodies)
{
    const auto count = [](int n) {
        const Operators at(load_model("chain:" + std::to_string(n)));
        const auto L = I - at.H * at.psi * at.K;
        const OperationCount c = cost(Plan(*at.arena, (adj(L) * inverse(at.D) * L).node));
        return c.multiplications + c.additions;
    };
    const long per_link = count(11) - count(10);
    EXPECT_EQ(count(60) - count(10), 50 * per_link); // exactly linear

    // What explain says of it: whatever the model, and with frames and vectors that a chain has not.
    const auto L = I - o.H * o.psi * o.K;
    EXPECT_EQ(operations_per_body(*o.arena, (adj(L) * inverse(o.D) * L).node), static_cast<double>(per_link));
    const auto T = o.vector<HingeForce>("T");
    const auto push = adj(o.B({"tool", "flange"})) * adj(o.psi) * adj(o.H) * inverse(o.D) * L * T;
    EXPECT_EQ(operations_per_body(*o.arena, push.node), static_cast<double>(per_link));
    EXPECT_EQ(operations_per_body(*o.arena, inverse(o.J_a).node), std::nullopt); // chains have no armature
}

// A plan that is known by heart answers as the interpreted one does; many vectors as one by one; accumulate adds.
TEST_F(Expressions, KnownManyAndAccumulated)
{
    for (const char* spec : {"arm7.urdf", "quadruped.urdf", "spacecraft.urdf"}) {
        const Model robot = load_model(std::string(SWEEPDYN_MODELS "/") + spec);
        const Operators at(robot);
        const auto Mass = at.H * at.phi * at.M * adj(at.phi) * adj(at.H) + at.J_a;
        const Plan plan(*at.arena, inverse(Mass).node), plain(*at.arena, inverse(Mass).node, Registry::off);
        EXPECT_EQ(plan.kernel(), Kernel::solve_mass_matrix);
        EXPECT_EQ(plain.kernel(), Kernel::none);
        EXPECT_EQ(Plan(*at.arena, Mass.node).kernel(), Kernel::none);
        EXPECT_EQ(Plan(*at.arena, parse(*at.arena, "H*phi*M*adj(phi)*gravity")).kernel(),
                  Kernel::gravity_forces);
        Runner<double> known(plan), interpreted(plain);

        Stages<double> stages(robot);
        const auto n = static_cast<std::size_t>(robot.num_dofs());
        std::vector<double> q(static_cast<std::size_t>(robot.num_coordinates())), T(3 * n), one(n),
            many(3 * n), sum(n, 2.0);
        random_configuration(robot, 1, q);
        for (std::size_t i = 0; i < T.size(); ++i)
            T[i] = 0.1 * static_cast<double>(i) - 1.0;
        stages.update(plan, q);
        stages.prepare(plain);
        known.many(stages, T, many);
        for (std::size_t i = 0; i < 3; ++i) {
            interpreted(stages, std::span(T).subspan(i * n, n), one);
            for (std::size_t j = 0; j < n; ++j)
                EXPECT_NEAR(many[i * n + j], one[j], 1e-12 * (1.0 + std::abs(one[j]))) << spec;
        }
        known.accumulate(stages, std::span(T).first(n), sum, -0.5);
        for (std::size_t j = 0; j < n; ++j)
            EXPECT_NEAR(sum[j], 2.0 - 0.5 * many[j], 1e-12 * (1.0 + std::abs(many[j]))) << spec;
        EXPECT_THROW(known.many(stages, std::span(T).first(n + 1), many), UsageError);
        EXPECT_THROW(known.accumulate(stages, std::span(T).first(n), std::span(sum).first(n - 1)),
                     UsageError);
        EXPECT_THROW(known(stages, std::span(T).first(n - 1), one), UsageError);
    }
}

// What is of the whole waits until the last root has been there, also in sums and beside what reads it.
TEST_F(Expressions, SumsOverTheRoots)
{
    const Model forest = load_model("random:12:3");
    const Operators at(forest);
    Stages<double> stages(forest);
    std::vector<double> q(static_cast<std::size_t>(forest.num_coordinates()));
    random_configuration(forest, 1, q);
    update<double>(stages.kin, q);
    const Eigen::MatrixXd E = dense(at.E, stages), phi = dense(at.phi, stages), R = dense(at.R, stages),
                          R_0 = dense(at.R_0, stages);
    const auto expect = [&](const char* name, const Eigen::MatrixXd& got, const Eigen::MatrixXd& expected) {
        EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff()) << name;
    };
    expect("2 E phi", dense(2.0 * (at.E * at.phi), stages), 2.0 * E * phi);
    expect("E - E phi", dense(at.E - at.E * at.phi, stages), E - E * phi);
    expect("E* R_0^-1 E R", dense(adj(at.E) * inverse(at.R_0) * at.E * at.R, stages),
           E.transpose() * R_0.inverse() * E * R);
}

// Found by others who tried to break it.
TEST_F(Expressions, WhatMustNotPass)
{
    const auto says = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const UsageError& error) {
            return error.what();
        } catch (const RefusedError& error) {
            return error.what();
        }
        return "";
    };
    const Operators other(load_model("chain:3"));
    EXPECT_EQ(says([&] { Plan(*o.arena, other.M.node); }).substr(0, 50),
              "an expression of model 'chain:3' is used with the ");
    EXPECT_NE(says([&] { Plan(o.gravity * adj(o.b)); }).find("is a number"), std::string::npos);
    EXPECT_NE(says([&] { Plan(adj(o.v) * o.H * o.b); }).find("is a number"), std::string::npos);
    EXPECT_NE(refused("inverse(I - E_phi*M*adj(E)*inverse(R_0)*E)"), "");
    EXPECT_NE(refused(std::string(300, '(') + "M" + std::string(300, ')')).find("200 deep"),
              std::string::npos);

    // Multiples of what has an inverse, sums in another order.
    EXPECT_EQ(parsed("inverse(2*(H*phi*M*adj(phi)*adj(H) + J_a))"),
              parsed("0.5*inverse(J_a + H*phi*M*adj(phi)*adj(H))"));
    EXPECT_EQ(parsed("inverse(E_phi - I)"), parsed("-phi"));
    EXPECT_EQ(Plan(*o.arena, parsed("H*phi*(b + M*adj(phi)*(gravity + a))")).kernel(),
              Kernel::inverse_dynamics);
    const Node* half = parsed("0.5*(M + R)*adj(phi)");
    EXPECT_EQ(parsed(to_text(*o.arena, half)), half);

    // Vectors with names.
    const auto T = o.vector<HingeForce>("T");
    const Plan plan(inverse(o.D) * T);
    Runner<double> run(plan);
    Stages<double> stages(model);
    std::vector<double> q(7, 0.2), x(7, 1.0), y(7);
    stages.update(plan, q);
    EXPECT_NE(says([&] { run(stages, {}, y); }).find("'T' has no numbers yet"), std::string::npos);
    run.set("T", x);
    EXPECT_NE(says([&] { run(stages, x, y); }), "");
    EXPECT_EQ(says([&] { run(stages, {}, y); }), "");
    EXPECT_EQ(plan.sweep_directions().size(), 0u);
    EXPECT_EQ(Plan(o.phi).sweep_directions(), std::vector{Direction::causal});

    // Blocks with names: a body's after the other's, column by column.
    const auto C = o.blocks<BodyMotion, HingeMotion>("C");
    const Plan given(adj(o.phi) * C);
    Runner<double> columns(given), kernel{Plan(adj(o.phi) * adj(o.H))};
    std::vector<double> motions(6 * static_cast<std::size_t>(model.num_bodies())), same(motions), H;
    EXPECT_NE(says([&] { columns(stages, x, motions); }).find("operator 'C' has no numbers yet"),
              std::string::npos);
    EXPECT_NE(says([&] { columns.set("c", x); }).find("'C'"), std::string::npos);
    EXPECT_NE(says([&] { columns.set("C", x); }).find("42"), std::string::npos);
    for (const auto& h : stages.kin.H)
        H.insert(H.end(), {h.w.x, h.w.y, h.w.z, h.v.x, h.v.y, h.v.z});
    columns.set("C", H);
    columns(stages, x, motions), kernel(stages, x, same);
    EXPECT_EQ(motions, same);
    const Plan back(adj(C) * o.b), feels(o.H * o.b);
    Runner<double> forces(back), felt(feels);
    stages.update(back, q, x), stages.prepare(feels);
    forces.set("C", H);
    std::vector<double> one(7), two(7);
    forces(stages, {}, one), felt(stages, {}, two);
    EXPECT_EQ(one, two);
    EXPECT_EQ(to_text(2.0 * adj(C)), "2*adj(C)");
    EXPECT_NE(explain(*o.arena, (adj(o.phi) * C).node).find("C(k) x(k)"), std::string::npos);
    EXPECT_NE(explain(*o.arena, adj(C).node).find("C*(k) x(k)"), std::string::npos);
    const auto X = o.blocks<BodyForce, BodyMotion>("X");
    EXPECT_NE(says([&] { Plan(inverse(X)); }).find("inverse(X)"), std::string::npos);

    // The block of a point mass has no inverse.
    ModelBuilder builder("pendulum");
    builder.add_body({"bob", 1.0, {0.0, 0.0, -0.5}});
    Hinge hinge;
    hinge.name = "pivot", hinge.kind = HingeKind::revolute, hinge.child = "bob", hinge.axis = {1.0, 0.0, 0.0};
    builder.add_hinge(hinge);
    const Operators pendulum(builder.build());
    Stages<double> at(pendulum.arena->model());
    update<double>(at.kin, std::vector<double>{0.3});
    EXPECT_NE(says([&] { dense(inverse(pendulum.M), at); }).find("is singular"), std::string::npos);
}

// log det of multiples, of the mass operator without armature, of weights.
TEST_F(Expressions, LogDeterminants)
{
    Stages<double> stages(model);
    update<double>(stages.kin, std::vector<double>(7, 0.4));
    const auto rigid = o.H * o.phi * o.M * adj(o.phi) * adj(o.H);
    const auto truth = [&](const auto& op) { return std::log(std::abs(dense(op, stages).determinant())); };
    EXPECT_NEAR(*log_det(rigid, stages), truth(rigid), 1e-9);
    EXPECT_NEAR(*log_det(o.J_a + rigid, stages), truth(rigid + o.J_a), 1e-9);
    EXPECT_NEAR(*log_det(3.0 * o.D, stages), truth(3.0 * o.D), 1e-9);
    EXPECT_EQ(*log_det(o.W, stages), 0.0);
}

TEST_F(Expressions, StackedVectors)
{
    const auto Mass = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;
    Stages<double> stages(model);
    const std::vector<double> q(7, 0.3), v(7, 0.1);
    update<double>(stages.kin, q, v);
    const Stacked<HingeForce> T(model, Eigen::VectorXd::LinSpaced(7, 1.0, 2.0));
    const Stacked<HingeMotion> v_dot = apply(inverse(Mass), stages, T);
    EXPECT_LT((apply(Mass, stages, v_dot) - T).numbers().norm(), 1e-12);
    const Stacked<HingeForce> other(load_model("chain:7"));
    EXPECT_THROW(T + other, UsageError);
    EXPECT_THROW(dot(T, Stacked<HingeMotion>(load_model("chain:7"))), UsageError);
    EXPECT_THROW(apply(inverse(Mass), stages, other), UsageError);
    EXPECT_GT(dot(T, v_dot), 0.0); // M is positive
    EXPECT_DOUBLE_EQ((2.0 * T - T + T).block(model.num_bodies() - 1).sum(),
                     2.0 * T.block(model.num_bodies() - 1).sum());
    const Stacked<BodyMotion> V =
        apply(adj(o.phi) * adj(o.H), stages, Stacked<HingeMotion>(model, Eigen::VectorXd::Ones(7)));
    EXPECT_EQ(V.block(2).size(), 6);
    const Stacked<FrameMotion> tool = apply(adj(o.B({"tool"})), stages, V);
    EXPECT_EQ(tool.numbers().size(), 6);
    EXPECT_EQ(value_of(o.v, stages).numbers(), Eigen::VectorXd::Constant(7, 0.1));
    EXPECT_THROW(Stacked<HingeForce>(model, Eigen::VectorXd::Ones(6)), UsageError);
}

} // namespace
} // namespace sweepdyn::algebra
