// Controllability and observability by the staircase: orthogonal Q with
//
//     Q' A Q = [Ac *; 0 Au],   Q' B = [Bc; 0],   (Ac, Bc) controllable,
//
// so the poles of Au are those that no input moves. No power of A is formed. Before, states are scaled to balance A, and each
// column of B to the size of A; a rank counts singular values above `tolerance` times the norm of A.  [Van Dooren 1981]
//
// How near each mode is to being lost is the margin of Popov, Belevitch and Hautus: the least singular value of [A - s I, B],
// scaled as above, over the norm of A. Observability is controllability of (A', C').
//
// Cost: O(n^3); the margins O(n^4). Specified by tests/unit/linear_controllability.cpp.
#pragma once

#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn {

inline constexpr double staircase_tolerance = 1e-10;

// A pole that no input moves (or no output sees), and the states that carry it, those of most weight first.
struct LostMode {
    std::complex<double> s; // of a pair the one above the real axis
    int multiplicity = 1; // of pairs: how many pairs
    std::vector<std::string> states;
    bool strictly_stable = false; // Re s below -tolerance |A|
};

struct Staircase {
    int rank = 0; // states that inputs reach (or outputs see)
    std::vector<int> steps; // rank of each step of the stairs
    Matrix reached,
        lost; // bases of the reached states, and of the functionals w of x with w' x beyond reach (columns)
    std::vector<LostMode> lost_modes;

    bool complete() const { return lost.columns() == 0; }
};

// Throw UsageError for sizes that do not fit. `names` may be empty: then states are called x1, x2, ...
Staircase controllability(const Matrix& A, const Matrix& B, const std::vector<std::string>& names = {},
                          double tolerance = staircase_tolerance);
Staircase observability(const Matrix& A, const Matrix& C, const std::vector<std::string>& names = {},
                        double tolerance = staircase_tolerance);
inline Staircase controllability(const StateSpace& system)
{
    return controllability(system.A, system.B, system.states);
}
inline Staircase observability(const StateSpace& system)
{
    return observability(system.A, system.C, system.states);
}

// One margin per pole, in the order of poles(A).
std::vector<double> controllability_margins(const Matrix& A, const Matrix& B);

// "the mode at 0 (2 times) in q:slide, v:slide".
std::string lost_mode_text(const LostMode& mode);

} // namespace sweepdyn
