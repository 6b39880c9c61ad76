#include "linear/loops_near_point.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn::detail {
namespace {

ForceChange rows(const ForceChange& of, int first, int size)
{
    const auto part = [&](const Matrix& m) {
        return matrix(
            Eigen::Map<const Eigen::MatrixXd>(m.data(), m.rows(), m.columns()).middleRows(first, size));
    };
    return {part(of.on_x), part(of.on_T)};
}

} // namespace

LoopsNearPoint::LoopsNearPoint(const Model& model, const OperatingPoint& point,
                               const LinearizeOptions& options)
    : lin_(model, options.passive)
{
    if (!options.independent.empty()) {
        std::vector<int> dofs;
        for (const std::string& name : options.independent)
            dofs.push_back(model.dof(name));
        lin_.set_independent(dofs);
    } else if (!options.preferred.empty())
        lin_.mechanism().prefer_independent(options.preferred);
    lin_.set(point.q, point.v, point.T, point.external);
    v_dot.assign(lin_.v_dot().begin(), lin_.v_dot().end());
}

std::vector<double> LoopsNearPoint::loop_force(int loop)
{
    const Loops<double>& loops = lin_.mechanism().loops();
    const LoopOnTree<double>& on = loops.loops[static_cast<std::size_t>(loop)];
    const auto lambda = lin_.multipliers();
    if (on.loop.kind == LoopKind::coupling)
        return {lambda[static_cast<std::size_t>(on.first_row)]};
    const Force<double> w = rotate_back(on.R, loop_wrench<double>(loops, on, lambda));
    return {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z};
}

ForceChange LoopsNearPoint::loop_force_change(int loop)
{
    require_changes();
    int first = 0;
    const auto& loops = lin_.mechanism().loops().loops;
    for (int l = 0; l < loop; ++l)
        first += num_force_rows(loops[static_cast<std::size_t>(l)]);
    return rows(forces_, first, num_force_rows(loops[static_cast<std::size_t>(loop)]));
}

ForceChange LoopsNearPoint::reaction_change(int hinge)
{
    require_changes();
    const Kinematics<double>& kin = lin_.mechanism().kinematics();
    const Loops<double>& loops = lin_.mechanism().loops();
    const int n = kin.model.num_dofs();
    ForceChange sum{Matrix(6, A.columns()), Matrix(6, n)};
    int first = 0;
    for (const LoopOnTree<double>& on : loops.loops) {
        const int size = num_force_rows(on);
        for (const auto& [body, sign] : {std::pair{on.a, 1.0}, {on.b, -1.0}}) {
            int up = body;
            while (up != ground && up != hinge)
                up = kin.tree().parent[static_cast<std::size_t>(up)];
            if (on.loop.kind == LoopKind::coupling || up == ground)
                continue;
            const ForceChange w = rows(forces_, first, size); // axes of a, about o
            const auto add = [&](Matrix& to, int column,
                                 const Force<double>& f) { // - w, where the reaction is read
                const Force<double> seen =
                    rotate_back(kin.X_WB(hinge).R, Phi<double>{on.o - kin.body[hinge].X_WI.p} * f);
                for (int i = 0; i < 3; ++i) {
                    to(i, column) -= seen.n[i];
                    to(3 + i, column) -= seen.f[i];
                }
            };
            const auto force = [&](const Matrix& m, int column) {
                return sign * rotate(on.R, Force<double>{{m(0, column), m(1, column), m(2, column)},
                                                         {m(3, column), m(4, column), m(5, column)}});
            };
            for (int column = 0; column < A.columns(); ++column) {
                Force<double> f = force(w.on_x, column);
                if (sign < 0.0 && column < num_positions) // b sees a's axes turn
                    f += crq(loop_wrench<double>(loops, on, lin_.multipliers())) *
                         relative_displacement(on, column);
                add(sum.on_x, column, f);
            }
            for (int column = 0; column < n; ++column)
                add(sum.on_T, column, force(w.on_T, column));
        }
        first += size;
    }
    return sum;
}

namespace {

// Forces that idle multipliers may add: what they touch is not determined.
void mark(const Force<double>& idle, double size, std::vector<bool>& determined)
{
    for (int i = 0; i < 6; ++i)
        if (std::abs((i < 3 ? idle.n : idle.f)[i % 3]) > 1e-6 * size)
            determined[static_cast<std::size_t>(i)] = false;
}
double largest_of(const std::vector<double>& numbers)
{
    double out = 0.0;
    for (double x : numbers)
        out = std::max(out, std::abs(x));
    return out;
}

} // namespace

std::vector<bool> LoopsNearPoint::loop_force_determined(int loop)
{
    const Loops<double>& loops = lin_.mechanism().loops();
    const LoopOnTree<double>& on = loops.loops[static_cast<std::size_t>(loop)];
    std::vector<bool> out(static_cast<std::size_t>(num_force_rows(on)), true);
    for (const std::vector<double>& idle : lin_.mechanism().idle_multipliers())
        if (out.size() == 1)
            out[0] =
                out[0] && !(std::abs(idle[static_cast<std::size_t>(on.first_row)]) > 1e-6 * largest_of(idle));
        else
            mark(rotate_back(on.R, loop_wrench<double>(loops, on, idle)), largest_of(idle), out);
    return out;
}

std::vector<bool> LoopsNearPoint::reaction_determined(int hinge)
{
    const Kinematics<double>& kin = lin_.mechanism().kinematics();
    std::vector<bool> out(6, true);
    for (const std::vector<double>& idle : lin_.mechanism().idle_multipliers()) {
        // The hinge carries what all bodies outboard of it are given.
        const std::vector<Force<double>> forces = lin_.mechanism().with_loop_forces(idle);
        Force<double> sum{};
        for (Index k : kin.tree().base_to_tip()) {
            Index up = k;
            while (up != ground && up != hinge)
                up = kin.tree().parent[up];
            if (up == hinge)
                sum += Phi<double>{kin.r(k) - kin.body[hinge].X_WI.p} * forces[k];
        }
        mark(rotate_back(kin.X_WB(hinge).R, sum), largest_of(idle), out);
    }
    return out;
}

// Of a minus b, about o, per state.
Motion<double> LoopsNearPoint::relative_displacement(const LoopOnTree<double>& on, int column)
{
    const Kinematics<double>& kin = lin_.mechanism().kinematics();
    Motion<double> X{};
    for (const auto& [bodies, sign] : {std::pair{&on.up_a, 1.0}, {&on.up_b, -1.0}})
        for (int k : *bodies)
            for (Index j : kin.body[k].dofs())
                X += (sign * Q(static_cast<int>(j), column)) *
                     (PhiAdjoint<double>{on.o - kin.r(k)} * kin.H[j]);
    return X;
}

void LoopsNearPoint::require_changes()
{
    if (forces_.on_x.rows() == 0)
        forces_ = force_changes();
}

} // namespace sweepdyn::detail
