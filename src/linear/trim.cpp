#include "sweepdyn/linear/trim.hpp"

#include <algorithm>
#include <cmath>

#include "linear/lapack.hpp"
#include "linear/signals.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

namespace {

using detail::Signal;

// The forces that hold the mechanism at q, v: all loads but the inputs' counted.
struct Need {
    std::vector<double> T;
    double scale; // the largest force at play
};
Need need_at(Linearization& lin, const OperatingPoint& point)
{
    const std::vector<double> still(point.v.size());
    lin.set_at(point.q, point.v, still, point.external);
    double scale = 0.0;
    for (Index k : lin.model().tree().base_to_tip()) {
        const Force<double>& f = lin.derivatives().motion[k].f;
        scale = std::max({scale, norm(f.n), norm(f.f)});
    }
    for (double T : lin.T())
        scale = std::max(scale, std::abs(T));
    return {{lin.T().begin(), lin.T().end()}, scale};
}

double norm_of(std::span<const double> a)
{
    double sum = 0.0;
    for (double x : a)
        sum += x * x;
    return std::sqrt(sum);
}

// "'elbow' 12.3, 'wrist' 0.4": the largest first, of those that count.
std::string by_dof(const Model& model, std::span<const double> forces, double above)
{
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < forces.size(); ++j)
        if (std::abs(forces[j]) > above)
            order.push_back(j);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::abs(forces[a]) > std::abs(forces[b]); });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < 8; ++i)
        text += (i ? ", '" : "'") + model.dof_names()[order[i]] + "' " + number_text(forces[order[i]]);
    if (order.size() > 8)
        text += " and " + std::to_string(order.size() - 8) + " more";
    return text;
}

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

void refuse_unsteady(Linearization& lin, const Need& need, const TrimOptions& options)
{
    const std::span<const double> v = lin.kinematics().v;
    if (norm_of(v) == 0.0)
        return;
    const Matrix& B_D = lin.inverse_matrices().B_D;
    std::vector<double> rate(v.size());
    for (int j = 0; j < B_D.columns(); ++j)
        for (int i = 0; i < B_D.rows(); ++i)
            rate[static_cast<std::size_t>(i)] += B_D(i, j) * v[static_cast<std::size_t>(j)];
    const double allowed = std::max(options.tolerance, 1e-9) * need.scale * norm_of(v);
    if (norm_of(rate) > allowed)
        throw RefusedError("trim: not a steady motion: along it the forces needed change, per second, by " +
                           by_dof(lin.model(), rate, allowed / std::sqrt(static_cast<double>(v.size()))) +
                           "; only coordinates that the forces do not depend on may move");
}

} // namespace

Trim trim_forces(const Model& model, const OperatingPoint& at, const TrimOptions& options)
{
    Linearization lin(model, options.passive);
    const Need need = need_at(lin, at);
    refuse_unsteady(lin, need, options);
    const std::vector<Signal> inputs = inputs_of(model, options);
    Trim out{at, {}, {}, {}, 0, {}};
    const Matrix B = input_map(lin.kinematics(), inputs, out.inputs);
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
        std::string text = "trim: no input balances the generalized force " +
                           by_dof(model, left, allowed / std::sqrt(static_cast<double>(std::max(n, 1))));
        for (const Hinge& hinge : model.hinges())
            if (floats(hinge))
                text += "; the floating base '" + hinge.child +
                        "' needs support: give wrench:FRAME among the inputs";
        throw RefusedError(
            text +
            (m > rank ? "; " + std::to_string(m - rank) + " combinations of inputs move nothing" : ""));
    }
    if (m > rank)
        out.notes.push_back(std::to_string(m - rank) +
                            " combinations of inputs balance each other; the inputs of least norm are taken");
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

Trim trim_pose(const Model& model, const OperatingPoint& near, const TrimOptions& options)
{
    Linearization lin(model, options.passive);
    Trim out{near, {}, {}, {}, 0, {}};
    const auto n = near.v.size();
    const auto residual = [&](const OperatingPoint& point, double& scale) {
        Need need = need_at(lin, point);
        scale = need.scale;
        for (std::size_t j = 0; j < n; ++j) {
            scale = std::max(scale, std::abs(near.T[j]));
            need.T[j] -= near.T[j];
        }
        return need.T;
    };
    double scale = 0.0;
    std::vector<double> r = residual(out.point, scale);
    for (; norm_of(r) > options.tolerance * scale && out.iterations < options.iterations; ++out.iterations) {
        const lapack::Svd svd = lapack::svd(lin.inverse_matrices().B_D);
        std::vector<double> step(n);
        for (std::size_t k = 0; k < n && svd.s[k] > 1e-9 * svd.s[0]; ++k) {
            double part = 0.0;
            for (std::size_t i = 0; i < n; ++i)
                part -= svd.U(static_cast<int>(i), static_cast<int>(k)) * r[i] / svd.s[k];
            for (std::size_t i = 0; i < n; ++i)
                step[i] += svd.V(static_cast<int>(i), static_cast<int>(k)) * part;
        }
        double size =
            std::min(1.0, 1.0 / std::max(norm_of(step), 1e-300)); // at most one radian or metre in all
        OperatingPoint next = out.point;
        std::vector<double> scaled(n), r_next;
        bool fell = false;
        for (int half = 0; half < 40 && !fell; ++half, size *= 0.5) {
            for (std::size_t i = 0; i < n; ++i)
                scaled[i] = size * step[i];
            integrate<double>(model, out.point.q, scaled, next.q);
            r_next = residual(next, scale);
            fell = norm_of(r_next) < (1.0 - 1e-4 * size) * norm_of(r);
        }
        if (!fell)
            break;
        out.point.q = next.q;
        r = r_next;
    }
    r = residual(out.point, scale); // and lin at that point
    if (norm_of(r) > std::max(options.tolerance, 1e-9) * scale)
        throw RefusedError("trim: found no pose that these hinge forces hold; nearest, after " +
                           std::to_string(out.iterations) + " steps, the forces missing are " +
                           by_dof(model, r, 1e-12 * scale) +
                           "; begin from another pose, or change the forces");
    refuse_unsteady(lin, {{}, scale}, options);
    return out;
}

} // namespace sweepdyn
