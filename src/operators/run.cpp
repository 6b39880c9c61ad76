#include "sweepdyn/operators/run.hpp"

namespace sweepdyn::algebra {
namespace detail {

using sweepdyn::detail::quoted;

void throw_unset(const Value& value)
{
    const std::string& name = value.name;
    throw UsageError((value.kind == Value::Kind::apply ? "run: the operator " : "run: the vector ") +
                     quoted(name) + " has no numbers yet; give them with set(" + quoted(name) + ", numbers)");
}
void throw_no_mass(const Model& model)
{
    throw RefusedError("model " + quoted(model.name()) +
                       " has no mass, so no centre of mass: B_cm does not exist");
}
void throw_wrong_reference(Reference plan, Reference stages)
{
    const auto name = [](Reference r) {
        return r == Reference::hinges ? "hinges" : r == Reference::pole ? "pole" : "automatic";
    };
    throw UsageError(std::string("run: the operators are about Reference::") + name(plan) +
                     ", the stages about Reference::" + name(stages) +
                     "; make Operators and Stages with the same choice");
}
void throw_wrong_model(const Model& plan, const Model& stages)
{
    throw UsageError("run: the plan is of model " + quoted(plan.name()) + ", the stages are of model " +
                     quoted(stages.name()) +
                     (plan.name() == stages.name() ? ", another of the same name" : "") +
                     "; use stages made from the plan's model");
}
void throw_unknown_name(const Plan& plan, const std::string& name)
{
    std::vector<std::string> known;
    for (const Value& v : plan.values())
        if (plan.is_named(v) && std::find(known.begin(), known.end(), v.name) == known.end())
            known.push_back(v.name);
    throw UsageError(unknown_name("vector or operator", name, known));
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
