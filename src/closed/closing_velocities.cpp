#include "sweepdyn/closed/closing_velocities.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/closed/projection.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/kinematics/loop_slip.hpp"

namespace sweepdyn {
namespace {

std::vector<double> nearest(const Model& model, std::span<const double> q, std::vector<double> v)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    update_inertias(kin);
    ClosedDynamics dynamics(model);
    dynamics.update(kin);
    if (!dynamics.singular().empty())
        throw RefusedError("assemble: hinge '" +
                           model.hinges()[static_cast<std::size_t>(dynamics.singular().front())].name +
                           "' has no inertia to move, so that velocities cannot be weighed; leave v out");
    Projection projection(model);
    for (int pass = 0; pass < 2; ++pass) // the second takes what rounding leaves close to a singular pose
        projection.velocities(kin, dynamics, v);
    return v;
}

ClosingVelocities nearest(const Model& model, std::span<const double> q, std::span<const double> v,
                          const std::vector<int>& held)
{
    ClosedMechanism mechanism(model);
    mechanism.prefer_independent(held);
    mechanism.set(q, v);
    const auto independent = mechanism.independent();
    const Eigen::Index n = model.num_dofs(), m = mechanism.mobility();
    const Eigen::Map<const Eigen::MatrixXd> E(mechanism.basis().data(), n, m);
    const Eigen::Map<const Eigen::VectorXd> given(v.data(), n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(m);
    std::vector<int> free; // columns
    for (int i = 0; i < static_cast<int>(m); ++i)
        if (const int j = independent[static_cast<std::size_t>(i)];
            std::binary_search(held.begin(), held.end(), j))
            u[i] = given[j];
        else
            free.push_back(i);
    if (!free.empty()) { // E_f' M (E u - v) = 0
        CompositeInertias<double> composite(model);
        composite_inertias(mechanism.kinematics(), composite);
        Eigen::MatrixXd M(n, n);
        mass_matrix<double>(mechanism.kinematics(), composite,
                            std::span<double>(M.data(), static_cast<std::size_t>(M.size())));
        const Eigen::MatrixXd E_f = E(Eigen::all, free);
        const Eigen::VectorXd u_f = Eigen::MatrixXd(E_f.transpose() * M * E_f)
                                        .completeOrthogonalDecomposition()
                                        .solve(E_f.transpose() * (M * (given - E * u)));
        u(free) = u_f;
    }
    const Eigen::VectorXd closing = E * u;
    ClosingVelocities out{{closing.data(), closing.data() + n}};
    for (int j : held)
        if (!(std::abs(closing[j] - given[j]) <= 1e-9 * given.cwiseAbs().maxCoeff()))
            out.not_held.push_back(j);
    return out;
}

void clear_rounding(const Model& model, std::span<const double> given, std::span<double> v)
{
    const auto largest = [](const Cluster& cluster, std::span<const double> of) {
        double x = 0.0;
        for (int j : cluster.dofs)
            x = std::max(x, std::abs(of[static_cast<std::size_t>(j)]));
        return x;
    };
    for (const Cluster& cluster : model.topology().clusters)
        if (largest(cluster, v) <= rounding_of_motion * largest(cluster, given))
            for (int j : cluster.dofs)
                v[static_cast<std::size_t>(j)] = 0.0;
}

} // namespace

ClosingVelocities closing_velocities(const Model& model, std::span<const double> q, std::span<const double> v,
                                     const std::vector<std::string>& hold)
{
    const std::vector<int> held = held_dofs(model, hold);
    ClosingVelocities out = held.empty() ? ClosingVelocities{nearest(model, q, {v.begin(), v.end()})}
                                         : nearest(model, q, v, held);
    clear_rounding(model, v, out.v);
    return out;
}

} // namespace sweepdyn
