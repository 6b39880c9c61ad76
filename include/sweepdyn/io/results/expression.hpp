// Values of expressions as JSON: what `sweepdyn eval` prints.
//
//     {"model", "conventions", "units", "expr", "range", "domain", "sweeps", "cost": {...}, "rows": [LABELS], "cols": [LABELS],
//      "matrix": [[...], ...]}        or, applied to a vector,  "rows" and "vector"
#pragma once

#include "sweepdyn/io/results/result.hpp"
#include "sweepdyn/operators/explain.hpp"

namespace sweepdyn {

struct ExpressionResult {
    std::string expression, range, domain;
    int sweeps = 0;
    OperationCount cost{};
    std::vector<std::string> rows, columns;
    ResultValue value; // a ResultMatrix, or a list
};

// Without a newline at the end. Throws RefusedError for a number that is not finite.
std::string write_expression(const Model& model, const ExpressionResult& result,
                             ResultLayout layout = ResultLayout::line);

// Numbers in the order of the labels, or by label: {"elbow": 1}, the others zero. Throws StateError.
std::vector<double> read_vector(std::string_view json, std::string_view where,
                                std::span<const std::string> labels);

} // namespace sweepdyn
