// Sums of rows: to = scale (to + sum of x(k) row(k)), on a run of numbers as long as a few SIMD packs, kept in registers meanwhile.
// Runs are rounded up to packs (Lanes<S>::round_up), so rows must be so far apart. Specified by tests/unit/spatial_combine.cpp.
#pragma once

#include <type_traits>

#include "sweepdyn/spatial/lanes.hpp"

namespace sweepdyn {

enum class Onto { zero, old }; // what the sum starts from

namespace detail {

template <int packs, class Factor, class Row>
SWEEPDYN_INLINE void combine_packs(double* to, std::ptrdiff_t at, Onto onto, int from, int end,
                                   const Factor& x, const Row& row, double scale)
{
    using Pack [[gnu::vector_size(4 * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] =
        double;
    Pack sum[packs]{};
    if (onto == Onto::old)
        for (int p = 0; p < packs; ++p)
            sum[p] = reinterpret_cast<const Pack*>(to + at)[p];
    for (int k = from; k < end; ++k) {
        const double factor = x(k);
        const Pack* const y = reinterpret_cast<const Pack*>(row(k) + at);
        for (int p = 0; p < packs; ++p)
            sum[p] += factor * y[p];
    }
    for (int p = 0; p < packs; ++p)
        reinterpret_cast<Pack*>(to + at)[p] = scale * sum[p];
}

} // namespace detail

// k runs over [from, end).
template <class S, class Factor, class Row>
SWEEPDYN_INLINE void combine(S* to, std::ptrdiff_t count, Onto onto, int from, int end, const Factor& x,
                             const Row& row, const S& scale = S(1))
{
    const std::ptrdiff_t lanes = Lanes<S>::round_up(count);
    if constexpr (std::is_same_v<S, double>) {
        std::ptrdiff_t at = 0;
        for (; at + 8 <= lanes; at += 8)
            detail::combine_packs<2>(to, at, onto, from, end, x, row, scale);
        if (at < lanes)
            detail::combine_packs<1>(to, at, onto, from, end, x, row, scale);
    } else
        for (std::ptrdiff_t t = 0; t < lanes; ++t) {
            S sum = onto == Onto::old ? to[t] : S(0);
            for (int k = from; k < end; ++k)
                sum += x(k) * row(k)[t];
            to[t] = scale * sum;
        }
}

} // namespace sweepdyn
