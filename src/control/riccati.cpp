#include "sweepdyn/control/riccati.hpp"

#include <algorithm>
#include <cmath>

#include "control/weights.hpp"
#include "linear/lapack.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
using namespace lapack;
namespace {

// An orthogonal reduction by rows that leaves only the last m rows with u: Householder's on H's last columns. Returns the other
// rows of H and J, without the columns of u.
void take_out_inputs(Matrix& H, Matrix& J, int m)
{
    const int n = H.rows() - m;
    const Svd parts = svd(block(H, 0, n, n + m, m)); // the last n columns of U are orthogonal to it
    const Matrix rows = transpose(block(parts.U, 0, m, n + m, n));
    H = rows * block(H, 0, 0, n + m, n);
    J = rows * block(J, 0, 0, n + m, n);
}

// d with x = d x', costate = costate' / d, from the balancing of |H| + |J|: powers of two.
std::vector<double> symplectic_scaling(const Matrix& H, const Matrix& J, int n)
{
    Matrix sizes(H.rows(), H.rows());
    for (int j = 0; j < H.rows(); ++j)
        for (int i = 0; i < H.rows(); ++i)
            sizes(i, j) = i == j ? 0.0 : std::abs(H(i, j)) + std::abs(J(i, j));
    const std::vector<double> D = balance(sizes);
    std::vector<double> out(D);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const auto costate = i + static_cast<std::size_t>(n);
        out[i] = std::exp2(std::round(0.5 * (std::log2(D[i]) - std::log2(D[costate]))));
        out[costate] = 1.0 / out[i];
    }
    return out;
}

// X = U2 U1^-1 of the pencil.
Matrix stable_solution(Matrix H, Matrix J, int n, int m, Region region)
{
    const std::vector<double> D = symplectic_scaling(H, J, n); // H <- D^-1 H D, J too
    for (int j = 0; j < H.columns(); ++j)
        for (int i = 0; i < H.rows(); ++i) {
            const double factor = D[static_cast<std::size_t>(j)] / D[static_cast<std::size_t>(i)];
            H(i, j) *= factor;
            J(i, j) *= factor;
        }
    take_out_inputs(H, J, m);
    Matrix U;
    try {
        U = deflating_subspace(H, J, region);
    } catch (const Failure& failure) {
        throw RefusedError(std::string("riccati: no solution found: ") + failure.what());
    }
    if (U.columns() != n)
        throw RefusedError(
            "riccati: no stable solution: " + std::to_string(U.columns()) +
            " stable closed-loop poles where " + std::to_string(n) +
            " are needed; a mode on the border of stability is beyond reach of B or unseen by Q");
    double rcond = 0.0;
    Matrix X;
    try { // X' = U1'^-1 U2'
        X = transpose(solve(transpose(block(U, 0, 0, n, n)), transpose(block(U, n, 0, n, n)), &rcond));
    } catch (const Failure&) {
    }
    if (!(rcond > 1e-16))
        throw RefusedError("riccati: no stable solution: an unstable mode is beyond reach of B");
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            X(i, j) /= D[static_cast<std::size_t>(i)] * D[static_cast<std::size_t>(j)];
    return symmetric(X);
}

// The better of X and its Newton steps, at most `steps` of them.
template <class Evaluate, class Newton>
Riccati polished(Matrix X, const Evaluate& evaluate, const Newton& newton, int steps = 3)
{
    Riccati best = evaluate(std::move(X));
    for (int i = 0; i < steps && best.residual > 1e-16; ++i) {
        Riccati next = evaluate(newton(best.K));
        if (!(next.residual < best.residual))
            break;
        best = std::move(next);
    }
    if (!(best.residual <= 1e-6))
        throw RefusedError(
            "riccati: the solution misses the equation by " + number_text(best.residual) +
            " of its terms, expected 1e-6 at most; Q and R, or the units of the states, are too far apart");
    return best;
}

} // namespace

Riccati continuous_riccati(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R)
{
    const int n = A.rows(), m = B.columns();
    control::require_weight("riccati", "Q", Q, n, false);
    control::require_weight("riccati", "R", R, m, true);
    Matrix H(2 * n + m, 2 * n + m), J(2 * n + m, 2 * n + m);
    set_block(H, 0, 0, A), set_block(H, 0, 2 * n, B);
    set_block(H, n, 0, -1.0 * Q), set_block(H, n, n, -1.0 * transpose(A));
    set_block(H, 2 * n, n, transpose(B)), set_block(H, 2 * n, 2 * n, R);
    set_block(J, 0, 0, Matrix::identity(2 * n));

    const auto evaluate = [&](Matrix X) {
        const Matrix XA = X * A, BX = transpose(B) * X;
        Matrix K = solve(R, BX);
        const Matrix XBK = transpose(BX) * K;
        const double terms = 2.0 * norm(XA) + norm(XBK) + norm(Q);
        const double miss = norm(XA + transpose(XA) - XBK + Q);
        return Riccati{std::move(X), std::move(K), terms > 0.0 ? miss / terms : 0.0};
    };
    const auto newton = [&](const Matrix& K) { // (A - B K)' X + X (A - B K) + Q + K' R K = 0
        return lyapunov(A - B * K, Q + transpose(K) * R * K);
    };
    return polished(stable_solution(H, J, n, m, Region::left_half_plane), evaluate, newton);
}

Riccati discrete_riccati(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R)
{
    const int n = A.rows(), m = B.columns();
    control::require_weight("riccati", "Q", Q, n, false);
    control::require_weight("riccati", "R", R, m, true);
    const Matrix I = Matrix::identity(n);
    Matrix H(2 * n + m, 2 * n + m), J(2 * n + m, 2 * n + m);
    set_block(H, 0, 0, A), set_block(H, 0, 2 * n, B);
    set_block(H, n, 0, -1.0 * Q), set_block(H, n, n, I);
    set_block(H, 2 * n, 2 * n, R);
    set_block(J, 0, 0, I), set_block(J, n, n, transpose(A)), set_block(J, 2 * n, n, -1.0 * transpose(B));

    const auto evaluate = [&](Matrix X) {
        const Matrix BX = transpose(B) * X;
        Matrix K = solve(symmetric(R + BX * B), BX * A);
        const Matrix F = A - B * K, AXF = transpose(A) * X * F;
        const double terms = norm(AXF) + norm(X) + norm(Q);
        const double miss = norm(AXF - X + Q);
        return Riccati{std::move(X), std::move(K), terms > 0.0 ? miss / terms : 0.0};
    };
    const auto newton = [&](const Matrix& K) { // X = F' X F + Q + K' R K by doubling, F = A - B K
        Matrix F = A - B * K, X = Q + transpose(K) * R * K;
        for (int i = 0; i < 60 && norm(F) > 1e-18 && finite(X); ++i) {
            X = symmetric(X + transpose(F) * X * F);
            F = F * F;
        }
        return X;
    };
    return polished(stable_solution(H, J, n, m, Region::unit_disk), evaluate, newton);
}

} // namespace sweepdyn
