// Articulation by whole hinges, as the papers have it: of any H phi X phi* H* + Y, X a symmetric block per body, Y a number per
// dof. X = M and Y = J_a: the articulated inertias.
//
//     D(k) = H P H* + Y = L L*,   G(k) = P H* D^-1,   P+ = P - G D G*,   P(p) += phi P+ phi*     tip to base   [003 (4.4)-(4.6)]
//
// dynamics/forward_dynamics.hpp, which must be fast, eliminates column by column instead. O(bodies + dofs), no allocation after
// construction. Specified by tests/laws/identities.cpp.
#pragma once

#include <array>

#include "sweepdyn/dynamics/singular.hpp"
#include "sweepdyn/kinematics/kinematics.hpp"

namespace sweepdyn {

template <class S>
struct BlockArticulation {
    enum class Of { mass, mass_without_armature, frames };
    explicit BlockArticulation(const Model& model, Of of = Of::mass, std::vector<FrameId> frames = {});

    Of of;
    std::vector<FrameId> frames; // whose unit weights X is made of, if it is
    std::vector<ArticulatedInertia<S>> P; // per body, before its hinge is freed
    std::vector<ArticulatedInertia<S>> R; // the same with all outboard rigid: beside it D counts as zero,
    std::vector<char> at_risk; // on bodies whose own inertia does not promise D > 0
    std::vector<Force<S>> G; // per dof
    std::vector<S> D, L; // per hinge n x n, row by row: D, and its lower Cholesky factor
    std::vector<int> first_block; // of each hinge in D and L
    std::vector<S> D_inverse; // per hinge: 1 / D where it has one dof
    std::uint64_t position_version = 0;

    // y = D^-1 x at hinge k; x and y begin at its first dof and may be the same.
    SWEEPDYN_INLINE void solve_D(const BodyKinematics<S>& body, Index k, const S* x, S* y) const;
};

namespace detail {
// x := L^-1 x and x := L^-T x, for the n x n lower triangle L, row by row.
template <class S> void solve_lower(const S* L, int n, S* x)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j)
            x[i] -= L[i * n + j] * x[j];
        x[i] = x[i] / L[i * n + i];
    }
}
template <class S> void solve_upper(const S* L, int n, S* x)
{
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            x[i] -= L[j * n + i] * x[j];
        x[i] = x[i] / L[i * n + i];
    }
}
// of_frames: of X made of frames' weights, else of inertias.
[[noreturn]] void throw_singular_hinge(const Model& model, int hinge, bool of_frames = false);
} // namespace detail

template <class S>
BlockArticulation<S>::BlockArticulation(const Model& model, Of which, std::vector<FrameId> of_frames)
    : of(which),
      frames(std::move(of_frames)),
      P(static_cast<std::size_t>(model.num_bodies())),
      R(P),
      at_risk(which == Of::frames ? std::vector<char>(P.size(), 1) : detail::bodies_at_risk(model)),
      G(static_cast<std::size_t>(model.num_dofs())),
      D_inverse(static_cast<std::size_t>(model.num_bodies()), S(0))
{
    int size = 0;
    for (int k : model.tree().base_to_tip()) {
        first_block.push_back(size);
        size += model.tree().num_dofs(k) * model.tree().num_dofs(k);
    }
    D.assign(static_cast<std::size_t>(size), S(0));
    L = D;
}

template <class S> SWEEPDYN_INLINE void BlockArticulation<S>::solve_D(const BodyKinematics<S>& body, Index k,
                                                                      const S* x, S* y) const
{
    const int n = static_cast<int>(body.end_dof - body.first_dof);
    if (n == 1) [[likely]] {
        y[0] = D_inverse[k] * x[0];
        return;
    }
    for (int i = 0; i < n; ++i)
        y[i] = x[i];
    detail::solve_lower(L.data() + first_block[k], n, y);
    detail::solve_upper(L.data() + first_block[k], n, y);
}

namespace detail {

// X, into P.
template <class S> void set_weights(const Kinematics<S>& kin, BlockArticulation<S>& art)
{
    for (Index k : kin.tree().base_to_tip())
        art.P[k] = art.of == BlockArticulation<S>::Of::frames ? ArticulatedInertia<S>{}
                                                              : ArticulatedInertia<S>(kin.M[k]);
    const Sym3<S> one = Sym3<S>::diagonal(S(1), S(1), S(1));
    for (FrameId id : art.frames) // phi(k,f) phi*(k,f)
        if (const int k = kin.model.frame_body(id); k != ground) {
            const Vec3<S> origin = transform_point(kin.X_WB(k), cast<S>(kin.model.frame_at(id).X_BF.p));
            art.P[static_cast<std::size_t>(k)] +=
                shift(ArticulatedInertia<S>{one, {}, one}, origin - kin.r(k));
        }
}

} // namespace detail

// Throws RefusedError, which names the hinge, where D has no inverse: beside H R H* + Y, R all outboard rigid, it is zero.
template <class S> void articulate(const Kinematics<S>& kin, BlockArticulation<S>& art)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "articulate", "update_inertias");
    const Tree& tree = kin.tree();
    using Of = typename BlockArticulation<S>::Of;
    const bool armature = art.of == Of::mass;
    // Weights at frames alone leave round-off where nothing is left: 1e-10 of a square is 1e-5 of a length, and after six columns
    // per frame there is nothing whatever D says. Inertias leave at least a body's own.
    const bool of_frames = art.of == Of::frames;
    const double least = of_frames ? 1e-10 : 256 * Precision<S>::epsilon;
    std::size_t freed = 0;
    detail::set_weights(kin, art);
    std::vector<ArticulatedInertia<S>>&P = art.P, &R = art.R;
    std::copy(P.begin(), P.end(), R.begin());
    for (Index k : tree.tip_to_base()) {
        const BodyKinematics<S>& body = kin.body[k];
        const int first = body.first_dof, n = tree.num_dofs(static_cast<int>(k));
        S *D = art.D.data() + art.first_block[k], *L = art.L.data() + art.first_block[k];
        freed += static_cast<std::size_t>(n);
        if (of_frames && freed > 6 * art.frames.size())
            detail::throw_singular_hinge(kin.model, static_cast<int>(k), true);
        std::array<Force<S>, 6> PH; // P H*
        for (int j = 0; j < n; ++j)
            PH[j] = P[k] * kin.H[first + j];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                D[i * n + j] =
                    dot(kin.H[first + i], PH[j]) + (armature && i == j ? kin.armature[first + i] : S(0));
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) { // Cholesky
                S sum = D[i * n + j];
                for (int c = 0; c < j; ++c)
                    sum -= L[i * n + c] * L[j * n + c];
                const auto& [w, v] = kin.H[first + i];
                const S scale = R[k].I.trace() * dot(w, w) + R[k].M.trace() * dot(v, v) + D[i * n + i];
                if (i == j && !(value(sum) > (art.at_risk[k] ? least * value(scale) : 0.0)))
                    detail::throw_singular_hinge(kin.model, static_cast<int>(k), of_frames);
                L[i * n + j] = i == j ? sqrt(sum) : S(sum / L[j * n + j]);
            }
        if (n == 1)
            art.D_inverse[k] = S(1) / D[0];
        // U = P H* L^-T, so that G D G* = U U*; then G = U L^-1.
        std::array<Force<S>, 6> U = PH;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j)
                U[i] -= L[i * n + j] * U[j];
            U[i] = (S(1) / L[i * n + i]) * U[i];
        }
        ArticulatedInertia<S> P_plus = P[k];
        for (int i = 0; i < n; ++i)
            P_plus.rank_one_downdate(U[i], U[i]);
        for (int i = n - 1; i >= 0; --i) {
            Force<S> g = U[i];
            for (int j = i + 1; j < n; ++j)
                g -= L[j * n + i] * art.G[first + j];
            art.G[first + i] = (S(1) / L[i * n + i]) * g;
        }
        if (body.parent != ground) {
            P[body.parent] += body.shifts ? shift(P_plus, body.l) : P_plus;
            R[body.parent] += body.shifts ? shift(R[k], body.l) : R[k];
        }
    }
    art.position_version = kin.position_version;
}

extern template struct BlockArticulation<double>;
extern template struct BlockArticulation<float>;
extern template void articulate(const Kinematics<double>&, BlockArticulation<double>&);
extern template void articulate(const Kinematics<float>&, BlockArticulation<float>&);

} // namespace sweepdyn
