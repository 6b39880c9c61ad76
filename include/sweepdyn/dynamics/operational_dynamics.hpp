// Motion of frames as if they were the coordinates: their inertia, their Coriolis and gravity forces, and what forces leave them at rest.
//
//     Lambda x_dd + mu + p = f,   Lambda = Omega^-1,   mu = Lambda (J M^-1 C_v - Jdot v),   p = Lambda J M^-1 g       [003 section 6, 004]
//     J# = M^-1 J* Lambda                      the dynamically consistent inverse: J J# = I
//     N T = T - J* J#* T                       the part of hinge forces that does not accelerate the frames
//
// x_dd are classical accelerations, world axes, of each frame's origin. All but Lambda by sweeps. Where Omega is singular, Lambda is its
// generalized inverse on what can move, and `singular()` says in words which directions are lost and which hinges move without
// moving the frames. Before `set`: articulate. Inline: memory of Eigen values is the user's own. Specified by
// tests/laws/operational_dynamics.cpp.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "sweepdyn/dynamics/gravity_forces.hpp"
#include "sweepdyn/dynamics/operational_space.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {

class OperationalDynamics {
public:
    OperationalDynamics(const Model& model, const std::vector<std::string>& frames)
        : OperationalDynamics(model, ids(model, frames))
    {
    }
    OperationalDynamics(const Model& model, std::vector<FrameId> frames)
        : space_(model, std::move(frames)),
          forces_(model),
          wrenches_(static_cast<std::size_t>(model.num_bodies())),
          v_dot_(model.num_dofs())
    {
    }

    // At the state of kin. Directions whose compliance is below `tolerance` of the largest count as lost.
    void set(const Kinematics<double>& kin, const Articulation<double>& art, double tolerance = 1e-10);

    Eigen::Map<const Eigen::MatrixXd> Omega() const
    {
        return {space_.Omega.data(), space_.size(), space_.size()};
    }
    const Eigen::MatrixXd& Lambda() const { return Lambda_; }
    int rank() const { return rank_; }
    // Unit directions, as columns, in which forces on the frames move nothing.
    const Eigen::MatrixXd& lost() const { return lost_; }
    // What is lost, by names; empty: nothing. Looks for the hinges by an SVD of J: for people, not for loops.
    std::string singular(const Kinematics<double>& kin) const;

    Eigen::VectorXd coriolis(const Kinematics<double>& kin, const Articulation<double>& art); // mu
    Eigen::VectorXd gravity(const Kinematics<double>& kin, const Articulation<double>& art); // p
    // J# x: the accelerations of least effort that give the frames x.
    Eigen::VectorXd consistent_inverse(const Kinematics<double>& kin, const Articulation<double>& art,
                                       const Eigen::VectorXd& x);
    // J#* T: the force on the frames that the hinge forces amount to.
    Eigen::VectorXd force_of(const Kinematics<double>& kin, const Articulation<double>& art,
                             const Eigen::VectorXd& T);
    // J* f
    Eigen::VectorXd hinge_forces(const Kinematics<double>& kin, const Eigen::VectorXd& f) const;
    Eigen::VectorXd null_space_part(const Kinematics<double>& kin, const Articulation<double>& art,
                                    const Eigen::VectorXd& T)
    {
        return T - hinge_forces(kin, force_of(kin, art, T));
    }

private:
    static std::vector<FrameId> ids(const Model& model, const std::vector<std::string>& frames)
    {
        std::vector<FrameId> out;
        for (const std::string& frame : frames)
            out.push_back(model.frame(frame));
        return out;
    }
    static std::span<const double> view(const Eigen::VectorXd& x)
    {
        return {x.data(), static_cast<std::size_t>(x.size())};
    }
    static std::span<double> view(Eigen::VectorXd& x)
    {
        return {x.data(), static_cast<std::size_t>(x.size())};
    }
    void check(const Kinematics<double>& kin, const char* what) const
    {
        detail::require_fresh(space_.position_version == kin.position_version, what,
                              "OperationalDynamics::set");
    }
    // What the last sweep has left in forces_[k].A, at the frames.
    Eigen::VectorXd at_frames(const Kinematics<double>& kin) const;
    // J M^-1 T
    Eigen::VectorXd accelerations_of(const Kinematics<double>& kin, const Articulation<double>& art,
                                     const Eigen::VectorXd& T)
    {
        solve_mass_matrix<double>(kin, art, view(T), view(v_dot_), forces_);
        return at_frames(kin);
    }

    OperationalSpace<double> space_;
    BodyForces<double> forces_;
    std::vector<Force<double>> wrenches_;
    Eigen::VectorXd v_dot_;
    Eigen::MatrixXd Lambda_, lost_;
    int rank_ = 0;
};

inline void OperationalDynamics::set(const Kinematics<double>& kin, const Articulation<double>& art,
                                     double tolerance)
{
    if (!art.singular.empty())
        detail::throw_singular(kin.model, art.singular, "OperationalDynamics::set");
    operational_space(kin, art, space_);
    // Turns and shifts are compared by a length: that at which both are as compliant.
    const Eigen::MatrixXd W = Omega();
    double turns = 0.0, shifts = 0.0;
    for (int i = 0; i < space_.size(); ++i)
        (i % 6 < 3 ? turns : shifts) += W(i, i);
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(space_.size());
    for (int i = 0; i < space_.size(); ++i)
        if (i % 6 < 3 && turns > 0.0 && shifts > 0.0)
            scale[i] = std::sqrt(shifts / turns);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale.asDiagonal() * W * scale.asDiagonal());
    const Eigen::VectorXd& values = solver.eigenvalues(); // ascending
    const double least = tolerance * std::max(values.size() ? values[values.size() - 1] : 0.0, 0.0);
    Lambda_.setZero(space_.size(), space_.size());
    rank_ = 0;
    for (Eigen::Index i = 0; i < values.size(); ++i)
        if (values[i] > least) {
            const Eigen::VectorXd u = scale.cwiseProduct(solver.eigenvectors().col(i));
            Lambda_ += u * u.transpose() / values[i];
            ++rank_;
        }
    lost_ = scale.asDiagonal() * solver.eigenvectors().leftCols(values.size() - rank_);
    lost_.colwise().normalize();
}

inline std::string OperationalDynamics::singular(const Kinematics<double>& kin) const
{
    check(kin, "OperationalDynamics::singular");
    if (rank_ == space_.size())
        return "";
    constexpr const char* parts[] = {"turn about x", "turn about y", "turn about z",
                                     "move along x", "move along y", "move along z"};
    std::string text = "only " + std::to_string(rank_) + " of " + std::to_string(space_.size()) +
                       " directions of the frames can accelerate; lost:";
    for (Eigen::Index d = 0; d < lost_.cols(); ++d) {
        std::string direction;
        for (Eigen::Index i = 0; i < lost_.rows(); ++i)
            if (std::abs(lost_(i, d)) > 1e-6) {
                char number[32];
                std::snprintf(number, sizeof number, "%+.3g ", lost_(i, d));
                const std::string& frame =
                    kin.model.frame_at(space_.frames[static_cast<std::size_t>(i / 6)]).name;
                direction += (direction.empty() ? " " : ", ") + std::string(number) + "'" + frame + "' " +
                             parts[i % 6];
            }
        text += (d == 0 ? "" : ";") + direction;
    }
    Eigen::MatrixXd J(space_.size(), static_cast<Eigen::Index>(kin.v.size()));
    std::vector<double> columns(6 * kin.v.size());
    for (std::size_t f = 0; f < space_.frames.size(); ++f) {
        frame_jacobian<double>(kin, space_.frames[f], columns);
        J.middleRows(6 * static_cast<Eigen::Index>(f), 6) =
            Eigen::Map<Eigen::MatrixXd>(columns.data(), 6, J.cols());
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullV);
    const Eigen::MatrixXd rest = svd.matrixV().rightCols(J.cols() - std::min<Eigen::Index>(rank_, J.cols()));
    std::string hinges;
    for (int k = 0; k < kin.model.num_bodies(); ++k) {
        const Index first = kin.body[k].first_dof, count = kin.body[k].end_dof - first;
        const bool on_path = count > 0 && J.middleCols(first, count).norm() > 0.0;
        if (on_path && rest.middleRows(first, count).norm() > 1e-6)
            hinges +=
                (hinges.empty() ? "'" : ", '") + kin.model.hinges()[static_cast<std::size_t>(k)].name + "'";
    }
    if (!hinges.empty())
        text += "; together these hinges can move without moving the frames: " + hinges;
    return text;
}

inline Eigen::VectorXd OperationalDynamics::at_frames(const Kinematics<double>& kin) const
{
    Eigen::VectorXd out = Eigen::VectorXd::Zero(space_.size());
    for (std::size_t i = 0; i < space_.frames.size(); ++i)
        if (const Index k = kin.model.frame_body(space_.frames[i]); k != ground) {
            const Vec3<double> lever = frame_pose(kin, space_.frames[i]).p - kin.r(k);
            out.segment<6>(6 * static_cast<Eigen::Index>(i)) =
                dense(PhiAdjoint<double>{lever} * forces_[k].A);
        }
    return out;
}

inline Eigen::VectorXd OperationalDynamics::coriolis(const Kinematics<double>& kin,
                                                     const Articulation<double>& art)
{
    check(kin, "OperationalDynamics::coriolis");
    Eigen::VectorXd C(v_dot_.size()), g(v_dot_.size());
    v_dot_.setZero();
    inverse_dynamics<double>(kin, view(v_dot_), view(C), forces_);
    gravity_forces<double>(kin, view(g), forces_);
    Eigen::VectorXd x = accelerations_of(kin, art, C - g);
    for (std::size_t i = 0; i < space_.frames.size(); ++i)
        x.segment<6>(6 * static_cast<Eigen::Index>(i)) -=
            dense(frame_acceleration<double>(kin, space_.frames[i], {}));
    return Lambda_ * x;
}
inline Eigen::VectorXd OperationalDynamics::gravity(const Kinematics<double>& kin,
                                                    const Articulation<double>& art)
{
    check(kin, "OperationalDynamics::gravity");
    Eigen::VectorXd g(v_dot_.size());
    gravity_forces<double>(kin, view(g), forces_);
    return Lambda_ * accelerations_of(kin, art, g);
}
inline Eigen::VectorXd OperationalDynamics::force_of(const Kinematics<double>& kin,
                                                     const Articulation<double>& art,
                                                     const Eigen::VectorXd& T)
{
    check(kin, "OperationalDynamics::force_of");
    return Lambda_ * accelerations_of(kin, art, T);
}
inline Eigen::VectorXd OperationalDynamics::consistent_inverse(const Kinematics<double>& kin,
                                                               const Articulation<double>& art,
                                                               const Eigen::VectorXd& x)
{
    check(kin, "OperationalDynamics::consistent_inverse");
    require_size("OperationalDynamics::consistent_inverse", "x", static_cast<std::size_t>(x.size()),
                 static_cast<std::size_t>(space_.size()));
    const Eigen::VectorXd f = Lambda_ * x;
    std::fill(wrenches_.begin(), wrenches_.end(), Force<double>{});
    for (std::size_t i = 0; i < space_.frames.size(); ++i) {
        const auto part = f.segment<6>(6 * static_cast<Eigen::Index>(i));
        add_external_wrench<double>(kin, space_.frames[i],
                                    {{part[0], part[1], part[2]}, {part[3], part[4], part[5]}},
                                    WrenchAxes::world, wrenches_);
    }
    tip_force_correction<double>(kin, art, wrenches_, view(v_dot_), forces_);
    return v_dot_;
}
inline Eigen::VectorXd OperationalDynamics::hinge_forces(const Kinematics<double>& kin,
                                                         const Eigen::VectorXd& f) const
{
    require_size("OperationalDynamics::hinge_forces", "f", static_cast<std::size_t>(f.size()),
                 static_cast<std::size_t>(space_.size()));
    Eigen::VectorXd T = Eigen::VectorXd::Zero(v_dot_.size());
    for (std::size_t i = 0; i < space_.frames.size(); ++i) {
        const auto part = f.segment<6>(6 * static_cast<Eigen::Index>(i));
        const Vec3<double> p = frame_pose(kin, space_.frames[i]).p;
        for (Index k = kin.model.frame_body(space_.frames[i]); k != ground; k = kin.body[k].parent) {
            const Force<double> w = Phi<double>{p - kin.r(k)} *
                                    Force<double>{{part[0], part[1], part[2]}, {part[3], part[4], part[5]}};
            for (Index j : kin.body[k].dofs())
                T[j] += dot(kin.H[j], w);
        }
    }
    return T;
}

} // namespace sweepdyn
