// The one tolerance rule of all laws, and the book that is kept of it.
//
//     |got - expected| <= tolerance * largest entry of expected
//     tolerance = max(1e-12, 50 eps cond(M)) where the mass matrix is solved with (v_dot, M^-1), else 1e-12
//
// Every comparison goes through expect_equal(); at the end of each suite one line tells the worst ratio of an error to
// what was allowed, and each test records its own as the property `worst_ratio`.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn::test {

using Eigen::Matrix4d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

inline double tolerance_for(double condition) { return std::max(1e-12, 50.0 * machine_epsilon * condition); }

// What one comparison may ask of the rule.
struct Rule {
    double condition = 1.0; // of the mass matrix, where it matters
    double terms =
        0.0; // largest of the terms that `expected` is the sum of, where they may cancel to nothing
    double tolerance = 0.0; // another tolerance; the reason stands beside the call
};

// The quotient of the extreme eigenvalues of a symmetric positive definite matrix; 1 for an empty one.
double condition_of(const MatrixXd& M);

// The larger of the two; NaN when either is.
template <class S> S worse(S a, S b) { return std::isnan(a) || b <= a ? a : b; }

double largest(const MatrixXd& A);

// Everything that is compared, as one matrix of numbers.
MatrixXd numbers(double a);
template <class Derived> MatrixXd numbers(const Eigen::MatrixBase<Derived>& A) { return A; }
MatrixXd numbers(std::span<const double> a);
MatrixXd numbers(const std::vector<double>& a);
MatrixXd numbers(const Vec3<double>& a);
MatrixXd numbers(const Mat3<double>& a);
MatrixXd numbers(const Sym3<double>& a);
MatrixXd numbers(const Motion<double>& a);
MatrixXd numbers(const Force<double>& a);
MatrixXd numbers(const Inertia<double>& a);
MatrixXd numbers(const ArticulatedInertia<double>& a);
MatrixXd numbers(const Pose<double>& X);

bool open_book();
inline const bool book_is_open = open_book(); // before any test runs, so that the first suite is in it too

void expect_equal_numbers(const std::string& law, const std::string& where, const MatrixXd& g,
                          const MatrixXd& e, Rule rule);

template <class Got, class Expected>
void expect_equal(const std::string& law, const std::string& where, const Got& got, const Expected& expected,
                  Rule rule = {})
{
    expect_equal_numbers(law, where, numbers(got), numbers(expected), rule);
}

} // namespace sweepdyn::test
