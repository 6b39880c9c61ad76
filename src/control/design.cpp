#include "control/design.hpp"

#include <algorithm>
#include <cmath>

#include "control/weights.hpp"
#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn {
using namespace lapack;

Matrix diagonal_weights(std::span<const double> values, int size, const std::string& what)
{
    if (values.size() != 1 && values.size() != static_cast<std::size_t>(size))
        throw UsageError(what + ": got " + std::to_string(values.size()) + " numbers, expected one, or " +
                         std::to_string(size) + " of them");
    Matrix out(size, size);
    for (int i = 0; i < size; ++i)
        out(i, i) = values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    return out;
}

namespace control {

void require_shapes(const char* design, const StateSpace& system)
{
    const int n = system.A.rows();
    if (n == 0)
        throw RefusedError(
            std::string(design) +
            ": the linear model has no states, for nothing in it can move; expected a mechanism "
            "with at least one freedom (info lists its mobility)");
    const auto count = [](const std::vector<std::string>& names) { return static_cast<int>(names.size()); };
    if (system.A.columns() != n || system.B.rows() != n || count(system.states) != n ||
        count(system.inputs) != system.B.columns())
        throw UsageError(std::string(design) + ": A is " + std::to_string(n) + " x " +
                         std::to_string(system.A.columns()) + ", B " + std::to_string(system.B.rows()) +
                         " x " + std::to_string(system.B.columns()) + ", with names of " +
                         std::to_string(count(system.states)) + " states and " +
                         std::to_string(count(system.inputs)) +
                         " inputs; expected A square, a row of A and B and a name per state, a column of B "
                         "and a name per input");
    if (!finite(system.A) || !finite(system.B))
        throw UsageError(std::string(design) + ": A or B holds a number that is not finite");
}

void require_weight(const char* design, const char* name, const Matrix& W, int size, bool definite)
{
    const std::string head = std::string(design) + ": " + name;
    if (W.rows() != size || W.columns() != size)
        throw UsageError(head + " is " + std::to_string(W.rows()) + " x " + std::to_string(W.columns()) +
                         ", expected " + std::to_string(size) + " x " + std::to_string(size));
    if (!finite(W))
        throw UsageError(head + " holds a number that is not finite");
    if (norm(W - transpose(W)) > 1e-12 * norm(W))
        throw UsageError(head + " is not symmetric; give its symmetric part");
    const std::vector<double> values = symmetric_eigensystem(W).values;
    const double least = values.empty() ? 1.0 : values.front(), most = values.empty() ? 1.0 : values.back();
    if (definite ? !(least > 0.0) : !(least >= -1e-12 * std::abs(most)))
        throw UsageError(head + " has the eigenvalue " + number_text(least) + ", expected all " +
                         (definite ? "above zero: every input must cost something" : "at least zero"));
}

bool strictly_stable(Complex s, Region region, double size)
{
    return region == Region::left_half_plane ? s.real() < -1e-10 * size : std::abs(s) < 1.0 - 1e-10;
}

namespace {
// Sampled poles gather around z = 1, where z - 1 tells a chain of them from a slow mode (linear/poles.hpp).
Matrix about_border(const Matrix& A, Region region)
{
    return region == Region::left_half_plane ? A : A - Matrix::identity(A.rows());
}
} // namespace

Staircase stairs_of_inputs(const StateSpace& system, Region region)
{
    return controllability(about_border(system.A, region), system.B, system.states);
}
Staircase stairs_of_outputs(const StateSpace& system, const Matrix& C, Region region)
{
    return observability(about_border(system.A, region), C, system.states);
}

std::vector<std::string> refuse_lost(const char* design, const StateSpace& system, const Staircase& stairs,
                                     Region region, const std::string& why, const std::string& remedy)
{
    std::vector<std::string> warnings;
    std::string faults;
    for (LostMode mode : stairs.lost_modes) {
        if (region == Region::unit_disk)
            mode.s += 1.0;
        const bool stays = strictly_stable(mode.s, region, norm(system.A));
        if (stays)
            warnings.push_back(lost_mode_text(mode) + " stays where it is: " + why);
        else
            faults += "\n  - " + lost_mode_text(mode);
    }
    if (!faults.empty())
        throw RefusedError(std::string(design) + ": " + why + ", and not strictly stable:" + faults + "\n" +
                           remedy);
    return warnings;
}

void warn_of_drift(const StateSpace& system, std::vector<std::string>& warnings)
{
    const auto largest = std::max_element(system.f0.begin(), system.f0.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (largest != system.f0.end() && std::abs(*largest) > 1e-9)
        warnings.push_back("not in equilibrium: at the operating point the rate of " +
                           system.states[static_cast<std::size_t>(largest - system.f0.begin())] + " is " +
                           number_text(*largest) + "; the regulator will hold a point beside it");
}

} // namespace control
} // namespace sweepdyn
