// Of a mechanism with loops at a state: what compute asks of it. v = E u, u the independent dofs.
#pragma once

#include <Eigen/Dense>

#include "loop_state.hpp"
#include "sweepdyn/closed/branch_limit.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "sweepdyn/linear/closed_linearization.hpp"

namespace sweepdyn::app {

class ClosedEvaluation {
public:
    ClosedEvaluation(const Model& model, const PassiveForces& passive, DofChoices choices);

    // Throws RefusedError where the state does not close the loops. External forces per body, or none; passive forces per dof.
    void set(const State& state, std::span<const Force<double>> external, std::span<const double> passive);

    ClosedMechanism& mechanism() { return mechanism_; }
    // The places of the independent dofs in the mechanism's own order, as they were asked for.
    std::vector<int> places();
    std::vector<double> forward_dynamics();
    std::vector<LoopForce> loop_forces();
    // Of all dofs, from a of the state at the independent ones.
    std::vector<double> completed_accelerations();
    // The least forces of the actuated dofs for them, and those that do nothing. Throws RefusedError with what they leave unbalanced.
    Actuation actuation();
    // External forces per body with those of the loops, at these accelerations: at T of the state, which causes them, or at the least
    // forces that do.
    std::vector<Force<double>> all_forces(std::span<const double> v_dot, bool at_T);
    Eigen::MatrixXd response(); // E M_ind^-1 E'
    ClosedLinearization& linearization();

private:
    std::vector<double> asked(); // a of the state at the independent dofs
    bool forces_are_unbounded(std::span<const double> v_dot, const char* what);
    void note_choice(); // where --actuated makes others independent than a is read at without it
    Eigen::MatrixXd basis();
    Eigen::LLT<Eigen::MatrixXd> factored_mass_matrix();

    ClosedMechanism mechanism_;
    PassiveForces passive_;
    DofChoices choices_;
    std::optional<ClosedLinearization> linearization_; // made when first asked for
    const State* state_ = nullptr;
    std::span<const Force<double>> external_;
    std::vector<double> resistance_, driving_; // passive forces; T less them
    bool linearized_ = false, told_ = false, told_choice_ = false, told_singular_ = false,
         told_unbounded_ = false;
    std::optional<BranchLimit> branches_; // made where rows are gone
    bool told_fading_ = false;
    bool meets_ = false,
         has_limit_ = false; // branches do, at the state; one of them is that of the velocities
    std::vector<double> limit_; // the accelerations on it
};

} // namespace sweepdyn::app
