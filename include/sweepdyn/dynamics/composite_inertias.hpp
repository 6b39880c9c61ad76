// Composite inertias: R(k) is the inertia of body k and all that hangs on it, held rigid.
//
//     tip to base:  R(k) = M(k) + sum over children phi(k,c) R(c) phi'(k,c)                        [001; I12]
//
// One sweep, O(bodies). Before: inertias of kin. Specified by tests/laws/mass_matrix.cpp.
#pragma once

#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

template <class S>
struct CompositeInertias {
    explicit CompositeInertias(const Model& model)
    {
        const S nan = detail::poison<S>();
        R.assign(static_cast<std::size_t>(model.num_bodies()),
                 {nan, detail::poison3<S>(), {nan, nan, nan, nan, nan, nan}});
    }
    std::vector<Inertia<S>> R; // world axes, about the body's reference point
    std::uint64_t position_version = 0;
};

template <class S> void composite_inertias(const Kinematics<S>& kin, CompositeInertias<S>& composite)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "composite_inertias",
                          "update_inertias");
    require_size("composite_inertias", "composite", composite.R.size(), kin.M.size());
    composite.position_version = kin.position_version;
    const Tree& tree = kin.tree();
    auto& R = composite.R;

    for (Index k : tree.base_to_tip())
        R[k] = kin.M[k];
    for (Index k : tree.tip_to_base())
        if (const Index parent = tree.parent[k]; parent != ground)
            R[parent] += kin.body[k].shifts ? shift(R[k], kin.body[k].l) : R[k]; // phi R phi'
}

extern template void composite_inertias(const Kinematics<double>&, CompositeInertias<double>&);
extern template void composite_inertias(const Kinematics<float>&, CompositeInertias<float>&);

} // namespace sweepdyn
