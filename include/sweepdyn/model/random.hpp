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
    double normal()
    {
        return std::sqrt(-2.0 * std::log(1.0 - uniform())) * std::cos(6.283185307179586 * uniform());
    }

    Vec3<double> vector(double size = 1.0)
    {
        return {size * uniform(-1, 1), size * uniform(-1, 1), size * uniform(-1, 1)};
    }
    Quaternion<double> quaternion()
    {
        return normalized(Quaternion<double>{normal(), normal(), normal(), normal()});
    }
    Mat3<double> rotation() { return rotation_matrix(quaternion()); }
    Vec3<double> direction()
    {
        const Vec3<double> v{normal(), normal(), normal()};
        return (1.0 / norm(v)) * v;
    }

private:
    std::uint64_t state_;
};

} // namespace sweepdyn
