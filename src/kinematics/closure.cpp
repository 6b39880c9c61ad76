#include "sweepdyn/kinematics/closure.hpp"

#include <algorithm>

namespace sweepdyn {

Topology one_cluster(const Model& model)
{
    Topology all = model.topology();
    Cluster one;
    for (int k : model.tree().base_to_tip()) {
        one.bodies.push_back(k);
        for (Index j : model.tree().dofs(k))
            one.dofs.push_back(static_cast<int>(j));
    }
    for (std::size_t i = 0; i < model.loops().size(); ++i)
        one.loops.push_back(static_cast<int>(i));
    all.clusters = {std::move(one)};
    all.cluster_of.assign(static_cast<std::size_t>(model.num_bodies()), 0);
    all.distant.clear();
    return all;
}

bool detail::all_alike(const Model& model, const Cluster& cluster)
{
    for (int k : cluster.bodies)
        switch (model.hinges()[static_cast<std::size_t>(k)].kind) {
        case HingeKind::weld:
        case HingeKind::revolute:
        case HingeKind::continuous:
        case HingeKind::universal:
        case HingeKind::spherical: break;
        default: return false;
        }
    for (int l : cluster.loops) {
        const Loop& loop = model.loops()[static_cast<std::size_t>(l)];
        if (loop.kind != LoopKind::ball && loop.kind != LoopKind::planar_pin)
            return false;
    }
    return true;
}

std::vector<double> detail::loop_weights(const Model& model, const Cluster& cluster)
{
    constexpr double small = 0.1, nothing = 1e-9; // of the largest; metres
    std::vector<double> reach; // no end of the loop is farther from a hinge of it; 0: not known
    double largest = 0.0;
    for (int l : cluster.loops) {
        const Loop& loop = model.loops()[static_cast<std::size_t>(l)];
        double sum = norm(loop.X_Aa.p) + norm(loop.X_Bb.p);
        bool turns = loop.kind != LoopKind::coupling;
        if (turns) {
            const auto body = [&](const std::string& name) {
                return name.empty() ? ground : model.body(name).index;
            };
            const int a = body(loop.body_a), b = body(loop.body_b),
                      base = common_ancestor(model.tree(), a, b);
            for (int end : {a, b})
                for (int k = end; k != base; k = model.tree().parent[k]) {
                    const Hinge& hinge = model.hinges()[static_cast<std::size_t>(k)];
                    sum += norm(hinge.X_PF.p) + norm(hinge.X_CM.p);
                    turns =
                        turns && (hinge.kind == HingeKind::weld || hinge.kind == HingeKind::revolute ||
                                  hinge.kind == HingeKind::continuous || hinge.kind == HingeKind::universal ||
                                  hinge.kind == HingeKind::spherical);
                }
        }
        reach.push_back(turns ? sum : 0.0);
        largest = std::max(largest, sum);
    }
    for (double& x : reach)
        x = x > nothing && x < small * largest ? largest / x : 1.0;
    return reach;
}

template struct Loops<double>;
template struct Closure<double>;
template void update_loops(const Kinematics<double>&, Loops<double>&);
template void update_closure(const Kinematics<double>&, Closure<double>&);
template struct Loops<float>;
template struct Closure<float>;
template void update_loops(const Kinematics<float>&, Loops<float>&);
template void update_closure(const Kinematics<float>&, Closure<float>&);

} // namespace sweepdyn
