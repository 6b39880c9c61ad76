// Symmetric matrices that may lose rank: A = P' L L' P by Cholesky with pivoting, on a diagonal scaled to one, each entry by itself, but
// for those that are rounding of zero, or all by the largest: then what is small beside the others has no rank.
//
//     A x = b        of all solutions the one with zeros where A has no rank left ("basic")
//     A z = 0        one z per dropped row d:  z_d = 1,  z_used = -A_uu^-1 A_ud
//     x_i is unique  where every z has z_i = 0
//
// For a right-hand side in the range of A what is made of x by a map that vanishes on the z is right whatever the rank: so
// accelerations are, contact forces only where unique. O(n^3), no allocation after construction.
// Specified by tests/unit/closed_semidefinite.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/scalar.hpp"

namespace sweepdyn {

// Of Omega = J M^-1 J', whose pivots go with the square of J's.
inline constexpr double omega_rank_tolerance = 1e-11;
// The diagonal of such rows of J that are zero but for rounding, as a part of the largest: 1e-11 of a row, squared.
inline constexpr double omega_rounding = 1e-22;

enum class DiagonalScale { each, largest };

template <class S>
struct Semidefinite {
    explicit Semidefinite(int room)
        : capacity(room),
          L(static_cast<std::size_t>(room) * room),
          scale(static_cast<std::size_t>(room)),
          work(static_cast<std::size_t>(room)),
          order(static_cast<std::size_t>(room))
    {
    }

    int capacity = 0, n = 0, rank = 0;
    std::vector<S> L; // by rows of capacity, in the order of the pivots; diagonal inverted
    std::vector<S> scale; // 1/sqrt of the diagonal, or of its largest entry, or 1
    std::vector<S> work;
    std::vector<int> order; // rows: pivots first
    double smallest_kept = 1.0, largest_dropped = 0.0; // pivots

    // A: n x n with rows of `width`. Reads the lower triangle.
    void factor(const S* A, int size, int width, double tolerance = omega_rank_tolerance,
                DiagonalScale by = DiagonalScale::each);
    // x becomes a solution of A x = b for b = x.
    void solve(std::span<S> x);
    int num_free() const { return n - rank; }
    // The d-th z, d below num_free().
    void null_vector(int d, std::span<S> z);
    // One flag per row, 1 where x is unique. Uses z as room.
    void unique(std::span<char> flags, std::span<S> z);
};

template <class S>
void Semidefinite<S>::factor(const S* A, int size, int width, double tolerance, DiagonalScale by)
{
    if (size > capacity)
        throw_size("Semidefinite::factor", "A", static_cast<std::size_t>(size),
                   static_cast<std::size_t>(capacity));
    n = size;
    const int w = capacity;
    S largest{};
    for (int i = 0; i < n; ++i)
        if (value(A[i * width + i]) > value(largest))
            largest = A[i * width + i];
    for (int i = 0; i < n; ++i) {
        const S& own = A[i * width + i];
        const S d = by == DiagonalScale::each && value(own) > omega_rounding * value(largest) ? own : largest;
        scale[i] = value(d) > 0.0 ? S(1) / sqrt(d) : S(1);
        order[i] = i;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            L[i * w + j] = scale[i] * scale[j] * A[i * width + j];
    smallest_kept = 1.0, largest_dropped = 0.0;
    for (rank = 0; rank < n; ++rank) {
        int best = rank;
        for (int i = rank + 1; i < n; ++i)
            if (value(L[i * w + i]) > value(L[best * w + best]))
                best = i;
        const double pivot = value(L[best * w + best]);
        if (!(pivot > tolerance)) {
            largest_dropped = std::max(pivot, 0.0);
            break;
        }
        smallest_kept = std::min(smallest_kept, pivot);
        if (best != rank) { // rows and columns of the lower triangle change places
            std::swap(order[best], order[rank]);
            for (int j = 0; j < rank; ++j)
                std::swap(L[best * w + j], L[rank * w + j]);
            for (int j = rank + 1; j < best; ++j)
                std::swap(L[j * w + rank], L[best * w + j]);
            for (int i = best + 1; i < n; ++i)
                std::swap(L[i * w + best], L[i * w + rank]);
            std::swap(L[best * w + best], L[rank * w + rank]);
        }
        const S inverse = S(1) / sqrt(L[rank * w + rank]);
        L[rank * w + rank] = inverse;
        for (int i = rank + 1; i < n; ++i)
            L[i * w + rank] *= inverse;
        for (int i = rank + 1; i < n; ++i)
            for (int j = rank + 1; j <= i; ++j)
                L[i * w + j] -= L[i * w + rank] * L[j * w + rank];
    }
}

template <class S> void Semidefinite<S>::solve(std::span<S> x)
{
    const int w = capacity;
    for (int i = 0; i < rank; ++i) {
        S y = scale[order[i]] * x[order[i]];
        for (int j = 0; j < i; ++j)
            y -= L[i * w + j] * work[j];
        work[i] = L[i * w + i] * y;
    }
    for (int i = rank - 1; i >= 0; --i) {
        S y = work[i];
        for (int j = i + 1; j < rank; ++j)
            y -= L[j * w + i] * work[j];
        work[i] = L[i * w + i] * y;
    }
    for (int i = 0; i < n; ++i)
        x[order[i]] = i < rank ? scale[order[i]] * work[i] : S(0);
}

template <class S> void Semidefinite<S>::null_vector(int d, std::span<S> z)
{
    const int w = capacity, row = rank + d;
    for (int i = rank - 1; i >= 0; --i) { // L_uu' y = (row of L)'
        S y = L[row * w + i];
        for (int j = i + 1; j < rank; ++j)
            y -= L[j * w + i] * work[j];
        work[i] = L[i * w + i] * y;
    }
    const S own = S(1) / scale[order[row]];
    for (int i = 0; i < n; ++i)
        z[order[i]] = i < rank ? -own * scale[order[i]] * work[i] : S(i == row ? 1 : 0);
}

template <class S> void Semidefinite<S>::unique(std::span<char> flags, std::span<S> z)
{
    std::fill(flags.begin(), flags.begin() + n, char(1));
    for (int d = 0; d < num_free(); ++d) {
        null_vector(d, z);
        double largest = 0.0;
        for (int i = 0; i < n; ++i)
            largest = std::max(largest, std::abs(value(z[i] / scale[i])));
        for (int i = 0; i < n; ++i)
            if (std::abs(value(z[i] / scale[i])) > 1e-6 * largest)
                flags[i] = 0;
    }
}

extern template struct Semidefinite<double>;

} // namespace sweepdyn
