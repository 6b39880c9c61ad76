// Laws of the operator algebra over clusters: every identity of the papers on mechanisms with loops, with blocks of variable size; and
// the operators against maximal coordinates in 40 digits, against the reduced mass matrix and against the kernels of clusters.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/closed_golden.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/identities.hpp"
#include "sweepdyn/operators/questions.hpp"
#include "sweepdyn/operators/stacked.hpp"

namespace sweepdyn::test {
namespace {

using algebra::BlockTree;
using algebra::I;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> independent_of(const ClosedGolden& golden)
{
    return golden.json.value("independent_velocity", std::vector<int>());
}

BlockTree tree_of(const ClosedGolden& golden)
{
    return BlockTree::clusters_at(golden.model, golden.q, independent_of(golden));
}

algebra::Stages<double> stages_at(const ClosedGolden& golden, const BlockTree& over,
                                  Reference reference = Reference::hinges)
{
    algebra::Stages<double> stages(over, reference);
    update<double>(stages.kin, golden.q, golden.v);
    return stages;
}

VectorXd eigen(const std::vector<double>& x)
{
    return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
MatrixXd matrix(const nlohmann::json& rows)
{
    MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.at(0).size()));
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < out.cols(); ++j)
            out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return out;
}
// A golden mechanism at its state: operators over its clusters, and the kernels of clusters beside them.
struct Subject {
    explicit Subject(const std::string& name)
        : golden(closed_golden(name)),
          over(tree_of(golden)),
          o(over),
          stages(stages_at(golden, over)),
          mechanism(golden.model)
    {
        mechanism.prefer_independent(over.independent());
        mechanism.set(golden.q, golden.v);
    }
    MatrixXd E() // motions of all dofs per independent one
    {
        return Eigen::Map<const MatrixXd>(mechanism.basis().data(), golden.model.num_dofs(),
                                          over.num_columns());
    }
    double condition() // of the mass matrix
    {
        const std::vector<double> M = mechanism.mass_matrix();
        const int m = mechanism.mobility();
        if (m == 0)
            return 1.0;
        const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(Eigen::Map<const MatrixXd>(M.data(), m, m));
        return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
    }

    ClosedGolden golden;
    BlockTree over;
    algebra::Operators o;
    algebra::Stages<double> stages;
    ClosedMechanism mechanism;
};
class ClusterAlgebra : public testing::TestWithParam<std::string> {};

TEST_P(ClusterAlgebra, IdentitiesHold)
{
    const ClosedGolden golden = closed_golden(GetParam());
    if (golden.model.num_bodies() > 60)
        return; // dense matrices of six numbers per body are large
    for (Reference reference : {Reference::hinges, Reference::pole}) {
        algebra::Stages<double> stages = stages_at(golden, tree_of(golden), reference);
        for (const algebra::IdentityResidual& identity : algebra::check_identities(stages))
            EXPECT_LE(identity.residual, identity.tolerance) << identity.name << ": " << identity.equation;
    }
}

// M_ind and the accelerations of the 40-digit oracle, by the expressions that serve trees.
TEST_P(ClusterAlgebra, EqualsTheOracle)
{
    Subject subject(GetParam());
    auto& [golden, over, o, stages, mechanism] = subject;
    ASSERT_EQ(std::vector<int>(mechanism.independent().begin(), mechanism.independent().end()),
              std::vector<int>(over.independent().begin(), over.independent().end()));
    const int n = golden.model.num_dofs(), m = over.num_columns();
    const MatrixXd E = subject.E();

    const auto Mass = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;
    const auto bias = o.H * o.phi * (o.M * adj(o.phi) * (o.a + o.gravity) + o.b);
    const auto L = I - o.H * o.psi * o.K;
    const auto M_inv = adj(L) * algebra::inverse(o.D) * L;

    const bool is_independent =
        independent_of(golden) == std::vector<int>(over.independent().begin(), over.independent().end());
    const double tolerance = GetParam() == "gripper_mimic_gear" ? 1e-10 : 1e-11;
    const auto close = [&](const char* what, const MatrixXd& got, const MatrixXd& expected) {
        ASSERT_EQ(got.rows(), expected.rows()) << what;
        EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), tolerance * expected.cwiseAbs().maxCoeff()) << what;
    };
    if (is_independent && golden.json["outputs"].contains("mass_matrix_independent"))
        close("M_ind", algebra::dense(Mass, stages),
              matrix(golden.json["outputs"]["mass_matrix_independent"]));

    // u_dot = M^-1 (E'T - C - E' J_a g), then v_dot = E u_dot + g
    std::vector<double> g(static_cast<std::size_t>(n)), zero(static_cast<std::size_t>(m));
    mechanism.complete_accelerations(zero, g);
    VectorXd T = eigen(golden.T);
    for (int j = 0; j < n; ++j)
        T[j] -= stages.kin.armature[j] * g[static_cast<std::size_t>(j)];
    const VectorXd net = E.transpose() * T - VectorXd(algebra::dense(bias, stages));
    const VectorXd u_dot = algebra::apply(M_inv, stages, net);
    close("v_dot", E * u_dot + eigen(g), eigen(golden.json["outputs"]["vdot"].get<std::vector<double>>()));
    // The same, by the inverse that the algebra derives.
    const VectorXd derived = algebra::apply(algebra::inverse(Mass), stages, net);
    EXPECT_LE((derived - u_dot).cwiseAbs().maxCoeff(),
              1e-13 * subject.condition() * u_dot.cwiseAbs().maxCoeff());
    // log det M = sum of log det D
    const double log_det = *algebra::log_det(Mass, stages);
    const MatrixXd dense_mass = algebra::dense(Mass, stages);
    EXPECT_NEAR(log_det, std::log(dense_mass.determinant()), 1e-10 * (1.0 + std::abs(log_det)));
}

// V = phi* H* u, and J E of frames: of the kinematics of the tree.
TEST_P(ClusterAlgebra, VelocitiesAndJacobians)
{
    Subject subject(GetParam());
    auto& [golden, over, o, stages, mechanism] = subject;
    const int n = golden.model.num_dofs();
    const MatrixXd E = subject.E();
    const VectorXd V = algebra::apply(adj(o.phi) * adj(o.H) * o.v, stages, VectorXd());
    double largest = 0.0, error = 0.0;
    for (int k = 0; k < golden.model.num_bodies(); ++k) {
        const Motion<double>& Vk = stages.kin.body[k].V;
        const double expected[6] = {Vk.w.x, Vk.w.y, Vk.w.z, Vk.v.x, Vk.v.y, Vk.v.z};
        for (int i = 0; i < 6; ++i) {
            largest = std::max(largest, std::abs(expected[i]));
            error = std::max(error, std::abs(V[6 * k + i] - expected[i]));
        }
    }
    EXPECT_LE(error, 1e-11 * largest); // golden states close the loops to 16 digits
    const std::string& tip = golden.model.bodies().back().name;
    std::vector<double> J(6 * static_cast<std::size_t>(n));
    frame_jacobian<double>(stages.kin, golden.model.frame(tip), J);
    const MatrixXd expected = Eigen::Map<MatrixXd>(J.data(), 6, n) * E;
    const MatrixXd got = algebra::dense(adj(o.B({tip})) * adj(o.phi) * adj(o.H), stages);
    EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

// adj is the transpose, inverse the inverse, of blocks of any size.
TEST_P(ClusterAlgebra, AdjointAndInverse)
{
    Subject subject(GetParam());
    auto& [golden, over, o, stages, mechanism] = subject;
    if (golden.model.num_bodies() > 60)
        return;
    const double condition = subject.condition();
    const auto check = [&](const char* name, const auto& op) {
        const MatrixXd A = algebra::dense(op, stages), B = algebra::dense(adj(op), stages);
        EXPECT_LE((A.transpose() - B).cwiseAbs().maxCoeff(), 1e-14 * condition * A.cwiseAbs().maxCoeff())
            << name;
    };
    check("phi", o.phi), check("psi", o.psi), check("K", o.K), check("S", o.S), check("E", o.E);
    check("Delta_psi", o.Delta_psi), check("Upsilon", o.Upsilon), check("E_psi", o.E_psi),
        check("tau", o.tau);
    check("L_D", o.L_D), check("M_dot", o.M_dot);
    const auto check_inverse = [&](const char* name, const auto& op) {
        const MatrixXd A = algebra::dense(op, stages), B = algebra::dense(algebra::inverse(op), stages);
        EXPECT_LE((A * B - MatrixXd::Identity(A.rows(), A.rows())).cwiseAbs().maxCoeff(),
                  1e-13 * (A.cwiseAbs() * B.cwiseAbs()).maxCoeff())
            << name;
    };
    check_inverse("phi", o.phi), check_inverse("adj(psi)", adj(o.psi)), check_inverse("D", o.D);
    check_inverse("L_D", o.L_D), check_inverse("adj(L_D)", adj(o.L_D)),
        check_inverse("Delta_phi", o.Delta_phi);
    check_inverse("I + S", I + 0.5 * o.S);
    check_inverse("I + H phi K", I + o.H * o.phi * o.K);
    check_inverse("the mass operator", o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a);
}

// Balls between random bodies of random forests, closed where they are: clusters on branches of clusters, of every kind of hinge.
TEST(ClusterAlgebraOfForests, IdentitiesHold)
{
    int tried = 0;
    double worst = 0.0;
    constexpr int wanted = 24 / forest_step; // dense matrices of six numbers per body are large
    for (std::size_t i = 0; i < forest_cases().size() && tried < wanted; ++i) {
        const Case& c = forest_cases()[i];
        const int bodies = c.model.num_bodies();
        if (bodies < 4 || bodies > 14)
            continue;
        Kinematics<double> kin(c.model);
        update<double>(kin, c.q);
        Random random(i + 1);
        ModelBuilder builder(c.model);
        for (int loop = 0; loop < 1 + static_cast<int>(i % 3); ++loop) {
            const int a = random.integer(0, bodies - 1), b = (a + random.integer(1, bodies - 1)) % bodies;
            const Vec3<double> p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            Loop ball{.kind = LoopKind::ball,
                      .body_a = c.model.bodies()[a].name,
                      .body_b = c.model.bodies()[b].name};
            ball.X_Aa.p = p;
            ball.X_Bb.p = transform_point(inverse(kin.X_WB(b)), transform_point(kin.X_WB(a), p));
            builder.add_loop(ball);
        }
        std::optional<Model> closed;
        try {
            closed = builder.build();
        } catch (const ModelError&) { // two loops on one pair, or bodies that cannot move apart
            continue;
        }
        const BlockTree over = BlockTree::clusters_at(*closed, c.q);
        for (Reference reference : {Reference::hinges, Reference::pole}) {
            algebra::Stages<double> stages(over, reference);
            update<double>(stages.kin, c.q);
            for (const algebra::IdentityResidual& identity : algebra::check_identities(stages)) {
                EXPECT_LE(identity.residual, identity.tolerance)
                    << c.where << ", " << identity.name << ": " << identity.equation;
                worst = std::max(worst, identity.residual / identity.tolerance);
            }
        }
        ++tried;
    }
    EXPECT_EQ(tried, wanted);
    std::cout << "note: identities over clusters of " << tried << " random forests with loops, worst "
              << worst << " of the tolerance\n";
}

// A model without loops has the same operators either way.
TEST(ClusterAlgebraOfForests, EqualsTheTreeWithoutLoops)
{
    for (std::size_t i = 0; i < forest_cases().size(); i += 11) {
        const Case& c = forest_cases()[i];
        if (c.v.empty())
            continue;
        const BlockTree over = BlockTree::clusters_at(c.model, c.q);
        const algebra::Operators by_hinges(c.model), by_clusters(over);
        algebra::Stages<double> tree(c.model), clusters(over);
        update<double>(tree.kin, c.q, c.v);
        update<double>(clusters.kin, c.q, c.v);
        const auto difference = [&](const char* what, const auto& a, const auto& b) {
            const MatrixXd A = algebra::dense(a, tree, algebra::Registry::off),
                           B = algebra::dense(b, clusters);
            EXPECT_LE((A - B).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff())
                << what << ", " << c.where;
        };
        const auto &t = by_hinges, &o = by_clusters;
        difference("phi", t.phi, o.phi), difference("H", t.H, o.H), difference("D", t.D, o.D);
        difference("R", t.R, o.R), difference("P", t.P, o.P);
        difference("bias", t.H * t.phi * (t.M * adj(t.phi) * (t.a + t.gravity) + t.b),
                   o.H * o.phi * (o.M * adj(o.phi) * (o.a + o.gravity) + o.b));
        difference("momentum", t.E * t.phi * t.R * adj(t.H) * t.v, o.E * o.phi * o.R * adj(o.H) * o.v);
    }
}

TEST(ClusterAlgebraOfForests, RefusesWhatDoesNotMeet)
{
    const ClosedGolden golden = closed_golden("four_bar");
    const BlockTree over = tree_of(golden);
    const algebra::Operators o(over);
    algebra::Stages<double> tree(golden.model), clusters(over);
    update<double>(tree.kin, golden.q);
    const auto says = [](const auto& f) {
        try {
            f();
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_EQ(says([&] { algebra::dense(o.phi, tree); }),
              "run: the operators are over clusters with independent 'crank', the stages over hinges; make "
              "Operators and Stages with "
              "the same BlockTree");
    // Crank and coupler in line: the rocker turns round, and the others do not follow it.
    const BlockTree by_rocker = BlockTree::clusters_at(golden.model, golden.q, std::vector<int>{2});
    algebra::Stages<double> stages(by_rocker);
    const double a = 1.0, b = 2.5, c = 2.0, d = 3.0; // crank, coupler, rocker, ground
    const double crank = std::acos(((a + b) * (a + b) + d * d - c * c) / (2.0 * (a + b) * d)),
                 rocker = std::atan2((a + b) * std::sin(crank), (a + b) * std::cos(crank) - d);
    update<double>(stages.kin, std::vector<double>{crank, 0.0, rocker});
    const std::string said = says([&] { algebra::dense(algebra::Operators(by_rocker).H, stages); });
    EXPECT_TRUE(said.starts_with(
        "at this state the loops do not leave 'rocker' independent; those that they leave: 'c"))
        << said;
    EXPECT_TRUE(said.ends_with("'. Make the BlockTree with these")) << said;
    EXPECT_EQ(says([&] { BlockTree::clusters_at(golden.model, golden.q, std::vector<int>{7}); }),
              "BlockTree::clusters_at: got 7 among the preferred dofs, expected 0 to 2");
}

// Vectors over clusters, and answers by blocks.
TEST(ClusterAlgebraOfForests, BlocksOfVectorsAndOperators)
{
    const ClosedGolden golden = closed_golden("leg_floating");
    const BlockTree over = tree_of(golden);
    const algebra::Operators o(over);
    algebra::Stages<double> stages = stages_at(golden, over);
    const MatrixXd D = algebra::dense(o.D, stages);
    const std::vector<MatrixXd> blocks = algebra::diagonal_blocks(o.D, stages);
    ASSERT_EQ(blocks.size(), over.clusters().size());
    for (std::size_t k = 0; k < blocks.size(); ++k)
        EXPECT_EQ(blocks[k], MatrixXd(D(over.clusters()[k].columns, over.clusters()[k].columns)));
    const algebra::Stacked<algebra::HingeMotion> u = algebra::value_of(o.v, stages);
    const algebra::Stacked<algebra::BodyMotion> V = apply(adj(o.phi) * adj(o.H), stages, u);
    const algebra::Stacked<algebra::HingeForce> h = apply(o.H * o.phi * o.M, stages, V);
    double energy = 0.0;
    for (int k = 0; k < golden.model.num_bodies(); ++k)
        energy += 0.5 * dot(stages.kin.body[k].V, stages.kin.M[k] * stages.kin.body[k].V);
    EXPECT_NEAR(0.5 * dot(h, u), energy, 1e-12 * energy);
}

INSTANTIATE_TEST_SUITE_P(Golden, ClusterAlgebra, testing::ValuesIn(closed_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace sweepdyn::test
