#include "sweepdyn/sim/rk4.hpp"

#include <algorithm>

#include "sweepdyn/model/rates.hpp"

namespace sweepdyn {

Rk4::Rk4(Plant& plant, double h) : FixedStep(plant, h)
{
    const auto dofs = static_cast<std::size_t>(plant.model().num_dofs());
    q_.resize(static_cast<std::size_t>(plant.model().num_coordinates()));
    for (std::vector<double>* numbers : {&d_, &v_, &d_dot_, &v_dot_, &d_sum_, &v_sum_})
        numbers->resize(dofs);
    for (std::vector<double>* numbers : {&z_, &z_dot_, &z_sum_})
        numbers->resize(plant.first_z().size());
}

void Rk4::advance(double h, Instant& at)
{
    constexpr double node[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const std::size_t n = v_.size();
    std::fill(d_sum_.begin(), d_sum_.end(), 0.0);
    std::copy(at.v.begin(), at.v.end(), v_sum_.begin());
    std::copy(at.z.begin(), at.z.end(), z_sum_.begin());
    for (int stage = 0; stage < 4; ++stage) {
        // d = node h d_dot, v = v(0) + node h v_dot, z alike, with the rates of the stage before
        const double reach = node[stage] * h;
        for (std::size_t j = 0; j < n; ++j) {
            d_[j] = stage == 0 ? 0.0 : reach * d_dot_[j];
            v_[j] = stage == 0 ? at.v[j] : at.v[j] + reach * v_dot_[j];
        }
        for (std::size_t j = 0; j < z_.size(); ++j)
            z_[j] = stage == 0 ? at.z[j] : at.z[j] + reach * z_dot_[j];
        // d_dot = dexp^-1(d) v,  v_dot = FD(integrate(q, d), v), both where the loops are closed
        integrate<double>(plant_.model(), at.q, d_, q_);
        if (stage > 0)
            plant_.close_stage(q_, v_);
        plant_.acceleration(at.t + reach, q_, v_, v_dot_, z_, z_dot_);
        displacement_rates<double>(plant_.model(), d_, v_, d_dot_);
        for (std::size_t j = 0; j < n; ++j) {
            d_sum_[j] += h * weight[stage] * d_dot_[j];
            v_sum_[j] += h * weight[stage] * v_dot_[j];
        }
        for (std::size_t j = 0; j < z_.size(); ++j)
            z_sum_[j] += h * weight[stage] * z_dot_[j];
    }
    integrate<double>(plant_.model(), at.q, d_sum_, at.q);
    std::copy(v_sum_.begin(), v_sum_.end(), at.v.begin());
    std::copy(z_sum_.begin(), z_sum_.end(), at.z.begin());
}

} // namespace sweepdyn
