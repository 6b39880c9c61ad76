// Linear models as JSON, CSV and MAT-files.
//
// JSON:  {"model", "conventions", "units", "states", "inputs", "outputs", "A", "B", "C", "D", "f0", "x0", "u0", "y0",
//         "q0", "v0", "T0", "notes"}, matrices as lists of rows.
// CSV:   one table, a row for each rate and each output, named "d/dt STATE" or OUTPUT; a column for each state and each input, and
//        "constant": a row is the sum of its coefficients times the deviations, plus its constant (f0, y0). Then the row
//        "operating point" with x0 and u0, and a row "note: TEXT" for each note.
// MAT:   variables of the same names as in JSON (level 5, read by MATLAB, Octave and SciPy); names are cell arrays of text.
// The descriptor form has E beside A; in CSV its columns "d/dt STATE" come first and its rows are "equation STATE": the sum over E is the
// sum over the rest.
// Specified by tests/unit/state_space_files.cpp and tests/examples/linear_models_page.py.
#pragma once

#include <filesystem>

#include "sweepdyn/io/results/result.hpp"
#include "sweepdyn/linear/descriptor.hpp"

namespace sweepdyn {

// Without a newline at the end. Throws RefusedError naming the matrix that holds a number that is not finite.
std::string write_state_space(const StateSpace& system, const std::string& model,
                              ResultLayout layout = ResultLayout::line);
std::string write_state_space(const DescriptorSystem& form, const std::string& model,
                              ResultLayout layout = ResultLayout::line);
std::string write_state_space_csv(const StateSpace& system);
std::string write_state_space_csv(const DescriptorSystem& form);

// Whether MAT-files can be written: whether matio was there when the library was built.
bool writes_mat_files();
// Written whole or not at all. Throws RefusedError without matio, std::runtime_error where the file cannot be written.
void write_state_space_mat(const StateSpace& system, const std::string& model,
                           const std::filesystem::path& path);
void write_state_space_mat(const DescriptorSystem& form, const std::string& model,
                           const std::filesystem::path& path);

} // namespace sweepdyn
