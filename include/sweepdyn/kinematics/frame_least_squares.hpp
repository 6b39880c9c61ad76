// Least squares over frames by sweeps: (J* W J + Lambda) x = T, and the inverse of J* W J, without forming either.
//
// J* W J is the mass matrix of a mechanism whose frames carry weights (jacobian_adjoint_jacobian.hpp), and damping Lambda stands
// where armature does; so the factorisation of forward dynamics holds, with P starting as B W B*:
//
//     articulate_frames   tip to base:  D = H P H* + Lambda,  G = P H* D^-1,  P+ = P - G D G*,  P(p) += phi P+ phi*
//     (J* W J + Lambda)^-1 = (I - H psi K)* D^-1 (I - H psi K)                                        [003 theorem 4.1, M = B W B*]
//     solve_least_squares tip to base:  eps = T - H z,  z+ = z + G eps,  z(p) += phi z+
//                         base to tip:  x = D^-1 eps - G* lambda,  lambda += H* x
//
// A held dof has x given: P+ = P, z+ = z + P H* x. Where D vanishes, no damping being there, hinges move the frames alike:
// (I - H psi K)* applied to that dof's unit vector is the motion that leaves all frames where they are, and names them.
// Cost: O(bodies + dofs) each, the inverse O(dofs (bodies + dofs)). Allocates nothing after construction.
// Specified by tests/laws/jacobian_family.cpp.
#pragma once

#include <string>

#include "sweepdyn/kinematics/jacobian_adjoint_jacobian.hpp"

namespace sweepdyn {

template <class S>
struct FrameLeastSquares {
    explicit FrameLeastSquares(const Model& model);

    std::vector<S> damping; // Lambda, per dof; zero unless set
    std::vector<char> held; // per dof; no unless set
    std::vector<Index> bodies; // base to tip: those that may carry weights; all unless set
    // By articulate_frames.
    std::vector<S> D_inverse; // per dof, 0 where held or singular
    std::vector<Force<S>> G; // per dof; P H* where held
    std::vector<int> singular; // dofs without damping whose D vanishes, tip to base; room for all is reserved
    std::uint64_t position_version = 0;
    // Scratch.
    PerBody<ArticulatedInertia<S>> P;
    PerBody<Force<S>> z;
    PerBody<Motion<S>> lambda;
};

template <class S>
FrameLeastSquares<S>::FrameLeastSquares(const Model& model)
    : P(model.num_bodies(), ArticulatedInertia<S>{}),
      z(model.num_bodies(), {}),
      lambda(model.num_bodies(), {})
{
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    damping.assign(dofs, S(0));
    held.assign(dofs, 0);
    D_inverse.assign(dofs, detail::poison<S>());
    G.assign(dofs, {detail::poison3<S>(), detail::poison3<S>()});
    singular.reserve(dofs);
    for (Index k : model.tree().base_to_tip())
        bodies.push_back(k);
}

// Before: weights.W; and weights.R where a dof has no damping, as the scale beside which its D counts as zero.
template <class S>
void articulate_frames(const Kinematics<S>& kin, const FrameWeights<S>& weights, FrameLeastSquares<S>& ls)
{
    require_size("articulate_frames", "ls", ls.G.size(), kin.H.size());
    ls.position_version = kin.position_version;
    ls.singular.clear();
    for (Index k : ls.bodies)
        ls.P[k] = weights.W[k];
    for (auto at = ls.bodies.rbegin(); at != ls.bodies.rend(); ++at) {
        const Index k = *at;
        const BodyKinematics<S>& b = kin.body[k];
        ArticulatedInertia<S> P = ls.P[k];
        for (Index j : b.dofs_reversed()) {
            const Force<S> PH = P * kin.H[j];
            if (ls.held[j]) {
                ls.D_inverse[j] = S(0);
                ls.G[j] = PH;
                continue;
            }
            const S HPH = dot(kin.H[j], PH);
            const auto damped = ls.damping[j] > S(0);
            auto regular = damped;
            if (!all(damped)) { // D counts as zero beside its terms with all hinges outboard rigid
                const auto& [w, v] = kin.H[j];
                const S scale = weights.R[k].I.trace() * dot(w, w) + weights.R[k].M.trace() * dot(v, v);
                regular = HPH > S(256 * Precision<S>::epsilon) * scale;
            }
            const S D = max(HPH, S(0)) + ls.damping[j]; // damping enters D only
            ls.D_inverse[j] = select(regular, S(1) / select(regular, D, S(1)), S(0));
            ls.G[j] = ls.D_inverse[j] * PH;
            P.rank_one_downdate(ls.G[j], PH); // P+ = P - G D G*
            if (!all(regular))
                ls.singular.push_back(static_cast<int>(j));
        }
        if (b.parent != ground)
            ls.P[b.parent] += b.shifts ? shift(P, b.l) : P; // phi P+ phi*
    }
}

// x = (J* W J + Lambda)^-1 T; x may be T itself. x of held dofs is read, x of bodies not listed is left alone.
template <class S>
void solve_least_squares(const Kinematics<S>& kin, FrameLeastSquares<S>& ls, std::span<const S> T,
                         std::span<S> x)
{
    detail::require_fresh(ls.position_version == kin.position_version, "solve_least_squares",
                          "articulate_frames");
    require_size("solve_least_squares", "T", T.size(), kin.H.size());
    require_size("solve_least_squares", "x", x.size(), kin.H.size());
    for (Index k : ls.bodies)
        ls.z[k] = {};
    for (auto at = ls.bodies.rbegin(); at != ls.bodies.rend(); ++at) {
        const BodyKinematics<S>& b = kin.body[*at];
        Force<S> z = ls.z[*at];
        for (Index j : b.dofs_reversed()) {
            const S eps = ls.held[j] ? x[j] : T[j] - dot(kin.H[j], z); // (I - H psi K) T
            if (!ls.held[j])
                x[j] = ls.D_inverse[j] * eps; // nu = D^-1 eps
            z += eps * ls.G[j]; // z+ = z + G eps, or z + P H* x
        }
        ls.z[b.parent] += b.shifts ? Phi<S>{b.l} * z : z;
    }
    ls.lambda[ground] = {};
    for (Index k : ls.bodies) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = ls.lambda[b.parent];
        if (b.shifts)
            lambda = PhiAdjoint<S>{b.l} * lambda;
        for (Index j : b.dofs()) {
            if (!ls.held[j])
                x[j] -= dot(lambda, ls.G[j]); // x = (I - H psi K)* nu
            lambda += x[j] * kin.H[j];
        }
        ls.lambda[k] = lambda;
    }
}

namespace detail {
// x = (I - H psi K)* applied to the unit vector of a dof: it moves by one, and those outboard so that the frames move least;
// ls.lambda becomes the motion of the bodies, whose weight is D.
template <class S>
void least_motion(const Kinematics<S>& kin, FrameLeastSquares<S>& ls, Index dof, std::span<S> x)
{
    ls.lambda[ground] = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> lambda = b.shifts ? PhiAdjoint<S>{b.l} * ls.lambda[b.parent] : ls.lambda[b.parent];
        for (Index j : b.dofs()) {
            x[j] = j == dof ? S(1) : -dot(lambda, ls.G[j]);
            lambda += x[j] * kin.H[j];
        }
        ls.lambda[k] = lambda;
    }
}

// Throws RefusedError: which hinges move the frames alike, or none of them. One row of rates, of those that leave all frames
// where they are, for each singular dof.
[[noreturn]] void throw_alike(const Model& model, std::span<const FrameId> frames,
                              const std::vector<std::vector<double>>& still, const char* function);

template <class S>
[[noreturn]] void throw_singular_frames(const Kinematics<S>& kin, std::span<const WeightedFrame<S>> frames,
                                        FrameLeastSquares<S>& ls, const char* function)
{
    std::vector<std::vector<double>> still;
    std::vector<S> x(kin.H.size());
    for (int dof : ls.singular) {
        least_motion<S>(kin, ls, dof, x);
        still.emplace_back();
        for (const S& rate : x)
            still.back().push_back(value(rate));
    }
    std::vector<FrameId> ids;
    for (const WeightedFrame<S>& frame : frames)
        ids.push_back(frame.frame);
    throw_alike(kin.model, ids, still, function);
}
} // namespace detail

// (J* W J)^-1, dofs x dofs. Throws RefusedError where hinges move the frames alike, or not at all, naming them.
template <class S>
void inverse_jacobian_adjoint_jacobian(const Kinematics<S>& kin, std::span<const WeightedFrame<S>> frames,
                                       std::span<S> out, FrameWeights<S>& weights, FrameLeastSquares<S>& ls)
{
    const std::size_t n = kin.H.size();
    require_size("inverse_jacobian_adjoint_jacobian", "out", out.size(), n * n);
    set_weights(kin, frames, weights);
    composite_weights(kin, weights);
    articulate_frames(kin, weights, ls);
    // D is made up by round-off where the motion that it is the weight of, measured at the frames, does not weigh that.
    for (std::size_t j = 0; j < n && ls.singular.empty(); ++j) {
        detail::least_motion<S>(kin, ls, static_cast<Index>(j), out.subspan(n * j, n));
        S D(0);
        for (const auto& [frame, angular, linear] : frames) {
            const Index k = kin.model.frame_body(frame);
            const Motion<S> V = PhiAdjoint<S>{frame_pose(kin, frame).p - kin.r(k)} * ls.lambda[k];
            D += angular * dot(V.w, V.w) + linear * dot(V.v, V.v);
        }
        if (!all(abs(D * ls.D_inverse[j] - S(1)) < S(0.1)))
            ls.singular.push_back(static_cast<int>(j));
    }
    if (!ls.singular.empty())
        detail::throw_singular_frames(kin, frames, ls, "inverse_jacobian_adjoint_jacobian");
    for (std::size_t i = 0; i < n; ++i) { // column by column
        const std::span<S> column = out.subspan(n * i, n);
        for (S& entry : column)
            entry = S(0);
        column[i] = S(1);
        solve_least_squares<S>(kin, ls, column, column);
    }
}

} // namespace sweepdyn
