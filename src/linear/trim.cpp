#include "sweepdyn/linear/trim.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/balance.hpp"
#include "linear/lapack.hpp"
#include "linear/near_point.hpp"
#include "linear/signals.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"

namespace sweepdyn {

namespace {

using detail::by_dof;
using detail::Need;
using detail::norm_of;
using detail::Signal;

bool floats(const Hinge& hinge) { return hinge.kind == HingeKind::free && hinge.parent.empty(); }

std::vector<Signal> inputs_of(const Model& model, const TrimOptions& options)
{
    static const std::vector<std::string> all{"T:*"};
    const std::vector<std::string>& asked = options.inputs.empty() ? all : options.inputs;
    std::vector<Signal> out = detail::resolve_signals(model, asked, detail::Direction::input);
    for (const Signal& signal : out)
        if (signal.kind != Signal::Kind::force && signal.kind != Signal::Kind::wrench)
            throw UsageError("trim: input '" + signal.name +
                             "' does not push; expected T:DOF or wrench:FRAME");
    // Nothing drives a floating base but what is named for it.
    std::erase_if(out, [&](const Signal& signal) {
        return signal.kind == Signal::Kind::force &&
               floats(model.hinges()[static_cast<std::size_t>(
                   model.tree().body_of_dof[static_cast<std::size_t>(signal.index)])]) &&
               std::find(asked.begin(), asked.end(), signal.name) == asked.end();
    });
    return out;
}

// Columns: the generalized force of a unit of each input.
Matrix input_map(const Kinematics<double>& kin, std::span<const Signal> inputs,
                 std::vector<std::string>& names)
{
    int columns = 0;
    for (const Signal& signal : inputs)
        columns += static_cast<int>(signal.parts().size());
    const int n = static_cast<int>(kin.v.size());
    Matrix B(n, columns);
    int column = 0;
    std::vector<double> J(6 * kin.v.size());
    for (const Signal& signal : inputs) {
        for (std::string& part : signal.parts())
            names.push_back(std::move(part));
        if (signal.kind == Signal::Kind::force)
            B(signal.index, column++) = 1.0;
        else {
            frame_jacobian<double>(kin, FrameId{signal.index}, J);
            for (int i = 0; i < 6; ++i, ++column)
                for (int j = 0; j < n; ++j)
                    B(j, column) = J[static_cast<std::size_t>(6 * j + i)];
        }
    }
    return B;
}

// E' of a mechanism with loops at rest: what generalized forces amount to at its independent dofs.
struct Freedoms {
    Matrix adjoint; // independent x dofs
    std::vector<int> dofs;
};
Freedoms freedoms(const Model& model, const OperatingPoint& at)
{
    detail::refuse_moving_loops(model, at);
    ClosedMechanism mechanism(model);
    mechanism.set(at.q, at.v);
    const auto dofs = mechanism.independent();
    const int n = model.num_dofs();
    Freedoms out{Matrix(static_cast<int>(dofs.size()), n), {dofs.begin(), dofs.end()}};
    for (int i = 0; i < out.adjoint.rows(); ++i)
        for (int j = 0; j < n; ++j)
            out.adjoint(i, j) = mechanism.basis()[static_cast<std::size_t>(i * n + j)];
    return out;
}

} // namespace

Trim trim_forces(const Model& model, const OperatingPoint& at, const TrimOptions& options)
{
    Linearization lin(model, options.passive);
    const bool closed = !model.topology().is_open();
    Freedoms free;
    if (closed)
        free = freedoms(model, at);
    Need need = detail::need_at(lin, at);
    if (!closed)
        detail::refuse_unsteady(lin, need.scale, options);
    const std::vector<Signal> inputs = inputs_of(model, options);
    Trim out{at, {}, {}, {}, 0, {}};
    Matrix B = input_map(lin.kinematics(), inputs, out.inputs);
    if (closed) { // the loops carry the rest: E' B u = E' need
        B = detail::product(free.adjoint, B);
        Matrix T(model.num_dofs(), 1);
        std::copy(need.T.begin(), need.T.end(), T.column(0).begin());
        const Matrix at_free = detail::product(free.adjoint, T);
        need.T.assign(at_free.column(0).begin(), at_free.column(0).end());
    }
    const int n = B.rows(), m = B.columns();

    // u = V s^+ U' need; what is left over is outside the range of B
    const lapack::Svd svd = lapack::svd(B);
    int rank = 0;
    while (rank < static_cast<int>(svd.s.size()) && svd.s[static_cast<std::size_t>(rank)] > 1e-10 * svd.s[0])
        ++rank;
    out.u.assign(static_cast<std::size_t>(m), 0.0);
    std::vector<double> left = need.T;
    for (int k = 0; k < rank; ++k) {
        double part = 0.0;
        for (int i = 0; i < n; ++i)
            part += svd.U(i, k) * need.T[static_cast<std::size_t>(i)];
        for (int i = 0; i < n; ++i)
            left[static_cast<std::size_t>(i)] -= svd.U(i, k) * part;
        for (int j = 0; j < m; ++j)
            out.u[static_cast<std::size_t>(j)] += svd.V(j, k) * part / svd.s[static_cast<std::size_t>(k)];
    }
    out.null_space = lapack::block(svd.V, 0, rank, m, m - rank);
    const double allowed = options.tolerance * std::max(need.scale, 1e-300);
    if (norm_of(left) > allowed) {
        if (closed) { // by dof
            const std::vector<double> at_free = std::exchange(left, std::vector<double>(at.v.size()));
            for (std::size_t i = 0; i < at_free.size(); ++i)
                left[static_cast<std::size_t>(free.dofs[i])] = at_free[i];
        }
        std::string text = "trim: no input balances the generalized force " +
                           by_dof(model, left, allowed / std::sqrt(static_cast<double>(std::max(n, 1))));
        for (const Hinge& hinge : model.hinges())
            if (floats(hinge))
                text += "; the floating base '" + hinge.child +
                        "' needs support: give wrench:FRAME among the inputs";
        if (m > rank)
            text += "; inputs that move nothing, alone or together: " +
                    detail::by_input(out.inputs, out.null_space);
        throw TrimRefused(text, std::move(left), std::move(out.inputs), std::move(out.null_space));
    }
    if (m > rank)
        out.notes.push_back(
            "inputs that move nothing, alone or together: " + detail::by_input(out.inputs, out.null_space) +
            "; of the rest those of least norm are taken");
    // Into the point: hinge forces, and wrenches in world axes.
    std::fill(out.point.T.begin(), out.point.T.end(), 0.0);
    std::size_t next = 0;
    for (const Signal& signal : inputs)
        if (signal.kind == Signal::Kind::force)
            out.point.T[static_cast<std::size_t>(signal.index)] = out.u[next++];
        else {
            const double* w = out.u.data() + next;
            out.point.external.push_back(
                {FrameId{signal.index}, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}, WrenchAxes::world});
            next += 6;
        }
    return out;
}

} // namespace sweepdyn
