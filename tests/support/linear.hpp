// Linear models to try analysis and design on.
#pragma once

#include <complex>
#include <string>

#include <Eigen/Dense>

#include "support/compare.hpp"
#include "sweepdyn/linear/state_space.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
inline Eigen::MatrixXd numbers(const Matrix& A) { return dense(A); } // where expect_equal looks for it
} // namespace sweepdyn

namespace sweepdyn::test {

Matrix rows(std::initializer_list<std::initializer_list<double>> of);

// Names, zero operating point, all states as outputs.
StateSpace named(Matrix A, Matrix B, std::vector<std::string> states = {});

MatrixXd random_matrix(Random& random, int rows, int columns);

// Eigenvalues by Eigen, to be found one by one among `got`: the largest distance over 1 + |s|.
double pole_distance(std::vector<std::complex<double>> got,
                     const std::vector<std::complex<double>>& expected);
std::vector<std::complex<double>> eigenvalues(const MatrixXd& A);

// What() of the exception that f throws, "" when it throws none.
template <class Error, class F> std::string words_of(F f)
{
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace sweepdyn::test
