// How the rows of a loop change with the motion: J dv + Gm dq = 0, J dv_dot + Gv dv + Gq dq = 0.
//
//     Gm = A'{(Hd)_ab - crm(V_b) J_I},   Gv = A'{(Hs)_ab - crm(V_a + V_b) J_I},   J_I = (H)_ab: a minus b
//     Gq = A'{(Hdd)_ab - crm(V_a + V_b)(Hd)_ab - [crm(A_b) - crm(V_a) crm(V_b)] J_I}
// Where the wrenches A move in body a the row is -A'u, its rate -A'u_dot - F with F = A°[u]'u: b moves by xi = -J_I dq seen from a, u
// changes by -(J_I dv + Gm dq), and dual numbers give dA and dF. A coupling p(q): J = p', Gm = p'' v, Gv = 2 p'' v, Gq = p'' v_dot + p''' v^2.
// World axes, about the loop's o. No allocation. Specified by tests/golden/closed_mechanisms.cpp.
#pragma once

#include "sweepdyn/kinematics/closure.hpp"
#include "sweepdyn/linear/column_derivatives.hpp"

namespace sweepdyn {

namespace detail {

inline Motion<double> acceleration_about(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                                         int body, const Vec3<double>& o)
{
    return PhiAdjoint<double>{o - (body == ground ? Vec3<double>{} : kin.r(body))} *
           (body == ground ? kin.A0 : d.motion[body].A);
}

// Along the relative displacement xi and the change du of the relative twist u (b seen from a, world axes): dA = A°[xi], and dF.
struct MovingRows {
    std::array<Force<double>, most_rows> dA{};
    std::array<double, most_rows> dF{};
};
inline MovingRows move_rows(const LoopOnTree<double>& on, const Motion<double>& u, const Motion<double>& xi,
                            const Motion<double>& du)
{
    using D = Dual<double>;
    MovingRows out;
    loop_wrench_rates<double>(on.loop, on.frames(), xi, out.dA);
    const auto dual = [](const Vec3<double>& a, const Vec3<double>& t) {
        return Vec3<D>{{a.x, t.x}, {a.y, t.y}, {a.z, t.z}};
    };
    const auto [R_a, R_b, p] = on.frames();
    const LoopFrames<D> moved{
        {dual(R_a.x, {}), dual(R_a.y, {}), dual(R_a.z, {})},
        {dual(R_b.x, cross(xi.w, R_b.x)), dual(R_b.y, cross(xi.w, R_b.y)), dual(R_b.z, cross(xi.w, R_b.z))},
        dual(p, add_cross(xi.v, xi.w, p))};
    const Motion<D> twist{dual(u.w, du.w), dual(u.v, du.v)};
    std::array<Force<D>, most_rows> rates{};
    const int rows = loop_wrench_rates<D>(on.loop, moved, twist, rates);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
        out.dF[i] = dot(twist, rates[i]).tangent;
    return out;
}

} // namespace detail

// entry(row of the loop, dof, J, Gm, Gv, Gq), each dof once.
template <class Entry>
void differentiate_loop_rows(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                             std::span<const double> v_dot, const Loops<double>& loops,
                             const LoopOnTree<double>& on, const Entry& entry)
{
    if (on.loop.kind == LoopKind::coupling) {
        for (std::size_t t = 0; t < on.dofs.size(); ++t) {
            const int j = on.dofs[t], k = kin.tree().body_of_dof[j];
            const double q = kin.q[kin.tree().first_coordinate[k] + j - kin.tree().first_dof[k]],
                         v = kin.v[j];
            const auto p = detail::polynomial(on.loop.terms[t].polynomial, q);
            entry(0, j, p[1], p[2] * v, 2.0 * p[2] * v, p[2] * v_dot[j] + p[3] * v * v);
        }
        return;
    }
    const Motion<double>&Va = on.V_a, &Vb = on.V_b;
    const Motion<double> Aa = detail::acceleration_about(kin, d, on.a, on.o),
                         Ab = detail::acceleration_about(kin, d, on.b, on.o), sum = Va + Vb;
    const Motion<double> u = Vb - Va, u_dot = Ab - Aa - crm(Va) * Vb;
    const Force<double>* A = loops.A.data() + on.first_row;
    // Each column: of(dof, H, Gm, Gv, Gq), about o.
    const auto columns = [&](const auto& of) {
        for (const auto& [bodies, sign] : {std::pair{&on.up_a, 1.0}, {&on.up_b, -1.0}})
            for (int k : *bodies) {
                const PhiAdjoint<double> to_o{on.o - kin.r(k)};
                for (Index j : kin.body[k].dofs()) {
                    const Motion<double> H = sign * (to_o * kin.H[j]), Hd = sign * (to_o * d.Hd[j]);
                    of(static_cast<int>(j), H, Hd - crm(Vb) * H, sign * (to_o * d.Hs[j]) - crm(sum) * H,
                       sign * (to_o * d.Hdd[j]) - crm(sum) * Hd - crm(Ab) * H + crm(Va) * (crm(Vb) * H));
                }
            }
    };
    using M = Motion<double>;
    const auto forces = [&](int j, const M& H, const M& Gm, const M& Gv, const M& Gq) {
        for (int row = 0; row < on.forces; ++row) {
            const Vec3<double> f = A[row].f;
            entry(row, j, dot(f, H.v), dot(f, Gm.v), dot(f, Gv.v), dot(f, Gq.v));
        }
    };
    if (!on.moving && on.rows == on.forces)
        columns(forces); // the compiler leaves out what turns
    else if (!on.moving)
        columns([&](int j, const M& H, const M& Gm, const M& Gv, const M& Gq) {
            forces(j, H, Gm, Gv, Gq);
            for (int row = on.forces; row < on.rows; ++row) {
                const Vec3<double> n = A[row].n;
                entry(row, j, dot(n, H.w), dot(n, Gm.w), dot(n, Gv.w), dot(n, Gq.w));
            }
        });
    else if (on.loop.kind == LoopKind::planar_pin) // A = [p x n; n], F = n . (w x p_dot)
        columns([&](int j, const M& H, const M& Gm, const M& Gv, const M& Gq) {
            const Motion<double> xi = -H;
            const Vec3<double> p_dot = add_cross(u.v, u.w, on.p), dp = add_cross(xi.v, xi.w, on.p);
            const Vec3<double> on_v = cross(xi.w, p_dot) + cross(u.w, dp);
            const Vec3<double> dp_dot = add_cross(-Gm.v, u.w, dp) - cross(Gm.w, on.p);
            const Vec3<double> on_q = cross(u_dot.w, dp) - cross(Gm.w, p_dot) + cross(u.w, dp_dot);
            for (int row = 0; row < on.rows; ++row)
                entry(row, j, dot(A[row], H), dot(A[row], Gm) - dot(A[row].f, cross(u.w, dp)),
                      dot(A[row], Gv) - dot(A[row].f, on_v), dot(A[row], Gq) - dot(A[row].f, on_q));
        });
    else
        columns([&](int j, const M& H, const M& Gm, const M& Gv, const M& Gq) {
            const auto by_q = detail::move_rows(on, u, -H, -Gm), by_v = detail::move_rows(on, u, {}, -H);
            for (int row = 0; row < on.rows; ++row) {
                const auto r = static_cast<std::size_t>(row);
                entry(row, j, dot(A[row], H), dot(A[row], Gm) - dot(u, by_q.dA[r]),
                      dot(A[row], Gv) - by_v.dF[r], dot(A[row], Gq) - dot(u_dot, by_q.dA[r]) - by_q.dF[r]);
            }
        });
}

// The change of loop_wrench where b moves by -H seen from a and the wrenches move in a; world axes.
inline Force<double> loop_wrench_change(const LoopOnTree<double>& on, std::span<const double> lambda,
                                        const Motion<double>& H)
{
    Force<double> change{};
    if (!on.moving)
        return change;
    std::array<Force<double>, most_rows> dA{};
    loop_wrench_rates<double>(on.loop, on.frames(), -H, dA);
    for (int i = 0; i < on.rows; ++i)
        change += lambda[static_cast<std::size_t>(on.first_row + i)] * dA[static_cast<std::size_t>(i)];
    return change;
}

} // namespace sweepdyn
