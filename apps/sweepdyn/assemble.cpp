// sweepdyn assemble: states that close the loops of a mechanism, as JSON.
#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/closed/projection.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/io/results/state_write.hpp"
#include "sweepdyn/kinematics/loop_slip.hpp"
#include "terminal.hpp"
#include "typed_names.hpp"

namespace sweepdyn::app {
namespace {

bool any(const std::vector<double>& numbers)
{
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
}

// The velocities nearest to those given, in the mass metric, that keep the loops closed.
std::vector<double> closing_velocities(const Model& model, const std::vector<double>& q,
                                       std::vector<double> v)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    update_inertias(kin);
    ClosedDynamics dynamics(model);
    dynamics.update(kin);
    if (!dynamics.singular().empty())
        throw RefusedError("assemble: hinge '" +
                           model.hinges()[static_cast<std::size_t>(dynamics.singular().front())].name +
                           "' has no inertia to move, so that velocities cannot be weighed; leave v out");
    Projection projection(model);
    for (int pass = 0; pass < 2; ++pass) // the second takes what rounding leaves close to a singular pose
        projection.velocities(kin, dynamics, v);
    return v;
}

// By its own name, or with its hinge.
bool is_held(const Model& model, const std::vector<std::string>& hold, int dof)
{
    const auto body = static_cast<std::size_t>(model.tree().body_of_dof[static_cast<std::size_t>(dof)]);
    return std::any_of(hold.begin(), hold.end(), [&](const std::string& name) {
        return name == model.dof_names()[static_cast<std::size_t>(dof)] || name == model.hinges()[body].name;
    });
}

// A held dof stays where it is, within its limits or not.
void note_held_beyond_limits(const Model& model, const std::vector<double>& q, const AssemblyOptions& how)
{
    for (int k : model.tree().base_to_tip()) {
        const auto body = static_cast<std::size_t>(k);
        const Hinge& hinge = model.hinges()[body];
        for (std::size_t i = 0; how.limits && !has_quaternion(hinge) && i < hinge.limits.upper.size(); ++i) {
            const std::string& dof =
                model.dof_names()[static_cast<std::size_t>(model.tree().first_dof[body]) + i];
            const double x = q[static_cast<std::size_t>(model.tree().first_coordinate[body]) + i],
                         lower = i < hinge.limits.lower.size() ? hinge.limits.lower[i] : -INFINITY;
            if ((x < lower || x > hinge.limits.upper[i]) &&
                is_held(model, how.hold, model.tree().first_dof[body] + static_cast<int>(i)))
                note(fmt::format("'{}' is held at {}, beyond its limits {} to {}", dof, number_text(x),
                                 number_text(lower), number_text(hinge.limits.upper[i])));
        }
    }
}

// Likewise, with the velocities of held dofs as they are: v = E u, u of these given, the others by E_f' M (E u - v) = 0.
std::vector<double> closing_velocities(const Model& model, const std::vector<double>& q,
                                       const std::vector<double>& v, const std::vector<std::string>& hold)
{
    if (hold.empty())
        return closing_velocities(model, q, v);
    std::vector<int> held;
    for (int j = 0; j < model.num_dofs(); ++j)
        if (is_held(model, hold, j))
            held.push_back(j);
    ClosedMechanism mechanism(model);
    mechanism.prefer_independent(held);
    mechanism.set(q, v);
    const auto independent = mechanism.independent();
    const int n = model.num_dofs(), m = mechanism.mobility();
    const Eigen::Map<const Eigen::MatrixXd> E(mechanism.basis().data(), n, m);
    const Eigen::Map<const Eigen::VectorXd> given(v.data(), n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(m);
    std::vector<int> free; // columns
    for (int i = 0; i < m; ++i)
        if (const int j = independent[static_cast<std::size_t>(i)]; is_held(model, hold, j))
            u[i] = given[j];
        else
            free.push_back(i);
    CompositeInertias<double> composite(model);
    composite_inertias(mechanism.kinematics(), composite);
    Eigen::MatrixXd M(n, n);
    mass_matrix<double>(mechanism.kinematics(), composite,
                        std::span<double>(M.data(), static_cast<std::size_t>(M.size())));
    if (!free.empty()) {
        Eigen::MatrixXd E_f(n, static_cast<Eigen::Index>(free.size()));
        for (Eigen::Index i = 0; i < E_f.cols(); ++i)
            E_f.col(i) = E.col(free[static_cast<std::size_t>(i)]);
        const Eigen::VectorXd u_f = Eigen::MatrixXd(E_f.transpose() * M * E_f)
                                        .completeOrthogonalDecomposition()
                                        .solve(E_f.transpose() * (M * (given - E * u)));
        for (Eigen::Index i = 0; i < E_f.cols(); ++i)
            u[free[static_cast<std::size_t>(i)]] = u_f[i];
    }
    const Eigen::VectorXd closing = E * u;
    std::string follow;
    for (int j : held)
        if (!(std::abs(closing[j] - given[j]) <= 1e-9 * given.cwiseAbs().maxCoeff()))
            follow += fmt::format("{}'{}' {} in the place of {}", follow.empty() ? "" : ", ",
                                  model.dof_names()[static_cast<std::size_t>(j)], number_text(closing[j]),
                                  number_text(given[j]));
    if (!follow.empty())
        note(fmt::format("velocities of held dofs follow from those of others: {}", follow));
    return {closing.data(), closing.data() + n};
}

// Where all of a cluster's velocities are rounding of what they were, such as those of a brace, it rests.
void clear_rounding(const Model& model, const std::vector<double>& given, std::vector<double>& v)
{
    const auto largest = [](const Cluster& cluster, const std::vector<double>& of) {
        double x = 0.0;
        for (int j : cluster.dofs)
            x = std::max(x, std::abs(of[static_cast<std::size_t>(j)]));
        return x;
    };
    for (const Cluster& cluster : model.topology().clusters)
        if (largest(cluster, v) <= rounding_of_motion * largest(cluster, given))
            for (int j : cluster.dofs)
                v[static_cast<std::size_t>(j)] = 0.0;
}

} // namespace

std::string run_assemble(const AssembleOptions& options)
{
    AssemblyOptions how;
    how.limits = !options.no_limits;
    if (!options.branches.empty()) {
        const std::optional<double> number = typed_number(options.branches);
        if (!number || *number < 1.0 || *number > 1e6 || *number != std::floor(*number))
            throw UsageError(
                fmt::format("--branches: got '{}', expected a whole number from 1 to 1e6", options.branches));
        how.branches = static_cast<int>(*number);
        how.starts = std::max(how.starts, 20 * how.branches);
    }
    how.hold = typed_names("--hold", options.hold);
    const bool to_file = !options.output.empty() && options.output != "-";
    check_ending(options.output, {".json", ".jsonl"});
    if (to_file)
        check_output(options.output);

    const Model model = load(options.model);
    note_doubts(model, options.model);
    if (model.loops().empty())
        throw RefusedError(fmt::format(
            "model '{}' has no loops or couplings, so that there is nothing to assemble", model.name()));
    std::string out;
    for (const State& state :
         read_states(model, options.state, own_state(options.model, model), options.model.spec)) {
        note_held_beyond_limits(model, state.q, how);
        const Assembly found = assemble(model, state.q, how);
        if (!found.closed())
            throw RefusedError(
                fmt::format("{}{}", state.where.empty() ? "" : state.where + ": ", words(model, found)));
        if (!found.contradictions.empty())
            note(words(model, found));
        if (static_cast<int>(found.branches.size()) < how.branches)
            note(fmt::format("{} of {} branches found, in {}", found.branches.size(), how.branches,
                             count(static_cast<std::size_t>(found.starts), "start", "starts")));
        for (const std::vector<double>& q : found.branches) {
            State closed = state;
            closed.q = q;
            if (any(state.v)) {
                closed.v = closing_velocities(model, q, state.v, how.hold);
                clear_rounding(model, state.v, closed.v);
            }
            out += write_state(model, closed) + "\n";
        }
    }
    if (!to_file)
        return out;
    replace_file(options.output, out);
    return {};
}

} // namespace sweepdyn::app
