#include "sweepdyn/control/decoupled_regulator.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"

namespace sweepdyn {
using namespace lapack;
using namespace control;
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Indices of "q:NAME", and of "v:NAME" in the same order of names.
struct Halves {
    std::vector<int> q, v;
};
Halves halves(const StateSpace& system)
{
    Halves out;
    for (int i = 0; i < system.num_states(); ++i) {
        const std::string& name = system.states[at(i)];
        if (name.starts_with("q:")) {
            const auto rate = std::find(system.states.begin(), system.states.end(), "v:" + name.substr(2));
            if (rate == system.states.end())
                throw RefusedError("decoupled_regulator: the state " + name + " has no v:" + name.substr(2) +
                                   " beside it, expected a velocity for each displacement");
            out.q.push_back(i);
            out.v.push_back(static_cast<int>(rate - system.states.begin()));
        } else if (!name.starts_with("v:"))
            throw RefusedError(
                "decoupled_regulator: the state " + name +
                " is neither a displacement q:NAME nor a velocity v:NAME; design without it, or use lqr");
    }
    if (2 * out.q.size() != system.states.size())
        throw RefusedError("decoupled_regulator: got " + std::to_string(out.q.size()) + " displacements in " +
                           std::to_string(system.states.size()) +
                           " states, expected a displacement for each velocity; use lqr");
    return out;
}

Matrix picked(const Matrix& A, const std::vector<int>& rows, const std::vector<int>& columns)
{
    Matrix out(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
    for (int j = 0; j < out.columns(); ++j)
        for (int i = 0; i < out.rows(); ++i)
            out(i, j) = A(rows[at(i)], columns[at(j)]);
    return out;
}

Matrix positive_diagonal(std::span<const double> values, int size, const char* what)
{
    for (double value : values)
        if (!(value > 0.0) || !std::isfinite(value))
            throw UsageError(std::string("decoupled_regulator: ") + what + ": got " + number_text(value) +
                             ", expected numbers above zero");
    return diagonal_weights(values, size, std::string("decoupled_regulator: ") + what);
}

} // namespace

Gain decoupled_regulator(const StateSpace& system, std::span<const double> wn, std::span<const double> zeta)
{
    require_shapes("decoupled_regulator", system);
    const auto [q, v] = halves(system);
    const auto n = static_cast<int>(q.size());
    const Matrix W = positive_diagonal(wn, n, "wn"), Z = positive_diagonal(zeta, n, "zeta");
    const Matrix Lambda1 = 2.0 * (Z * W), Lambda2 = W * W;
    std::vector<int> inputs(at(system.num_inputs()));
    for (std::size_t j = 0; j < inputs.size(); ++j)
        inputs[j] = static_cast<int>(j);
    const Matrix A11 = picked(system.A, q, q), A12 = picked(system.A, q, v), B2 = picked(system.B, v, inputs);

    const Svd parts = svd(B2);
    const auto rank = static_cast<int>(
        std::count_if(parts.s.begin(), parts.s.end(), [&](double s) { return s > 1e-13 * parts.s.front(); }));
    if (rank < n || norm(picked(system.B, q, inputs)) > 1e-12 * norm(system.B)) {
        std::string names; // of hinges without a force of their own
        for (int i : v) {
            const std::string name = system.states[at(i)].substr(2);
            if (std::find(system.inputs.begin(), system.inputs.end(), "T:" + name) == system.inputs.end())
                names += (names.empty() ? "" : ", ") + name;
        }
        throw RefusedError("decoupled_regulator: " + std::to_string(rank) + " independent inputs for " +
                           std::to_string(n) + " dofs" +
                           (names.empty() ? "" : "; no force of its own has " + names) +
                           "; use lqr or pole placement");
    }

    Gain out;
    try {
        const Matrix damped = Lambda1 + A11;
        const Matrix F1 = solve(A12, -1.0 * (damped * A11) - Lambda2), F2 = solve(A12, -1.0 * (damped * A12));
        const Matrix wanted = beside(picked(system.A, v, q) - F1, picked(system.A, v, v) - F2);
        // B2^-1, of least size where inputs are more than dofs: V diag(s)^-1 U'
        Matrix K = transpose(parts.U) * wanted;
        for (int j = 0; j < K.columns(); ++j)
            for (int i = 0; i < n; ++i)
                K(i, j) /= parts.s[at(i)];
        K = block(parts.V, 0, 0, system.num_inputs(), n) * K;
        out.K = Matrix(system.num_inputs(), 2 * n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < system.num_inputs(); ++i) {
                out.K(i, q[at(j)]) = K(i, j);
                out.K(i, v[at(j)]) = K(i, n + j);
            }
    } catch (const Failure&) {
        throw RefusedError("decoupled_regulator: velocities do not determine the rates of the displacements; "
                           "is this a mechanism?");
    }
    out.closed_loop_poles = pole_values(system.A - system.B * out.K);
    warn_of_drift(system, out.warnings);
    return out;
}

} // namespace sweepdyn
