#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"

namespace sweepdyn {

template struct ClusterArticulation<double>;
template void articulate(const Kinematics<double>&, Closure<double>&, ClusterArticulation<double>&);
template void forward_dynamics(const Kinematics<double>&, const Closure<double>&,
                               ClusterArticulation<double>&, std::span<const double>, std::span<double>,
                               BodyForces<double>&, std::span<const Force<double>>);
template void respond(const Kinematics<double>&, const Closure<double>&, ClusterArticulation<double>&,
                      std::span<const double>, std::span<double>, BodyForces<double>&,
                      std::span<const Force<double>>);
template struct ClusterArticulation<float>;
template void articulate(const Kinematics<float>&, Closure<float>&, ClusterArticulation<float>&);
template void forward_dynamics(const Kinematics<float>&, const Closure<float>&, ClusterArticulation<float>&,
                               std::span<const float>, std::span<float>, BodyForces<float>&,
                               std::span<const Force<float>>);
template void respond(const Kinematics<float>&, const Closure<float>&, ClusterArticulation<float>&,
                      std::span<const float>, std::span<float>, BodyForces<float>&,
                      std::span<const Force<float>>);

} // namespace sweepdyn
