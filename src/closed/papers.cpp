#include "sweepdyn/closed/ccfd.hpp"
#include "sweepdyn/closed/object_inertias.hpp"
#include "sweepdyn/closed/rccfd1.hpp"
#include "sweepdyn/closed/rccfd2.hpp"
#include "sweepdyn/closed/rccfd3.hpp"
#include "sweepdyn/closed/single_cut.hpp"

namespace sweepdyn {

template struct ArmsOnObject<double>;
template struct ObjectInertias<double>;
template void ccfd(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                   std::span<const double>, std::span<double>, ArmsOnObject<double>&);
template void rccfd1(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                     std::span<const double>, std::span<double>, ArmsOnObject<double>&);
template void rccfd2(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                     std::span<const double>, std::span<double>, ArmsOnObject<double>&);
template void rccfd3(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                     std::span<const double>, std::span<double>, ArmsOnObject<double>&, Rccfd3<double>&);
template void single_cut(const Kinematics<double>&, const Articulation<double>&, std::span<const double>,
                         std::span<double>, SingleCut<double>&);
template bool reflect_arms(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                           std::span<const double>, ObjectInertias<double>&);
template void hold(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                   ObjectInertias<double>&, std::span<double>);

} // namespace sweepdyn
