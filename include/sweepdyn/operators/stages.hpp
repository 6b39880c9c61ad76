// What a state gives to the operators: columns, shifts, inertias, articulations.
//
//     Upsilon(k) = psi* Upsilon(p) psi + H* D^-1 H                       base to tip   [003 (6.10), 004 (5.5)]
//
// O(bodies + dofs). Allocates nothing but at the first `prepare` of a plan with D and G of its own. Specified by
// tests/laws/identities.cpp.
#pragma once

#include <algorithm>

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {

template <class S>
class Stages {
public:
    // By default about the hinge origins, as the papers have it.
    explicit Stages(const Model& model, Reference reference = Reference::hinges);

    Kinematics<S> kin;
    CompositeInertias<S> composite;
    Inertia<S> whole{}; // of all bodies, rigid, about the world origin
    Articulation<S> columns; // for kernels
    BlockArticulation<S> mass; // D, G, P with armature
    std::vector<BlockArticulation<S>> others;
    std::vector<std::array<Motion<S>, 6>> Upsilon; // columns
    std::uint64_t upsilon_version = 0;

    // Everything that the plan needs, at a state.
    void update(const Plan& plan, std::span<const S> q, std::span<const S> v);
    void update(const Plan& plan, std::span<const S> q);
    // Computes what is missing for the plan, at the state of kin.
    void prepare(const Plan& plan);
    // Its D and G; nothing: never prepared.
    const BlockArticulation<S>* find(const Plan& plan, Articulated of) const;

private:
    void articulate(const Plan& plan);
    void sum_up();
    void spread();
};

template <class S>
Stages<S>::Stages(const Model& model, Reference reference)
    : kin(model, reference),
      composite(model),
      columns(model),
      mass(model),
      Upsilon(static_cast<std::size_t>(model.num_bodies()))
{
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
template <class S> void require_same(const Plan& plan, const Kinematics<S>& kin)
{
    if (!plan.model().same_as(kin.model))
        throw_wrong_model(plan.model(), kin.model);
    if (plan.reference() != kin.reference)
        throw_wrong_reference(plan.reference(), kin.reference);
}
} // namespace detail

template <class S> void Stages<S>::prepare(const Plan& plan)
{
    detail::require_same(plan, kin);
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

template <class S> const BlockArticulation<S>* Stages<S>::find(const Plan& plan, Articulated of) const
{
    using Of = typename BlockArticulation<S>::Of;
    if (of == Articulated::mass())
        return &mass;
    for (const BlockArticulation<S>& other : others) // numbers of frame sets are the arena's: by the frames
        if (of.frame_set() < 0
                ? other.of == Of::mass_without_armature
                : other.of == Of::frames &&
                      other.frames == plan.frame_sets()[static_cast<std::size_t>(of.frame_set())])
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
