// Sine and cosine of a double at once, to 1 ulp, without a call or a table: a third of the instructions of the
// C library's, and a form that packs can share.
//
//     k = round(2a/pi),  r + t = a - k pi/2     pi/2 in three parts of 33, 33 and 53 bits: products with k are exact
//     sin(r + t) = r + (r^3 S(r^2) + t cos r),  cos(r + t) = 1 - r^2/2 + (r^4 C(r^2) - r t)
//     then the quadrant k mod 4 exchanges the two and sets the signs.
//
// The minimax coefficients S, C on [-pi/4, pi/4] and the parts of pi/2 are those published with fdlibm (Sun, 1993).
// Beyond 1e5 radians, where t grows to several ulp, and for infinities and NaN, the C library answers.
// The sine of -0 is +0. Tested against long double in tests/unit/sincos.cpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sweepdyn {

SWEEPDYN_INLINE void sincos(double a, double& sine, double& cosine)
{
    if (!(std::abs(a) < 1e5)) [[unlikely]] {
        sine = std::sin(a);
        cosine = std::cos(a);
        return;
    }
    constexpr double round_to_integer = 0x1.8p52;
    const double shifted = a * 0x1.45f306dc9c883p-1 + round_to_integer;
    const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
    const double k = shifted - round_to_integer;

    const double w = a - k * 1.57079632673412561417e+00;
    const double r = w - k * 6.07710050630396597660e-11;
    const double t = ((w - r) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;

    const double z = r * r;
    const double S = -1.66666666666666324348e-01 +
                     z * (8.33333333332248946124e-03 +
                          z * (-1.98412698298579493134e-04 +
                               z * (2.75573137070700676789e-06 +
                                    z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
    const double C = 4.16666666666666019037e-02 +
                     z * (-1.38888888888741095749e-03 +
                          z * (2.48015872894767294178e-05 +
                               z * (-2.75573143513906633035e-07 +
                                    z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
    const double half = 0.5 * z, one_less = 1.0 - half;
    const double s = r + (r * z * S + t * one_less);
    const double c = one_less + (((1.0 - one_less) - half) + (z * z * C - r * t));

    // Odd quadrants exchange sine and cosine; bit 1 of the quadrant is the sign of the sine, that of the next one the cosine's.
    const std::uint64_t odd = 0 - (quadrant & 1);
    const auto sb = std::bit_cast<std::uint64_t>(s), cb = std::bit_cast<std::uint64_t>(c);
    const std::uint64_t exchange = (sb ^ cb) & odd;
    sine = std::bit_cast<double>((sb ^ exchange) ^ ((quadrant & 2) << 62));
    cosine = std::bit_cast<double>((cb ^ exchange) ^ (((quadrant + 1) & 2) << 62));
}

} // namespace sweepdyn
