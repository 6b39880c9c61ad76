// A state and the stages computed from it. Workspaces are made once and serve state after state.
#pragma once

#include <optional>
#include <vector>

#include "closed_evaluation.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/dynamics/operational_dynamics.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "sweepdyn/linear/linearization.hpp"

namespace sweepdyn::app {

struct PassiveOptions {
    bool in_dynamics = false;    // whether T, bias and qdd take passive forces into account
    double friction_speed = 0.0; // v_s; 0 leaves dry friction out
};

class Evaluation {
public:
    Evaluation(const Model& of_model, const PassiveOptions& passive, DofChoices choices)
        : model(of_model),
          kin(of_model),
          passive_(passive),
          choices_(std::move(choices)),
          composite_(of_model),
          rates_(of_model),
          bias_inertias_(of_model),
          inertia_rates_(of_model),
          scratch_(of_model)
    {
        if (!of_model.loops().empty())
            closed_.emplace(of_model, PassiveForces{passive.in_dynamics, passive.friction_speed}, choices_);
    }

    // Throws RefusedError where the state does not close the loops.
    void set(const State& state);
    const State& state() const { return *state_; }

    const Model model;
    Kinematics<double> kin; // at q and v, with inertias

    // Of a mechanism with loops; of a tree nothing.
    ClosedEvaluation* closed() { return closed_ ? &*closed_ : nullptr; }
    // Where the state gives T and no a: those that T causes. Else its a; with loops at the independent dofs, and what follows from them.
    std::vector<double> accelerations();
    // T: hinge forces at a, by the actuated dofs. Throws RefusedError where they cannot.
    std::vector<double> hinge_forces();
    // Independent dofs; of a tree all.
    std::vector<int> independent();
    // Of the tree without its loops: hinge forces at q, v and the given accelerations, external wrenches and wanted passive forces included.
    std::vector<double> inverse_dynamics(std::span<const double> a);
    std::vector<double> gravity_forces();
    // Throws RefusedError naming the hinges without inertia.
    std::vector<double> forward_dynamics(int which = 3); // FD1 to FD4
    std::vector<double> mass_matrix_inverse();
    double log_det_mass_matrix();
    std::vector<double> operational_compliance(const std::vector<FrameId>& frames); // Omega
    // Throws RefusedError naming the directions that are lost.
    std::vector<double> operational_inertia(const std::vector<FrameId>& frames); // Lambda
    std::vector<double> passive_forces() const;
    std::vector<double> mass_matrix();
    std::vector<double> mass_matrix_rate();
    std::vector<double> coriolis_matrix(); // column by column, as the next
    std::vector<double> regressor();
    // Diagonalized dynamics: nu at v, eps at T (without wanted passive forces), C_nu with external wrenches.
    // Throw RefusedError naming a hinge without inertia.
    std::vector<double> nu();
    std::vector<double> eps();
    std::vector<double> C_nu();
    // 6 x dofs, column by column.
    std::vector<double> centroidal_momentum_matrix();
    Force<double> centroidal_bias() { return sweepdyn::centroidal_bias(kin, scratch_); }
    std::vector<double> generalized_jacobian(FrameId frame);
    // Derivatives of T at fixed v, a and of qdd at fixed v, T; dofs x dofs, column by column.
    Linearization& inverse_linearization();
    Linearization& forward_linearization(); // Throws RefusedError naming a hinge without inertia.
    // On body k by its parent, about the hinge's origin, in the axes of body k.
    Force<double> reaction(int k);

private:
    bool moved_by_T() const { return state_->gives_T && !state_->gives_a; }
    // T of the state, less wanted passive forces.
    std::vector<double> driving_forces() const;
    DiagonalDynamics<double>& diagonal();
    // One per body, or none at all.
    std::span<const Force<double>> external() const { return external_; }
    const Articulation<double>& articulation(const char* of);

    PassiveOptions passive_;
    DofChoices choices_;
    std::optional<ClosedEvaluation> closed_;
    const State* state_ = nullptr;
    std::vector<Force<double>> external_;
    CompositeInertias<double> composite_;
    ColumnRates<double> rates_;
    CompositeBiasInertias<double> bias_inertias_;
    CompositeInertiaRates<double> inertia_rates_;
    std::optional<Articulation<double>> articulation_; // made when first asked for
    std::optional<DiagonalDynamics<double>> diagonal_;
    std::optional<Linearization> linearization_;
    enum class LinearizedAt { nothing, accelerations, forces } linearized_at_ = LinearizedAt::nothing;
    BodyForces<double> scratch_;
    bool told_both_ = false, told_not_actuated_ = false;
};

} // namespace sweepdyn::app
