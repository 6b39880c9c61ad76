// sweepdyn eval, explain, identities: the operator algebra from the command line.
#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
#include "loop_state.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/expression.hpp"
#include "sweepdyn/io/results/identities.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/parse.hpp"
#include "terminal.hpp"

namespace sweepdyn::app {
namespace {

Reference reference_of(const std::string& about)
{
    if (about.empty() || about == "hinges")
        return Reference::hinges;
    if (about == "pole")
        return Reference::pole;
    throw UsageError(fmt::format("--about: got '{}', expected hinges or pole", about));
}

const algebra::Node* expression_of(algebra::Arena& arena, const std::string& text)
{
    try {
        return algebra::parse(arena, text);
    } catch (const algebra::AlgebraError& error) {
        throw UsageError(fmt::format("expression, {}", error.what()));
    }
}

// A block per hinge; of a mechanism with loops per cluster, with the independent dofs that were typed, that the file gives, or that
// are best conditioned at the state. Refused where the state leaves loops open, or others than the typed dofs independent.
algebra::BlockTree blocks_of(const Model& model, const DofChoices& choices, const State& state)
{
    if (model.topology().is_open()) {
        if (choices.independent_typed)
            throw RefusedError(fmt::format(
                "--independent: model '{}' has no loops, all its dofs are independent", model.name()));
        return model;
    }
    ClosedMechanism mechanism(model);
    prefer(mechanism, choices);
    mechanism.set(state.q, state.v);
    require_closed(mechanism, state.where.empty() ? "the neutral configuration" : "the state");
    check_independent(mechanism, choices);
    return algebra::BlockTree::clusters_at(model, state.q, mechanism.independent());
}

// "JSON", or "@FILE" for the text of a file.
std::vector<double> vector_of(const std::string& typed, const std::vector<std::string>& labels)
{
    if (typed.starts_with("@"))
        return read_vector(read_text(typed.substr(1)), typed.substr(1), labels);
    return read_vector(typed, "--vector", labels);
}

std::string table_of(const algebra::BlockTree& over, std::span<const algebra::IdentityResidual> identities)
{
    double worst = 0.0;
    std::string table, broken;
    for (const algebra::IdentityResidual& identity : identities) {
        table += fmt::format("{:<27} {:>8.1e}  {}\n", identity.name, identity.residual, identity.equation);
        worst = identity.residual <= worst ? worst : identity.residual;
        if (!identity.holds())
            broken += (broken.empty() ? "" : ", ") + identity.name;
    }
    return fmt::format(
        "{:<27} {:>8}  {}\n{}\n{}, {}; {}; worst residual {:.1e}\n", "identity", "residual", "equation",
        table, count(static_cast<std::size_t>(over.model().num_bodies()), "body", "bodies"),
        over.by_clusters()
            ? count(static_cast<std::size_t>(over.num_columns()), "independent dof", "independent dofs")
            : count(static_cast<std::size_t>(over.num_columns()), "dof", "dofs"),
        broken.empty() ? fmt::format("all {} identities hold", identities.size())
                       : "beyond rounding: " + broken,
        worst);
}

} // namespace

std::string run_eval(const EvalOptions& options)
{
    if (options.expression.empty())
        throw UsageError("eval needs an expression, such as \"H*phi*M*adj(phi)*adj(H) + J_a\"; eval --help "
                         "lists the leaves");
    const Reference reference = reference_of(options.about);
    const Model model = load(options.model);
    note_doubts(model, options.model);
    const std::optional<NativeState> own = own_state(options.model, model);
    const std::vector<State> states = read_states(model, options.state, own, options.model.spec);
    const DofChoices choices = dof_choices(model, own, {}, options.independent);
    const algebra::BlockTree over = blocks_of(model, choices, states.empty() ? State(model) : states.front());
    algebra::Arena arena(over, reference);
    const algebra::Node* expression = expression_of(arena, options.expression);
    const algebra::Plan plan(arena, expression);
    const bool is_vector = plan.operand() < 0; // of the state, as H*phi*M*adj(phi)*gravity

    ExpressionResult result{options.expression,
                            std::string(name(plan.range().space)),
                            std::string(name(plan.domain().space)),
                            plan.sweeps(),
                            algebra::cost(plan),
                            algebra::labels(plan, plan.range()),
                            algebra::labels(plan, plan.domain()),
                            {}};
    if (is_vector && !options.vector.empty())
        throw UsageError("--vector: the expression is a vector already, of the state; leave --vector away");
    std::vector<double> in;
    if (!options.vector.empty())
        in = vector_of(options.vector, result.columns);

    algebra::Stages<double> stages(over, reference);
    algebra::Runner<double> run(plan);
    std::string out;
    for (const State& state : states) {
        blocks_of(model, choices, state); // closed, like the first
        stages.update(plan, state.q, state.v);
        if (is_vector || !options.vector.empty()) {
            std::vector<double> y(result.rows.size());
            run(stages, in, y);
            result.value = std::move(y);
        } else {
            const Eigen::MatrixXd columns = algebra::dense(plan, stages);
            ResultMatrix matrix{static_cast<int>(columns.rows()), static_cast<int>(columns.cols()), {}};
            for (Eigen::Index i = 0; i < columns.rows(); ++i)
                for (Eigen::Index j = 0; j < columns.cols(); ++j)
                    matrix.entries.push_back(columns(i, j));
            result.value = std::move(matrix);
        }
        out += write_expression(model, result, options.indent ? ResultLayout::indented : ResultLayout::line) +
               "\n";
    }
    return out;
}

std::string run_explain(const ExplainOptions& options)
{
    if (options.expression.empty())
        throw UsageError("explain needs an expression, such as \"inverse(H*phi*M*adj(phi)*adj(H) + J_a)\"");
    if (!options.form.empty() && options.form != "text" && options.form != "latex")
        throw UsageError(fmt::format("--form: got '{}', expected text or latex", options.form));
    ModelArgument argument = options.model;
    if (argument.spec.empty())
        argument.spec = "chain:10";
    const Model model = load(argument);
    note_doubts(model, argument);
    const std::optional<NativeState> own = own_state(argument, model);
    algebra::Arena arena(blocks_of(model, dof_choices(model, own, {}, {}),
                                   read_states(model, {}, own, argument.spec).front()));
    const algebra::Node* expression = [&] {
        try {
            return expression_of(arena, options.expression);
        } catch (const UsageError& error) {
            if (!options.model.spec.empty() || options.expression.find('[') == options.expression.npos)
                throw;
            throw UsageError(fmt::format("{}\nframes are of a model: give it with --model", error.what()));
        }
    }();
    return algebra::explain(arena, expression,
                            options.form == "latex" ? algebra::Form::latex : algebra::Form::text);
}

std::string run_identities(const IdentitiesOptions& options)
{
    const Model model = load(options.model);
    note_doubts(model, options.model);
    const std::optional<NativeState> own = own_state(options.model, model);
    std::string out;
    for (const State& given : read_states(model, options.state, own, options.model.spec)) {
        State state = given;
        if (options.state.empty() && model.topology().is_open()) // something less special than neutral
            random_configuration(model, 1, state.q);
        algebra::Stages<double> stages(blocks_of(model, dof_choices(model, own, {}, {}), state));
        update<double>(stages.kin, state.q, state.v);
        const std::vector<algebra::IdentityResidual> identities = algebra::check_identities(stages);
        out += options.json ? write_identities(model, identities) + "\n" : table_of(stages.over, identities);
    }
    return out;
}

} // namespace sweepdyn::app
