#include "sweepdyn/control/pole_placement.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"

namespace sweepdyn {
using namespace lapack;
using namespace control;
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Real ones first, then pairs side by side, the one above the real axis first.
std::vector<Complex> in_pairs(const std::vector<Complex>& poles)
{
    std::vector<Complex> out, above, below;
    for (const Complex& s : poles) {
        if (!std::isfinite(s.real()) || !std::isfinite(s.imag()))
            throw UsageError("place_poles: a pole is not finite");
        (s.imag() == 0.0 ? out : s.imag() > 0.0 ? above : below).push_back(s);
    }
    for (const Complex& s : above) {
        const auto partner = std::find_if(below.begin(), below.end(), [&](const Complex& t) {
            return std::abs(t - std::conj(s)) <= 1e-9 * std::abs(s);
        });
        if (partner == below.end())
            throw UsageError("place_poles: the pole at " + pole_text(s) +
                             " stands alone, expected pairs a+bi and a-bi");
        below.erase(partner);
        out.push_back(s);
        out.push_back(std::conj(s));
    }
    if (!below.empty())
        throw UsageError("place_poles: the pole at " + pole_text(below.front()) +
                         " stands alone, expected pairs a+bi and a-bi");
    return out;
}

void require_multiplicity(const std::vector<Complex>& poles, int inputs)
{
    for (const Complex& s : poles) {
        const auto times = std::count_if(poles.begin(), poles.end(), [&](const Complex& t) {
            return std::abs(t - s) <= 1e-9 * std::abs(s);
        });
        if (times > inputs)
            throw UsageError("place_poles: the pole at " + pole_text(s) + " is asked for " +
                             std::to_string(times) + " times, but with " + std::to_string(inputs) +
                             " independent input" + (inputs == 1 ? "" : "s") +
                             " none may come more often than " + std::to_string(inputs) +
                             "; move them a little apart");
    }
}

// An orthonormal basis of the null space of U1' (A - s).
ComplexMatrix admissible(const Matrix& U1, const Matrix& A, Complex s, int dimension)
{
    const int n = A.rows();
    const Matrix U1tA = transpose(U1) * A;
    ComplexMatrix shifted(U1tA);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < U1.columns(); ++i)
            shifted(i, j) -= s * U1(j, i);
    const ComplexMatrix V = svd(shifted).V;
    ComplexMatrix out(n, dimension);
    for (int j = 0; j < dimension; ++j)
        for (int i = 0; i < n; ++i)
            out(i, j) = V(i, n - dimension + j);
    return out;
}

// S S* y, of unit length.
std::vector<Complex> nearest_in(const ComplexMatrix& S, const std::vector<Complex>& y, bool is_real)
{
    std::vector<Complex> out(at(S.rows));
    double length = 0.0;
    for (int j = 0; j < S.columns; ++j) {
        Complex part = 0.0;
        for (int i = 0; i < S.rows; ++i)
            part += std::conj(S(i, j)) * y[at(i)];
        for (int i = 0; i < S.rows; ++i)
            out[at(i)] += S(i, j) * part;
    }
    for (Complex& entry : out) {
        if (is_real)
            entry = entry.real();
        length = std::hypot(length, std::abs(entry));
    }
    for (Complex& entry : out)
        entry /= length > 0.0 ? length : 1.0;
    return out;
}

// The unit x of S with the largest |det [x, conj x, others]|, that is |x* M x|, M = i (u v' - v u'), where u + i v = y and its conjugate
// are orthogonal to the others: the eigenvector x = S (a w1 + b w2) of M projected on S, w1 = S* u, w2 = S* v.
std::vector<Complex> widest_pair_in(const ComplexMatrix& S, const std::vector<Complex>& y)
{
    std::vector<Complex> w1(at(S.columns)), w2(w1), z(at(S.rows));
    Complex w11 = 0.0, w12 = 0.0, w22 = 0.0;
    for (int j = 0; j < S.columns; ++j) {
        for (int i = 0; i < S.rows; ++i) {
            w1[at(j)] += std::conj(S(i, j)) * y[at(i)].real();
            w2[at(j)] += std::conj(S(i, j)) * y[at(i)].imag();
        }
        w11 += std::norm(w1[at(j)]), w22 += std::norm(w2[at(j)]);
        w12 += std::conj(w1[at(j)]) * w2[at(j)];
    }
    const double m = w12.imag(),
                 root = std::sqrt(std::max(0.0, m * m + w11.real() * w22.real() - std::norm(w12)));
    const double eigenvalue = m < 0.0 ? m - root : m + root;
    const Complex unit(0.0, 1.0);
    Complex a = unit * w22, b = eigenvalue - unit * std::conj(w12);
    if (w11.real() > w22.real()) // the same, from the larger row
        a = eigenvalue + unit * w12, b = -unit * w11;
    for (int j = 0; j < S.columns; ++j)
        for (int i = 0; i < S.rows; ++i)
            z[at(i)] += S(i, j) * (a * w1[at(j)] + b * w2[at(j)]);
    return nearest_in(S, z, false);
}

// X, its inverse Y, and the exchange of one column of X: Y changes by a matrix of rank one.
struct Eigenvectors {
    ComplexMatrix X, Y;

    void exchange(int j, const std::vector<Complex>& x)
    {
        const int n = X.rows;
        std::vector<Complex> Yx(at(n));
        for (int k = 0; k < n; ++k)
            for (int i = 0; i < n; ++i)
                Yx[at(i)] += Y(i, k) * x[at(k)];
        const Complex pivot = Yx[at(j)];
        for (int i = 0; i < n; ++i)
            X(i, j) = x[at(i)];
        for (int k = 0; k < n; ++k) {
            const Complex row = Y(j, k) / pivot;
            for (int i = 0; i < n; ++i)
                Y(i, k) -= i == j ? Y(i, k) - row : Yx[at(i)] * row;
        }
    }
    double condition() const // in the Frobenius norm
    {
        double x = 0.0, y = 0.0;
        for (const Complex& entry : X.values)
            x = std::hypot(x, std::abs(entry));
        for (const Complex& entry : Y.values)
            y = std::hypot(y, std::abs(entry));
        return x * y;
    }
};

Eigenvectors random_start(const std::vector<ComplexMatrix>& S, const std::vector<Complex>& poles)
{
    const auto n = static_cast<int>(poles.size());
    std::uint64_t seed = 12345;
    const auto random = [&] {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(seed >> 11) * 0x1p-53 - 0.5;
    };
    Eigenvectors out{{n, n}, {}};
    for (int j = 0; j < n; ++j) {
        const bool pair = poles[at(j)].imag() != 0.0;
        std::vector<Complex> y(at(n));
        for (Complex& entry : y)
            entry = {random(), pair ? random() : 0.0};
        const std::vector<Complex> x = nearest_in(S[at(j)], y, !pair);
        for (int i = 0; i < n; ++i) {
            out.X(i, j) = x[at(i)];
            if (pair)
                out.X(i, j + 1) = std::conj(x[at(i)]);
        }
        j += pair;
    }
    return out;
}

Eigenvectors well_conditioned(const std::vector<ComplexMatrix>& S, const std::vector<Complex>& poles)
{
    const auto n = static_cast<int>(poles.size());
    Eigenvectors best = random_start(S, poles);
    best.Y = inverse(best.X);
    const bool free = !S.empty() && S.front().columns > 1;
    Eigenvectors now = best;
    double previous = best.condition();
    for (int sweep = 0; free && sweep < 60; ++sweep) {
        for (int j = 0; j < n; ++j) {
            const bool pair = poles[at(j)].imag() != 0.0;
            std::vector<Complex> y(at(n));
            for (int i = 0; i < n; ++i)
                y[at(i)] = std::conj(now.Y(j, i)); // orthogonal to every other column
            std::vector<Complex> x = pair ? widest_pair_in(S[at(j)], y) : nearest_in(S[at(j)], y, true);
            now.exchange(j, x);
            if (pair) {
                for (Complex& entry : x)
                    entry = std::conj(entry);
                now.exchange(++j, x);
            }
        }
        try {
            now.Y = inverse(now.X); // without the round-off of the exchanges
        } catch (const Failure&) {
            break;
        }
        const double condition = now.condition();
        if (!std::isfinite(condition))
            break;
        if (condition < best.condition())
            best = now;
        if (std::abs(condition - previous) < 1e-4 * condition)
            break;
        previous = condition;
    }
    return best;
}

// X Lambda X^-1 in real numbers: of a pair the real and the imaginary part.
Matrix closed_loop(const Eigenvectors& vectors, const std::vector<Complex>& poles)
{
    const auto n = static_cast<int>(poles.size());
    Matrix X(n, n), Lambda(n, n);
    for (int j = 0; j < n; ++j) {
        const Complex s = poles[at(j)];
        const bool pair = s.imag() != 0.0;
        for (int i = 0; i < n; ++i) {
            X(i, j) = vectors.X(i, j).real();
            if (pair)
                X(i, j + 1) = vectors.X(i, j).imag();
        }
        Lambda(j, j) = s.real();
        if (pair) {
            Lambda(j + 1, j + 1) = s.real();
            Lambda(j, j + 1) = s.imag(), Lambda(j + 1, j) = -s.imag();
            ++j;
        }
    }
    double rcond = 0.0;
    return transpose(solve(transpose(X), transpose(X * Lambda), &rcond)); // X Lambda X^-1
}

} // namespace

PlacedGain place_poles(const StateSpace& system, const std::vector<Complex>& poles)
{
    require_shapes("place_poles", system);
    const Staircase stairs = stairs_of_inputs(system, Region::left_half_plane);
    PlacedGain out;
    out.warnings = refuse_lost("place_poles", system, stairs, Region::left_half_plane, "no input reaches it",
                               "give it an actuator, or drop it (reduce)");
    const int n = stairs.rank;
    if (static_cast<int>(poles.size()) != n) {
        std::string stay;
        for (const LostMode& mode : stairs.lost_modes)
            stay += "; " + lost_mode_text(mode) + " stays, for no input reaches it";
        throw UsageError("place_poles: got " + std::to_string(poles.size()) + " poles, expected " +
                         std::to_string(n) + ", one for each state that inputs reach" + stay);
    }
    const std::vector<Complex> wanted = in_pairs(poles);

    // The part that inputs reach: x = E xc with E' E = 1 (the whole, unturned, when nothing is lost)
    const Matrix E =
        stairs.complete() ? Matrix::identity(n) : block(svd(stairs.reached).U, 0, 0, system.num_states(), n);
    const Matrix A = transpose(E) * system.A * E, B = transpose(E) * system.B;
    const Svd parts = svd(B);
    const auto m = static_cast<int>(
        std::count_if(parts.s.begin(), parts.s.end(), [&](double s) { return s > 1e-12 * parts.s.front(); }));
    require_multiplicity(wanted, m);

    const Matrix U1 = block(parts.U, 0, m, n, n - m);
    std::vector<ComplexMatrix> S;
    for (const Complex& s : wanted)
        S.push_back(admissible(U1, A, s, m));
    Eigenvectors vectors;
    Matrix change; // A - X Lambda X^-1
    try {
        vectors = well_conditioned(S, wanted);
        change = A - closed_loop(vectors, wanted);
    } catch (const Failure&) {
        throw RefusedError("place_poles: no independent eigenvectors with these poles; move them apart, or "
                           "away from poles that the "
                           "inputs hardly reach");
    }
    out.eigenvector_condition = vectors.condition();
    // K = V diag(s)^-1 U0' change
    Matrix K = transpose(block(parts.U, 0, 0, n, m)) * change;
    for (int j = 0; j < K.columns(); ++j)
        for (int i = 0; i < m; ++i)
            K(i, j) /= parts.s[at(i)];
    out.K = block(parts.V, 0, 0, system.num_inputs(), m) * K * transpose(E);

    out.closed_loop_poles = pole_values(system.A - system.B * out.K);
    double worst = 0.0;
    for (const Complex& s : wanted) {
        double nearest = INFINITY;
        for (const Complex& t : out.closed_loop_poles)
            nearest = std::min(nearest, std::abs(t - s));
        worst = std::max(worst, nearest / std::max(std::abs(s), 1e-3));
    }
    if (worst > 1e-3)
        out.warnings.push_back("the poles achieved miss those asked for by up to " + number_text(worst) +
                               " of their size: the eigenvectors have the condition " +
                               number_text(out.eigenvector_condition) +
                               "; ask for poles nearer to those of the mechanism, or use lqr");
    else if (out.eigenvector_condition > 1e6)
        out.warnings.push_back("the poles are sensitive: their eigenvectors have the condition " +
                               number_text(out.eigenvector_condition));
    warn_of_drift(system, out.warnings);
    return out;
}

} // namespace sweepdyn
