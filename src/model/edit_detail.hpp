// What editing needs to know of one hinge at one state: the displacement X_FM(q) and the twist of M in F.
// Kinematics has the same for its sweeps; this is for a walk along a path, in double, without a workspace.
#pragma once

#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/user_hinge.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::detail {

inline std::string called(const Hinge& hinge)
{
    return "hinge " + quoted(hinge.name) + " (" + std::string(name(hinge.kind)) + ")";
}

inline void remark(ModelBuilder& builder, std::string text)
{
    builder.add_note({Note::Kind::remark, std::move(text)});
}

// Two bodies as one, the other placed at X in the axes of the first; about their common centre
//     J = J1 + J2 - mu d~ d~,   mu = m1 m2 / (m1 + m2),   d from the one centre to the other.
inline void add_rigidly(Body& body, const Body& other, const Pose<double>& X)
{
    const Vec3<double> d = transform_point(X, other.com) - body.com;
    const double total = body.mass + other.mass, share = total > 0.0 ? other.mass / total : 0.0;
    body.inertia_com += Inertia<double>::about_point(body.mass * share, d, rotate(X.R, other.inertia_com)).J;
    body.com += share * d;
    body.mass = total;
}

// The hinge as a product of one-dof steps; planar, spherical, free hinges and user functions are none.
inline std::vector<HingeStep> steps_of(const Hinge& hinge)
{
    using Motion = HingeStep::Motion;
    switch (hinge.kind) {
    case HingeKind::revolute:
    case HingeKind::continuous: return {{Motion::turn, hinge.axis}};
    case HingeKind::prismatic: return {{Motion::slide, hinge.axis}};
    case HingeKind::helical: return {{Motion::screw, hinge.axis, hinge.pitch}};
    case HingeKind::cylindrical: return {{Motion::turn, hinge.axis}, {Motion::slide, hinge.axis}};
    case HingeKind::universal: return {{Motion::turn, hinge.axis}, {Motion::turn, hinge.axis2}};
    default: return hinge.steps;
    }
}
inline Motion<double> column(const HingeStep& step)
{
    switch (step.motion) {
    case HingeStep::Motion::turn: return {step.axis, {}};
    case HingeStep::Motion::slide: return {{}, step.axis};
    case HingeStep::Motion::screw: break;
    }
    return {step.axis, step.pitch * step.axis};
}
// Placement, then the motion: a column is a twist along its own axis, so the exponential is the displacement.
inline Pose<double> advance(const HingeStep& step, double q)
{
    return step.placement * exp_pose(q * column(step));
}

inline Pose<double> displacement(const Hinge& hinge, const double* q)
{
    switch (hinge.kind) {
    case HingeKind::planar: {
        const Mat3<double> F = frame_with_z(hinge.axis);
        return {rotation_about(hinge.axis, q[0]), q[1] * F.x + q[2] * F.y};
    }
    case HingeKind::spherical: return {rotation_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}), {}};
    case HingeKind::free:
        return {rotation_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}), {q[4], q[5], q[6]}};
    default: break;
    }
    if (hinge.kind == HingeKind::user && hinge.user)
        return hinge.user->functions<double>().pose({q, static_cast<std::size_t>(num_coordinates(hinge))});
    Pose<double> X_FM;
    for (const HingeStep& step : steps_of(hinge))
        X_FM = X_FM * advance(step, *q++);
    return X_FM;
}

// One motion, seen about the origin and in the axes of A, then of B.
inline Motion<double> seen_from(const Pose<double>& X_AB, const Motion<double>& V_A)
{
    return rotate_back(X_AB.R, PhiAdjoint<double>{X_AB.p} * V_A);
}

// Of M in F, about the origin and in the axes of M. Not for user functions.
inline Motion<double> twist(const Hinge& hinge, const double* q, const double* v)
{
    switch (hinge.kind) {
    case HingeKind::planar: {
        const Mat3<double> F = frame_with_z(hinge.axis);
        return {v[0] * hinge.axis, v[1] * F.x + v[2] * F.y};
    }
    case HingeKind::spherical: return {{v[0], v[1], v[2]}, {}};
    case HingeKind::free: return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    default: break;
    }
    Motion<double> V;
    for (const HingeStep& step : steps_of(hinge))
        V = seen_from(advance(step, *q++), V) + *v++ * column(step);
    return V;
}

} // namespace sweepdyn::detail
