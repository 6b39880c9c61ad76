#include "sweepdyn/closed/branch_limit.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

constexpr double reach = 2e-3;
constexpr double turned =
    0.1; // of the largest velocity: by more than the way turns within the reach, v is of no branch

} // namespace

bool rows_are_gone(const Closure<double>& closure)
{
    return std::any_of(closure.clusters.begin(), closure.clusters.end(),
                       [](const ClusterClosure<double>& c) { return c.rank < c.rows; });
}

BranchLimit::BranchLimit(const Model& model)
    : kin_(model),
      dynamics_(model),
      projection_(model),
      meets_(projection_.closure().clusters.size()),
      s_(meets_.size()),
      step_(static_cast<std::size_t>(model.num_dofs())),
      q_(static_cast<std::size_t>(model.num_coordinates())),
      v_(step_.size()),
      a_(step_.size()),
      sum_(step_.size())
{
}

bool BranchLimit::meet(const Closure<double>& closure, std::span<const double> q)
{
    const std::size_t clusters = closure.clusters.size();
    const auto gone = [&](std::size_t i) { return closure.clusters[i].rows - closure.clusters[i].rank; };
    if (redundant_.empty()) {
        const bool any = rows_are_gone(closure);
        std::vector<int> redundant(clusters, 0);
        for (std::size_t i = 0; i < clusters && any; ++i)
            redundant[i] = gone(i);
        // those that come back nearby are not redundant
        for (const SingularPose& pose : any ? singular_poses(kin_.model, q) : std::vector<SingularPose>{})
            for (std::size_t i = 0; i < clusters; ++i)
                for (int l : closure.clusters[i].loops)
                    if (kin_.model.loops()[static_cast<std::size_t>(l)].name == pose.loops.front())
                        redundant[i] -= pose.mobility - pose.mobility_nearby;
        redundant_ = std::move(redundant);
    }
    bool any = false;
    for (std::size_t i = 0; i < clusters; ++i) {
        redundant_[i] = std::min(redundant_[i], gone(i));
        meets_[i] = gone(i) > redundant_[i];
        any = any || meets_[i];
    }
    return any;
}

// The largest of v in a cluster, slides counted by its size.
double BranchLimit::size(const ClusterClosure<double>& c, std::span<const double> v)
{
    double largest = 0.0;
    for (int j = 0; j < c.num_columns(); ++j)
        largest = std::max(largest, std::abs(v[c.dofs[j]]) / c.column_scale[j]);
    return largest;
}

// sum += weight a(h s). False: not all clusters that move have such a place on their branch; those that do not, stay from now on.
bool BranchLimit::add(const Kinematics<double>& at, double h, double weight, std::span<const double> T,
                      std::span<const Force<double>> external)
{
    const std::span<const ClusterClosure<double>> clusters = projection_.closure().clusters;
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t i = 0; i < clusters.size(); ++i)
        for (int j : clusters[i].dofs)
            step_[j] = h * s_[i] * at.v[j];
    integrate<double>(at.model, at.q, step_, q_);
    const bool closed = projection_.positions(kin_, q_).after <= widest_contradiction;
    std::copy(at.v.begin(), at.v.end(), v_.begin());
    for (int pass = 0; pass < 2; ++pass) { // v as it was; v as it is kept there
        update<double>(kin_, q_, v_);
        update_inertias(kin_);
        dynamics_.update(kin_);
        if (pass == 0)
            projection_.velocities(kin_, dynamics_, v_);
    }
    for (std::size_t j = 0; j < v_.size(); ++j)
        step_[j] = v_[j] - at.v[j];
    bool all = true;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const bool singular = clusters[i].rows - clusters[i].rank > redundant_[i];
        if (s_[i] > 0.0 &&
            (!closed || singular || !(size(clusters[i], step_) <= turned * size(clusters[i], at.v)))) {
            s_[i] = 0.0;
            all = false;
        }
    }
    if (!all || !dynamics_.singular().empty())
        return false;
    dynamics_.forward_dynamics(kin_, T, a_, external);
    for (std::size_t j = 0; j < sum_.size(); ++j)
        sum_[j] += weight * a_[j];
    return true;
}

bool BranchLimit::acceleration(const Kinematics<double>& at, std::span<const double> T,
                               std::span<double> v_dot, std::span<const Force<double>> external)
{
    const std::span<const ClusterClosure<double>> clusters = projection_.closure().clusters;
    const auto moves = [&] { return std::any_of(s_.begin(), s_.end(), [](double s) { return s > 0.0; }); };
    kin_.A0 = at.A0;
    projection_.eliminate(at);
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const double speed = meets_[i] ? size(clusters[i], at.v) : 0.0;
        s_[i] = speed > 0.0 ? reach / speed : 0.0;
    }
    while (moves()) { // each time there are fewer that do
        std::fill(sum_.begin(), sum_.end(), 0.0);
        const auto mean = [&](double h, double weight) {
            return add(at, h, 0.5 * weight, T, external) && add(at, -h, 0.5 * weight, T, external);
        };
        if (mean(1.0, 1.5) && mean(2.0, -0.6) && mean(3.0, 0.1)) {
            std::copy(sum_.begin(), sum_.end(), v_dot.begin());
            return true;
        }
        if (!dynamics_.singular().empty())
            return false;
    }
    return false;
}

} // namespace sweepdyn
