#include "laws.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn::app {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double tolerance = 1e-12;

Law law(std::string statement, double error, double limit = tolerance)
{
    return {std::move(statement), fmt::format("{:.1e}", error), error <= limit};
}

Law symmetric_positive_definite(const MatrixXd& M)
{
    const double least =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
    return {"M is symmetric and positive definite: its least eigenvalue", fmt::format("{:.1e}", least),
            relative_error(M.transpose(), M) <= tolerance && least > 0.0};
}

// Composite inertias; inverse dynamics of unit accelerations; forward dynamics of unit forces, inverted.
Law three_mass_matrices(Robot& robot, const MatrixXd& M, const VectorXd& q)
{
    const Eigen::Index n = M.rows();
    MatrixXd by_inverse(n, n), by_forward(n, n);
    Kinematics<double> kin(robot.model());
    BodyForces<double> scratch(robot.model());
    VectorXd unit(n);
    mass_matrix_by_inverse_dynamics<double>(kin, detail::view(q),
                                            {by_inverse.data(), static_cast<std::size_t>(n * n)},
                                            detail::view(unit), scratch);
    const VectorXd bias = robot.bias_forces();
    for (Eigen::Index j = 0; j < n; ++j)
        by_forward.col(j) = robot.forward_dynamics(bias + VectorXd::Unit(n, j));
    return law(
        "three roads to M agree: composite inertias, ID, FD",
        std::max(relative_error(by_inverse, M), relative_error(M * by_forward, MatrixXd::Identity(n, n))));
}

Law two_inverse_dynamics(Robot& robot, const VectorXd& a)
{
    VectorXd by_composites(a.size());
    BodyForces<double> scratch(robot.model());
    composite_inverse_dynamics<double>(robot.kinematics(), robot.composite(), detail::view(a),
                                       detail::view(by_composites), scratch);
    return law("two roads to T agree: Newton-Euler, composite inertias",
               relative_error(by_composites, robot.inverse_dynamics(a)));
}

using Number = Dual<double>;
using Numbers = std::vector<Number>;

Numbers along(const VectorXd& x, const VectorXd& direction)
{
    Numbers out;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        out.emplace_back(x[i], direction[i]);
    return out;
}

// Energy at (q, v), and how it changes along a displacement of q and a change of v: exact, by dual numbers.
Number energy(const Model& model, Kinematics<Number>& kin, const Moving& x, const VectorXd& dq,
              const VectorXd& dv, bool with_kinetic)
{
    const Numbers displacement = along(VectorXd::Zero(dq.size()), dq), v = along(x.v, dv);
    Numbers q = along(x.q, VectorXd::Zero(x.q.size()));
    integrate<Number>(model, q, displacement, q);
    update<Number>(kin, q, v);
    update_inertias(kin);
    return potential_energy(kin) + (with_kinetic ? kinetic_energy(kin) : Number(0));
}

Law gravity_is_gradient(const Model& model, Robot& robot, Kinematics<Number>& kin, const Moving& x)
{
    const Eigen::Index n = x.v.size();
    VectorXd gradient(n);
    for (Eigen::Index j = 0; j < n; ++j)
        gradient[j] = energy(model, kin, x, VectorXd::Unit(n, j), VectorXd::Zero(n), false).tangent;
    return law("gravity forces are the gradient of potential energy",
               relative_error(robot.gravity_forces(), gradient));
}

Law power_is_rate_of_energy(const Model& model, Kinematics<Number>& kin, const Moving& x, const VectorXd& T,
                            const VectorXd& qdd)
{
    const double power = T.dot(x.v), scale = T.cwiseAbs().dot(x.v.cwiseAbs());
    return law("power T.v is dE/dt", std::abs(energy(model, kin, x, x.v, qdd, true).tangent - power) / scale);
}

VectorXd random_vector(Random& random, Eigen::Index size)
{
    VectorXd out(size);
    for (double& x : out)
        x = random.uniform(-1, 1);
    return out;
}

} // namespace

double relative_error(const MatrixXd& a, const MatrixXd& b)
{
    return (a - b).cwiseAbs().maxCoeff() / std::max(b.cwiseAbs().maxCoeff(), 1e-300);
}

std::vector<Law> laws_at(const Model& model, const Moving& x, const VectorXd& T)
{
    Robot robot(model);
    robot.set_state(x.q, x.v);
    const MatrixXd M = robot.mass_matrix();
    const VectorXd qdd = robot.forward_dynamics(T);
    Kinematics<Number> dual(model);
    return {symmetric_positive_definite(M),
            three_mass_matrices(robot, M, x.q),
            two_inverse_dynamics(robot, qdd),
            law("forward and inverse dynamics undo each other: ID(FD(T)) = T",
                relative_error(robot.inverse_dynamics(qdd), T)),
            law("kinetic energy is v'Mv/2", std::abs(2 * robot.kinetic_energy() / x.v.dot(M * x.v) - 1)),
            gravity_is_gradient(model, robot, dual, x),
            power_is_rate_of_energy(model, dual, x, T, qdd)};
}

std::vector<Law> laws_of_floating(const Model& model, const std::string& other_root)
{
    Robot robot(with_gravity(model, {}));
    Random random(5);
    const int base = *model.floating_base();
    Moving x{random_configuration(model, 5), random_vector(random, model.num_dofs())};
    VectorXd T = 10 * random_vector(random, model.num_dofs());
    T.segment<6>(model.tree().first_dof[static_cast<std::size_t>(base)])
        .setZero(); // nothing pushes from outside

    // Another root: the same motion in other coordinates.
    const Rerooted other = reroot(model, other_root);
    Moving y{neutral(other.model), VectorXd::Zero(model.num_dofs())};
    other.map_state(detail::view(x.q), detail::view(x.v), detail::view(y.q), detail::view(y.v));
    Robot rerooted(other.model);
    rerooted.set_state(y.q, y.v);
    robot.set_state(x.q, x.v);
    const double root_error = std::max(std::abs(rerooted.kinetic_energy() / robot.kinetic_energy() - 1),
                                       relative_error(rerooted.momentum(), robot.momentum()));

    const VectorXd before = robot.momentum();
    constexpr int steps = 200;
    for (int i = 0; i < steps; ++i)
        x = step(robot, x, T, 1.0 / steps);
    robot.set_state(x.q, x.v);
    return {
        law(fmt::format("{}: inner forces keep its momentum, for 1 s", model.name()),
            relative_error(robot.momentum(), before), 1e-8),
        law(fmt::format("{}: with {} as its root, the same motion", model.name(), other_root), root_error)};
}

} // namespace sweepdyn::app
