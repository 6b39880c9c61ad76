#include "sweepdyn/dynamics/innovations.hpp"
#include "sweepdyn/dynamics/mass_matrix_inverse.hpp"
#include "sweepdyn/dynamics/operational_space.hpp"

namespace sweepdyn {

template class Innovations<double>;
template class Innovations<float>;
template struct MassMatrixInverse<double>;
template struct MassMatrixInverse<float>;
template void mass_matrix_inverse(const Kinematics<double>&, const Articulation<double>&, std::span<double>,
                                  MassMatrixInverse<double>&);
template void mass_matrix_inverse(const Kinematics<float>&, const Articulation<float>&, std::span<float>,
                                  MassMatrixInverse<float>&);
template struct OperationalSpace<double>;
template struct OperationalSpace<float>;
template void operational_space(const Kinematics<double>&, const Articulation<double>&,
                                OperationalSpace<double>&);
template void operational_space(const Kinematics<float>&, const Articulation<float>&,
                                OperationalSpace<float>&);

} // namespace sweepdyn
