// Laws of mechanisms with loops: forces that loops carry do no work, energy is kept, all roads to the accelerations agree, and none of
// it depends on how redundant the loops are.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sweepdyn/closed/closed_dynamics.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn {
namespace {

struct Case {
    Model model;
    std::vector<double> q, v, T;
};
Case case_of(const std::filesystem::path& path)
{
    const Model model = read_native(path.string());
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto state = read_native_state(model, text, path.string());
    return {model, *state->q, *state->v, *state->tau};
}
std::vector<Case> cases()
{
    std::vector<Case> out;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(SWEEPDYN_TEST_DATA) / "golden/closed")) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".json" && !name.starts_with("traj_") &&
            !name.starts_with("chain_50"))
            out.push_back(case_of(entry.path()));
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

// v_dot = g + N (N' M N)^-1 N'(T - C - M g), N and g from the singular values of J, in long double: an oracle that shares the rows alone.
std::vector<double> accelerations_by_singular_values(const Model& model, const std::vector<double>& q,
                                                     const std::vector<double>& v,
                                                     const std::vector<double>& T)
{
    using Real = long double;
    using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
    const int n = model.num_dofs();
    Kinematics<Real> kin(model);
    Loops<Real> loops(model, model.loops());
    CompositeInertias<Real> composite(model);
    BodyForces<Real> scratch(model);
    update<Real>(kin, std::vector<Real>(q.begin(), q.end()), std::vector<Real>(v.begin(), v.end()));
    update_inertias(kin);
    update_loops(kin, loops);
    Matrix M(n, n), J = Matrix::Zero(loops.num_rows, n);
    Vector C(n), gamma(loops.num_rows);
    composite_inertias(kin, composite);
    mass_matrix<Real>(kin, composite, {M.data(), static_cast<std::size_t>(n * n)});
    inverse_dynamics<Real>(kin, std::vector<Real>(v.size()), {C.data(), static_cast<std::size_t>(n)},
                           scratch);
    for (const LoopOnTree<Real>& on : loops.loops)
        loop_jacobian<Real>(kin, loops, on, [&](int i, int dof, Real x) { J(on.first_row + i, dof) += x; });
    for (int i = 0; i < loops.num_rows; ++i)
        gamma[i] = loops.gamma[static_cast<std::size_t>(i)];
    Eigen::JacobiSVD<Matrix> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(1e-9L);
    const Vector g = svd.solve(-gamma);
    const Matrix N = svd.matrixV().rightCols(n - svd.rank());
    const Vector T_(Eigen::Map<const Eigen::VectorXd>(T.data(), n).cast<Real>()),
        a = g + N * (N.transpose() * M * N).llt().solve(N.transpose() * (T_ - C - M * g));
    return std::vector<double>(a.begin(), a.end());
}

// Random mechanisms of ten and twelve rows whose J has a condition of 1e6 and 6e4: these digits are lost, and not twice as many.
TEST(ClosedForwardDynamics, digits_are_those_of_the_condition)
{
    for (const auto& [name, condition] : {std::pair{"random_a", 1.3e6}, {"random_b", 6.4e4}}) {
        const Case c = case_of(std::filesystem::path(SWEEPDYN_TEST_DATA) / "data/near_singular" /
                               (name + std::string(".json")));
        const std::vector<double> truth = accelerations_by_singular_values(c.model, c.q, c.v, c.T);
        ClosedMechanism mechanism(c.model);
        ClosedDynamics dynamics(c.model);
        mechanism.set(c.q, c.v);
        dynamics.update(mechanism.kinematics());
        std::vector<double> asked(truth.size()), simulated(truth.size());
        mechanism.forward_dynamics(c.T, asked);
        dynamics.forward_dynamics(mechanism.kinematics(), c.T, simulated);
        double size = 0.0;
        for (double a : truth)
            size = std::max(size, std::abs(a));
        for (std::size_t j = 0; j < truth.size(); ++j) {
            EXPECT_NEAR(asked[j], truth[j], 1e-15 * condition * size) << name << " " << j;
            EXPECT_NEAR(simulated[j], truth[j], 1e-15 * condition * size) << name << " " << j;
        }
    }
}

TEST(ClosedForwardDynamics, a_robot_keeps_its_loops_closed)
{
    for (const Case& c : cases()) {
        if (c.model.num_dofs() > 60)
            continue; // long double, dense
        Robot robot(c.model);
        const auto vector = [](const std::vector<double>& x) {
            return Eigen::VectorXd(
                Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
        };
        robot.set_state(vector(c.q), vector(c.v));
        const Eigen::VectorXd truth = vector(accelerations_by_singular_values(c.model, c.q, c.v, c.T)),
                              got = robot.forward_dynamics(vector(c.T));
        EXPECT_LE((got - truth).cwiseAbs().maxCoeff(), 1e-11 * truth.cwiseAbs().maxCoeff()) << c.model.name();
        EXPECT_THROW(robot.mass_matrix_inverse(), RefusedError);
    }
}

// Multipliers that move nothing, asked for first of all: none where no row is redundant, and J' x = 0.
TEST(ClosedForwardDynamics, idle_multipliers_are_those_of_the_state)
{
    int seen = 0;
    for (const Case& c : cases())
        for (const Elimination choice : {Elimination::basis, Elimination::multipliers}) {
            ClosedMechanism mechanism(c.model, choice);
            mechanism.set(c.q, c.v);
            const std::vector<std::vector<double>> idle = mechanism.idle_multipliers();
            int redundant = 0;
            for (const Redundancy& one : mechanism.redundancies())
                redundant += one.rows;
            EXPECT_EQ(std::ssize(idle), redundant) << c.model.name();
            seen += redundant;
            for (const std::vector<double>& x : idle) {
                Eigen::VectorXd sum = Eigen::VectorXd::Zero(c.model.num_dofs());
                double largest = 0.0,
                       size = 0.0; // of J and of x: rows that are zero but for rounding move nothing too
                for (const LoopOnTree<double>& on : mechanism.loops().loops)
                    loop_jacobian<double>(mechanism.kinematics(), mechanism.loops(), on,
                                          [&](int i, int dof, double J) {
                                              sum[dof] += J * x[on.first_row + i];
                                              largest = std::max(largest, std::abs(J));
                                              size = std::max(size, std::abs(x[on.first_row + i]));
                                          });
                EXPECT_LE(sum.cwiseAbs().maxCoeff(), 1e-12 * largest * size) << c.model.name();
                EXPECT_GT(size, 0.0);
            }
        }
    EXPECT_GT(seen, 5);
}

} // namespace
} // namespace sweepdyn
