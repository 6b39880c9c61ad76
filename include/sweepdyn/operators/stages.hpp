// What a state gives to the operators: columns, shifts, inertias, articulations.
//
//     Upsilon(k) = psi* Upsilon(p) psi + H* D^-1 H                       base to tip   [003 (6.10), 004 (5.5)]
//
// Over clusters the blocks are those of cluster_blocks.hpp. O(bodies + dofs). Allocates nothing but at the first `prepare` of a plan with D and G of its own. Specified by
// tests/laws/identities.cpp.
#pragma once

#include <algorithm>
#include <optional>

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/operators/cluster_blocks.hpp"
#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {

template <class S>
class Stages {
public:
    // By default a block per hinge and about the hinge origins, as the papers have it.
    explicit Stages(const BlockTree& over, Reference reference = Reference::hinges);

    BlockTree over;
    Kinematics<S> kin;
    CompositeInertias<S> composite;
    Inertia<S> whole{}; // of all bodies, rigid, about the world origin
    Articulation<S> columns; // for kernels
    BlockArticulation<S> mass; // D, G, P with armature
    std::vector<BlockArticulation<S>> others;
    std::vector<std::array<Motion<S>, 6>> Upsilon; // columns
    std::uint64_t upsilon_version = 0;
    std::optional<ClusterBlocks<S>> clusters; // instead of what is per hinge above
    std::vector<ClusterGains<S>> gains; // of clusters; the first is of the mass operator

    // Everything that the plan needs, at a state.
    void update(const Plan& plan, std::span<const S> q, std::span<const S> v);
    void update(const Plan& plan, std::span<const S> q);
    // Computes what is missing for the plan, at the state of kin.
    void prepare(const Plan& plan);
    // Its D and G; nothing: never prepared.
    const BlockArticulation<S>* find(const Plan& plan, Articulated of) const;
    const ClusterGains<S>* find_gains(const Plan& plan, Articulated of) const;

private:
    void prepare_clusters(const Plan& plan);
    void articulate(const Plan& plan);
    void sum_up();
    void spread();
};

template <class S>
Stages<S>::Stages(const BlockTree& of, Reference reference)
    : over(of),
      kin(of.model(), reference),
      composite(of.model()),
      columns(of.model()),
      mass(of.model()),
      Upsilon(static_cast<std::size_t>(of.model().num_bodies()))
{
    if (!of.by_clusters())
        return;
    clusters.emplace(of);
    gains.emplace_back(of, BlockArticulation<S>::Of::mass);
}

template <class S> void Stages<S>::update(const Plan& plan, std::span<const S> q, std::span<const S> v)
{
    sweepdyn::update<S>(kin, q, v);
    prepare(plan);
}
template <class S> void Stages<S>::update(const Plan& plan, std::span<const S> q)
{
    sweepdyn::update<S>(kin, q);
    prepare(plan);
}

namespace detail {
[[noreturn]] void throw_wrong_model(const Model& plan, const Model& stages);
[[noreturn]] void throw_wrong_reference(Reference plan, Reference stages);
[[noreturn]] void throw_wrong_blocks(const BlockTree& plan, const BlockTree& stages);
template <class S> void require_same(const Plan& plan, const Stages<S>& stages)
{
    if (!plan.model().same_as(stages.kin.model))
        throw_wrong_model(plan.model(), stages.kin.model);
    if (plan.reference() != stages.kin.reference)
        throw_wrong_reference(plan.reference(), stages.kin.reference);
    if (plan.over().by_clusters() || stages.over.by_clusters())
        if (!plan.over().same_as(stages.over))
            throw_wrong_blocks(plan.over(), stages.over);
}
} // namespace detail

template <class S> void Stages<S>::prepare(const Plan& plan)
{
    detail::require_same(plan, *this);
    if (clusters)
        return prepare_clusters(plan);
    for (Needs needs : plan.needs()) { // in the order in which they build on each other
        if (needs >= Needs::velocities && kin.inertia_version != kin.position_version)
            update_inertias(kin);
        if (needs == Needs::columns && columns.position_version != kin.position_version) {
            sweepdyn::articulate(kin, columns);
            if (!columns.singular.empty())
                sweepdyn::detail::throw_singular_hinge(kin.model, columns.singular.front());
        }
        if (needs == Needs::composite && composite.position_version != kin.position_version)
            sum_up();
        if (needs == Needs::articulation || needs == Needs::upsilon)
            articulate(plan);
        if (needs == Needs::upsilon && upsilon_version != kin.position_version)
            spread();
    }
}

template <class S> void Stages<S>::prepare_clusters(const Plan& plan)
{
    if (clusters->position_version != kin.position_version ||
        clusters->velocity_version != kin.velocity_version)
        clusters->update(kin);
    for (Needs needs : plan.needs()) {
        if (needs >= Needs::velocities && kin.inertia_version != kin.position_version)
            update_inertias(kin);
        if (needs == Needs::composite && clusters->inertia_version != kin.position_version) {
            sum_up();
            clusters->update_composite(kin);
        }
        if (needs == Needs::articulation || needs == Needs::upsilon)
            for (Articulated of : plan.articulated()) {
                using Of = typename BlockArticulation<S>::Of;
                if (!find_gains(plan, of)) {
                    if (of.frame_set() < 0)
                        gains.emplace_back(over, Of::mass_without_armature);
                    else
                        gains.emplace_back(over, Of::frames,
                                           plan.frame_sets()[static_cast<std::size_t>(of.frame_set())]);
                }
                ClusterGains<S>& found = gains[static_cast<std::size_t>(find_gains(plan, of) - gains.data())];
                if (found.position_version != kin.position_version)
                    clusters->articulate(kin, found);
            }
        if (needs == Needs::upsilon && clusters->upsilon_version != kin.position_version)
            clusters->spread(gains.front());
    }
}

namespace detail {
// Whether D and G are of this; numbers of frame sets are the arena's: by the frames.
template <class S> bool is_of(const BlockArticulation<S>& art, const Plan& plan, Articulated of)
{
    using Of = typename BlockArticulation<S>::Of;
    if (of == Articulated::mass())
        return art.of == Of::mass;
    return of.frame_set() < 0 ? art.of == Of::mass_without_armature
                              : art.of == Of::frames &&
                                    art.frames == plan.frame_sets()[static_cast<std::size_t>(of.frame_set())];
}
} // namespace detail

template <class S> const ClusterGains<S>* Stages<S>::find_gains(const Plan& plan, Articulated of) const
{
    for (const ClusterGains<S>& one : gains)
        if (detail::is_of(one.weights, plan, of))
            return &one;
    return nullptr;
}

template <class S> const BlockArticulation<S>* Stages<S>::find(const Plan& plan, Articulated of) const
{
    if (of == Articulated::mass())
        return &mass;
    for (const BlockArticulation<S>& other : others)
        if (detail::is_of(other, plan, of))
            return &other;
    return nullptr;
}

template <class S> void Stages<S>::articulate(const Plan& plan)
{
    using Of = typename BlockArticulation<S>::Of;
    for (Articulated of : plan.articulated()) {
        if (!find(plan, of)) {
            if (of.frame_set() < 0)
                others.emplace_back(kin.model, Of::mass_without_armature);
            else
                others.emplace_back(kin.model, Of::frames,
                                    plan.frame_sets()[static_cast<std::size_t>(of.frame_set())]);
        }
        BlockArticulation<S>& found = of == Articulated::mass()
                                          ? mass
                                          : others[static_cast<std::size_t>(find(plan, of) - others.data())];
        if (found.position_version != kin.position_version)
            sweepdyn::articulate(kin, found);
    }
}

template <class S> void Stages<S>::sum_up()
{
    composite_inertias(kin, composite);
    whole = {};
    for (Index k : kin.tree().base_to_tip())
        if (kin.body[k].parent == ground)
            whole += shift(composite.R[k], kin.r(k));
}

template <class S> void Stages<S>::spread()
{
    const auto unit = [](int i) {
        Force<S> f{};
        S* const numbers[6] = {&f.n.x, &f.n.y, &f.n.z, &f.f.x, &f.f.y, &f.f.z};
        *numbers[i] = S(1);
        return f;
    };
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& body = kin.body[k];
        const int first = body.first_dof, n = kin.tree().num_dofs(static_cast<int>(k));
        const S* Lk = mass.L.data() + mass.first_block[k];
        for (int c = 0; c < 6; ++c) {
            const Force<S> e = unit(c);
            std::array<S, 6> h{};
            Force<S> f = e; // phi tau_bar e
            for (int j = 0; j < n; ++j) {
                h[j] = dot(kin.H[first + j], e);
                f -= h[j] * mass.G[first + j];
            }
            Motion<S> V{};
            if (body.parent != ground) {
                if (body.shifts)
                    f = Phi<S>{body.l} * f;
                const auto& up = Upsilon[body.parent];
                V = f.n.x * up[0] + f.n.y * up[1] + f.n.z * up[2] + f.f.x * up[3] + f.f.y * up[4] +
                    f.f.z * up[5];
                if (body.shifts)
                    V = PhiAdjoint<S>{body.l} * V;
                Motion<S> turned = V; // tau_bar* phi* ...
                for (int j = 0; j < n; ++j)
                    turned -= dot(mass.G[first + j], V) * kin.H[first + j];
                V = turned;
            }
            sweepdyn::detail::solve_lower(Lk, n, h.data());
            sweepdyn::detail::solve_upper(Lk, n, h.data());
            for (int j = 0; j < n; ++j)
                V += h[j] * kin.H[first + j];
            Upsilon[k][c] = V;
        }
    }
    upsilon_version = kin.position_version;
}

extern template class Stages<double>;

} // namespace sweepdyn::algebra
