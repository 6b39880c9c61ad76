// Many spatial vectors side by side: lane t of the six rows is one motion [w; v] or one force [n; f], so that one operation on all of
// them runs in SIMD registers. An operation on `count` lanes may run through as many as round_up(count): those behind
// must hold nothing that is needed. Specified by tests/laws/mass_matrix_inverse.cpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

template <class S>
class Lanes {
public:
    using Index = std::ptrdiff_t;
    // A constant multiple leaves no rest for a loop of its own; scalars that are no SIMD numbers need none.
    static constexpr Index pack = std::is_floating_point_v<S> ? 4 : 1;
    static Index round_up(Index count) { return (count + pack - 1) & -pack; }

    // Room for `lanes`, and for what round_up adds at either end; zero.
    explicit Lanes(Index lanes) : width_(lanes + 2 * pack), numbers_(static_cast<std::size_t>(6 * width_)) {}

    void set(Index t, const Vec3<S>& a, const Vec3<S>& b)
    {
        S* x = row(0) + t;
        x[0] = a.x, x[width_] = a.y, x[2 * width_] = a.z;
        x[3 * width_] = b.x, x[4 * width_] = b.y, x[5 * width_] = b.z;
    }
    void set(Index t, const Motion<S>& V) { set(t, V.w, V.v); }
    void set(Index t, const Force<S>& F) { set(t, F.n, F.f); }
    Force<S> force(Index t) const
    {
        const S* x = row(0) + t;
        return {{x[0], x[width_], x[2 * width_]}, {x[3 * width_], x[4 * width_], x[5 * width_]}};
    }
    // Exactly these lanes.
    void copy(const Lanes& from, Index first, Index count)
    {
        for (int c = 0; c < 6; ++c) {
            const S* y = from.row(c) + first;
            S* x = row(c) + first;
            for (Index t = 0; t < count; ++t)
                x[t] = y[t];
        }
    }

    // x = (1 - b a*) x of motions or forces, and what was taken: e = -a* x.
    void project(Index first, Index count, const Force<S>& a, const Motion<S>& b, S* e)
    {
        project(row(0) + first, row(1) + first, row(2) + first, row(3) + first, row(4) + first,
                row(5) + first, e, round_up(count), a.n, a.f, b.w, b.v);
    }
    void project(Index first, Index count, const Motion<S>& a, const Force<S>& b, S* e)
    {
        project(row(0) + first, row(1) + first, row(2) + first, row(3) + first, row(4) + first,
                row(5) + first, e, round_up(count), a.w, a.v, b.n, b.f);
    }
    // y = a* x, z = b* x.
    void products(Index first, Index count, const Force<S>& a, const Force<S>& b, S* y, S* z) const
    {
        products(row(0) + first, row(1) + first, row(2) + first, row(3) + first, row(4) + first,
                 row(5) + first, y, z, round_up(count), a.n, a.f, b.n, b.f);
    }
    void products(Index first, Index count, const Motion<S>& a, const Motion<S>& b, S* y, S* z) const
    {
        products(row(0) + first, row(1) + first, row(2) + first, row(3) + first, row(4) + first,
                 row(5) + first, y, z, round_up(count), a.w, a.v, b.w, b.v);
    }
    // phi* of motions: v += w x l. Of forces, phi: n += l x f.
    void shift_motions(Index first, Index count, const Vec3<S>& l)
    {
        add_cross(row(3) + first, row(4) + first, row(5) + first, row(0) + first, row(1) + first,
                  row(2) + first, round_up(count), l);
    }
    void shift_forces(Index first, Index count, const Vec3<S>& l)
    {
        add_cross(row(0) + first, row(1) + first, row(2) + first, row(3) + first, row(4) + first,
                  row(5) + first, round_up(count), -l);
    }

private:
    S* row(int c) { return numbers_.data() + c * width_ + pack; }
    const S* row(int c) const { return numbers_.data() + c * width_ + pack; }
    // Rows do not overlap: without this word no compiler would dare.
    static void project(S* __restrict x0, S* __restrict x1, S* __restrict x2, S* __restrict x3,
                        S* __restrict x4, S* __restrict x5, S* __restrict e, Index end, Vec3<S> a, Vec3<S> A,
                        Vec3<S> b, Vec3<S> B)
    {
        for (Index t = 0; t < end; ++t) {
            const S entry =
                -(a.x * x0[t] + a.y * x1[t] + a.z * x2[t] + A.x * x3[t] + A.y * x4[t] + A.z * x5[t]);
            e[t] = entry;
            x0[t] += entry * b.x, x1[t] += entry * b.y, x2[t] += entry * b.z;
            x3[t] += entry * B.x, x4[t] += entry * B.y, x5[t] += entry * B.z;
        }
    }
    static void products(const S* __restrict x0, const S* __restrict x1, const S* __restrict x2,
                         const S* __restrict x3, const S* __restrict x4, const S* __restrict x5,
                         S* __restrict y, S* __restrict z, Index end, Vec3<S> a, Vec3<S> A, Vec3<S> b,
                         Vec3<S> B)
    {
        for (Index t = 0; t < end; ++t) {
            y[t] = a.x * x0[t] + a.y * x1[t] + a.z * x2[t] + A.x * x3[t] + A.y * x4[t] + A.z * x5[t];
            z[t] = b.x * x0[t] + b.y * x1[t] + b.z * x2[t] + B.x * x3[t] + B.y * x4[t] + B.z * x5[t];
        }
    }
    static void add_cross(S* __restrict x, S* __restrict y, S* __restrict z, const S* __restrict a,
                          const S* __restrict b, const S* __restrict c, Index end, Vec3<S> l)
    {
        for (Index t = 0; t < end; ++t) {
            x[t] += b[t] * l.z - c[t] * l.y;
            y[t] += c[t] * l.x - a[t] * l.z;
            z[t] += a[t] * l.y - b[t] * l.x;
        }
    }

    Index width_;
    std::vector<S> numbers_;
};

} // namespace sweepdyn
