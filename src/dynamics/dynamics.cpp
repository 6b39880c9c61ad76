// The instantiations that users need not compile, and what does not depend on the scalar.
#include "sweepdyn/dynamics/coriolis_matrix.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/dynamics/mass_matrix_rate.hpp"
#include "sweepdyn/dynamics/passivity_inverse_dynamics.hpp"
#include "sweepdyn/dynamics/regressor.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"

namespace sweepdyn {

template void composite_inertias(const Kinematics<double>&, CompositeInertias<double>&);
template void composite_inertias(const Kinematics<float>&, CompositeInertias<float>&);
template void mass_matrix(const Kinematics<double>&, const CompositeInertias<double>&, std::span<double>);
template void mass_matrix(const Kinematics<float>&, const CompositeInertias<float>&, std::span<float>);
template void inverse_dynamics(const Kinematics<double>&, std::span<const double>, std::span<double>,
                               BodyForces<double>&, std::span<const Force<double>>);
template void inverse_dynamics(const Kinematics<float>&, std::span<const float>, std::span<float>,
                               BodyForces<float>&, std::span<const Force<float>>);
template struct Articulation<double>;
template struct Articulation<float>;
template void articulate(const Kinematics<double>&, Articulation<double>&);
template void articulate(const Kinematics<float>&, Articulation<float>&);
template void forward_dynamics(const Kinematics<double>&, const Articulation<double>&,
                               std::span<const double>, std::span<double>, BodyForces<double>&,
                               std::span<const Force<double>>);
template void forward_dynamics(const Kinematics<float>&, const Articulation<float>&, std::span<const float>,
                               std::span<float>, BodyForces<float>&, std::span<const Force<float>>);
template void solve_mass_matrix(const Kinematics<double>&, const Articulation<double>&,
                                std::span<const double>, std::span<double>, BodyForces<double>&);
template void solve_mass_matrix(const Kinematics<float>&, const Articulation<float>&, std::span<const float>,
                                std::span<float>, BodyForces<float>&);
template void passivity_inverse_dynamics(const Kinematics<double>&, const ColumnRates<double>&,
                                         std::span<const double>, std::span<const double>, std::span<double>,
                                         ReferenceMotions<double>&, std::span<const Force<double>>);
template void passivity_inverse_dynamics(const Kinematics<float>&, const ColumnRates<float>&,
                                         std::span<const float>, std::span<const float>, std::span<float>,
                                         ReferenceMotions<float>&, std::span<const Force<float>>);
template void coriolis_matrix(const Kinematics<double>&, const ColumnRates<double>&,
                              const CompositeInertias<double>&, std::span<double>,
                              CompositeBiasInertias<double>&);
template void coriolis_matrix(const Kinematics<float>&, const ColumnRates<float>&,
                              const CompositeInertias<float>&, std::span<float>,
                              CompositeBiasInertias<float>&);
template void mass_matrix_rate(const Kinematics<double>&, const ColumnRates<double>&,
                               const CompositeInertias<double>&, std::span<double>,
                               CompositeInertiaRates<double>&);
template void mass_matrix_rate(const Kinematics<float>&, const ColumnRates<float>&,
                               const CompositeInertias<float>&, std::span<float>,
                               CompositeInertiaRates<float>&);
template void regressor(const Kinematics<double>&, std::span<const double>, std::span<double>,
                        BodyForces<double>&);
template void regressor(const Kinematics<float>&, std::span<const float>, std::span<float>,
                        BodyForces<float>&);
template void passivity_regressor(const Kinematics<double>&, const ColumnRates<double>&,
                                  std::span<const double>, std::span<const double>, std::span<double>,
                                  ReferenceMotions<double>&);
template void passivity_regressor(const Kinematics<float>&, const ColumnRates<float>&, std::span<const float>,
                                  std::span<const float>, std::span<float>, ReferenceMotions<float>&);

} // namespace sweepdyn
