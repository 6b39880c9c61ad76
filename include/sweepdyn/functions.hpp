// One question, one answer: what Robot knows, as functions of a model and a state, for scripts and tests.
// Each makes its workspaces anew; a program that asks more than once per state keeps a Robot, a fast loop the stages.
#pragma once

#include "sweepdyn/kinematics/inverse_kinematics.hpp"
#include "sweepdyn/kinematics/jacobian_jacobian_adjoint.hpp"
#include "sweepdyn/kinematics/jacobian_times.hpp"
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
inline Kinematics<double> kinematics_at(const Model& model, const Eigen::VectorXd& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, view(q));
    return kin;
}
inline std::vector<FrameId> frame_ids(const Model& model, const std::vector<std::string>& names)
{
    std::vector<FrameId> ids;
    for (const std::string& name : names)
        ids.push_back(model.frame(name));
    return ids;
}
inline std::vector<WeightedFrame<double>> weighted_frames(const Model& model,
                                                          const std::vector<std::string>& names,
                                                          double angular, double linear)
{
    std::vector<WeightedFrame<double>> out;
    for (FrameId frame : frame_ids(model, names))
        out.push_back({frame, angular, linear});
    return out;
}
inline std::span<double> entries(Eigen::MatrixXd& A)
{
    return {A.data(), static_cast<std::size_t>(A.size())};
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
// The Jacobian of several frames, the rows of one below those of the other, world-aligned; what it does to rates of the hinges,
// its adjoint to wrenches on the frames; and its squares, turning and moving weighed where W is.
inline Eigen::MatrixXd jacobian(const Model& model, const Eigen::VectorXd& q,
                                const std::vector<std::string>& frames)
{
    Eigen::MatrixXd J(6 * static_cast<Eigen::Index>(frames.size()), model.num_dofs());
    jacobian<double>(detail::kinematics_at(model, q), detail::frame_ids(model, frames), detail::entries(J));
    return J;
}
inline Eigen::VectorXd jacobian_times(const Model& model, const Eigen::VectorXd& q,
                                      const std::vector<std::string>& frames, const Eigen::VectorXd& v)
{
    JacobianScratch<double> scratch(model);
    std::vector<Motion<double>> V(frames.size());
    jacobian_times<double>(detail::kinematics_at(model, q), detail::frame_ids(model, frames), detail::view(v),
                           V, scratch);
    Eigen::VectorXd out(6 * static_cast<Eigen::Index>(frames.size()));
    for (std::size_t i = 0; i < V.size(); ++i)
        out.segment<6>(6 * static_cast<Eigen::Index>(i)) = dense(V[i]);
    return out;
}
inline Eigen::VectorXd jacobian_adjoint_times(const Model& model, const Eigen::VectorXd& q,
                                              const std::vector<std::string>& frames,
                                              const Eigen::VectorXd& f)
{
    require_size("jacobian_adjoint_times", "f", static_cast<std::size_t>(f.size()), 6 * frames.size());
    JacobianScratch<double> scratch(model);
    std::vector<Force<double>> forces;
    for (Eigen::Index i = 0; i < f.size(); i += 6)
        forces.push_back({{f[i], f[i + 1], f[i + 2]}, {f[i + 3], f[i + 4], f[i + 5]}});
    Eigen::VectorXd T(model.num_dofs());
    jacobian_adjoint_times<double>(detail::kinematics_at(model, q), detail::frame_ids(model, frames), forces,
                                   detail::view(T), scratch);
    return T;
}
inline Eigen::MatrixXd jacobian_jacobian_adjoint(const Model& model, const Eigen::VectorXd& q,
                                                 const std::vector<std::string>& frames)
{
    const auto rows = 6 * static_cast<Eigen::Index>(frames.size());
    JacobianCompliance<double> scratch(model);
    Eigen::MatrixXd out(rows, rows);
    jacobian_jacobian_adjoint<double>(detail::kinematics_at(model, q), detail::frame_ids(model, frames),
                                      detail::entries(out), scratch);
    return out;
}
inline Eigen::MatrixXd jacobian_adjoint_jacobian(const Model& model, const Eigen::VectorXd& q,
                                                 const std::vector<std::string>& frames, double angular = 1.0,
                                                 double linear = 1.0)
{
    FrameWeights<double> weights(model);
    Eigen::MatrixXd out(model.num_dofs(), model.num_dofs());
    jacobian_adjoint_jacobian<double>(detail::kinematics_at(model, q),
                                      detail::weighted_frames(model, frames, angular, linear),
                                      detail::entries(out), weights);
    return out;
}
// Throws RefusedError naming hinges that move the frames alike, or not at all.
inline Eigen::MatrixXd inverse_jacobian_adjoint_jacobian(const Model& model, const Eigen::VectorXd& q,
                                                         const std::vector<std::string>& frames,
                                                         double angular = 1.0, double linear = 1.0)
{
    FrameWeights<double> weights(model);
    FrameLeastSquares<double> least_squares(model);
    Eigen::MatrixXd out(model.num_dofs(), model.num_dofs());
    inverse_jacobian_adjoint_jacobian<double>(detail::kinematics_at(model, q),
                                              detail::weighted_frames(model, frames, angular, linear),
                                              detail::entries(out), weights, least_squares);
    return out;
}
// A configuration that meets the tasks, searched from `first` on. Throws RefusedError saying by how much the best misses.
inline Eigen::VectorXd inverse_kinematics(const Model& model, const std::vector<FrameTask>& tasks,
                                          const Eigen::VectorXd& first,
                                          const InverseKinematicsOptions& options = {})
{
    InverseKinematics ik(model, tasks, options);
    Eigen::VectorXd q = first;
    if (!ik.solve(detail::view(first), detail::view(q)).solved)
        throw RefusedError("inverse_kinematics: " + ik.words());
    return q;
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

inline Eigen::VectorXd passivity_inverse_dynamics(const Model& model, const Eigen::VectorXd& q,
                                                  const Eigen::VectorXd& v, const Eigen::VectorXd& v_r,
                                                  const Eigen::VectorXd& a_r)
{
    return detail::robot_at(model, q, v).passivity_inverse_dynamics(v_r, a_r);
}
inline Eigen::MatrixXd regressor(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& v_dot)
{
    return detail::robot_at(model, q, v).regressor(v_dot);
}
inline Eigen::MatrixXd passivity_regressor(const Model& model, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, const Eigen::VectorXd& v_r,
                                           const Eigen::VectorXd& a_r)
{
    return detail::robot_at(model, q, v).passivity_regressor(v_r, a_r);
}

// --- mass matrix, forward dynamics -----------------------------------------------------------------------------------
inline Eigen::MatrixXd mass_matrix(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).mass_matrix();
}
inline Eigen::MatrixXd mass_matrix_inverse(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).mass_matrix_inverse();
}
inline double log_det_mass_matrix(const Model& model, const Eigen::VectorXd& q)
{
    return detail::robot_at(model, q).log_det_mass_matrix();
}
inline Eigen::MatrixXd operational_compliance(const Model& model, const Eigen::VectorXd& q,
                                              const std::vector<std::string>& frames)
{
    return detail::robot_at(model, q).operational_compliance(frames);
}
inline Eigen::MatrixXd mass_matrix_rate(const Model& model, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).mass_matrix_rate();
}
inline Eigen::MatrixXd coriolis_matrix(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
{
    return detail::robot_at(model, q, v).coriolis_matrix();
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
