// The mass matrix column by column: column j is the inverse dynamics of a unit acceleration of dof j, at rest and
// without gravity. O(dofs * (bodies + dofs)): for checking, and for scalars that want nothing else.
// `kin` is left at rest at q, with its own gravity. `mass` holds dofs x dofs numbers, `unit` is room for dofs. Specified by tests/laws/mass_matrix.cpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"

namespace sweepdyn {

template <class S>
void mass_matrix_by_inverse_dynamics(Kinematics<S>& kin, std::span<const S> q, std::span<S> mass,
                                     std::span<S> unit, BodyForces<S>& scratch)
{
    const std::size_t n = kin.H.size();
    require_size("mass_matrix_by_inverse_dynamics", "mass", mass.size(), n * n);
    require_size("mass_matrix_by_inverse_dynamics", "unit", unit.size(), n);
    std::fill(unit.begin(), unit.end(), S(0));
    update<S>(kin, q, unit);
    const Motion<S> A0 = kin.A0;
    kin.A0 = {};
    for (std::size_t j = 0; j < n; ++j) {
        unit[j] = S(1);
        inverse_dynamics<S>(kin, unit, mass.subspan(j * n, n), scratch);
        unit[j] = S(0);
    }
    kin.A0 = A0;
}

} // namespace sweepdyn
