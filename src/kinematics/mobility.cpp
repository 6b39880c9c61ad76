#include "sweepdyn/kinematics/mobility.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "sweepdyn/kinematics/position_projection.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

constexpr int tries = 4; // and one along and against each tangent
constexpr int directions_tried = 200;
constexpr std::size_t most_directions = 16;
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

// Directions x of a cluster's motions v = Q x, |x| = 1, that are tangent to a branch as far as second order tells,
//
//     N' gamma(Q x) = 0,   N the multipliers that do nothing here, J' N = 0:      a quadratic form per column of N
//
// by Newton on the sphere |x| = 1 from many places. Empty where no form says anything, so that all directions are, and where none is.
std::vector<Eigen::VectorXd> branch_directions(const Model& model, std::span<const double> q,
                                               const ClusterClosure<double>& c, std::size_t cluster,
                                               const Eigen::MatrixXd& Q)
{
    const Eigen::Index m = Q.cols();
    const int idle = c.rows - c.rank;
    if (m == 0 || idle == 0)
        return {};
    Eigen::MatrixXd J(c.rows, c.num_columns());
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < c.num_columns(); ++j)
            J(i, j) = c.row_scale[i] * c.column_scale[j] * c.entry(i, j);
    const Eigen::MatrixXd N =
        Eigen::JacobiSVD<Eigen::MatrixXd>(J, Eigen::ComputeFullU).matrixU().rightCols(idle);
    Kinematics<double> kin(model);
    Closure<double> closure(model);
    std::vector<double> v(static_cast<std::size_t>(model.num_dofs()), 0.0);
    double size = 0.0; // of gamma
    const auto forms_at = [&](const Eigen::VectorXd& x) {
        const Eigen::VectorXd move = Q * x;
        for (int j = 0; j < c.num_columns(); ++j)
            v[c.dofs[j]] = c.column_scale[j] * move[j];
        update<double>(kin, q, v);
        update_closure(kin, closure);
        Eigen::VectorXd gamma(c.rows);
        for (int i = 0; i < c.rows; ++i)
            gamma[i] = c.row_scale[i] * closure.clusters[cluster].gamma[i];
        size = std::max(size, gamma.cwiseAbs().maxCoeff());
        return Eigen::VectorXd(N.transpose() * gamma);
    };
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(m, m);
    std::vector<Eigen::MatrixXd> forms(static_cast<std::size_t>(idle), Eigen::MatrixXd::Zero(m, m));
    for (Eigen::Index i = 0; i < m; ++i)
        for (Eigen::Index k = 0; k <= i; ++k) { // polarization
            const Eigen::VectorXd both = forms_at(one.col(i) + one.col(k)),
                                  less = forms_at(one.col(i) - one.col(k));
            for (int f = 0; f < idle; ++f)
                forms[static_cast<std::size_t>(f)](i, k) = forms[static_cast<std::size_t>(f)](k, i) =
                    0.25 * (both[f] - less[f]);
        }
    std::erase_if(forms,
                  [&](const Eigen::MatrixXd& B) { return B.norm() <= 1e-9 * size; }); // redundant everywhere
    std::vector<Eigen::VectorXd> out;
    Random random(2);
    for (int start = 0; start < directions_tried && !forms.empty() && out.size() < most_directions; ++start) {
        Eigen::VectorXd x(m), F = Eigen::VectorXd::Ones(std::ssize(forms));
        for (double& coordinate : x)
            coordinate = random.uniform(-1.0, 1.0);
        Eigen::MatrixXd slope(std::ssize(forms), m);
        for (int round = 0; round < 60 && x.norm() > 1e-6; ++round) {
            x.normalize();
            for (std::size_t f = 0; f < forms.size(); ++f) {
                slope.row(static_cast<Eigen::Index>(f)) = x.transpose() * forms[f] / forms[f].norm();
                F[static_cast<Eigen::Index>(f)] = slope.row(static_cast<Eigen::Index>(f)) * x;
            }
            if (F.cwiseAbs().maxCoeff() < 1e-14)
                break;
            const Eigen::MatrixXd on_sphere =
                slope - (slope * x) * x.transpose(); // x itself is a way to F = 0, and none
            x -= 0.5 * on_sphere.completeOrthogonalDecomposition().solve(F);
        }
        const bool known = std::any_of(out.begin(), out.end(), [&](const Eigen::VectorXd& other) {
            return std::abs(other.dot(x)) > 1.0 - 1e-6;
        });
        if (F.cwiseAbs().maxCoeff() < 1e-9 && !known)
            out.push_back(x.normalized());
    }
    return out;
}

// Of each cluster: along which motions it is tried, columns; those that may be tangent to a branch, then the basis itself.
struct Directions {
    Eigen::MatrixXd Q, tried;
    Eigen::Index tangents = 0; // how many of those tried are
};
std::vector<Directions> directions_of(const Model& model, std::span<const double> q,
                                      const Closure<double>& closure)
{
    std::vector<Directions> out;
    for (std::size_t l = 0; l < closure.clusters.size(); ++l) {
        const ClusterClosure<double>& c = closure.clusters[l];
        Directions one;
        one.Q = orthonormal_motions(c);
        const std::vector<Eigen::VectorXd> tangents = branch_directions(model, q, c, l, one.Q);
        one.tangents = std::ssize(tangents);
        one.tried.resize(one.Q.rows(), one.tangents + one.Q.cols());
        for (Eigen::Index i = 0; i < one.tangents; ++i)
            one.tried.col(i) = one.Q * tangents[static_cast<std::size_t>(i)];
        one.tried.rightCols(one.Q.cols()) = one.Q;
        out.push_back(std::move(one));
    }
    return out;
}

// How many of each cluster's motions are of finite size: steps s along and against each direction x, then back onto the loops,
//
//     R = [Q' d / s, of every step],   the rank of R.
//
// Where a motion is of first order only, the way back leads to where it began. Where all rows count there is none such. A step that
// finds no way back says nothing: then, and with distant couplings, which the clusters do not know of, all motions count.
std::vector<int> finite_motions(const Model& model, std::span<const double> q, const Closure<double>& closure,
                                const std::vector<Directions>& directions)
{
    std::vector<Eigen::MatrixXd> R;
    std::vector<int> out;
    Eigen::Index most = 0; // directions of a cluster whose motions may be of first order only
    for (std::size_t l = 0; l < directions.size(); ++l) {
        const ClusterClosure<double>& c = closure.clusters[l];
        R.push_back(Eigen::MatrixXd::Zero(c.mobility(), directions[l].tried.cols() * std::ssize(steps)));
        out.push_back(c.mobility());
        if (c.rows > c.num_columns() - c.mobility())
            most = std::max(most, directions[l].tried.cols());
    }
    if (!closure.topology.distant.empty())
        return out;
    Kinematics<double> kin(model);
    PositionProjection projection(model);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), there(q.size());
    for (Eigen::Index k = 0; k < most * std::ssize(steps); ++k) {
        const Eigen::Index i = k / std::ssize(steps);
        const double s = steps[k % std::ssize(steps)];
        std::fill(d.begin(), d.end(), 0.0);
        for (std::size_t l = 0; l < R.size(); ++l)
            for (int j = 0; j < directions[l].tried.rows() && i < directions[l].tried.cols(); ++j)
                d[closure.clusters[l].dofs[j]] =
                    s * closure.clusters[l].column_scale[j] * directions[l].tried(j, i);
        integrate<double>(model, q, d, there);
        if (!(projection.positions(kin, there).after <= widest_contradiction))
            return out;
        difference<double>(model, q, there, d);
        for (std::size_t l = 0; l < R.size(); ++l)
            for (int j = 0; j < directions[l].tried.rows() && i < directions[l].tried.cols(); ++j)
                R[l].col(k) += d[closure.clusters[l].dofs[j]] / closure.clusters[l].column_scale[j] / s *
                               directions[l].Q.row(j).transpose();
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
    std::vector<std::vector<double>> scales; // at q
    for (const ClusterClosure<double>& c : closure.clusters)
        scales.emplace_back(c.column_scale.begin(), c.column_scale.begin() + c.num_columns());
    const std::vector<Directions> directions = directions_of(model, q, closure);
    const std::vector<int> finite = finite_motions(model, q, closure, directions);
    Eigen::Index tangents = 0;
    for (const Directions& one : directions)
        tangents = std::max(tangents, one.tangents);
    Random random(1);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), there(q.size());
    for (Eigen::Index number = 0; number < tries + 2 * tangents; ++number) {
        // along a tangent, or at random, then back onto the loops
        std::fill(d.begin(), d.end(), 0.0);
        for (std::size_t l = 0; l < directions.size(); ++l) {
            const Directions& one = directions[l];
            if (one.Q.cols() == 0)
                continue;
            Eigen::VectorXd x(one.Q.cols());
            for (double& coordinate : x)
                coordinate = random.uniform(-1.0, 1.0);
            Eigen::VectorXd move = one.Q * x;
            if (const Eigen::Index i = (number - tries) / 2; number >= tries && i < one.tangents)
                move = (number % 2 ? -1.0 : 1.0) * one.tried.col(i);
            move *= reach / move.cwiseAbs().maxCoeff();
            for (Eigen::Index j = 0; j < move.size(); ++j)
                d[closure.clusters[l].dofs[static_cast<std::size_t>(j)]] =
                    scales[l][static_cast<std::size_t>(j)] * move[j];
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
