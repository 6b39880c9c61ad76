// Motion and force of frames together: hinge forces under which the frames accelerate as wanted while given wrenches act on them.
//
//     v_dot = a0 + M^-1 J* Omega^+ (x_dd - Jdot v - J a0),   Omega = J M^-1 J*         a0: what the spare motion should do
//     T = inverse dynamics of v_dot, with the wrenches w on the frames
//
// Feedback linearizing: whatever x_dd is chosen, errors obey it. Where the contacts leave no other choice of forces, w is what they then carry.
// No matrix of the robot's size: O(bodies + dofs) and the solve with Omega, rank revealed. No allocation.
// Before: update(kin, q, v), update_inertias, articulate. Specified by tests/laws/contact_control.cpp.
//
// Two uses. Hybrid control on a surface: x_dd along the surface, w against the normal (and friction). Several arms on one object:
// held_object_forces.hpp.
#pragma once

#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/operational_space.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"

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
    Semidefinite<double> factor, of_object{6};
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
    if (!kin.model.loops().empty())
        throw UsageError("motion_and_force: model '" + kin.model.name() +
                         "' has loops of its own, expected a tree; contacts of a Grasp may stand beside it");
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

} // namespace sweepdyn
