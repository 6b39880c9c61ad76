// Editing: functions that make a new model from another.
//
// What an edit decides on the way stands among the new model's notes, as remarks; what its file gave
// cause to say of the old model stays.
// What cannot be carried over exactly is refused: ModelError names all of it at once. Unknown names and wrong sizes
// are UsageErrors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// Each named hinge becomes a weld at its displacement in q, a full configuration. Names stay.
// In couplings locked dofs are constants. A linear one with a single dof left carries the lock to it, at the displacement that it
// asks for, and goes; so does a loop between bodies that no longer move against one another.
Model lock_hinges(const Model& model, std::span<const std::string> hinge_names, std::span<const double> q);

// The body and all that hangs on it. Its own hinge, whose name stays, becomes a weld or a free hinge to the ground,
// with the body frame on the world's at neutral. Loops to bodies and couplings to hinges that stay behind go, with a remark.
Model extract_subtree(const Model& model, std::string_view body, HingeKind root_hinge = HingeKind::weld);

// The roots of `what` hang on a frame of `onto`, by their own hinges, as they hung on the ground. Its names of bodies,
// hinges, frames and loops get the prefix. Gravity is that of `onto`. Where only one of the two says which dofs are actuated, the
// other's are not, with a remark.
Model attach(const Model& onto, std::string_view frame, const Model& what, std::string_view prefix = "");

// Adds a rigid load to the body of a frame. Centre of mass and inertia are in the frame's axes, com from its origin.
Model add_payload(const Model& model, std::string_view frame, double mass, const Vec3<double>& com,
                  const Sym3<double>& inertia_com);

// The same model, if nothing about it is in doubt; else throws ModelError with every doubt.
Model as_strict(const Model& model);
Model with_gravity(const Model& model, const Vec3<double>& gravity);

// Couplings removed, so that their hinges move independently; a remark names each.
Model drop_couplings(const Model& model);
// Loops and couplings removed: the tree that is left when all loops are cut; a remark names each.
Model drop_loops(const Model& model);

// fixed:    the only free hinge on the ground becomes a weld at its neutral place; without one the model stays.
// floating: the only root, if it hangs by a weld, gets a free hinge named `base`; a floating model stays.
enum class BaseKind { fixed, floating };
Model with_base(const Model& model, BaseKind base);

// Re-rooting: another body of a floating tree carries the free hinge; no physics changes.
//
// Hinges between the old root and the new one are reversed and keep their names; body frames stay where they were.
//     revolute, continuous, prismatic, helical, cylindrical    axis negated; q, v, T stay
//     universal                                                axes swapped and negated; so the coordinates swap
//     user, by steps                                           steps in reverse, axes negated; so do the coordinates
//     planar, spherical, free                                  the inverse displacement
//     user, by functions                                       refused
// Loops stay where they are; couplings follow coordinates that swap.
// Armature, damping, friction and actuated dofs that a reversed hinge cannot express are refused; its limits go, with a remark.
// Specified by tests/unit/edit_reroot.cpp: poses, velocities, kinetic energy and momentum are those of the original.
struct Rerooted {
    Model model;
    Model original;
    std::vector<int> path; // bodies of the original, from its root to the new one
    std::vector<int> hinge_of; // hinge k of the original is hinge_of[k] of the model

    // The same motion in the new coordinates. The free hinge's are the new root's pose and body twist in the world.
    // Allocates a little; out and in may not overlap.
    void map_state(std::span<const double> q, std::span<const double> v, std::span<double> q_new,
                   std::span<double> v_new) const;
};
Rerooted reroot(const Model& model, std::string_view body);

} // namespace sweepdyn
