// Short names for the sweeps over the tree of clusters.
#pragma once

#include "sweepdyn/linear/differentiate_closed_forward_dynamics.hpp"

namespace sweepdyn {

using M6 = Motion<double>;
using F6 = Force<double>;

inline std::size_t at(int i, int j, int width) { return static_cast<std::size_t>(i * width + j); }

inline M6 times(const std::array<M6, 6>& C, const F6& f)
{
    return f.n.x * C[0] + f.n.y * C[1] + f.n.z * C[2] + f.f.x * C[3] + f.f.y * C[4] + f.f.z * C[5];
}

} // namespace sweepdyn
