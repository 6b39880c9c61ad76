// A small ring of random states, the same numbers on every side of the benchmark and on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace bench {

struct State {
    std::vector<double> q, v, a, T; // one number per one-dof hinge
};

constexpr int ring_size = 16; // a power of two; repeats should be multiples of it

inline std::array<State, ring_size> random_states(int dofs)
{
    // splitmix64, its upper 53 bits taken as a number in [-1, 1)
    auto uniform = [seed = std::uint64_t{1}](double bound) mutable {
        std::uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        return bound * (static_cast<double>(z >> 11) * 0x1p-52 - 1.0);
    };
    std::array<State, ring_size> ring;
    for (State& s : ring)
        for (int k = 0; k < dofs; ++k) {
            s.q.push_back(uniform(3.0));
            s.v.push_back(uniform(2.0));
            s.a.push_back(uniform(5.0));
            s.T.push_back(uniform(20.0));
        }
    return ring;
}

} // namespace bench
