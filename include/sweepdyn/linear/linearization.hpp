// Linearization: the dynamics near one state, v_dot + dv_dot = FD(q + dq, v + dv, T + dT), exact to first order.
//
//     Linearization lin(model);
//     lin.set(q, v, T);                                  // or set_at(q, v, v_dot)
//     lin.apply(dq, dv, dT, dv_dot);                     // O(bodies + dofs)
//     lin.apply_adjoint(weights, on_dq, on_dv, on_dT);   // the transpose: gradients of what depends on v_dot
//     lin.dense();                                       // M^-1, A_C, B_C: dv_dot = M^-1 dT - A_C dv - B_C dq
//
// dq is a displacement of the hinges (model/configuration.hpp), dv the change of the numbers of v. Damping and smoothed friction
// are in by default: they add to A_C. Loads in world axes keep their axes while the bodies turn, loads in a frame's axes turn with it.
// set, apply and apply_adjoint allocate nothing once the loads have been seen. What needs M^-1 throws RefusedError where a hinge has no inertia.
// Specified by tests/laws/linearization.cpp.
#pragma once

#include <algorithm>
#include <optional>

#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/linear/by_mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/matrix.hpp"
#include "sweepdyn/linear/perturb_forward_dynamics.hpp"

namespace sweepdyn {

// Which road leads to the matrices of forward dynamics; automatic takes the cheaper one for the number of dofs.
enum class LinearRoute { automatic, by_mass_matrix, direct };
inline constexpr int direct_from_dofs = 13; // bench/instructions

struct PassiveForces {
    bool damping = true;
    double friction_speed = 0.0; // friction tanh(v / friction_speed); 0 leaves dry friction out
};

class Linearization {
public:
    explicit Linearization(const Model& model, const PassiveForces& passive = {},
                           Reference reference = Reference::automatic);

    void set(std::span<const double> q, std::span<const double> v, std::span<const double> T,
             std::span<const ExternalWrench> loads = {});
    void set_at(std::span<const double> q, std::span<const double> v, std::span<const double> v_dot,
                std::span<const ExternalWrench> loads = {});
    void set_gravity(const Vec3<double>& gravity)
    {
        kin_.set_gravity(gravity);
    } // counts from the next set on

    const Model& model() const { return kin_.model; }
    const Kinematics<double>& kinematics() const { return kin_; }
    const ColumnDerivatives<double>& derivatives() const { return d_; }
    // At the state: accelerations, and the hinge forces with what passive forces take.
    std::span<const double> v_dot() const { return v_dot_; }
    std::span<const double> T() const { return T_; }
    // How passive forces change with v, per dof.
    void damping_rates(std::span<double> out) const
    {
        std::copy(passive_rate_.begin(), passive_rate_.end(), out.begin());
    }

    void apply(std::span<const double> dq, std::span<const double> dv, std::span<const double> dT,
               std::span<double> dv_dot);
    void apply_adjoint(std::span<const double> weights, std::span<double> on_dq, std::span<double> on_dv,
                       std::span<double> on_dT);

    struct Forward {
        Matrix M_inverse, A_C, B_C;
    };
    const Forward& matrices(LinearRoute route = LinearRoute::automatic);
    // The same by its other name: apply() and apply_adjoint() without matrices, dense() with all of them.
    const Forward& dense() { return matrices(); }
    // dT = M dv_dot + A_D dv + B_D dq; armature in M, passive forces in A_D.
    struct Inverse {
        Matrix M, A_D, B_D;
    };
    const Inverse& inverse_matrices();

    // Columns of dv_dot per unit of ...
    Matrix by_gravity(); // 3: gravity in world axes
    Matrix by_wrench(FrameId frame, WrenchAxes axes); // 6: moment and force about the frame's origin
    Matrix by_inertial_parameters(); // 10 per body, in the order of model/inertial_parameters.hpp
    // 6: a turn and a shift of the hinge's frame on its parent, in that frame's own axes; bodies outboard go with it.
    Matrix by_hinge_placement(int hinge);
    // The columns of dT per unit of the same, at fixed v_dot; dv_dot is -M^-1 of them.
    Matrix forces_by_hinge_placement(int hinge);
    // The generalized forces of a unit of ...
    Matrix forces_of_gravity();
    Matrix forces_of_wrench(FrameId frame, WrenchAxes axes);

    const CompositeInertias<double>& composite();
    const CompositeLoads<double>& composite_loads(); // of inverse_matrices

private:
    Kinematics<double> kin_;
    PassiveForces passive_;
    Articulation<double> art_;
    CompositeInertias<double> composite_;
    ColumnDerivatives<double> d_;
    ArticulatedDerivatives<double> y_;
    ForwardDerivatives<double> direct_;
    ByMassMatrix<double> by_mass_;
    Perturbations<double> scratch_;
    BodyForces<double> forces_;
    std::vector<Force<double>> external_;
    std::vector<double> v_dot_, T_, passive_T_, passive_rate_, work_;
    Forward forward_;
    Inverse inverse_;
    std::optional<LinearRoute> forward_fresh_;
    bool loaded_ = false, inverse_fresh_ = false, composite_fresh_ = false;

    const Articulation<double>& articulation();
    std::span<const Force<double>> external() const
    {
        return loaded_ ? std::span<const Force<double>>(external_) : std::span<const Force<double>>{};
    }
    void start(std::span<const double> q, std::span<const double> v, std::span<const ExternalWrench> loads);
    void solve(std::span<double> column); // T becomes M^-1 T
};

} // namespace sweepdyn
