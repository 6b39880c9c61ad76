// Symmetric systems that lose rank: solutions, null vectors, what is unique.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sweepdyn/kinematics/semidefinite.hpp"
#include "sweepdyn/model/random.hpp"

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
}

TEST(Semidefinite, RandomRanksAndScales)
{
    Random random(3);
    for (int n = 1; n <= 9; ++n)
        for (int rank = 0; rank <= n; ++rank) {
            MatrixXd B(n, rank);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < rank; ++j)
                    B(i, j) = random.uniform(-1, 1);
            VectorXd scale(n);
            for (int i = 0; i < n; ++i)
                scale[i] = std::pow(10.0, random.uniform(-3, 3)); // metres beside millinewtons
            const RowMajor A = scale.asDiagonal() * B * B.transpose() * scale.asDiagonal();
            Semidefinite<double> factor(12); // room for more
            factor.factor(A.data(), n, n);
            ASSERT_EQ(factor.rank, rank) << n;
            VectorXd wanted(n);
            for (int i = 0; i < n; ++i)
                wanted[i] = random.uniform(-1, 1) / scale[i];
            const VectorXd b = A * wanted;
            VectorXd x = b;
            factor.solve({x.data(), static_cast<std::size_t>(n)});
            EXPECT_LE((scale.cwiseInverse().asDiagonal() * (A * x - b)).norm(), 1e-8) << n << " " << rank;
            for (int d = 0; d < factor.num_free(); ++d) {
                VectorXd z(n);
                factor.null_vector(d, {z.data(), static_cast<std::size_t>(n)});
                EXPECT_LE((scale.cwiseInverse().asDiagonal() * (A * z)).norm(),
                          1e-8 * (scale.asDiagonal() * z).norm());
                EXPECT_GT(z.norm(), 0.0);
            }
        }
}

// A row of J that is zero but for rounding, beside rows of very different sizes: it has no rank, and asks for no force.
TEST(Semidefinite, RoundingHasNoRank)
{
    for (double noise : {1e-20, 1e-17, 1e-15}) {
        const MatrixXd J = (MatrixXd(3, 3) << 1e-3, 0, 0, 0, 30.0, 1.0, noise, -noise, 2 * noise).finished();
        const RowMajor A = J * J.transpose();
        Semidefinite<double> factor(3);
        factor.factor(A.data(), 3, 3);
        EXPECT_EQ(factor.rank, 2);
        std::array<char, 3> unique{};
        std::array<double, 3> z{};
        factor.unique(unique, z);
        EXPECT_EQ(unique, (std::array<char, 3>{1, 1, 0}));
        const VectorXd rhs = J * VectorXd::Ones(3);
        std::array<double, 3> x{rhs[0], rhs[1], rhs[2]};
        factor.solve(x);
        EXPECT_EQ(x[2], 0.0);
        EXPECT_LE((J.topRows(2).transpose() * Eigen::Vector2d(x[0], x[1])).cwiseAbs().maxCoeff(), 1.1);
    }
}

TEST(Semidefinite, WhatIsUnique)
{
    // x0 is determined by itself, only x1 + x2 is determined beside it
    const double A[9] = {2, 0, 0, 0, 1, 1, 0, 1, 1};
    Semidefinite<double> factor(3);
    factor.factor(A, 3, 3);
    EXPECT_EQ(factor.rank, 2);
    std::array<char, 3> unique{};
    std::array<double, 3> z{};
    factor.unique(unique, z);
    EXPECT_EQ(unique, (std::array<char, 3>{1, 0, 0}));
    std::array<double, 3> x{4.0, 3.0, 3.0};
    factor.solve(x);
    EXPECT_DOUBLE_EQ(x[0], 2.0);
    EXPECT_DOUBLE_EQ(x[1] + x[2], 3.0);
}

TEST(Semidefinite, NothingAndTooMuch)
{
    Semidefinite<double> factor(2);
    factor.factor(nullptr, 0, 0);
    EXPECT_EQ(factor.rank, 0);
    const double A[9] = {};
    EXPECT_THROW(factor.factor(A, 3, 3), UsageError);
    factor.factor(A, 2, 2); // all zero
    EXPECT_EQ(factor.rank, 0);
    EXPECT_EQ(factor.num_free(), 2);
}

// By the largest entry of the diagonal, what is round-off beside the others has no rank; by itself it would have.
TEST(Semidefinite, SmallBesideTheOthers)
{
    const double A[4] = {4, 0, 0, 1e-15};
    Semidefinite<double> factor(2);
    factor.factor(A, 2, 2);
    EXPECT_EQ(factor.rank, 2);
    factor.factor(A, 2, 2, omega_rank_tolerance, DiagonalScale::largest);
    EXPECT_EQ(factor.rank, 1);
    std::array<double, 2> x{8.0, 1e-15};
    factor.solve(x);
    EXPECT_DOUBLE_EQ(x[0], 2.0);
    EXPECT_EQ(x[1], 0.0);
}
