// Plots as SVG: panels over one abscissa, each with its own ordinate, grid, ticks at round numbers and legend. The text is a
// whole picture by itself, without scripts or fonts of others; colours stay apart for the colour-blind, and repeat with other
// dashes. Curves of more points than a picture shows are thinned so that every peak stays.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn {

struct PlotCurve {
    std::string name;
    std::vector<double> y; // as many as the plot has x
};
struct PlotPanel {
    std::string label; // of the ordinate, with its unit: "velocity [rad/s]"
    bool logarithmic = false;
    std::vector<PlotCurve> curves;
    bool gaps = false; // a value that is no number (NaN) interrupts its curve; else it is refused
};
struct Plot {
    std::string title;
    std::string x_label; // "time [s]"
    bool logarithmic_x = false;
    std::vector<double> x;
    std::vector<PlotPanel> panels;
};

// The first column is the abscissa; the others stand together by kind ("q:", "v:", ...) and unit, in their order.
Plot plot_of(const Recording& recording, std::string title);

// Throws UsageError: sizes that differ, nothing to draw; RefusedError: numbers that are not finite, or not positive on a
// logarithmic axis.
std::string write_svg(const Plot& plot);

} // namespace sweepdyn
