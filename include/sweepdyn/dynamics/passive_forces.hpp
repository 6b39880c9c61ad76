// Passive hinge forces: what damping and dry friction take, as a part of T.
//
//     T_passive = damping v + friction tanh(v / v_s)
//
// Dry friction is smoothed over the speed v_s (rad/s or m/s); v_s = 0 leaves it out. O(dofs).
#pragma once

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

template <class S> void passive_forces(const Model& model, std::span<const S> v, double friction_speed,
                                       std::span<S> T)
{
    require_size("passive_forces", "v", v.size(), static_cast<std::size_t>(model.num_dofs()));
    require_size("passive_forces", "T", T.size(), v.size());
    std::size_t j = 0;
    for (const Hinge& hinge : model.hinges())
        for (std::size_t i = 0; i < hinge.damping.size(); ++i, ++j) {
            T[j] = S(hinge.damping[i]) * v[j];
            if (friction_speed > 0.0)
                T[j] += S(hinge.friction[i]) * tanh(v[j] / S(friction_speed));
        }
}

} // namespace sweepdyn
