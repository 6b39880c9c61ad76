#include "sweepdyn/closed/branch_limit.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

constexpr double reach = 2e-3;
constexpr double turned =
    0.05; // of the largest velocity: by more than the way turns within the reach, v is of no branch

} // namespace

BranchLimit::BranchLimit(const Model& model)
    : kin_(model),
      dynamics_(model),
      projection_(model),
      meets_(static_cast<std::size_t>(model.num_dofs())),
      scale_(meets_.size()),
      step_(meets_.size()),
      q_(static_cast<std::size_t>(model.num_coordinates())),
      v_(meets_.size()),
      a_(meets_.size()),
      sum_(meets_.size())
{
}

bool BranchLimit::meet(const Closure<double>& closure, std::span<const double> q)
{
    const std::size_t clusters = closure.clusters.size();
    const auto gone = [&](std::size_t i) { return closure.clusters[i].rows - closure.clusters[i].rank; };
    if (redundant_.empty()) {
        bool any = false;
        for (std::size_t i = 0; i < clusters; ++i)
            any = any || gone(i) > 0;
        redundant_.assign(clusters, 0);
        for (std::size_t i = 0; i < clusters && any; ++i)
            redundant_[i] = gone(i);
        // those that come back nearby are not redundant
        for (const SingularPose& pose : any ? singular_poses(kin_.model, q) : std::vector<SingularPose>{})
            for (std::size_t i = 0; i < clusters; ++i)
                for (int l : closure.clusters[i].loops)
                    if (kin_.model.loops()[static_cast<std::size_t>(l)].name == pose.loops.front())
                        redundant_[i] -= pose.mobility - pose.mobility_nearby;
    }
    bool any = false;
    for (std::size_t i = 0; i < clusters; ++i) {
        const ClusterClosure<double>& c = closure.clusters[i];
        redundant_[i] = std::min(redundant_[i], gone(i));
        const bool meets = gone(i) > redundant_[i];
        any = any || meets;
        for (int j = 0; j < c.num_columns(); ++j) {
            meets_[c.dofs[j]] = meets;
            scale_[c.dofs[j]] = c.column_scale[j];
        }
    }
    return any;
}

// sum += weight a(s). False: there is no such place on the branch.
bool BranchLimit::add(const Kinematics<double>& at, double s, double weight, std::span<const double> T,
                      std::span<const Force<double>> external)
{
    for (std::size_t j = 0; j < step_.size(); ++j)
        step_[j] = meets_[j] ? s * at.v[j] : 0.0;
    integrate<double>(at.model, at.q, step_, q_);
    if (!(projection_.positions(kin_, q_).after <= widest_contradiction))
        return false;
    std::copy(at.v.begin(), at.v.end(), v_.begin());
    for (int pass = 0; pass < 2; ++pass) { // v as it was; v as it is kept there
        update<double>(kin_, q_, v_);
        update_inertias(kin_);
        dynamics_.update(kin_);
        if (pass == 0)
            projection_.velocities(kin_, dynamics_, v_);
    }
    double fastest = 0.0, change = 0.0;
    for (std::size_t j = 0; j < v_.size(); ++j)
        if (meets_[j]) {
            fastest = std::max(fastest, std::abs(at.v[j]) / scale_[j]);
            change = std::max(change, std::abs(v_[j] - at.v[j]) / scale_[j]);
        }
    const std::span<const ClusterClosure<double>> clusters = projection_.closure().clusters;
    for (std::size_t i = 0; i < clusters.size(); ++i)
        if (clusters[i].rows - clusters[i].rank > redundant_[i])
            return false; // singular there too
    if (!(change <= turned * fastest) || !dynamics_.singular().empty())
        return false;
    dynamics_.forward_dynamics(kin_, T, a_, external);
    for (std::size_t j = 0; j < sum_.size(); ++j)
        sum_[j] += weight * a_[j];
    return true;
}

bool BranchLimit::acceleration(const Kinematics<double>& at, std::span<const double> T,
                               std::span<double> v_dot, std::span<const Force<double>> external)
{
    double fastest = 0.0;
    for (std::size_t j = 0; j < meets_.size(); ++j)
        if (meets_[j])
            fastest = std::max(fastest, std::abs(at.v[j]) / scale_[j]);
    if (!(fastest > 0.0))
        return false;
    kin_.A0 = at.A0;
    std::fill(sum_.begin(), sum_.end(), 0.0);
    const double s = reach / fastest;
    for (const double way : {s, -s})
        if (!add(at, way, 2.0 / 3, T, external) || !add(at, 2.0 * way, -1.0 / 6, T, external))
            return false;
    std::copy(sum_.begin(), sum_.end(), v_dot.begin());
    return true;
}

} // namespace sweepdyn
