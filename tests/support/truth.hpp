// Poses, Jacobians and inertias by another road: dense 4 x 4 products and the table of hinge.hpp, with Eigen, about the world
// origin. Shares no code with kinematics/.
#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "support/compare.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn::test {

struct DenseBody {
    Matrix4d X_WB, X_WM; // the body's frame, its hinge frame
    MatrixXd J; // 6 x dofs: V = J v, world axes, about the world origin
    MatrixXd M; // 6 x 6 inertia, world axes, about the world origin
};

Eigen::Matrix3d cross_matrix(const Vector3d& a);
Matrix4d pose_matrix(const Eigen::Matrix3d& R, const Vector3d& p);
// Takes a twist from the axes and origin of B to those of A.
MatrixXd twist_map(const Matrix4d& X_AB);

std::vector<DenseBody> dense_bodies(const Model& model, const std::vector<double>& q);

// The mass matrix: sum J' M J, and armature on the diagonal.
MatrixXd dense_mass_matrix(const Model& model, const std::vector<DenseBody>& bodies);

} // namespace sweepdyn::test
