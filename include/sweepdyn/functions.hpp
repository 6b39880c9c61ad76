// One question, one answer: what Robot knows, as functions of a model and a state, for scripts and tests.
// Each makes its workspaces anew; a program that asks more than once per state keeps a Robot, a fast loop the stages.
#pragma once

#include "sweepdyn/robot.hpp"

namespace sweepdyn {
namespace detail {
inline Robot robot_at(const Model& model, const Eigen::VectorXd& q)
{
    Robot robot(model);
    robot.set_state(q);
    return robot;
}
inline Robot robot_at(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    Robot robot(model);
    robot.set_state(q, v);
    return robot;
}
} // namespace detail

// --- kinematics ------------------------------------------------------------------------------------------------------
inline Eigen::Matrix3d frame_rotation(const Model& model, const Eigen::VectorXd& q, const std::string& frame)
{
    return detail::robot_at(model, q).rotation(frame);
}
inline Eigen::Vector3d frame_position(const Model& model, const Eigen::VectorXd& q, const std::string& frame)
{
    return detail::robot_at(model, q).position(frame);
}
inline Eigen::VectorXd frame_velocity(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const std::string& frame, FrameAxes axes = FrameAxes::world_aligned)
{
    return detail::robot_at(model, q, v).velocity(frame, axes);
}
inline Eigen::VectorXd frame_acceleration(const Model& model, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot,
                                          const std::string& frame, FrameAxes axes = FrameAxes::world_aligned)
{
    return detail::robot_at(model, q, v).acceleration(frame, v_dot, axes);
}
inline Eigen::MatrixXd frame_jacobian(const Model& model, const Eigen::VectorXd& q, const std::string& frame,
                                      FrameAxes axes = FrameAxes::world_aligned)
{
    return detail::robot_at(model, q).jacobian(frame, axes);
}

// --- inverse dynamics ------------------------------------------------------------------------------------------------
inline Eigen::VectorXd inverse_dynamics(const Model& model, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot)
{
    return detail::robot_at(model, q, v).inverse_dynamics(v_dot);
}
inline Eigen::VectorXd composite_inverse_dynamics(const Model& model, const Eigen::VectorXd& q,
                                                  const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot)
{
    return detail::robot_at(model, q, v).composite_inverse_dynamics(v_dot);
}
inline Eigen::VectorXd inertial_inverse_dynamics(const Model& model, const Eigen::VectorXd& q,
                                                 const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot,
                                                 const Eigen::Vector3d& point = Eigen::Vector3d::Zero())
{
    return detail::robot_at(model, q, v).inertial_inverse_dynamics(v_dot, point);
}
inline Eigen::VectorXd bias_forces(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).bias_forces();
}
inline Eigen::VectorXd gravity_forces(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).gravity_forces();
}
inline Eigen::VectorXd passive_forces(const Model& model, const Eigen::VectorXd& v,
                                      double friction_speed = 0.0)
{
    Eigen::VectorXd T(model.num_dofs());
    passive_forces<double>(model, detail::view(v), friction_speed, detail::view(T));
    return T;
}
inline Eigen::VectorXd hinge_reaction(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const Eigen::VectorXd& v_dot, const std::string& hinge)
{
    return detail::robot_at(model, q, v).reaction(hinge, v_dot);
}

// --- mass matrix, forward dynamics -----------------------------------------------------------------------------------
inline Eigen::MatrixXd mass_matrix(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).mass_matrix();
}
inline double mass_matrix_trace(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).mass_matrix_trace();
}
inline Eigen::MatrixXd mass_matrix_by_inverse_dynamics(const Model& model, const Eigen::VectorXd& q)
{
    Kinematics<double> kin(model);
    BodyForces<double> scratch(model);
    Eigen::MatrixXd M(model.num_dofs(), model.num_dofs());
    Eigen::VectorXd unit(model.num_dofs());
    mass_matrix_by_inverse_dynamics<double>(
        kin, detail::view(q), {M.data(), static_cast<std::size_t>(M.size())}, detail::view(unit), scratch);
    return M;
}
inline Eigen::VectorXd forward_dynamics(const Model& model, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v, const Eigen::VectorXd& T)
{
    return detail::robot_at(model, q, v).forward_dynamics(T);
}

// --- diagonalized dynamics -------------------------------------------------------------------------------------------
inline Eigen::VectorXd diagonal_velocity(const Model& model, const Eigen::VectorXd& q,
                                         const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).diagonal_velocity();
}
inline Eigen::VectorXd velocity_of_diagonal(const Model& model, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& nu)
{
    return detail::robot_at(model, q).velocity_of_diagonal(nu);
}
inline Eigen::VectorXd diagonal_forces(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& T)
{
    return detail::robot_at(model, q).diagonal_forces(T);
}
inline Eigen::VectorXd forces_of_diagonal(const Model& model, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& eps)
{
    return detail::robot_at(model, q).forces_of_diagonal(eps);
}
inline Eigen::VectorXd diagonal_coriolis(const Model& model, const Eigen::VectorXd& q,
                                         const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).diagonal_coriolis();
}

// --- the whole system ------------------------------------------------------------------------------------------------
inline double kinetic_energy(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).kinetic_energy();
}
inline double potential_energy(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).potential_energy();
}
inline Eigen::Vector3d center_of_mass(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).center_of_mass();
}
inline Eigen::VectorXd com_velocity(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).com_velocity();
}
inline Eigen::VectorXd momentum(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).momentum();
}
inline Eigen::VectorXd momentum_about_com(const Model& model, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).momentum_about_com();
}
inline Eigen::VectorXd velocity_without_momentum(const Model& model, const Eigen::VectorXd& q,
                                                 const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).velocity_without_momentum();
}
inline Eigen::VectorXd velocity_with_momentum(const Model& model, const Eigen::VectorXd& q,
                                              const Eigen::VectorXd& v, const Eigen::Matrix<double, 6, 1>& h)
{
    return detail::robot_at(model, q, v).velocity_with_momentum(h);
}
inline Eigen::MatrixXd centroidal_momentum_matrix(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).centroidal_momentum_matrix();
}
inline Eigen::VectorXd centroidal_bias(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).centroidal_bias();
}
inline Eigen::MatrixXd generalized_jacobian(const Model& model, const Eigen::VectorXd& q,
                                            const std::string& frame,
                                            FrameAxes axes = FrameAxes::world_aligned)
{
    return detail::robot_at(model, q).generalized_jacobian(frame, axes);
}
inline Eigen::VectorXd base_velocity(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     const std::string& body)
{
    return detail::robot_at(model, q, v).base_velocity(body);
}

} // namespace sweepdyn
