#include "control/momenta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "linear/lapack.hpp"
#include "linear/near_point.hpp"
#include "sweepdyn/linear/momentum_derivatives.hpp"

namespace sweepdyn::control {
using namespace lapack;
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Whether the body hangs on the ground by a free hinge alone: no loop leads out of its tree, no damping holds it.
bool floats_freely(const Model& model, int k, const PassiveForces& passive)
{
    const Hinge& hinge = model.hinges()[at(k)];
    if (hinge.kind != HingeKind::free || model.tree().parent[at(k)] != ground)
        return false;
    const auto inside = [&](const std::string& body) {
        return !body.empty() && model.tree().root[at(model.body(body).index)] == k;
    };
    for (const Loop& loop : model.loops())
        if (loop.kind != LoopKind::coupling && inside(loop.body_a) != inside(loop.body_b))
            return false;
    const auto any = [](const std::vector<double>& numbers) {
        return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
    };
    return !(passive.damping && any(hinge.damping)) && !(passive.friction_speed > 0.0 && any(hinge.friction));
}

// Rows of length one, so that momenta in N m s and in N s count alike.
std::vector<double> normalize_rows(Matrix& W)
{
    std::vector<double> lengths;
    for (int i = 0; i < W.rows(); ++i) {
        lengths.push_back(norm(block(W, i, 0, 1, W.columns())));
        for (int j = 0; j < W.columns() && lengths.back() > 0.0; ++j)
            W(i, j) /= lengths.back();
    }
    return lengths;
}

// Combinations of the rows of `rates` that are zero, as rows; a column counts by its `size`.
Matrix still(Matrix rates, const std::vector<double>& sizes)
{
    for (int j = 0; j < rates.columns(); ++j)
        for (double& entry : rates.column(j))
            entry = sizes[at(j)] > 0.0 ? entry / sizes[at(j)] : 0.0;
    const Svd parts = svd(rates);
    int rank = 0;
    while (rank < static_cast<int>(parts.s.size()) && parts.s[at(rank)] > 1e-9)
        ++rank;
    return transpose(block(parts.U, 0, rank, rates.rows(), rates.rows() - rank));
}

std::string what_changes(const StateSpace& system)
{
    std::string worst;
    double most = 0.0;
    for (const char* kind : {"v:", "q:"}) {
        for (std::size_t i = 0; i < system.f0.size(); ++i)
            if (system.states[i].starts_with(kind) && std::abs(system.f0[i]) > std::max(most, 1e-9)) {
                most = std::abs(system.f0[i]);
                worst = system.states[i] + " changes by " + number_text(system.f0[i]) + " per second";
            }
        if (!worst.empty())
            break;
    }
    return worst.empty() ? "it changes" : worst;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

// W A = L W, with L of least squares: what is left over must be round-off.
bool stay(const Matrix& W, const Matrix& A)
{
    const Svd parts = svd(W);
    int rank = 0;
    while (rank < static_cast<int>(parts.s.size()) && parts.s[at(rank)] > 1e-12 * parts.s.front())
        ++rank;
    const Matrix V = block(parts.V, 0, 0, W.columns(), rank); // rows of W, orthonormal
    const Matrix rates = transpose(V) * A;
    return norm(rates - (rates * V) * transpose(V)) <= 1e-9 * norm(A);
}

} // namespace

Momenta conserved_momenta(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                          const StateSpace& system)
{
    const auto near = detail::near_point(model, point, options);
    const int n = system.num_states(), own = near->A.rows();
    if (n < own || !std::equal(near->states.begin(), near->states.end(), system.states.begin()))
        throw UsageError(
            "momenta: the system has " + std::to_string(n) + " states, not those " + std::to_string(own) +
            " of the model at this point first; expected linearize(model, point, options), perhaps "
            "behind motors");
    Momenta out;
    std::vector<Matrix> rows, of;
    for (int k = 0; k < model.num_bodies(); ++k) {
        if (!floats_freely(model, k, options.passive))
            continue;
        const MomentumDerivatives d = differentiate_momentum(near->tree(), k, point.external);
        Matrix W(6, n), loads(6, n);
        set_block(W, 0, 0, d.on_q * near->Q + d.on_v * near->V);
        set_block(loads, 0, 0, d.loads_on_q * near->Q);
        const std::vector<double> lengths = normalize_rows(W);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < n && lengths[at(i)] > 0.0; ++j)
                loads(i, j) /= lengths[at(i)];
        // What pushes from outside: loads as the states move, motors, inputs.
        const Matrix by_states = W * system.A, by_inputs = W * system.B;
        std::vector<double> sizes;
        for (int j = 0; j < n; ++j) {
            for (int i = 0; j >= own && i < 6; ++i)
                loads(i, j) = by_states(i, j);
            sizes.push_back(norm(j < own ? system.A : block(system.A, 0, j, n, 1)));
        }
        for (int j = 0; j < system.num_inputs(); ++j)
            sizes.push_back(norm(block(system.B, 0, j, n, 1)));
        const Matrix C = still(beside(loads, by_inputs), sizes);
        if (C.rows() == 0)
            continue;
        rows.push_back(C * W);
        Matrix combination = C; // of the momenta themselves
        for (int j = 0; j < 6; ++j)
            for (double& c : combination.column(j))
                c = lengths[at(j)] > 0.0 ? c / lengths[at(j)] : 0.0;
        of.push_back(std::move(combination));
        out.bases.push_back(model.hinges()[at(k)].child);
        if (!stay(rows.back(), system.A))
            throw RefusedError(
                "the floating base '" + out.bases.back() + "' is in no steady motion here: by itself " +
                what_changes(system) + ". No input changes the " +
                listed(momentum_names(of.back(), {out.bases.back()})) +
                ", yet the linear model of this instant hides that, and poles designed on it would not be "
                "reached; expected a base at rest in equilibrium, or a spin that stays as it is (about a "
                "principal axis of the whole, hinges held: --trim forces), or inputs that push the base");
    }
    int count = 0;
    for (const Matrix& part : rows)
        count += part.rows();
    out.rows = Matrix(count, n);
    out.of = Matrix(count, 6 * static_cast<int>(rows.size()));
    count = 0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
        set_block(out.rows, count, 0, rows[t]);
        set_block(out.of, count, 6 * static_cast<int>(t), of[t]);
        count += rows[t].rows();
    }
    return out;
}

std::vector<std::string> momentum_names(const Matrix& of, const std::vector<std::string>& bases)
{
    // Reduced to echelon form, axes alone stand out from combinations.
    Matrix E = of;
    std::vector<std::string> out;
    normalize_rows(E);
    for (int row = 0, column = 0; row < E.rows() && column < E.columns(); ++column) {
        int pivot = row;
        for (int i = row; i < E.rows(); ++i)
            if (std::abs(E(i, column)) > std::abs(E(pivot, column)))
                pivot = i;
        if (std::abs(E(pivot, column)) < 1e-9)
            continue;
        const double head = E(pivot, column);
        for (int j = 0; j < E.columns(); ++j)
            std::swap(E(row, j), E(pivot, j)), E(row, j) /= head;
        for (int i = 0; i < E.rows(); ++i)
            if (const double factor = E(i, column); i != row)
                for (int j = 0; j < E.columns(); ++j)
                    E(i, j) -= factor * E(row, j);
        ++row;
    }
    const auto direction = [&](int row, int first) -> std::string {
        int parts = 0, last = 0;
        std::string all;
        for (int i = 0; i < 3; ++i) {
            const double c = std::abs(E(row, first + i)) > 1e-9 ? E(row, first + i) : 0.0;
            parts += c != 0.0;
            last = c != 0.0 ? i : last;
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.3g", c);
            all += (i ? " " : "[") + std::string(digits);
        }
        return parts == 0 ? "" : parts == 1 ? std::string(1, "xyz"[last]) : all + "]";
    };
    for (int row = 0; row < E.rows(); ++row)
        for (std::size_t t = 0; t < bases.size(); ++t) {
            const int first = 6 * static_cast<int>(t);
            const std::string about = direction(row, first), along = direction(row, first + 3);
            if (about.empty() && along.empty())
                continue;
            out.push_back((about.empty() ? "" : "angular momentum about " + about) +
                          (about.empty() || along.empty() ? "" : " with ") +
                          (along.empty() ? "" : "linear momentum along " + along) + " of '" + bases[t] + "'");
        }
    return out;
}

} // namespace sweepdyn::control
