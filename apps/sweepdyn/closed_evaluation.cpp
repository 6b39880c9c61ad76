#include "closed_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "model_argument.hpp"

namespace sweepdyn::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ClosedEvaluation::ClosedEvaluation(const Model& model, const PassiveForces& passive, DofChoices choices)
    : mechanism_(model),
      passive_(passive),
      choices_(std::move(choices))
{
    prefer(mechanism_, choices_);
}

void ClosedEvaluation::set(const State& state, std::span<const Force<double>> external,
                           std::span<const double> passive)
{
    state_ = &state;
    external_ = external;
    linearized_ = false;
    mechanism_.set(state.q, state.v);
    require_closed(mechanism_, state.where.empty() ? "the neutral configuration" : "the state");
    check_independent(mechanism_, choices_);
    resistance_.assign(passive.begin(), passive.end());
    driving_ = state.T;
    for (std::size_t j = 0; j < resistance_.size(); ++j)
        driving_[j] -= resistance_[j];
    meets_ = has_limit_ = false;
    if (rows_are_gone(mechanism_.closure())) {
        if (!branches_)
            branches_.emplace(mechanism_.model());
        meets_ = branches_->meet(mechanism_.kinematics());
    }
    if (!meets_)
        return;
    limit_.resize(driving_.size());
    has_limit_ = branches_->acceleration(mechanism_.kinematics(), driving_, limit_, external_);
    if (!std::exchange(told_singular_, true))
        note_singular(mechanism_, has_limit_ ? Told::limit : Told::to_first_order);
}

std::vector<int> ClosedEvaluation::places()
{
    const std::span<const int> own = mechanism_.independent();
    std::vector<int> out;
    for (int j : choices_.independent)
        if (const auto found = std::find(own.begin(), own.end(), j); found != own.end())
            out.push_back(static_cast<int>(found - own.begin()));
    if (out.size() != own.size()) { // others were taken, with a note
        out.resize(own.size());
        std::iota(out.begin(), out.end(), 0);
    }
    return out;
}

std::vector<double> ClosedEvaluation::forward_dynamics()
{
    if (has_limit_)
        return limit_;
    std::vector<double> v_dot(driving_.size());
    mechanism_.forward_dynamics(driving_, v_dot, external_);
    return v_dot;
}

// A branch where its loops carry other accelerations than the rows that are left alone: towards this pose the force of the row that is gone
// grows beyond all numbers.
bool ClosedEvaluation::forces_are_unbounded(std::span<const double> v_dot, const char* what)
{
    if (!meets_)
        return false;
    std::vector<double> by_rows(driving_.size());
    mechanism_.forward_dynamics(driving_, by_rows, external_);
    double largest = 0.0, off = 0.0;
    for (std::size_t j = 0; j < v_dot.size(); ++j) {
        largest = std::max(largest, std::abs(v_dot[j]));
        off = std::max(off, std::abs(v_dot[j] - by_rows[j]));
    }
    if (!(off > 1e-7 * largest))
        return false;
    if (!std::exchange(told_unbounded_, true))
        note(fmt::format(
            "{}: towards this pose forces of the loops grow beyond all numbers, those that are told "
            "are not all of them",
            what));
    return true;
}

std::vector<LoopForce> ClosedEvaluation::loop_forces()
{
    const std::vector<double> v_dot = forward_dynamics();
    std::vector<LoopForce> out = mechanism_.loop_forces(driving_, v_dot, external_);
    if (forces_are_unbounded(v_dot, "loop_wrench"))
        for (LoopForce& force : out)
            force.unique.assign(force.unique.size(), false);
    return out;
}

std::vector<double> ClosedEvaluation::asked()
{
    std::vector<double> a;
    for (int j : mechanism_.independent())
        a.push_back(state_->a[static_cast<std::size_t>(j)]);
    return a;
}

void ClosedEvaluation::note_choice()
{
    if (told_choice_ || !state_->gives_a || !choices_.actuated_typed || !choices_.independent.empty())
        return;
    const Model& model = mechanism_.model();
    ClosedMechanism untold(model);
    prefer(untold, {.actuated = model.actuated_dofs()});
    untold.set(state_->q, state_->v);
    const auto now = mechanism_.independent(), otherwise = untold.independent();
    if (std::equal(now.begin(), now.end(), otherwise.begin(), otherwise.end()))
        return;
    const auto list = [&](std::span<const int> dofs) {
        std::string names;
        for (int j : dofs)
            names += (names.empty() ? "" : ",") + model.dof_names()[static_cast<std::size_t>(j)];
        return names;
    };
    note(fmt::format("a is read at the independent dofs, and --actuated changes them to {}; --independent {} "
                     "reads it where it is read without --actuated",
                     list(now), list(otherwise)));
    told_choice_ = true;
}

std::vector<double> ClosedEvaluation::completed_accelerations()
{
    note_choice();
    std::vector<double> v_dot(driving_.size());
    mechanism_.complete_accelerations(asked(), v_dot);
    double largest = 0.0;
    for (double a : v_dot)
        largest = std::max(largest, std::abs(a));
    for (std::size_t j = 0; j < v_dot.size() && !told_; ++j)
        if (state_->a[j] != 0.0 && std::abs(state_->a[j] - v_dot[j]) > 1e-8 * largest) {
            note(fmt::format("a is read at the independent dofs; the loops give '{}' {:.6g}, not {:.6g}",
                             mechanism_.model().dof_names()[j], v_dot[j], state_->a[j]));
            told_ = true;
        }
    return v_dot;
}

Actuation ClosedEvaluation::actuation()
{
    completed_accelerations(); // for its note
    const Model& model = mechanism_.model();
    std::vector<int> all(driving_.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int>& actuated = choices_.actuated ? *choices_.actuated : all;
    Actuation out = mechanism_.inverse_dynamics(asked(), actuated, external_, resistance_);
    if (!out.missing.empty()) {
        std::vector<std::string> names;
        for (int j : actuated)
            names.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
        throw RefusedError(
            fmt::format("the actuated dofs {} cannot give these accelerations; generalized forces that stay "
                        "unbalanced, by independent dof: {}; --actuated names others",
                        names.empty() ? "(none)" : quoted_names(names), forces_by_dof(model, out.missing)));
    }
    return out;
}

std::vector<Force<double>> ClosedEvaluation::all_forces(std::span<const double> v_dot, bool at_T)
{
    std::vector<double> T = at_T ? driving_ : actuation().T;
    for (std::size_t j = 0; j < resistance_.size() && !at_T; ++j)
        T[j] -= resistance_[j];
    if (at_T)
        forces_are_unbounded(v_dot, "reaction");
    std::string shared;
    for (const Redundancy& one : mechanism_.redundancies())
        shared += (shared.empty() ? "" : ", ") + quoted_names(one.loops);
    if (!shared.empty())
        note(fmt::format("reaction: the loops {} are redundant, so not all reactions are determined; these "
                         "are one choice",
                         shared));
    return mechanism_.with_loop_forces(mechanism_.multipliers(T, v_dot, external_), external_);
}

MatrixXd ClosedEvaluation::basis()
{
    return Eigen::Map<const MatrixXd>(mechanism_.basis().data(), static_cast<Eigen::Index>(driving_.size()),
                                      mechanism_.mobility());
}

Eigen::LLT<MatrixXd> ClosedEvaluation::factored_mass_matrix()
{
    const int m = mechanism_.mobility();
    const std::vector<double> entries = mechanism_.mass_matrix();
    const Eigen::Map<const MatrixXd> M(entries.data(), m, m);
    Eigen::LLT<MatrixXd> factors(M);
    for (int i = 0; i < m; ++i)
        if (factors.info() != Eigen::Success ||
            !(factors.matrixLLT()(i, i) * factors.matrixLLT()(i, i) > 1e-13 * M(i, i)))
            throw RefusedError(fmt::format("M_ind has no inverse: '{}' moves without inertia",
                                           mechanism_.model().dof_names()[static_cast<std::size_t>(
                                               mechanism_.independent()[static_cast<std::size_t>(i)])]));
    return factors;
}

MatrixXd ClosedEvaluation::response()
{
    const MatrixXd E = basis(), X = factored_mass_matrix().matrixL().solve(E.transpose());
    return X.transpose() * X;
}

ClosedLinearization& ClosedEvaluation::linearization()
{
    if (!linearization_)
        linearization_.emplace(mechanism_.model(), passive_);
    if (!linearized_) {
        if (!std::exchange(told_fading_, true))
            note_fading(mechanism_);
        linearization_->set_independent(mechanism_.independent());
        linearization_->prefer_positions(choices_.positions);
        linearization_->set(state_->q, state_->v, state_->T, state_->external);
        linearized_ = true;
    }
    return *linearization_;
}

} // namespace sweepdyn::app
