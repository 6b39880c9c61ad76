#include "sweepdyn/linear/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linear/lapack.hpp"
#include "sweepdyn/linear/poles.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
using namespace lapack;
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// X <- (s - H)^-1 X, H upper Hessenberg: elimination with exchanges of neighbouring rows.
void solve_shifted(const Matrix& H, Complex s, ComplexMatrix& X, double hz)
{
    const int n = H.rows();
    ComplexMatrix U(n, n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < std::min(n, j + 2); ++i)
            U(i, j) = (i == j ? s : 0.0) - H(i, j);
    const double tiny = 1e-15 * (std::abs(s) + norm(H));
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) {
            if (std::abs(U(k + 1, k)) > std::abs(U(k, k))) {
                for (int j = k; j < n; ++j)
                    std::swap(U(k, j), U(k + 1, j));
                for (int j = 0; j < X.columns; ++j)
                    std::swap(X(k, j), X(k + 1, j));
            }
            if (U(k + 1, k) != 0.0) {
                const Complex factor = U(k + 1, k) / U(k, k);
                for (int j = k + 1; j < n; ++j)
                    U(k + 1, j) -= factor * U(k, j);
                for (int j = 0; j < X.columns; ++j)
                    X(k + 1, j) -= factor * X(k, j);
            }
        }
        if (std::abs(U(k, k)) <= tiny)
            throw RefusedError("frequency_response: " + number_text(hz) +
                               " Hz is a pole, where the response has no bound; leave it out");
    }
    for (int j = 0; j < X.columns; ++j)
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k)
                X(i, j) -= U(i, k) * X(k, j);
            X(i, j) /= U(i, i);
        }
}

std::vector<double> polynomial(const std::vector<Complex>& roots, double leading)
{
    std::vector<Complex> out{leading};
    for (const Complex& root : roots) {
        out.push_back(0.0);
        for (std::size_t i = out.size() - 1; i > 0; --i)
            out[i] -= root * out[i - 1];
    }
    std::vector<double> real;
    for (const Complex& coefficient : out)
        real.push_back(coefficient.real());
    return real;
}

} // namespace

FrequencyResponse frequency_response(const StateSpace& system, std::span<const double> hz)
{
    const int n = system.num_states(), m = system.num_inputs(), p = system.num_outputs();
    const Hessenberg form = hessenberg(system.A);
    const Matrix B = transpose(form.Q) * system.B, C = system.C * form.Q;
    FrequencyResponse out{{hz.begin(), hz.end()}, p, m, {}};
    for (double f : hz) {
        if (!std::isfinite(f))
            throw UsageError("frequency_response: a frequency is " + number_text(f) +
                             ", expected a finite number, in Hz");
        ComplexMatrix X(B);
        solve_shifted(form.H, Complex(0.0, 2.0 * std::numbers::pi * f), X, f);
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < p; ++i) {
                Complex sum = system.D(i, j);
                for (int k = 0; k < n; ++k)
                    sum += C(i, k) * X(k, j);
                out.values.push_back(sum);
            }
    }
    return out;
}

Bode bode(const FrequencyResponse& response, int output, int input)
{
    if (output < 0 || output >= response.num_outputs || input < 0 || input >= response.num_inputs)
        throw UsageError("bode: asked for output " + std::to_string(output) + " and input " +
                         std::to_string(input) + ", expected below " + std::to_string(response.num_outputs) +
                         " and " + std::to_string(response.num_inputs));
    Bode out{response.hz, {}, {}};
    for (int k = 0; k < static_cast<int>(response.hz.size()); ++k) {
        const Complex G = response.at(k, output, input);
        double angle = std::arg(G) * 180.0 / std::numbers::pi;
        if (!out.degrees.empty())
            angle += 360.0 * std::round((out.degrees.back() - angle) / 360.0);
        out.decibels.push_back(20.0 * std::log10(std::abs(G)));
        out.degrees.push_back(angle);
    }
    return out;
}

std::vector<double> frequencies(double lowest, double highest, int count)
{
    if (!(lowest > 0.0) || !(highest > lowest) || count < 2)
        throw UsageError("frequencies: got " + number_text(lowest) + " to " + number_text(highest) + " in " +
                         std::to_string(count) + " steps; expected 0 < lowest < highest and two or more");
    std::vector<double> out;
    for (int i = 0; i < count; ++i)
        out.push_back(lowest * std::pow(highest / lowest, static_cast<double>(i) / (count - 1)));
    return out;
}

TransferFunction transfer_function(const StateSpace& system, int output, int input)
{
    if (output < 0 || output >= system.num_outputs() || input < 0 || input >= system.num_inputs())
        throw UsageError("transfer_function: asked for output " + std::to_string(output) + " and input " +
                         std::to_string(input) + ", expected below " + std::to_string(system.num_outputs()) +
                         " and " + std::to_string(system.num_inputs()));
    const int n = system.num_states();
    Matrix A = system.A, b = block(system.B, 0, input, n, 1), c = block(system.C, output, 0, 1, n);
    const std::vector<double> D = balance(A); // x = D x'
    for (int i = 0; i < n; ++i) {
        b(i, 0) /= D[at(i)];
        c(0, i) *= D[at(i)];
    }
    double d = system.D(output, input), gain = 1.0;
    const double scale_b = norm(b), scale_A = norm(A);
    TransferFunction out;
    out.poles = pole_values(system.A);
    out.denominator = polynomial(out.poles, 1.0);
    for (bool first = true; std::abs(d) <= (first ? 0.0 : 1e-12 * scale_b); first = false) {
        const double length = norm(c);
        const int rest = A.rows() - 1;
        if (rest < 0 || length <= (first ? 0.0 : 1e-12 * scale_A)) { // y does not depend on u
            out.numerator = {0.0};
            return out;
        }
        // in the basis [V1 v], c = [0 length]: the last state is held at zero
        const Svd parts = svd(c);
        const Matrix v = block(parts.V, 0, 0, rest + 1, 1), V1 = block(parts.V, 0, 1, rest + 1, rest);
        gain *= (c * v)(0, 0);
        d = (transpose(v) * b)(0, 0);
        c = transpose(v) * A * V1;
        A = transpose(V1) * A * V1;
        b = transpose(V1) * b;
    }
    out.gain = gain * d;
    out.zeros = pole_values(A - (1.0 / d) * (b * c));
    out.numerator = polynomial(out.zeros, out.gain);
    return out;
}

} // namespace sweepdyn
