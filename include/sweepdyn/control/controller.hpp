// A controller: what drives the hinges, T = forces(t, q, v). Anything that can be called so is one:
//
//     Controller hold{[&](double t, auto q, auto v, auto T) { T[0] = -10 * q[0] - v[0]; }};
//     Controller digital{law, 0.002};      // asked every 2 ms, its answer held in between (zero-order hold)
//
// T comes in as zeros, one number per dof. The same t, q, v must give the same T: integrators ask at trial states, in any
// order. What remembers the past belongs into a sampled controller, which is asked once per sample, in order.
#pragma once

#include <functional>
#include <span>

namespace sweepdyn {

struct Controller {
    using Forces = std::function<void(double t, std::span<const double> q, std::span<const double> v,
                                      std::span<double> T)>;
    Forces forces{}; // none: T = 0
    double sample_time = 0.0; // s; 0: asked at every instant
};

} // namespace sweepdyn
