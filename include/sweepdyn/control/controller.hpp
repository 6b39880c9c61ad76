// A controller: what drives the hinges, T = forces(t, q, v). Anything that can be called so is one:
//
//     Controller hold{[&](double t, auto q, auto v, auto T) { T[0] = -10 * q[0] - v[0]; }};
//     Controller digital{law, 0.002};      // asked every 2 ms, its answer held in between (zero-order hold)
//
// T comes in as zeros, one number per dof. The same t, q, v must give the same T: integrators ask at trial states, in any
// order. What remembers the past belongs into a sampled controller, which is asked once per sample, in order, or into states of
// its own, z, which are integrated beside q and v (motors between a command and the hinges):
//
//     u = command(t, q, v, z),  held over a sample where there is one;        T, z_dot = respond(t, q, v, z, u)
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sweepdyn {

struct Controller {
    using Forces = std::function<void(double t, std::span<const double> q, std::span<const double> v,
                                      std::span<double> T)>;
    struct States {
        using In = std::span<const double>;
        using Out = std::span<double>;
        std::vector<double> z0{}; // at the beginning; empty: it has none
        std::size_t num_commands = 0;
        std::function<void(double t, In q, In v, In z, Out u)> command{};
        std::function<void(double t, In q, In v, In z, In u, Out T, Out z_dot)> respond{};
    };
    Forces forces{}; // none: T = 0
    double sample_time = 0.0; // s; 0: asked at every instant
    States states{}; // where it has some, they answer, not `forces`
};

} // namespace sweepdyn
