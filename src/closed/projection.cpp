#include "sweepdyn/closed/projection.hpp"

#include <algorithm>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

Projection::Projection(const Model& model)
    : PositionProjection(model),
      T_(d_.size()),
      V_(static_cast<std::size_t>(model.num_bodies())),
      h_(V_.size())
{
}

void Projection::velocities(const Kinematics<double>& kin, ClosedDynamics& dynamics, std::span<double> v)
{
    detail::require_dofs(kin.model, "Projection::velocities", "v", v.size());
    refresh(kin);
    // g, with J g = -J v
    std::fill(d_.begin(), d_.end(), 0.0);
    for (ClusterClosure<double>& c : rows_.clusters) {
        detail::collect_rows(kin, rows_.loops, c);
        for (int row = 0; row < c.rows; ++row) {
            c.gamma[row] = 0.0;
            for (int j = 0; j < c.num_columns(); ++j)
                c.gamma[row] += c.entry(row, j) * v[c.dofs[j]];
        }
        detail::eliminate(c);
        for (int j = 0; j < c.num_columns(); ++j)
            d_[c.dofs[j]] = c.g[j];
    }
    // M g: momenta of the bodies, and of the armatures
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<double>& b = kin.body[k];
        Motion<double> V = b.parent == ground ? Motion<double>{} : V_[b.parent];
        if (b.shifts && b.parent != ground)
            V = PhiAdjoint<double>{b.l} * V;
        for (Index j : b.dofs()) {
            V += d_[j] * kin.H[j];
            T_[j] = kin.armature[j] * d_[j];
        }
        V_[k] = V;
        h_[k] = kin.M[k] * V;
    }
    dynamics.make_least(kin, v, T_, h_, d_); // dv = g - P g
    for (std::size_t j = 0; j < v.size(); ++j)
        v[j] += d_[j];
}

} // namespace sweepdyn
