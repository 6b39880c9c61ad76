// Seeded random numbers that are the same on every machine (the standard's distributions are not).
#pragma once

#include <cmath>
#include <cstdint>

#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

// splitmix64 (Steele, Lea and Flood 2014): small, and any seed will do.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits()
    {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double uniform(double low = 0.0, double high = 1.0)
    {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1.0p-53);
    }
    int integer(int low, int high)
    {
        return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
    }
    Vec3<double> vector(double size = 1.0)
    {
        return {size * uniform(-1, 1), size * uniform(-1, 1), size * uniform(-1, 1)};
    }
    Quaternion<double> quaternion()
    {
        // Two circles, of radii whose squares share 1 at random (Shoemake 1992).
        const double share = uniform(), a = std::sqrt(share), b = std::sqrt(1.0 - share);
        const Vec3<double> u = circle(), w = circle();
        return normalized(Quaternion<double>{a * u.x, a * u.y, b * w.x, b * w.y});
    }
    Mat3<double> rotation() { return rotation_matrix(quaternion()); }
    Vec3<double> direction()
    {
        const double z = uniform(-1, 1), radius = std::sqrt((1.0 - z) * (1.0 + z));
        const Vec3<double> u = circle();
        return {radius * u.x, radius * u.y, z};
    }

private:
    Vec3<double> circle() // a point of the unit circle
    {
        Vec3<double> u{};
        sincos(uniform(-3.141592653589793, 3.141592653589793), u.y, u.x);
        return u;
    }

    std::uint64_t state_;
};

} // namespace sweepdyn
