#include "sweepdyn/control/reduce.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"
#include "control/momenta.hpp"

namespace sweepdyn {
using namespace lapack;
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// States, with what they hold, by index.
StateSpace picked(const StateSpace& system, const std::vector<int>& kept)
{
    StateSpace out = system;
    const auto n = static_cast<int>(kept.size());
    out.A = Matrix(n, n);
    out.B = Matrix(n, system.num_inputs());
    out.C = Matrix(system.num_outputs(), n);
    out.states.clear(), out.f0.clear(), out.x0.clear();
    for (int j = 0; j < n; ++j) {
        const int from = kept[at(j)];
        for (int i = 0; i < n; ++i)
            out.A(i, j) = system.A(kept[at(i)], from);
        for (int i = 0; i < system.num_inputs(); ++i)
            out.B(j, i) = system.B(from, i);
        for (int i = 0; i < system.num_outputs(); ++i)
            out.C(i, j) = system.C(i, from);
        out.states.push_back(system.states[at(from)]);
        if (!system.f0.empty())
            out.f0.push_back(system.f0[at(from)]);
        if (!system.x0.empty())
            out.x0.push_back(system.x0[at(from)]);
    }
    return out;
}

std::vector<bool> ignorable_states(const StateSpace& system, double zero)
{
    const int n = system.num_states();
    std::vector<bool> in(at(n));
    for (int j = 0; j < n; ++j)
        in[at(j)] = system.states[at(j)].starts_with("q:") &&
                    std::find(system.inputs.begin(), system.inputs.end(),
                              "T:" + system.states[at(j)].substr(2)) == system.inputs.end();
    for (bool changed = true; changed;) {
        changed = false;
        for (int j = 0; j < n; ++j)
            for (int i = 0; in[at(j)] && i < n; ++i)
                if (!in[at(i)] && std::abs(system.A(i, j)) > zero) {
                    in[at(j)] = false;
                    changed = true;
                }
    }
    return in;
}

// Velocities to drop, one per row of W (the momenta), with x_d = X x: elimination with exchanges, which also makes W the identity in
// the columns dropped.
std::vector<int> eliminate(Matrix& W, const StateSpace& system, const std::vector<std::string>& first)
{
    std::vector<int> dropped;
    for (int row = 0; row < W.rows(); ++row) {
        int pivot = -1, pivot_row = row;
        for (const bool conjugate : {true, false}) {
            double most = 1e-6;
            for (int j = 0; j < W.columns(); ++j) {
                const std::string& name = system.states[at(j)];
                const bool is_conjugate =
                    name.starts_with("v:") &&
                    std::find(first.begin(), first.end(), "q:" + name.substr(2)) != first.end();
                if ((conjugate && !is_conjugate) ||
                    std::find(dropped.begin(), dropped.end(), j) != dropped.end())
                    continue;
                for (int i = row; i < W.rows(); ++i)
                    if (std::abs(W(i, j)) > most)
                        most = std::abs(W(i, j)), pivot = j, pivot_row = i;
            }
            if (pivot >= 0)
                break;
        }
        if (pivot < 0)
            break; // rows of nothing but round-off
        for (int j = 0; j < W.columns(); ++j)
            std::swap(W(row, j), W(pivot_row, j));
        const double head = W(row, pivot);
        for (int j = 0; j < W.columns(); ++j)
            W(row, j) /= head;
        for (int i = 0; i < W.rows(); ++i)
            if (const double factor = W(i, pivot); i != row && factor != 0.0)
                for (int j = 0; j < W.columns(); ++j)
                    W(i, j) -= factor * W(row, j);
        dropped.push_back(pivot);
    }
    return dropped;
}

// Orthonormal rows that span the same, and their combinations that are zero.
struct Span {
    Matrix rows, zero;
};
Span span_of(const Matrix& W, double tolerance)
{
    const Svd parts = svd(W);
    int rank = 0;
    while (rank < static_cast<int>(parts.s.size()) && parts.s[at(rank)] > tolerance)
        ++rank;
    return {transpose(block(parts.V, 0, 0, W.columns(), rank)),
            transpose(block(parts.U, 0, rank, W.rows(), W.rows() - rank))};
}

Matrix above(const Matrix& A, const Matrix& B) { return transpose(beside(transpose(A), transpose(B))); }

Matrix columns_of(const Matrix& W, const std::vector<int>& picked_ones)
{
    Matrix out(W.rows(), static_cast<int>(picked_ones.size()));
    for (int j = 0; j < out.columns(); ++j)
        std::copy(W.column(picked_ones[at(j)]).begin(), W.column(picked_ones[at(j)]).end(),
                  out.column(j).begin());
    return out;
}

Reduced reduced(const StateSpace& system, const control::Momenta& momenta, double tolerance)
{
    control::require_shapes("reduce", system);
    Reduced out;
    if (controllability(system).complete()) {
        out.system = system;
        return out;
    }
    double largest = 0.0;
    for (double a : system.A.values())
        largest = std::max(largest, std::abs(a));
    const std::vector<bool> ignorable = ignorable_states(system, tolerance * largest);
    std::vector<int> kept, gone;
    for (int i = 0; i < system.num_states(); ++i)
        if (ignorable[at(i)]) {
            out.ignorable.push_back(system.states[at(i)]);
            gone.push_back(i);
        } else
            kept.push_back(i);
    StateSpace rest = picked(system, kept);

    // w' [A B] = 0, columns of B scaled to A's size
    Matrix B = rest.B;
    for (int j = 0; j < B.columns(); ++j) {
        const double length = norm(block(B, 0, j, B.rows(), 1));
        for (double& entry : B.column(j))
            entry *= length > 0.0 ? (norm(rest.A) > 0.0 ? norm(rest.A) : 1.0) / length : 1.0;
    }
    const Svd parts = svd(beside(rest.A, B));
    int rank = 0;
    while (rank < static_cast<int>(parts.s.size()) && parts.s[at(rank)] > tolerance * parts.s.front())
        ++rank;
    const int n = rest.num_states();
    Matrix W = transpose(block(parts.U, 0, rank, n, n - rank));
    if (momenta.rows.rows() > 0) { // those that weigh nothing of what is gone
        const Matrix C = gone.empty() ? Matrix::identity(momenta.rows.rows())
                                      : span_of(columns_of(momenta.rows, gone), 1e-9).zero;
        out.momenta = control::momentum_names(C * momenta.of, momenta.bases);
        W = span_of(above(span_of(C * columns_of(momenta.rows, kept), 1e-9).rows, W), 1e-6).rows;
    }
    const std::vector<int> dropped = eliminate(W, rest, out.ignorable);

    // A <- A_kk - A_kd W_k, C alike: W is the identity in the columns dropped
    StateSpace substituted = rest;
    for (std::size_t row = 0; row < dropped.size(); ++row)
        for (int j = 0; j < n; ++j) {
            const double w = W(static_cast<int>(row), j);
            for (int i = 0; i < n; ++i)
                substituted.A(i, j) -= rest.A(i, dropped[row]) * w;
            for (int i = 0; i < rest.num_outputs(); ++i)
                substituted.C(i, j) -= rest.C(i, dropped[row]) * w;
        }
    kept.clear();
    for (int i = 0; i < n; ++i)
        if (std::find(dropped.begin(), dropped.end(), i) == dropped.end())
            kept.push_back(i);
        else
            out.conserved.push_back(rest.states[at(i)]);
    out.system = picked(substituted, kept);
    const auto note = [&](const std::vector<std::string>& names, const char* why) {
        std::string text;
        for (const std::string& name : names)
            text += (text.empty() ? "" : ", ") + name;
        if (!text.empty())
            out.system.notes.push_back(std::string("dropped, ") + why + ": " + text);
    };
    note(out.ignorable, "nothing depends on it");
    note(out.conserved, "a conserved momentum tells it");
    if (!out.momenta.empty()) {
        std::string text;
        for (const std::string& name : out.momenta)
            text += (text.empty() ? "conserved, for no input changes it: " : ", ") + name;
        out.system.notes.push_back(text);
    }
    return out;
}

} // namespace

Reduced reduce(const StateSpace& system, double tolerance) { return reduced(system, {}, tolerance); }

Reduced reduce(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
               const StateSpace& system, double tolerance)
{
    return reduced(system, control::conserved_momenta(model, point, options, system), tolerance);
}

void refuse_hidden_momenta(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                           const StateSpace& system)
{
    control::conserved_momenta(model, point, options, system);
}

} // namespace sweepdyn
