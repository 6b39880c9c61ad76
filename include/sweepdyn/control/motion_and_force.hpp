// Motion and force of frames together: hinge forces under which the frames accelerate as wanted while given wrenches act on them.
//
//     v_dot = a0 + M^-1 J* Omega^+ (x_dd - Jdot v - J a0),   Omega = J M^-1 J*         a0: what the spare motion should do
//     T = inverse dynamics of v_dot, with the wrenches w on the frames
//
// Feedback linearizing: whatever x_dd is chosen, errors obey it. Where the contacts leave no other choice of forces, w is what they then carry.
// No matrix of the robot's size: O(bodies + dofs) and the solve with Omega, rank revealed. No allocation.
// Before: update(kin, q, v), update_inertias, articulate. Specified by tests/laws/contact_control.cpp.
//
// Two uses. Hybrid control on a surface: x_dd along the surface, w against the normal (and friction). Several arms on one object (held_object_forces):
//     w(C) = M(C) alpha(C) + b(C),   f_i = phi^-1(C, O_i) (share_i w(C)) + internal_i,   sum of phi internal_i = 0            [003 II; 004 section 6]
//     x_dd_i = phi*(C, O_i) alpha(C) + a_i,   w_i = -f_i
#pragma once

#include "sweepdyn/closed/held_object.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"

namespace sweepdyn {

struct MotionAndForce {
    MotionAndForce(const Model& model, std::vector<FrameId> frames)
        : space(model, std::move(frames)),
          factor(space.size()),
          x_dd(space.frames.size()),
          w(space.frames.size()),
          x(static_cast<std::size_t>(space.size())),
          v_dot(static_cast<std::size_t>(model.num_dofs())),
          correction(v_dot.size()),
          external(static_cast<std::size_t>(model.num_bodies())),
          scratch(model)
    {
    }
    OperationalSpace<double> space;
    Semidefinite<double> factor;
    // Wanted, per frame: classical acceleration, and the wrench that acts on the frame; world axes, about its origin.
    std::vector<Motion<double>> x_dd;
    std::vector<Force<double>> w;
    std::vector<double> x, v_dot, correction; // v_dot: the accelerations that T is for
    std::vector<Force<double>> external;
    BodyForces<double> scratch;
};

// a0 may be empty: zero. T of bodies that no frame is on is that of their motion a0.
inline void motion_and_force(const Kinematics<double>& kin, const Articulation<double>& art,
                             std::span<const double> a0, MotionAndForce& c, std::span<double> T)
{
    require_size("motion_and_force", "T", T.size(), kin.v.size());
    if (a0.empty())
        std::fill(c.v_dot.begin(), c.v_dot.end(), 0.0);
    else {
        require_size("motion_and_force", "a0", a0.size(), kin.v.size());
        std::copy(a0.begin(), a0.end(), c.v_dot.begin());
    }
    operational_space(kin, art, c.space);
    for (std::size_t i = 0; i < c.x_dd.size(); ++i) { // x_dd - Jdot v - J a0
        const Motion<double> rest = c.x_dd[i] - frame_acceleration<double>(kin, c.space.frames[i], c.v_dot);
        for (int k = 0; k < 3; ++k) {
            c.x[6 * i + static_cast<std::size_t>(k)] = rest.w[k];
            c.x[6 * i + 3 + static_cast<std::size_t>(k)] = rest.v[k];
        }
    }
    c.factor.factor(c.space.Omega.data(), c.space.size(), c.space.size());
    c.factor.solve(c.x);
    std::fill(c.external.begin(), c.external.end(), Force<double>{});
    for (std::size_t i = 0; i < c.x_dd.size(); ++i) {
        const double* x = c.x.data() + 6 * i;
        add_external_wrench<double>(kin, c.space.frames[i], {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}},
                                    WrenchAxes::world, c.external);
    }
    tip_force_correction<double>(kin, art, c.external, c.correction, c.scratch); // M^-1 J* Omega^+ (...)
    for (std::size_t j = 0; j < c.v_dot.size(); ++j)
        c.v_dot[j] += c.correction[j];
    std::fill(c.external.begin(), c.external.end(), Force<double>{});
    for (std::size_t i = 0; i < c.w.size(); ++i)
        add_external_wrench<double>(kin, c.space.frames[i], c.w[i], WrenchAxes::world, c.external);
    inverse_dynamics<double>(kin, c.v_dot, T, c.scratch, c.external);
}

// What the arms must do for the object to accelerate with alpha_C (classical, about C): fills x_dd and w. share: how much of the load each arm
// takes, of their sum; internal: forces on the object about the tips, of which what would move it is taken away, arm by arm as the shares.
// The frames of c are the tips.
inline void held_object_forces(const Kinematics<double>& kin, const HeldObject<double>& object,
                               const Motion<double>& alpha_C, std::span<const double> share,
                               std::span<const Force<double>> internal, MotionAndForce& c)
{
    require_size("held_object_forces", "share", share.size(), c.x_dd.size());
    require_size("held_object_forces", "internal", internal.size(), c.x_dd.size());
    const Vec3<double>& w = object.V.w;
    // w(C) = M(C) (alpha + A0) + [w x J w; w x (w x h)] - external
    Force<double> load = object.M * (alpha_C + kin.A0) +
                         Force<double>{cross(w, object.M.J * w), cross(w, cross(w, object.M.h))} - object.w;
    double all = 0.0;
    for (std::size_t i = 0; i < share.size(); ++i)
        all += share[i];
    if (!(all > 0.0))
        throw UsageError("held_object_forces: the shares sum to " + number_text(all) + ", expected above 0");
    for (std::size_t i = 0; i < share.size(); ++i) // what the internal forces would move is part of the load
        load -= Phi<double>{frame_pose(kin, c.space.frames[i]).p - object.C} * internal[i];
    for (std::size_t i = 0; i < share.size(); ++i) {
        const Vec3<double> l = frame_pose(kin, c.space.frames[i]).p - object.C;
        c.w[i] = -(Phi<double>{-l} * ((share[i] / all) * load) + internal[i]);
        c.x_dd[i] = PhiAdjoint<double>{l} * alpha_C;
        c.x_dd[i].v += cross(w, cross(w, l));
    }
}

} // namespace sweepdyn
