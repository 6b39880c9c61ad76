#include "sweepdyn/control/tvlqr.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"
#include "control/weights.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"

namespace sweepdyn {
using namespace lapack;
namespace {

void require_samples(std::span<const TrajectorySample> samples, const Matrix& Q, const Matrix& R,
                     const Matrix& Qf)
{
    if (samples.size() < 2)
        throw UsageError("tvlqr: got " + std::to_string(samples.size()) + " samples, expected two or more");
    const int n = samples.front().A.rows(), m = samples.front().B.columns();
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const auto& [t, A, B] = samples[k];
        if (A.rows() != n || A.columns() != n || B.rows() != n || B.columns() != m)
            throw UsageError("tvlqr: sample " + std::to_string(k) + " has A of " + std::to_string(A.rows()) +
                             " x " + std::to_string(A.columns()) + " and B of " + std::to_string(B.rows()) +
                             " x " + std::to_string(B.columns()) + ", expected " + std::to_string(n) +
                             " states and " + std::to_string(m) + " inputs as in the first");
        if (!finite(A) || !finite(B))
            throw UsageError("tvlqr: sample " + std::to_string(k) + " holds a number that is not finite");
        if (k > 0 && !(t > samples[k - 1].t))
            throw UsageError("tvlqr: sample " + std::to_string(k) + " is at " + number_text(t) +
                             " s, expected after " + number_text(samples[k - 1].t) +
                             " s, where the one before is");
    }
    control::require_weight("tvlqr", "Q", Q, n, false);
    control::require_weight("tvlqr", "R", R, m, true);
    control::require_weight("tvlqr", "Qf", Qf, n, false);
}

std::vector<Complex> by_size(const Matrix& transition)
{
    std::vector<Complex> out = eigenvalues(transition);
    std::stable_sort(out.begin(), out.end(),
                     [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
    return out;
}

Matrix between(const Matrix& a, const Matrix& b, double fraction)
{
    return (1.0 - fraction) * a + fraction * b;
}

} // namespace

Matrix TrajectoryGains::gain_at(double at) const
{
    const auto after = std::upper_bound(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(K.size()), at);
    const auto k = static_cast<std::size_t>(after - t.begin());
    if (k == 0)
        return K.front();
    if (k == K.size())
        return K.back();
    return between(K[k - 1], K[k], (at - t[k - 1]) / (t[k] - t[k - 1]));
}

TrajectoryGains tvlqr(std::span<const TrajectorySample> samples, const Matrix& Q, const Matrix& R,
                      const Matrix& Qf, int substeps)
{
    require_samples(samples, Q, R, Qf);
    if (substeps < 1)
        throw UsageError("tvlqr: got " + std::to_string(substeps) + " substeps, expected one or more");
    const int n = Q.rows();
    const auto hamiltonian = [&](std::size_t k, double fraction) {
        const Matrix A = between(samples[k].A, samples[k + 1].A, fraction),
                     B = between(samples[k].B, samples[k + 1].B, fraction);
        Matrix H(2 * n, 2 * n);
        set_block(H, 0, 0, A);
        set_block(H, 0, n, -1.0 * (B * solve(R, transpose(B))));
        set_block(H, n, 0, -1.0 * Q);
        set_block(H, n, n, -1.0 * transpose(A));
        return H;
    };
    TrajectoryGains out;
    out.t.resize(samples.size());
    out.K.resize(samples.size());
    out.S.resize(samples.size());
    Matrix S = Qf;
    out.transition = Matrix::identity(n);
    for (std::size_t k = samples.size(); k-- > 0;) {
        for (int step = substeps; k + 1 < samples.size() && step-- > 0;) { // from its end to its beginning
            const double h = -(samples[k + 1].t - samples[k].t) / substeps, root = std::sqrt(3.0);
            const Matrix H1 = hamiltonian(k, (step + 0.5 + root / 6.0) / substeps),
                         H2 = hamiltonian(k, (step + 0.5 - root / 6.0) / substeps);
            const Matrix flow = exponential(0.5 * h * (H1 + H2) + root / 12.0 * h * h * (H2 * H1 - H1 * H2));
            const Matrix X = block(flow, 0, 0, n, n) + block(flow, 0, n, n, n) * S,
                         Y = block(flow, n, 0, n, n) + block(flow, n, n, n, n) * S;
            double rcond = 0.0;
            try {
                // x at the beginning is X times x at the end
                out.transition = transpose(solve(transpose(X), transpose(out.transition)));
                S = symmetric(transpose(solve(transpose(X), transpose(Y), &rcond))); // Y X^-1
            } catch (const Failure&) {
                rcond = 0.0;
            }
            if (!(rcond > 1e-14) || !finite(S))
                throw RefusedError("tvlqr: between " + number_text(samples[k].t) + " and " +
                                   number_text(samples[k + 1].t) +
                                   " s the motion grows or fades beyond the digits of numbers; give more "
                                   "samples or substeps");
        }
        out.t[k] = samples[k].t;
        out.K[k] = solve(R, transpose(samples[k].B) * S);
        out.S[k] = S;
    }
    out.transition_eigenvalues = by_size(out.transition);
    return out;
}

TrajectoryGains discrete_tvlqr(std::span<const TrajectorySample> samples, const Matrix& Q, const Matrix& R,
                               const Matrix& Qf)
{
    require_samples(samples, Q, R, Qf);
    TrajectoryGains out;
    out.t.resize(samples.size());
    out.K.resize(samples.size() - 1);
    out.S.resize(samples.size());
    out.t.back() = samples.back().t;
    out.S.back() = Qf;
    out.transition = Matrix::identity(Q.rows());
    for (std::size_t k = samples.size() - 1; k-- > 0;) {
        const auto& [t, A, B] = samples[k];
        const Matrix BS = transpose(B) * out.S[k + 1];
        const Matrix K = solve(symmetric(R + BS * B), BS * A), F = A - B * K;
        out.S[k] = symmetric(Q + transpose(K) * R * K + transpose(F) * out.S[k + 1] * F);
        if (!finite(out.S[k]))
            throw RefusedError("tvlqr: before " + number_text(t) +
                               " s the cost to go is beyond the range of numbers");
        out.t[k] = t;
        out.K[k] = K;
        out.transition = out.transition * F;
    }
    out.transition_eigenvalues = by_size(out.transition);
    return out;
}

} // namespace sweepdyn
