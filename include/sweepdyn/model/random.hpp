// Seeded random numbers that are the same on every machine (the standard's distributions are not).
#pragma once

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
    // Directions and turns by rejection: square roots are the same everywhere, logarithms and cosines are not.
    Vec3<double> direction()
    {
        for (;;) {
            const Vec3<double> v = vector();
            if (const double length = norm(v); length > 0.1 && length <= 1.0)
                return (1.0 / length) * v;
        }
    }
    Quaternion<double> quaternion()
    {
        for (;;) {
            const Vec3<double> v = vector();
            const Quaternion<double> q{uniform(-1, 1), v.x, v.y, v.z};
            if (const double length = norm(q); length > 0.1 && length <= 1.0)
                return normalized(q);
        }
    }
    Mat3<double> rotation() { return rotation_matrix(quaternion()); }

private:
    std::uint64_t state_;
};

} // namespace sweepdyn
