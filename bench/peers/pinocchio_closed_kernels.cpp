// Pinocchio's constraint dynamics, for counting instructions and timing:
//
//   pinocchio_closed_kernels FUNCTION MECHANISMFILE REPEATS [MU]      FUNCTION: fd | fd-derivatives | lcaba, or any with -10, -turns
//
// fd is its constraintDynamics, lcaba its articulated bodies with loops; the proximal solver stops after one iteration, with -10 after
// at most ten. MU is its damping, which redundant rows need; neither the number of iterations nor the cost of one depends on it.
// A universal hinge is its own joint, with -turns two turns: its derivatives take columns as constant in the child. A ball and a planar
// pin are contacts of three rows, the only kind that it has beside a weld. Joints are added depth first: its sparse factorization takes
// the dofs of a subtree as neighbours.
//
// Prints sums of what both sides can compute, see bench/closed. The rate of the accelerations along the motion is taken by differences
// of its own constraintDynamics: what its derivatives give for it is that only where contacts have six rows or planes stay parallel.
// Headers only.
#ifdef PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
#error "this would call the precompiled library, whose flags are not ours"
#endif

#include "mechanism_file.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/proximal.hpp>
#include <pinocchio/multibody.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

pinocchio::SE3 pose_of(const bench::Placement& p)
{
    using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    return {Eigen::Map<const RowMajor3d>{p.rotation.data()}, Vector3d{p.translation.data()}};
}

// The joint type that serves this axis with the least work.
pinocchio::JointModel joint_for(const bench::JointedBody& body)
{
    const Vector3d axis{body.axis.data()}, axis2{body.axis2.data()};
    if (body.kind == "revolute") {
        if (axis == Vector3d::UnitX())
            return pinocchio::JointModelRX();
        if (axis == Vector3d::UnitY())
            return pinocchio::JointModelRY();
        if (axis == Vector3d::UnitZ())
            return pinocchio::JointModelRZ();
        return pinocchio::JointModelRevoluteUnaligned{axis};
    }
    if (body.kind == "prismatic") {
        if (axis == Vector3d::UnitX())
            return pinocchio::JointModelPX();
        if (axis == Vector3d::UnitY())
            return pinocchio::JointModelPY();
        if (axis == Vector3d::UnitZ())
            return pinocchio::JointModelPZ();
        return pinocchio::JointModelPrismaticUnaligned{axis};
    }
    if (body.kind == "universal")
        return pinocchio::JointModelUniversal{axis, axis2};
    if (body.kind == "free")
        return pinocchio::JointModelFreeFlyer();
    throw std::runtime_error{"no joint for kind " + body.kind};
}

std::string joint_name(int body) { return "joint" + std::to_string(body); }

std::vector<std::size_t> depth_first(const bench::Mechanism& mechanism)
{
    std::vector<std::size_t> order;
    const auto visit = [&](const auto& self, int parent) -> void {
        for (std::size_t k = 0; k < mechanism.bodies.size(); ++k)
            if (mechanism.bodies[k].parent == parent) {
                order.push_back(k);
                self(self, static_cast<int>(k));
            }
    };
    visit(visit, -1);
    return order;
}

int run(const std::string& function, const std::string& file, int repeats, double mu)
{
    const bool derivatives = function.starts_with("fd-derivatives");
    const bool turns = function.ends_with("-turns");
    const bench::Mechanism mechanism = bench::read_mechanism(file);
    pinocchio::Model model;
    for (std::size_t k : depth_first(mechanism)) {
        const bench::JointedBody& b = mechanism.bodies[k];
        const auto& [xx, xy, xz, yy, yz, zz] = b.inertia;
        Eigen::Matrix3d inertia;
        inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        auto parent = b.parent < 0 ? pinocchio::JointIndex{0} : model.getJointId(joint_name(b.parent));
        pinocchio::SE3 placement = pose_of(b.placement);
        bench::JointedBody last = b;
        if (turns && b.kind == "universal") {
            last.kind = "revolute";
            parent = model.addJoint(parent, joint_for(last), placement,
                                    "first of " + joint_name(static_cast<int>(k)));
            placement.setIdentity();
            last.axis = b.axis2;
        }
        const auto joint =
            model.addJoint(parent, joint_for(last), placement, joint_name(static_cast<int>(k)));
        model.appendBodyToJoint(joint, {b.mass, Vector3d{b.com.data()}, inertia});
    }
    // Its numbering may differ; where a dof of ours is in its vectors.
    std::vector<int> place;
    VectorXd q(model.nq), v(model.nv), T(model.nv);
    int at_q = 0;
    for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
        const auto joint = model.getJointId(joint_name(static_cast<int>(k)));
        const bool free = mechanism.bodies[k].kind == "free";
        const int split =
            turns && mechanism.bodies[k].kind == "universal" ? 1 : 0; // its first turn comes right before
        const int first_q = model.joints[joint].idx_q() - split,
                  first_v = model.joints[joint].idx_v() - split;
        const int dofs = model.joints[joint].nv() + split, coordinates = model.joints[joint].nq() + split;
        for (int j = 0; j < dofs; ++j) // a free body: [linear; angular] there, [angular; linear] here
            place.push_back(first_v + (free ? (j + 3) % 6 : j));
        for (int i = 0; i < coordinates; ++i) {
            // [position; x y z w] there, [w x y z; position] here
            const int there = !free ? i : i == 0 ? 6 : i < 4 ? i + 2 : i - 4;
            q[first_q + there] = mechanism.q.at(static_cast<std::size_t>(at_q + i));
        }
        at_q += coordinates;
    }
    for (std::size_t j = 0; j < place.size(); ++j)
        v[place[j]] = mechanism.v.at(j), T[place[j]] = mechanism.T.at(j);

    PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintModel) constraints;
    PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintData) constraint_data;
    const auto joint_id = [&](int body) {
        return body < 0 ? pinocchio::JointIndex{0} : model.getJointId(joint_name(body));
    };
    for (const bench::CutLoop& l : mechanism.loops) {
        constraints.emplace_back(l.kind == "weld" ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D, model,
                                 joint_id(l.a), pose_of(l.in_a), joint_id(l.b), pose_of(l.in_b),
                                 pinocchio::LOCAL);
        constraint_data.emplace_back(constraints.back());
    }
    pinocchio::Data data{model};
    pinocchio::initConstraintDynamics(model, data, constraints, constraint_data);
    pinocchio::computeJointMinimalOrdering(model, data, constraints);
    const bool ten = function.ends_with("-10");
    pinocchio::ProximalSettings settings(1e-12, mu, ten ? 10 : 1);
    const bool lcaba = function.starts_with("lcaba");
    if (!derivatives && !lcaba && function != "fd" && function != "fd-10" && function != "fd-turns")
        return std::fprintf(stderr, "unknown function %s\n", function.c_str()), 2;
    for (int k = 0; k <= repeats; ++k) { // once for the sums
        if (lcaba)
            pinocchio::lcaba(model, data, q, v, T, constraints, constraint_data, settings);
        else
            pinocchio::constraintDynamics(model, data, q, v, T, constraints, constraint_data, settings);
        if (derivatives)
            pinocchio::computeConstraintDynamicsDerivatives(model, data, constraints, constraint_data,
                                                            settings);
    }

    double sum = 0, on_forces = 0;
    if (!derivatives)
        for (int j : place)
            sum += data.ddq[j] * data.ddq[j];
    else { // of the independent dofs: what their accelerations change along the motion, and per force on each
        const VectorXd a = data.ddq;
        pinocchio::ProximalSettings exact(1e-12, mu, 10);
        const double h = 1e-6;
        const auto at = [&](double t) {
            const VectorXd q_t = pinocchio::integrate(model, q, t * v + t * t / 2 * a), v_t = v + t * a;
            return VectorXd(
                pinocchio::constraintDynamics(model, data, q_t, v_t, T, constraints, constraint_data, exact));
        };
        const VectorXd jerk = (at(h) - at(-h)) / (2 * h);
        for (int i : mechanism.independent) {
            sum += jerk[place[static_cast<std::size_t>(i)]] * jerk[place[static_cast<std::size_t>(i)]];
            for (int j : mechanism.independent) {
                const double x =
                    data.ddq_dtau(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(j)]);
                on_forces += x * x;
            }
        }
    }
    std::printf("%.17g %.17g\n", sum, on_forces);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4 && argc != 5)
        return std::fprintf(stderr, "usage: pinocchio_closed_kernels FUNCTION MECHANISMFILE REPEATS [MU]\n"),
               2;
    try {
        return run(argv[1], argv[2], std::atoi(argv[3]), argc == 5 ? std::atof(argv[4]) : 1e-6);
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
