// What a plan does, in words: the expression, its spaces, its sweeps as loops, what it costs.
#pragma once

#include <optional>

#include "sweepdyn/operators/plan.hpp"
#include "sweepdyn/spatial/counting.hpp"

namespace sweepdyn::algebra {

// Operations of one application, by running it with the counting scalar; stages not included.
OperationCount cost(const Plan& plan);

// How the cost grows: operations that a body more costs, counted on chains of 16, 32 and 64 links with one dof each, where the
// frames of the expression become links at the tip. Nothing where a chain cannot run it (it has no armature to invert, or fewer
// links than there are frames) or the growth is not linear.
std::optional<double> operations_per_body(const Arena& arena, const Node* expression);

// Names of the numbers of a vector: dofs, BODY.wx .. BODY.vz for motions, BODY.mx .. BODY.fz for forces.
std::vector<std::string> labels(const Plan& plan, SpaceId space);

enum class Form { text, latex };
// Ends with a newline. LaTeX: for the body of a document that uses amsmath.
std::string explain(Arena& arena, const Node* expression, Form form = Form::text);

} // namespace sweepdyn::algebra
