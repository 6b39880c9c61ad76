// The factor of a small symmetric positive definite matrix, as the clusters keep it.
// O(n^3) and O(n^2), no allocation. Specified by tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include <algorithm>

#include "sweepdyn/spatial/scalar.hpp"

namespace sweepdyn::detail {

// Symmetric positive definite A = L L' in place, row by row from its lower half; L' fills the upper half, where it is read along rows.
// The diagonal is inverted. True while every pivot stays above its tolerance.
template <class S> bool factor(S* A, int n, int width, double tolerance)
{
    bool regular = true;
    for (int i = 0; i < n; ++i) {
        S* const row = A + i * width;
        S pivot = row[i];
        const double least = std::max(0.0, tolerance * value(pivot));
        for (int k = 0; k < i; ++k) {
            const S* const other = A + k * width;
            const S x = row[k] * other[k];
            row[k] = x;
            for (int j = k + 1; j < i; ++j)
                row[j] -= x * other[j];
            pivot -= x * x;
        }
        regular = regular && value(pivot) > least;
        row[i] = value(pivot) > 0.0 ? S(1) / sqrt(pivot) : S(0);
        for (int k = 0; k < i; ++k)
            A[k * width + i] = row[k];
    }
    return regular;
}
// x becomes A^-1 x.
template <class S> void solve_factored(const S* L, int n, int width, S* x)
{
    for (int i = 0; i < n; ++i) {
        const S* const row = L + i * width;
        const S y = x[i] *= row[i];
        for (int j = i + 1; j < n; ++j)
            x[j] -= row[j] * y;
    }
    for (int i = n - 1; i >= 0; --i) {
        const S* const row = L + i * width;
        const S y = x[i] *= row[i];
        for (int j = 0; j < i; ++j)
            x[j] -= row[j] * y;
    }
}

} // namespace sweepdyn::detail
