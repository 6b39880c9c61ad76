// Results as JSON: what `sweepdyn compute` prints.
//
//     {"model": NAME, "conventions": "sweepdyn-1", "units": "SI", "dofs": [NAMES], "results": {KEY: VALUE, ...}}
//
// Values are numbers, lists, matrices as lists of rows, matrices with labels of their own as {"rows": [LABELS],
// "cols": [LABELS], "matrix": rows}, poses as {"R": rows, "p": [3]}, lists of names, and what loops carry as
// {"loops": [{"name", "wrench", "unique"}]}. Numbers are the shortest
// decimal text that reads back to the same double; minus zero is written as 0.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sweepdyn/dynamics/loop_force.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct ResultMatrix {
    int rows = 0, columns = 0;
    std::vector<double> entries; // row by row
};

struct LabelledMatrix {
    std::vector<std::string> rows, columns;
    ResultMatrix matrix;
};

using ResultValue = std::variant<double, std::vector<double>, ResultMatrix, LabelledMatrix, Pose<double>,
                                 std::vector<std::string>, std::vector<LoopForce>>;
using Result = std::vector<std::pair<std::string, ResultValue>>; // by key, in the order to print

enum class ResultLayout { line, indented };

// Without a newline at the end. Throws RefusedError naming the key of a number that is not finite.
std::string write_result(const Model& model, const Result& result, ResultLayout layout = ResultLayout::line);

} // namespace sweepdyn
