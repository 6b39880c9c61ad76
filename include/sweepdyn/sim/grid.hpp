// Times on a grid: multiples of a period, each computed afresh so that no error gathers.
#pragma once

#include <cmath>

namespace sweepdyn {

// The first multiple after t; what is nearly one counts as one. A period of 1/n s gives i/n, the nearest double to what a
// person writes: 0.036, not 9 * 0.004 = 0.036000000000000004.
inline double next_multiple(double t, double period)
{
    const double i = std::floor(t / period + 1e-6) + 1.0, n = std::round(1.0 / period);
    return std::abs(n * period - 1.0) < 1e-12 ? i / n : i * period;
}

} // namespace sweepdyn
