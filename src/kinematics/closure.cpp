#include "sweepdyn/kinematics/closure.hpp"

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

template struct Loops<double>;
template struct Closure<double>;
template void update_loops(const Kinematics<double>&, Loops<double>&);
template void update_closure(const Kinematics<double>&, Closure<double>&);
template struct Loops<float>;
template struct Closure<float>;
template void update_loops(const Kinematics<float>&, Loops<float>&);
template void update_closure(const Kinematics<float>&, Closure<float>&);

} // namespace sweepdyn
