// Signals: what a simulation records, by name.
//
//     q:NAME            coordinate; NAME is a dof's, or HINGE.qw .qx .qy .qz (a rotation), HINGE.x .y .z (a position)
//     v:DOF  qdd:DOF    velocity, acceleration
//     T:DOF             hinge force by the controller; damping and friction are not in it
//     pose:FRAME        .x .y .z .rx .ry .rz: position, rotation vector, in the world
//     velocity:FRAME    .wx .wy .wz .vx .vy .vz: world axes, at the frame's origin
//     energy            :kinetic :potential :total; each also by itself
//     momentum          .lx .ly .lz .px .py .pz: angular about the centre of mass, linear
//     com               .x .y .z
//     contact:NAME      .normal .tangential .margin: newtons, of a contact that the plant holds; zero when detached, the margin of a rigid one too
//     closure:NAME      how far a loop is from closed, as a part of its size (kinematics/loop_gap.hpp), or a contact that holds, in m or rad;
//                       closure: the largest of all
//
// A * in place of NAME, DOF or FRAME means all of them; in part of it, all that fit: q:left_*.
#pragma once

#include "sweepdyn/kinematics/coordinate_names.hpp"
#include "sweepdyn/sim/plant.hpp"
#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn {

// "rad", "m", "1" for a quaternion's; "" where a user's hinge does not tell.
std::vector<std::string> coordinate_units(const Model& model);
std::vector<std::string> velocity_units(const Model& model);
std::vector<std::string> force_units(const Model& model);

class Signals {
public:
    // Throws UsageError with a suggestion for what the model, or the grasp, does not have.
    Signals(const Model& model, std::span<const std::string> names, const Grasp* grasp = nullptr);

    // The first is time.
    std::span<const Column> columns() const { return columns_; }
    // One number per column. Allocates nothing.
    void evaluate(Plant& plant, const Instant& at, std::span<double> row);

private:
    enum class Kind { q, v, qdd, T, pose, velocity, energy, momentum, com, closure, contact };
    struct Signal {
        Kind kind;
        int index; // of the coordinate, dof, frame, contact, or loop and then contact; -1: all of these
        int component; // of several
    };
    class Reader;

    std::vector<Column> columns_;
    std::vector<Signal> signals_;
    std::vector<double> v_dot_, z_dot_;
};

} // namespace sweepdyn
