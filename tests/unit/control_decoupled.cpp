// Decoupled regulators: of the two-link arm of 002, of random mechanisms, and of rates that are not velocities.
#include "support/linear.hpp"
#include "sweepdyn/control/decoupled_regulator.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

StateSpace mechanism(const MatrixXd& M, const MatrixXd& P1, const MatrixXd& P2)
{
    const auto n = M.rows();
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n), B = MatrixXd::Zero(2 * n, n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = -M.inverse() * P2;
    A.bottomRightCorner(n, n) = -M.inverse() * P1;
    B.bottomRows(n) = M.inverse();
    std::vector<std::string> names;
    for (const char* half : {"q:", "v:"})
        for (Eigen::Index i = 0; i < n; ++i)
            names.push_back(half + std::to_string(i));
    return named(matrix(A), matrix(B), names);
}

TEST(DecoupledRegulator, TwoLinkArm)
{
    // 002 (33): two links hanging; K_V = M Lambda1 - P1, K_P = M Lambda2 - P2 with P1 = 0, P2 = M (-A21)
    const MatrixXd M = (MatrixXd(2, 2) << 30, 50, 50, 140).finished(); // (th2, th1)
    const MatrixXd A21 = (MatrixXd(2, 2) << -5.19172941, 3.46115294, 1.15371765, -4.03801176).finished();
    const StateSpace system = mechanism(M, MatrixXd::Zero(2, 2), -M * A21);
    const double wn[] = {3.0, 5.0}, zeta[] = {0.7, 1.5};
    const Gain found = decoupled_regulator(system, wn, zeta);
    const Eigen::Vector2d l1(2 * 0.7 * 3.0, 2 * 1.5 * 5.0), l2(9.0, 25.0);
    MatrixXd K(2, 4);
    K << M * MatrixXd(l2.asDiagonal()) + M * A21, M * MatrixXd(l1.asDiagonal());
    expect_equal("[K_P K_V]", "two links", found.K, K);
    EXPECT_LT(pole_distance(found.closed_loop_poles, {{-2.1, 3 * std::sqrt(1 - 0.49)},
                                                      {-2.1, -3 * std::sqrt(1 - 0.49)},
                                                      5 * (-1.5 + std::sqrt(1.25)),
                                                      5 * (-1.5 - std::sqrt(1.25))}),
              1e-12);
}

TEST(DecoupledRegulator, RandomMechanisms)
{
    Random random(81);
    for (int n : {1, 3, 7, 30}) {
        const MatrixXd root = random_matrix(random, n, n);
        const StateSpace system = mechanism(root * root.transpose() + MatrixXd::Identity(n, n),
                                            random_matrix(random, n, n), random_matrix(random, n, n));
        const double wn[] = {4.0}, zeta[] = {0.5};
        const MatrixXd closed =
            dense(system.A) - dense(system.B) * dense(decoupled_regulator(system, wn, zeta).K);
        const MatrixXd I = MatrixXd::Identity(n, n);
        const std::string where = std::to_string(n) + " dofs";
        expect_equal("-wn^2", where, closed.bottomLeftCorner(n, n), -16.0 * I, {.tolerance = 1e-11});
        expect_equal("-2 zeta wn", where, closed.bottomRightCorner(n, n), -4.0 * I, {.tolerance = 1e-11});
    }
}

TEST(DecoupledRegulator, RatesThatTurnWithTheBody)
{
    // d_d = A11 d + A12 v, as for a ball hinge that turns at the operating point; states in a mixed order
    Random random(82);
    const int n = 3;
    const MatrixXd A = random_matrix(random, 6, 6), B2 = random_matrix(random, n, n);
    MatrixXd B = MatrixXd::Zero(6, n);
    const int q[] = {1, 3, 4}, v[] = {5, 0, 2};
    for (int i = 0; i < n; ++i)
        B.row(v[i]) = B2.row(i);
    const StateSpace system = named(matrix(A), matrix(B), {"v:b", "q:a", "v:c", "q:b", "q:c", "v:a"});
    const double wn[] = {2.0, 3.0, 4.0}, zeta[] = {0.5, 0.6, 0.7};
    const MatrixXd F = A - B * dense(decoupled_regulator(system, wn, zeta).K);
    // d_dd = first rows of F^2 x; with d_d = first rows of F x, for every x
    const MatrixXd F2 = F * F;
    for (int i = 0; i < n; ++i) {
        MatrixXd law = F2.row(q[i]) + 2 * zeta[i] * wn[i] * F.row(q[i]);
        law(0, q[i]) += wn[i] * wn[i];
        EXPECT_LT(largest(law), 1e-11 * largest(F2));
    }
}

TEST(DecoupledRegulator, Refused)
{
    const double wn[] = {4.0}, zeta[] = {0.5}, none[] = {0.0};
    StateSpace cart = mechanism(MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 2));
    cart.states = {"q:cart", "q:pole", "v:cart", "v:pole"};
    EXPECT_EQ(words_of<UsageError>([&] { decoupled_regulator(cart, none, zeta); }),
              "decoupled_regulator: wn: got 0, expected numbers above zero");
    const double three[] = {1, 2, 3};
    EXPECT_EQ(words_of<UsageError>([&] { decoupled_regulator(cart, wn, three); }),
              "decoupled_regulator: zeta: got 3 numbers, expected one, or 2 of them");
    cart.B = rows({{0}, {0}, {1}, {0}});
    cart.inputs = {"T:cart"};
    EXPECT_EQ(
        words_of<RefusedError>([&] { decoupled_regulator(cart, wn, zeta); }),
        "decoupled_regulator: 1 independent inputs for 2 dofs; no force of its own has pole; use lqr or pole "
        "placement");
    cart.states[3] = "motor:pole";
    EXPECT_NE(words_of<RefusedError>([&] {
                  decoupled_regulator(cart, wn, zeta);
              }).find("q:pole has no v:pole beside it"),
              std::string::npos);
}

} // namespace
} // namespace sweepdyn::test
