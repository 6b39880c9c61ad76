// Rotations: unit quaternions [w x y z], and the exponential and logarithm of SO(3) and SE(3).
// Twists are body-fixed: X exp(xi), xi = [angular; linear] in the axes of the moving frame.
// Series take over where a quotient loses digits, chosen by select, so packs and dual numbers pass through;
// the switch points keep every function exact to round-off at zero, at 1e-8 and near pi.
#pragma once

#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

template <class S>
struct Quaternion {
    S w = S(1), x{}, y{}, z{};

    friend Quaternion operator*(const Quaternion& a, const Quaternion& b)
    {
        return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }
    friend bool operator==(const Quaternion&, const Quaternion&) = default;
};
template <class S> Quaternion<S> conjugate(const Quaternion<S>& a) { return {a.w, -a.x, -a.y, -a.z}; }
template <class S> S norm(const Quaternion<S>& a)
{
    return sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
}
template <class S> Quaternion<S> normalized(const Quaternion<S>& a)
{
    const S scale = S(1) / norm(a);
    return {scale * a.w, scale * a.x, scale * a.y, scale * a.z};
}

// The same angle less full turns, at most half a turn.
template <class S> S nearest_turn(const S& angle)
{
    constexpr double full = 6.283185307179586;
    return angle - S(full) * round(S(1.0 / full) * angle);
}

// R(q) for a quaternion of any length but zero: R = 1 + s (w v~ + v~ v~), s = 2 / |q|^2.
template <class S> SWEEPDYN_INLINE Mat3<S> rotation_matrix(const Quaternion<S>& q)
{
    const S s = S(2) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const S x = s * q.x, y = s * q.y, z = s * q.z;
    const S wx = q.w * x, wy = q.w * y, wz = q.w * z;
    const S xx = q.x * x, xy = q.x * y, xz = q.x * z, yy = q.y * y, yz = q.y * z, zz = q.z * z;
    return {{S(1) - (yy + zz), xy + wz, xz - wy},
            {xy - wz, S(1) - (xx + zz), yz + wx},
            {xz + wy, yz - wx, S(1) - (xx + yy)}};
}

// The quaternion of a rotation matrix, w >= 0. Of the four formulas the best conditioned is selected.
template <class S> Quaternion<S> quaternion(const Mat3<S>& R)
{
    const S trace = R.x.x + R.y.y + R.z.z;
    const S rx = R.y.z - R.z.y, ry = R.z.x - R.x.z, rz = R.x.y - R.y.x;
    const S xy = R.x.y + R.y.x, yz = R.y.z + R.z.y, zx = R.z.x + R.x.z;
    const auto pick = [](auto mask, const Quaternion<S>& a, const Quaternion<S>& b) -> Quaternion<S> {
        return {select(mask, a.w, b.w), select(mask, a.x, b.x), select(mask, a.y, b.y),
                select(mask, a.z, b.z)};
    };
    Quaternion<S> best{S(1) + trace, rx, ry, rz};
    S largest = trace;
    const Quaternion<S> by_x{rx, S(1) + R.x.x + R.x.x - trace, xy, zx};
    best = pick(R.x.x > largest, by_x, best), largest = max(largest, R.x.x);
    const Quaternion<S> by_y{ry, xy, S(1) + R.y.y + R.y.y - trace, yz};
    best = pick(R.y.y > largest, by_y, best), largest = max(largest, R.y.y);
    const Quaternion<S> by_z{rz, zx, yz, S(1) + R.z.z + R.z.z - trace};
    best = pick(R.z.z > largest, by_z, best);
    const Quaternion<S> flipped{-best.w, -best.x, -best.y, -best.z};
    return normalized(pick(best.w < S(0), flipped, best));
}

// exp: rotation vector -> quaternion [cos(t/2); sin(t/2)/t * v].
template <class S> Quaternion<S> exp_quaternion(const Vec3<S>& v)
{
    const S square = dot(v, v);
    const auto small = square < S(1e-6);
    const S angle = sqrt(select(small, S(1), square));
    S sine, cosine;
    sincos(S(0.5) * angle, sine, cosine);
    // sin(t/2)/t and cos(t/2) by their series: the first dropped term is below 1e-24.
    const S ratio =
        select(small, S(0.5) - square * (S(1.0 / 48) - square * (S(1.0 / 3840) - square * S(1.0 / 645120))),
               sine / angle);
    const S real = select(
        small, S(1) - square * (S(1.0 / 8) - square * (S(1.0 / 384) - square * S(1.0 / 46080))), cosine);
    return {real, ratio * v.x, ratio * v.y, ratio * v.z};
}

// log: quaternion -> rotation vector of length at most pi. q and -q are the same rotation.
template <class S> Vec3<S> log_quaternion(const Quaternion<S>& q)
{
    const S sign = select(q.w < S(0), S(-1), S(1));
    const S w = sign * q.w;
    const Vec3<S> v{sign * q.x, sign * q.y, sign * q.z};
    const S square = dot(v, v);
    const auto small = square < S(1e-6) * w * w;
    const S sine = sqrt(select(small, S(1), square));
    const S t = square / select(small, w * w, S(1)); // tan^2(angle/2)
    // 2 atan(x)/x with x = tan(angle/2), divided by w.
    const S series = S(2) - t * (S(2.0 / 3) - t * (S(2.0 / 5) - t * (S(2.0 / 7) - t * S(2.0 / 9))));
    const S scale = select(small, series / select(small, w, S(1)), S(2) * atan2(sine, w) / sine);
    return scale * v;
}

template <class S> Mat3<S> exp_rotation(const Vec3<S>& v) { return rotation_matrix(exp_quaternion(v)); }
template <class S> Vec3<S> log_rotation(const Mat3<S>& R) { return log_quaternion(quaternion(R)); }

// Rotation about a unit axis.
template <class S> Mat3<S> rotation_about(const Vec3<S>& axis, const S& angle)
{
    return exp_rotation(angle * axis);
}

// A rotation that puts z on the given unit axis. For z itself it is the identity.
// The new x is the next axis in the cyclic order x y z after the axis' largest component, made orthogonal to it:
// so the axis x gets (y, z), y gets (z, x) and z gets (x, y) as its plane.
inline Mat3<double> frame_with_z(const Vec3<double>& axis)
{
    const double ax = std::abs(axis.x), ay = std::abs(axis.y), az = std::abs(axis.z);
    const int largest = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
    Vec3<double> x{};
    x[(largest + 1) % 3] = 1.0;
    x = x - dot(x, axis) * axis;
    x = (1.0 / norm(x)) * x;
    return {x, cross(axis, x), axis};
}

namespace detail {
// (1 - cos t)/t^2 and (t - sin t)/t^3 of t^2, exact at zero.
template <class S> void se3_coefficients(const S& square, S& b, S& c)
{
    const auto small = square < S(0.04);
    const S angle = sqrt(select(small, S(1), square));
    S sine, cosine;
    sincos(angle, sine, cosine);
    S half_sine, half_cosine;
    sincos(S(0.5) * angle, half_sine, half_cosine);
    const S x = square;
    const S b_series =
        S(1.0 / 2) -
        x * (S(1.0 / 24) -
             x * (S(1.0 / 720) - x * (S(1.0 / 40320) - x * (S(1.0 / 3628800) - x * S(1.0 / 479001600)))));
    const S c_series =
        S(1.0 / 6) -
        x * (S(1.0 / 120) - x * (S(1.0 / 5040) - x * (S(1.0 / 362880) -
                                                      x * (S(1.0 / 39916800) - x * S(1.0 / 6227020800.0)))));
    b = select(small, b_series, S(2) * half_sine * half_sine / square);
    c = select(small, c_series, (angle - sine) / (angle * square));
}
// (1 - (t/2) cot(t/2))/t^2 of t^2, exact at zero, finite up to 2 pi.
template <class S> S se3_inverse_coefficient(const S& square)
{
    const auto small = square < S(0.04);
    const S angle = sqrt(select(small, S(1), square));
    S sine, cosine;
    sincos(S(0.5) * angle, sine, cosine);
    const S x = square;
    const S series =
        S(1.0 / 12) +
        x * (S(1.0 / 720) +
             x * (S(1.0 / 30240) +
                  x * (S(1.0 / 1209600) + x * (S(1.0 / 47900160) + x * S(691.0 / 1307674368000.0)))));
    return select(small, series, (S(1) - S(0.5) * angle * cosine / sine) / square);
}
// Its derivative by t^2.
template <class S> S se3_inverse_slope(const S& square)
{
    const auto small = square < S(0.04);
    const S angle = sqrt(select(small, S(1), square));
    S sine, cosine;
    sincos(S(0.5) * angle, sine, cosine);
    const S x = square;
    const S series =
        S(1.0 / 720) +
        x * (S(2.0 / 30240) +
             x * (S(3.0 / 1209600) + x * (S(4.0 / 47900160) + x * S(5 * 691.0 / 1307674368000.0))));
    const S turned = (cosine / sine - S(0.5) * angle / (sine * sine)) / (S(4) * angle);
    return select(small, series, -(turned + se3_inverse_coefficient(square)) / square);
}
} // namespace detail

// exp of SE(3): turn by w, and move by (1 + b w~ + c w~ w~) v.
template <class S> Vec3<S> se3_exp_translation(const Motion<S>& xi)
{
    S b, c;
    detail::se3_coefficients(dot(xi.w, xi.w), b, c);
    const Vec3<S> wv = cross(xi.w, xi.v);
    return xi.v + b * wv + c * cross(xi.w, wv);
}
// The v of log of SE(3), given the rotation vector w and the translation p: (1 - w~/2 + d w~ w~) p.
template <class S> Vec3<S> se3_log_translation(const Vec3<S>& w, const Vec3<S>& p)
{
    const Vec3<S> wp = cross(w, p);
    return p - S(0.5) * wp + detail::se3_inverse_coefficient(dot(w, w)) * cross(w, wp);
}
// The rate of xi while exp(xi) moves with the body-fixed twist V:
//     xi_dot = V + ad V / 2 + (c - s c') ad^2 V - c' ad^4 V,     ad V = xi x V,  s = |w|^2,  c(s) as in the log,
// exact for |w| < 2 pi, for ad (ad^2 + s)^2 = 0 on SE(3). On SO(3) ad^4 = -s ad^2 leaves V + ad V / 2 + c ad^2 V.
template <class S> Vec3<S> log_rotation_rate(const Vec3<S>& w, const Vec3<S>& V)
{
    const Vec3<S> wV = cross(w, V);
    return V + S(0.5) * wV + detail::se3_inverse_coefficient(dot(w, w)) * cross(w, wV);
}
template <class S> Motion<S> log_pose_rate(const Motion<S>& xi, const Motion<S>& V)
{
    const S s = dot(xi.w, xi.w), c = detail::se3_inverse_coefficient(s), slope = detail::se3_inverse_slope(s);
    const auto ad = [&](const Motion<S>& X) -> Motion<S> {
        return {cross(xi.w, X.w), cross(xi.v, X.w) + cross(xi.w, X.v)};
    };
    const Motion<S> V1 = ad(V), V2 = ad(V1), V4 = ad(ad(V2));
    return V + S(0.5) * V1 + (c - s * slope) * V2 - slope * V4;
}
template <class S> Pose<S> exp_pose(const Motion<S>& xi)
{
    return {exp_rotation(xi.w), se3_exp_translation(xi)};
}
template <class S> Motion<S> log_pose(const Pose<S>& X)
{
    const Vec3<S> w = log_rotation(X.R);
    return {w, se3_log_translation(w, X.p)};
}

} // namespace sweepdyn
