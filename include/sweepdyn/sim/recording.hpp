// A recording: signals in time, one column each, the first of them time.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sweepdyn {

struct Column {
    std::string name; // "q:elbow", "pose:tool.x"
    std::string unit; // "rad"; empty: none, or not known
    friend bool operator==(const Column&, const Column&) = default;
};

struct Recording {
    std::vector<Column> columns;
    std::vector<double> values; // row by row

    std::size_t num_rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
    std::span<const double> row(std::size_t i) const
    {
        return std::span(values).subspan(i * columns.size(), columns.size());
    }
    double operator()(std::size_t row, std::size_t column) const
    {
        return values[row * columns.size() + column];
    }
};

} // namespace sweepdyn
