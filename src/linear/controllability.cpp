#include "sweepdyn/linear/controllability.hpp"

#include <algorithm>
#include <cmath>

#include "linear/lapack.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
using namespace lapack;
namespace {

// A balanced, the columns of B as long as A is large: what ranks may be taken of.
struct Scaled {
    Matrix A, B;
    std::vector<double> D;
    double size = 0.0;
};
Scaled scaled(const Matrix& A, const Matrix& B)
{
    Scaled out{A, B, {}, 0.0};
    out.D = balance(out.A);
    out.size = norm(out.A) > 0.0 ? norm(out.A) : 1.0;
    for (int j = 0; j < B.columns(); ++j) {
        double length = 0.0;
        for (int i = 0; i < B.rows(); ++i)
            length = std::hypot(length, out.B(i, j) /= out.D[static_cast<std::size_t>(i)]);
        for (int i = 0; i < B.rows() && length > 0.0; ++i)
            out.B(i, j) *= out.size / length;
    }
    return out;
}

// Names of the rows of W that are at least half as long as the longest, at most four, the longest first.
std::vector<std::string> dominant(const ComplexMatrix& W, const std::vector<std::string>& names)
{
    std::vector<std::pair<double, int>> weights;
    for (int i = 0; i < W.rows; ++i) {
        double sum = 0.0;
        for (int j = 0; j < W.columns; ++j)
            sum += std::norm(W(i, j));
        weights.emplace_back(std::sqrt(sum), i);
    }
    std::stable_sort(weights.begin(), weights.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first * (1.0 + 1e-6); });
    std::vector<std::string> out;
    for (const auto& [weight, i] : weights)
        if (weight > 0.5 * weights.front().first && out.size() < 4)
            out.push_back(names.empty() ? "x" + std::to_string(i + 1) : names[static_cast<std::size_t>(i)]);
    return out;
}

// The modes of w' x, w = W y with y' A = s y': poles of Au, each once.
std::vector<LostMode> lost_modes(const Matrix& Au, const Matrix& W, double size, double tolerance,
                                 const std::vector<std::string>& names)
{
    std::vector<LostMode> out;
    for (const Complex& s : pole_values(Au)) {
        if (s.imag() < 0.0)
            continue;
        const auto same = std::find_if(out.begin(), out.end(), [&](const LostMode& mode) {
            return std::abs(mode.s - s) <= 1e-6 * (std::abs(s) + 1e-3 * size);
        });
        if (same != out.end()) {
            ++same->multiplicity;
            continue;
        }
        ComplexMatrix shifted(transpose(Au)); // its null space: y
        for (int i = 0; i < Au.rows(); ++i)
            shifted(i, i) -= s;
        const ComplexSvd parts = svd(shifted);
        int kernel = 1;
        while (kernel < Au.rows() && parts.s[static_cast<std::size_t>(Au.rows() - 1 - kernel)] <= 1e-8 * size)
            ++kernel;
        ComplexMatrix w(W.rows(), kernel);
        for (int j = 0; j < kernel; ++j)
            for (int k = 0; k < W.columns(); ++k)
                for (int i = 0; i < W.rows(); ++i)
                    w(i, j) += W(i, k) * parts.V(k, Au.rows() - kernel + j);
        out.push_back({s, 1, dominant(w, names), s.real() < -tolerance * size});
    }
    return out;
}

} // namespace

Staircase controllability(const Matrix& A, const Matrix& B, const std::vector<std::string>& names,
                          double tolerance)
{
    const int n = A.rows();
    if (A.columns() != n || B.rows() != n || (!names.empty() && names.size() != static_cast<std::size_t>(n)))
        throw UsageError("controllability: got A of " + std::to_string(n) + " x " +
                         std::to_string(A.columns()) + ", B of " + std::to_string(B.rows()) + " rows and " +
                         std::to_string(names.size()) +
                         " names; expected A square, a row of B and a name per state");
    if (!finite(A) || !finite(B))
        throw UsageError("controllability: a matrix holds a number that is not finite");
    const Scaled system = scaled(A, B);
    Matrix Q = Matrix::identity(n), T = system.A, step = system.B;
    Staircase out;
    while (out.rank < n) {
        const int rest = n - out.rank;
        const Svd parts = svd(step);
        const auto rank = static_cast<int>(std::count_if(
            parts.s.begin(), parts.s.end(), [&](double s) { return s > tolerance * system.size; }));
        if (rank == 0)
            break;
        Matrix W = Matrix::identity(n); // turns what this step reaches to the front
        set_block(W, out.rank, out.rank, parts.U);
        T = transpose(W) * T * W;
        Q = Q * W;
        step = block(T, out.rank + rank, out.rank, rest - rank, rank);
        out.rank += rank;
        out.steps.push_back(rank);
    }
    const int lost = n - out.rank;
    Matrix W = block(Q, 0, out.rank, n, lost);
    out.lost_modes = lost_modes(block(T, out.rank, out.rank, lost, lost), W, system.size, tolerance, names);
    out.reached = block(Q, 0, 0, n, out.rank);
    out.lost = std::move(W);
    for (int i = 0; i < n; ++i) { // x = D (scaled x), w' x = (D^-1 w)' x
        for (int j = 0; j < out.rank; ++j)
            out.reached(i, j) *= system.D[static_cast<std::size_t>(i)];
        for (int j = 0; j < lost; ++j)
            out.lost(i, j) /= system.D[static_cast<std::size_t>(i)];
    }
    return out;
}

Staircase observability(const Matrix& A, const Matrix& C, const std::vector<std::string>& names,
                        double tolerance)
{
    return controllability(transpose(A), transpose(C), names, tolerance);
}

std::vector<double> controllability_margins(const Matrix& A, const Matrix& B)
{
    std::vector<double> out;
    const Scaled system = scaled(A, B);
    for (const Complex& s : pole_values(A)) {
        ComplexMatrix pencil(beside(system.A, system.B));
        for (int i = 0; i < A.rows(); ++i)
            pencil(i, i) -= s;
        out.push_back(svd(pencil).s.back() / system.size);
    }
    return out;
}

std::string lost_mode_text(const LostMode& mode)
{
    std::string out = "the mode at " + pole_text(mode.s);
    if (mode.multiplicity > 1)
        out += " (" + std::to_string(mode.multiplicity) + " times)";
    for (std::size_t i = 0; i < mode.states.size(); ++i)
        out += (i == 0 ? " in " : ", ") + mode.states[i];
    return out;
}

} // namespace sweepdyn
