// sweepdyn eval, explain, identities: the operator algebra from the command line.
#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
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

// "JSON", or "@FILE" for the text of a file.
std::vector<double> vector_of(const std::string& typed, const std::vector<std::string>& labels)
{
    if (typed.starts_with("@"))
        return read_vector(read_text(typed.substr(1)), typed.substr(1), labels);
    return read_vector(typed, "--vector", labels);
}

std::string table_of(const Model& model, std::span<const algebra::IdentityResidual> identities)
{
    double worst = 0.0;
    std::string table, broken;
    for (const algebra::IdentityResidual& identity : identities) {
        table += fmt::format("{:<27} {:>8.1e}  {}\n", identity.name, identity.residual, identity.equation);
        worst = identity.residual <= worst ? worst : identity.residual;
        if (!identity.holds())
            broken += (broken.empty() ? "" : ", ") + identity.name;
    }
    return fmt::format("{:<27} {:>8}  {}\n{}\n{}, {}; {}; worst residual {:.1e}\n", "identity", "residual",
                       "equation", table,
                       count(static_cast<std::size_t>(model.num_bodies()), "body", "bodies"),
                       count(static_cast<std::size_t>(model.num_dofs()), "dof", "dofs"),
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
    refuse_couplings(model, "eval");
    algebra::Arena arena(model, reference);
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

    algebra::Stages<double> stages(model, reference);
    algebra::Runner<double> run(plan);
    std::string out;
    for (const State& state : read_states(model, options.state)) {
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
    refuse_couplings(model, "explain");
    algebra::Arena arena(model);
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
    refuse_couplings(model, "identities");
    std::string out;
    for (const State& given : read_states(model, options.state)) {
        State state = given;
        if (options.state.empty()) // something less special than neutral
            random_configuration(model, 1, state.q);
        algebra::Stages<double> stages(model);
        update<double>(stages.kin, state.q, state.v);
        const std::vector<algebra::IdentityResidual> identities = algebra::check_identities(stages);
        out += options.json ? write_identities(model, identities) + "\n" : table_of(model, identities);
    }
    return out;
}

} // namespace sweepdyn::app
