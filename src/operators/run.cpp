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
void throw_wrong_blocks(const BlockTree& plan, const BlockTree& stages)
{
    const auto text = [](const BlockTree& over) {
        std::string out = over.by_clusters() ? "clusters" : "hinges";
        for (const std::string& name : over.by_clusters() ? over.column_names() : std::vector<std::string>{})
            out += (out == "clusters" ? " with independent " : ", ") + quoted(name);
        return out;
    };
    throw UsageError("run: the operators are over " + text(plan) + ", the stages over " + text(stages) +
                     "; make Operators and Stages with the same BlockTree");
}
void throw_not_independent(const BlockTree& over, int cluster, std::span<const int> instead)
{
    const auto names = [&](const auto& dofs) {
        std::string out;
        for (int j : dofs)
            out += (out.empty() ? "" : ", ") + quoted(over.model().dof_names()[static_cast<std::size_t>(j)]);
        return out.empty() ? std::string("none") : out;
    };
    std::vector<int> asked;
    for (int column : over.clusters()[static_cast<std::size_t>(cluster)].columns)
        asked.push_back(over.independent()[static_cast<std::size_t>(column)]);
    throw RefusedError("at this state the loops do not leave " + names(asked) +
                       " independent; those that they leave: " + names(instead) +
                       ". Make the BlockTree with these");
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

template class ClusterBlocks<double>;
template class Stages<double>;
template class Runner<double>;

} // namespace sweepdyn::algebra
