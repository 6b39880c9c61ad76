// The analysis of linear models as JSON: what `sweepdyn poles` prints.
//
//     {"model", "conventions", "units", "poles": [{"re", "im", "frequency_hz", "damping"}]}
//
// and with modes each pole has "shape": {JOINT: [re, im], ...}, and "grade" where it belongs to a chain of zeros; controllability and
// observability are {"rank", "of", "lost": [{"re", "im", "multiplicity", "states", "strictly_stable"}]}.
#pragma once

#include "sweepdyn/io/results/result.hpp"
#include "sweepdyn/linear/controllability.hpp"
#include "sweepdyn/linear/modes.hpp"

namespace sweepdyn {

struct PolesAsked {
    bool modes = false, controllability = false, observability = false;
};

// Without a newline at the end.
std::string write_poles(const StateSpace& system, const std::string& model, const PolesAsked& asked = {},
                        ResultLayout layout = ResultLayout::line);

} // namespace sweepdyn
