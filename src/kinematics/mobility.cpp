#include "sweepdyn/kinematics/mobility.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "sweepdyn/kinematics/position_projection.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

constexpr int tries = 4;
constexpr double reach = 0.01; // rad, or parts of the cluster's size
constexpr double steps[] = {reach, -reach, 0.01 * reach,
                            -0.01 * reach}; // short ones too, where there is little room
constexpr double moved = 0.3; // of a step, once it is back on the loops
constexpr double unmet =
    1e-5; // of the square of the largest velocity: ten times what redundant rows may contradict each other by

constexpr double rounding = 1e-12;

// E of a cluster as orthonormal columns, slides counted by its size.
Eigen::MatrixXd orthonormal_motions(const ClusterClosure<double>& c)
{
    Eigen::MatrixXd E(c.num_columns(), c.mobility());
    for (int i = 0; i < c.mobility(); ++i)
        for (int j = 0; j < c.num_columns(); ++j)
            E(j, i) = c.basis(j, i) / c.column_scale[j];
    if (E.size() == 0)
        return E;
    return Eigen::HouseholderQR<Eigen::MatrixXd>(E).householderQ() *
           Eigen::MatrixXd::Identity(E.rows(), E.cols());
}

// How many of each cluster's motions are of finite size: steps s along and against each, d = s Q e_i, then back onto the loops,
//
//     R = [Q' d / s, of every step],   the rank of R.
//
// Where a motion is of first order only, the way back leads to where it began. Where all rows count there is none such. A step that
// finds no way back says nothing: then, and with distant couplings, which the clusters do not know of, all motions count.
std::vector<int> finite_motions(const Model& model, std::span<const double> q, const Closure<double>& closure)
{
    std::vector<Eigen::MatrixXd> Q, R;
    std::vector<int> out;
    int most = 0; // motions of a cluster that may be of first order only
    for (const ClusterClosure<double>& c : closure.clusters) {
        Q.push_back(orthonormal_motions(c));
        R.push_back(Eigen::MatrixXd::Zero(c.mobility(), c.mobility() * std::ssize(steps)));
        out.push_back(c.mobility());
        if (c.rows > c.num_columns() - c.mobility())
            most = std::max(most, c.mobility());
    }
    if (!closure.topology.distant.empty())
        return out;
    Kinematics<double> kin(model);
    PositionProjection projection(model);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), there(q.size());
    for (int k = 0; k < most * std::ssize(steps); ++k) {
        const auto i = k / std::ssize(steps);
        const double s = steps[k % std::ssize(steps)];
        std::fill(d.begin(), d.end(), 0.0);
        for (std::size_t l = 0; l < Q.size(); ++l)
            for (int j = 0; j < Q[l].rows() && i < Q[l].cols(); ++j)
                d[closure.clusters[l].dofs[j]] = s * closure.clusters[l].column_scale[j] * Q[l](j, i);
        integrate<double>(model, q, d, there);
        if (!(projection.positions(kin, there).after <= widest_contradiction))
            return out;
        difference<double>(model, q, there, d);
        for (std::size_t l = 0; l < Q.size(); ++l)
            for (int j = 0; j < Q[l].rows() && i < Q[l].cols(); ++j)
                R[l].col(k) += d[closure.clusters[l].dofs[j]] / closure.clusters[l].column_scale[j] / s *
                               Q[l].row(j).transpose();
    }
    for (std::size_t l = 0; l < R.size(); ++l) {
        const ClusterClosure<double>& c = closure.clusters[l];
        if (c.mobility() == 0 || c.rows == c.num_columns() - c.mobility())
            continue;
        const Eigen::VectorXd sizes = Eigen::JacobiSVD<Eigen::MatrixXd>(R[l]).singularValues();
        out[l] = static_cast<int>((sizes.array() > moved).count());
    }
    return out;
}

using Velocities = SingularPose::Velocities;

// Of each cluster: whether J g = -gamma has a g.
std::vector<Velocities> velocities_of(const Model& model, std::span<const double> q,
                                      std::span<const double> v)
{
    Kinematics<double> kin(model);
    Closure<double> closure(model);
    update<double>(kin, q, v);
    update_closure(kin, closure);
    double swiftest = 0.0; // of all: what carries a cluster adds its rounding
    for (double x : v)
        swiftest = std::max(swiftest, std::abs(x));
    std::vector<Velocities> out;
    for (const ClusterClosure<double>& c : closure.clusters) {
        double fastest = 0.0, largest = 0.0;
        for (int j = 0; j < c.num_columns(); ++j)
            fastest = std::max(fastest, std::abs(v[c.dofs[j]]) / c.column_scale[j]);
        for (int i = 0; i < c.rows; ++i) { // J g + gamma
            double sum = c.gamma[i];
            for (int j = 0; j < c.num_columns(); ++j)
                sum += c.entry(i, j) * c.g[j];
            largest = std::max(largest, c.row_scale[i] * std::abs(sum));
        }
        out.push_back(fastest == 0.0 ? Velocities::rest
                      : largest > unmet * fastest * fastest + rounding * swiftest * swiftest
                          ? Velocities::between_branches
                          : Velocities::of_a_branch);
    }
    return out;
}

} // namespace

std::vector<SingularPose> singular_poses(const Model& model, std::span<const double> q,
                                         std::span<const double> v)
{
    std::vector<SingularPose> out;
    if (model.loops().empty())
        return out;
    Kinematics<double> kin(model);
    Closure<double> closure(model);
    PositionProjection projection(model);
    update<double>(kin, q);
    update_closure(kin, closure);
    std::vector<int> here, nearby;
    for (const ClusterClosure<double>& c : closure.clusters)
        here.push_back(c.mobility());
    nearby = here;
    const std::vector<int> finite = finite_motions(model, q, closure);
    Random random(1);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), there(q.size());
    for (int number = 0; number < tries; ++number) {
        // along E, at random, then back onto the loops
        update<double>(kin, q);
        update_closure(kin, closure);
        std::fill(d.begin(), d.end(), 0.0);
        for (const ClusterClosure<double>& c : closure.clusters) {
            double largest = 0.0;
            for (int i = 0; i < c.mobility(); ++i) {
                const double u = random.uniform(-1.0, 1.0) * c.column_scale[c.independent[i]];
                for (int j = 0; j < c.num_columns(); ++j)
                    d[c.dofs[j]] += c.basis(j, i) * u;
            }
            for (int j = 0; j < c.num_columns(); ++j)
                largest = std::max(largest, std::abs(d[c.dofs[j]]) / c.column_scale[j]);
            for (int j = 0; j < c.num_columns() && largest > 0.0; ++j)
                d[c.dofs[j]] *= reach / largest;
        }
        integrate<double>(model, q, d, there);
        if (!(projection.positions(kin, there).after <= widest_contradiction))
            continue;
        update_closure(kin, closure);
        for (std::size_t i = 0; i < nearby.size(); ++i)
            nearby[i] = std::min(nearby[i], closure.clusters[i].mobility());
    }
    const std::vector<Velocities> velocities =
        v.empty() ? std::vector(here.size(), Velocities::rest) : velocities_of(model, q, v);
    for (std::size_t i = 0; i < here.size(); ++i)
        if (std::min(nearby[i], finite[i]) < here[i]) {
            out.push_back(
                {{}, here[i], std::min(nearby[i], finite[i]), finite[i] < nearby[i], velocities[i]});
            for (int l : closure.clusters[i].loops)
                out.back().loops.push_back(model.loops()[static_cast<std::size_t>(l)].name);
        }
    return out;
}

std::string words(const SingularPose& pose)
{
    std::string text = pose.loops.size() == 1 ? "loop" : "loops";
    for (std::size_t i = 0; i < pose.loops.size(); ++i)
        text += (i > 0 ? ", '" : " '") + pose.loops[i] + "'";
    text += pose.loops.size() == 1 ? ": its" : ": their";
    text += " hinges have mobility " + std::to_string(pose.mobility) + " here";
    if (!pose.first_order_only)
        return text + ", " + std::to_string(pose.mobility_nearby) + " nearby";
    if (pose.mobility_nearby == 0)
        return text + " to first order only; no motion of finite size was found";
    return text + " to first order only; motions of finite size were found in " +
           std::to_string(pose.mobility_nearby) + " of these ways";
}

std::string words(std::span<const SingularPose> poses)
{
    std::string text;
    for (const SingularPose& pose : poses)
        text += (text.empty() ? "" : "; ") + words(pose);
    return text;
}

} // namespace sweepdyn
