#include "sweepdyn/linear/momentum_derivatives.hpp"

#include "sweepdyn/dynamics/momentum.hpp"

namespace sweepdyn {
namespace {

void put(Matrix& to, int column, const Force<double>& of)
{
    for (int i = 0; i < 3; ++i)
        to(i, column) += of.n[i], to(3 + i, column) += of.f[i];
}

} // namespace

MomentumDerivatives differentiate_momentum(Linearization& lin, int root,
                                           std::span<const ExternalWrench> loads)
{
    const Kinematics<double>& kin = lin.kinematics();
    const ColumnDerivatives<double>& d = lin.derivatives();
    const std::vector<Inertia<double>>& R = lin.composite().R;
    const Tree& tree = kin.tree();
    const int n = static_cast<int>(kin.v.size());
    const auto in_tree = [&](int k) { return tree.root[static_cast<std::size_t>(k)] == root; };

    // h(k) = M V + sum over children phi(k,c) h(c)
    std::vector<Force<double>> h(R.size());
    for (Index k : tree.tip_to_base()) {
        h[k] += kin.M[k] * kin.body[k].V;
        if (const Index parent = tree.parent[k]; parent != ground)
            h[parent] += Phi<double>{kin.r(k) - kin.r(parent)} * h[k];
    }
    const auto top = static_cast<std::size_t>(root);
    const double m = R[top].m;
    const Vec3<double> c = detail::center_of(R[top]) + kin.r(root), p = h[top].f;

    MomentumDerivatives out{Matrix(6, n), Matrix(6, n), Matrix(6, n)};
    std::vector<Vec3<double>> dc(static_cast<std::size_t>(n));
    for (Index k : tree.base_to_tip()) {
        if (!in_tree(static_cast<int>(k)))
            continue;
        const Phi<double> to_c{kin.r(k) - c};
        for (Index j : kin.body[k].dofs()) {
            const auto column = static_cast<std::size_t>(j);
            const Force<double> RH = R[k] * kin.H[j];
            dc[column] = (1.0 / m) * RH.f;
            Force<double> on_q = to_c * (R[k] * d.Hd[j] + crf(kin.H[j]) * h[k]);
            on_q.n -= cross(dc[column], p);
            put(out.on_q, static_cast<int>(j), on_q);
            put(out.on_v, static_cast<int>(j), to_c * RH);
        }
    }
    for (const ExternalWrench& load : loads) {
        const int b = kin.model.frame_body(load.frame);
        if (b == ground || !in_tree(b))
            continue;
        const Pose<double> X_WF = frame_pose(kin, load.frame);
        const bool turns = load.axes == WrenchAxes::frame;
        const Force<double> w = turns ? rotate(X_WF.R, load.wrench) : load.wrench;
        for (int j = 0; j < n; ++j)
            put(out.loads_on_q, j, {-cross(dc[static_cast<std::size_t>(j)], w.f), {}});
        for (Index k = b; k != ground; k = tree.parent[k])
            for (Index j : kin.body[k].dofs()) {
                const Motion<double> dX = PhiAdjoint<double>{X_WF.p - kin.r(k)} * kin.H[j];
                const Force<double> dw =
                    turns ? Force<double>{cross(dX.w, w.n), cross(dX.w, w.f)} : Force<double>{};
                put(out.loads_on_q, static_cast<int>(j),
                    {dw.n + cross(dX.v, w.f) + cross(X_WF.p - c, dw.f), dw.f});
            }
    }
    return out;
}

} // namespace sweepdyn
