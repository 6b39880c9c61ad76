// Adaptive integrators, by SUNDIALS:
//
//     Adaptive   ARKODE, explicit Runge-Kutta: of order 5 (Dormand and Prince), below rtol = 1e-7 of order 8 (Prince and Dormand)
//     Stiff      CVODE, backward differentiation of order 1 to 5, Newton with a dense Jacobian by differences
//
//     Dae        IDA, the same differentiation formulas on the equations as they stand, without M^-1: src/sim/dae.cpp
//
// The unknowns of the first two are [q; v] (and states of a controller) with q_dot by model/rates.hpp, so quaternions, loops and momentum leave their manifolds by the error of a
// step; the plant's project() brings them back, through CVodeSetProjFn in CVODE and after each step in ARKODE, and nowhere else.
// Events are found by their own root finding. An exception of the plant or of an event passes through unharmed.
// Without SUNDIALS at configure time the constructors refuse with words.
// Specified by tests/laws/simulation.cpp and tests/laws/events.cpp.
#pragma once

#include "sweepdyn/sim/integrator.hpp"

namespace sweepdyn {

struct Tolerances {
    double relative = 1e-8;
    double absolute = 0.0; // in SI units, of every coordinate and velocity; 0: as the relative one
    double largest_step = 0.0; // s; 0: any, or a hundredth of the time where events are watched
};

bool has_sundials();
std::unique_ptr<Integrator> adaptive_integrator(Plant& plant, const Tolerances& tolerances);
std::unique_ptr<Integrator> stiff_integrator(Plant& plant, const Tolerances& tolerances);
std::unique_ptr<Integrator> dae_integrator(Plant& plant, const Tolerances& tolerances);

} // namespace sweepdyn
