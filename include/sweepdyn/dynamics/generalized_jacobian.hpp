// The generalized Jacobian of a free-floating mechanism: how a frame moves per hinge rate when nothing pushes on the floating base, so that
// the momentum of its tree stays zero and the base gives way.
//
//     0 = R V_b + sum over hinges phi(c,k) R(k) H* v,     V_b about c, the tree's centre of mass, R its inertia held rigid there
//     V(F) = phi'(c,F) V_b + sum over the path phi'(k,F) H* v = J_g v                                  [001]
//
// The base's own rates have no part in it: their columns are zero, their forces too. With a momentum h that is kept, add the motion
// phi'(c,F) R^-1 h to V(F). Frames of other trees move as ever.
// One application, or that of the adjoint, is O(bodies + dofs); so is the matrix, as its columns are six numbers each. No
// allocation. Before: update(kin, q), update_inertias, composite_inertias. Specified by tests/laws/whole_system.cpp.
#pragma once

#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {
namespace detail {

// The tree that gives way, held rigid.
template <class S>
struct GivingWay {
    Index base;
    Vec3<S> c{};
    Inertia<S> R{}; // about c
    S terms{};

    // R^-1 h, about c.
    Motion<S> velocity(const Force<S>& h) const { return rigid_velocity(R, h, terms); }
};
template <class S> GivingWay<S> giving_way(const char* function, const Kinematics<S>& kin,
                                           const CompositeInertias<S>& composite)
{
    const auto base = kin.model.floating_base();
    if (!base)
        throw_no_floating_base(function, kin.model);
    require_fresh(composite.position_version == kin.position_version, function, "composite_inertias");
    const Index b = *base;
    const Vec3<S> c = center_of(system_inertia(kin, {}, b));
    return {b, c, system_inertia(kin, c, b), inertia_terms(kin, c, b)};
}
// Whether the frame's body moves with the base.
template <class S> bool gives_way(const Kinematics<S>& kin, Index base, FrameId frame)
{
    const Index k = kin.model.frame_body(frame);
    return k != ground && kin.tree().root[k] == base;
}

} // namespace detail

// J is 6 x dofs, column by column.
template <class S> void generalized_jacobian(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                             FrameId frame, std::span<S> J,
                                             FrameAxes axes = FrameAxes::world_aligned)
{
    const detail::GivingWay<S> tree = detail::giving_way("generalized_jacobian", kin, composite);
    frame_jacobian(kin, frame, J, axes);
    if (!detail::gives_way(kin, tree.base, frame))
        return;
    const Pose<S> X_WF = frame_pose(kin, frame);
    for (Index k : kin.tree().base_to_tip())
        if (kin.tree().root[k] == tree.base)
            for (Index j : kin.body[k].dofs()) {
                S* out = J.data() + 6 * j;
                if (k == tree.base) {
                    std::fill(out, out + 6, S(0));
                    continue;
                }
                const Motion<S> V = detail::in_axes(
                    X_WF,
                    PhiAdjoint<S>{X_WF.p - tree.c} *
                        tree.velocity(Phi<S>{kin.r(k) - tree.c} * (composite.R[k] * kin.H[j])),
                    axes);
                out[0] -= V.w.x, out[1] -= V.w.y, out[2] -= V.w.z;
                out[3] -= V.v.x, out[4] -= V.v.y, out[5] -= V.v.z;
            }
}

// J_g v, without the matrix.
template <class S> Motion<S> generalized_velocity(const Kinematics<S>& kin,
                                                  const CompositeInertias<S>& composite, FrameId frame,
                                                  std::span<const S> v,
                                                  FrameAxes axes = FrameAxes::world_aligned)
{
    const detail::GivingWay<S> tree = detail::giving_way("generalized_velocity", kin, composite);
    require_size("generalized_velocity", "v", v.size(), kin.H.size());
    const Pose<S> X_WF = frame_pose(kin, frame);
    Motion<S> V{};
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent)
        if (k != tree.base)
            for (Index j : kin.body[k].dofs())
                V += v[j] * (PhiAdjoint<S>{X_WF.p - kin.r(k)} * kin.H[j]);
    if (detail::gives_way(kin, tree.base, frame)) {
        Force<S> h{};
        for (Index k : kin.tree().base_to_tip())
            if (kin.tree().root[k] == tree.base && k != tree.base) {
                Motion<S> dV{};
                for (Index j : kin.body[k].dofs())
                    dV += v[j] * kin.H[j];
                h += Phi<S>{kin.r(k) - tree.c} * (composite.R[k] * dV);
            }
        V -= PhiAdjoint<S>{X_WF.p - tree.c} * tree.velocity(h);
    }
    return detail::in_axes(X_WF, V, axes);
}

// T = J_g* w: the hinge forces that hold against a wrench w at the frame, world axes, about its origin, while the base gives way.
template <class S> void generalized_forces(const Kinematics<S>& kin, const CompositeInertias<S>& composite,
                                           FrameId frame, const Force<S>& wrench, std::span<S> T)
{
    const detail::GivingWay<S> tree = detail::giving_way("generalized_forces", kin, composite);
    require_size("generalized_forces", "T", T.size(), kin.H.size());
    const Pose<S> X_WF = frame_pose(kin, frame);
    Motion<S> U{}; // the giving way, R^-1 phi(c,F) w
    if (detail::gives_way(kin, tree.base, frame))
        U = tree.velocity(Phi<S>{X_WF.p - tree.c} * wrench);
    for (Index k : kin.tree().base_to_tip()) {
        const bool gives = kin.tree().root[k] == tree.base && k != tree.base;
        const Force<S> RU = gives ? composite.R[k] * (PhiAdjoint<S>{kin.r(k) - tree.c} * U) : Force<S>{};
        for (Index j : kin.body[k].dofs())
            T[j] = -dot(kin.H[j], RU);
    }
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent)
        if (k != tree.base)
            for (Index j : kin.body[k].dofs())
                T[j] += dot(kin.H[j], Phi<S>{X_WF.p - kin.r(k)} * wrench);
}

} // namespace sweepdyn
