// What the analysis of linear models needs of LAPACK, on Matrix: the only place that calls it. Private to src/.
#pragma once

#include <complex>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn::lapack {

using Complex = std::complex<double>;

// --- arithmetic ------------------------------------------------------------------------------------------------------
Matrix operator*(const Matrix& A, const Matrix& B);
Matrix operator+(Matrix A, const Matrix& B);
Matrix operator-(Matrix A, const Matrix& B);
Matrix operator*(double a, Matrix A);
Matrix transpose(const Matrix& A);
Matrix symmetric(const Matrix& A); // (A + A') / 2
Matrix block(const Matrix& A, int row, int column, int rows, int columns);
void set_block(Matrix& A, int row, int column, const Matrix& B);
Matrix beside(const Matrix& A, const Matrix& B); // [A B]
double norm(const Matrix& A); // the root of the sum of squares
bool finite(const Matrix& A);

struct ComplexMatrix {
    int rows = 0, columns = 0;
    std::vector<Complex> values; // column by column

    ComplexMatrix() = default;
    ComplexMatrix(int of_rows, int of_columns)
        : rows(of_rows),
          columns(of_columns),
          values(static_cast<std::size_t>(of_rows) * static_cast<std::size_t>(of_columns))
    {
    }
    explicit ComplexMatrix(const Matrix& A);
    Complex& operator()(int i, int j) { return values[index(i, j)]; }
    const Complex& operator()(int i, int j) const { return values[index(i, j)]; }

private:
    std::size_t index(int i, int j) const
    {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i);
    }
};

// --- decompositions --------------------------------------------------------------------------------------------------
// An iteration that did not end, or a singular matrix: callers know what that means and say it.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A <- D^-1 A D with D diagonal, of powers of two, that evens out rows and columns. Returns D.
std::vector<double> balance(Matrix& A);

std::vector<Complex> eigenvalues(Matrix A);
struct Eigensystem {
    std::vector<Complex> values;
    ComplexMatrix vectors; // right ones, columns of unit length
};
Eigensystem eigensystem(Matrix A);

struct SymmetricEigensystem {
    std::vector<double> values; // ascending
    Matrix vectors;
};
SymmetricEigensystem symmetric_eigensystem(Matrix A);

// A = U diag(s) V', U and V square, s descending.
struct Svd {
    Matrix U, V;
    std::vector<double> s;
};
Svd svd(Matrix A);
struct ComplexSvd {
    ComplexMatrix U, V;
    std::vector<double> s;
};
ComplexSvd svd(ComplexMatrix A);

// A^-1 B. Throws Failure where A is singular; rcond, when asked for, is the reciprocal of its condition number.
Matrix solve(Matrix A, Matrix B, double* rcond = nullptr);
ComplexMatrix inverse(ComplexMatrix A);

// A = Q H Q' with H upper Hessenberg.
struct Hessenberg {
    Matrix H, Q;
};
Hessenberg hessenberg(Matrix A);

// X with A' X + X A + Q = 0, for A strictly stable.
Matrix lyapunov(const Matrix& A, const Matrix& Q);

// Where the wanted eigenvalues are: Re s < 0, or |z| < 1.
enum class Region { left_half_plane, unit_disk };
// An orthonormal basis (columns) of the deflating subspace of H - s J that belongs to the eigenvalues in the region.
Matrix deflating_subspace(Matrix H, Matrix J, Region region);

} // namespace sweepdyn::lapack
