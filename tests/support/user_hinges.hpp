// Two hinges given by functions, with columns that change in the child.
#pragma once

#include "sweepdyn/model/user_hinge.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::test {

// A pin that slides along an ellipse and turns with its tangent:
//     p = (a sin q, b (1 - cos q), 0), turned by atan2(b sin q, a cos q) about z; the speed s = |p'| is along x.
struct PinOnEllipse {
    static constexpr int dofs = 1;
    double a = 0.4, b = 0.25;

    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        S s, c;
        sincos(q[0], s, c);
        const Vec3<S> z{S(0), S(0), S(1)};
        return {rotation_about(z, atan2(S(b) * s, S(a) * c)), {S(a) * s, S(b) * (S(1) - c), S(0)}};
    }
    template <class S> void columns(std::span<const S> q, std::span<Motion<S>> H) const
    {
        S s, c;
        sincos(q[0], s, c);
        const S square = S(a * a) * c * c + S(b * b) * s * s;
        H[0] = {{S(0), S(0), S(a * b) / square}, {sqrt(square), S(0), S(0)}};
    }
    template <class S> Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const
    {
        Motion<S> dH;
        columns_derivative(q, 0, std::span<Motion<S>>(&dH, 1));
        return (v[0] * v[0]) * dH;
    }
    template <class S> void columns_derivative(std::span<const S> q, int, std::span<Motion<S>> dH) const
    {
        S s, c;
        sincos(q[0], s, c);
        const S square = S(a * a) * c * c + S(b * b) * s * s,
                half_rate = S(b * b - a * a) * s * c; // square' / 2
        dH[0] = {{S(0), S(0), S(-2 * a * b) * half_rate / (square * square)},
                 {half_rate / sqrt(square), S(0), S(0)}};
    }
};

// A rider on a saddle: p = (q0, q1, c q0 q1), turned by rot(z, k q0) rot(x, k q1). Both columns depend on q.
struct SaddleRider {
    static constexpr int dofs = 2;
    double c = 0.7, k = 1.3;

    template <class S> Mat3<S> turn(std::span<const S> q) const
    {
        const Vec3<S> x{S(1), S(0), S(0)}, z{S(0), S(0), S(1)};
        return rotation_about(z, S(k) * q[0]) * rotation_about(x, S(k) * q[1]);
    }
    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        return {turn(q), {q[0], q[1], S(c) * q[0] * q[1]}};
    }
    template <class S> void columns(std::span<const S> q, std::span<Motion<S>> H) const
    {
        const Vec3<S> x{S(1), S(0), S(0)}, z{S(0), S(0), S(1)};
        const Mat3<S> R = turn(q);
        H[0] = {transpose_times(R, S(k) * z), transpose_times(R, Vec3<S>{S(1), S(0), S(c) * q[1]})};
        H[1] = {S(k) * x, transpose_times(R, Vec3<S>{S(0), S(1), S(c) * q[0]})};
    }
    template <class S> Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const
    {
        Motion<S> rate{}, dH[2];
        for (int j = 0; j < 2; ++j) {
            columns_derivative(q, j, std::span<Motion<S>>(dH, 2));
            rate += v[j] * (v[0] * dH[0] + v[1] * dH[1]);
        }
        return rate;
    }
    // d(R' u) = -w_j x R' u + R' du, w_j the angular part of column j.
    template <class S> void columns_derivative(std::span<const S> q, int j, std::span<Motion<S>> dH) const
    {
        Motion<S> H[2];
        columns(q, std::span<Motion<S>>(H, 2));
        const Vec3<S> bend = transpose_times(turn(q), Vec3<S>{S(0), S(0), S(c)});
        for (int i = 0; i < 2; ++i)
            dH[i] = {{}, cross(H[i].v, H[j].w) + (i == j ? Vec3<S>{} : bend)};
        if (j == 1) // R' z turns with q1, R' z = Rx' z does not with q0; x never does
            dH[0].w = cross(H[0].w, H[1].w);
    }
};

} // namespace sweepdyn::test
