// Frequency responses as recordings: what `sweepdyn bode` writes and `plot --log-x` draws.
//
//     CSV     frequency [Hz],magnitude:OUTPUT/INPUT [dB],phase:OUTPUT/INPUT [deg],...
//     JSON    {"model", "conventions", "units", "signals": [{"name", "unit", "values"}, ...],
//              "channels": [{"input", "output", "zeros": [[re, im], ...], "poles": [...], "gain"}, ...]}
//
// A channel through which nothing passes is left out. Specified by tests/cli/bode_command.py.
#pragma once

#include "sweepdyn/io/results/result.hpp"
#include "sweepdyn/linear/frequency_response.hpp"
#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn {

struct Channel {
    std::string input, output;
    TransferFunction G;
};
struct BodeDiagram {
    Recording curves; // magnitudes, then phases, of each channel
    std::vector<Channel> channels;
    std::vector<std::string> silent; // "OUTPUT/INPUT" through which nothing passes
};

// Of pairs of an input and an output; none: of all. Throws RefusedError where a frequency is a pole, or no channel passes anything.
BodeDiagram bode_diagram(const StateSpace& system, std::span<const double> hz,
                         std::vector<std::pair<int, int>> pairs = {});

// Without a newline at the end.
std::string write_bode(const BodeDiagram& diagram, const std::string& model);

} // namespace sweepdyn
