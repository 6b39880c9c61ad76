// Euler's method, semi-implicit, on the configuration manifold:
//
//     v := v + h FD(q, v),    then    q := integrate(q, h v).
//
// Of order one. With constant inertia it is symplectic: energy errs, and does not drift. One forward dynamics a step,
// allocates nothing. Specified by tests/laws/simulation.cpp.
#pragma once

#include "sweepdyn/sim/integrator.hpp"

namespace sweepdyn {

class SemiImplicitEuler final : public FixedStep {
public:
    SemiImplicitEuler(Plant& plant, double h);
    void advance(double h, Instant& at) override;

private:
    std::vector<double> v_dot_, d_, z_dot_;
};

} // namespace sweepdyn
