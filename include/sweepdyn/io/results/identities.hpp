// The identities of the algebra on a model as JSON: what `sweepdyn identities --json` prints.
//
//     {"model", "conventions", "identities": [{"name", "equation", "source", "residual", "tolerance", "holds"}], "holds": all do}
#pragma once

#include "sweepdyn/operators/identities.hpp"

namespace sweepdyn {

// Without a newline at the end. Throws RefusedError for a residual that is not finite.
std::string write_identities(const Model& model, std::span<const algebra::IdentityResidual> identities);

} // namespace sweepdyn
