#include "sweepdyn/dynamics/innovations.hpp"
#include "sweepdyn/dynamics/mass_matrix_inverse.hpp"
#include "sweepdyn/dynamics/operational_space.hpp"

namespace sweepdyn {

template class Innovations<double>;
template struct MassMatrixInverse<double>;
template void mass_matrix_inverse(const Kinematics<double>&, const Articulation<double>&, std::span<double>,
                                  MassMatrixInverse<double>&);
template struct OperationalSpace<double>;
template void operational_space(const Kinematics<double>&, const Articulation<double>&,
                                OperationalSpace<double>&);

} // namespace sweepdyn
