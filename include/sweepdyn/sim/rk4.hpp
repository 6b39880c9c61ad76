// Runge and Kutta's method of order four on the configuration manifold, after Munthe-Kaas: in every step the unknowns are the
// displacement d from the step's own start q and the velocity v,
//
//     d_dot = dexp^-1(d) v,    v_dot = FD(integrate(q, d), v),    d(0) = 0,
//
// a plain differential equation in a plain space, for which order four holds; then q := integrate(q, d).
// Before: a plant. After: the state h later. Four forward dynamics a step, allocates nothing.
// Specified by tests/laws/simulation.cpp (the error falls as h^4 for every hinge).
#pragma once

#include "sweepdyn/sim/integrator.hpp"

namespace sweepdyn {

class Rk4 final : public FixedStep {
public:
    Rk4(Plant& plant, double h);
    void advance(double h, Instant& at) override;

private:
    std::vector<double> q_, d_, v_, z_; // of a stage
    std::vector<double> d_dot_, v_dot_, z_dot_; // there
    std::vector<double> d_sum_, v_sum_, z_sum_; // of the stages, by their weights
};

} // namespace sweepdyn
