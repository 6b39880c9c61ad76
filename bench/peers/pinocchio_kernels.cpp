// Pinocchio's algorithms, for counting instructions:
//
//   pinocchio_kernels FUNCTION ROBOTFILE REPEATS      FUNCTION: id | mass | fd | mass-world | fd-world | minv | id-derivatives | fd-derivatives |
//                                                               coriolis | regressor | fk | jacobian | cmm | mass-rate |
//                                                               omega | omega-minv | omega-cholesky
//
// Runs FUNCTION at REPEATS states taken from the ring of states.hpp, then prints the sum of all results over one
// round of the ring, so that two programs can be seen to compute the same. `-world` is Pinocchio's second variant of
// the same function (world instead of body axes). `omega` of the last body is its computeDelassusMatrix with one
// constraint of six rows, the two others are J M^-1 J* with the Jacobian, by computeMinverse and by the mass matrix factored. Compiled from headers alone, so that the flags given here
// are the flags of everything that runs.
#ifdef PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
#error "this would call the precompiled library, whose flags are not ours"
#endif

#include "robot_file.hpp"
#include "states.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// The joint type that serves this axis with the least work.
pinocchio::JointModel joint_for(const bench::Body& body)
{
    const Vector3d axis{body.axis.data()};
    if (body.kind == "revolute") {
        if (axis == Vector3d::UnitX())
            return pinocchio::JointModelRX();
        if (axis == Vector3d::UnitY())
            return pinocchio::JointModelRY();
        if (axis == Vector3d::UnitZ())
            return pinocchio::JointModelRZ();
        return pinocchio::JointModelRevoluteUnaligned{axis};
    }
    if (axis == Vector3d::UnitX())
        return pinocchio::JointModelPX();
    if (axis == Vector3d::UnitY())
        return pinocchio::JointModelPY();
    if (axis == Vector3d::UnitZ())
        return pinocchio::JointModelPZ();
    return pinocchio::JointModelPrismaticUnaligned{axis};
}

pinocchio::Model model_of(const std::vector<bench::Body>& bodies)
{
    using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    pinocchio::Model model;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const bench::Body& b = bodies[k];
        const pinocchio::SE3 placement{Eigen::Map<const RowMajor3d>{b.rotation.data()},
                                       Vector3d{b.translation.data()}};
        const auto& [xx, xy, xz, yy, yz, zz] = b.inertia;
        Eigen::Matrix3d inertia;
        inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        const auto joint = model.addJoint(b.parent + 1, joint_for(b), placement, "joint" + std::to_string(k));
        model.appendBodyToJoint(joint, {b.mass, Vector3d{b.com.data()}, inertia});
    }
    return model;
}

struct EigenState {
    VectorXd q, v, a, T;
};

std::vector<EigenState> states_of(int dofs)
{
    auto vector = [](const std::vector<double>& x) {
        return VectorXd{Eigen::Map<const VectorXd>(x.data(), x.size())};
    };
    std::vector<EigenState> states;
    for (const bench::State& s : bench::random_states(dofs))
        states.push_back({vector(s.q), vector(s.v), vector(s.a), vector(s.T)});
    return states;
}

template <class Call, class Sum>
void run(int repeats, const std::vector<EigenState>& states, Call call, Sum sum)
{
    for (int k = 0; k < repeats; ++k)
        call(states[k % bench::ring_size]);
    double total = 0;
    for (const EigenState& s : states) {
        call(s);
        total += sum();
    }
    std::printf("%.17g\n", total);
}

int run(const std::string& function, const std::string& file, int repeats)
{
    const pinocchio::Model model = model_of(bench::read_robot(file));
    pinocchio::Data data{model};
    const std::vector<EigenState> states = states_of(model.nv);

    using pinocchio::Convention;
    auto id = [&](const EigenState& s) { pinocchio::rnea(model, data, s.q, s.v, s.a); };
    auto mass = [&](Convention axes) {
        return [&, axes](const EigenState& s) { pinocchio::crba(model, data, s.q, axes); };
    };
    auto fd = [&](Convention axes) {
        return [&, axes](const EigenState& s) { pinocchio::aba(model, data, s.q, s.v, s.T, axes); };
    };
    auto id_derivatives = [&](const EigenState& s) {
        pinocchio::computeRNEADerivatives(model, data, s.q, s.v, s.a);
    };
    auto fd_derivatives = [&](const EigenState& s) {
        pinocchio::computeABADerivatives(model, data, s.q, s.v, s.T);
    };
    auto sum_of_dT = [&] { return data.dtau_dq.sum() + data.dtau_dv.sum(); };
    auto sum_of_dqdd = [&] { return data.ddq_dq.sum() + data.ddq_dv.sum(); };
    auto minv = [&](const EigenState& s) { pinocchio::computeMinverse(model, data, s.q); };
    VectorXd v;
    auto coriolis = [&](const EigenState& s) {
        pinocchio::computeCoriolisMatrix(model, data, s.q, s.v);
        v = s.v;
    };
    // Its regressor uses parameters of its own; the sum of all columns would differ. T = Y pi is compared instead.
    VectorXd parameters(10 * model.nv);
    for (int k = 0; k < model.nv; ++k)
        parameters.segment<10>(10 * k) =
            model.inertias[static_cast<std::size_t>(k) + 1].toDynamicParameters();
    auto regressor = [&](const EigenState& s) {
        pinocchio::computeJointTorqueRegressor(model, data, s.q, s.v, s.a);
    };
    auto fk = [&](const EigenState& s) { pinocchio::forwardKinematics(model, data, s.q); };
    const auto last = static_cast<pinocchio::JointIndex>(model.njoints - 1);
    pinocchio::Data::Matrix6x J = pinocchio::Data::Matrix6x::Zero(6, model.nv);
    Eigen::MatrixXd MinvJt(model.nv, 6), Omega(6, 6);
    auto jacobian = [&](const EigenState& s) {
        pinocchio::computeJointJacobians(model, data, s.q);
        pinocchio::getJointJacobian(model, data, last, pinocchio::LOCAL_WORLD_ALIGNED, J);
    };
    auto cmm = [&](const EigenState& s) { pinocchio::computeCentroidalMap(model, data, s.q); };
    Eigen::MatrixXd M_dot(model.nv, model.nv);
    auto mass_rate = [&](const EigenState& s) {
        pinocchio::computeCoriolisMatrix(model, data, s.q, s.v);
        M_dot.noalias() = data.C + data.C.transpose();
    };
    const std::vector<pinocchio::RigidConstraintModel> tip{{pinocchio::CONTACT_6D, model, last}};
    std::vector<pinocchio::RigidConstraintData> tip_data{pinocchio::RigidConstraintData{tip[0]}};
    auto omega = [&](const EigenState& s) {
        pinocchio::computeDelassusMatrix(model, data, s.q, tip, tip_data, Omega);
    };
    auto omega_minv = [&](const EigenState& s) {
        pinocchio::computeMinverse(model, data, s.q);
        jacobian(s);
        MinvJt.noalias() = data.Minv.selfadjointView<Eigen::Upper>() * J.transpose();
        Omega.noalias() = J * MinvJt;
    };
    auto omega_cholesky = [&](const EigenState& s) {
        pinocchio::crba(model, data, s.q, Convention::WORLD); // leaves the Jacobian of all joints
        pinocchio::getJointJacobian(model, data, last, pinocchio::LOCAL_WORLD_ALIGNED, J);
        pinocchio::cholesky::decompose(model, data);
        MinvJt = J.transpose();
        pinocchio::cholesky::solve(model, data, MinvJt);
        Omega.noalias() = J * MinvJt;
    };
    auto sum_of_positions = [&] {
        double sum = 0;
        for (int k = 1; k < model.njoints; ++k)
            sum += data.oMi[static_cast<std::size_t>(k)].translation().sum();
        return sum;
    };
    auto sum_of_J = [&] { return J.sum(); };
    auto sum_of_A = [&] { return data.Ag.sum(); };
    auto sum_of_M_dot = [&] { return M_dot.sum(); };
    auto trace_of_Omega = [&] { return Omega.trace(); }; // the same in any axes
    auto sum_of_Minv = [&] { return data.Minv.triangularView<Eigen::Upper>().toDenseMatrix().sum(); };
    auto sum_of_Cv = [&] { return (data.C * v).sum(); };
    auto sum_of_Y = [&] { return (data.jointTorqueRegressor * parameters).sum(); };
    auto sum_of_T = [&] { return data.tau.sum(); };
    auto sum_of_M = [&] { return data.M.triangularView<Eigen::Upper>().toDenseMatrix().sum(); };
    auto sum_of_qdd = [&] { return data.ddq.sum(); };

    if (function == "id")
        run(repeats, states, id, sum_of_T);
    else if (function == "mass")
        run(repeats, states, mass(Convention::LOCAL), sum_of_M);
    else if (function == "mass-world")
        run(repeats, states, mass(Convention::WORLD), sum_of_M);
    else if (function == "fd")
        run(repeats, states, fd(Convention::LOCAL), sum_of_qdd);
    else if (function == "fd-world")
        run(repeats, states, fd(Convention::WORLD), sum_of_qdd);
    else if (function == "id-derivatives")
        run(repeats, states, id_derivatives, sum_of_dT);
    else if (function == "fd-derivatives")
        run(repeats, states, fd_derivatives, sum_of_dqdd);
    else if (function == "minv")
        run(repeats, states, minv, sum_of_Minv);
    else if (function == "coriolis")
        run(repeats, states, coriolis, sum_of_Cv);
    else if (function == "regressor")
        run(repeats, states, regressor, sum_of_Y);
    else if (function == "fk")
        run(repeats, states, fk, sum_of_positions);
    else if (function == "jacobian")
        run(repeats, states, jacobian, sum_of_J);
    else if (function == "cmm")
        run(repeats, states, cmm, sum_of_A);
    else if (function == "mass-rate")
        run(repeats, states, mass_rate, sum_of_M_dot);
    else if (function == "omega")
        run(repeats, states, omega, trace_of_Omega);
    else if (function == "omega-minv")
        run(repeats, states, omega_minv, trace_of_Omega);
    else if (function == "omega-cholesky")
        run(repeats, states, omega_cholesky, trace_of_Omega);
    else
        return std::fprintf(stderr, "unknown function %s\n", function.c_str()), 2;
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4)
        return std::fprintf(stderr, "usage: pinocchio_kernels FUNCTION ROBOTFILE REPEATS\n"), 2;
    try {
        return run(argv[1], argv[2], std::atoi(argv[3]));
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
