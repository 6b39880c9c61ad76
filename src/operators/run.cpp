#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {
namespace detail {

using sweepdyn::detail::quoted;

void throw_singular_hinge(const Model& model, int hinge)
{
    throw RefusedError(
        "no inertia to move at hinge " + quoted(model.hinges()[static_cast<std::size_t>(hinge)].name) +
        ", so D has no inverse and P, G, psi do not exist; give mass and inertia to what it carries, or "
        "armature to the hinge");
}
void throw_wrong_model(const Model& plan, const Model& stages)
{
    throw UsageError("run: the plan is of model " + quoted(plan.name()) + ", the stages are of model " +
                     quoted(stages.name()) +
                     (plan.name() == stages.name() ? ", another of the same name" : "") +
                     "; use stages made from the plan's model");
}
void throw_unknown_vector(const Plan& plan, const std::string& name)
{
    std::vector<std::string> known;
    for (const Value& v : plan.values())
        if (v.kind == Value::Kind::input && v.leaf == Leaf::vector)
            known.push_back(v.name);
    throw UsageError(unknown_name("vector", name, known));
}
void throw_singular_block(const Model& model, const char* leaf, Index body)
{
    throw RefusedError("inverse(" + std::string(leaf) + "): its block of body " +
                       quoted(model.bodies()[static_cast<std::size_t>(body)].name) + " is singular");
}

} // namespace detail

template class Stages<double>;
template class Runner<double>;

} // namespace sweepdyn::algebra
