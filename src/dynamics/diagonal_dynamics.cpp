#include "sweepdyn/dynamics/diagonal_dynamics.hpp"

namespace sweepdyn {

template struct DiagonalDynamics<double>;
template struct DiagonalDynamics<float>;
template void nu_of_v(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                      std::span<double>);
template void nu_of_v(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                      std::span<float>);
template void v_of_nu(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                      std::span<double>);
template void v_of_nu(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                      std::span<float>);
template void eps_of_T(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                       std::span<double>);
template void eps_of_T(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                       std::span<float>);
template void T_of_eps(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<const double>,
                       std::span<double>);
template void T_of_eps(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<const float>,
                       std::span<float>);
template void diagonal_coriolis(const Kinematics<double>&, DiagonalDynamics<double>&, std::span<double>,
                                std::span<const Force<double>>);
template void diagonal_coriolis(const Kinematics<float>&, DiagonalDynamics<float>&, std::span<float>,
                                std::span<const Force<float>>);

} // namespace sweepdyn
