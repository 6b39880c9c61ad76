// Poles: the eigenvalues s of A, each with its frequency |s| / 2 pi and its damping -Re s / |s|.
//
// Mechanisms that float or turn freely have poles at zero, in chains (a displacement and its rate), which an eigenvalue routine
// scatters over a circle of radius sqrt(eps). So zeros are taken out first, by ranks: with V0 an orthonormal basis of the null
// space of A, A = [0 *; 0 A1] in the basis [V0 V1], and so on with A1 until a regular matrix is left, whose eigenvalues are the
// other poles. Ranks are taken of the balanced A, at zero_tolerance times its norm.      [Kublanovskaya 1966]
//
// Cost: O(n^3). Specified by tests/unit/linear_poles.cpp.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct Pole {
    std::complex<double> s;
    double frequency_hz = 0.0; // |s| / 2 pi
    double damping =
        0.0; // -Re s / |s|: 1 for a real stable pole, negative for an unstable one; 0 for a pole at zero
};

inline constexpr double zero_tolerance = 1e-12;

// By rising |s|, of a pair the one above the real axis first. Throws UsageError where A is not square or not finite.
std::vector<Pole> poles(const Matrix& A);
inline std::vector<Pole> poles(const StateSpace& system) { return poles(system.A); }

// s of each.
std::vector<std::complex<double>> pole_values(const Matrix& A);
Pole pole_at(std::complex<double> s);

// "-2.1+-3.4i", for messages.
std::string pole_text(std::complex<double> s);

} // namespace sweepdyn
