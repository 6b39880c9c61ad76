// Scalars: the one template parameter of the library.
//
// A scalar is anything with + - * / and the functions below: double, float, long double, Dual, Counting
// and, later, SIMD packs. Sweeps never branch on a scalar: a pack has many truths at once. They choose
// with select(mask, a, b), where a mask is what a comparison of two scalars returns.
// A new scalar supplies the same free functions in its own namespace (found by argument-dependent lookup).
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#if defined(__GNUC__)
#define SWEEPDYN_INLINE inline __attribute__((always_inline))
#define SWEEPDYN_INLINE_LAMBDA __attribute__((always_inline))
#else
#define SWEEPDYN_INLINE inline
#define SWEEPDYN_INLINE_LAMBDA
#endif

namespace sweepdyn {

template <std::floating_point S> SWEEPDYN_INLINE S select(bool mask, S a, S b) { return mask ? a : b; }
template <std::floating_point S> SWEEPDYN_INLINE S max(S a, S b) { return a > b ? a : b; }
template <std::floating_point S> SWEEPDYN_INLINE S min(S a, S b) { return a < b ? a : b; }
template <std::floating_point S> SWEEPDYN_INLINE S abs(S a) { return std::abs(a); }
template <std::floating_point S> SWEEPDYN_INLINE S sqrt(S a) { return std::sqrt(a); }
template <std::floating_point S> SWEEPDYN_INLINE S round(S a) { return std::round(a); }
template <std::floating_point S> SWEEPDYN_INLINE S tanh(S a) { return std::tanh(a); }
template <std::floating_point S> SWEEPDYN_INLINE S atan2(S y, S x) { return std::atan2(y, x); }
template <std::floating_point S> SWEEPDYN_INLINE void sincos(S a, S& sine, S& cosine)
{
    sine = std::sin(a);
    cosine = std::cos(a);
}
SWEEPDYN_INLINE void sincos(double a, double& sine, double& cosine); // sweepdyn/spatial/sincos.hpp

// True when every lane of the mask is true, when any is: for reports after a sweep, never inside one.
SWEEPDYN_INLINE bool all(bool mask) { return mask; }
SWEEPDYN_INLINE bool any(bool mask) { return mask; }

// The plain number behind a scalar, for reports and errors.
template <std::floating_point S> SWEEPDYN_INLINE double value(S a) { return static_cast<double>(a); }

// The unit round-off of a scalar's arithmetic.
template <class S> struct Precision {
    static constexpr double epsilon = std::numeric_limits<double>::epsilon();
};
template <std::floating_point S> struct Precision<S> {
    static constexpr double epsilon = static_cast<double>(std::numeric_limits<S>::epsilon());
};

} // namespace sweepdyn

#include "sweepdyn/spatial/sincos.hpp"
