// Loops on the tree: their rows, how far they are from closed, and what the velocities ask of the accelerations.
//
// Per loop, about the origin o of its frame a, world axes:
//     J = A'(H_a - H_b)                              J v = 0          the base's columns cancel
//     gamma = A'(a_a - a_b + crm(V_a) V_b) - A°'(V_b - V_a)           J v_dot = -gamma, a the accelerations at v_dot = 0
//     a coupling: J = p'(q), gamma = sum p''(q) v^2
//
// O(sum of the loops' paths), no allocation. Before: update(kin, q, v), or update(kin, q) for rows and gaps alone.
// Specified by tests/laws/closure.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/kinematics/loop_rows.hpp"

namespace sweepdyn {

// One loop on the tree.
template <class S>
struct LoopOnTree {
    Loop loop;
    int a = ground, b = ground; // bodies
    std::vector<int> up_a, up_b; // bodies whose hinges lie between a, b and their nearest common ancestor
    std::vector<int> dofs; // of a coupling
    int first_row = 0, rows = 0, holonomic = 0;
    bool moving = false; // wrenches_move; else the first rows are forces through o, the others turns
    int forces = 0;
    bool floats = false; // whether a body carries both ends
    bool turns_b = false; // whether the wrenches depend on the axes of b
    Pose<S> X_Ia{}, X_Ib{}; // in the inner frames of the bodies
    // By update_loops.
    Vec3<S> o{}; // origin of frame a
    Mat3<S> R{}, R_b{}; // axes of frames a and b; by update_closure those of b only where they matter
    Vec3<S> p{}; // from o to the origin of b
    Motion<S> V_a{}, V_b{}; // about o
    Pose<S> X_ab{}; // not by update_closure

    LoopFrames<S> frames() const { return {R, R_b, p}; }
};

// Loops of a model, or others on the same bodies.
template <class S>
struct Loops {
    Loops(const Model& model, std::span<const Loop> loops);

    std::vector<LoopOnTree<S>> loops;
    int num_rows = 0;
    // Per row. By update_loops(kin, loops).
    std::vector<Force<S>> A; // world axes, about the loop's o; of a coupling nothing
    std::vector<S> gap; // c; of rows of velocities only, 0
    std::vector<S> gamma;
    std::uint64_t position_version = 0, velocity_version = 0;
};

namespace detail {
// Of a body, about the point o.
template <class S> Motion<S> velocity_about(const Kinematics<S>& kin, int body, const Vec3<S>& o)
{
    return body == ground ? Motion<S>{} : PhiAdjoint<S>{o - kin.r(body)} * kin.body[body].V;
}
// p, p', p'', p''' at q.
template <class S> std::array<S, 4> polynomial(const std::vector<double>& c, const S& q)
{
    std::array<S, 4> p{};
    for (std::size_t k = c.size(); k-- > 0;) { // Horner, of p(q)/q first
        p[3] = p[3] * q + S(3) * p[2];
        p[2] = p[2] * q + S(2) * p[1];
        p[1] = p[1] * q + p[0];
        p[0] = p[0] * q + S(c[k]);
    }
    // p = q s: p' = s + q s', p'' = 2 s' + q s'', p''' = 3 s'' + q s'''
    return {q * p[0], p[0] + q * p[1], S(2) * p[1] + q * p[2], S(3) * p[2] + q * p[3]};
}
} // namespace detail

template <class S> Loops<S>::Loops(const Model& model, std::span<const Loop> of)
{
    const CompiledHinges<double> hinges = compile_hinges<double>(model);
    for (const Loop& loop : of) {
        LoopOnTree<S> on;
        on.loop = loop;
        on.first_row = num_rows;
        on.rows = sweepdyn::num_rows(loop);
        on.holonomic = num_holonomic_rows(loop);
        on.moving = wrenches_move(loop);
        for (bool kept : detail::kept_rows(loop).distance)
            on.forces += kept;
        num_rows += on.rows;
        if (loop.kind == LoopKind::coupling)
            for (const CouplingTerm& term : loop.terms)
                on.dofs.push_back(model.dof(term.dof));
        else {
            on.a = loop.body_a.empty() ? ground : model.body(loop.body_a).index;
            on.b = loop.body_b.empty() ? ground : model.body(loop.body_b).index;
            const int base = common_ancestor(model.tree(), on.a, on.b);
            on.up_a = path_up(model.tree(), on.a, base);
            on.up_b = path_up(model.tree(), on.b, base);
            on.floats = base != ground;
            const auto inner = [&](int body, const Pose<double>& X_Bf) {
                return cast<S>(body == ground ? X_Bf : hinges.bodies[body].X_IB * X_Bf);
            };
            on.X_Ia = inner(on.a, loop.X_Aa);
            on.X_Ib = inner(on.b, loop.X_Bb);
            on.turns_b =
                on.moving && loop.kind != LoopKind::planar_pin && loop.kind != LoopKind::rolling_sphere;
        }
        loops.push_back(std::move(on));
    }
    const auto rows = static_cast<std::size_t>(num_rows);
    A.assign(rows, {detail::poison3<S>(), detail::poison3<S>()});
    gap.assign(rows, detail::poison<S>());
    gamma.assign(rows, detail::poison<S>());
}

namespace detail {

template <class S>
void update_coupling(const Kinematics<S>& kin, bool moving, const LoopOnTree<S>& on, Loops<S>& out)
{
    S gap = S(-on.loop.offset), gamma{};
    for (std::size_t t = 0; t < on.dofs.size(); ++t) {
        const int j = on.dofs[t], k = kin.tree().body_of_dof[j];
        const S q = kin.q[kin.tree().first_coordinate[k] + j - kin.tree().first_dof[k]];
        const auto p = polynomial<S>(on.loop.terms[t].polynomial, q);
        gap += p[0];
        if (moving)
            gamma += p[2] * kin.v[j] * kin.v[j];
    }
    out.gap[on.first_row] = -gap; // J dq = gap closes it, as for the others
    out.gamma[on.first_row] = gamma;
}

// The origin of an end's frame, from that of the body which carries both ends: added up along the loop, for the difference of two places in
// the world has no more digits than the larger of them.
template <class S>
Vec3<S> from_carrier(const Kinematics<S>& kin, int end, const std::vector<int>& up, const Vec3<S>& p)
{
    Vec3<S> sum = kin.body[end].X_WI.R * p;
    for (int k : up) {
        const BodyKinematics<S>& b = kin.body[k];
        const Mat3<S>* R = &kin.body[b.parent].X_WI.R;
        if (b.one_turn >= 0)
            sum += *R * b.placement.p;
        else
            for (Index i = b.first_step; i < b.end_step; ++i) {
                sum += travel(kin.steps[i], *R, kin.q.data() + kin.steps[i].first_coordinate);
                R = &kin.X_WI_steps[i].R;
            }
    }
    return sum;
}

// Wrenches; with velocities also gamma.
template <class S> void update_wrenches(const Kinematics<S>& kin, Loops<S>& out)
{
    const bool moving = kin.velocity_version == kin.position_version;
    out.position_version = kin.position_version;
    out.velocity_version = kin.velocity_version;
    for (LoopOnTree<S>& on : out.loops) {
        if (on.loop.kind == LoopKind::coupling) {
            update_coupling(kin, moving, on, out);
            continue;
        }
        const Pose<S>&X_WA = kin.body[on.a].X_WI, &X_WB = kin.body[on.b].X_WI; // the ground's: identity
        on.o = X_WA.p + X_WA.R * on.X_Ia.p;
        on.p = on.floats
                   ? from_carrier(kin, on.b, on.up_b, on.X_Ib.p) - from_carrier(kin, on.a, on.up_a, on.X_Ia.p)
                   : X_WB.p + X_WB.R * on.X_Ib.p - on.o;
        on.R = X_WA.R * on.X_Ia.R;
        if (on.turns_b)
            on.R_b = X_WB.R * on.X_Ib.R;
        const LoopFrames<S> frames = on.frames();
        Force<S>* const A = out.A.data() + on.first_row;
        loop_wrenches<S>(on.loop, frames, {A, static_cast<std::size_t>(on.rows)});
        if (!moving)
            continue;
        on.V_a = velocity_about(kin, on.a, on.o);
        on.V_b = velocity_about(kin, on.b, on.o);
        Motion<S> bias = crm(on.V_a) * on.V_b;
        for (int k : on.up_a)
            bias += PhiAdjoint<S>{on.o - kin.r(k)} * kin.body[k].a;
        for (int k : on.up_b)
            bias -= PhiAdjoint<S>{on.o - kin.r(k)} * kin.body[k].a;
        S* const gamma = out.gamma.data() + on.first_row;
        for (int i = 0; i < on.rows; ++i)
            gamma[i] = dot(A[i], bias);
        if (on.moving) {
            const Motion<S> u = on.V_b - on.V_a;
            std::array<Force<S>, most_rows> rates;
            loop_wrench_rates<S>(on.loop, frames, u, rates);
            for (int i = 0; i < on.rows; ++i)
                gamma[i] -= dot(u, rates[i]);
        }
    }
}

} // namespace detail

// Wrenches and gaps; with velocities also gamma.
template <class S> void update_loops(const Kinematics<S>& kin, Loops<S>& out)
{
    detail::require_poses(kin, "update_loops");
    detail::update_wrenches(kin, out);
    for (LoopOnTree<S>& on : out.loops) {
        if (on.loop.kind == LoopKind::coupling)
            continue;
        on.R_b = kin.body[on.b].X_WI.R * on.X_Ib.R;
        const Pose<S> X_Wa{on.R, {}}, X_Wb{on.R_b, on.p}; // from o
        on.X_ab = inverse(X_Wa) * X_Wb;
        const std::span<S> gap(out.gap.data() + on.first_row, static_cast<std::size_t>(on.rows));
        for (S& c : gap)
            c = S(0);
        loop_gap<S>(on.loop, on.X_ab, gap);
    }
}

// J of one loop, column by column: take(dof, write), where write(to, apart) puts the rows' numbers to to[0], to[apart], ...
template <class S, class Take>
SWEEPDYN_INLINE void loop_columns(const Kinematics<S>& kin, const Loops<S>& loops, const LoopOnTree<S>& on,
                                  const Take& take)
{
    if (on.loop.kind == LoopKind::coupling) {
        for (std::size_t t = 0; t < on.dofs.size(); ++t) {
            const int j = on.dofs[t], k = kin.tree().body_of_dof[j];
            const S q = kin.q[kin.tree().first_coordinate[k] + j - kin.tree().first_dof[k]];
            take(j, [&](S* to, Index) { *to = detail::polynomial<S>(on.loop.terms[t].polynomial, q)[1]; });
        }
        return;
    }
    const Force<S>* const A = loops.A.data() + on.first_row;
    const int rows = on.rows, forces = on.forces;
    const auto side = [&](const std::vector<int>& bodies, const S& sign) {
        for (int k : bodies) {
            const PhiAdjoint<S> to_o{on.o - kin.r(k)};
            for (Index j : kin.body[k].dofs()) {
                const Motion<S> H = sign * (to_o * kin.H[j]);
                take(static_cast<int>(j), [&](S* to, Index apart) {
                    if (on.moving)
                        for (int i = 0; i < rows; ++i, to += apart)
                            *to = dot(H, A[i]);
                    else {
                        int i = 0;
                        for (; i < forces; ++i, to += apart)
                            *to = dot(H.v, A[i].f);
                        for (; i < rows; ++i, to += apart)
                            *to = dot(H.w, A[i].n);
                    }
                });
            }
        }
    };
    side(on.up_a, S(1));
    side(on.up_b, S(-1));
}

// J(row, dof) for the rows of one loop: entry(row of the loop, dof, value), each dof once.
template <class S, class Entry>
SWEEPDYN_INLINE void loop_jacobian(const Kinematics<S>& kin, const Loops<S>& loops, const LoopOnTree<S>& on,
                                   const Entry& entry)
{
    loop_columns(kin, loops, on, [&](int dof, const auto& write) {
        std::array<S, most_rows> x{};
        write(x.data(), 1);
        for (int i = 0; i < on.rows; ++i)
            entry(i, dof, x[static_cast<std::size_t>(i)]);
    });
}

// A lambda: the wrench of multipliers, one per row of all loops, on body a, world axes, about o.
template <class S>
Force<S> loop_wrench(const Loops<S>& loops, const LoopOnTree<S>& on, std::span<const S> lambda)
{
    Force<S> w{};
    for (int i = 0; i < on.rows; ++i)
        w += lambda[on.first_row + i] * loops.A[on.first_row + i];
    return w;
}

extern template struct Loops<double>;
extern template void update_loops(const Kinematics<double>&, Loops<double>&);
extern template struct Loops<float>;
extern template void update_loops(const Kinematics<float>&, Loops<float>&);

} // namespace sweepdyn
