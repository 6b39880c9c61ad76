#include "sweepdyn/kinematics/mobility.hpp"

#include <algorithm>

#include "sweepdyn/kinematics/position_projection.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

constexpr int tries = 4;
constexpr double reach = 0.01; // rad, or parts of the cluster's size

void eliminate_all(const Kinematics<double>& kin, Closure<double>& closure)
{
    update_closure(kin, closure);
    for (ClusterClosure<double>& c : closure.clusters) {
        detail::collect_rows(kin, closure.loops, c);
        detail::eliminate(c);
    }
}

} // namespace

std::vector<SingularPose> singular_poses(const Model& model, std::span<const double> q)
{
    std::vector<SingularPose> out;
    if (model.loops().empty())
        return out;
    Kinematics<double> kin(model);
    Closure<double> closure(model);
    PositionProjection projection(model);
    update<double>(kin, q);
    eliminate_all(kin, closure);
    std::vector<int> here, nearby;
    for (const ClusterClosure<double>& c : closure.clusters)
        here.push_back(c.mobility());
    nearby = here;
    Random random(1);
    std::vector<double> d(static_cast<std::size_t>(model.num_dofs())), there(q.size());
    for (int number = 0; number < tries; ++number) {
        // along E, at random, then back onto the loops
        update<double>(kin, q);
        eliminate_all(kin, closure);
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
        eliminate_all(kin, closure);
        for (std::size_t i = 0; i < nearby.size(); ++i)
            nearby[i] = std::min(nearby[i], closure.clusters[i].mobility());
    }
    for (std::size_t i = 0; i < here.size(); ++i)
        if (nearby[i] < here[i]) {
            out.push_back({{}, here[i], nearby[i]});
            for (int l : closure.clusters[i].loops)
                out.back().loops.push_back(model.loops()[static_cast<std::size_t>(l)].name);
        }
    return out;
}

std::string words(std::span<const SingularPose> poses)
{
    std::string text;
    for (const SingularPose& pose : poses) {
        text += text.empty() ? "" : "; ";
        text += pose.loops.size() == 1 ? "loop" : "loops";
        for (std::size_t i = 0; i < pose.loops.size(); ++i)
            text += (i > 0 ? ", '" : " '") + pose.loops[i] + "'";
        text += pose.loops.size() == 1 ? ": its" : ": their";
        text += " hinges have mobility " + std::to_string(pose.mobility) + " here, " +
                std::to_string(pose.mobility_nearby) + " nearby";
    }
    return text;
}

} // namespace sweepdyn
