// Robot: the way in. Give it a model and a state, ask for what you want; each stage is computed once per state.
//
//     Robot robot("arm7.urdf");                      // or any Model
//     robot.set_state(q, v);
//     Eigen::VectorXd T   = robot.inverse_dynamics(v_dot);
//     Eigen::MatrixXd M   = robot.mass_matrix();
//     Eigen::MatrixXd J   = robot.jacobian("tool");
//
// Of a model with loops forward dynamics keeps them closed; M, inverse dynamics, gravity forces and the like are those of the tree of hinges.
// It returns Eigen values and checks every size and name. A loop that must not allocate uses the stages directly
// (kinematics/, dynamics/): they are what this class calls; functions.hpp has the same questions as functions. Not for sharing between threads; copy it instead.
// All of it is inline: memory of Eigen values must be taken and given back by code of one instruction set, the user's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweepdyn/closed/branch_limit.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/kinematics/loop_slip.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {

class Robot {
public:
    // At the neutral configuration, at rest.
    explicit Robot(const Model& model)
        : kin_(model),
          composite_(model),
          articulation_(model),
          diagonal_(model),
          forces_(model),
          rates_(model),
          motions_(model)
    {
        if (!model.topology().is_open())
            closed_.emplace(model);
        set_state(neutral(model));
    }
    explicit Robot(const std::string& file, const LoadOptions& options = {})
        : Robot(load_model(file, options))
    {
    }

    const Model& model() const { return kin_.model; }

    // --- the state ---------------------------------------------------------------------------------------------------
    // Throws UsageError for a wrong size, for a number that is not finite, for a quaternion of no length.
    void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v)
    {
        check_finite("q", q);
        check_finite("v", v);
        update<double>(kin_, detail::view(normalise(model(), q)), detail::view(v));
    }
    void set_state(const Eigen::VectorXd& q) { set_state(q, Eigen::VectorXd::Zero(model().num_dofs())); }
    // With the velocity of a body that hangs on the ground as [angular; linear], world axes, of its hinge's origin; its own numbers
    // of v do not count. Throws RefusedError where its hinge does not admit that.
    void set_mobile_state(const Eigen::VectorXd& q, const std::string& body,
                          const Eigen::Matrix<double, 6, 1>& velocity, const Eigen::VectorXd& v)
    {
        set_state(q, v);
        Eigen::VectorXd changed = v;
        set_base_velocity<double>(kin_, model().body(body).index, motion(velocity), detail::view(changed));
        set_state(q, changed);
    }
    void set_gravity(const Eigen::Vector3d& gravity)
    {
        kin_.set_gravity(vec3(gravity));
        closed_version_ = 0;
    }
    // A wrench [moment; force] about the frame's origin, kept until cleared.
    void add_external(const std::string& frame, const Eigen::Matrix<double, 6, 1>& wrench,
                      WrenchAxes axes = WrenchAxes::world)
    {
        external_.push_back({model().frame(frame), force(wrench), axes});
    }
    void clear_external() { external_.clear(); }

    // --- kinematics --------------------------------------------------------------------------------------------------
    Eigen::Matrix3d rotation(const std::string& frame) const
    {
        return dense(frame_pose(kin_, model().frame(frame)).R);
    }
    Eigen::Vector3d position(const std::string& frame) const
    {
        return dense(frame_pose(kin_, model().frame(frame)).p);
    }
    Eigen::VectorXd velocity(const std::string& frame, FrameAxes axes = FrameAxes::world_aligned) const
    {
        return dense(frame_velocity(kin_, model().frame(frame), axes));
    }
    // True acceleration, without gravity.
    Eigen::VectorXd acceleration(const std::string& frame, const Eigen::VectorXd& v_dot,
                                 FrameAxes axes = FrameAxes::world_aligned) const
    {
        check_dofs("acceleration", "v_dot", v_dot);
        return dense(frame_acceleration<double>(kin_, model().frame(frame), detail::view(v_dot), axes));
    }
    Eigen::VectorXd jacobian_rate_times_v(const std::string& frame,
                                          FrameAxes axes = FrameAxes::world_aligned) const
    {
        return dense(frame_acceleration<double>(kin_, model().frame(frame), {}, axes));
    }
    Eigen::MatrixXd jacobian(const std::string& frame, FrameAxes axes = FrameAxes::world_aligned) const
    {
        Eigen::MatrixXd J(6, model().num_dofs());
        frame_jacobian<double>(kin_, model().frame(frame), {J.data(), static_cast<std::size_t>(J.size())},
                               axes);
        return J;
    }

    // Per independent dof of a model with loops, the loops closed: v = E u, J E. Of a tree all dofs are.
    Eigen::MatrixXd independent_jacobian(const std::string& frame, FrameAxes axes = FrameAxes::world_aligned)
    {
        if (!closed_)
            return jacobian(frame, axes);
        Eigen::MatrixXd J(6, closed().mobility());
        closed().frame_jacobian(model().frame(frame), {J.data(), static_cast<std::size_t>(J.size())}, axes);
        return J;
    }

    // --- dynamics ----------------------------------------------------------------------------------------------------
    Eigen::VectorXd inverse_dynamics(const Eigen::VectorXd& v_dot)
    {
        check_dofs("inverse_dynamics", "v_dot", v_dot);
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::inverse_dynamics<double>(kin_, detail::view(v_dot), detail::view(T), forces_, external());
        return T;
    }
    // The same by composite inertias, and about an inertial point given from the world origin: other roads, for checking.
    Eigen::VectorXd composite_inverse_dynamics(const Eigen::VectorXd& v_dot)
    {
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::composite_inverse_dynamics<double>(kin_, composite(), detail::view(v_dot), detail::view(T),
                                                     forces_, external());
        return T;
    }
    Eigen::VectorXd inertial_inverse_dynamics(const Eigen::VectorXd& v_dot,
                                              const Eigen::Vector3d& point = Eigen::Vector3d::Zero())
    {
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::inertial_inverse_dynamics<double>(with_inertias(), vec3(point), detail::view(v_dot),
                                                    detail::view(T), forces_, external());
        return T;
    }
    Eigen::VectorXd bias_forces() { return inverse_dynamics(Eigen::VectorXd::Zero(model().num_dofs())); }
    Eigen::VectorXd gravity_forces()
    {
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::gravity_forces<double>(kin_, detail::view(T), forces_);
        return T;
    }
    // damping v + friction tanh(v / friction_speed); without a friction speed, damping only.
    Eigen::VectorXd passive_forces(double friction_speed = 0.0) const
    {
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::passive_forces<double>(model(), kin_.v, friction_speed, detail::view(T));
        return T;
    }
    // Throws RefusedError, naming the hinge, where there is no inertia to move. Loops stay closed; where branches of their motion meet,
    // these are the accelerations of the branch that the velocities are of.
    Eigen::VectorXd forward_dynamics(const Eigen::VectorXd& T)
    {
        check_dofs("forward_dynamics", "T", T);
        Eigen::VectorXd v_dot(model().num_dofs());
        if (closed_) {
            const bool may_meet = rows_are_gone(closed().closure());
            if (may_meet && !branches_)
                branches_.emplace(model());
            if (!may_meet || !branches_->meet(kin_) ||
                !branches_->acceleration(kin_, detail::view(T), detail::view(v_dot), external()))
                closed().forward_dynamics(detail::view(T), detail::view(v_dot), external());
            return v_dot;
        }
        const Articulation<double>& art = regular_articulation("forward_dynamics");
        sweepdyn::forward_dynamics<double>(kin_, art, detail::view(T), detail::view(v_dot), forces_,
                                           external());
        return v_dot;
    }
    // What closed chains are asked for besides, at this state: loop forces, independent dofs, least actuation. Refused on a tree.
    ClosedMechanism& closed()
    {
        if (!closed_)
            throw RefusedError("closed: model " + detail::quoted(model().name()) + " has no loops");
        if (closed_version_ != kin_.position_version) {
            closed_->set_gravity(-kin_.A0.v);
            closed_->set(kin_.q, kin_.v);
            if (const std::string open = open_loops(closed_->kinematics(), closed_->loops()); !open.empty())
                throw RefusedError("the state of model " + detail::quoted(model().name()) +
                                   " does not keep its loops closed:" + open +
                                   "\nassembled(model, q) of closed/assembly.hpp finds a configuration that "
                                   "does, closed().complete_velocities the velocities");
            closed_version_ = kin_.position_version;
        }
        return *closed_;
    }
    // The same with a wrench [moment; force] on a body that hangs on the ground, world axes, about its hinge's origin, in place of its
    // numbers of T. base_acceleration(body, v_dot) is then its acceleration in world axes.
    Eigen::VectorXd mobile_forward_dynamics(const std::string& body,
                                            const Eigen::Matrix<double, 6, 1>& wrench,
                                            const Eigen::VectorXd& T)
    {
        check_dofs("mobile_forward_dynamics", "T", T);
        Eigen::VectorXd driven = T;
        set_base_wrench<double>(kin_, model().body(body).index, force(wrench), detail::view(driven));
        return forward_dynamics(driven);
    }
    Eigen::MatrixXd mass_matrix()
    {
        Eigen::MatrixXd M(model().num_dofs(), model().num_dofs());
        sweepdyn::mass_matrix<double>(kin_, composite(), {M.data(), static_cast<std::size_t>(M.size())});
        return M;
    }
    Eigen::MatrixXd mass_matrix_rate()
    {
        Eigen::MatrixXd M_dot(model().num_dofs(), model().num_dofs());
        CompositeInertiaRates<double> scratch(model());
        sweepdyn::mass_matrix_rate<double>(kin_, column_rates(), composite(), detail::view(M_dot), scratch);
        return M_dot;
    }
    // C of passivity_inverse_dynamics: C v = bias forces without gravity, C + C' = M_dot.
    Eigen::MatrixXd coriolis_matrix()
    {
        Eigen::MatrixXd C(model().num_dofs(), model().num_dofs());
        CompositeBiasInertias<double> scratch(model());
        sweepdyn::coriolis_matrix<double>(kin_, column_rates(), composite(), detail::view(C), scratch);
        return C;
    }
    // M a_r + C(q,v) v_r + g - J' w: for controllers that keep a reference velocity apart from the velocity.
    Eigen::VectorXd passivity_inverse_dynamics(const Eigen::VectorXd& v_r, const Eigen::VectorXd& a_r)
    {
        Eigen::VectorXd T(model().num_dofs());
        sweepdyn::passivity_inverse_dynamics<double>(kin_, column_rates(), detail::view(v_r),
                                                     detail::view(a_r), detail::view(T), motions_,
                                                     external());
        return T;
    }
    // dofs x (10 bodies): Y inertial_parameters(model()) = inverse dynamics without armature and external wrenches.
    Eigen::MatrixXd regressor(const Eigen::VectorXd& v_dot)
    {
        Eigen::MatrixXd Y(model().num_dofs(), parameters_per_body * model().num_bodies());
        sweepdyn::regressor<double>(kin_, detail::view(v_dot), detail::view(Y), forces_);
        return Y;
    }
    Eigen::MatrixXd passivity_regressor(const Eigen::VectorXd& v_r, const Eigen::VectorXd& a_r)
    {
        Eigen::MatrixXd Y(model().num_dofs(), parameters_per_body * model().num_bodies());
        sweepdyn::passivity_regressor<double>(kin_, column_rates(), detail::view(v_r), detail::view(a_r),
                                              detail::view(Y), motions_);
        return Y;
    }
    // Directly, without inverting M. Throws RefusedError, naming the hinge, where there is no inertia to move.
    Eigen::MatrixXd mass_matrix_inverse()
    {
        Eigen::MatrixXd inverse(model().num_dofs(), model().num_dofs());
        MassMatrixInverse<double> work(model());
        sweepdyn::mass_matrix_inverse<double>(kin_, regular_articulation("mass_matrix_inverse"),
                                              detail::view(inverse), work);
        return inverse;
    }
    double log_det_mass_matrix()
    {
        Innovations<double> factors(model());
        factors.factor(with_inertias());
        return factors.log_det();
    }
    // J M^-1 J* of frames, [angular; linear] each, world axes. More of it: OperationalDynamics.
    Eigen::MatrixXd operational_compliance(const std::vector<std::string>& frames)
    {
        std::vector<FrameId> ids;
        for (const std::string& frame : frames)
            ids.push_back(model().frame(frame));
        if (closed_) {
            const auto n = static_cast<Eigen::Index>(6 * ids.size());
            return Eigen::Map<const Eigen::MatrixXd>(closed().compliance(ids).data(), n, n);
        }
        OperationalSpace<double> space(model(), std::move(ids));
        operational_space(kin_, regular_articulation("operational_compliance"), space);
        return Eigen::Map<const Eigen::MatrixXd>(space.Omega.data(), space.size(), space.size());
    }
    // Diagonalized dynamics, nu_dot + C_nu = eps: velocities in which the mass matrix is the identity (docs/diagonal-dynamics.md).
    // Throws RefusedError, naming the hinge, where there is no inertia to move.
    Eigen::VectorXd diagonal_velocity() // nu at the state's v
    {
        Eigen::VectorXd nu(model().num_dofs());
        nu_of_v<double>(kin_, diagonal(), kin_.v, detail::view(nu));
        return nu;
    }
    Eigen::VectorXd velocity_of_diagonal(const Eigen::VectorXd& nu)
    {
        check_dofs("velocity_of_diagonal", "nu", nu);
        Eigen::VectorXd v(model().num_dofs());
        v_of_nu<double>(kin_, diagonal(), detail::view(nu), detail::view(v));
        return v;
    }
    Eigen::VectorXd diagonal_forces(const Eigen::VectorXd& T) // eps
    {
        check_dofs("diagonal_forces", "T", T);
        Eigen::VectorXd eps(model().num_dofs());
        eps_of_T<double>(kin_, diagonal(), detail::view(T), detail::view(eps));
        return eps;
    }
    Eigen::VectorXd forces_of_diagonal(const Eigen::VectorXd& eps)
    {
        check_dofs("forces_of_diagonal", "eps", eps);
        Eigen::VectorXd T(model().num_dofs());
        T_of_eps<double>(kin_, diagonal(), detail::view(eps), detail::view(T));
        return T;
    }
    Eigen::VectorXd diagonal_coriolis() // C_nu, with gravity and external wrenches
    {
        Eigen::VectorXd C(model().num_dofs());
        sweepdyn::diagonal_coriolis<double>(kin_, diagonal(), detail::view(C), external());
        return C;
    }
    double mass_matrix_trace() { return sweepdyn::mass_matrix_trace(kin_, composite()); }
    // Force [moment; force] on the child by the parent at the accelerations v_dot, about the hinge origin, child axes.
    Eigen::VectorXd reaction(const std::string& hinge, const Eigen::VectorXd& v_dot)
    {
        inverse_dynamics(v_dot);
        return dense(hinge_reaction(kin_, forces_, model().hinge(hinge)));
    }
    double kinetic_energy() { return sweepdyn::kinetic_energy(with_inertias()); }
    double potential_energy() const { return sweepdyn::potential_energy(kin_); }
    Eigen::Vector3d center_of_mass() { return dense(sweepdyn::center_of_mass(with_inertias())); }
    // Of the whole system, [angular; linear], world axes.
    Eigen::VectorXd momentum()
    {
        return dense(sweepdyn::momentum(with_inertias()));
    } // about the world origin
    Eigen::VectorXd momentum_about_com() { return dense(sweepdyn::momentum_about_com(with_inertias())); }
    Eigen::VectorXd com_velocity() { return dense(sweepdyn::com_velocity(with_inertias())); }
    // The velocity with the floating base's part changed so that the momentum is zero.
    Eigen::VectorXd velocity_without_momentum()
    {
        Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(kin_.v.data(), model().num_dofs());
        null_momentum<double>(with_inertias(), detail::view(v));
        return v;
    }
    // ... so that it is the one given: [angular; linear] about the centre of mass, world axes.
    Eigen::VectorXd velocity_with_momentum(const Eigen::Matrix<double, 6, 1>& h)
    {
        Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(kin_.v.data(), model().num_dofs());
        reset_momentum<double>(with_inertias(), force(h), detail::view(v));
        return v;
    }
    // momentum_about_com = A v, and its rate at v_dot = 0.
    Eigen::MatrixXd centroidal_momentum_matrix()
    {
        Eigen::MatrixXd A(6, model().num_dofs());
        sweepdyn::centroidal_momentum_matrix<double>(kin_, composite(),
                                                     {A.data(), static_cast<std::size_t>(A.size())});
        return A;
    }
    Eigen::VectorXd centroidal_bias() { return dense(sweepdyn::centroidal_bias(with_inertias(), forces_)); }
    // Frame velocity per hinge rate of a free-floating model without momentum; the base's columns are zero.
    Eigen::MatrixXd generalized_jacobian(const std::string& frame, FrameAxes axes = FrameAxes::world_aligned)
    {
        Eigen::MatrixXd J(6, model().num_dofs());
        sweepdyn::generalized_jacobian<double>(kin_, composite(), model().frame(frame),
                                               {J.data(), static_cast<std::size_t>(J.size())}, axes);
        return J;
    }
    // [angular; linear] of a body that hangs on the ground, world axes, about its hinge's origin (dynamics/mobile_base.hpp).
    Eigen::VectorXd base_velocity(const std::string& body) const
    {
        return dense(sweepdyn::base_velocity(kin_, model().body(body).index));
    }
    Eigen::VectorXd base_acceleration(const std::string& body, const Eigen::VectorXd& v_dot) const
    {
        return dense(
            sweepdyn::base_acceleration<double>(kin_, model().body(body).index, detail::view(v_dot)));
    }

    // --- the stages, for what is not here ------------------------------------------------------------------------------
    const Kinematics<double>& kinematics() { return with_inertias(); }
    const CompositeInertias<double>& composite()
    {
        if (composite_.position_version != kin_.position_version)
            composite_inertias(with_inertias(), composite_);
        return composite_;
    }
    const ColumnRates<double>& column_rates()
    {
        if (rates_.position_version != kin_.position_version)
            sweepdyn::column_rates(kin_, rates_);
        return rates_;
    }
    const Articulation<double>& articulation()
    {
        if (articulation_.position_version != kin_.position_version)
            articulate(with_inertias(), articulation_);
        return articulation_;
    }
    DiagonalDynamics<double>& diagonal()
    {
        if (diagonal_.art.position_version != kin_.position_version)
            diagonalize(with_inertias(), diagonal_);
        return diagonal_;
    }

private:
    struct External {
        FrameId frame;
        Force<double> wrench;
        WrenchAxes axes;
    };
    void check_dofs(const char* function, const char* argument, const Eigen::VectorXd& x) const
    {
        require_size(function, argument, static_cast<std::size_t>(x.size()),
                     static_cast<std::size_t>(model().num_dofs()));
    }
    static void check_finite(const char* argument, const Eigen::VectorXd& x)
    {
        if (!x.allFinite())
            throw UsageError(std::string("set_state: ") + argument + " has a number that is not finite");
    }
    const Articulation<double>& regular_articulation(const char* function)
    {
        if (closed_)
            throw RefusedError(
                std::string(function) + ": model " + detail::quoted(model().name()) +
                " has loops, and this would be of the tree that is left without them; ask closed()");
        const Articulation<double>& art = articulation();
        if (!art.singular.empty())
            detail::throw_singular(model(), art.singular, function);
        return art;
    }
    const Kinematics<double>& with_inertias()
    {
        if (kin_.inertia_version != kin_.position_version)
            update_inertias(kin_);
        return kin_;
    }
    std::span<const Force<double>> external()
    {
        if (external_.empty())
            return {};
        external_forces_.assign(static_cast<std::size_t>(model().num_bodies()), {});
        for (const External& e : external_)
            add_external_wrench<double>(kin_, e.frame, e.wrench, e.axes, external_forces_);
        return external_forces_;
    }

    Kinematics<double> kin_;
    CompositeInertias<double> composite_;
    Articulation<double> articulation_;
    DiagonalDynamics<double> diagonal_;
    BodyForces<double> forces_;
    ColumnRates<double> rates_;
    ReferenceMotions<double> motions_;
    std::vector<External> external_;
    std::vector<Force<double>> external_forces_;
    std::optional<ClosedMechanism> closed_; // of a model with loops
    std::optional<BranchLimit> branches_; // made when first asked for
    std::uint64_t closed_version_ = 0;
};

} // namespace sweepdyn
