// sweepdyn plot: a recording as a picture.
#include <filesystem>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/plot.hpp"
#include "sweepdyn/io/results/recording.hpp"

namespace sweepdyn::app {
namespace {

namespace fs = std::filesystem;

// Of the recording, the columns that were asked for: by name, or by its beginning before a *.
Recording chosen(const Recording& all, const std::vector<std::string>& lists)
{
    if (lists.empty())
        return all;
    std::vector<std::string> known;
    for (std::size_t j = 1; j < all.columns.size(); ++j)
        known.push_back(all.columns[j].name);
    std::vector<std::size_t> kept{0};
    for (const std::string& list : lists)
        for (std::size_t first = 0; first <= list.size();) {
            const std::size_t end = std::min(list.find(',', first), list.size());
            const std::string name = list.substr(first, end - first);
            const bool star = name.ends_with('*');
            const std::size_t before = kept.size();
            for (std::size_t j = 1; j < all.columns.size(); ++j)
                if (star ? all.columns[j].name.starts_with(name.substr(0, name.size() - 1))
                         : all.columns[j].name == name)
                    kept.push_back(j);
            if (kept.size() == before)
                throw UsageError("--signals: " + unknown_name("column", name, known));
            first = end + 1;
        }
    Recording out;
    for (std::size_t j : kept)
        out.columns.push_back(all.columns[j]);
    for (std::size_t i = 0; i < all.num_rows(); ++i)
        for (std::size_t j : kept)
            out.values.push_back(all(i, j));
    return out;
}

} // namespace

std::string run_plot(const PlotOptions& options)
{
    if (options.file.empty())
        throw UsageError(
            "plot needs a FILE: what simulate has written, or any CSV with a header; - for stdin");
    const bool to_file = !options.output.empty() && options.output != "-";
    if (to_file && !options.output.ends_with(".svg"))
        throw UsageError(
            fmt::format("-o: got '{}', expected a name that ends in .svg, or - for stdout", options.output));
    if (to_file)
        check_output(options.output);
    const std::string where = options.file == "-" ? "stdin" : options.file;
    const Recording recording = read_recording(read_text(options.file), where);
    if (recording.num_rows() == 0 || recording.columns.size() < 2)
        throw StateError(where,
                         {fmt::format("has {} columns and {} rows, expected two columns and a row at least",
                                      recording.columns.size(), recording.num_rows())});
    Plot plot = plot_of(chosen(recording, options.signals),
                        options.title.empty() ? fs::path(where).stem().string() : options.title);
    plot.logarithmic_x = options.log_x;
    for (PlotPanel& panel : plot.panels)
        panel.logarithmic = options.log_y;
    const std::string svg = write_svg(plot);
    if (!to_file)
        return svg;
    replace_file(options.output, svg);
    return "";
}

} // namespace sweepdyn::app
