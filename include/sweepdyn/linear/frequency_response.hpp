// Frequency responses and transfer functions of x_dot = A x + B u, y = C x + D u:
//
//     G(s) = D + C (s - A)^-1 B,        s = 2 pi i f
//
// A is brought to Hessenberg form once, O(n^3); each frequency then costs O(n^2) per input. A channel, from one input to one output, is
//
//     G(s) = gain (s - z1) (s - z2) ... / ((s - p1) (s - p2) ...)
//
// with its zeros found without the poles: where d is not zero they are the eigenvalues of A - b c / d; where it is, y = 0 holds the
// state along c at rest, and the equation of its rate is the output of a model with one state less (orthogonal reduction).
//                                                                                  [Emami-Naeini and Van Dooren 1982]
// Specified by tests/golden/control_oracle.cpp and tests/unit/linear_frequency_response.cpp.
#pragma once

#include <complex>
#include <span>

#include "sweepdyn/linear/state_space.hpp"

namespace sweepdyn {

struct FrequencyResponse {
    std::vector<double> hz;
    int num_outputs = 0, num_inputs = 0;
    std::vector<std::complex<double>> values; // by frequency, then input, then output

    const std::complex<double>& at(int frequency, int output, int input) const
    {
        return values[static_cast<std::size_t>((frequency * num_inputs + input) * num_outputs + output)];
    }
};

// Throws UsageError for a frequency that is not finite, RefusedError where one is a pole.
FrequencyResponse frequency_response(const StateSpace& system, std::span<const double> hz);

// What is drawn: 20 log10 |G|, and the angle of G in degrees, without jumps from one frequency to the next.
struct Bode {
    std::vector<double> hz, decibels, degrees;
};
Bode bode(const FrequencyResponse& response, int output, int input);

// `count` frequencies from `lowest` to `highest`, at equal ratios.
std::vector<double> frequencies(double lowest, double highest, int count);

struct TransferFunction {
    std::vector<std::complex<double>> zeros, poles;
    double gain = 0.0;
    std::vector<double> numerator, denominator; // coefficients, highest power first
};
TransferFunction transfer_function(const StateSpace& system, int output, int input);

} // namespace sweepdyn
