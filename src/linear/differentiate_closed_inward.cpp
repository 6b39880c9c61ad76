// Tip to base: what each cluster hands to its base body.                            [differentiate_closed_forward_dynamics.hpp]
#include <algorithm>

#include "linear/closed_nodes.hpp"
#include "sweepdyn/dynamics/cluster_articulation.hpp"
#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn {

// The columns of the bodies, D, X = D G, X_h = D Gh, and A's share of the forces.
void ClosedForwardDerivatives::aggregate(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                                         std::span<const double> damping, Node& c)
{
    const int m = c.m, n = c.columns;
    for (auto* e : {&c.D, &c.eA, &c.eB})
        std::fill(e->begin(), e->begin() + m * m, 0.0);
    std::fill(c.X.begin(), c.X.end(), F6{});
    std::fill(c.tA.begin(), c.tA.end(), F6{});
    std::fill(c.tB.begin(), c.tB.end(), F6{});
    std::fill(c.X_h.begin(), c.X_h.end(), Vec3<double>{});
    c.rigid = {};
    c.rigid_bias = {};
    for (std::size_t b = 0; b < c.members.size(); ++b) {
        const auto& [body, parent, first, end] = c.members[b];
        const bool shifts = kin.body[body].reference != c.reference, carries = c.carries[b];
        const Vec3<double> l = shifts ? kin.r(body) - c.r : Vec3<double>{};
        const Inertia<double> M = shifts ? shift(kin.M[body], l) : kin.M[body];
        const BiasInertia<double> M_bar = shifts ? shift(d.M_bar[body], l) : d.M_bar[body];
        if (carries) {
            c.P[b] += M; // beside what hangs on the body already
            add(c.Ph[b], M_bar);
        } else {
            c.rigid += M;
            c.rigid_bias += M_bar;
        }
        for (int j = first; j < end; ++j) {
            const int dof = c.dofs[j];
            const PhiAdjoint<double> to_r{-l};
            c.H[j] = kin.H[dof], c.Hd[j] = d.Hd[dof], c.Hs[j] = d.Hs[dof], c.Hdd[j] = d.Hdd[dof];
            c.Fh[j] = d.Fh[dof];
            if (shifts) {
                for (auto* h : {&c.H[j], &c.Hd[j], &c.Hs[j], &c.Hdd[j]})
                    *h = to_r * *h;
                c.Fh[j] = Phi<double>{l} * c.Fh[j];
            }
        }
        const int row = static_cast<int>(b);
        for (int i = 0; i < m; ++i) {
            M6 Ha{}, Hsa{}, Hda{}, Hdda{};
            if (parent >= 0) {
                const std::size_t above = at(parent, i, m);
                Ha = c.Ha[above], Hsa = c.Hsa[above], Hda = c.Hda[above], Hdda = c.Hdda[above];
            }
            for (int j = first; j < end; ++j) {
                const std::size_t e = at(j, i, m);
                Ha += c.E[e] * c.H[j];
                Hda += c.E[e] * c.Hd[j];
                Hsa += c.E[e] * c.Hs[j];
                Hdda += c.E[e] * c.Hdd[j];
                if (c.place >= 0) {
                    Hda += c.Fm[e] * c.H[j];
                    Hsa += c.Fv[e] * c.H[j];
                    Hdda += c.Fq[e] * c.H[j] + c.Fm[e] * c.Hs[j];
                }
            }
            const std::size_t here = at(row, i, m);
            c.Ha[here] = Ha, c.Hsa[here] = Hsa, c.Hda[here] = Hda, c.Hdda[here] = Hdda;
            F6 X, sA, sB;
            const Vec3<double> w2 = Ha.w + Ha.w, wd2 = Hda.w + Hda.w;
            if (carries) {
                X = c.P[b] * Ha;
                sA = c.P[b] * Hsa + c.Ph[b] * w2;
                sB = c.P[b] * Hdda + c.Ph[b] * wd2;
                c.X_h[i] += transpose_times(c.Ph[b], Ha);
            } else {
                X = M * Ha;
                sA = M * Hsa + M_bar * w2;
                sB = M * Hdda + M_bar * wd2;
                c.X_h[i] += M_bar.transpose_moment(Ha);
            }
            c.sB[here] = sB;
            c.X[i] += X;
            c.yA[i] = sA; // until y is known
            c.tA[i] += sA;
            for (int j = 0; j <= i; ++j)
                c.D[at(i, j, m)] += dot(c.Ha[at(row, j, m)], X);
        }
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < m; ++i)
                c.eA[at(j, i, m)] += dot(c.Ha[at(row, j, m)], c.yA[i]);
    }
    for (int j = 0; j < n; ++j) { // armature and damping act on the dofs themselves
        const double Ja = kin.armature[c.dofs[j]], b = damping[c.dofs[j]];
        if (Ja == 0.0 && b == 0.0)
            continue;
        for (int i = 0; i < m; ++i)
            for (int k = 0; k < m; ++k) {
                const double Ei = c.E[at(j, i, m)], Ek = c.E[at(j, k, m)];
                if (k <= i)
                    c.D[at(i, k, m)] += Ja * Ei * Ek;
                c.eA[at(i, k, m)] += Ei * (Ja * c.Fv[at(j, k, m)] + b * Ek);
                c.eB[at(i, k, m)] += Ei * (Ja * c.Fq[at(j, k, m)] + b * c.Fm[at(j, k, m)]);
            }
    }
}

// The loops' wrenches turn with body a, and may move in it; a coupling's force changes with p'(q).
void ClosedForwardDerivatives::turn_loops(const Kinematics<double>& kin, const Closure<double>& closure,
                                          std::span<const double> lambda, Node& c)
{
    const int m = c.m;
    const ClusterClosure<double>& closed = closure.clusters[c.place];
    for (std::size_t index = 0; index < closed.loops.size(); ++index) {
        const LoopOnTree<double>& on = closure.loops.loops[closed.loops[index]];
        if (on.loop.kind == LoopKind::coupling) {
            for (std::size_t t = 0; t < on.dofs.size(); ++t) {
                const int dof = on.dofs[t], k = kin.tree().body_of_dof[dof], j = closed.column_of[dof];
                const double q = kin.q[kin.tree().first_coordinate[k] + dof - kin.tree().first_dof[k]];
                const double f = detail::polynomial(on.loop.terms[t].polynomial, q)[2] * lambda[on.first_row];
                for (int i = 0; f != 0.0 && i < m; ++i)
                    for (int s = 0; s < m; ++s)
                        c.eB[at(i, s, m)] -= c.E[at(j, i, m)] * f * c.E[at(j, s, m)];
            }
            continue;
        }
        const auto [a, b] = c.ends[index];
        const F6 w = loop_wrench<double>(closure.loops, on, lambda);
        const Phi<double> from_o{on.o - c.r};
        for (int i = 0; i < m; ++i) {
            M6 X{};
            if (a >= 0)
                X += c.Ha[at(a, i, m)];
            if (b >= 0)
                X -= c.Ha[at(b, i, m)];
            X = PhiAdjoint<double>{on.o - c.r} * X;
            const F6 change = loop_wrench_change(on, lambda, X);
            const F6 on_b = from_o * (crq(w) * X - change);
            if (b >= 0)
                c.sB[at(b, i, m)] -= on_b;
            else if (on.b != ground)
                c.tB[i] -= on_b;
            if (!on.moving)
                continue;
            if (a >= 0)
                c.sB[at(a, i, m)] -= from_o * change;
            else if (on.a != ground)
                c.tB[i] -= from_o * change;
        }
    }
}

// The rest of the inward sweep: B's share of the forces hinge by hinge, D^-1, G, y, and what the base body gets.
void ClosedForwardDerivatives::gather(const ColumnDerivatives<double>& d, Node& c)
{
    const int m = c.m, n = c.columns;
    for (std::size_t b = c.members.size(); b-- > 0;) {
        const auto [body, parent, first, end] = c.members[b];
        for (int i = 0; i < m; ++i) {
            F6 up = c.sB[at(static_cast<int>(b), i, m)];
            for (int j = first; j < end; ++j)
                c.HsB[at(j, i, m)] = dot(c.H[j], up);
            for (int j = first; j < end; ++j) {
                const F6 Fh = c.E[at(j, i, m)] * c.Fh[j];
                up += Fh;
                for (int before = first; before < j; ++before) // dofs of one hinge, one after the other ...
                    c.HsB[at(before, i, m)] += dot(c.H[before], Fh);
            }
            (parent < 0 ? c.tB[i] : c.sB[at(parent, i, m)]) += up;
        }
    }
    const std::vector<int>& dofs = c.dofs;
    for (const auto& [i, j, N] : d.mends) { // ... but for those that move together
        const auto to = std::lower_bound(dofs.begin(), dofs.end(), i),
                   from = std::lower_bound(dofs.begin(), dofs.end(), j);
        if (to == dofs.end() || *to != i || from == dofs.end() || *from != j)
            continue;
        const int row = static_cast<int>(to - dofs.begin()), column = static_cast<int>(from - dofs.begin());
        for (int s = 0; s < m; ++s)
            c.HsB[at(row, s, m)] += N * c.E[at(column, s, m)];
    }
    for (int j = 0; j < n; ++j) // eB += E' H sB
        for (int k = 0; k < m; ++k) {
            const double E = c.E[at(j, k, m)];
            for (int i = 0; i < m; ++i)
                c.eB[at(k, i, m)] += E * c.HsB[at(j, i, m)];
        }
    // D = L L', D^-1
    detail::factor(c.D.data(), m, m, 0.0);
    for (int column = 0; column < m; ++column) {
        std::fill(work_.begin(), work_.begin() + m, 0.0);
        work_[column] = 1.0;
        detail::solve_factored(c.D.data(), m, m, work_.data());
        for (int i = 0; i < m; ++i)
            c.D_inverse[at(i, column, m)] = work_[i];
    }
    for (int i = 0; i < m; ++i) {
        c.G[i] = {}, c.Gh[i] = {};
        for (int j = 0; j < m; ++j) {
            c.G[i] += c.D_inverse[at(j, i, m)] * c.X[j];
            c.Gh[i] += c.D_inverse[at(j, i, m)] * c.X_h[j];
        }
    }
    for (int i = 0; i < m; ++i) { // y = t - G e
        c.yA[i] = c.tA[i], c.yB[i] = c.tB[i];
        for (int j = 0; j < m; ++j) {
            c.yA[i] -= c.eA[at(j, i, m)] * c.G[j];
            c.yB[i] -= c.eB[at(j, i, m)] * c.G[j];
        }
    }
    if (c.up < 0)
        return;
    ArticulatedInertia<double> P(c.rigid);
    Columns3<F6> Ph = columns(c.rigid_bias);
    for (std::size_t b = 0; b < c.members.size(); ++b)
        if (c.carries[b]) {
            P += c.P[b];
            Ph += c.Ph[b];
        }
    for (int i = 0; i < m; ++i) {
        F6 x = c.X[i]; // a column of X L^-T: P - X D^-1 X'
        for (int j = 0; j < i; ++j)
            x -= c.D[at(i, j, m)] * c.sB[j];
        c.sB[i] = c.D[at(i, i, m)] * x; // sB is done with: it lends its place
        P.rank_one_downdate(c.sB[i], c.sB[i]);
        Ph.add_outer(-c.G[i], c.X_h[i]); // sum T Ph = sum Ph - G X_h'
    }
    Node& above = nodes_[c.up];
    above.P[c.at] += c.shifts ? shift(P, c.l) : P;
    above.Ph[c.at] += c.shifts ? shift(Ph, c.l) : Ph;
}

} // namespace sweepdyn
