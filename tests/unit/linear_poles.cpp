// Poles and mode shapes: of systems whose modes are known, with chains of zeros kept exact.
#include "support/linear.hpp"
#include "sweepdyn/linear/modes.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::test {
namespace {

// Two equal masses on springs wall - m - m - wall: modes (1, 1) at sqrt(k/m) and (1, -1) at sqrt(3 k/m).
StateSpace two_masses(double k, double damping = 0.0)
{
    return named(rows({{0, 0, 1, 0}, {0, 0, 0, 1}, {-2 * k, k, -damping, 0}, {k, -2 * k, 0, -damping}}),
                 rows({{0}, {0}, {1}, {0}}), {"q:left", "q:right", "v:left", "v:right"});
}

// A free chain of n masses, each tied to the next: one displacement and one velocity of the whole at zero.
MatrixXd free_chain(int n, double k)
{
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    for (int i = 0; i + 1 < n; ++i) {
        A(n + i, i) -= k, A(n + i, i + 1) += k;
        A(n + i + 1, i + 1) -= k, A(n + i + 1, i) += k;
    }
    return A;
}

TEST(LinearPoles, FrequencyAndDamping)
{
    const double wn = 7.0, zeta = 0.3;
    const auto found = poles(rows({{0, 1}, {-wn * wn, -2 * zeta * wn}}));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].frequency_hz, wn / (2 * M_PI), 1e-14);
    EXPECT_NEAR(found[0].damping, zeta, 1e-14);
    EXPECT_NEAR(found[0].s.imag(), wn * std::sqrt(1 - zeta * zeta), 1e-13);
    EXPECT_EQ(found[1].s, std::conj(found[0].s));
    const auto real = poles(rows({{-2, 0}, {0, 3}}));
    EXPECT_EQ(real[0].damping, 1.0);
    EXPECT_EQ(real[1].damping, -1.0);
}

TEST(LinearPoles, ChainsOfZerosStayAtZero)
{
    for (int n : {1, 2, 5, 20})
        for (double k : {1e-3, 1.0, 1e5}) {
            const auto found = poles(matrix(free_chain(n, k)));
            EXPECT_EQ(found[0].s, 0.0) << n << " masses";
            EXPECT_EQ(found[1].s, 0.0) << n << " masses";
            EXPECT_EQ(found[0].damping, 0.0);
            for (int i = 1; i < n; ++i) { // w = 2 sqrt(k) sin(pi i / 2 n)
                const double w = 2 * std::sqrt(k) * std::sin(M_PI * i / (2 * n));
                EXPECT_NEAR(found[static_cast<std::size_t>(2 * i)].s.imag(), w, 1e-10 * w);
                EXPECT_NEAR(found[static_cast<std::size_t>(2 * i)].s.real(), 0.0, 1e-10 * w);
            }
        }
}

TEST(LinearPoles, RandomOnesBesideEigen)
{
    Random random(11);
    for (int n : {1, 3, 10, 60}) {
        const MatrixXd A = random_matrix(random, n, n);
        EXPECT_LT(pole_distance(pole_values(matrix(A)), eigenvalues(A)), 1e-12) << n;
    }
    EXPECT_TRUE(poles(Matrix()).empty());
}

TEST(LinearModes, OfTwoMasses)
{
    const StateSpace system = two_masses(4.0);
    const auto found = modes(system);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_NEAR(found[0].pole.s.imag(), 2.0, 1e-14);
    EXPECT_NEAR(found[2].pole.s.imag(), std::sqrt(12.0), 1e-14);
    const auto slow = joint_shapes(system, found[0]), fast = joint_shapes(system, found[2]);
    ASSERT_EQ(slow.size(), 2u);
    EXPECT_EQ(slow[0].joint, "left");
    EXPECT_EQ(slow[1].joint, "right");
    EXPECT_LT(std::abs(slow[1].motion / slow[0].motion - 1.0), 1e-13);
    EXPECT_LT(std::abs(fast[1].motion / fast[0].motion + 1.0), 1e-13);
}

TEST(LinearModes, ShapesAreEigenvectors)
{
    Random random(12);
    for (int n : {2, 6, 15}) {
        MatrixXd A = free_chain(n, 3.0); // with damping between the masses, which leaves the zeros
        A.bottomRightCorner(n, n) = 0.01 * A.bottomLeftCorner(n, n);
        const StateSpace system = named(matrix(A), Matrix(2 * n, 1));
        const auto found = modes(system);
        EXPECT_EQ(found[0].grade, 1);
        EXPECT_EQ(found[1].grade, 2);
        for (const Mode& mode : found) {
            const Eigen::Map<const Eigen::VectorXcd> shape(mode.shape.data(), 2 * n);
            EXPECT_NEAR(shape.cwiseAbs().maxCoeff(), 1.0, 1e-8);
            const Eigen::VectorXcd miss = A * shape - mode.pole.s * shape;
            if (mode.grade == 1)
                EXPECT_LT(miss.norm(), 1e-10 * (1 + std::abs(mode.pole.s))) << n << ", s = " << mode.pole.s;
            else // moves the shape of grade 1: all masses alike
                EXPECT_LT((miss.head(n).array() - miss(0)).matrix().norm() + miss.tail(n).norm(), 1e-12);
        }
    }
}

TEST(LinearPoles, Refused)
{
    EXPECT_EQ(words_of<UsageError>([] { poles(Matrix(2, 3)); }),
              "poles: A has 2 rows and 3 columns, expected a square matrix");
    EXPECT_EQ(words_of<UsageError>([] { poles(rows({{NAN}})); }),
              "poles: A holds a number that is not finite");
    EXPECT_EQ(pole_text({-2.0, 3.0}), "-2+-3i");
}

} // namespace
} // namespace sweepdyn::test
