#include "linear/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace sweepdyn::lapack {
namespace {

constexpr int columns_first = LAPACK_COL_MAJOR;

void require(lapack_int info, const char* what)
{
    if (info != 0)
        throw Failure(std::string(what) + " (LAPACK says " + std::to_string(info) + ")");
}
// A leading dimension may not be zero.
lapack_int leading(int rows) { return std::max(1, rows); }

} // namespace

Matrix operator*(const Matrix& A, const Matrix& B)
{
    Matrix out(A.rows(), B.columns());
    for (int j = 0; j < B.columns(); ++j)
        for (int k = 0; k < A.columns(); ++k) {
            const double b = B(k, j);
            if (b != 0.0)
                for (int i = 0; i < A.rows(); ++i)
                    out(i, j) += A(i, k) * b;
        }
    return out;
}
Matrix operator+(Matrix A, const Matrix& B)
{
    std::transform(B.values().begin(), B.values().end(), A.values().begin(), A.values().begin(),
                   [](double b, double a) { return a + b; });
    return A;
}
Matrix operator-(Matrix A, const Matrix& B)
{
    std::transform(B.values().begin(), B.values().end(), A.values().begin(), A.values().begin(),
                   [](double b, double a) { return a - b; });
    return A;
}
Matrix operator*(double a, Matrix A)
{
    for (double& entry : A.values())
        entry *= a;
    return A;
}
Matrix transpose(const Matrix& A)
{
    Matrix out(A.columns(), A.rows());
    for (int j = 0; j < A.columns(); ++j)
        for (int i = 0; i < A.rows(); ++i)
            out(j, i) = A(i, j);
    return out;
}
Matrix symmetric(const Matrix& A) { return 0.5 * (A + transpose(A)); }
Matrix block(const Matrix& A, int row, int column, int rows, int columns)
{
    Matrix out(rows, columns);
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
            out(i, j) = A(row + i, column + j);
    return out;
}
void set_block(Matrix& A, int row, int column, const Matrix& B)
{
    for (int j = 0; j < B.columns(); ++j)
        for (int i = 0; i < B.rows(); ++i)
            A(row + i, column + j) = B(i, j);
}
Matrix beside(const Matrix& A, const Matrix& B)
{
    Matrix out(A.rows(), A.columns() + B.columns());
    set_block(out, 0, 0, A);
    set_block(out, 0, A.columns(), B);
    return out;
}
double norm(const Matrix& A)
{
    double largest = 0.0, sum = 0.0;
    for (double a : A.values())
        largest = std::max(largest, std::abs(a));
    if (largest == 0.0)
        return 0.0;
    for (double a : A.values())
        sum += (a / largest) * (a / largest);
    return largest * std::sqrt(sum);
}
bool finite(const Matrix& A)
{
    return std::all_of(A.values().begin(), A.values().end(), [](double a) { return std::isfinite(a); });
}

ComplexMatrix::ComplexMatrix(const Matrix& A) : ComplexMatrix(A.rows(), A.columns())
{
    std::copy(A.values().begin(), A.values().end(), values.begin());
}

std::vector<double> balance(Matrix& A)
{
    std::vector<double> D(static_cast<std::size_t>(A.rows()), 1.0);
    if (A.rows() == 0)
        return D;
    // Round-off where a zero should be would have its state scaled beyond sight.
    Matrix sizes = A;
    const double dust = std::numeric_limits<double>::epsilon() * A.rows() * norm(A);
    for (double& entry : sizes.values())
        if (std::abs(entry) <= dust)
            entry = 0.0;
    lapack_int low = 0, high = 0;
    require(
        LAPACKE_dgebal(columns_first, 'S', A.rows(), sizes.data(), leading(A.rows()), &low, &high, D.data()),
        "balancing failed");
    for (int j = 0; j < A.columns(); ++j)
        for (int i = 0; i < A.rows(); ++i)
            A(i, j) *= D[static_cast<std::size_t>(j)] / D[static_cast<std::size_t>(i)];
    return D;
}

namespace {
Eigensystem eigen(Matrix A, bool with_vectors)
{
    const int n = A.rows();
    std::vector<double> re(static_cast<std::size_t>(n)), im(re);
    Matrix V(with_vectors ? n : 0, with_vectors ? n : 0);
    if (n > 0)
        require(LAPACKE_dgeev(columns_first, 'N', with_vectors ? 'V' : 'N', n, A.data(), leading(n),
                              re.data(), im.data(), nullptr, 1, V.data(), leading(V.rows())),
                "the eigenvalues did not converge");
    Eigensystem out{{}, ComplexMatrix(V.rows(), V.columns())};
    for (std::size_t j = 0; j < re.size(); ++j)
        out.values.emplace_back(re[j], im[j]);
    for (int j = 0; j < V.columns(); ++j) {
        const bool pair = out.values[static_cast<std::size_t>(j)].imag() != 0.0;
        for (int i = 0; i < n; ++i) {
            out.vectors(i, j) = pair ? Complex(V(i, j), V(i, j + 1)) : Complex(V(i, j));
            if (pair)
                out.vectors(i, j + 1) = std::conj(out.vectors(i, j));
        }
        j += pair;
    }
    return out;
}
} // namespace

std::vector<Complex> eigenvalues(Matrix A) { return eigen(std::move(A), false).values; }
Eigensystem eigensystem(Matrix A) { return eigen(std::move(A), true); }

SymmetricEigensystem symmetric_eigensystem(Matrix A)
{
    SymmetricEigensystem out{std::vector<double>(static_cast<std::size_t>(A.rows())), std::move(A)};
    Matrix& V = out.vectors;
    if (V.rows() > 0)
        require(
            LAPACKE_dsyev(columns_first, 'V', 'U', V.rows(), V.data(), leading(V.rows()), out.values.data()),
            "the eigenvalues did not converge");
    return out;
}

Svd svd(Matrix A)
{
    const int m = A.rows(), n = A.columns();
    Svd out{Matrix::identity(m), Matrix::identity(n),
            std::vector<double>(static_cast<std::size_t>(std::min(m, n)))};
    if (m > 0 && n > 0) {
        Matrix Vt(n, n);
        require(LAPACKE_dgesdd(columns_first, 'A', m, n, A.data(), m, out.s.data(), out.U.data(), m,
                               Vt.data(), n),
                "the singular values did not converge");
        out.V = transpose(Vt);
    }
    return out;
}
ComplexSvd svd(ComplexMatrix A)
{
    const int m = A.rows, n = A.columns;
    ComplexSvd out{{m, m}, {n, n}, std::vector<double>(static_cast<std::size_t>(std::min(m, n)))};
    ComplexMatrix Vt(n, n);
    if (m > 0 && n > 0)
        require(LAPACKE_zgesdd(columns_first, 'A', m, n, A.values.data(), m, out.s.data(),
                               out.U.values.data(), m, Vt.values.data(), n),
                "the singular values did not converge");
    else
        for (int i = 0; i < std::max(m, n); ++i)
            (i < m ? out.U(i, i) : Vt(i, i)) = 1.0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            out.V(i, j) = std::conj(Vt(j, i));
    return out;
}

Matrix solve(Matrix A, Matrix B, double* rcond)
{
    const int n = A.rows();
    if (rcond)
        *rcond = n == 0 ? 1.0 : 0.0;
    if (n == 0)
        return B;
    std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
    double size = 0.0, reciprocal = 0.0;
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (double a : A.column(j))
            sum += std::abs(a);
        size = std::max(size, sum);
    }
    require(LAPACKE_dgetrf(columns_first, n, n, A.data(), n, pivots.data()), "the matrix is singular");
    require(LAPACKE_dgecon(columns_first, '1', n, A.data(), n, size, &reciprocal), "no condition number");
    if (rcond)
        *rcond = reciprocal;
    else if (!(reciprocal > 1e-15))
        throw Failure("the matrix is singular");
    require(LAPACKE_dgetrs(columns_first, 'N', n, B.columns(), A.data(), n, pivots.data(), B.data(), n),
            "no solution");
    return B;
}
ComplexMatrix inverse(ComplexMatrix A)
{
    std::vector<lapack_int> pivots(static_cast<std::size_t>(A.rows));
    if (A.rows > 0) {
        require(LAPACKE_zgetrf(columns_first, A.rows, A.rows, A.values.data(), A.rows, pivots.data()),
                "the matrix is singular");
        require(LAPACKE_zgetri(columns_first, A.rows, A.values.data(), A.rows, pivots.data()),
                "the matrix is singular");
    }
    return A;
}

Hessenberg hessenberg(Matrix A)
{
    const int n = A.rows();
    Hessenberg out{std::move(A), Matrix::identity(n)};
    if (n < 3)
        return out;
    std::vector<double> tau(static_cast<std::size_t>(n - 1));
    require(LAPACKE_dgehrd(columns_first, n, 1, n, out.H.data(), n, tau.data()), "no Hessenberg form");
    out.Q = out.H;
    require(LAPACKE_dorghr(columns_first, n, 1, n, out.Q.data(), n, tau.data()), "no Hessenberg form");
    for (int j = 0; j < n; ++j)
        for (int i = j + 2; i < n; ++i)
            out.H(i, j) = 0.0;
    return out;
}

Matrix lyapunov(const Matrix& A, const Matrix& Q)
{
    const int n = A.rows();
    if (n == 0)
        return Q;
    // A = U T U':  T' Y + Y T = -U' Q U,  X = U Y U'
    Matrix T = A, U(n, n);
    std::vector<double> re(static_cast<std::size_t>(n)), im(re);
    lapack_int selected = 0;
    require(LAPACKE_dgees(columns_first, 'V', 'N', nullptr, n, T.data(), n, &selected, re.data(), im.data(),
                          U.data(), n),
            "the Schur form did not converge");
    Matrix Y = -1.0 * (transpose(U) * Q * U);
    double scale = 1.0;
    const lapack_int info =
        LAPACKE_dtrsyl(columns_first, 'T', 'N', 1, n, n, T.data(), n, T.data(), n, Y.data(), n, &scale);
    require(info == 1 ? 0 : info, "no solution of the Lyapunov equation");
    return symmetric((1.0 / scale) * (U * Y * transpose(U)));
}

Matrix deflating_subspace(Matrix H, Matrix J, Region region)
{
    const int n = H.rows();
    Matrix left(1, 1), Z(n, n);
    std::vector<double> re(static_cast<std::size_t>(n)), im(re), beta(re);
    lapack_int selected = 0;
    // The eigenvalue is (re + i im) / beta, beta >= 0.
    const LAPACK_D_SELECT3 in_left_half_plane = [](const double* a, const double*,
                                                   const double*) -> lapack_logical { return *a < 0.0; };
    const LAPACK_D_SELECT3 in_unit_disk = [](const double* a, const double* b,
                                             const double* c) -> lapack_logical {
        return std::hypot(*a, *b) < std::abs(*c);
    };
    const lapack_int info =
        LAPACKE_dgges(columns_first, 'N', 'V', 'S',
                      region == Region::left_half_plane ? in_left_half_plane : in_unit_disk, n, H.data(), n,
                      J.data(), n, &selected, re.data(), im.data(), beta.data(), left.data(), 1, Z.data(), n);
    // n + 2: after the reordering some selected eigenvalues lie a rounding beyond the border; the caller checks what comes of it.
    require(info == n + 2 ? 0 : info, "the generalised Schur form did not converge");
    return block(Z, 0, 0, n, selected);
}

} // namespace sweepdyn::lapack
