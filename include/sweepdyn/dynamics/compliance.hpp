// Compliances: how a body accelerates under a force on it, everything else free.
//
//     Upsilon(k) = psi*(p,k) Upsilon(p) psi(p,k) + H* D^-1 H              base to tip            [003 (6.10), 004 (5.5), 000 (4.23)]
//
// Column by column, with Up = phi* Upsilon(p) phi:  Z = Up G,  L = D^-1 + G* Z,  Upsilon = Up + L H* H - H* Z* - Z H.
// O(bodies + dofs), no allocation after construction. Before: articulate. Specified by tests/laws/operational_space.cpp.
#pragma once

#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

// A symmetric map of forces to motions. It is kept as the inertia with moments and forces exchanged, whose shift it shares.
template <class S>
struct Compliance {
    ArticulatedInertia<S> exchanged{};

    friend SWEEPDYN_INLINE Motion<S> operator*(const Compliance& C, const Force<S>& F)
    {
        const Force<S> V = C.exchanged * Motion<S>{F.f, F.n};
        return {V.f, V.n};
    }
    // C + a b* + b a*
    SWEEPDYN_INLINE void add_symmetric(const Motion<S>& a, const Motion<S>& b)
    {
        const Force<S> x{a.v, a.w}, y{b.v, b.w};
        exchanged.rank_one_downdate(-x, y);
        exchanged.rank_one_downdate(-y, x);
    }
};
// phi* C phi, l as of phi.
template <class S> SWEEPDYN_INLINE Compliance<S> shift(const Compliance<S>& C, const Vec3<S>& l)
{
    return {shift(C.exchanged, -l)};
}

template <class S>
struct Compliances {
    explicit Compliances(const Model& model)
        : Upsilon(static_cast<std::size_t>(model.num_bodies())),
          U(static_cast<std::size_t>(model.num_dofs())),
          diagonal(static_cast<std::size_t>(model.num_dofs()))
    {
    }
    std::vector<Compliance<S>> Upsilon; // per body
    std::vector<Motion<S>>
        U; // per dof: L H* - Z, what a unit force on the hinge does to the body's acceleration
    std::vector<S> diagonal; // per dof: L, the diagonal of M^-1
    std::uint64_t position_version = 0;
};

namespace detail {
// One body of the sweep; its parent has been there.
template <class S> void spread_compliance(const Kinematics<S>& kin, const Articulation<S>& art, Index k,
                                          Compliances<S>& c)
{
    const BodyKinematics<S>& b = kin.body[k];
    Compliance<S> C{};
    if (b.parent != ground)
        C = b.shifts ? shift(c.Upsilon[b.parent], b.l) : c.Upsilon[b.parent];
    for (Index j : b.dofs()) {
        const Motion<S> Z = C * art.G[j];
        const S L = art.D_inverse[j] + dot(art.G[j], Z);
        c.diagonal[j] = L;
        c.U[j] = L * kin.H[j] - Z;
        C.add_symmetric(kin.H[j], S(0.5) * L * kin.H[j] - Z);
    }
    c.Upsilon[k] = C;
}
} // namespace detail

template <class S> void compliances(const Kinematics<S>& kin, const Articulation<S>& art, Compliances<S>& out)
{
    detail::require_fresh(art.position_version == kin.position_version, "compliances", "articulate");
    require_size("compliances", "out", out.Upsilon.size(), kin.M.size());
    for (Index k : kin.tree().base_to_tip())
        detail::spread_compliance(kin, art, k, out);
    out.position_version = kin.position_version;
}

} // namespace sweepdyn
