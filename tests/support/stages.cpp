#include "support/stages.hpp"

namespace sweepdyn {

template struct Kinematics<Dual<double>>;
template void update(Kinematics<Dual<double>>&, std::span<const Dual<double>>);
template void update(Kinematics<Dual<double>>&, std::span<const Dual<double>>, std::span<const Dual<double>>);
template void integrate(const Model&, std::span<const Dual<double>>, std::span<const Dual<double>>,
                        std::span<Dual<double>>);

namespace test {

template struct Stages<double>;
template struct Stages<Dual<double>>;

Eigen::MatrixXd square(const Numbers& a)
{
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(a.size()))));
    return Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n);
}

Eigen::MatrixXd mass_of(Stages<double>& stages) { return square(stages.mass()); }

} // namespace test
} // namespace sweepdyn
