// Plots as SVG: curves with gaps where nothing is, and numbers that cannot be drawn.
#include <limits>

#include <gtest/gtest.h>

#include "sweepdyn/io/results/plot.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

int count(const std::string& text, const std::string& part)
{
    int out = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++out;
    return out;
}
// The curve itself, and not the axes: the only path that is as long.
std::string longest_path(const std::string& svg)
{
    std::string out;
    for (std::size_t at = svg.find(" d=\""); at != std::string::npos; at = svg.find(" d=\"", at + 1))
        if (const std::string path = svg.substr(at + 4, svg.find('"', at + 4) - at - 4);
            path.size() > out.size())
            out = path;
    return out;
}

Plot plot_of(std::size_t points, bool gaps)
{
    Plot plot{"title", "t [s]", false, {}, {{"margin [N]", false, {{"foot", {}}}, gaps}}};
    for (std::size_t i = 0; i < points; ++i) {
        plot.x.push_back(static_cast<double>(i));
        const double part = static_cast<double>(i) / static_cast<double>(points);
        plot.panels[0].curves[0].y.push_back((part > 0.2 && part < 0.4) || part > 0.9 ? nan : 3.0 + part);
    }
    return plot;
}

// Few points are drawn each, of many the extremes.
TEST(PlotSvg, GapsInterruptCurves)
{
    for (std::size_t points : {std::size_t{50}, std::size_t{20000}}) {
        const std::string svg = write_svg(plot_of(points, true)), curve = longest_path(svg);
        EXPECT_EQ(count(svg, "nan"), 0);
        EXPECT_EQ(count(curve, "M"), 2) << points;
        EXPECT_GT(count(curve, "L"), 25) << points;
    }
}

TEST(PlotSvg, WithoutGapsNaNIsRefused)
{
    try {
        write_svg(plot_of(50, false));
        FAIL();
    } catch (const RefusedError& error) {
        EXPECT_STREQ(error.what(), "plot: 'foot' is not finite (got nan)");
    }
}

} // namespace
} // namespace sweepdyn
