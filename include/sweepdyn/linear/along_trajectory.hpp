// Linear models along a motion: at every sample, and from sample to sample.
//
//     x_dot = A(t) x + B(t) u,    x = [difference(q(t), q); v - v(t)]          deviations from the motion itself: no f0
//     Phi_dot = A(t) Phi,  Phi(t_i) = 1                                        transition over each interval, by Runge and Kutta's
//                                                                              method of order four
// Half way between two samples the motion is Hermite's cubic, in displacements from the first of them, T the mean.
// Specified by tests/laws/along_trajectory.cpp.
#pragma once

#include "sweepdyn/linear/linearize.hpp"

namespace sweepdyn {

struct TrajectoryPoint {
    double t = 0.0;
    std::vector<double> q, v, v_dot, T;
};

// T of every point from its v_dot, by inverse dynamics, passive forces included.
void set_feedforward(const Model& model, std::span<TrajectoryPoint> points,
                     const PassiveForces& passive = {});

// The point at t between samples, which must rise in time; the first and the last beyond them.
TrajectoryPoint point_at(const Model& model, std::span<const TrajectoryPoint> points, double t);

// One linear model per sample.
std::vector<StateSpace> linearize_along(const Model& model, std::span<const TrajectoryPoint> points,
                                        const LinearizeOptions& options = {});
// One matrix, 2 dofs x 2 dofs, per interval.
std::vector<Matrix> transition_matrices(const Model& model, std::span<const TrajectoryPoint> points,
                                        const PassiveForces& passive = {});

} // namespace sweepdyn
