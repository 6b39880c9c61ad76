#include "sweepdyn/io/results/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
namespace {

// Pixels.
constexpr double width = 960, left = 92, legend_width = 210, top = 56, panel_height = 220, panel_gap = 34,
                 bottom = 54, legend_line = 17;
constexpr double plot_width = width - left - legend_width;

// Okabe and Ito's colours, black last; then the same again, dashed.
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array dashes{"", "7 3", "2 2.5", "9 3 2 3"};

std::string escaped(std::string_view text)
{
    std::string out;
    for (char c : text)
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    return out;
}

// "kg m^2/s" with raised digits.
std::string pretty(std::string text)
{
    for (const auto& [plain, raised] : {std::pair{"^2", "²"}, {"^3", "³"}})
        for (std::size_t at; (at = text.find(plain)) != text.npos;)
            text.replace(at, 2, raised);
    return text;
}

// A range of numbers along pixels, with its ticks.
class Axis {
public:
    struct Tick {
        double value;
        std::string label; // empty: a line of the grid only
    };

    Axis(double least, double most, bool logarithmic, int wanted_ticks) : logarithmic_(logarithmic)
    {
        if (logarithmic) {
            low_ = std::log10(least), high_ = std::log10(most);
            if (high_ - low_ < 1e-9)
                low_ -= 0.5, high_ += 0.5;
            decades();
        } else {
            low_ = least, high_ = most;
            const double size = std::max(std::abs(least), std::abs(most));
            if (high_ - low_ <= 1e-9 * size || size == 0.0) { // a constant: its neighbourhood
                const double around = size > 0.0 ? 0.5 * size : 1.0;
                low_ -= around, high_ += around;
            }
            round_numbers(wanted_ticks);
        }
    }
    void widen(double fraction)
    {
        const double margin = fraction * (high_ - low_);
        low_ -= margin, high_ += margin;
    }
    // From 0 to 1.
    double at(double value) const
    {
        return ((logarithmic_ ? std::log10(value) : value) - low_) / (high_ - low_);
    }
    // Those within the range.
    std::vector<Tick> ticks() const
    {
        std::vector<Tick> out;
        for (const Tick& tick : ticks_)
            if (at(tick.value) >= -1e-9 && at(tick.value) <= 1.0 + 1e-9)
                out.push_back(tick);
        return out;
    }

private:
    // Multiples of 1, 2 or 5 times a power of ten, one more to either side.
    void round_numbers(int wanted)
    {
        if (!std::isfinite(high_ - low_) || high_ - low_ < 1e-300)
            throw RefusedError(fmt::format("numbers from {} to {} cannot be drawn on one axis", low_, high_));
        const double raw = (high_ - low_) / wanted, power = std::pow(10.0, std::floor(std::log10(raw)));
        const double step = power * (raw <= 1.0001 * power   ? 1
                                     : raw <= 2.0001 * power ? 2
                                     : raw <= 5.0001 * power ? 5
                                                             : 10);
        const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(1.0001 * step))));
        const double first = std::floor(low_ / step) - 1, last = std::ceil(high_ / step) + 1;
        for (double n = first; n <= last; ++n) {
            const double value = n * step, size = std::max(std::abs(first), std::abs(last)) * step;
            std::string label =
                size >= 1e5 || size < 1e-3 ? scientific(value, step) : fmt::format("{:.{}f}", value, digits);
            if (n == 0.0)
                label = "0";
            ticks_.push_back({value, minus(label)});
        }
    }
    static std::string scientific(double value, double step)
    {
        const int digits =
            value == 0.0 ? 0
                         : std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value) * 1.0001)) -
                                                        std::floor(std::log10(1.0001 * step))));
        std::string text = fmt::format("{:.{}e}", value, digits);
        const std::size_t e = text.find('e');
        return text.substr(0, e) + "e" + std::to_string(std::stoi(text.substr(e + 1)));
    }
    static std::string minus(const std::string& label)
    {
        return label.starts_with('-') ? "−" + label.substr(1) : label;
    }
    // Powers of ten have labels; 2, 5 too when there are few, and the others only lines.
    void decades()
    {
        const int first = static_cast<int>(std::floor(low_)), last = static_cast<int>(std::ceil(high_));
        const int every = std::max(1, (last - first) / 8);
        for (int n = first; n <= last; ++n)
            for (int digit = 1; digit < 10; ++digit) {
                const double value = digit * std::pow(10.0, n);
                const bool named =
                    digit == 1 ? n % every == 0 : high_ - low_ < 1.5 && (digit == 2 || digit == 5);
                if (digit == 1 || every == 1)
                    ticks_.push_back(
                        {value, named ? minus(number_text(std::stod(fmt::format("{:.3g}", value)))) : ""});
            }
    }

    bool logarithmic_;
    double low_ = 0.0, high_ = 1.0;
    std::vector<Tick> ticks_;
};

struct Range {
    double least = HUGE_VAL, most = -HUGE_VAL;
    void add(double x) { least = std::min(least, x), most = std::max(most, x); }
};

void check(const Plot& plot)
{
    const auto numbers = [](const std::string& name, const std::vector<double>& values, bool logarithmic,
                            bool gaps) {
        for (double x : values) {
            if (gaps && std::isnan(x))
                continue;
            if (!std::isfinite(x))
                throw RefusedError("plot: '" + name + "' is not finite (got " + number_text(x) + ")");
            if (logarithmic && !(x > 0.0))
                throw RefusedError("plot: '" + name + "' has the value " + number_text(x) +
                                   ", which a logarithmic axis does not have; expected numbers above zero");
        }
    };
    if (plot.x.empty() || plot.panels.empty())
        throw UsageError(
            "plot: nothing to draw, expected at least one row, a column for the abscissa and one more");
    numbers(plot.x_label, plot.x, plot.logarithmic_x, false);
    for (const PlotPanel& panel : plot.panels)
        for (const PlotCurve& curve : panel.curves) {
            require_size("plot", curve.name, curve.y.size(), plot.x.size());
            numbers(curve.name, curve.y, panel.logarithmic, panel.gaps);
        }
}

// The points of a curve, at most four for each pixel of the abscissa: its first, lowest, highest and last there.
std::string path(const std::vector<double>& x, const std::vector<double>& y)
{
    std::string out;
    bool drawn = false; // nothing else is, where it has no value
    const auto point = [&](std::size_t i) {
        if (!std::isnan(y[i]))
            out += fmt::format("{}{:.1f} {:.1f}", drawn ? "L" : "M", x[i], y[i]);
        drawn = !std::isnan(y[i]);
    };
    if (x.size() <= 4 * static_cast<std::size_t>(plot_width)) {
        for (std::size_t i = 0; i < x.size(); ++i)
            point(i);
        return out;
    }
    for (std::size_t first = 0; first < x.size();) {
        std::size_t end = first, low = first, high = first;
        for (; end < x.size() && std::floor(x[end]) == std::floor(x[first]); ++end) {
            low = y[end] < y[low] || std::isnan(y[low]) ? end : low;
            high = y[end] > y[high] || std::isnan(y[high]) ? end : high;
        }
        std::array<std::size_t, 4> kept{first, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (i == 0 || kept[i] != kept[i - 1])
                point(kept[i]);
        first = end;
    }
    return out;
}

class Svg {
public:
    explicit Svg(const Plot& plot) : plot_(plot), x_(axis_of_x(plot)) {}

    std::string write()
    {
        double y = plot_.title.empty() ? top - 26 : top;
        std::string panels;
        for (std::size_t i = 0; i < plot_.panels.size(); ++i) {
            const double height = height_of(plot_.panels[i]);
            panels += panel(plot_.panels[i], y, height, i, i + 1 == plot_.panels.size());
            y += height + panel_gap;
        }
        const double total = y - panel_gap + bottom;
        std::string out = fmt::format(
            R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" )"
            R"(font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="12" fill="#222">)"
            "\n",
            width, total);
        if (!plot_.title.empty())
            out += fmt::format("<title>{}</title>\n", escaped(plot_.title));
        out += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#fff\"/>\n", width, total);
        if (!plot_.title.empty())
            out +=
                fmt::format("<text x=\"{:.0f}\" y=\"30\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
                            left, escaped(plot_.title));
        out += panels;
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                           left + plot_width / 2, total - 14, escaped(pretty(plot_.x_label)));
        return out + "</svg>\n";
    }

private:
    static Axis axis_of_x(const Plot& plot)
    {
        const auto [least, most] = std::minmax_element(plot.x.begin(), plot.x.end());
        return Axis(*least, *most, plot.logarithmic_x, 10);
    }
    // A long legend makes its panel higher.
    static double height_of(const PlotPanel& panel)
    {
        return std::max(panel_height, legend_line * static_cast<double>(panel.curves.size()) + 6);
    }

    std::string panel(const PlotPanel& panel, double y0, double height, std::size_t index, bool last) const
    {
        Range range;
        for (const PlotCurve& curve : panel.curves)
            for (double y : curve.y)
                range.add(y);
        Axis axis(range.least, range.most, panel.logarithmic, static_cast<int>(height / 42));
        axis.widen(0.05);
        const auto px = [&](double x) { return left + plot_width * x_.at(x); };
        const auto py = [&](double y) { return y0 + height * (1.0 - axis.at(y)); };

        std::string out =
            fmt::format("<g>\n<clipPath id=\"panel{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                        "height=\"{:.1f}\"/></clipPath>\n",
                        index, left, y0, plot_width, height);
        out += "<g stroke=\"#e4e4e4\">\n"; // the grid
        for (const Axis::Tick& tick : x_.ticks())
            out += line(px(tick.value), y0, px(tick.value), y0 + height);
        for (const Axis::Tick& tick : axis.ticks())
            out += line(left, py(tick.value), left + plot_width, py(tick.value));
        out += "</g>\n<g stroke=\"#222\">\n"; // the axes
        out += line(left, y0, left, y0 + height) + line(left, y0 + height, left + plot_width, y0 + height);
        out += "</g>\n<g text-anchor=\"end\" font-size=\"11\">\n";
        for (const Axis::Tick& tick : axis.ticks())
            out += text(left - 7, py(tick.value) + 4, tick.label);
        out += "</g>\n";
        if (last) {
            out += "<g text-anchor=\"middle\" font-size=\"11\">\n";
            for (const Axis::Tick& tick : x_.ticks())
                out += text(px(tick.value), y0 + height + 17, tick.label);
            out += "</g>\n";
        }
        out += fmt::format(
            "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            y0 + height / 2, escaped(pretty(panel.label)));
        out += curves(panel, y0, index, px, py);
        return out + "</g>\n";
    }

    template <class X, class Y>
    std::string curves(const PlotPanel& panel, double y0, std::size_t index, const X& px, const Y& py) const
    {
        std::string lines = fmt::format("<g fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" "
                                        "clip-path=\"url(#panel{})\">\n",
                                        index);
        std::string legend;
        std::vector<double> x, y(plot_.x.size());
        for (double value : plot_.x)
            x.push_back(px(value));
        for (std::size_t i = 0; i < panel.curves.size(); ++i) {
            const PlotCurve& curve = panel.curves[i];
            std::transform(curve.y.begin(), curve.y.end(), y.begin(), py);
            const char* dash = dashes[i / colours.size() % dashes.size()];
            const std::string style =
                fmt::format("stroke=\"{}\"{}", colours[i % colours.size()],
                            *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : std::string());
            if (x.size() == 1)
                lines += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" {}/>\n", x[0], y[0], style);
            else
                lines += fmt::format("<path d=\"{}\" {}/>\n", path(x, y), style);
            const double row = y0 + 12 + legend_line * static_cast<double>(i), at = left + plot_width + 16;
            legend +=
                fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke-width=\"2\" {}/>", at, row - 4, style);
            legend += text(at + 31, row, shortened(curve.name), curve.name);
        }
        return lines + "</g>\n" + legend;
    }

    // What fits beside the panel; the whole name shows when it is pointed at.
    static std::string shortened(const std::string& name)
    {
        constexpr std::size_t most = 25;
        std::size_t characters = 0, cut = 0;
        for (std::size_t i = 0; i < name.size(); ++i)
            if ((static_cast<unsigned char>(name[i]) & 0xC0) != 0x80 && ++characters == most)
                cut = i;
        return characters <= most ? name : name.substr(0, cut) + "…";
    }
    static std::string line(double x1, double y1, double x2, double y2)
    {
        return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x1, y1, x2, y2);
    }
    static std::string text(double x, double y, const std::string& words, const std::string& whole = {})
    {
        if (words.empty())
            return "";
        const std::string tip =
            whole == words || whole.empty() ? "" : "<title>" + escaped(whole) + "</title>";
        return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n", x, y, tip, escaped(words));
    }

    const Plot& plot_;
    Axis x_;
};

// What the columns of a kind are, for the ordinate.
std::string words_of(const std::string& kind, const std::string& unit)
{
    static constexpr std::array<std::array<const char*, 3>, 14> known{
        {{"q", "rad", "angle"},
         {"q", "m", "position"},
         {"q", "1", "quaternion"},
         {"v", "rad/s", "angular velocity"},
         {"v", "m/s", "velocity"},
         {"qdd", "rad/s^2", "angular acceleration"},
         {"qdd", "m/s^2", "acceleration"},
         {"T", "N m", "torque"},
         {"T", "N", "force"},
         {"pose", "m", "position"},
         {"pose", "rad", "rotation vector"},
         {"velocity", "rad/s", "angular velocity"},
         {"velocity", "m/s", "velocity"},
         {"com", "m", "centre of mass"}}};
    for (const auto& [of_kind, of_unit, words] : known)
        if (kind == of_kind && unit == of_unit)
            return words;
    if (kind == "momentum")
        return unit == "kg m/s" ? "momentum" : "angular momentum";
    return kind;
}
std::string labelled(const std::string& words, const std::string& unit)
{
    return unit.empty() || unit == "1" ? words : words.empty() ? "[" + unit + "]" : words + " [" + unit + "]";
}

} // namespace

Plot plot_of(const Recording& recording, std::string title)
{
    Plot plot;
    plot.title = std::move(title);
    if (recording.columns.empty())
        return plot;
    plot.x_label = labelled(recording.columns[0].name, recording.columns[0].unit);
    std::vector<std::pair<std::string, std::string>> kinds; // of the panels, with the unit
    for (std::size_t j = 0; j < recording.columns.size(); ++j) {
        std::vector<double> values;
        for (std::size_t i = 0; i < recording.num_rows(); ++i)
            values.push_back(recording(i, j));
        if (j == 0) {
            plot.x = std::move(values);
            continue;
        }
        // "q:elbow" is elbow of kind q; "com.x" is x of kind com; "voltage" is of no kind
        const auto& [name, unit] = recording.columns[j];
        const std::size_t split = name.find(':') != name.npos ? name.find(':') : name.find('.');
        const std::string kind = split == name.npos ? "" : name.substr(0, split);
        const std::string own = split == name.npos ? name : name.substr(split + 1);
        const auto found = std::find(kinds.begin(), kinds.end(), std::pair{kind, unit});
        if (found == kinds.end()) {
            kinds.emplace_back(kind, unit);
            plot.panels.push_back({labelled(words_of(kind, unit), unit), false, {}});
            plot.panels.back().curves.push_back({own, std::move(values)});
        } else
            plot.panels[static_cast<std::size_t>(found - kinds.begin())].curves.push_back(
                {own, std::move(values)});
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) // a curve alone, of no kind, says itself what it is
        if (kinds[i].first.empty() && plot.panels[i].curves.size() == 1)
            plot.panels[i].label = labelled(plot.panels[i].curves.front().name, kinds[i].second);
    return plot;
}

std::string write_svg(const Plot& plot)
{
    check(plot);
    return Svg(plot).write();
}

} // namespace sweepdyn
