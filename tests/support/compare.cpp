#include "support/compare.hpp"

#include <cstdio>
#include <map>

#include <Eigen/Eigenvalues>

namespace sweepdyn::test {

double condition_of(const MatrixXd& M)
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

double largest(const MatrixXd& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }
MatrixXd numbers(double a) { return MatrixXd::Constant(1, 1, a); }

MatrixXd numbers(std::span<const double> a)
{
    return Eigen::Map<const VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}

MatrixXd numbers(const std::vector<double>& a) { return numbers(std::span<const double>(a)); }
MatrixXd numbers(const Vec3<double>& a) { return dense(a); }
MatrixXd numbers(const Mat3<double>& a) { return dense(a); }
MatrixXd numbers(const Sym3<double>& a) { return dense(a); }
MatrixXd numbers(const Motion<double>& a) { return dense(a); }
MatrixXd numbers(const Force<double>& a) { return dense(a); }
MatrixXd numbers(const Inertia<double>& a) { return dense(a); }
MatrixXd numbers(const ArticulatedInertia<double>& a) { return dense(a); }

MatrixXd numbers(const Pose<double>& X)
{
    MatrixXd out = MatrixXd::Identity(4, 4);
    out.topLeftCorner(3, 3) = dense(X.R);
    out.topRightCorner(3, 1) = dense(X.p);
    return out;
}

namespace {

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

} // namespace

bool open_book() { return Book::open(), true; }

void expect_equal_numbers(const std::string& law, const std::string& where, const MatrixXd& g,
                          const MatrixXd& e, Rule rule)
{
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
