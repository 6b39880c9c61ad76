#include <algorithm>

#include "linear/closed_nodes.hpp"

namespace sweepdyn {

ClosedForwardDerivatives::ClosedForwardDerivatives(const Model& model, const Closure<double>& closure)
{
    const Topology& topology = closure.topology;
    nodes_.resize(topology.clusters.size());
    where_.resize(static_cast<std::size_t>(model.num_dofs()));
    std::vector<int> member_of(static_cast<std::size_t>(model.num_bodies()), -1), level(nodes_.size(), 0);
    std::size_t deepest = 0, widest = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& c = nodes_[i];
        const Cluster& cluster = topology.clusters[i];
        c.dofs = cluster.dofs;
        c.place = closure.place[i];
        for (int k : cluster.bodies) {
            const int parent = model.tree().parent[static_cast<std::size_t>(k)];
            Member member;
            member.body = k;
            member.parent = parent == cluster.base ? -1 : member_of[static_cast<std::size_t>(parent)];
            member.first = c.members.empty() ? 0 : c.members.back().end;
            member.end = member.first + model.tree().num_dofs(k);
            member_of[static_cast<std::size_t>(k)] = static_cast<int>(c.members.size());
            c.members.push_back(member);
        }
        if (const int base = cluster.base; base != ground) {
            c.up = topology.cluster_of[static_cast<std::size_t>(base)];
            c.at = member_of[static_cast<std::size_t>(base)];
            Node& above = nodes_[static_cast<std::size_t>(c.up)];
            above.kids.push_back(static_cast<int>(i));
            above.carries[static_cast<std::size_t>(c.at)] = 1;
            level[i] = level[static_cast<std::size_t>(c.up)] + 1;
        }
        c.carries.assign(c.members.size(), 0);
        const auto b = c.members.size(), n = c.dofs.size();
        c.columns = static_cast<int>(n);
        for (std::size_t j = 0; j < n; ++j)
            where_[static_cast<std::size_t>(c.dofs[j])] = {static_cast<int>(i), static_cast<int>(j)};
        for (auto* m : {&c.E, &c.Fm, &c.Fv, &c.Fq, &c.D, &c.D_inverse, &c.eA, &c.eB, &c.L})
            m->assign(n * n, 0.0);
        if (c.place >= 0)
            c.motion.emplace(model, closure, c.place);
        for (int l : cluster.loops) {
            const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(l)];
            const auto member = [&](int body) {
                return body == ground || body == cluster.base ? -1
                                                              : member_of[static_cast<std::size_t>(body)];
            };
            c.ends.push_back({member(on.a), member(on.b)});
        }
        c.HsB.assign(n * n, 0.0);
        for (auto* h : {&c.H, &c.Hd, &c.Hs, &c.Hdd, &c.Z})
            h->assign(n, {});
        for (auto* h : {&c.Ha, &c.Hsa, &c.Hda, &c.Hdda, &c.U, &c.EA, &c.EB})
            h->assign(b * n, {});
        c.P.assign(b, {});
        c.Ph.assign(b, {});
        c.sB.assign(b * n, {});
        for (auto* f : {&c.Fh, &c.X, &c.G, &c.tA, &c.tB, &c.yA, &c.yB})
            f->assign(n, {});
        for (auto* h : {&c.X_h, &c.Gh, &c.Qs})
            h->assign(n, {});
        c.independent.reserve(n);
        c.order.reserve(n);
        deepest = std::max(deepest, static_cast<std::size_t>(level[i]) + 2);
        widest = std::max(widest, n);
    }
    const auto n = static_cast<std::size_t>(model.num_dofs());
    for (auto* m : {&M_inverse_, &A_C_, &B_C_})
        m->reserve(n * n);
    widest_ = static_cast<int>(widest);
    walk_.assign(widest * (2 * deepest + 2), {});
    climb_.assign(widest, {});
    work_.assign(widest, 0.0);
    independent_.reserve(n);
    place_.assign(n, -1);
}

// E, Fm, Fv, Fq of the cluster.
void ClosedForwardDerivatives::close(const Kinematics<double>& kin, const Closure<double>& closure,
                                     const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                                     Node& c)
{
    const int n = c.columns;
    if (c.place < 0) {
        if (c.m == n)
            return; // E = 1 already; Fm, Fv, Fq stay zero
        c.m = n;
        for (int j = 0; j < n; ++j) {
            c.independent.push_back(j);
            c.E[at(j, j, n)] = 1.0;
        }
        return;
    }
    const ClusterClosure<double>& closed = closure.clusters[static_cast<std::size_t>(c.place)];
    const int m = c.m = closed.mobility();
    c.independent.resize(static_cast<std::size_t>(m));
    for (int i = 0; i < m; ++i) {
        c.independent[i] = closed.independent[i];
        for (int j = 0; j < n; ++j)
            c.E[at(j, i, m)] = closed.basis(j, i);
    }
    c.motion->set(kin, closure, d, v_dot);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            const std::size_t to = at(j, i, m);
            c.Fm[to] = c.motion->Fm(j)[i], c.Fv[to] = c.motion->Fv(j)[i], c.Fq[to] = c.motion->Fq(j)[i];
        }
}

void ClosedForwardDerivatives::compute(const Kinematics<double>& kin, const Closure<double>& closure,
                                       const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                                       std::span<const double> lambda, std::span<const double> damping)
{
    detail::require_fresh(d.position_version == kin.position_version, "ClosedForwardDerivatives",
                          "column_derivatives");
    for (Node& c : nodes_) {
        close(kin, closure, d, v_dot, c);
        for (std::size_t b = 0; b < c.members.size(); ++b)
            if (c.carries[b])
                c.P[b] = {}, c.Ph[b] = {};
        c.reference = kin.body[c.members.front().body].reference;
        c.r = kin.body[c.reference].X_WI.p;
        c.shifts = c.up >= 0 && c.reference != nodes_[c.up].reference;
        if (c.shifts)
            c.l = c.r - nodes_[c.up].r;
    }
    // Places among all independent dofs, in their order.
    independent_.clear();
    for (const Node& c : nodes_)
        for (int j : c.independent)
            independent_.push_back(c.dofs[j]);
    std::sort(independent_.begin(), independent_.end());
    size_ = static_cast<int>(independent_.size());
    for (int i = 0; i < size_; ++i)
        place_[independent_[i]] = i;
    for (Node& c : nodes_) {
        c.order.clear();
        for (int j : c.independent)
            c.order.push_back(place_[c.dofs[j]]);
    }
    for (auto* matrix : {&M_inverse_, &A_C_, &B_C_})
        matrix->resize(count()); // every entry is set below
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        aggregate(kin, d, damping, nodes_[i]);
        if (nodes_[i].place >= 0)
            turn_loops(kin, closure, lambda, nodes_[i]);
        gather(d, nodes_[i]);
    }
    for (Node& c : nodes_)
        spread(c);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        row(static_cast<int>(i));
}

} // namespace sweepdyn
