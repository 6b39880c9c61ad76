#include "sweepdyn/linear/poles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linear/zero_poles.hpp"
#include "sweepdyn/linear/modes.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
using namespace lapack;

namespace linear {

ZeroPoles take_out_zeros(const Matrix& A)
{
    const int n = A.rows();
    ZeroPoles out{{}, Matrix::identity(n), A, {}, 0};
    out.D = balance(out.T);
    const double tolerance = zero_tolerance * norm(out.T);
    for (bool more = n > 0; more;) {
        const int rest = n - out.zeros;
        const Svd parts = svd(out.rest());
        const auto zeros = static_cast<int>(
            std::count_if(parts.s.begin(), parts.s.end(), [&](double s) { return s <= tolerance; }));
        more = zeros > 0 && zeros < rest;
        if (zeros == 0)
            break;
        // [V0 V1], in the place of the columns so far: T <- W' T W
        Matrix W = Matrix::identity(n);
        set_block(W, out.zeros, out.zeros, block(parts.V, 0, rest - zeros, rest, zeros));
        set_block(W, out.zeros, out.zeros + zeros, block(parts.V, 0, 0, rest, rest - zeros));
        out.T = transpose(W) * out.T * W;
        out.V = out.V * W;
        for (int j = out.zeros; j < out.zeros + zeros; ++j)
            for (int i = out.zeros; i < n; ++i)
                out.T(i, j) = 0.0;
        out.zeros += zeros;
        out.grades.push_back(zeros);
    }
    return out;
}

} // namespace linear

namespace {

bool comes_before(const Complex& a, const Complex& b)
{
    const double p = std::abs(a), q = std::abs(b);
    if (std::abs(p - q) > 1e-12 * std::max(p, q)) // the two of a pair count as equal
        return p < q;
    if (std::abs(a.real() - b.real()) > 1e-12 * p)
        return a.real() < b.real();
    return a.imag() > b.imag();
}

void require_square(const Matrix& A)
{
    if (A.rows() != A.columns())
        throw UsageError("poles: A has " + std::to_string(A.rows()) + " rows and " +
                         std::to_string(A.columns()) + " columns, expected a square matrix");
    if (!finite(A))
        throw UsageError("poles: A holds a number that is not finite");
}

// The shape scaled to a largest entry of 1.
void scale(std::vector<Complex>& shape)
{
    Complex largest = 0.0;
    for (const Complex& entry : shape)
        if (std::abs(entry) > std::abs(largest) * (1.0 + 1e-9)) // of equals the first
            largest = entry;
    if (largest != 0.0)
        for (Complex& entry : shape)
            entry /= largest;
}

} // namespace

Pole pole_at(Complex s)
{
    const double size = std::abs(s);
    return {s, size / (2.0 * std::numbers::pi), size > 0.0 ? -s.real() / size : 0.0};
}

std::vector<Complex> pole_values(const Matrix& A)
{
    require_square(A);
    const linear::ZeroPoles split = linear::take_out_zeros(A);
    std::vector<Complex> out = eigenvalues(split.rest());
    out.insert(out.end(), static_cast<std::size_t>(split.zeros), 0.0);
    std::stable_sort(out.begin(), out.end(), comes_before);
    return out;
}

std::vector<Pole> poles(const Matrix& A)
{
    std::vector<Pole> out;
    for (const Complex& s : pole_values(A))
        out.push_back(pole_at(s));
    return out;
}

std::string pole_text(Complex s)
{
    char text[64];
    if (s.imag() == 0.0)
        std::snprintf(text, sizeof text, "%.4g", s.real());
    else
        std::snprintf(text, sizeof text, "%.4g+-%.4gi", s.real(), std::abs(s.imag()));
    return text;
}

std::vector<Mode> modes(const StateSpace& system)
{
    require_square(system.A);
    const linear::ZeroPoles split = linear::take_out_zeros(system.A);
    const int n = system.A.rows(), zeros = split.zeros;
    std::vector<Mode> out;
    const auto add = [&](Complex s, int grade, const std::vector<Complex>& y) { // shape = D V y
        Mode mode{pole_at(s), std::vector<Complex>(static_cast<std::size_t>(n)), grade};
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                mode.shape[static_cast<std::size_t>(i)] +=
                    split.D[static_cast<std::size_t>(i)] * split.V(i, j) * y[static_cast<std::size_t>(j)];
        scale(mode.shape);
        out.push_back(std::move(mode));
    };
    for (int grade = 1, j = 0; j < zeros; ++grade)
        for (int i = 0; i < split.grades[static_cast<std::size_t>(grade - 1)]; ++i, ++j) {
            std::vector<Complex> unit(static_cast<std::size_t>(n));
            unit[static_cast<std::size_t>(j)] = 1.0;
            add(0.0, grade, unit);
        }
    const Eigensystem rest = eigensystem(split.rest());
    for (int k = 0; k < n - zeros; ++k) {
        // [N X; 0 A1] [z; y] = s [z; y]: z by substitution upwards, N being strictly upper triangular
        const Complex s = rest.values[static_cast<std::size_t>(k)];
        std::vector<Complex> y(static_cast<std::size_t>(n));
        for (int i = zeros; i < n; ++i)
            y[static_cast<std::size_t>(i)] = rest.vectors(i - zeros, k);
        for (int i = zeros - 1; i >= 0; --i) {
            for (int j = i + 1; j < n; ++j)
                y[static_cast<std::size_t>(i)] += split.T(i, j) * y[static_cast<std::size_t>(j)];
            y[static_cast<std::size_t>(i)] /= s;
        }
        add(s, 1, y);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Mode& a, const Mode& b) { return comes_before(a.pole.s, b.pole.s); });
    return out;
}

std::vector<JointShape> joint_shapes(const StateSpace& system, const Mode& mode)
{
    std::vector<JointShape> out;
    std::vector<Complex> motions;
    for (std::size_t i = 0; i < system.states.size(); ++i)
        if (system.states[i].starts_with("q:")) {
            out.push_back({system.states[i].substr(2), {}});
            motions.push_back(mode.shape[i]);
        }
    const auto moves = [](const Complex& motion) { return std::abs(motion) > 1e-9; };
    if (std::any_of(motions.begin(), motions.end(), moves)) { // else what is there is round-off
        scale(motions);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i].motion = motions[i];
    }
    return out;
}

} // namespace sweepdyn
