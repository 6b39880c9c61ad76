// The staircase: systems built with a part that no input reaches, turned and scaled so that no zero shows.
#include "support/linear.hpp"
#include "sweepdyn/linear/controllability.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

struct Built {
    MatrixXd A, B, turn;
    std::vector<std::complex<double>> lost;
};
// nc states that are reached, nu that are not, in turned coordinates of different units.
Built built(Random& random, int nc, int nu, int m, double units)
{
    const int n = nc + nu;
    Built out;
    out.A = random_matrix(random, n, n);
    out.A.bottomLeftCorner(nu, nc).setZero();
    out.B = random_matrix(random, n, m);
    out.B.bottomRows(nu).setZero();
    out.lost = eigenvalues(out.A.bottomRightCorner(nu, nu));
    MatrixXd turn = random_matrix(random, n, n).householderQr().householderQ();
    for (int i = 0; i < n; ++i)
        turn.row(i) *= std::pow(10.0, random.uniform(-units, units));
    out.A = turn * out.A * turn.inverse();
    out.B = turn * out.B;
    out.turn = turn;
    return out;
}

TEST(Controllability, RankAndLostModes)
{
    Random random(21);
    for (int trial = 0; trial < 60; ++trial) {
        const int nc = random.integer(1, 12), nu = random.integer(0, 5), m = random.integer(1, 3);
        const Built b = built(random, nc, nu, m, trial % 3);
        const Staircase found = controllability(matrix(b.A), matrix(b.B));
        EXPECT_EQ(found.rank, nc) << trial;
        EXPECT_EQ(found.complete(), nu == 0);
        std::vector<std::complex<double>> lost;
        for (const LostMode& mode : found.lost_modes) {
            lost.push_back(mode.s);
            if (mode.s.imag() != 0.0)
                lost.push_back(std::conj(mode.s));
        }
        EXPECT_LT(pole_distance(lost, b.lost), 1e-8) << trial;
        // w' B = 0, and w' A is again such a functional
        const MatrixXd W = dense(found.lost);
        if (nu > 0) {
            EXPECT_LT(largest(W.transpose() * b.B),
                      1e-9 * largest(W.cwiseAbs().transpose() * b.B.cwiseAbs()));
            // margins: as many as lost poles are nil
            const auto margins = controllability_margins(matrix(b.A), matrix(b.B));
            EXPECT_EQ(std::count_if(margins.begin(), margins.end(), [](double s) { return s < 1e-10; }), nu)
                << trial;
        }
        const Staircase dual = observability(matrix(b.A.transpose()), matrix(b.B.transpose()));
        EXPECT_EQ(dual.rank, nc);
    }
}

TEST(Controllability, LongChainsWherePowersOfAFail)
{
    // n masses in a row, a force on the first: reached entirely, though B, A B, A^2 B, ... are long since parallel.
    const int n = 30;
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n), B = MatrixXd::Zero(2 * n, 1);
    A.topRightCorner(n, n).setIdentity();
    for (int i = 0; i < n; ++i) {
        A(n + i, i) = -200.0;
        if (i > 0)
            A(n + i, i - 1) = A(n + i - 1, i) = 100.0;
    }
    B(n, 0) = 0.01;
    const Staircase found = controllability(matrix(A), matrix(B));
    EXPECT_EQ(found.rank, 2 * n);
    EXPECT_TRUE(found.lost_modes.empty());
}

TEST(Controllability, DoubleZerosAreNamed)
{
    // Two slides, a force on one: the other's displacement and rate are a chain at zero.
    const StateSpace system =
        named(rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}), rows({{0}, {0}, {2}, {0}}),
              {"q:driven", "q:loose", "v:driven", "v:loose"});
    const Staircase found = controllability(system);
    EXPECT_EQ(found.rank, 2);
    ASSERT_EQ(found.lost_modes.size(), 1u);
    EXPECT_EQ(found.lost_modes[0].s, 0.0);
    EXPECT_EQ(found.lost_modes[0].multiplicity, 2);
    EXPECT_FALSE(found.lost_modes[0].strictly_stable);
    EXPECT_EQ(lost_mode_text(found.lost_modes[0]), "the mode at 0 (2 times) in v:loose");
    // All are seen when both displacements are measured; of rates alone no displacement is.
    StateSpace measured = system;
    measured.C = rows({{1, 0, 0, 0}, {0, 1, 0, 0}});
    EXPECT_TRUE(observability(measured).complete());
    measured.C = rows({{0, 0, 1, 0}, {0, 0, 0, 1}});
    const Staircase unseen = observability(measured);
    EXPECT_EQ(unseen.rank, 2);
    EXPECT_EQ(lost_mode_text(unseen.lost_modes.at(0)), "the mode at 0 (2 times) in q:driven, q:loose");
}

TEST(Controllability, Refused)
{
    EXPECT_NE(words_of<UsageError>([] {
                  controllability(Matrix(2, 2), Matrix(3, 1));
              }).find("got A of 2 x 2, B of 3 rows"),
              std::string::npos);
    EXPECT_EQ(controllability(Matrix(2, 2), Matrix(2, 0)).rank, 0); // no input at all
    EXPECT_EQ(controllability(Matrix(), Matrix()).rank, 0);
}

} // namespace
} // namespace sweepdyn::test
