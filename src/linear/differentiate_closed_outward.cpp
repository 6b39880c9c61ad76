// Base to tip, and the rows of the matrices.                                        [differentiate_closed_forward_dynamics.hpp]
#include <algorithm>

#include "linear/closed_nodes.hpp"

namespace sweepdyn {
namespace {

F6 unit_force(int i)
{
    F6 f{};
    (i < 3 ? f.n : f.f)[i % 3] = 1.0;
    return f;
}

} // namespace

// Base to tip: Up, J, L, and at members that carry other clusters U, EA, EB.
void ClosedForwardDerivatives::spread(Node& c)
{
    const int m = c.m;
    if (c.up < 0) {
        c.Up.fill({});
        c.J_base = {};
    } else {
        const Node& a = nodes_[c.up];
        const M6* Ha = a.Ha.data() + c.at * a.m;
        c.J_base = a.J_base; // J = J(base) + 1/2 Ha Qs
        for (int i = 0; i < a.m; ++i)
            c.J_base.add_outer(0.5 * Ha[i], a.Qs[i]);
        for (int column = 0; column < 6; ++column) { // Up = T' Up T + Ha D^-1 Ha'
            const F6 f = c.shifts ? Phi<double>{c.l} * unit_force(column) : unit_force(column);
            F6 g = f; // T f
            for (int i = 0; i < a.m; ++i)
                g -= dot(Ha[i], f) * a.G[i];
            M6 x = times(a.Up, g);
            M6 y = x; // T' x + Ha D^-1 Ha' f
            for (int i = 0; i < a.m; ++i) {
                double s = -dot(x, a.G[i]);
                for (int j = 0; j < a.m; ++j)
                    s += a.D_inverse[at(i, j, a.m)] * dot(Ha[j], f);
                y += s * Ha[i];
            }
            c.Up[static_cast<std::size_t>(column)] = c.shifts ? PhiAdjoint<double>{c.l} * y : y;
        }
        if (c.shifts) {
            const PhiAdjoint<double> phi{c.l};
            c.J_base = {phi * c.J_base.x, phi * c.J_base.y, phi * c.J_base.z};
        }
    }
    for (int i = 0; i < m; ++i) {
        c.Z[i] = times(c.Up, c.G[i]);
        c.Qs[i] = 2.0 * (c.Gh[i] - transpose_times(c.J_base, c.G[i]));
    }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            c.L[at(i, j, m)] = c.D_inverse[at(i, j, m)] + dot(c.G[i], c.Z[j]);
    for (std::size_t b = 0; b < c.members.size(); ++b) {
        if (!c.carries[b])
            continue;
        const int row = static_cast<int>(b);
        const M6* Ha = c.Ha.data() + row * m;
        Columns3<M6> J = c.J_base;
        for (int i = 0; i < m; ++i)
            J.add_outer(0.5 * Ha[i], c.Qs[i]);
        for (int i = 0; i < m; ++i) { // U = L Ha' - Z'
            M6 U = -c.Z[i];
            for (int j = 0; j < m; ++j)
                U += c.L[at(i, j, m)] * Ha[j];
            c.U[at(row, i, m)] = U;
        }
        const auto response = [&](const std::vector<double>& e, const F6& t, int i) {
            M6 x = times(c.Up, t); // (Ha L - Z) e + (Up - Ha Z') t, and Ha L - Z = U'
            for (int j = 0; j < m; ++j)
                x += e[at(j, i, m)] * c.U[at(row, j, m)] - dot(c.Z[j], t) * Ha[j];
            return x;
        };
        for (int i = 0; i < m; ++i) {
            const M6 a = J * Ha[i].w, ad = J * c.Hda[at(row, i, m)].w;
            c.EA[at(row, i, m)] = c.Hsa[at(row, i, m)] - response(c.eA, c.tA[i], i) + a + a;
            c.EB[at(row, i, m)] = c.Hdda[at(row, i, m)] - response(c.eB, c.tB[i], i) + ad + ad;
        }
    }
}

// Entries of rows of `from` at cluster d and all that hangs on it, X about d's point.
void ClosedForwardDerivatives::walk(const Node& from, int index, const M6* X, int level)
{
    const Node& d = nodes_[index];
    for (int i = 0; i < from.m; ++i)
        for (int j = 0; j < d.m; ++j) {
            const std::size_t to = at(d.order[j], from.order[i], size_);
            M_inverse_[to] = -dot(X[i], d.G[j]);
            A_C_[to] = dot(X[i], d.yA[j]);
            B_C_[to] = dot(X[i], d.yB[j]);
        }
    M6* next = walk_.data() + level * widest_;
    for (int kid : d.kids) {
        const Node& e = nodes_[kid];
        const M6* Ha = d.Ha.data() + e.at * d.m;
        for (int i = 0; i < from.m; ++i) { // X <- X T
            M6 x = X[i];
            for (int j = 0; j < d.m; ++j)
                x -= dot(X[i], d.G[j]) * Ha[j];
            next[i] = e.shifts ? PhiAdjoint<double>{e.l} * x : x;
        }
        walk(from, kid, next, level + 1);
    }
}

void ClosedForwardDerivatives::row(int index)
{
    const Node& c = nodes_[index];
    const int m = c.m;
    for (int i = 0; i < m; ++i) // itself
        for (int j = 0; j < m; ++j) {
            double A = -dot(c.Z[i], c.tA[j]), B = -dot(c.Z[i], c.tB[j]);
            for (int k = 0; k < m; ++k) {
                A += c.L[at(i, k, m)] * c.eA[at(k, j, m)];
                B += c.L[at(i, k, m)] * c.eB[at(k, j, m)];
            }
            const std::size_t to = at(c.order[j], c.order[i], size_);
            M_inverse_[to] = c.L[at(i, j, m)], A_C_[to] = A, B_C_[to] = B;
        }
    M6* X = walk_.data();
    for (int kid : c.kids) { // down
        const Node& d = nodes_[kid];
        for (int i = 0; i < m; ++i) {
            const M6& U = c.U[at(d.at, i, m)];
            X[i] = d.shifts ? PhiAdjoint<double>{d.l} * U : U;
        }
        walk(c, kid, X, 1);
    }
    F6* W = climb_.data();
    std::copy(c.G.begin(), c.G.begin() + m, W);
    for (int below = index; nodes_[below].up >= 0; below = nodes_[below].up) { // up
        const Node& b = nodes_[below];
        const Node& a = nodes_[b.up];
        const M6* Ha = a.Ha.data() + b.at * a.m;
        const M6* Hda = a.Hda.data() + b.at * a.m;
        for (int i = 0; i < m; ++i) {
            if (b.shifts)
                W[i] = Phi<double>{b.l} * W[i];
            for (int j = 0; j < a.m; ++j) {
                const std::size_t to = at(a.order[j], c.order[i], size_);
                A_C_[to] = dot(W[i], a.EA[at(b.at, j, a.m)]) + dot(c.Qs[i], Ha[j].w);
                B_C_[to] = dot(W[i], a.EB[at(b.at, j, a.m)]) + dot(c.Qs[i], Hda[j].w);
                M_inverse_[to] = -dot(W[i], a.U[at(b.at, j, a.m)]);
            }
        }
        // Beside: -W Up(b, k), k the member of a that the other hangs on: -(W T' Up T(k) + W Ha D^-1 Ha(k)')
        for (int kid : a.kids) {
            if (kid == below)
                continue;
            const Node& d = nodes_[kid];
            const M6* there = a.Ha.data() + d.at * a.m;
            for (int i = 0; i < m; ++i) {
                F6 w = W[i];
                for (int j = 0; j < a.m; ++j)
                    w -= dot(W[i], Ha[j]) * a.G[j];
                const M6 x = times(a.Up, w);
                M6 y = x;
                for (int j = 0; j < a.m; ++j) {
                    double s = -dot(x, a.G[j]);
                    for (int k = 0; k < a.m; ++k)
                        s += a.D_inverse[at(j, k, a.m)] * dot(W[i], Ha[k]);
                    y += s * there[j];
                }
                X[i] = d.shifts ? PhiAdjoint<double>{d.l} * -y : -y;
            }
            walk(c, kid, X, 1);
        }
        for (int i = 0; i < m; ++i) { // W <- W T'
            F6 w = W[i];
            for (int j = 0; j < a.m; ++j)
                w -= dot(W[i], Ha[j]) * a.G[j];
            W[i] = w;
        }
    }
}

} // namespace sweepdyn
