// What every linearization is made of, at a case: loads that turn with their bodies, or that keep their axes.
#pragma once

#include "support/stages.hpp"
#include "sweepdyn/linear/articulated_derivatives.hpp"

namespace sweepdyn::test {

struct Linearized {
    Stages<double> stages;
    ColumnDerivatives<double> d;
    ArticulatedDerivatives<double> y;
    std::vector<Force<double>> external;

    Linearized(const Case& c, const ReferenceChoice& choice, bool fixed_loads)
        : stages(c.model, choice, c.q, c.v),
          d(c.model),
          y(c.model),
          external(c.wrench.size())
    {
        const Kinematics<double>& kin = stages.kin;
        if (fixed_loads)
            d.We.resize(c.wrench.size());
        for (Index k : c.model.tree().base_to_tip()) {
            const auto body = static_cast<std::size_t>(k);
            const Pose<double> X = kin.X_WB(k);
            const Vec3<double> arm = X.p - kin.r(k);
            const Force<double> w = fixed_loads ? c.wrench[body] : rotate(X.R, c.wrench[body]);
            external[body] = Phi<double>{arm} * w;
            if (fixed_loads)
                d.We[body] = {tilde(w.n) + tilde(arm) * tilde(w.f), -w.f};
        }
        column_derivatives<double>(kin, c.a, d, external);
        articulated_derivatives(kin, stages.art, d, y);
    }
};

} // namespace sweepdyn::test
