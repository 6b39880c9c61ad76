// Hinges as products of steps: the only code that knows what kinds of hinge there are. It is private to kinematics.
//
// A step is a constant placement followed by a motion along or about the z axis of the frame that moves (a ball and a
// free step use all three axes). Every kind of hinge is one step, a universal two, a user's hinge as many as it likes.
// To bring an axis to z a body gets an inner frame I, turned from the user's frame B by a constant; placements,
// inertias and frames are turned once, here, and X_IB turns the answers back.
#pragma once

#include <vector>

#include "sweepdyn/model/model.hpp"
#include "sweepdyn/model/user_hinge.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

enum class StepKind { none, turn, slide, screw, cylinder, plane, ball, free, user };

template <class S>
struct Step {
    StepKind kind = StepKind::none;
    int first_dof = 0, num_dofs = 0, first_coordinate = 0;
    Pose<S> placement{}; // in the inner frame before the step
    S pitch{};
    const UserHinge* user = nullptr;
};

// The frame after a turn, given the frame X before it: the commonest step, with a few products saved.
template <class S> SWEEPDYN_INLINE void turn(const Pose<S>& placement, const Pose<S>& X, const S& angle,
                                             Pose<S>& out)
{
    const Mat3<S>& R0 = placement.R;
    S s, c;
    sincos(angle, s, c);
    out.R.x = X.R * (c * R0.x + s * R0.y);
    out.R.y = X.R * (c * R0.y - s * R0.x);
    out.R.z = X.R * R0.z;
    out.p = X.p + X.R * placement.p;
}

// The frame after a step of any kind.
template <class S> Pose<S> advance(const Step<S>& step, const Pose<S>& X, const S* q)
{
    const Pose<S> X0 = X * step.placement;
    const auto turned = [&](const S& angle) -> Mat3<S> { // R0 rot(z, angle)
        S s, c;
        sincos(angle, s, c);
        return {c * X0.R.x + s * X0.R.y, c * X0.R.y - s * X0.R.x, X0.R.z};
    };
    switch (step.kind) {
    case StepKind::none: return X0;
    case StepKind::turn: return {turned(q[0]), X0.p};
    case StepKind::slide: return {X0.R, X0.p + q[0] * X0.R.z};
    case StepKind::screw: return {turned(q[0]), X0.p + (step.pitch * q[0]) * X0.R.z};
    case StepKind::cylinder: return {turned(q[0]), X0.p + q[1] * X0.R.z};
    case StepKind::plane: return {turned(q[0]), X0.p + q[1] * X0.R.x + q[2] * X0.R.y};
    case StepKind::ball: return {X0.R * rotation_matrix(Quaternion<S>{q[0], q[1], q[2], q[3]}), X0.p};
    case StepKind::free:
        return {X0.R * rotation_matrix(Quaternion<S>{q[0], q[1], q[2], q[3]}),
                X0.p + X0.R * Vec3<S>{q[4], q[5], q[6]}};
    case StepKind::user: break;
    }
    return X0 * step.user->template functions<S>().pose({q, static_cast<std::size_t>(step.num_dofs)});
}

// By how much a step moves the origin, given the axes R of the frame before it: of the pose that advance() gives.
template <class S> Vec3<S> travel(const Step<S>& step, const Mat3<S>& R, const S* q)
{
    const Mat3<S>& R0 = step.placement.R;
    switch (step.kind) {
    case StepKind::none:
    case StepKind::turn:
    case StepKind::ball: return R * step.placement.p;
    case StepKind::slide: return R * (step.placement.p + q[0] * R0.z);
    case StepKind::screw: return R * (step.placement.p + (step.pitch * q[0]) * R0.z);
    case StepKind::cylinder: return R * (step.placement.p + q[1] * R0.z);
    case StepKind::plane: return R * (step.placement.p + q[1] * R0.x + q[2] * R0.y);
    case StepKind::free: return R * (step.placement.p + R0 * Vec3<S>{q[4], q[5], q[6]});
    case StepKind::user: break;
    }
    const Pose<S> X = step.user->template functions<S>().pose({q, static_cast<std::size_t>(step.num_dofs)});
    return R * (step.placement.p + R0 * X.p);
}

// The columns of H* of a step in world axes about the point r, given the frame X after the step.
template <class S> void columns(const Step<S>& step, const Pose<S>& X, const Vec3<S>& r, const S* q,
                                Motion<S>* H)
{
    const Vec3<S> zero{}, d = X.p - r;
    const auto turn = [&](const Vec3<S>& h) { return Motion<S>{h, cross(d, h)}; };
    const auto slide = [&](const Vec3<S>& h) { return Motion<S>{zero, h}; };
    switch (step.kind) {
    case StepKind::none: break;
    case StepKind::turn: H[0] = turn(X.R.z); break;
    case StepKind::slide: H[0] = slide(X.R.z); break;
    case StepKind::screw: H[0] = turn(X.R.z) + slide(step.pitch * X.R.z); break;
    case StepKind::cylinder: H[0] = turn(X.R.z), H[1] = slide(X.R.z); break;
    case StepKind::plane: H[0] = turn(X.R.z), H[1] = slide(X.R.x), H[2] = slide(X.R.y); break;
    case StepKind::free: H[3] = slide(X.R.x), H[4] = slide(X.R.y), H[5] = slide(X.R.z); [[fallthrough]];
    case StepKind::ball: H[0] = turn(X.R.x), H[1] = turn(X.R.y), H[2] = turn(X.R.z); break;
    case StepKind::user: {
        const auto n = static_cast<std::size_t>(step.num_dofs);
        step.user->template functions<S>().columns({q, n}, {H, n});
        for (std::size_t i = 0; i < n; ++i)
            H[i] = PhiAdjoint<S>{-d} * rotate(X.R, H[i]);
    }
    }
}

// What one body contributes, in its inner frame.
template <class S>
struct BodyConstants {
    Index parent = ground;
    Index first_dof = 0, end_dof = 0;
    Index first_step = 0, end_step = 0;
    Index one_turn = -1; // where the hinge is a single turn: its coordinate, else -1
    Pose<S> placement{}; // of the first step
    S mass{};
    Vec3<S> com{};
    Sym3<S> inertia_com{};
    Pose<S> X_IB{}; // the user's body frame in the inner frame

    Up dofs() const { return {first_dof, end_dof}; }
    Down dofs_reversed() const { return {first_dof, end_dof}; }
};

template <class S>
struct CompiledHinges {
    std::vector<Step<S>> steps;
    std::vector<BodyConstants<S>> bodies;
};

// Turns every body so that its hinge moves along z, in double, then casts to S.
template <class S> CompiledHinges<S> compile_hinges(const Model& model)
{
    CompiledHinges<S> compiled;
    std::vector<Pose<double>> X_BI(
        static_cast<std::size_t>(model.num_bodies())); // inner frame in the user's body frame
    for (int k : model.tree().base_to_tip()) {
        const Hinge& hinge = model.hinges()[k];
        const Body& body = model.bodies()[k];
        const int parent = model.tree().parent[k];
        BodyConstants<S> out;
        out.parent = parent;
        out.first_step = static_cast<int>(compiled.steps.size());
        int dof = model.tree().first_dof[k], coordinate = model.tree().first_coordinate[k];
        // X_last: from the inner frame before the step to the frame in which the next axis is written.
        Pose<double> X_last = (parent == ground ? Pose<double>{} : inverse(X_BI[parent])) * hinge.X_PF;
        const auto add = [&](StepKind kind, int dofs, int coordinates, const Mat3<double>& axes,
                             double pitch = 0.0) {
            Step<S> step;
            step.kind = kind;
            step.first_dof = dof, step.num_dofs = dofs, step.first_coordinate = coordinate;
            step.placement = cast<S>(X_last * Pose<double>{axes, {}});
            step.pitch = S(pitch);
            step.user = hinge.user.get();
            compiled.steps.push_back(step);
            dof += dofs, coordinate += coordinates;
            X_last = Pose<double>{transpose(axes), {}};
        };
        const Mat3<double> one = Mat3<double>::identity();
        switch (hinge.kind) {
        case HingeKind::weld: add(StepKind::none, 0, 0, one); break;
        case HingeKind::revolute:
        case HingeKind::continuous: add(StepKind::turn, 1, 1, frame_with_z(hinge.axis)); break;
        case HingeKind::prismatic: add(StepKind::slide, 1, 1, frame_with_z(hinge.axis)); break;
        case HingeKind::helical: add(StepKind::screw, 1, 1, frame_with_z(hinge.axis), hinge.pitch); break;
        case HingeKind::cylindrical: add(StepKind::cylinder, 2, 2, frame_with_z(hinge.axis)); break;
        case HingeKind::planar: add(StepKind::plane, 3, 3, frame_with_z(hinge.axis)); break;
        case HingeKind::spherical: add(StepKind::ball, 3, 4, one); break;
        case HingeKind::free: add(StepKind::free, 6, 7, one); break;
        case HingeKind::universal:
            add(StepKind::turn, 1, 1, frame_with_z(hinge.axis));
            add(StepKind::turn, 1, 1, frame_with_z(hinge.axis2));
            break;
        case HingeKind::user:
            if (hinge.user)
                add(StepKind::user, hinge.user->dofs(), hinge.user->dofs(), one);
            for (const HingeStep& step : hinge.steps) {
                X_last = X_last * step.placement;
                const StepKind kind = step.motion == HingeStep::Motion::turn    ? StepKind::turn
                                      : step.motion == HingeStep::Motion::slide ? StepKind::slide
                                                                                : StepKind::screw;
                add(kind, 1, 1, frame_with_z(step.axis), step.pitch);
            }
        }
        // After the last step: inner frame I, X_last = X_IM, and X_IB = X_IM X_MB.
        const Pose<double> X_IB = X_last * inverse(hinge.X_CM);
        X_BI[k] = inverse(X_IB);
        out.end_step = static_cast<int>(compiled.steps.size());
        out.first_dof = model.tree().first_dof[k], out.end_dof = dof;
        out.placement = compiled.steps[out.first_step].placement;
        if (out.end_step - out.first_step == 1 && compiled.steps.back().kind == StepKind::turn)
            out.one_turn = compiled.steps.back().first_coordinate;
        out.mass = S(body.mass);
        out.com = cast<S>(transform_point(X_IB, body.com));
        out.inertia_com = cast<S>(rotate(X_IB.R, body.inertia_com));
        out.X_IB = cast<S>(X_IB);
        compiled.bodies.push_back(out);
    }
    return compiled;
}

} // namespace sweepdyn
