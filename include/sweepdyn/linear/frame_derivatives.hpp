// How what a sensor sees changes with the motion: dy = y_q dq + y_v dv + y_a dv_dot, for frames and for forces through hinges.
//
// With th, be of column_derivatives, seen from the body that carries the frame, at the frame's origin and in its axes:
//     pose            J^-1 R' dX.w,  dX.v                      the rotation vector log R, J its right Jacobian; the origin in world axes
//     velocity        d V = th + dX.w x V                      world axes
//     gyro            d w = R' th.w
//     acceleration    d a = (be - V x th).v + th.w x v + w x th.v,  and + dX.w x a in world axes
//     accelerometer   R' (a - g): the same without the last term, a with gravity in it
//     reaction        d f = eta, in the axes of the child, about the hinge's origin
// Derivatives are columns per dof; be also begins at the ground, with minus a change of gravity: y_g, 3 columns.
//
// O(dofs on the way), no allocation. Before: column_derivatives (and, for reactions, composites). Specified by tests/laws/linearization.cpp.
#pragma once

#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/linear/differentiate_inverse_dynamics.hpp"

namespace sweepdyn {

enum class Sensor { pose, velocity, acceleration, gyro, accelerometer };
// Numbers that it gives: 6, 6, 6, 3, 3.
constexpr int sensor_size(Sensor sensor)
{
    return sensor == Sensor::gyro || sensor == Sensor::accelerometer ? 3 : 6;
}

// Numbers per dof, column by column: size x dofs; y_g: size x 3.
struct SensorDerivatives {
    std::vector<double> y_q, y_v, y_a, y_g;
    SensorDerivatives(int size, int dofs)
        : y_q(static_cast<std::size_t>(size * dofs)),
          y_v(y_q.size()),
          y_a(y_q.size()),
          y_g(static_cast<std::size_t>(size) * 3)
    {
    }
};

// What the sensor on the frame says. The rotation vector of a pose is that of the frame's axes in the world.
// `out` has sensor_size numbers.
void read_sensor(const Kinematics<double>& kin, const ColumnDerivatives<double>& d, FrameId frame,
                 Sensor sensor, std::span<double> out);
void differentiate_sensor(const Kinematics<double>& kin, const ColumnDerivatives<double>& d, FrameId frame,
                          Sensor sensor, SensorDerivatives& out);
// The reaction of hinge k, six numbers [moment; force]. Before: composite_inertias, differentiate_inverse_dynamics (its work).
void differentiate_reaction(const Kinematics<double>& kin, const CompositeInertias<double>& composite,
                            const ColumnDerivatives<double>& d, const CompositeLoads<double>& loads, int k,
                            SensorDerivatives& out);

} // namespace sweepdyn
