#include "sweepdyn/sim/semi_implicit_euler.hpp"

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

SemiImplicitEuler::SemiImplicitEuler(Plant& plant, double h)
    : FixedStep(plant, h),
      v_dot_(static_cast<std::size_t>(plant.model().num_dofs())),
      d_(v_dot_.size()),
      z_dot_(plant.first_z().size())
{
}

void SemiImplicitEuler::advance(double h, Instant& at)
{
    plant_.acceleration(at.t, at.q, at.v, v_dot_, at.z, z_dot_);
    for (std::size_t j = 0; j < d_.size(); ++j) {
        at.v[j] += h * v_dot_[j];
        d_[j] = h * at.v[j];
    }
    for (std::size_t j = 0; j < z_dot_.size(); ++j)
        at.z[j] += h * z_dot_[j];
    integrate<double>(plant_.model(), at.q, d_, at.q);
}

} // namespace sweepdyn
