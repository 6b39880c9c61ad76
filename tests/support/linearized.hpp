// What every linearization is made of, at a case: loads that turn with their bodies, or that keep their axes.
#pragma once

#include "support/stages.hpp"
#include "sweepdyn/linear/articulated_derivatives.hpp"

namespace sweepdyn::test {

template <class S> struct LinearizedIn {
    Stages<S> stages;
    ColumnDerivatives<S> d;
    ArticulatedDerivatives<S> y;
    std::vector<Force<S>> external;

    LinearizedIn(const Case& c, const ReferenceChoice& choice, bool fixed_loads)
        : stages(c.model, choice, std::vector<S>(c.q.begin(), c.q.end()),
                 std::vector<S>(c.v.begin(), c.v.end())),
          d(c.model),
          y(c.model),
          external(c.wrench.size())
    {
        const Kinematics<S>& kin = stages.kin;
        if (fixed_loads)
            d.We.resize(c.wrench.size());
        for (Index k : c.model.tree().base_to_tip()) {
            const auto body = static_cast<std::size_t>(k);
            const Pose<S> X = kin.X_WB(k);
            const Vec3<S> arm = X.p - kin.r(k);
            const Force<double>& load = c.wrench[body];
            const auto in_scalar = [](const Vec3<double>& a) {
                return Vec3<S>{static_cast<S>(a.x), static_cast<S>(a.y), static_cast<S>(a.z)};
            };
            const Force<S> given{in_scalar(load.n), in_scalar(load.f)};
            const Force<S> w = fixed_loads ? given : rotate(X.R, given);
            external[body] = Phi<S>{arm} * w;
            if (fixed_loads)
                d.We[body] = {tilde(w.n) + tilde(arm) * tilde(w.f), -w.f};
        }
        const std::vector<S> a(c.a.begin(), c.a.end());
        column_derivatives<S>(kin, a, d, external);
        articulated_derivatives(kin, stages.art, d, y);
    }
};
using Linearized = LinearizedIn<double>;

} // namespace sweepdyn::test
