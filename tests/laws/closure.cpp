// Laws of what loops leave of the motion: J is the derivative of the gaps, gamma that of J v along the motion (truth: dual numbers);
// v = E u and v_dot = E u_dot + g keep every row; the rank is that of J.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "support/linkages.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/kinematics/closure.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::test {
namespace {

using Number = Dual<double>;

// The state moved along dq, to first order.
std::vector<Number> moved(const Model& model, const std::vector<double>& q, const std::vector<double>& dq)
{
    std::vector<Number> out(q.begin(), q.end()), step;
    for (double d : dq)
        step.push_back({0.0, d});
    integrate<Number>(model, out, step, out);
    return out;
}

class ClosureOf : public testing::TestWithParam<std::string> {};

// gap_dot = -J dq along any dq
TEST_P(ClosureOf, JacobianIsTheDerivativeOfTheGap)
{
    const ClosedGolden golden = closed_golden(GetParam());
    const auto n = golden.v.size();
    Kinematics<double> kin(golden.model);
    Loops<double> loops(golden.model, golden.model.loops());
    update<double>(kin, golden.q);
    update_loops(kin, loops);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(loops.num_rows, static_cast<Eigen::Index>(n)), by_gap = J;
    for (const LoopOnTree<double>& on : loops.loops)
        loop_jacobian<double>(kin, loops, on,
                              [&](int i, int dof, double x) { J(on.first_row + i, dof) += x; });
    Kinematics<Number> dual_kin(golden.model);
    Loops<Number> dual_loops(golden.model, golden.model.loops());
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> dq(n);
        dq[j] = 1.0;
        update<Number>(dual_kin, moved(golden.model, golden.q, dq));
        update_loops(dual_kin, dual_loops);
        for (int row = 0; row < loops.num_rows; ++row)
            by_gap(row, static_cast<Eigen::Index>(j)) =
                -dual_loops.gap[static_cast<std::size_t>(row)].tangent;
    }
    for (const LoopOnTree<double>& on : loops.loops) {
        const Eigen::MatrixXd rows = J.middleRows(on.first_row, on.holonomic),
                              gaps = by_gap.middleRows(on.first_row, on.holonomic);
        EXPECT_LE((gaps - rows).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + rows.cwiseAbs().maxCoeff()))
            << on.loop.name; // states close to 1e-13 or so
    }
}

// d(J v)/dt at v_dot = 0 is gamma
TEST_P(ClosureOf, GammaIsTheRateOfTheRows)
{
    const ClosedGolden golden = closed_golden(GetParam());
    Kinematics<double> kin(golden.model);
    Loops<double> loops(golden.model, golden.model.loops());
    update<double>(kin, golden.q, golden.v);
    update_loops(kin, loops);
    Kinematics<Number> dual_kin(golden.model);
    Loops<Number> dual_loops(golden.model, golden.model.loops());
    const std::vector<Number> v(golden.v.begin(), golden.v.end());
    update<Number>(dual_kin, moved(golden.model, golden.q, golden.v), v);
    update_loops(dual_kin, dual_loops);
    std::vector<Number> rate(static_cast<std::size_t>(loops.num_rows));
    std::vector<double> size(rate.size(), 1.0);
    for (const LoopOnTree<Number>& on : dual_loops.loops)
        loop_jacobian<Number>(dual_kin, dual_loops, on, [&](int i, int dof, const Number& x) {
            const auto row = static_cast<std::size_t>(on.first_row + i);
            rate[row] += x * v[static_cast<std::size_t>(dof)];
            size[row] += std::abs(x.tangent * golden.v[static_cast<std::size_t>(dof)]);
        });
    for (std::size_t row = 0; row < rate.size(); ++row)
        EXPECT_NEAR(loops.gamma[row], rate[row].tangent, 1e-11 * size[row]) << "row " << row;
}

TEST_P(ClosureOf, BasesAndRank)
{
    const ClosedGolden golden = closed_golden(GetParam());
    Kinematics<double> kin(golden.model);
    Closure<double> closure(golden.model);
    update<double>(kin, golden.q, golden.v);
    update_closure(kin, closure);
    for (const ClusterClosure<double>& c : closure.clusters) {
        const int n = c.num_columns();
        Eigen::MatrixXd J(c.rows, n), E(n, c.mobility());
        Eigen::VectorXd g(n), gamma(c.rows);
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < c.rows; ++i)
                J(i, j) = c.entry(i, j);
            for (int i = 0; i < c.mobility(); ++i)
                E(j, i) = c.basis(j, i);
            g[j] = c.g[j];
        }
        for (int i = 0; i < c.rows; ++i)
            gamma[i] = c.gamma[i];
        const Eigen::MatrixXd left = J * E, terms = J.cwiseAbs() * E.cwiseAbs();
        for (Eigen::Index i = 0; i < left.size(); ++i)
            EXPECT_LE(std::abs(left(i)), 1e-11 * (1.0 + terms(i)));
        const Eigen::VectorXd kept = J * g + gamma, sizes = J.cwiseAbs() * g.cwiseAbs();
        for (Eigen::Index i = 0; i < kept.size(); ++i)
            EXPECT_LE(std::abs(kept[i]),
                      1e-9 * (1.0 + sizes[i] + std::abs(gamma[i]))); // redundant rows: as the state closes
        for (int i = 0; i < c.mobility(); ++i)
            for (int k = 0; k < c.mobility(); ++k)
                EXPECT_EQ(E(c.independent[i], k), i == k ? 1.0 : 0.0);
        // Of the scaled rows, as the elimination saw them.
        Eigen::MatrixXd scaled = J;
        for (int i = 0; i < c.rows; ++i)
            for (int j = 0; j < n; ++j)
                scaled(i, j) *= c.row_scale[i] * c.column_scale[j];
        const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled);
        int rank = 0;
        while (rank < svd.singularValues().size() &&
               svd.singularValues()[rank] > 1e-6 * svd.singularValues()[0])
            ++rank;
        EXPECT_EQ(c.rank, rank);
    }
}

// A crank of a metre that drives a linkage of its kind and another one of micrometres: each is closed by its own measure.
TEST(Closure, SmallLoopsBesideLargeOnes)
{
    for (const double small : {1.0, 1e-3, 1e-6}) {
        ModelBuilder builder("two sizes");
        const auto bar = [&](const std::string& name, const std::string& parent, double length, double x) {
            const double m = length * length;
            builder.add_body({name,
                              m,
                              {0.5 * length, 0, 0},
                              Sym3<double>::diagonal(0.1 * m * m, 0.1 * m * m, 0.1 * m * m)});
            builder.add_hinge({.name = name,
                               .kind = HingeKind::revolute,
                               .parent = parent,
                               .child = name,
                               .X_PF = {.p = {x, 0, 0}}});
        };
        const auto bars = [&](const std::string& n, const std::string& crank, double size) {
            bar("coupler" + n, crank, 2.5 * size, size);
            bar("rocker" + n, "", 2.0 * size, 3.0 * size);
            Loop loop = test::pin("coupler" + n, 2.5 * size, "rocker" + n, 2.0 * size);
            loop.name = "pin" + n;
            builder.add_loop(loop);
        };
        bar("crank", "", 1.0, 0.0);
        bars("0", "crank", 1.0);
        bars("1", "crank", small);
        const Model model = builder.build();
        const std::vector<double> q =
            assembled(model, std::vector<double>{1.0, 0.0, 1.0, 0.0, 1.0}, {.hold = {"crank"}});
        Kinematics<double> kin(model);
        Closure<double> closure(model);
        closure.prefer(std::vector<int>{0});
        update<double>(kin, q, std::vector<double>(5, 0.0));
        update_closure(kin, closure);
        ASSERT_EQ(closure.mobility(), 1) << small;
        const ClusterClosure<double>& c = closure.clusters[0];
        for (int k : {1, 2}) // the same angles, the same ratios
            EXPECT_NEAR(c.basis(c.column_of[static_cast<std::size_t>(k + 2)], 0),
                        c.basis(c.column_of[static_cast<std::size_t>(k)], 0), 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Golden, ClosureOf, testing::ValuesIn(closed_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace sweepdyn::test
