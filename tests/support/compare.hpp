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
#include <cstdio>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
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
inline double condition_of(const MatrixXd& M)
{
    if (M.size() == 0)
        return 1.0;
    const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
    const double smallest = values.minCoeff();
    if (!(smallest > 0.0)) { // then no tolerance would follow from it
        ADD_FAILURE() << "a mass matrix is not positive definite: least eigenvalue " << smallest;
        return 1.0;
    }
    return values.maxCoeff() / smallest;
}

// The larger of the two; NaN when either is.
template <class S> S worse(S a, S b) { return std::isnan(a) || b <= a ? a : b; }

inline double largest(const MatrixXd& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

// Everything that is compared, as one matrix of numbers.
inline MatrixXd numbers(double a) { return MatrixXd::Constant(1, 1, a); }
template <class Derived> MatrixXd numbers(const Eigen::MatrixBase<Derived>& A) { return A; }
inline MatrixXd numbers(std::span<const double> a)
{
    return Eigen::Map<const VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}
inline MatrixXd numbers(const std::vector<double>& a) { return numbers(std::span<const double>(a)); }
inline MatrixXd numbers(const Vec3<double>& a) { return dense(a); }
inline MatrixXd numbers(const Mat3<double>& a) { return dense(a); }
inline MatrixXd numbers(const Sym3<double>& a) { return dense(a); }
inline MatrixXd numbers(const Motion<double>& a) { return dense(a); }
inline MatrixXd numbers(const Force<double>& a) { return dense(a); }
inline MatrixXd numbers(const Inertia<double>& a) { return dense(a); }
inline MatrixXd numbers(const ArticulatedInertia<double>& a) { return dense(a); }
inline MatrixXd numbers(const Pose<double>& X)
{
    MatrixXd out = MatrixXd::Identity(4, 4);
    out.topLeftCorner(3, 3) = dense(X.R);
    out.topRightCorner(3, 1) = dense(X.p);
    return out;
}

// The book: the worst ratio per suite, and how often each law failed in the running test.
class Book : public testing::EmptyTestEventListener {
public:
    static Book& open()
    {
        static Book* book = [] {
            auto* made = new Book; // GoogleTest owns it
            testing::UnitTest::GetInstance()->listeners().Append(made);
            return made;
        }();
        return *book;
    }

    void enter(double ratio, const std::string& law, const std::string& where)
    {
        ++comparisons_;
        if (ratio > suite_worst_) {
            suite_worst_ = ratio;
            suite_law_ = law + " (" + where + ")";
        }
        if (ratio > test_worst_) {
            test_worst_ = ratio;
            testing::Test::RecordProperty("worst_ratio", std::to_string(ratio));
        }
    }
    // Whether to say it: the first few failures of each law are enough.
    bool tell(const std::string& law) { return ++failures_[law] <= 5; }

private:
    void OnTestSuiteStart(const testing::TestSuite&) override { suite_worst_ = -1.0, comparisons_ = 0; }
    void OnTestStart(const testing::TestInfo&) override { test_worst_ = -1.0, failures_.clear(); }
    void OnTestSuiteEnd(const testing::TestSuite& suite) override
    {
        if (comparisons_ > 0)
            std::printf("[  worst   ] %s: %.3g of the tolerance in %ld comparisons: %s\n", suite.name(),
                        suite_worst_, comparisons_, suite_law_.c_str());
    }

    double suite_worst_ = -1.0, test_worst_ = -1.0;
    long comparisons_ = 0;
    std::string suite_law_;
    std::map<std::string, int> failures_;
};

// Opened before any test runs, so that the first suite is in it too.
inline const bool book_is_open = (Book::open(), true);

template <class Got, class Expected>
void expect_equal(const std::string& law, const std::string& where, const Got& got, const Expected& expected,
                  Rule rule = {})
{
    const MatrixXd g = numbers(got), e = numbers(expected);
    if (g.rows() != e.rows() || g.cols() != e.cols()) {
        ADD_FAILURE() << law << ", " << where << ": sizes differ, " << g.rows() << " x " << g.cols()
                      << " and " << e.rows() << " x " << e.cols();
        return;
    }
    const double tolerance = rule.tolerance > 0.0 ? rule.tolerance : tolerance_for(rule.condition);
    const double scale = std::max(largest(e), rule.terms);
    double error = 0.0; // the largest, where a NaN counts as infinite
    for (Eigen::Index i = 0; i < g.size(); ++i) {
        const double difference = std::abs(g(i) - e(i));
        error = difference <= error ? error : std::isnan(difference) ? INFINITY : difference;
    }
    const double ratio = error == 0.0 ? 0.0 : error / (tolerance * scale);
    Book::open().enter(ratio, law, where);
    if (!(ratio <= 1.0) && Book::open().tell(law))
        ADD_FAILURE() << law << ", " << where << ": off by " << error << ", allowed " << tolerance * scale
                      << " (ratio " << ratio << ")\n  got      "
                      << g.reshaped().transpose().leftCols(std::min<Eigen::Index>(g.size(), 12))
                      << "\n  expected "
                      << e.reshaped().transpose().leftCols(std::min<Eigen::Index>(e.size(), 12));
}

} // namespace sweepdyn::test
