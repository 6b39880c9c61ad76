// Laws of mechanisms with loops: forces that loops carry do no work, energy is kept, all roads to the accelerations agree, and none of
// it depends on how redundant the loops are.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn {
namespace {

struct Case {
    Model model;
    std::vector<double> q, v, T;
};
std::vector<Case> cases()
{
    std::vector<Case> out;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(SWEEPDYN_TEST_DATA) / "golden/closed")) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() != ".json" || name.starts_with("traj_") || name.starts_with("chain_50"))
            continue;
        const Model model = read_native(entry.path().string());
        std::ifstream file(entry.path());
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        const auto state = read_native_state(model, text, "golden");
        out.push_back({model, *state->q, *state->v, *state->tau});
    }
    return out;
}

// d(kinetic energy)/dt + d(potential energy)/dt = T v: the loops add nothing.
TEST(ClosedForwardDynamics, loops_do_no_work)
{
    for (const Case& c : cases()) {
        ClosedMechanism mechanism(c.model);
        mechanism.set(c.q, c.v);
        std::vector<double> v_dot(c.v.size()), needed(c.v.size());
        mechanism.forward_dynamics(c.T, v_dot);
        BodyForces<double> scratch(c.model);
        inverse_dynamics<double>(mechanism.kinematics(), v_dot, needed, scratch);
        double work = 0.0, size = 0.0;
        for (std::size_t j = 0; j < c.v.size(); ++j) {
            work += (needed[j] - c.T[j]) * c.v[j];
            size += std::abs(needed[j] * c.v[j]) + std::abs(c.T[j] * c.v[j]);
        }
        EXPECT_LE(std::abs(work), 1e-11 * size) << c.model.name();
    }
}

// The multipliers are what the tree needs beyond T, J' lambda = ID(v_dot) - T, whichever elimination found v_dot.
TEST(ClosedForwardDynamics, multipliers_balance_the_tree)
{
    for (const Case& c : cases())
        for (const Elimination choice : {Elimination::basis, Elimination::multipliers}) {
            ClosedMechanism mechanism(c.model, choice);
            mechanism.set(c.q, c.v);
            std::vector<double> v_dot(c.v.size()), left(c.v.size());
            mechanism.forward_dynamics(c.T, v_dot);
            const std::vector<double> lambda = mechanism.multipliers(c.T, v_dot);
            BodyForces<double> scratch(c.model);
            inverse_dynamics<double>(mechanism.kinematics(), v_dot, left, scratch);
            double size = 0.0;
            for (std::size_t j = 0; j < left.size(); ++j) {
                size = std::max({size, std::abs(left[j]), std::abs(c.T[j])});
                left[j] -= c.T[j];
            }
            for (const LoopOnTree<double>& on : mechanism.loops().loops)
                loop_jacobian<double>(
                    mechanism.kinematics(), mechanism.loops(), on,
                    [&](int i, int dof, double J) { left[dof] -= J * lambda[on.first_row + i]; });
            for (double x : left)
                EXPECT_LE(std::abs(x), 1e-9 * size) << c.model.name();
        }
}

// v = E u keeps every row at zero, v_dot = E a + g every row's rate.
TEST(ClosedForwardDynamics, bases_keep_the_loops_closed)
{
    for (const Case& c : cases()) {
        ClosedMechanism mechanism(c.model);
        mechanism.set(c.q, c.v);
        const std::vector<double> one(static_cast<std::size_t>(mechanism.mobility()), 1.0);
        std::vector<double> v(c.v.size()), v_dot(c.v.size());
        mechanism.complete_velocities(one, v);
        mechanism.complete_accelerations(one, v_dot);
        for (const ClusterClosure<double>& cluster : mechanism.closure().clusters)
            for (int row = 0; row < cluster.rows; ++row) {
                // Rows that are redundant may be nothing but round-off: they count beside rows of size one.
                double rate = 0.0, acceleration = cluster.gamma[row], size = 1.0 + std::abs(acceleration);
                for (int j = 0; j < cluster.num_columns(); ++j) {
                    rate += cluster.entry(row, j) * v[cluster.dofs[j]];
                    acceleration += cluster.entry(row, j) * v_dot[cluster.dofs[j]];
                    size += std::abs(cluster.entry(row, j)) *
                            (std::abs(v[cluster.dofs[j]]) + std::abs(v_dot[cluster.dofs[j]]));
                }
                EXPECT_LE(std::abs(rate), 1e-11 * size) << c.model.name();
                EXPECT_LE(std::abs(acceleration), 1e-9 * size)
                    << c.model.name(); // redundant rows: as the state closes
            }
    }
}

// float runs the same algorithm: to its digits, by either elimination.
TEST(ClosedForwardDynamics, float_agrees_with_double)
{
    for (const Case& c : cases())
        for (const Elimination choice : {Elimination::basis, Elimination::multipliers}) {
            const auto accelerations = [&]<class S>(S) {
                Kinematics<S> kin(c.model);
                Closure<S> closure(c.model);
                ClusterArticulation<S> art(c.model, closure, choice);
                BodyForces<S> scratch(c.model);
                const std::vector<S> q(c.q.begin(), c.q.end()), v(c.v.begin(), c.v.end()),
                    T(c.T.begin(), c.T.end());
                std::vector<S> v_dot(v.size());
                update<S>(kin, q, v);
                update_inertias(kin);
                update_closure(kin, closure);
                articulate(kin, closure, art);
                forward_dynamics<S>(kin, closure, art, T, v_dot, scratch);
                return std::vector<double>(v_dot.begin(), v_dot.end());
            };
            const std::vector<double> truth = accelerations(0.0), got = accelerations(0.0f);
            double size = 0.0, error = 0.0;
            for (std::size_t j = 0; j < truth.size(); ++j) {
                size = std::max(size, std::abs(truth[j]));
                error = std::max(error, std::abs(got[j] - truth[j]));
            }
            // Seven digits less those that the condition of the mass matrix takes; multipliers square it.
            EXPECT_LE(error, (choice == Elimination::basis ? 2e-5 : 1e-3) * size)
                << c.model.name() << (choice == Elimination::basis ? ", basis" : ", multipliers");
        }
}

TEST(ClosedForwardDynamics, a_robot_keeps_its_loops_closed)
{
    for (const Case& c : cases()) {
        Robot robot(c.model);
        const auto vector = [](const std::vector<double>& x) {
            return Eigen::VectorXd(
                Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
        };
        robot.set_state(vector(c.q), vector(c.v));
        ClosedMechanism mechanism(c.model);
        mechanism.set(c.q, c.v);
        std::vector<double> v_dot(c.v.size());
        mechanism.forward_dynamics(c.T, v_dot);
        const Eigen::VectorXd got = robot.forward_dynamics(vector(c.T));
        EXPECT_LE((got - vector(v_dot)).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + got.cwiseAbs().maxCoeff()));
        EXPECT_THROW(robot.mass_matrix_inverse(), RefusedError);
    }
}

} // namespace
} // namespace sweepdyn
